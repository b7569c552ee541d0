/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that mean no good, or were broken on their way. */
#include "import.h"

#include <aftershock/random/stream.h>

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
    const char *kinds[] = {"fio-json", "fio-job", "hcibench", "vdbench"};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        assert_refused(kinds[i], blanks, AFT_ERROR_LIMIT, "f: expected at most 64 MiB");
    }
    g_autofree char *commas = g_strnfill(5 * 1000 * 1000, ',');
    commas[0] = '{';
    assert_refused("fio-json", commas, AFT_ERROR_LIMIT, "expected at most 1,000,000 values");
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    guint n;
    const AftImportKind *kinds = aft_import_kinds(&n);
    const char *const paths[] = {"/", "/dev/zero", "/nowhere/at/all"};
    for (guint i = 0; i < n * G_N_ELEMENTS(paths); i++) {
        g_autoptr(GError) error = NULL;
        AftImportOptions options = usual();
        options.metric = "iops";
        const char *files[] = {paths[i % G_N_ELEMENTS(paths)], NULL};
        g_autofree char *text =
            import_files(kinds[i / G_N_ELEMENTS(paths)].name, files, &options, NULL, &error);
        assert_null(text);
        assert_error(error, AFT_ERROR_FILE, files[0]);
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

/* What a file comes to when bytes of it are changed, dropped or repeated: an error or what our
 * loader takes, and never anything else. */
static void mutate(GString *text, AftStream *stream)
{
    static const char bytes[] = "{}[]\",:0123456789-+eE.\n\r\t /#=%'\\\xff\xc3zan";
    for (guint64 n = 1 + aft_stream_below(stream, 6); n > 0 && text->len > 2; n--) {
        gsize at = aft_stream_below(stream, text->len);
        gsize wanted = 1 + aft_stream_below(stream, 20), length = MIN(wanted, text->len - at);
        char byte = bytes[aft_stream_below(stream, sizeof bytes - 1)];
        g_autofree char *piece = g_strndup(text->str + at, length);
        switch (aft_stream_below(stream, 4)) {
        case 0:
            text->str[at] = byte;
            break;
        case 1:
            g_string_erase(text, (gssize)at, (gssize)length);
            break;
        case 2:
            g_string_insert(text, (gssize)aft_stream_below(stream, text->len), piece);
            break;
        default:
            g_string_insert_c(text, (gssize)at, byte);
            break;
        }
    }
}

/* Some of what comes out of drive statistics no scenario takes: an afr of 100 %, a device without a
 * size. It must be YAML that ends no line early, which whoever reads it would complain about. */
static void check_outcome(const char *kind, const char *text)
{
    if (g_str_equal(kind, "fio-job")) {
        g_autofree char *bed = g_strdup_printf(BED, "sata-ssd");
        g_autofree char *yaml = g_strconcat(bed, text, NULL);
        g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
        aft_scenario_free(aft_loader_load_text("s", yaml, strlen(yaml), NULL, messages, NULL));
        for (guint i = 0; i < messages->len; i++) { /* what does not fit into this bed may be */
            const char *message = messages->pdata[i];
            if (strstr(message, "working_set") == NULL && strstr(message, "block") == NULL) {
                print_error("%s\n%s\n", message, yaml);
                fail();
            }
        }
    } else if (!g_str_equal(kind, "backblaze") && !g_str_equal(kind, "ceph")) {
        aft_reference_free(reference_of(text));
    }
}

static void broken_files_are_errors_or_sound(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *file;
    } seeds[] = {{"fio-json", "fio-jobs.json"}, {"fio-job", "mixed.fio"},
                 {"hcibench", "res.txt"},       {"vdbench", "flatfile.html"},
                 {"backblaze", "drives-1.csv"}, {"prometheus", "answer.json"},
                 {"ceph", "osd-df-tree.json"}};
    for (guint i = 0; i < 300 * G_N_ELEMENTS(seeds); i++) {
        guint which = i % (guint)G_N_ELEMENTS(seeds);
        AftStream stream;
        aft_stream_init(&stream, 5, i, "test.mutate", 0);
        g_autofree char *path = g_build_filename(FILES, seeds[which].file, NULL);
        g_autofree char *original = NULL;
        assert_true(g_file_get_contents(path, &original, NULL, NULL));
        g_autoptr(GString) text = g_string_new(original);
        mutate(text, &stream);
        g_autoptr(GError) error = NULL;
        AftImportOptions options = usual();
        options.metric = "iops";
        g_autofree char *out =
            import_bytes(seeds[which].kind, text->str, (gssize)text->len, &options, &error);
        assert_true((out == NULL) == (error != NULL));
        if (out != NULL) {
            check_outcome(seeds[which].kind, out);
        } else {
            assert_true(g_utf8_validate(error->message, -1, NULL));
            assert_null(strchr(error->message, '\n'));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_are_counted_before_they_are_parsed),
        cmocka_unit_test(what_hides_brackets_is_refused),
        cmocka_unit_test(sizes_are_bounded),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(zero_bytes_are_no_text),
        cmocka_unit_test(names_cannot_end_a_line_or_a_quote),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(broken_files_are_errors_or_sound),
    };
    return cmocka_run_group_tests_name("import/hostile", tests, NULL, NULL);
}
