/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of a run. */
#include "test.h"

#include <aftershock/sweep/replication.h>

static AftResult *result_with(const char *flags, double shed_ios)
{
    AftResult *result = aft_result_new();
    result->seed = 7;
    g_free(result->scenario_sha256);
    g_free(result->requirement);
    result->scenario_sha256 = g_strdup("abc");
    result->requirement = g_strdup("met");
    result->missed_s = 3.0;
    AftPhaseRow row;
    aft_phase_row_init(&row, AFT_PHASE_STEADY);
    row.start_s = 10.0;
    row.duration_s = 20.0;
    row.shed_ios = shed_ios;
    g_free(row.flags);
    row.flags = g_strdup(flags);
    g_array_append_val(result->phases, row);
    return result;
}

static void a_result_becomes_a_row(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftReplication) row = aft_replication_new(4, 5, result_with("stall+loss", 0.0));
    assert_int_equal(row->point, 4);
    assert_int_equal(row->replication, 5);
    assert_int_equal(row->seed, 7);
    assert_string_equal(row->scenario_sha256, "abc");
    assert_null(row->failure);
    assert_within(row->duration_s, 30.0, 0.0);
    assert_within(row->missed_s, 3.0, 0.0);
    assert_false(row->saturated);
    assert_int_equal(row->phases->len, 1);
}

static gboolean saturates(const char *flags, double shed_ios)
{
    g_autoptr(AftReplication) row = aft_replication_new(0, 0, result_with(flags, shed_ios));
    return row->saturated;
}

static void what_cannot_be_served_saturates(void **state G_GNUC_UNUSED)
{
    assert_true(saturates("stall+owed", 0.0));
    assert_true(saturates("unbounded", 0.0));
    assert_true(saturates("", 1.0));
    assert_false(saturates("", 0.0));
    assert_false(saturates("disowed", 0.0));
}

static void a_failure_has_a_reason_and_no_phases(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftReplication) row = aft_replication_new_failed(1, 2, 9, "def", "no room");
    assert_string_equal(row->failure, "no room");
    assert_int_equal(row->seed, 9);
    assert_int_equal(row->phases->len, 0);
    assert_true(isnan(row->duration_s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_becomes_a_row),
        cmocka_unit_test(what_cannot_be_served_saturates),
        cmocka_unit_test(a_failure_has_a_reason_and_no_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
