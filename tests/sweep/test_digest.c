/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What says that two sweeps have the same runs. */
#include "sweeps.h"

static AftSweep *example(void)
{
    AftSweep *sweep = aft_sweep_new();
    sweep->name = g_strdup("example");
    sweep->base = g_strdup("a.yaml");
    add_values(sweep, "data.protection", VALUES("rf2", "raid5"));
    add_values(sweep, "workload.rate", VALUES("80k/s"));
    add_distribution(sweep, "timeline[0].at", AFT_UNIT_TIME, AFT_DISTRIBUTION_UNIFORM, 1.0, 2.0);
    AftAxisValue *point = aft_axis_value_new("a point");
    g_ptr_array_add(sweep->points, point);
    return sweep;
}

static AftAxis *axis_of(AftSweep *sweep, guint i)
{
    return g_ptr_array_index(sweep->axes, i);
}

static void replace(char **text, const char *by)
{
    g_free(*text);
    *text = g_strdup(by);
}

static void name_it(AftSweep *sweep)
{
    replace(&sweep->name, "other");
    replace(&sweep->base, "../b.yaml");
    replace(&((AftAxisValue *)g_ptr_array_index(axis_of(sweep, 0)->values, 0))->text, "copies");
    replace(&((AftAxisValue *)g_ptr_array_index(sweep->points, 0))->text, "other");
}

static void spell_a_path(AftSweep *sweep)
{
    replace(&axis_of(sweep, 0)->path, "data[0].protection");
}

static void spell_a_number(AftSweep *sweep)
{
    AftAxisValue *value = g_ptr_array_index(axis_of(sweep, 1)->values, 0);
    replace(&value->settings[0], "workload[0].rate= 80000 /s");
}

static void ask_for_points_of_a_grid(AftSweep *sweep)
{
    sweep->n_points = 7;
}

static void set_the_unused_seed(AftSweep *sweep)
{
    sweep->seed = 5;
}

static void add_a_point(AftSweep *sweep)
{
    g_ptr_array_add(sweep->points, aft_axis_value_new("more"));
}

static void change_a_value(AftSweep *sweep)
{
    AftAxisValue *value = g_ptr_array_index(axis_of(sweep, 0)->values, 1);
    replace(&value->settings[0], "data.protection=raid6");
}

static void drop_a_value(AftSweep *sweep)
{
    g_ptr_array_remove_index(axis_of(sweep, 0)->values, 0);
}

static void swap_axes(AftSweep *sweep)
{
    gpointer first = sweep->axes->pdata[0];
    sweep->axes->pdata[0] = sweep->axes->pdata[1];
    sweep->axes->pdata[1] = first;
}

static void move_a_bound(AftSweep *sweep)
{
    axis_of(sweep, 2)->distribution.parameter[1] = 2.5;
}

static void change_the_kind(AftSweep *sweep)
{
    axis_of(sweep, 2)->distribution.kind = AFT_DISTRIBUTION_LOG_UNIFORM;
}

static void change_the_design(AftSweep *sweep)
{
    sweep->design = AFT_DESIGN_SOBOL;
}

static void repeat_it(AftSweep *sweep)
{
    sweep->replications.n = 2;
}

static void stop_by_a_metric(AftSweep *sweep)
{
    sweep->replications.metric = g_strdup("rebuild/minutes");
}

static void seed_it(AftSweep *sweep)
{
    sweep->seeded = TRUE;
}

static void make_it_coarse(AftSweep *sweep)
{
    sweep->fidelity = g_strdup("io");
}

static char *digest_after(void (*change)(AftSweep *sweep))
{
    g_autoptr(AftSweep) sweep = example();
    if (change != NULL) {
        change(sweep);
    }
    return aft_sweep_digest(sweep);
}

static void what_changes_no_run_changes_no_digest(void **state G_GNUC_UNUSED)
{
    static void (*const changes[])(AftSweep *) = {
        name_it,    spell_a_path, spell_a_number, ask_for_points_of_a_grid, set_the_unused_seed,
        add_a_point};
    g_autofree char *plain = digest_after(NULL);
    assert_int_equal(strlen(plain), 64);
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autofree char *changed = digest_after(changes[i]);
        assert_string_equal(changed, plain);
    }
}

static void whatever_changes_the_runs_changes_the_digest(void **state G_GNUC_UNUSED)
{
    static void (*const changes[])(AftSweep *) = {
        change_a_value,    drop_a_value, swap_axes,        move_a_bound, change_the_kind,
        change_the_design, repeat_it,    stop_by_a_metric, seed_it,      make_it_coarse,
    };
    g_autofree char *plain = digest_after(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autofree char *changed = digest_after(changes[i]);
        assert_string_not_equal(changed, plain);
    }
}

static void points_of_a_list_count(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = example();
    sweep->design = AFT_DESIGN_LIST;
    g_autofree char *one = aft_sweep_digest(sweep);
    add_a_point(sweep);
    g_autofree char *two = aft_sweep_digest(sweep);
    assert_string_not_equal(one, two);
}

/* One setting of two values, or two of one. */
static void settings_belong_to_their_values(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) apart = aft_sweep_new(), together = aft_sweep_new();
    add_values(apart, "a", VALUES("1", "2"));
    AftAxis *axis = add_values(together, "a", VALUES("1"));
    AftAxisValue *value = g_ptr_array_index(axis->values, 0);
    g_strfreev(value->settings);
    value->settings = g_strsplit("a=1 a=2", " ", -1);
    g_autofree char *one = aft_sweep_digest(apart), *other = aft_sweep_digest(together);
    assert_string_not_equal(one, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_no_run_changes_no_digest),
        cmocka_unit_test(whatever_changes_the_runs_changes_the_digest),
        cmocka_unit_test(points_of_a_list_count),
        cmocka_unit_test(settings_belong_to_their_values),
    };
    return cmocka_run_group_tests_name("sweep digest", tests, NULL, NULL);
}
