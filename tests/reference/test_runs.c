/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "results.h"

#include <aftershock/reference/compare.h>

/* NULL: there is none. */
static const AftDifference *find(const AftRunComparison *comparison, AftPhase phase,
                                 guint occurrence, const char *metric)
{
    for (guint i = 0; i < comparison->differences->len; i++) {
        const AftDifference *difference = &g_array_index(comparison->differences, AftDifference, i);
        if (difference->phase == phase && difference->occurrence == occurrence &&
            g_str_equal(difference->metric->name, metric)) {
            return difference;
        }
    }
    return NULL;
}

static gboolean differs(double before, double before_ci, double after, double after_ci)
{
    g_autoptr(AftResult) first = labelled("first"), second = labelled("second");
    add_phase(first, AFT_PHASE_STEADY, before, before_ci, 1.0, 0.1);
    add_phase(second, AFT_PHASE_STEADY, after, after_ci, 1.0, 0.1);
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(first, second);
    const AftDifference *difference = find(comparison, AFT_PHASE_STEADY, 1, "iops");
    assert_non_null(difference);
    assert_int_equal(difference->known, !isnan(before_ci) && !isnan(after_ci));
    assert_within(difference->change, after / before - 1.0, 1e-12);
    return difference->differs;
}

static void a_change_is_one_only_beyond_the_intervals(void **state)
{
    (void)state;
    assert_false(differs(1000.0, 30.0, 1050.0, 40.0)); /* 30 and 40 make 50 */
    assert_true(differs(1000.0, 30.0, 1050.1, 40.0));
    assert_true(differs(1000.0, 30.0, 949.9, 40.0));
    assert_false(differs(1000.0, 0.0, 1000.0, 0.0));
    assert_false(differs(1000.0, (double)NAN, 5000.0, 40.0));
    assert_false(differs(1000.0, 30.0, 5000.0, (double)NAN));
}

static void phases_are_matched_by_their_occurrence(void **state)
{
    (void)state;
    g_autoptr(AftResult) before = labelled("before"), after = labelled("after");
    add_phase(before, AFT_PHASE_STEADY, 100.0, 1.0, 1.0, 0.1);
    add_phase(before, AFT_PHASE_REBUILD, 50.0, 1.0, 1.0, 0.1);
    add_phase(before, AFT_PHASE_STEADY, 120.0, 1.0, 1.0, 0.1);
    add_phase(after, AFT_PHASE_STEADY, 110.0, 1.0, 1.0, 0.1);
    add_phase(after, AFT_PHASE_FAILED, 10.0, 1.0, 1.0, 0.1);
    add_phase(after, AFT_PHASE_STEADY, 150.0, 1.0, 1.0, 0.1);
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(before, after);
    assert_within(find(comparison, AFT_PHASE_STEADY, 1, "iops")->change, 0.1, 1e-12);
    assert_within(find(comparison, AFT_PHASE_STEADY, 2, "iops")->change, 0.25, 1e-12);
    assert_null(find(comparison, AFT_PHASE_REBUILD, 1, "iops"));
    assert_null(find(comparison, AFT_PHASE_FAILED, 1, "iops"));
    assert_string_equal(comparison->phases_before, "steady rebuild steady");
    assert_string_equal(comparison->phases_after, "steady failed steady");
}

static void what_neither_has_is_left_out(void **state)
{
    (void)state;
    g_autoptr(AftResult) before = labelled("before"), after = labelled("after");
    add_phase(before, AFT_PHASE_STEADY, 100.0, 1.0, 1.0, 0.1)->scrub_bytes = 0.0;
    add_phase(after, AFT_PHASE_STEADY, 100.0, 1.0, 1.0, 0.1)->scrub_bytes = 0.0;
    before->space.saved_bytes = 0.0;
    after->space.saved_bytes = 7.0;
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(before, after);
    assert_null(find(comparison, AFT_PHASE_STEADY, 1, "scrub_bytes"));
    assert_null(find(comparison, AFT_PHASE_STEADY, 1, "write_mean"));
    const AftDifference *saved = find(comparison, AFT_PHASES, 1, "saved_bytes");
    assert_non_null(saved);
    assert_true(isnan(saved->change));
    assert_false(saved->known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_one_only_beyond_the_intervals),
        cmocka_unit_test(phases_are_matched_by_their_occurrence),
        cmocka_unit_test(what_neither_has_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
