/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweeps.h"

static void the_last_axis_of_a_grid_varies_fastest(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    add_values(sweep, "cluster.nodes", VALUES("4", "5"));
    add_values(sweep, "data.protection", VALUES("rf2", "rf3", "raid6"));
    g_autoptr(AftPoints) points = points_of(sweep);
    static const char *const expected[] = {
        "cluster.nodes=4 data.protection=rf2",   "cluster.nodes=4 data.protection=rf3",
        "cluster.nodes=4 data.protection=raid6", "cluster.nodes=5 data.protection=rf2",
        "cluster.nodes=5 data.protection=rf3",   "cluster.nodes=5 data.protection=raid6",
    };
    assert_int_equal(aft_points_n(points), G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_autofree char *settings = settings_of(points, i, 1, 0);
        assert_string_equal(settings, expected[i]);
        assert_int_equal(aft_points_level(points, i, 1), i % 3);
    }
    assert_int_equal(aft_points_axes(points), 2);
    assert_string_equal(aft_points_axis(points, 1), "data.protection");
    g_autofree char *name = aft_points_name(points, 4), *text = aft_points_text(points, 4, 1);
    assert_string_equal(name, "5, rf3");
    assert_string_equal(text, "rf3");
}

static void a_sweep_without_axes_is_one_point(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    g_autoptr(AftPoints) points = points_of(sweep);
    assert_int_equal(aft_points_n(points), 1);
    g_autofree char *settings = settings_of(points, 0, 1, 0);
    assert_string_equal(settings, "");
}

static double number_in(const char *settings, const char *path)
{
    const char *at = strstr(settings, path);
    double value = NAN;
    assert_non_null(at);
    g_auto(GStrv) pair = g_strsplit(at + strlen(path) + 1, " c", 2);
    assert_true(aft_units_parse(AFT_UNIT_TIME, pair[0], &value, NULL));
    return value;
}

static void draws_are_shared_by_points_and_not_by_replications(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    add_distribution(sweep, "timeline[0].at", AFT_UNIT_TIME, AFT_DISTRIBUTION_UNIFORM, 600.0,
                     7200.0);
    add_values(sweep, "cluster.nodes", VALUES("4", "5"));
    g_autoptr(AftPoints) points = points_of(sweep);
    assert_int_equal(aft_points_n(points), 2);
    double sum = 0.0;
    for (guint32 replication = 0; replication < 1000; replication++) {
        g_autofree char *one = settings_of(points, 0, 1, replication);
        g_autofree char *other = settings_of(points, 1, 1, replication);
        g_autofree char *next = settings_of(points, 0, 1, replication + 1);
        double at = number_in(one, "timeline[0].at");
        assert_true(at == number_in(other, "timeline[0].at"));
        assert_true(at != number_in(next, "timeline[0].at"));
        assert_true(at >= 600.0 && at <= 7200.0);
        sum += at / 1000.0;
    }
    assert_within(sum, 3900.0, 4.0 * 1905.0 / sqrt(1000.0)); /* four standard errors */
    g_autofree char *one = settings_of(points, 0, 1, 0), *seeded = settings_of(points, 0, 2, 0);
    assert_string_not_equal(one, seeded);
    g_autofree char *text = aft_points_text(points, 0, 0);
    assert_string_equal(text, "");
}

static void a_path_in_full_draws_the_same(void **state G_GNUC_UNUSED)
{
    char *text[2];
    for (guint i = 0; i < 2; i++) {
        g_autoptr(AftSweep) sweep = aft_sweep_new();
        add_distribution(sweep, i == 0 ? "workload.rate" : "workload[0].rate", AFT_UNIT_RATE,
                         AFT_DISTRIBUTION_UNIFORM, 1.0, 2.0);
        g_autoptr(AftPoints) points = points_of(sweep);
        g_autofree char *settings = settings_of(points, 0, 1, 0);
        text[i] = g_strdup(strchr(settings, '='));
    }
    assert_string_equal(text[0], text[1]);
    g_free(text[0]);
    g_free(text[1]);
}

static double layer_of(const AftPoints *points, guint point, guint axis)
{
    g_autofree char *text = aft_points_text(points, point, axis);
    double value = NAN;
    assert_true(aft_units_parse(AFT_UNIT_SHARE, text, &value, NULL));
    return value;
}

static void a_latin_hypercube_meets_each_layer_once(void **state G_GNUC_UNUSED)
{
    enum { POINTS = 97, AXES = 3 };
    g_autoptr(AftSweep) sweep = sweep_of(AFT_DESIGN_LATIN_HYPERCUBE, POINTS);
    for (guint axis = 0; axis < AXES; axis++) {
        g_autofree char *path = g_strdup_printf("workload[%u].read_share", axis);
        add_distribution(sweep, path, AFT_UNIT_SHARE, AFT_DISTRIBUTION_UNIFORM, 0.0, 1.0);
    }
    g_autoptr(AftPoints) points = points_of(sweep);
    guint in_order = 0;
    for (guint axis = 0; axis < AXES; axis++) {
        guint met[POINTS] = {0};
        for (guint i = 0; i < POINTS; i++) {
            guint layer = (guint)(layer_of(points, i, axis) * POINTS);
            met[layer]++;
            in_order += layer == i;
        }
        for (guint i = 0; i < POINTS; i++) {
            assert_int_equal(met[i], 1);
        }
    }
    assert_true(in_order < 20); /* 3 are expected, by chance */
}

static void a_latin_hypercube_is_that_of_its_seed(void **state G_GNUC_UNUSED)
{
    char *text[3];
    for (guint i = 0; i < 3; i++) {
        g_autoptr(AftSweep) sweep = sweep_of(AFT_DESIGN_LATIN_HYPERCUBE, 50);
        add_distribution(sweep, "workload.read_share", AFT_UNIT_SHARE, AFT_DISTRIBUTION_UNIFORM,
                         0.0, 1.0);
        sweep->seed = i < 2 ? 1 : 2;
        g_autoptr(AftPoints) points = points_of(sweep);
        text[i] = settings_of(points, 17, i, i); /* whatever the seed and number of the run */
    }
    assert_string_equal(text[0], text[1]);
    assert_string_not_equal(text[0], text[2]);
    for (guint i = 0; i < 3; i++) {
        g_free(text[i]);
    }
}

static void values_are_levels_of_equal_chance(void **state G_GNUC_UNUSED)
{
    static const AftDesign designs[] = {AFT_DESIGN_LATIN_HYPERCUBE, AFT_DESIGN_SOBOL};
    for (guint i = 0; i < G_N_ELEMENTS(designs); i++) {
        g_autoptr(AftSweep) sweep = sweep_of(designs[i], 256);
        add_values(sweep, "cluster.nodes", VALUES("4", "5", "6", "7"));
        g_autoptr(AftPoints) points = points_of(sweep);
        guint met[4] = {0};
        for (guint point = 0; point < aft_points_n(points); point++) {
            met[aft_points_level(points, point, 0)]++;
        }
        for (guint level = 0; level < 4; level++) {
            assert_within(met[level], aft_points_n(points) / 4.0, 3.0);
        }
    }
}

static void sobol_blocks_take_one_column_from_b(void **state G_GNUC_UNUSED)
{
    enum { ROWS = 16, AXES = 3 };
    g_autoptr(AftSweep) sweep = sweep_of(AFT_DESIGN_SOBOL, ROWS);
    for (guint axis = 0; axis < AXES; axis++) {
        g_autofree char *path = g_strdup_printf("workload[%u].read_share", axis);
        add_distribution(sweep, path, AFT_UNIT_SHARE, AFT_DISTRIBUTION_UNIFORM, 0.0, 1.0);
    }
    g_autoptr(AftPoints) points = points_of(sweep);
    assert_int_equal(aft_points_n(points), ROWS * (AXES + 2));
    assert_within(layer_of(points, 0, 0), 0.5, 0.0); /* the zeros are left out */
    for (guint point = 0; point < aft_points_n(points); point++) {
        guint start = point / (AXES + 2) * (AXES + 2), column = point % (AXES + 2);
        for (guint axis = 0; axis < AXES; axis++) {
            guint b = column == 1 || column == axis + 2;
            assert_true(layer_of(points, point, axis) == layer_of(points, start + b, axis));
        }
    }
    /* The first row is 1/2 everywhere; from the second on both halves differ somewhere. */
    assert_true(layer_of(points, 5, 0) != layer_of(points, 6, 0) ||
                layer_of(points, 5, 1) != layer_of(points, 6, 1));
}

static AftAxisValue *listed(const char *name, const char *settings)
{
    AftAxisValue *value = aft_axis_value_new(name);
    g_strfreev(value->settings);
    value->settings = g_strsplit(settings, " ", -1);
    return value;
}

static void a_list_is_its_points(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_of(AFT_DESIGN_LIST, 0);
    g_ptr_array_add(sweep->points, listed("two copies", "data.protection=rf2"));
    g_ptr_array_add(sweep->points,
                    listed("RAID-5", "data.protection=raid5 data.protection.data=3"));
    add_distribution(sweep, "timeline[0].at", AFT_UNIT_TIME, AFT_DISTRIBUTION_UNIFORM, 5.0, 6.0);
    add_values(sweep, "cluster.nodes", VALUES("7"));
    g_autoptr(AftPoints) points = points_of(sweep);
    assert_int_equal(aft_points_n(points), 2);
    assert_int_equal(aft_points_axes(points), 5);
    static const char *const columns[] = {"name", "data.protection", "data.protection.data",
                                          "timeline[0].at", "cluster.nodes"};
    static const char *const texts[][5] = {{"two copies", "rf2", "", "", "7"},
                                           {"RAID-5", "raid5", "3", "", "7"}};
    for (guint axis = 0; axis < 5; axis++) {
        assert_string_equal(aft_points_axis(points, axis), columns[axis]);
        for (guint point = 0; point < 2; point++) {
            g_autofree char *text = aft_points_text(points, point, axis);
            assert_string_equal(text, texts[point][axis]);
        }
    }
    g_autofree char *name = aft_points_name(points, 1), *set = settings_of(points, 1, 1, 0);
    assert_string_equal(name, "RAID-5");
    assert_true(
        g_str_has_prefix(set, "data.protection=raid5 data.protection.data=3 timeline[0].at=5."));
    assert_true(g_str_has_suffix(set, " cluster.nodes=7"));
}

static void assert_too_many(const AftSweep *sweep, const char *part)
{
    g_autoptr(GError) error = NULL;
    assert_null(aft_points_new(sweep, &error));
    assert_error(error, AFT_ERROR_LIMIT, part);
}

static void more_than_allowed_is_refused_before_it_is_made(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) grid = aft_sweep_new();
    for (guint i = 0; i < AFT_SWEEP_MOST_AXES; i++) {
        add_values(grid, "cluster.nodes", VALUES("4", "5"));
    }
    assert_too_many(grid, "at least 1048576");
    g_autoptr(AftSweep) sobol = sweep_of(AFT_DESIGN_SOBOL, 400000);
    add_values(sobol, "cluster.nodes", VALUES("4", "5"));
    assert_too_many(sobol, "these are 1200000");
    g_autoptr(AftSweep) wide = sweep_of(AFT_DESIGN_SOBOL, 2);
    for (guint i = 0; i <= AFT_SWEEP_MOST_AXES; i++) {
        add_values(wide, "cluster.nodes", VALUES("4", "5"));
    }
    assert_too_many(wide, "at most 20 axes, got 21");
    g_ptr_array_set_size(wide->axes, AFT_SWEEP_MOST_AXES);
    g_autoptr(AftPoints) points = points_of(wide);
    assert_int_equal(aft_points_n(points), 2 * 22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_axis_of_a_grid_varies_fastest),
        cmocka_unit_test(a_sweep_without_axes_is_one_point),
        cmocka_unit_test(draws_are_shared_by_points_and_not_by_replications),
        cmocka_unit_test(a_path_in_full_draws_the_same),
        cmocka_unit_test(a_latin_hypercube_meets_each_layer_once),
        cmocka_unit_test(a_latin_hypercube_is_that_of_its_seed),
        cmocka_unit_test(values_are_levels_of_equal_chance),
        cmocka_unit_test(sobol_blocks_take_one_column_from_b),
        cmocka_unit_test(a_list_is_its_points),
        cmocka_unit_test(more_than_allowed_is_refused_before_it_is_made),
    };
    return cmocka_run_group_tests_name("points", tests, NULL, NULL);
}
