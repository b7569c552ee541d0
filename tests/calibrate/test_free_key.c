/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys between their bounds, and on the whole line. */
#include "free_key.h"
#include "test.h"

static AftFreeKey key_of(double low, double start, double high)
{
    return (AftFreeKey){.path = (char *)"run.precision", .unit = AFT_UNIT_SHARE, start, low, high};
}

static void the_line_leads_back_to_the_value(void **state G_GNUC_UNUSED)
{
    const AftFreeKey keys[] = {key_of(1e-4, 2e-4, 1e-2), key_of(0.0, 0.3, 2.0)};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        double u = aft_free_key_line(&keys[i], keys[i].start);
        assert_within(aft_free_key_value(&keys[i], u), keys[i].start, 1e-12 * keys[i].start);
    }
}

static void bounds_are_never_passed(void **state G_GNUC_UNUSED)
{
    AftFreeKey key = key_of(2.0, 2.0, 50.0);
    assert_within(aft_free_key_value(&key, -1e6), 2.0, 1e-9);
    assert_within(aft_free_key_value(&key, 1e6), 50.0, 1e-9);
    for (guint i = 1; i < 1000; i++) { /* exactly: rounding would pass dozens of these */
        AftFreeKey other = key_of(0.5 / i, 0.6, 0.7);
        assert_true(aft_free_key_value(&other, 1e6) <= other.high);
        assert_true(aft_free_key_value(&other, -1e6) >= other.low);
    }
    assert_true(isfinite(aft_free_key_line(&key, 2.0)));
    assert_true(isfinite(aft_free_key_line(&key, 50.0)));
}

static void a_key_begins_at_what_the_scenario_says(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autoptr(GError) error = NULL;
    aft_scenario_set(scenario, "cluster.node.controller.io", "150 us", problems);
    AftFreeKey key;
    assert_true(aft_free_key_init(&key, scenario, "cluster.node.controller.io", NAN, NAN, &error));
    assert_within(key.start, 150e-6, 1e-12);
    assert_within(key.low, 37.5e-6, 1e-12);
    assert_within(key.high, 600e-6, 1e-12);
    g_autofree char *setting = aft_free_key_setting(&key, 2e-4);
    assert_string_equal(setting, "cluster.node.controller.io=200 us");
    aft_free_key_clear(&key);
    assert_true(aft_free_key_init(&key, scenario, "cluster.node.controller.io", 0.0, 1e-3, &error));
    assert_within(key.low, 0.0, 0.0);
    aft_free_key_clear(&key);
}

static void expect_refusal(const char *path, double low, double high, AftError code,
                           const char *part)
{
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autoptr(GError) error = NULL;
    AftFreeKey key;
    aft_scenario_set(scenario, "cluster.node.controller.io", "150 us", problems);
    aft_scenario_set(scenario, "cluster.node.controller.slots", "8", problems);
    assert_false(aft_free_key_init(&key, scenario, path, low, high, &error));
    assert_error(error, code, part);
}

static void what_cannot_be_fitted_is_refused(void **state G_GNUC_UNUSED)
{
    expect_refusal("cluster.node.controler.io", NAN, NAN, AFT_ERROR_UNKNOWN,
                   "did you mean cluster.node.controller.io?");
    expect_refusal("workload.kind", NAN, NAN, AFT_ERROR_SYNTAX, "no number");
    expect_refusal("cluster.node.controller.slots", NAN, NAN, AFT_ERROR_SYNTAX, "whole number");
    expect_refusal("workload[3].rate", NAN, NAN, AFT_ERROR_RANGE, "no number to begin with");
    expect_refusal("cluster.node.controller.io", 2e-4, 3e-4, AFT_ERROR_RANGE,
                   "begins at 150 us, expected between 200 us and 300 us");
    expect_refusal("run.precision", 0.01, 2.0, AFT_ERROR_RANGE, "cannot be all that is between");
    expect_refusal("cluster.node.controller.io", 1e-4, 1e-4, AFT_ERROR_RANGE, "expected between");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_leads_back_to_the_value),
        cmocka_unit_test(bounds_are_never_passed),
        cmocka_unit_test(a_key_begins_at_what_the_scenario_says),
        cmocka_unit_test(what_cannot_be_fitted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
