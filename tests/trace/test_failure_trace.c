/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/base/error.h>
#include <aftershock/trace/failure_trace.h>

#include <glib/gstdio.h>
#include <string.h>

#define SECOND_NS 1000000000LL

static void rows_are_failures_and_returns(void **state G_GNUC_UNUSED)
{
    static const struct {
        gint64 time_s;
        gboolean restore;
        AftPart part;
    } expected[] = {
        {60, FALSE, {AFT_PART_NODE, 1, 0, 0}},
        {90, TRUE, {AFT_PART_NODE, 1, 0, 0}},
        {120, FALSE, {AFT_PART_DEVICE, 0, 0, 1}},
        {600, TRUE, {AFT_PART_DEVICE, 0, 0, 1}},
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(AftFailureTrace) trace = aft_failure_trace_open(TRACES "/failures.csv", &error);
    AftFailureRow row;
    assert_non_null(trace);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_true(aft_failure_trace_next(trace, &row, &error));
        assert_true(row.time_ns == expected[i].time_s * SECOND_NS);
        assert_int_equal(row.restore, expected[i].restore);
        assert_memory_equal(&row.part, &expected[i].part, sizeof row.part);
    }
    assert_false(aft_failure_trace_next(trace, &row, &error));
    assert_null(error);
}

/* What opening and reading all of @text says: "ok" or the message behind the path. */
static char *read_all(const char *text)
{
    g_autofree char *folder = g_dir_make_tmp("aftershock-trace-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "failures.csv", NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    g_autoptr(GError) error = NULL;
    g_autoptr(AftFailureTrace) trace = aft_failure_trace_open(path, &error);
    AftFailureRow row;
    while (trace != NULL && aft_failure_trace_next(trace, &row, &error)) {
    }
    g_unlink(path);
    g_rmdir(folder);
    if (error == NULL) {
        return g_strdup("ok");
    }
    assert_true(g_error_matches(error, AFT_ERROR, AFT_ERROR_SYNTAX));
    assert_true(g_str_has_prefix(error->message, path));
    return g_strdup(error->message + strlen(path));
}

#define TITLES "time_s,event,subject\n"

static void what_is_wrong_is_said_with_its_line(void **state G_GNUC_UNUSED)
{
    static const char *const cases[][2] = {
        {TITLES, "ok"},
        {"subject,\"time_s\",x,event\r\nnode 3,1.5,,fail\r\n", "ok"},
        {TITLES "1,detect,anything\n", "ok"},
        {"time,event,subject\n", ":1: expected a line of titles with time_s, event and subject, "
                                 "found no time_s"},
        {TITLES "1,fail\n", ":2: has no subject"},
        {TITLES "soon,fail,node 1\n",
         ":2: time_s: expected seconds from 0 to a century, got \"soon\""},
        {TITLES "nan,fail,node 1\n",
         ":2: time_s: expected seconds from 0 to a century, got \"nan\""},
        {TITLES "-1,fail,node 1\n", ":2: time_s: expected seconds from 0 to a century, got \"-1\""},
        {TITLES "2,fail,node 1\n1,restore,node 1\n",
         ":3: time_s: 1 is earlier than the row above, sort the file by time"},
        {TITLES "1,fail,link 1\n",
         ":2: subject: expected node 2, controller 2, device 2.0.1, cache 2.0, group 2.0 or rack "
         "2, got \"link 1\""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *said = read_all(cases[i][0]);
        assert_string_equal(said, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_failures_and_returns),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
    };
    return cmocka_run_group_tests_name("failure_trace", tests, NULL, NULL);
}
