/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that mean no good, or were broken on their way. */
#include "import.h"

#include <sys/stat.h>
#include <unistd.h>

#define NASTY "\\\"}\\n- {x: &a *b} # ' \\u0000\\u0085\\u2028\\u202e %s : \\t|>"

static void brackets_are_counted_before_they_are_parsed(void **state)
{
    (void)state;
    g_autofree char *open = g_strnfill(10 * 1000 * 1000, '[');
    open[1] = '{'; /* whichever */
    assert_refused("fio-json", open, AFT_ERROR_LIMIT, "f:1:65: expected brackets at most 64 deep");
}

/* Comments and quotes of one stroke hide brackets from whoever counts them. */
static void what_hides_brackets_is_refused(void **state)
{
    (void)state;
    assert_refused("fio-json", "{\"a\": /*\"*/ [[ /*\"*/ 1]]}", AFT_ERROR_SYNTAX, "f:1:7:");
    assert_refused("fio-json", "{'\"': [1], '\"': 2}", AFT_ERROR_SYNTAX, "f:1:2:");
    assert_refused("fio-json", "{\"a\": 1 # \"\n}", AFT_ERROR_SYNTAX, "f:1:9:");
}

static void sizes_are_bounded(void **state)
{
    (void)state;
    g_autofree char *blanks = g_strnfill(65 * 1024 * 1024, ' ');
    const char *kinds[] = {"fio-json", "vdbench"};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        assert_refused(kinds[i], blanks, AFT_ERROR_LIMIT, "f: expected at most 64 MiB");
    }
    g_autofree char *commas = g_strnfill(5 * 1000 * 1000, ',');
    commas[0] = '{';
    assert_refused("fio-json", commas, AFT_ERROR_LIMIT, "expected at most 1,000,000 values");
}

/* A pipe that nobody writes to, and a link that leads to itself, among others. */
static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    guint n;
    const AftImportKind *kinds = aft_import_kinds(&n);
    g_autofree char *folder = g_dir_make_tmp("aft-import-XXXXXX", NULL);
    g_autofree char *pipe = g_build_filename(folder, "pipe", NULL);
    g_autofree char *loop = g_build_filename(folder, "loop", NULL);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink("loop", loop), 0);
    const char *const paths[] = {"/", "/dev/zero", "/nowhere/at/all", pipe, loop};
    for (guint i = 0; i < n * G_N_ELEMENTS(paths); i++) {
        const AftImportKind *kind = &kinds[i / G_N_ELEMENTS(paths)];
        g_autoptr(GError) error = NULL;
        AftImportOptions options = usual();
        options.metric = kind->takes & AFT_IMPORT_METRIC ? "iops" : NULL;
        const char *files[] = {paths[i % G_N_ELEMENTS(paths)], NULL};
        g_autofree char *text = import_files(kind->name, files, &options, NULL, &error);
        assert_null(text);
        assert_error(error, AFT_ERROR_FILE, files[0]);
    }
    g_unlink(pipe);
    g_unlink(loop);
    g_rmdir(folder);
}

/* Nothing is taken and then not looked at. */
static void options_of_other_kinds_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        AftImportOptions options;
        const char *message;
    } cases[] = {
        {"fio-json", {.phase = AFT_PHASE_STEADY, .metric = "iops"}, "fio-json takes no --metric"},
        {"fio-json", {.phase = AFT_PHASE_STEADY, .nodes = 4}, "fio-json takes no --nodes"},
        {"ceph", {.phase = AFT_PHASE_STEADY, .label = "x"}, "ceph takes no --label"},
        {"backblaze", {.phase = AFT_PHASE_FAILED}, "backblaze takes no --phase"},
        {"fio-job", {.phase = AFT_PHASE_STEADY, .csv = TRUE}, "fio-job takes no --format csv"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const char *files[] = {"/nowhere", NULL};
        g_autofree char *text = import_files(cases[i].kind, files, &cases[i].options, NULL, &error);
        assert_null(text);
        assert_error(error, AFT_ERROR_CONFLICT, cases[i].message);
    }
}

static void zero_bytes_are_no_text(void **state)
{
    (void)state;
    const char *kinds[] = {"fio-json", "fio-job", "hcibench", "vdbench"};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(GError) error = NULL;
        AftImportOptions options = usual();
        g_autofree char *text = import_bytes(kinds[i], "a\n\0b", 4, &options, &error);
        assert_null(text);
        assert_error(error, AFT_ERROR_SYNTAX, "f:2: expected text, got a zero byte");
    }
}

static void names_cannot_end_a_line_or_a_quote(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_bytes(
        "fio-json",
        "{\"fio version\": \"fio-3.1" NASTY "\", \"jobs\": [{\"jobname\": \"" NASTY "\", "
        "\"error\": 5, \"read\": {\"iops\": 3, \"bw_bytes\": 4, \"lat_ns\": {\"mean\": 5}}}]}",
        -1, &options, &error);
    assert_non_null(yaml);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_int_equal(reference->cells->len, 5); /* with sums, and no other */
}

static void long_names_are_cut_between_characters(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) name = g_string_new(NULL);
    for (guint i = 0; i < 1000; i++) {
        g_string_append(name, "\xe2\x82\xac");
    }
    g_autofree char *text = g_strconcat("Case Name: ", name->str,
                                        "\nIOPS = 5\nCase Name: ", name->str, "\nIOPS = 6\n", NULL);
    g_autofree char *yaml = import_bytes("hcibench", text, -1, &options, &error);
    assert_non_null(yaml);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_int_equal(reference->cells->len, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_are_counted_before_they_are_parsed),
        cmocka_unit_test(what_hides_brackets_is_refused),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(options_of_other_kinds_are_refused),
        cmocka_unit_test(zero_bytes_are_no_text),
        cmocka_unit_test(names_cannot_end_a_line_or_a_quote),
        cmocka_unit_test(long_names_are_cut_between_characters),
    };
    return cmocka_run_group_tests_name("import/hostile", tests, NULL, NULL);
}
