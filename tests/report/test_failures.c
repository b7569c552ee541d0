/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/failures.h>

#include <json-glib/json-glib.h>
#include <string.h>
#include <test.h>

static const AftTextStyle wide = {.width = 0, .utf8 = TRUE, .colour = FALSE};

static void clear_row(gpointer row)
{
    aft_table_clear_row(aft_part_failure_table(), row);
}

static void set_text(char **member, const char *text)
{
    g_free(*member);
    *member = g_strdup(text);
}

static void add(GArray *rows, const char *part, double missed_s, double lost_bytes,
                const char *failure)
{
    AftPartFailure row;
    aft_table_init_row(aft_part_failure_table(), &row);
    set_text(&row.part, part);
    set_text(&row.failure, failure);
    if (*failure == '\0') {
        set_text(&row.phase, "rebuild");
        row.missed_s = missed_s;
        row.rebuild_s = 83.0;
        row.iops = 1234.0;
        row.mean_ms = (double)INFINITY;
        row.read_mean_ms = 17.66;
        row.lost_bytes = lost_bytes;
    }
    g_array_append_val(rows, row);
}

static GArray *example(double lost_bytes)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(AftPartFailure));
    g_array_set_clear_func(rows, clear_row);
    add(rows, "node 2", 90.0, lost_bytes, "");
    add(rows, "node 0", 0.0, 0.0, "");
    add(rows, "node 1", 0.0, 0.0, "too large");
    return rows;
}

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

static void the_table_has_what_matters(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) rows = example(3e9);
    g_autofree char *text = aft_failures_text(rows, 20, &wide);
    assert_says(text, "node 2  1 min 30 s  1 min 23 s  rebuild  1,234    no I/O  17.7");
    assert_says(text, "       3 GB");
    assert_says(text, "no result   node 1: too large");
}

static void without_losses_there_is_no_column_of_them(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) rows = example(0.0);
    g_autofree char *text = aft_failures_text(rows, 20, &wide);
    assert_null(strstr(text, "data lost"));
}

static void a_long_table_is_cut(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) rows = example(0.0);
    g_autofree char *text = aft_failures_text(rows, 1, &wide);
    g_autofree char *markdown = aft_failures_markdown(rows);
    assert_says(text, "and 2 more");
    assert_null(strstr(text, "node 0"));
    assert_says(markdown, "| node 0 |");
}

static void what_there_is_not_is_empty(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) rows = example(0.0);
    g_autofree char *csv = aft_failures_csv(rows);
    g_autofree char *json = aft_failures_json(rows);
    g_autoptr(JsonParser) parser = json_parser_new();
    assert_says(csv, "\nnode 2,90,83,rebuild,1234,,17.66,,");
    assert_says(csv, "\nnode 1,,,,,,,,,,,,too large\n");
    assert_true(json_parser_load_from_data(parser, json, -1, NULL));
    assert_says(json, "\"mean_ms\" : null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_what_matters),
        cmocka_unit_test(without_losses_there_is_no_column_of_them),
        cmocka_unit_test(a_long_table_is_cut),
        cmocka_unit_test(what_there_is_not_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
