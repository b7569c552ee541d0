/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep sets at every point is known, however paths are spelt. */
#include "sweeps.h"

static void axes_set_their_keys(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    add_values(sweep, "workload.rate", VALUES("80k/s", "90k/s"));
    add_distribution(sweep, "timeline[0].at", AFT_UNIT_TIME, AFT_DISTRIBUTION_UNIFORM, 1.0, 2.0);
    assert_string_equal(aft_sweep_setter(sweep, "workload.rate"), "workload.rate");
    assert_string_equal(aft_sweep_setter(sweep, "workload[0].rate"), "workload.rate");
    assert_string_equal(aft_sweep_setter(sweep, "timeline[0].at"), "timeline[0].at");
    assert_null(aft_sweep_setter(sweep, "timeline[1].at"));
    assert_null(aft_sweep_setter(sweep, "workload[1].rate"));
    assert_null(aft_sweep_setter(sweep, "no.such.key"));
}

static void add_point(AftSweep *sweep, const char *first, const char *second)
{
    AftAxisValue *point = aft_axis_value_new("a point");
    const char *const settings[] = {first, second, NULL};
    g_strfreev(point->settings);
    point->settings = g_strdupv((char **)settings);
    g_ptr_array_add(sweep->points, point);
}

static void points_set_what_all_of_them_set(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    add_point(sweep, "cluster.nodes=5", "run.duration=1 h");
    add_point(sweep, "cluster.nodes=6", NULL);
    assert_null(aft_sweep_setter(sweep, "cluster.nodes")); /* a grid has none */
    sweep->design = AFT_DESIGN_LIST;
    assert_string_equal(aft_sweep_setter(sweep, "cluster.nodes"), "points");
    assert_null(aft_sweep_setter(sweep, "run.duration"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_set_their_keys),
        cmocka_unit_test(points_set_what_all_of_them_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
