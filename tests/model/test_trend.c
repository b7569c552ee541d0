/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"
#include "trend.h"

static AftTrend trend_of(const double *times_s, const double *paces, guint n)
{
    AftTrend trend;
    aft_trend_clear(&trend);
    for (guint i = 0; i < n; i++) {
        aft_trend_add(&trend, times_s[i], paces[i]);
    }
    return trend;
}

static const double times_s[] = {0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0};

static void nothing_known_is_no_pace(void **state G_GNUC_UNUSED)
{
    AftTrend trend = trend_of(NULL, NULL, 0);
    assert_within(aft_trend_at(&trend, 5.0), 0.0, 0.0);
}

static void fewer_than_three_windows_are_a_mean(void **state G_GNUC_UNUSED)
{
    const double paces[] = {10.0, 20.0};
    AftTrend one = trend_of(times_s, paces, 1), two = trend_of(times_s, paces, 2);
    assert_within(aft_trend_at(&one, 100.0), 10.0, 0.0);
    assert_within(aft_trend_at(&two, 100.0), 15.0, 0.0);
}

static void a_straight_line_is_found_and_followed(void **state G_GNUC_UNUSED)
{
    const double paces[] = {5.0, 6.0, 7.0, 8.0, 9.0};
    AftTrend trend = trend_of(times_s, paces, 5);
    assert_within(aft_trend_at(&trend, 40.0), 9.0, 1e-9);
    assert_within(aft_trend_at(&trend, 45.0), 9.5, 1e-9);
    assert_within(aft_trend_at(&trend, 50.0), 10.0, 1e-9);
}

/* Seen over 40 s, it is followed for 10 s. */
static void it_is_not_followed_far(void **state G_GNUC_UNUSED)
{
    const double paces[] = {5.0, 6.0, 7.0, 8.0, 9.0};
    AftTrend trend = trend_of(times_s, paces, 5);
    assert_within(aft_trend_at(&trend, 51.0), 10.0, 1e-9);
    assert_within(aft_trend_at(&trend, 1e6), 10.0, 1e-9);
}

static void a_pace_never_turns_back(void **state G_GNUC_UNUSED)
{
    const double paces[] = {20.0, 10.0, 0.0};
    AftTrend trend = trend_of(times_s, paces, 3);
    assert_within(aft_trend_at(&trend, 20.0), 0.0, 1e-9);
    assert_within(aft_trend_at(&trend, 25.0), 0.0, 0.0);
}

/* Least squares through (0, 0), (10, 3), (20, 0): the mean, 1, and no slope. */
static void chance_is_averaged_over(void **state G_GNUC_UNUSED)
{
    const double paces[] = {0.0, 3.0, 0.0};
    AftTrend trend = trend_of(times_s, paces, 3);
    assert_within(aft_trend_at(&trend, 20.0), 1.0, 1e-9);
    assert_within(aft_trend_at(&trend, 24.0), 1.0, 1e-9);
}

static void only_the_last_windows_count(void **state G_GNUC_UNUSED)
{
    const double paces[] = {1000.0, 1000.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    AftTrend trend = trend_of(times_s, paces, 8);
    assert_int_equal(trend.n, AFT_TREND_MOST);
    assert_within(aft_trend_at(&trend, 70.0), 6.0, 1e-9);
    assert_within(aft_trend_at(&trend, 75.0), 6.5, 1e-9);
}

static void what_is_cleared_is_forgotten(void **state G_GNUC_UNUSED)
{
    const double paces[] = {5.0, 6.0, 7.0};
    AftTrend trend = trend_of(times_s, paces, 3);
    aft_trend_clear(&trend);
    aft_trend_add(&trend, 100.0, 1.0);
    assert_within(aft_trend_at(&trend, 200.0), 1.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_is_no_pace),
        cmocka_unit_test(fewer_than_three_windows_are_a_mean),
        cmocka_unit_test(a_straight_line_is_found_and_followed),
        cmocka_unit_test(it_is_not_followed_far),
        cmocka_unit_test(a_pace_never_turns_back),
        cmocka_unit_test(chance_is_averaged_over),
        cmocka_unit_test(only_the_last_windows_count),
        cmocka_unit_test(what_is_cleared_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
