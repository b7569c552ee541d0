/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

#define HEAD "{\"fio version\": \"fio-3.33\", \"jobs\": ["
#define JOB(name, group, iops, mean)                                                 \
    "{\"jobname\": \"" name "\", \"groupid\": " #group ", \"error\": 0, \"read\": {" \
    "\"iops\": " #iops ", \"bw_bytes\": 1000, \"lat_ns\": {\"mean\": " #mean "}, "   \
    "\"clat_ns\": {\"mean\": 1, \"percentile\": {\"99.000000\": 5000000}}}}"

static char *import_text(const char *text, const AftImportOptions *options)
{
    g_autoptr(GError) error = NULL;
    char *out = import_bytes("fio-json", text, -1, options, &error);
    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(out);
    return out;
}

static void figures_come_in_our_units(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_file("fio-json", "fio-jobs.json", &options, NULL);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "mix", "iops"), 4000.0, 1e-6);
    assert_within(cell_of(reference, "mix", "read_iops"), 3000.0, 1e-6);
    assert_within(cell_of(reference, "mix", "write_iops"), 1000.0, 1e-6);
    assert_within(cell_of(reference, "mix", "read_mean"), 410e-6, 1e-12); /* with submission */
    assert_within(cell_of(reference, "mix", "read_p50"), 350e-6, 1e-12);
    assert_within(cell_of(reference, "mix", "read_p95"), 700e-6, 1e-12);
    assert_within(cell_of(reference, "mix", "read_p99"), 930e-6, 1e-12);
    assert_within(cell_of(reference, "mix", "write_p995"), 2500e-6, 1e-12);
    assert_within(cell_of(reference, "mix", "mb_per_s"), 16384000.0, 1e-3);
    assert_string_equal(reference->source, "fio-3.33: fio-jobs.json");
}

/* Of fio 3.33: two jobs, reported as one, with a sync now and then. */
static void a_real_result_is_read(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *remarks = NULL;
    g_autofree char *yaml = import_file("fio-json", "fio-3.33.json", &options, &remarks);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "mix", "read_iops"), 392.29249, 1e-6);
    assert_within(cell_of(reference, "mix", "iops"), 783.596838, 1e-6);
    assert_within(cell_of(reference, "mix", "read_mean"), 1746331.493703e-9, 1e-11);
    assert_within(cell_of(reference, "mix", "write_p95"), 43264e-9, 1e-12);
    assert_within(cell_of(reference, "mix", "read_mb_per_s"), 1606830.0, 1e-3);
    assert_true(isnan(cell_of(reference, "mix", "read_p995")));
    assert_non_null(strstr(remarks, "jobs[0].sync: left out"));
    assert_null(strstr(remarks, "trim"));
}

static void label_and_phase_are_up_to_the_caller(void **state)
{
    (void)state;
    AftImportOptions options = {.label = "rf3", .phase = AFT_PHASE_FAILED};
    g_autofree char *yaml = import_file("fio-json", "fio-jobs.json", &options, NULL);
    g_autoptr(AftReference) reference = reference_of(yaml);
    const AftReferenceCell *cell = g_ptr_array_index(reference->cells, 0);
    assert_string_equal(cell->label, "rf3");
    assert_int_equal(cell->phase, AFT_PHASE_FAILED);
    assert_int_equal(cell->mark, AFT_MARK_STATED);
}

/* 300 of 1 ms and 100 of 3 ms: 1.5 ms. */
static void jobs_of_a_group_add_up(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml =
        import_text(HEAD JOB("a", 0, 300, 1000000) "," JOB("b", 0, 100, 3000000) "]}", &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "a", "iops"), 400.0, 1e-6);
    assert_within(cell_of(reference, "a", "read_mean"), 1.5e-3, 1e-12);
    assert_true(isnan(cell_of(reference, "a", "read_p99")));
    assert_true(isnan(cell_of(reference, "b", "iops")));
    assert_non_null(strstr(yaml, "cannot be put together"));
}

static void groups_stay_apart(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    const char *text = HEAD JOB("a", 0, 300, 1000000) "," JOB("a", 1, 100, 3000000) "]}";
    g_autofree char *yaml = import_text(text, &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "a", "iops"), 300.0, 1e-6);
    assert_within(cell_of(reference, "a-2", "iops"), 100.0, 1e-6);
    assert_within(cell_of(reference, "a-2", "read_p99"), 5e-3, 1e-12);
    options.label = "lab";
    g_autofree char *labelled = import_text(text, &options);
    g_autoptr(AftReference) other = reference_of(labelled);
    assert_within(cell_of(other, "lab-a-2", "iops"), 100.0, 1e-6);
}

/* As many jobs as there may be, of a name: no label is looked for from the start each time. */
static void many_groups_come_to_an_end(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new(HEAD);
    AftImportOptions options = usual();
    for (guint i = 0; i <= 5000; i++) {
        g_string_append_printf(text,
                               "%s{\"jobname\": \"j\", \"groupid\": %u, \"mixed\": "
                               "{\"iops\": 5}}",
                               i > 0 ? "," : "", i % 5000);
    }
    g_string_append(text, "]}");
    g_autofree char *yaml = import_text(text->str, &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_int_equal(reference->cells->len, 5000);
    assert_within(cell_of(reference, "j-5000", "iops"), 5.0, 1e-9);
    assert_within(cell_of(reference, "j", "iops"), 10.0, 1e-9);
}

/* fio 2 has microseconds and KiB. */
static void fio_2_counts_in_microseconds(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_text(
        "{\"fio version\": \"fio-2.16\", \"jobs\": [{\"jobname\": \"j\", \"read\": {\"iops\": 5, "
        "\"bw\": 20, \"clat\": {\"mean\": 250, \"percentile\": {\"99.00\": 900}}, "
        "\"lat\": {\"mean\": 300}}}]}",
        &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "j", "read_mean"), 300e-6, 1e-12);
    assert_within(cell_of(reference, "j", "read_p99"), 900e-6, 1e-12);
    assert_within(cell_of(reference, "j", "mb_per_s"), 20480.0, 1e-6);
}

static void unified_reporting_gives_only_totals(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml =
        import_text(HEAD "{\"jobname\": \"u\", \"mixed\": {\"iops\": 7, \"bw_bytes\": 70, "
                         "\"lat_ns\": {\"mean\": 2000}}}]}",
                    &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_int_equal(reference->cells->len, 3);
    assert_within(cell_of(reference, "u", "iops"), 7.0, 1e-9);
    assert_within(cell_of(reference, "u", "mean"), 2e-6, 1e-15);
}

/* One entry of several machines sums up the others. */
static void clients_are_taken_from_their_sum(void **state)
{
    (void)state;
    AftImportOptions options = {.label = "six", .phase = AFT_PHASE_STEADY};
    g_autofree char *yaml =
        import_text("{\"fio version\": \"fio-3.1\", \"client_stats\": [" JOB("j", 0, 5, 10) "," JOB(
                        "j", 0, 5, 10) "," JOB("All clients", 0, 10, 10) "]}",
                    &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "six", "iops"), 10.0, 1e-9);
}

/* --status-interval writes a document now and then. */
static void last_document_counts(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_text("fio: noise\n" HEAD JOB("j", 0, 5, 10) "]}\n" HEAD JOB(
                                            "j", 0, 8, 10) "]}\nfio: more noise\n",
                                        &options);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "j", "iops"), 8.0, 1e-9);
}

static void csv_has_the_same_cells(void **state)
{
    (void)state;
    AftImportOptions options = {.label = "=1+1, \"x\"", .phase = AFT_PHASE_STEADY, .csv = TRUE};
    g_autofree char *csv = import_text(HEAD JOB("j", 0, 5, 10) "]}", &options);
    assert_true(g_str_has_prefix(csv, "label,phase,metric,value,unit,mark,note\n"
                                      "\"'=1+1, \"\"x\"\"\",steady,iops,5,/s,stated,\n"));
}

static void what_is_no_result_is_refused(void **state)
{
    (void)state;
    assert_refused("fio-json", "", AFT_ERROR_SYNTAX, "found no {");
    assert_refused("fio-json", "{\"a\": 1}", AFT_ERROR_SYNTAX, "is no result of fio");
    assert_refused("fio-json", "[]", AFT_ERROR_SYNTAX, "expected an object");
    assert_refused("fio-json", "{\"fio version\": \"fio-1.58\"}", AFT_ERROR_SYNTAX, "got fio-1.58");
    assert_refused("fio-json", HEAD "]}", AFT_ERROR_SYNTAX, "has no jobs");
    assert_refused("fio-json", HEAD "7]}", AFT_ERROR_SYNTAX, "jobs[0]: expected an object");
    assert_refused("fio-json", HEAD JOB("j", 0, 0, 0) "]}", AFT_ERROR_SYNTAX, "has no figures");
    assert_refused("fio-json", "noise\n" HEAD JOB("j", 0, 5, 10), AFT_ERROR_SYNTAX, "f:2:");
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    (void)state;
    assert_refused("fio-json", HEAD JOB("j", 0, -5, 10) "]}", AFT_ERROR_SYNTAX,
                   "f: jobs[0].read.iops: expected a number of 0 or more");
    assert_refused("fio-json", HEAD JOB("j", 0, 5, -10) "]}", AFT_ERROR_SYNTAX,
                   "jobs[0].read.lat_ns.mean");
    assert_refused("fio-json", HEAD JOB("j", 0, 1e999, 10) "]}", AFT_ERROR_SYNTAX, "iops");
    assert_refused("fio-json", HEAD JOB("j", 0, nan, 10) "]}", AFT_ERROR_SYNTAX, "f:1:");
    assert_refused("fio-json", HEAD JOB("j", 0, 1e300, 10) "]}", AFT_ERROR_RANGE, "iops");
    assert_refused("fio-json", HEAD JOB("j", 0, "5", 10) "]}", AFT_ERROR_SYNTAX, "iops");
    assert_refused("fio-json", HEAD JOB("j", 0, 18446744073709551615, 10) "]}", AFT_ERROR_SYNTAX,
                   "iops");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_in_our_units),
        cmocka_unit_test(a_real_result_is_read),
        cmocka_unit_test(label_and_phase_are_up_to_the_caller),
        cmocka_unit_test(jobs_of_a_group_add_up),
        cmocka_unit_test(groups_stay_apart),
        cmocka_unit_test(many_groups_come_to_an_end),
        cmocka_unit_test(fio_2_counts_in_microseconds),
        cmocka_unit_test(unified_reporting_gives_only_totals),
        cmocka_unit_test(clients_are_taken_from_their_sum),
        cmocka_unit_test(last_document_counts),
        cmocka_unit_test(csv_has_the_same_cells),
        cmocka_unit_test(what_is_no_result_is_refused),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("import/fio_json", tests, NULL, NULL);
}
