/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "requirement.h"
#include "test.h"

static const AftRequirementSpec all_three = {
    .iops = 1000.0,
    .read_ns = 5000000,
    .write_ns = 10000000,
    .tolerance = 0.005,
};

static void assert_missed(const AftRequirementSpec *required, AftAchieved achieved,
                          const char *expected)
{
    g_autofree char *text =
        aft_requirement_text(required, aft_requirement_missed(required, &achieved));
    assert_string_equal(text, expected);
}

static void what_is_as_good_as_required_is_met(void **state G_GNUC_UNUSED)
{
    assert_missed(&all_three, (AftAchieved){1000.0, 0, 5e6, 0, 1e7, 0}, "met");
    assert_missed(&all_three, (AftAchieved){2000.0, 0, 1.0, 0, 1.0, 0}, "met");
}

static void missed_figures_are_named_in_order(void **state G_GNUC_UNUSED)
{
    assert_missed(&all_three, (AftAchieved){900.0, 0, 6e6, 0, 2e7, 0}, "iops+read+write");
    assert_missed(&all_three, (AftAchieved){900.0, 0, 4e6, 0, 2e7, 0}, "iops+write");
    assert_missed(&all_three, (AftAchieved){1000.0, 0, 6e6, 0, 1e6, 0}, "read");
}

static void a_figure_is_missed_only_beyond_its_own_margin(void **state G_GNUC_UNUSED)
{
    assert_missed(&all_three, (AftAchieved){1000.0, 0, 5.2e6, 0.2e6, 1e6, 0}, "met");
    assert_missed(&all_three, (AftAchieved){1000.0, 0, 5.2e6, 0.1e6, 1e6, 0}, "read");
    assert_missed(&all_three, (AftAchieved){980.0, 15.0, 1e6, 0, 1e6, 0}, "met");
    assert_missed(&all_three, (AftAchieved){980.0, 14.0, 1e6, 0, 1e6, 0}, "iops");
}

static void iops_have_a_tolerance_besides(void **state G_GNUC_UNUSED)
{
    assert_missed(&all_three, (AftAchieved){995.0, 0, 1e6, 0, 1e6, 0}, "met");
    assert_missed(&all_three, (AftAchieved){994.9, 0, 1e6, 0, 1e6, 0}, "iops");
}

static void what_nobody_asked_for_cannot_be_missed(void **state G_GNUC_UNUSED)
{
    const AftRequirementSpec nothing = {0}, reads = {.read_ns = 5000000};
    assert_false(aft_requirement_given(&nothing));
    assert_true(aft_requirement_given(&reads));
    assert_missed(&nothing, (AftAchieved){0.0, 0, 1e12, 0, 1e12, 0}, "");
    assert_missed(&reads, (AftAchieved){0.0, 0, 1e6, 0, 1e12, 0}, "met");
}

/* No I/O is no latency: NaN. But no I/O is no IOPS either. */
static void without_io_only_iops_are_missed(void **state G_GNUC_UNUSED)
{
    assert_missed(&all_three, (AftAchieved){0.0, 0, NAN, 0, NAN, 0}, "iops");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_as_good_as_required_is_met),
        cmocka_unit_test(missed_figures_are_named_in_order),
        cmocka_unit_test(a_figure_is_missed_only_beyond_its_own_margin),
        cmocka_unit_test(iops_have_a_tolerance_besides),
        cmocka_unit_test(what_nobody_asked_for_cannot_be_missed),
        cmocka_unit_test(without_io_only_iops_are_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
