/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other values in a text that stays as it is. */
#include <aftershock/loader/edit.h>
#include <aftershock/loader/loader.h>

#include "test.h"

static const char text[] = "# Größe und Ort\n"
                           "version: 1\n"
                           "cluster:\n"
                           "  nodes: 5      # hosts\n"
                           "  node: {controller: {slots: 8, io: \"161 us\", per_mib: 4.2 ms}}\n"
                           "data: {logical: 1 TB, protection: {scheme: raid5, degraded: 130 us}}\n"
                           "workload:\n"
                           "  - {kind: closed, vms: 4, outstanding: 64, block: 4 KiB}\n";

static char *edited_text(const char *before, const char *const *settings, guint unwritten)
{
    g_autoptr(GPtrArray) rest = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    char *out = aft_loader_edit_text("my.yaml", before, strlen(before), settings, rest, &error);
    assert_null(error);
    assert_int_equal(rest->len, unwritten);
    return out;
}

static char *edited(const char *const *settings, guint unwritten)
{
    return edited_text(text, settings, unwritten);
}

static void values_change_and_nothing_else_does(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {"cluster.node.controller.per_mib=5 ms",
                                           "workload.outstanding=128", "cluster.nodes=12",
                                           "cluster.node.controller.io=150.5 us", NULL};
    g_autofree char *out = edited(settings, 0);
    assert_string_equal(out,
                        "# Größe und Ort\n"
                        "version: 1\n"
                        "cluster:\n"
                        "  nodes: 12      # hosts\n"
                        "  node: {controller: {slots: 8, io: \"150.5 us\", per_mib: 5 ms}}\n"
                        "data: {logical: 1 TB, protection: {scheme: raid5, degraded: 130 us}}\n"
                        "workload:\n"
                        "  - {kind: closed, vms: 4, outstanding: 128, block: 4 KiB}\n");
}

static void the_last_of_several_counts(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {"cluster.nodes=6", "workload[0].vms=7",
                                           "cluster.nodes=12", "workload.vms=9", NULL};
    g_autofree char *out = edited(settings, 0);
    assert_non_null(strstr(out, "  nodes: 12      # hosts\n"));
    assert_non_null(strstr(out, "vms: 9, outstanding: 64"));
}

/* What a value looks like must not change the text around it. */
static void values_are_quoted_where_they_need_it(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {"workload.kind=a, b: {it's} # c", NULL};
    g_autofree char *out = edited(settings, 0);
    assert_non_null(strstr(out, "{kind: 'a, b: {it''s} # c', vms: 4,"));
}

/* YAML knows more ends of a line than one. */
static void lines_may_end_in_any_way(void **state G_GNUC_UNUSED)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", "\u2028"};
    static const char *const settings[] = {"data.logical=2 TB", NULL};
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autofree char *before = g_strjoinv(ends[i], lines);
        g_autoptr(GPtrArray) rest = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *out =
            aft_loader_edit_text("my.yaml", before, strlen(before), settings, rest, NULL);
        g_auto(GStrv) parts = g_strsplit(before, "logical: 1 TB", 2);
        g_autofree char *after = g_strjoinv("logical: 2 TB", parts);
        assert_non_null(out);
        assert_string_equal(out, after);
    }
}

static void what_does_not_stand_there_is_told(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {"cluster.node.nic=25 Gbit/s", "data.protection=rf2",
                                           "cluster.node=3", NULL};
    g_autofree char *out = edited(settings, 3);
    assert_string_equal(out, text);
}

/* Edits "io" and "latency" in the text that @form makes of them. */
static void expect_form(const char *form, const char *expected)
{
    static const char *const settings[] = {"cluster.node.controller.io=150 us",
                                           "cluster.node.controller.latency=2 ms", NULL};
    g_autofree char *out = edited_text(form, settings, 0);
    assert_string_equal(out, expected);
}

static void values_are_found_however_they_are_written(void **state G_GNUC_UNUSED)
{
    expect_form(
        "\xef\xbb\xbf# \xc3\xa9\ncluster: {node: {controller: {io: 1 us, latency: 1 ms}}}\n",
        "\xef\xbb\xbf# \xc3\xa9\ncluster: {node: {controller: {io: 150 us, latency: 2 ms}}}\n");
    expect_form("cluster:\r  node:\r    controller:\r      io: 1 us\r      latency: 1 ms\r",
                "cluster:\r  node:\r    controller:\r      io: 150 us\r      latency: 2 ms\r");
    expect_form(
        "name: a\xe2\x80\xa8\ncluster: {node: {controller: {io: 1 us, latency: 1 ms}}}\n",
        "name: a\xe2\x80\xa8\ncluster: {node: {controller: {io: 150 us, latency: 2 ms}}}\n");
    expect_form("cluster:\n  node:\n    controller:\n      io: >-\n        1\n        us\n\n"
                "      latency: |\n        1 ms\n# end\n",
                "cluster:\n  node:\n    controller:\n      io: 150 us\n\n"
                "      latency: 2 ms\n# end\n");
    expect_form("{\"cluster\":{\"node\":{\"controller\":{\"io\":\"1 us\",\"latency\":'1 ms'}}}}",
                "{\"cluster\":{\"node\":{\"controller\":{\"io\":\"150 us\",\"latency\":'2 ms'}}}}");
}

static void of_two_values_for_a_key_the_last_is_written(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {"workload.outstanding=128", "workload[0].outstanding=32",
                                           NULL};
    g_autofree char *out = edited(settings, 0);
    g_autofree char *end = g_strdup(strstr(out, "  - {kind"));
    assert_string_equal(end, "  - {kind: closed, vms: 4, outstanding: 32, block: 4 KiB}\n");
}

static void nothing_to_set_leaves_all(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {NULL};
    g_autofree char *out = edited(settings, 0);
    assert_string_equal(out, text);
}

static void what_cannot_be_read_is_not_edited(void **state G_GNUC_UNUSED)
{
    static const char *const settings[] = {"cluster.nodes=3", NULL};
    static const char *const broken = "version: 1\ncluster: {nodes: 5\n";
    g_autoptr(GPtrArray) rest = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    assert_null(aft_loader_edit_text("my.yaml", broken, strlen(broken), settings, rest, &error));
    assert_error(error, AFT_ERROR_SYNTAX, "my.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_change_and_nothing_else_does),
        cmocka_unit_test(the_last_of_several_counts),
        cmocka_unit_test(values_are_quoted_where_they_need_it),
        cmocka_unit_test(lines_may_end_in_any_way),
        cmocka_unit_test(what_does_not_stand_there_is_told),
        cmocka_unit_test(values_are_found_however_they_are_written),
        cmocka_unit_test(of_two_values_for_a_key_the_last_is_written),
        cmocka_unit_test(nothing_to_set_leaves_all),
        cmocka_unit_test(what_cannot_be_read_is_not_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
