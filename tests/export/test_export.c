/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/export/export.h>

#include <glib/gstdio.h>
#include <test.h>

#define BASE "{scenario=\"a \\\"b\\\" \\\\ c\\nd\",label=\"one\""

static void add_interval(AftResult *result, double time_s, AftPhase phase, double iops)
{
    AftTraceRow row;
    aft_trace_row_init(&row, phase);
    row.time_s = time_s;
    row.read_iops = iops;
    row.read_mean_ms = iops > 0.0 ? 1.25 : (double)NAN;
    row.read_mb_per_s = iops * 4096.0 / 1e6;
    row.write_iops = row.write_mb_per_s = 0.0;
    row.owed_ios = 2.0 * time_s;
    g_array_append_val(result->trace, row);
}

static void add_phase(AftResult *result, AftPhase phase, double start_s, double duration_s,
                      const char *requirement)
{
    AftPhaseRow row;
    aft_phase_row_init(&row, phase);
    row.start_s = start_s;
    row.duration_s = duration_s;
    g_free(row.requirement);
    row.requirement = g_strdup(requirement);
    g_array_append_val(result->phases, row);
}

static void add_event(AftResult *result, double time_s, const char *event, const char *subject)
{
    AftEventRow row = {time_s, g_strdup(event), g_strdup(subject), g_strdup("")};
    g_array_append_val(result->timeline, row);
}

/* Two intervals of 10 s, of which the second is half as long and in which nothing is read. */
static AftResult *example(void)
{
    AftResult *result = aft_result_new();
    result->scenario = g_strdup("a \"b\" \\ c\nd");
    result->label = g_strdup("one");
    result->required_iops = 100.0;
    add_interval(result, 0.0, AFT_PHASE_STEADY, 100.0);
    add_interval(result, 10.0, AFT_PHASE_FAILED, 0.0);
    add_phase(result, AFT_PHASE_STEADY, 0.0, 9.5, "met");
    add_phase(result, AFT_PHASE_FAILED, 9.5, 5.5, "iops");
    add_event(result, 9.5, "fail", "node 1");
    add_event(result, 12.0, "detect", "node 1");
    add_event(result, 14.0, "fail", "node 2");
    add_event(result, 14.5, "fail", "node 1");
    return result;
}

/* Returns: (transfer full): the text of the kind @name. */
static char *put(const char *name, const AftResult *result, gint64 start_ms)
{
    char *text = NULL;
    size_t length;
    g_autoptr(GError) error = NULL;
    FILE *stream = open_memstream(&text, &length);
    AftExport export = {.result = result, .start_ms = start_ms};
    const AftExportKind *kind = aft_export_find(name);
    assert_true(aft_export_check(kind, &export, &error));
    assert_true(aft_export_put(kind, &export, stream, &error));
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        print_error("\"%s\" is not in:\n%s\n", part, text);
        fail();
    }
}

static void series_have_stamps_of_what_they_tell(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *text = put("openmetrics", result, 1000250);
    assert_has(text, "# TYPE aftershock_client_ios_per_second gauge\n"
                     "# UNIT aftershock_client_ios_per_second ios_per_second\n"
                     "# HELP aftershock_client_ios_per_second Client I/Os completed.\n"
                     "aftershock_client_ios_per_second" BASE ",op=\"read\"} 100 1000.25\n"
                     "aftershock_client_ios_per_second" BASE ",op=\"read\"} 0 1010.25\n"
                     "aftershock_client_ios_per_second" BASE ",op=\"write\"} 0 1000.25\n");
    assert_has(text, "aftershock_client_bytes_per_second" BASE ",op=\"read\"} 409600 1000.25\n");
    /* owed work is that of the end of an interval */
    assert_has(text, "aftershock_owed_ios" BASE "} 0 1010.25\n"
                     "aftershock_owed_ios" BASE "} 20 1015.25\n");
    assert_true(g_str_has_suffix(text, "\n# EOF\n"));
}

static void empty_cells_are_no_samples(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *text = put("openmetrics", result, 0);
    assert_has(text, "aftershock_client_latency_mean_seconds" BASE ",op=\"read\"} 0.00125 0\n"
                     "# TYPE aftershock_owed_ios gauge\n");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "aftershock_used_bytes"));
}

static void phases_and_events_are_series_of_their_own(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *text = put("openmetrics", result, 0);
    assert_has(text, "aftershock_phase" BASE ",phase=\"failed\"} 0 0\n"
                     "aftershock_phase" BASE ",phase=\"failed\"} 1 10\n"
                     "aftershock_phase" BASE ",phase=\"steady\"} 1 0\n"
                     "aftershock_phase" BASE ",phase=\"steady\"} 0 10\n");
    assert_has(text, "aftershock_event" BASE ",event=\"detect\",part=\"node 1\"} 1 12\n"
                     "aftershock_event" BASE ",event=\"fail\",part=\"node 1\"} 1 9.5\n"
                     "aftershock_event" BASE ",event=\"fail\",part=\"node 1\"} 1 14.5\n"
                     "aftershock_event" BASE ",event=\"fail\",part=\"node 2\"} 1 14\n");
    assert_has(text, "aftershock_phase_met" BASE
                     ",phase=\"steady\",occurrence=\"1\",figure=\"iops\"} 1 9.5\n"
                     "aftershock_phase_met" BASE
                     ",phase=\"failed\",occurrence=\"1\",figure=\"iops\"} 0 15\n");
}

static char *saved(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

/* Returns: (transfer full): a new folder. */
static char *new_folder(void)
{
    char *folder = g_dir_make_tmp("export-XXXXXX", NULL);
    assert_non_null(folder);
    return folder;
}

static void save(const char *name, const AftResult *result, const char *folder)
{
    g_autoptr(GError) error = NULL;
    AftExport export = {.result = result};
    assert_true(aft_export_save(aft_export_find(name), &export, folder, &error));
}

/* Returns: how many files were in @folder, which is gone then. */
static guint empty(const char *folder)
{
    guint n = 0;
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        n++;
        g_remove(path);
    }
    g_dir_close(dir);
    assert_int_equal(g_rmdir(folder), 0);
    return n;
}

static void fio_logs_have_windows_at_their_end(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *folder = new_folder();
    save("fio-logs", result, folder);
    g_autofree char *latency = saved(folder, "one_lat.1.log");
    g_autofree char *bandwidth = saved(folder, "one_bw.1.log");
    g_autofree char *operations = saved(folder, "one_iops.1.log");
    assert_string_equal(latency, "10000, 1250000, 0, 4096, 0\n");
    assert_string_equal(bandwidth, "10000, 400, 0, 4096, 0\n10000, 0, 1, 0, 0\n"
                                   "15000, 0, 0, 0, 0\n15000, 0, 1, 0, 0\n");
    assert_string_equal(operations, "10000, 100, 0, 4096, 0\n10000, 0, 1, 0, 0\n"
                                    "15000, 0, 0, 0, 0\n15000, 0, 1, 0, 0\n");
    assert_int_equal(empty(folder), 5);
}

static void labels_are_no_paths(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *folder = new_folder();
    g_free(result->label);
    result->label = g_strdup("-../'; system \"x\" \303\244");
    save("fio-logs", result, folder);
    g_autofree char *latency = saved(folder, "_..____system__x_____lat.1.log");
    assert_has(latency, "10000, 1250000, 0");
    assert_int_equal(empty(folder), 5);
}

/* A string of a script with letters, blanks and numbers of characters only. */
#define INERT "\"([A-Za-z ]|\\\\[0-9]{3}(?![0-9]))*\""

static void names_are_no_commands_of_gnuplot(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *folder = new_folder();
    g_free(result->scenario);
    result->scenario = g_strdup("RAID-5 `rm`\"; !rm\n'; system('rm') # @x \\");
    add_event(result, 14.9, "x\",2,\"`rm`\n1,2", "$(rm)");
    save("gnuplot", result, folder);
    g_autofree char *script = saved(folder, "timeline.gp");
    g_autofree char *events = saved(folder, "timeline-events.tsv");
    assert_true(g_regex_match_simple("set label 1 " INERT, script, 0, 0));
    assert_has(events, "\n14.9\t");
    assert_true(g_str_has_suffix(events, "\tx',2,'`rm`1,2 $(rm)\n"));
    assert_int_equal(empty(folder), 3);
}

static void a_picture_has_bands_marks_and_what_occurs(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autofree char *folder = new_folder();
    save("gnuplot", result, folder);
    g_autofree char *script = saved(folder, "timeline.gp");
    g_autofree char *events = saved(folder, "timeline-events.tsv");
    assert_has(script, "set object rectangle from 9.5, graph 0 to 15, graph 1 behind");
    assert_has(script, "set arrow from 9.5, graph 0 to 9.5, graph 1");
    assert_has(script, "set label \"failed\" at 12.25, graph 1");
    assert_has(script, "column(\"read_iops\")");
    assert_null(strstr(script, "column(\"write_iops\")"));
    assert_null(strstr(script, "MB/s"));
    assert_has(events, "time_s\trow\ttext\n9.5\t0\tfail node 1\n12\t0\tdetect node 1\n");
    assert_int_equal(empty(folder), 3);
}

static guint count(const char *text, const char *part)
{
    guint n = 0;
    for (const char *c = text; (c = strstr(c, part)) != NULL; c++) {
        n++;
    }
    return n;
}

static void a_picture_of_a_long_history_has_a_part_of_it(void **state G_GNUC_UNUSED)
{
    enum { MANY = 2500, DRAWN = 2000 };
    g_autoptr(AftResult) result = example();
    g_autofree char *folder = new_folder();
    for (guint i = result->timeline->len; i < MANY; i++) {
        add_event(result, 20.0 + i, "fail", "node 3");
    }
    for (guint i = result->phases->len; i < MANY; i++) {
        add_phase(result, AFT_PHASE_STEADY, 20.0 + i, 1.0, "");
    }
    save("gnuplot", result, folder);
    g_autofree char *script = saved(folder, "timeline.gp");
    assert_has(script, "# Of 2500 events, the first 2000 are marked.\n");
    assert_has(script, "# Of 2500 phases, the first 2000 have bands.\n");
    assert_int_equal(count(script, "set arrow from"), 2 * DRAWN); /* it draws SVG and PNG */
    assert_int_equal(count(script, "set object rectangle from"), 2 * DRAWN);
    assert_int_equal(empty(folder), 3);
}

static void a_beginning_is_a_date_or_seconds(void **state G_GNUC_UNUSED)
{
    gint64 ms = 0;
    assert_true(aft_export_parse_start(AFT_EXPORT_START_TEXT, &ms, NULL));
    assert_int_equal(ms, AFT_EXPORT_START_MS);
    assert_true(aft_export_parse_start("2024-01-01T01:00:00.5+01:00", &ms, NULL));
    assert_int_equal(ms, AFT_EXPORT_START_MS + 500);
    assert_true(aft_export_parse_start("12.25", &ms, NULL));
    assert_int_equal(ms, 12250);
    assert_true(aft_export_parse_start("0", &ms, NULL));
    assert_int_equal(ms, 0);
}

static void other_beginnings_are_refused(void **state G_GNUC_UNUSED)
{
    const char *const wrong[] = {"",
                                 "now",
                                 "0x10",
                                 "1e3",
                                 "-1",
                                 "nan",
                                 "inf",
                                 ".",
                                 "1.2.3",
                                 " 1",
                                 "1 ",
                                 "2024-01-01",
                                 "2024-01-01T00:00:00",
                                 "2024-13-01T00:00:00Z"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        gint64 ms = 7;
        assert_false(aft_export_parse_start(wrong[i], &ms, &error));
        assert_error(error, AFT_ERROR_SYNTAX, "expected a time, like 2024");
        assert_int_equal(ms, 7);
    }
    const char *const beyond[] = {"253402300800", "1969-12-31T23:59:59Z", "99999999999999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(beyond); i++) {
        g_autoptr(GError) error = NULL;
        gint64 ms;
        assert_false(aft_export_parse_start(beyond[i], &ms, &error));
        assert_error(error, AFT_ERROR_RANGE, "1970 to 9999");
    }
}

static void refuse(const AftResult *result, const char *kind, const char *part)
{
    g_autoptr(GError) error = NULL;
    AftExport export = {.result = result};
    assert_false(aft_export_check(aft_export_find(kind), &export, &error));
    assert_error(error, AFT_ERROR_RANGE, part);
}

static void times_must_make_sense(void **state G_GNUC_UNUSED)
{
    const double wrong[] = {(double)NAN, -1.0, 9.0, 1e300};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(AftResult) result = example();
        add_interval(result, wrong[i], AFT_PHASE_STEADY, 1.0);
        refuse(result, "openmetrics", "trace.csv: time_s of row 3");
    }
    g_autoptr(AftResult) result = example();
    add_event(result, (double)INFINITY, "fail", "");
    refuse(result, "gnuplot", "events.csv: time_s of row 5");
    add_phase(result, AFT_PHASE_STEADY, 1.0, 1e12, "");
    refuse(result, "gnuplot", "phases.csv: duration_s of row 3");
}

static void a_trace_without_rows_shows_nothing(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = aft_result_new();
    refuse(result, "gnuplot", "nothing for gnuplot to show");
    refuse(result, "fio-logs", "nothing for fio-logs to show");
    g_autofree char *text = put("openmetrics", result, 0);
    assert_has(text, "aftershock_missed_seconds{scenario=\"\",label=\"\"} 0 0\n");
}

static void files_are_whole_or_as_they_were(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = new_folder();
    g_autofree char *script = g_build_filename(folder, "timeline.gp", NULL);
    g_autofree char *in_the_way = g_build_filename(folder, "timeline-events.tsv", NULL);
    assert_true(g_file_set_contents(script, "old", -1, NULL));
    assert_int_equal(g_mkdir(in_the_way, 0777), 0);
    AftExport export = {.result = result};
    assert_false(aft_export_save(aft_export_find("gnuplot"), &export, folder, &error));
    assert_error(error, AFT_ERROR_FILE, "timeline-events.tsv: is a directory, not a file");
    g_autofree char *kept = saved(folder, "timeline.gp");
    assert_string_equal(kept, "old");
    assert_int_equal(empty(folder), 2);
}

/* More than a piece of what goes into a stream at once. */
static void long_traces_come_out_whole(void **state G_GNUC_UNUSED)
{
    enum { ROWS = 5000 };
    g_autoptr(AftResult) result = example();
    for (guint i = 2; i < ROWS; i++) {
        add_interval(result, i * 10.0, AFT_PHASE_STEADY, 1.0);
    }
    g_autofree char *text = put("openmetrics", result, 0);
    guint n = count(text, "\naftershock_owed_ios{");
    assert_int_equal(n, ROWS - 1); /* the last ends when the run does, which is where it begins */
}

static void a_full_disk_is_told(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = example();
    g_autoptr(GError) error = NULL;
    FILE *full = g_fopen("/dev/full", "w");
    AftExport export = {.result = result};
    assert_non_null(full);
    assert_false(aft_export_put(aft_export_find("openmetrics"), &export, full, &error));
    assert_error(error, AFT_ERROR_FILE, "No space left");
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_have_stamps_of_what_they_tell),
        cmocka_unit_test(empty_cells_are_no_samples),
        cmocka_unit_test(phases_and_events_are_series_of_their_own),
        cmocka_unit_test(fio_logs_have_windows_at_their_end),
        cmocka_unit_test(labels_are_no_paths),
        cmocka_unit_test(names_are_no_commands_of_gnuplot),
        cmocka_unit_test(a_picture_has_bands_marks_and_what_occurs),
        cmocka_unit_test(a_picture_of_a_long_history_has_a_part_of_it),
        cmocka_unit_test(a_beginning_is_a_date_or_seconds),
        cmocka_unit_test(other_beginnings_are_refused),
        cmocka_unit_test(times_must_make_sense),
        cmocka_unit_test(a_trace_without_rows_shows_nothing),
        cmocka_unit_test(files_are_whole_or_as_they_were),
        cmocka_unit_test(long_traces_come_out_whole),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
