/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/size.h>

#include <json-glib/json-glib.h>
#include <string.h>
#include <test.h>

static const AftTextStyle wide = {.width = 0, .utf8 = TRUE, .colour = FALSE};

/* A search over one axis, whose rows are the caller's. */
typedef struct {
    AftSizing sizing;
    AftSized rows[3];
    char *axes[2];
} Example;

static AftSized row_of(const char *value, double price, const char *verdict, const char *phase,
                       const char *figure, double share, double slack)
{
    return (AftSized){.value = {(char *)(gsize)value},
                      .price = price,
                      .nodes = 4.0,
                      .devices = 8.0,
                      .replications = 73,
                      .met = 70,
                      .verdict = (char *)(gsize)verdict,
                      .phase = (char *)(gsize)phase,
                      .figure = (char *)(gsize)figure,
                      .share = share,
                      .slack = slack,
                      .reason = (char *)(gsize) ""};
}

static void example_init(Example *example, gboolean priced)
{
    double price = priced ? 1.0 : 0.0;
    *example = (Example){.axes = {(char *)(gsize) "cluster.racks", NULL}};
    example->rows[0] = row_of("1", 1000.0 * price, "fails", "rebuild", "read", 0.6, -0.46);
    example->rows[1] = row_of("2", 2000.0 * price, "holds", "rebuild", "read", 0.0, 0.1);
    example->rows[2] = row_of("3", 3000.0 * price, "holds", "rebuild", "read", 0.0, 0.2);
    example->sizing = (AftSizing){.axes = example->axes,
                                  .rows = g_ptr_array_new(),
                                  .best = &example->rows[1],
                                  .runner_up = &example->rows[2],
                                  .below = &example->rows[0],
                                  .replications = 219,
                                  .priced = priced};
    for (guint i = 0; i < G_N_ELEMENTS(example->rows); i++) {
        g_ptr_array_add(example->sizing.rows, &example->rows[i]);
    }
}

static void example_clear(Example *example)
{
    g_ptr_array_unref(example->sizing.rows);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Example, example_clear)

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

static void the_answer_is_the_first_line(void **state G_GNUC_UNUSED)
{
    g_auto(Example) dear, free;
    example_init(&dear, TRUE);
    example_init(&free, FALSE);
    g_autofree char *priced = aft_size_text(&dear.sizing, &wide);
    g_autofree char *text = aft_size_text(&free.sizing, &wide);
    assert_true(g_str_has_prefix(
        priced, "cluster.racks=2 is the cheapest configuration that holds, price 2,000\n"));
    assert_true(
        g_str_has_prefix(text, "cluster.racks=2 is the smallest configuration that holds\n"));
    assert_null(strstr(text, "price"));
}

static void what_binds_is_told(void **state G_GNUC_UNUSED)
{
    g_auto(Example) example;
    example_init(&example, FALSE);
    g_autofree char *text = aft_size_text(&example.sizing, &wide);
    assert_says(text, "runner-up   cluster.racks=3");
    assert_says(text, "binds       cluster.racks=1: read missed in rebuild in 60 % of its runs, "
                      "by up to 46 %");
    example.rows[0] = row_of("1", 0.0, "fails", "", "loss", 1.0, (double)NAN);
    g_autofree char *lost = aft_size_text(&example.sizing, &wide);
    assert_says(lost, "cluster.racks=1: data is lost in 100 % of its runs\n");
    example.rows[0].reason = (char *)(gsize) "no such node";
    g_autofree char *impossible = aft_size_markdown(&example.sizing);
    assert_says(impossible, "- **binds**: cluster.racks=1: no such node\n");
}

static void without_an_answer_that_is_told(void **state G_GNUC_UNUSED)
{
    g_auto(Example) example;
    example_init(&example, FALSE);
    example.sizing.best = example.sizing.runner_up = example.sizing.below = NULL;
    g_autofree char *text = aft_size_text(&example.sizing, &wide);
    g_autofree char *json = aft_size_json(&example.sizing);
    assert_true(g_str_has_prefix(text, "No configuration holds\n"));
    assert_says(json, "\"answer\" : null");
    example.sizing.interrupted = TRUE;
    g_autofree char *early = aft_size_text(&example.sizing, &wide);
    assert_true(g_str_has_prefix(early, "Interrupted before"));
}

static void programs_get_all_figures(void **state G_GNUC_UNUSED)
{
    g_auto(Example) example;
    example_init(&example, TRUE);
    g_autofree char *csv = aft_size_csv(&example.sizing);
    g_autofree char *json = aft_size_json(&example.sizing);
    g_autoptr(JsonParser) parser = json_parser_new();
    assert_true(g_str_has_prefix(csv, "cluster.racks,price,nodes,devices,verdict,"));
    assert_says(csv, "\n1,1000,4,8,fails,73,70,rebuild,read,0.6,-0.46,\n");
    assert_true(json_parser_load_from_data(parser, json, -1, NULL));
    assert_says(json, "\"answer\" : \"cluster.racks=2\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_the_first_line),
        cmocka_unit_test(what_binds_is_told),
        cmocka_unit_test(without_an_answer_that_is_told),
        cmocka_unit_test(programs_get_all_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
