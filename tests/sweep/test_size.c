/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest configuration that holds. */
#include "small_sizes.h"

/* The neighbours tell what binds, and what else would do. */
static void it_tells_what_binds_and_the_runner_up(void **state G_GNUC_UNUSED)
{
    static const char *const axes[] = {"cluster.nodes=3:9", NULL};
    g_autoptr(AftSizing) sizing = size(axes, nothing, NULL);
    assert_string_equal(sizing->best->value[0], "6");
    assert_string_equal(sizing->runner_up->value[0], "7");
    assert_string_equal(sizing->below->value[0], "5");
    assert_string_equal(sizing->below->verdict, "fails");
    assert_string_equal(sizing->below->phase, "rebuild");
    assert_string_equal(sizing->below->figure, "read");
    assert_true(sizing->below->share > 0.0 && sizing->below->slack < 0.0);
    assert_true(sizing->best->replications >= aft_size_fewest(0.9));
}

static char *rows_text(guint jobs)
{
    static const char *const texts[] = {"cluster.nodes=3:12", NULL};
    g_autoptr(GPtrArray) axes = axes_of(texts);
    Context context = {nothing, 0};
    AftSizeSetup setup = setup_of(axes, &context);
    setup.jobs = jobs;
    g_autoptr(AftSizing) sizing = aft_size(&setup, NULL);
    g_autofree AftTable *table = aft_sized_table(sizing->axes);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < sizing->rows->len * table->n_columns; i++) {
        g_autofree char *cell = aft_column_format(&table->columns[i % table->n_columns],
                                                  sizing->rows->pdata[i / table->n_columns]);
        g_string_append_printf(text, "%s,", cell);
    }
    return g_strdup(text->str);
}

static void threads_change_nothing(void **state G_GNUC_UNUSED)
{
    g_autofree char *alone = rows_text(1), *together = rows_text(3);
    assert_string_equal(alone, together);
}

/* Six nodes with a disk each are 360, three with four are 630; or, where nodes are dear, 606 and
 * 312. */
static void the_cheapest_is_not_the_smallest(void **state G_GNUC_UNUSED)
{
    static const char *const axes[] = {"cluster.nodes=3:9",
                                       "cluster.node.disk_groups.capacity.count=1,4", NULL};
    static const char *const disks_are_dear[] = {"cluster.node.price=10", "devices.disk.price=50",
                                                 NULL};
    static const char *const nodes_are_dear[] = {"cluster.node.price=100", "devices.disk.price=1",
                                                 NULL};
    g_autoptr(AftSizing) dear = size(axes, disks_are_dear, NULL);
    g_autoptr(AftSizing) cheap = size(axes, nodes_are_dear, NULL);
    g_autoptr(AftSizing) unpriced = size(axes, nothing, NULL);
    assert_string_equal(dear->best->value[0], "6");
    assert_string_equal(dear->best->value[1], "1");
    assert_within(dear->best->price, 360.0, 1e-9);
    assert_string_equal(cheap->best->value[0], "3");
    assert_string_equal(cheap->best->value[1], "4");
    assert_within(cheap->best->price, 312.0, 1e-9);
    assert_true(dear->priced && cheap->priced && !unpriced->priced);
    assert_within(unpriced->best->nodes, 3.0, 0.0);
}

/* Node 7 is in the timeline: smaller clusters are none, and no node may be added for that. */
static void what_the_timeline_names_must_be_there(void **state G_GNUC_UNUSED)
{
    static const char *const axes[] = {"cluster.nodes=3:16", NULL};
    static const char *const eighth[] = {"timeline[0].fail=node 7", NULL};
    g_autoptr(AftSizing) sizing = size(axes, eighth, NULL);
    assert_string_equal(sizing->best->value[0], "8");
    assert_string_equal(sizing->below->verdict, "impossible");
    assert_int_equal(sizing->below->replications, 0);
    assert_non_null(strstr(sizing->below->reason, "node 7"));
}

static void sometimes_nothing_holds(void **state G_GNUC_UNUSED)
{
    static const char *const axes[] = {"cluster.nodes=3:9", NULL};
    static const char *const strict[] = {"requirement.read=1 ms", NULL};
    g_autoptr(AftSizing) sizing = size(axes, strict, NULL);
    assert_null(sizing->best);
    assert_null(sizing->below);
    assert_false(sizing->uneven);
    assert_true(sizing->rows->len >= 3);
}

/* Calls 12 - n nodes n. */
static AftScenario *make_backwards(const char *const *settings, void *data, GError **error)
{
    guint nodes = (guint)g_ascii_strtoull(settings[0] + strlen("cluster.nodes="), NULL, 10);
    g_autofree char *turned = g_strdup_printf("cluster.nodes=%u", 12 - nodes);
    const char *const backwards[] = {turned, NULL};
    return make(backwards, data, error);
}

static void where_more_hurts_all_of_the_range_is_looked_at(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"cluster.nodes=3:9", NULL};
    g_autoptr(GPtrArray) axes = axes_of(texts);
    Context context = {nothing, 0};
    AftSizeSetup setup = setup_of(axes, &context);
    setup.make = make_backwards;
    g_autoptr(AftSizing) sizing = aft_size(&setup, NULL);
    assert_true(sizing->uneven);
    assert_int_equal(sizing->rows->len, 7);
    assert_within(sizing->best->nodes, 6.0, 0.0);
    assert_string_equal(sizing->best->value[0], "6");
}

/* There are no clusters of more than six nodes. */
static AftScenario *make_up_to_six(const char *const *settings, void *data, GError **error)
{
    guint nodes = (guint)g_ascii_strtoull(settings[0] + strlen("cluster.nodes="), NULL, 10);
    if (nodes > 6) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "too many");
        return NULL;
    }
    return make(settings, data, error);
}

static void where_more_is_impossible_less_may_hold(void **state G_GNUC_UNUSED)
{
    static const char *const ranges[] = {"cluster.nodes=3:12", "cluster.nodes=6:40"};
    for (guint i = 0; i < G_N_ELEMENTS(ranges); i++) {
        const char *const texts[] = {ranges[i], NULL};
        g_autoptr(GPtrArray) axes = axes_of(texts);
        Context context = {nothing, 0};
        AftSizeSetup setup = setup_of(axes, &context);
        setup.make = make_up_to_six;
        g_autoptr(AftSizing) sizing = aft_size(&setup, NULL);
        assert_non_null(sizing);
        assert_true(sizing->uneven);
        assert_non_null(sizing->best);
        assert_string_equal(sizing->best->value[0], "6");
    }
}

static void what_loses_data_does_not_hold(void **state G_GNUC_UNUSED)
{
    static const char *const axes[] = {"cluster.nodes=12:13", NULL};
    static const char *const bare[] = {"data.protection=none", "requirement.read=10 s", NULL};
    g_autoptr(AftSizing) sizing = size(axes, bare, NULL);
    const AftSized *row = sizing->rows->pdata[0];
    assert_null(sizing->best);
    assert_string_equal(row->figure, "loss");
    assert_within(row->share, 1.0, 0.0);
}

static void assert_refused(const char *const *axes, const char *const *more, gint code,
                           const char *words)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftSizing) sizing = size(axes, more, &error);
    assert_null(sizing);
    assert_error(error, code, words);
}

static void what_makes_no_search_is_refused(void **state G_GNUC_UNUSED)
{
    static const char *const nodes[] = {"cluster.nodes=3:4", NULL};
    static const char *const many[] = {"cluster.nodes=3:200", "workload.vms=1:200",
                                       "data.placement_groups=1:200", NULL};
    static const char *const free[] = {"requirement.read=none", NULL};
    static const char *const wrong[] = {"workload.rate=0 /s", NULL};
    assert_refused(nodes, free, AFT_ERROR_RANGE, "requirement: {iops: 10k");
    assert_refused(nodes, wrong, AFT_ERROR_RANGE, "workload.rate");
    assert_refused(many, nothing, AFT_ERROR_LIMIT, "10000 combinations");
}

static void assert_no_axis(const char *text, gint code, const char *words)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftSizeAxis) axis = aft_size_axis_parse(text, &error);
    assert_null(axis);
    assert_error(error, code, words);
}

static void axes_are_ranges_or_lists(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"cluster.nodes= 3 : 5", "data.protection=rf2, raid5",
                                        "workload.on=0:3", "cluster.nodes=7", NULL};
    g_autoptr(GPtrArray) axes = axes_of(texts);
    const AftSizeAxis *nodes = axes->pdata[0], *schemes = axes->pdata[1], *on = axes->pdata[2];
    assert_true(nodes->range);
    assert_int_equal(nodes->texts->len, 3);
    assert_string_equal(nodes->texts->pdata[2], "5");
    assert_false(schemes->range);
    assert_string_equal(schemes->texts->pdata[1], "raid5");
    assert_false(on->range); /* nodes are selected so */
    assert_string_equal(on->texts->pdata[0], "0:3");
    assert_no_axis("cluster.nodes", AFT_ERROR_SYNTAX, "PATH=LOW:HIGH");
    assert_no_axis("cluster.nodes=5:3", AFT_ERROR_RANGE, "5:3");
    assert_no_axis("cluster.nodes=1:20000", AFT_ERROR_LIMIT, "10000");
    assert_no_axis("cluster.nods=3:5", AFT_ERROR_UNKNOWN, "cluster.nodes?");
    assert_no_axis("data.protection=rf2,,raid5", AFT_ERROR_SYNTAX, "missing");
}

static void stop(const char *const *settings, guint ended, guint most, void *data)
{
    Context *context = data;
    (void)most;
    if (g_str_equal(settings[0], "cluster.nodes=5") && ended == 1) {
        g_atomic_int_set(&context->interrupted, 1);
    }
}

static void an_interruption_tells_the_best_so_far(void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"cluster.nodes=3:12", NULL};
    g_autoptr(GPtrArray) axes = axes_of(texts);
    Context context = {nothing, 0};
    AftSizeSetup setup = setup_of(axes, &context);
    setup.jobs = 1;
    setup.interrupted = &context.interrupted;
    setup.progress = stop;
    g_autoptr(AftSizing) sizing = aft_size(&setup, NULL);
    assert_true(sizing->interrupted);
    assert_string_equal(sizing->best->value[0], "8");
    assert_string_equal(sizing->below->value[0], "5");
    assert_string_equal(sizing->below->verdict, "interrupted");
}

/* Given a pattern, runs only the cases whose names it fits. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_tells_what_binds_and_the_runner_up),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(the_cheapest_is_not_the_smallest),
        cmocka_unit_test(what_the_timeline_names_must_be_there),
        cmocka_unit_test(sometimes_nothing_holds),
        cmocka_unit_test(where_more_hurts_all_of_the_range_is_looked_at),
        cmocka_unit_test(where_more_is_impossible_less_may_hold),
        cmocka_unit_test(what_loses_data_does_not_hold),
        cmocka_unit_test(what_makes_no_search_is_refused),
        cmocka_unit_test(axes_are_ranges_or_lists),
        cmocka_unit_test(an_interruption_tells_the_best_so_far),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
