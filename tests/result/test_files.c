/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/columns.h>
#include <aftershock/result/csv.h>
#include <aftershock/result/files.h>
#include <aftershock/result/summary.h>

#include <glib/gstdio.h>
#include <string.h>
#include <test.h>
#include <unistd.h>

static const char *const file_names[] = {"phases.csv", "trace.csv", "events.csv", "latency.csv",
                                         "summary.json"};

/* A row whose doubles are all different, and none of them round. */
static void fill(const AftTable *table, gpointer row, guint salt)
{
    for (guint i = 0; i < table->n_columns; i++) {
        AftCell kind = table->columns[i].kind;
        if (kind == AFT_CELL_SECONDS || kind == AFT_CELL_WHOLE || kind == AFT_CELL_MEASURE) {
            double *member = (double *)(gpointer)((char *)row + table->columns[i].offset);
            *member = pow(1.7, (double)i) / (double)(salt + 7);
        }
    }
}

static void add_rows(AftResult *result, guint salt)
{
    AftPhaseRow phase;
    aft_phase_row_init(&phase, AFT_PHASE_REBUILD);
    fill(aft_phase_table(), &phase, salt);
    phase.write_mean_ms = (double)NAN;
    g_free(phase.flags);
    phase.flags = g_strdup("stall+no_target");
    g_array_append_val(result->phases, phase);
    AftTraceRow trace;
    aft_trace_row_init(&trace, AFT_PHASE_STEADY);
    fill(aft_trace_table(), &trace, salt);
    g_array_append_val(result->trace, trace);
    AftLatencyRow latency = {AFT_PHASE_REBUILD, phase.start_s, salt % 2 != 0, 1.0 / 3.0, 7.25, 1.0};
    g_array_append_val(result->latency, latency);
    AftEventRow event = {30.000000001, g_strdup("fail"), g_strdup("node 2"), g_strdup("a, \"b\"")};
    g_array_append_val(result->timeline, event);
}

static AftResult *example(guint salt)
{
    AftResult *result = aft_result_new();
    result->scenario = g_strdup("a \"quoted\" name, \303\244\n");
    result->label = g_strdup("wwt-raid5");
    result->scenario_sha256 = g_strdup("00ff");
    result->seed = G_GUINT64_CONSTANT(1) << 53;
    result->version = g_strdup("0.1.0");
    result->fidelity = g_strdup("sampled");
    result->requirement = g_strdup("iops+write");
    result->interrupted = TRUE;
    result->confidence = 0.95;
    result->precision = 0.02;
    result->simulated_ios = 123456789012345;
    result->simulated_s = 12.25;
    result->required_iops = 107676.0;
    result->missed_s = 1234.5;
    result->space = (AftSpace){6.6e12, 8.8e12, 8.8e12, 4.4e12, 153.6e12};
    result->loss = (AftLoss){12.0, 3e9, 1830.0};
    result->undone[AFT_UNDONE_SKIPPED] = 3;
    result->shed_lost_ios = 17;
    add_rows(result, salt);
    add_rows(result, salt + 1);
    return result;
}

static char *slurp(const char *directory, const char *name)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

static void scribble(const char *directory, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static guint entries(const char *path)
{
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    guint n = 0;
    while (g_dir_read_name(directory) != NULL) {
        n++;
    }
    return n;
}

static int make_directory(void **state)
{
    *state = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    return *state == NULL;
}

static void remove_tree(const char *path)
{
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    const char *name;
    while (directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        remove_tree(child);
    }
    g_remove(path);
}

static int remove_directory(void **state)
{
    remove_tree(*state);
    g_free(*state);
    return 0;
}

static void what_is_read_back_writes_the_same_bytes(void **state)
{
    g_autofree char *first = g_build_filename(*state, "made", "on the way", NULL);
    g_autofree char *second = g_build_filename(*state, "second", NULL);
    g_autoptr(AftResult) written = example(0);
    assert_true(aft_result_write(written, first, NULL));
    g_autoptr(GError) error = NULL;
    g_autoptr(AftResult) read = aft_result_read(first, &error);
    assert_null(error);
    assert_true(aft_result_write(read, second, NULL));
    assert_int_equal(entries(first), 5);
    for (guint i = 0; i < G_N_ELEMENTS(file_names); i++) {
        g_autofree char *a = slurp(first, file_names[i]), *b = slurp(second, file_names[i]);
        assert_string_equal(a, b);
    }
}

/* Longer than what is written at a time. */
static void a_long_trace_is_written_piece_by_piece(void **state)
{
    g_autoptr(AftResult) result = example(0);
    for (guint i = 1; i < 5000; i++) {
        AftTraceRow row = g_array_index(result->trace, AftTraceRow, 0);
        row.time_s = i * 10.0;
        g_array_append_val(result->trace, row);
    }
    assert_true(aft_result_write(result, *state, NULL));
    g_autofree char *written = slurp(*state, "trace.csv");
    g_autofree char *expected = aft_csv_format(aft_trace_table(), result->trace);
    assert_true(strlen(expected) > 512 * 1024);
    assert_string_equal(written, expected);
}

static void values_come_back(void **state)
{
    g_autoptr(AftResult) written = example(0);
    assert_true(aft_result_write(written, *state, NULL));
    g_autoptr(AftResult) read = aft_result_read(*state, NULL);
    assert_non_null(read);
    assert_string_equal(read->scenario, written->scenario);
    assert_true(read->seed == G_GUINT64_CONSTANT(1) << 53);
    assert_true(read->simulated_ios == 123456789012345);
    assert_true(read->interrupted);
    assert_within(read->space.raw_bytes, 153.6e12, 0.0);
    assert_within(read->space.saved_bytes, 4.4e12, 0.0);
    assert_within(read->loss.first_s, 1830.0, 0.0);
    assert_int_equal(read->undone[AFT_UNDONE_SKIPPED], 3);
    assert_int_equal(read->shed_lost_ios, 17);
    assert_int_equal(read->phases->len, 2);
    const AftPhaseRow *row = &g_array_index(read->phases, AftPhaseRow, 1);
    const AftPhaseRow *was = &g_array_index(written->phases, AftPhaseRow, 1);
    assert_int_equal(row->phase, AFT_PHASE_REBUILD);
    assert_within(row->iops / was->iops, 1.0, 5e-9); /* nine digits */
    assert_within(row->duration_s, was->duration_s, 5e-10);
    assert_within(row->rebuild_bytes, was->rebuild_bytes, 0.5);
    assert_true(isnan(row->write_mean_ms));
    assert_string_equal(row->flags, "stall+no_target");
    assert_int_equal(g_array_index(read->trace, AftTraceRow, 0).phase, AFT_PHASE_STEADY);
    assert_string_equal(g_array_index(read->timeline, AftEventRow, 0).detail, "a, \"b\"");
    assert_int_equal(read->latency->len, 2);
    assert_false(g_array_index(read->latency, AftLatencyRow, 0).write);
    assert_true(g_array_index(read->latency, AftLatencyRow, 1).write);
    assert_within(g_array_index(read->latency, AftLatencyRow, 0).count, 7.25, 0.0);
}

static void results_from_before_there_were_latencies_are_read(void **state)
{
    g_autoptr(AftResult) written = example(0);
    assert_true(aft_result_write(written, *state, NULL));
    g_autofree char *path = g_build_filename(*state, "latency.csv", NULL);
    assert_int_equal(g_remove(path), 0);
    g_autoptr(AftResult) read = aft_result_read(*state, NULL);
    assert_non_null(read);
    assert_int_equal(read->phases->len, 2);
    assert_int_equal(read->latency->len, 0);
}

static void a_broken_row_of_latencies_is_told(void **state)
{
    g_autoptr(AftResult) written = example(0);
    g_autoptr(GError) error = NULL;
    assert_true(aft_result_write(written, *state, NULL));
    scribble(*state, "latency.csv",
             "phase,start_s,class,upper_ms,count,share\nsteady,0,trim,1,1,1\n");
    assert_null(aft_result_read(*state, &error));
    assert_error(error, AFT_ERROR_SYNTAX, "latency.csv:2: class: expected read or write");
}

static void no_data_loss_is_null_in_the_summary(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    g_autofree char *json = aft_summary_format(result);
    assert_non_null(strstr(json, "\"first_s\": null"));
    assert_non_null(strstr(json, "\"phases\": []"));
    g_autoptr(AftResult) read = aft_result_new();
    read->loss.first_s = 5.0;
    assert_true(aft_summary_parse(read, json, "summary.json", NULL));
    assert_true(isnan(read->loss.first_s));
}

static void a_new_set_replaces_the_old_and_spares_the_rest(void **state)
{
    g_autoptr(AftResult) old = example(0), new = example(5);
    scribble(*state, "notes.txt", "mine");
    assert_true(aft_result_write(old, *state, NULL));
    g_autofree char *before = slurp(*state, "trace.csv");
    assert_true(aft_result_write(new, *state, NULL));
    g_autofree char *after = slurp(*state, "trace.csv"), *notes = slurp(*state, "notes.txt");
    assert_string_not_equal(before, after);
    assert_string_equal(notes, "mine");
    assert_int_equal(entries(*state), 6);
}

static void a_file_in_the_way_is_named_and_left_alone(void **state)
{
    scribble(*state, "file", "mine");
    g_autofree char *file = g_build_filename(*state, "file", NULL);
    g_autofree char *below = g_build_filename(file, "deeper", NULL);
    g_autoptr(AftResult) result = example(0);
    g_autoptr(GError) error = NULL;
    assert_false(aft_result_write(result, file, &error));
    assert_error(error, AFT_ERROR_FILE, "is a file");
    g_clear_error(&error);
    assert_false(aft_result_writable(below, &error));
    assert_error(error, AFT_ERROR_FILE, "file is a file");
    g_autofree char *text = slurp(*state, "file");
    assert_string_equal(text, "mine");
}

static void what_leads_to_no_directory_is_told_beforehand(void **state)
{
    g_autofree char *link = g_build_filename(*state, "link", NULL);
    g_autofree char *below = g_build_filename(link, "deeper", NULL);
    g_autoptr(GError) error = NULL;
    assert_int_equal(symlink("nowhere", link), 0);
    assert_false(aft_result_writable(link, &error));
    assert_error(error, AFT_ERROR_FILE, "link is a link that leads nowhere");
    g_clear_error(&error);
    assert_false(aft_result_writable(below, &error));
    assert_error(error, AFT_ERROR_FILE, "link is a link that leads nowhere");
    g_clear_error(&error);
    assert_false(aft_result_writable("", &error));
    assert_error(error, AFT_ERROR_FILE, "a directory with a name");
}

static void a_set_that_cannot_be_whole_is_not_begun(void **state)
{
    g_autofree char *directory = g_build_filename(*state, "events.csv", NULL);
    g_autoptr(AftResult) result = example(0);
    g_autoptr(GError) error = NULL;
    assert_int_equal(g_mkdir(directory, 0777), 0);
    assert_false(aft_result_writable(*state, &error));
    assert_error(error, AFT_ERROR_FILE, "events.csv: is a directory");
    g_clear_error(&error);
    assert_false(aft_result_write(result, *state, &error));
    assert_error(error, AFT_ERROR_FILE, "events.csv: is a directory");
    assert_int_equal(entries(*state), 1);
}

static void a_missing_file_is_named(void **state)
{
    g_autoptr(GError) error = NULL;
    assert_null(aft_result_read(*state, &error));
    assert_error(error, AFT_ERROR_FILE, "summary.json");
}

static void a_broken_cell_is_told_with_file_and_line(void **state)
{
    g_autoptr(AftResult) result = example(0);
    g_autoptr(GError) error = NULL;
    assert_true(aft_result_write(result, *state, NULL));
    scribble(*state, "events.csv", "time_s,event,subject,detail\n1,a,b,c\nsoon,a,b,c\n");
    assert_null(aft_result_read(*state, &error));
    assert_error(error, AFT_ERROR_SYNTAX, "events.csv:3: time_s: expected a number, got \"soon\"");
}

static void a_summary_from_before_undone_was_told_is_read(void **state)
{
    (void)state;
    g_autoptr(AftResult) whole = example(0);
    g_autofree char *json = aft_summary_format(whole);
    g_auto(GStrv) halves = g_strsplit(json, "\"undone\"", 2);
    g_autofree char *text = g_strconcat(halves[0], "\"unknown\"", halves[1], NULL);
    g_autoptr(AftResult) read = aft_result_new();
    g_autoptr(GError) error = NULL;
    assert_true(aft_summary_parse(read, text, "s.json", &error));
    assert_null(error);
    assert_int_equal(read->undone[AFT_UNDONE_SKIPPED], 0);
}

static void events_tell_what_was_not_done(void **state)
{
    (void)state;
    assert_int_equal(aft_event_undone("maintenance-refused"), AFT_UNDONE_REFUSED);
    assert_int_equal(aft_event_undone("upgrade-skipped"), AFT_UNDONE_SKIPPED);
    assert_int_equal(aft_event_undone("upgrade-unfinished"), AFT_UNDONE_UNFINISHED);
    assert_int_equal(aft_event_undone("rebuild-end"), AFT_UNDONE_KINDS);
    assert_int_equal(aft_event_undone("refused"), AFT_UNDONE_KINDS);
}

static void a_broken_summary_is_refused(void **state)
{
    (void)state;
    g_autoptr(AftResult) whole = example(0);
    g_autofree char *json = aft_summary_format(whole);
    static const char *const broken[][3] = {
        {"{", "s.json:1:", NULL},
        {"[]", "s.json: expected an object", NULL},
        {"\"loss\": {", "s.json: loss: expected an object", "\"lost\": {"},
        {"\"first_s\": 1830", "s.json: loss.first_s: expected a number", "\"first_s\": \"soon\""},
        {"\"seed\": 9007199254740992", "seed: expected a whole number", "\"seed\": -1"},
        {"\"seed\": ", "seed: expected a value, got none", "\"seeds\": "},
    };
    for (guint i = 0; i < G_N_ELEMENTS(broken); i++) {
        g_auto(GStrv) halves = g_strsplit(json, broken[i][0], 2);
        g_autofree char *text = broken[i][2] != NULL
                                    ? g_strconcat(halves[0], broken[i][2], halves[1], NULL)
                                    : g_strdup(broken[i][0]);
        g_autoptr(AftResult) read = aft_result_new();
        g_autoptr(GError) error = NULL;
        assert_false(aft_summary_parse(read, text, "s.json", &error));
        assert_error(error, AFT_ERROR_SYNTAX, broken[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_read_back_writes_the_same_bytes, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(a_long_trace_is_written_piece_by_piece, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(values_come_back, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(results_from_before_there_were_latencies_are_read,
                                        make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(a_broken_row_of_latencies_is_told, make_directory,
                                        remove_directory),
        cmocka_unit_test(no_data_loss_is_null_in_the_summary),
        cmocka_unit_test(a_summary_from_before_undone_was_told_is_read),
        cmocka_unit_test(events_tell_what_was_not_done),
        cmocka_unit_test_setup_teardown(a_new_set_replaces_the_old_and_spares_the_rest,
                                        make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(a_file_in_the_way_is_named_and_left_alone, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(what_leads_to_no_directory_is_told_beforehand,
                                        make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(a_set_that_cannot_be_whole_is_not_begun, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(a_missing_file_is_named, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(a_broken_cell_is_told_with_file_and_line, make_directory,
                                        remove_directory),
        cmocka_unit_test(a_broken_summary_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
