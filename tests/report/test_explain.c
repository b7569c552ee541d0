/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/explain.h>

#include <build.h>
#include <json-glib/json-glib.h>
#include <test.h>

static const AftTextStyle wide = {.width = 0, .utf8 = TRUE, .colour = FALSE};
static const AftTextStyle narrow = {.width = 80, .utf8 = FALSE, .colour = FALSE};

static char *text_of(const char *const *settings, const AftTextStyle *style)
{
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    return aft_explain_text(bounds, "label", style);
}

#define TEXT(style, ...) text_of((const char *const[]){__VA_ARGS__, NULL}, style)

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no \"%s\" in:\n%s", part, text);
    }
}

static void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fail_msg("\"%s\" in:\n%s", part, text);
    }
}

static void a_penalty_is_a_sum_with_its_numbers(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "workload.read_share=40 %");
    assert_has(text, "\npenalty     healthy: 1,000 x 0.4 + 1,000 x 0.6 x 4 = 2,800 device I/Os a "
                     "second\n            one node down: 1,000 x 0.4 x 1.4 + 1,000 x 0.6 x 3.2 = "
                     "2,480 device I/Os a second\n");
}

static void one_direction_is_one_term(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "workload.read_share=100 %");
    assert_has(text, "healthy: 1,000 x 1 = 1,000 device I/Os a second\n");
}

static void courses_stand_below_each_other(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "cluster.nodes=5");
    assert_has(text,
               "small write  healthy        100 %  read 2, then write 2                4\n"
               "             one node down   60 %  read 2, then write 2                4\n");
}

static void writes_are_named_by_what_they_cover(void **state)
{
    (void)state;
    g_autofree char *small = TEXT(&wide, "workload.block=4 KiB");
    g_autofree char *partial = TEXT(&wide, "workload.block=2 MiB");
    g_autofree char *full = TEXT(&wide, "workload.block=3 MiB");
    g_autofree char *copies = TEXT(&wide, "data.protection=rf2");
    assert_has(small, "\nsmall write ");
    assert_has(partial, "\npartial write ");
    assert_has(full, "\nfull-stripe write ");
    assert_has(copies, "\nwrite ");
}

static void parts_that_are_not_there_are_not_shown(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "cluster.nodes=5");
    assert_has(text, "\ncapacity access ");
    assert_has_not(text, "controller");
    assert_has_not(text, "NIC");
    assert_has_not(text, "cache");
}

static void asking_for_too_much_is_said(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "cluster.node.controller.slots=1",
                                 "cluster.node.controller.io=10 ms", "workload.read_share=100 %");
    assert_has(text, "healthy: 500 IOPS (controller), but for that ");
    assert_has(text, ", asked for 200 % of it: too much\n");
}

static void without_a_target_no_time_is_told(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "data.protection=none");
    assert_has(text, "\nrebuild     a node holds 1.2 TB, which nothing can make again\n");
    assert_has(text, ", 20 % of the data lost\n");
}

static void lines_fit_where_they_can_and_stay_ascii(void **state)
{
    (void)state;
    g_autofree char *text =
        TEXT(&narrow, "cluster.node.controller.slots=1", "cluster.node.controller.io=1 ms",
             "cluster.node.nic=1 Gbit/s", "name=n\303\244me");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_true(g_str_is_ascii(text));
    for (guint i = 0; lines[i] != NULL; i++) {
        if (strlen(lines[i]) > 80) {
            fail_msg("too long: %s", lines[i]);
        }
    }
}

static void json_holds_the_figures(void **state)
{
    (void)state;
    const char *const settings[] = {"workload.read_share=40 %", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autofree char *text = aft_explain_json(bounds, "label");
    g_autoptr(JsonParser) parser = json_parser_new();
    assert_true(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonObject *workload =
        json_array_get_object_element(json_object_get_array_member(root, "workloads"), 0);
    JsonObject *healthy = json_object_get_object_member(workload, "healthy");
    const AftWorkloadState *expected = &bounds->workload[0].state[AFT_STATE_HEALTHY];
    assert_string_equal(json_object_get_string_member(root, "label"), "label");
    /* Seventeen digits give a double back. */
    assert_within(json_object_get_double_member(healthy, "iops"), expected->sustained.iops, 0.0);
    assert_within(json_object_get_double_member(healthy, "device_ios"), expected->device_ios, 0.0);
    assert_true(text[strlen(text) - 1] == '\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_penalty_is_a_sum_with_its_numbers),
        cmocka_unit_test(one_direction_is_one_term),
        cmocka_unit_test(courses_stand_below_each_other),
        cmocka_unit_test(writes_are_named_by_what_they_cover),
        cmocka_unit_test(parts_that_are_not_there_are_not_shown),
        cmocka_unit_test(asking_for_too_much_is_said),
        cmocka_unit_test(without_a_target_no_time_is_told),
        cmocka_unit_test(lines_fit_where_they_can_and_stay_ascii),
        cmocka_unit_test(json_holds_the_figures),
    };
    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
