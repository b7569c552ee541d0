/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <test.h>
#include <thin.h>

static double *thinned(const double *values, guint n, guint most, AftThinning *ret_thinning)
{
    *ret_thinning = aft_thinning(n, most);
    double *kept = g_new(double, ret_thinning->n_kept);
    aft_thin(ret_thinning, values, sizeof *values, kept);
    return kept;
}

static void few_values_stay_as_they_are(void **state)
{
    (void)state;
    const double values[] = {3.0, (double)NAN, 1.0, 2.0};
    AftThinning thinning;
    g_autofree double *kept = thinned(values, 4, 4, &thinning);
    assert_int_equal(thinning.n_kept, 4);
    assert_memory_equal(kept, values, sizeof values);
    assert_int_equal(aft_thinning_row(&thinning, 3), 3);
    AftThinning none = aft_thinning(0, 4);
    assert_int_equal(none.n_kept, 0);
}

static void extremes_remain_in_the_order_of_their_time(void **state)
{
    (void)state;
    const double values[] = {5.0, 1.0, 9.0, 4.0, 7.0, 8.0, 2.0, 6.0};
    AftThinning thinning;
    g_autofree double *kept = thinned(values, 8, 5, &thinning); /* two buckets of four */
    const double expected[] = {1.0, 9.0, 8.0, 2.0};
    assert_int_equal(thinning.n_kept, 4);
    for (guint i = 0; i < 4; i++) {
        assert_within(kept[i], expected[i], 0.0);
        assert_int_equal(aft_thinning_row(&thinning, i), 2 * i);
    }
}

static void gaps_remain_where_a_bucket_has_nothing_else(void **state)
{
    (void)state;
    const double nothing = (double)NAN;
    const double values[] = {nothing, nothing, nothing, 3.0, nothing, 2.0};
    AftThinning thinning;
    g_autofree double *kept = thinned(values, 6, 4, &thinning);
    assert_true(isnan(kept[0]) && isnan(kept[1]));
    assert_within(kept[2], 3.0, 0.0);
    assert_within(kept[3], 2.0, 0.0);
}

/* Whatever the lengths: no more than asked, times in order, one spike among equals is kept. */
static void a_spike_is_never_lost(void **state)
{
    (void)state;
    for (guint n = 1; n < 300; n += 7) {
        for (guint most = 2; most < 40; most += 3) {
            g_autofree double *values = g_new0(double, n);
            guint at = (n * 5 / 7) % n;
            values[at] = 1.0;
            AftThinning thinning;
            g_autofree double *kept = thinned(values, n, most, &thinning);
            double greatest = 0.0;
            for (guint i = 0; i < thinning.n_kept; i++) {
                greatest = fmax(greatest, kept[i]);
                assert_true(i == 0 ||
                            aft_thinning_row(&thinning, i) >= aft_thinning_row(&thinning, i - 1));
                assert_true(aft_thinning_row(&thinning, i) < n);
            }
            assert_true(thinning.n_kept <= most);
            assert_within(greatest, 1.0, 0.0);
        }
    }
}

static void columns_of_rows_are_thinned_in_place(void **state)
{
    (void)state;
    const struct {
        double other, value;
    } rows[] = {{9.0, 1.0}, {9.0, 2.0}, {9.0, 3.0}};
    AftThinning thinning = aft_thinning(3, 2);
    double kept[2];
    aft_thin(&thinning, &rows[0].value, sizeof rows[0], kept);
    assert_within(kept[0], 1.0, 0.0);
    assert_within(kept[1], 3.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_stay_as_they_are),
        cmocka_unit_test(extremes_remain_in_the_order_of_their_time),
        cmocka_unit_test(gaps_remain_where_a_bucket_has_nothing_else),
        cmocka_unit_test(a_spike_is_never_lost),
        cmocka_unit_test(columns_of_rows_are_thinned_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
