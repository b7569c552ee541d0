/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibrating against what the simulator itself made recovers what it was made with. */
#include "bed.h"

static const char *const truth[] = {"cluster.node.controller.io=800 us", "devices.disk.read=1.3 ms",
                                    "devices.disk.write=6 ms", NULL};
static const double values[] = {800e-6, 1.3e-3, 6e-3};

/* Returns: how many of the keys have what they were made with inside their intervals. */
static guint count_recovered(const AftCalibration *it)
{
    guint n = 0;
    for (guint i = 0; i < it->n_keys; i++) {
        const AftFittedKey *key = &it->keys[i];
        print_message("# %s: %.4g +- %.2g, made with %.4g\n", key->key.path, key->value,
                      key->half_width, values[i]);
        assert_true(key->told && !key->at_bound);
        assert_true(key->half_width < 0.2 * values[i]); /* not by intervals that hold all */
        n += fabs(key->value - values[i]) <= key->half_width ? 1 : 0;
    }
    return n;
}

/* Returns: how many were recovered from what @seed made. */
static guint recover(AftFreeKey *keys, const char *seed)
{
    g_autoptr(AftReference) reference = measure(truth, &(Maker){.seed = seed});
    Maker maker = {.seed = "run.seed=1"};
    AftCalibrationSetup setup = {.reference = reference,
                                 .labels = labels,
                                 .n_labels = G_N_ELEMENTS(labels),
                                 .keys = keys,
                                 .n_keys = G_N_ELEMENTS(values),
                                 .starts = 1,
                                 .iterations = 12,
                                 .make = make,
                                 .context = &maker};
    g_autoptr(GError) error = NULL;
    g_autoptr(AftCalibration) it = aft_calibrate(&setup, &error);
    assert_null(error);
    assert_false(it->interrupted);
    print_message("# residuals %.2f before, %.2f after, %u runs\n", it->before, it->after,
                  it->effort.runs);
    assert_true(it->after < 1.0 && it->before > 5.0);
    assert_int_equal(it->fitted.n, 12);
    assert_int_equal(it->held_out.n, 0);
    assert_true(it->fitted.largest < 0.05);
    return count_recovered(it);
}

/* Of 15 intervals of 95 %, fewer than 12 hold the truth once in 180 times. */
static void keys_are_recovered_within_their_intervals(void **state G_GNUC_UNUSED)
{
    static const char *const seeds[] = {"run.seed=91", "run.seed=92", "run.seed=93", "run.seed=94",
                                        "run.seed=95"};
    AftFreeKey keys[] = {key_of("cluster.node.controller.io", NAN, NAN),
                         key_of("devices.disk.read", NAN, NAN),
                         key_of("devices.disk.write", NAN, NAN)};
    guint recovered = 0;
    for (guint i = 0; i < G_N_ELEMENTS(seeds); i++) {
        recovered += recover(keys, seeds[i]);
    }
    print_message("# %u of 15\n", recovered);
    assert_true(recovered >= 12);
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        aft_free_key_clear(&keys[i]);
    }
}

static void what_is_held_out_is_predicted(void **state G_GNUC_UNUSED)
{
    static const char *const slower[] = {"cluster.node.controller.io=800 us", NULL};
    static const char *const held_out[] = {"raid5", NULL};
    g_autoptr(AftReference) reference = measure(slower, &(Maker){.seed = "run.seed=99"});
    AftFreeKey key = key_of("cluster.node.controller.io", NAN, NAN);
    Maker maker = {.seed = "run.seed=1"};
    AftCalibrationSetup setup = {.reference = reference,
                                 .labels = labels,
                                 .n_labels = G_N_ELEMENTS(labels),
                                 .keys = &key,
                                 .n_keys = 1,
                                 .held_out = held_out,
                                 .starts = 2,
                                 .iterations = 6,
                                 .make = make,
                                 .context = &maker};
    g_autoptr(AftCalibration) it = aft_calibrate(&setup, NULL);
    assert_int_equal(it->fitted.n, 8);
    assert_int_equal(it->held_out.n, 4);
    assert_true(it->held_out.largest < 0.05);
    assert_within(it->keys[0].value, 800e-6, it->keys[0].half_width);
    aft_free_key_clear(&key);
}

/* Above 4 ms nothing is a scenario. */
static AftScenario *make_some(guint index, const char *const *settings, void *context,
                              GError **error)
{
    AftScenario *scenario = make(index, settings, context, error);
    for (guint i = 0; i < scenario->n_devices; i++) {
        if (g_str_equal(scenario->devices[i].name, "disk") &&
            scenario->devices[i].read_ns > 4000000) {
            g_set_error_literal(error, AFT_ERROR, AFT_ERROR_RANGE, "too slow");
            g_clear_pointer(&scenario, aft_scenario_free);
            break;
        }
    }
    return scenario;
}

static void trials_that_are_no_scenarios_are_rejected(void **state G_GNUC_UNUSED)
{
    static const char *const slower[] = {"devices.disk.read=3.8 ms", NULL};
    g_autoptr(AftReference) reference = measure(slower, &(Maker){.seed = "run.seed=99"});
    AftFreeKey key = key_of("devices.disk.read", 1e-3, 20e-3);
    Maker maker = {.seed = "run.seed=1"};
    AftCalibrationSetup setup = {.reference = reference,
                                 .labels = labels,
                                 .n_labels = G_N_ELEMENTS(labels),
                                 .keys = &key,
                                 .n_keys = 1,
                                 .starts = 2, /* the second in the middle, at 4.5 ms */
                                 .iterations = 10,
                                 .make = make_some,
                                 .context = &maker};
    g_autoptr(GError) error = NULL;
    g_autoptr(AftCalibration) it = aft_calibrate(&setup, &error);
    assert_null(error);
    assert_non_null(it);
    assert_true(it->rejected > 0);
    assert_string_equal(it->refusal, "too slow");
    assert_within(it->keys[0].value, 3.8e-3, 0.2e-3);
    aft_free_key_clear(&key);
}

static void nothing_to_fit_is_said(void **state G_GNUC_UNUSED)
{
    static const char *const all[] = {"*", NULL};
    g_autoptr(AftReference) reference = measure(NULL, &(Maker){.seed = "run.seed=99"});
    AftFreeKey key = key_of("cluster.node.controller.io", NAN, NAN);
    Maker maker = {.seed = "run.seed=1"};
    gint interrupted = 0;
    AftCalibrationSetup setup = {.reference = reference,
                                 .labels = labels,
                                 .n_labels = G_N_ELEMENTS(labels),
                                 .keys = &key,
                                 .n_keys = 1,
                                 .held_out = all,
                                 .iterations = 2,
                                 .interrupted = &interrupted,
                                 .make = make,
                                 .context = &maker};
    g_autoptr(GError) error = NULL;
    assert_null(aft_calibrate(&setup, &error));
    assert_error(error, AFT_ERROR_RANGE, "no cell is left");
    interrupted = 1; /* before the first run has ended */
    setup.held_out = NULL;
    g_autoptr(AftCalibration) it = aft_calibrate(&setup, NULL);
    assert_non_null(it);
    assert_true(it->interrupted);
    assert_null(it->comparison);
    assert_within(it->keys[0].value, key.start, 0.0);
    aft_free_key_clear(&key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_recovered_within_their_intervals),
        cmocka_unit_test(what_is_held_out_is_predicted),
        cmocka_unit_test(trials_that_are_no_scenarios_are_rejected),
        cmocka_unit_test(nothing_to_fit_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
