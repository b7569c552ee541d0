/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that were cut off or changed on their way: what they come to is an error, or what our
 * loader takes, and never anything else. */
#include "import.h"

#include <aftershock/random/stream.h>

static const struct {
    const char *kind, *file;
} seeds[] = {{"fio-json", "fio-jobs.json"}, {"fio-job", "mixed.fio"},
             {"hcibench", "res.txt"},       {"vdbench", "flatfile.html"},
             {"backblaze", "drives-1.csv"}, {"prometheus", "answer.json"},
             {"ceph", "osd-df-tree.json"},  {"xray", "xray/test.yml"}};

/* Where the file that is imported stands: one at a time, beside job files. */
typedef struct {
    char *folder, *path;
} Place;

/* Changes, drops or repeats bytes. */
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

/* What a scenario may lack, or have too little of, that only gets a part: not the part's fault. */
static gboolean is_of_the_bed(const char *message)
{
    static const char *const words[] = {"working_set", "block", "logical", "size",
                                        "cluster",     "data",  "on:",     ".at"};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strstr(message, words[i]) != NULL) {
            return TRUE;
        }
    }
    return FALSE;
}

static void check_part(const char *bed, const char *part)
{
    g_autofree char *yaml = g_strconcat(bed, part, NULL);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    aft_scenario_free(aft_loader_load_text("s", yaml, strlen(yaml), NULL, messages, NULL));
    for (guint i = 0; i < messages->len; i++) {
        if (!is_of_the_bed(messages->pdata[i])) {
            print_error("%s\n%s\n", (const char *)messages->pdata[i], yaml);
            fail();
        }
    }
}

static void check_outcome(const char *kind, const char *text)
{
    g_autofree char *bed = g_strdup_printf(BED, "sata-ssd");
    if (g_str_equal(kind, "ceph")) {
        check_part("version: 1\ndata: {logical: 1 TB, domain: device, protection: rf2}\n", text);
    } else if (g_str_equal(kind, "fio-job") || g_str_equal(kind, "xray") ||
               g_str_equal(kind, "backblaze")) {
        check_part(bed, text);
    } else {
        aft_reference_free(reference_of(text));
    }
}

static void copy(const char *folder, const char *name)
{
    g_autofree char *from = g_build_filename(FILES, "xray", name, NULL);
    g_autofree char *to = g_build_filename(folder, name, NULL);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(from, &text, NULL, NULL));
    assert_true(g_file_set_contents(to, text, -1, NULL));
}

static int begin(void **state)
{
    Place *place = g_new0(Place, 1);
    place->folder = g_dir_make_tmp("aft-import-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "f", NULL);
    copy(place->folder, "database.fio");
    copy(place->folder, "desktops.fio");
    *state = place;
    return 0;
}

static int end(void **state)
{
    Place *place = *state;
    static const char *const names[] = {"database.fio", "desktops.fio", "f"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(place->folder, names[i], NULL);
        g_unlink(path);
    }
    g_rmdir(place->folder);
    g_free(place->folder);
    g_free(place->path);
    g_free(place);
    return 0;
}

static void try_text(const Place *place, const char *kind, const char *text, gsize length)
{
    g_autoptr(GError) error = NULL;
    AftImportOptions options = usual();
    options.metric = g_str_equal(kind, "prometheus") ? "iops" : NULL;
    options.nodes = g_str_equal(kind, "xray") ? 4 : 0;
    const char *paths[] = {place->path, NULL};
    FILE *file = fopen(place->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
    g_autofree char *out = import_files(kind, paths, &options, NULL, &error);
    assert_true((out == NULL) == (error != NULL));
    if (out != NULL) {
        check_outcome(kind, out);
        return;
    }
    assert_true(g_utf8_validate(error->message, -1, NULL));
    assert_null(strchr(error->message, '\n'));
}

static char *seed_text(guint which)
{
    g_autofree char *path = g_build_filename(FILES, seeds[which].file, NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

static void files_that_end_anywhere_are_errors_or_sound(void **state)
{
    for (guint i = 0; i < G_N_ELEMENTS(seeds); i++) {
        g_autofree char *text = seed_text(i);
        gsize step = strlen(text) > 1000 ? 2 : 1; /* odd or even makes no difference */
        for (gsize length = 0; length <= strlen(text); length += step) {
            try_text(*state, seeds[i].kind, text, length);
        }
    }
}

static void changed_files_are_errors_or_sound(void **state)
{
    for (guint i = 0; i < 100 * G_N_ELEMENTS(seeds); i++) {
        guint which = i % (guint)G_N_ELEMENTS(seeds);
        AftStream stream;
        aft_stream_init(&stream, 5, i, "test.mutate", 0);
        g_autofree char *original = seed_text(which);
        g_autoptr(GString) text = g_string_new(original);
        mutate(text, &stream);
        try_text(*state, seeds[which].kind, text->str, text->len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_that_end_anywhere_are_errors_or_sound, begin, end),
        cmocka_unit_test_setup_teardown(changed_files_are_errors_or_sound, begin, end),
    };
    return cmocka_run_group_tests_name("import/broken", tests, NULL, NULL);
}
