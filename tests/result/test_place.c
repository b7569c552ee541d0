/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/result/place.h>

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <test.h>

/* A folder with "old", and paths of what is or may be in it. */
typedef struct {
    char *folder, *old, *new, *pipe, *beyond;
} Place;

static int begin(void **state)
{
    Place *place = g_new(Place, 1);
    place->folder = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    place->old = g_build_filename(place->folder, "old", NULL);
    place->new = g_build_filename(place->folder, "new", NULL);
    place->pipe = g_build_filename(place->folder, "pipe", NULL);
    place->beyond = g_build_filename(place->folder, "nowhere", "file", NULL);
    *state = place;
    return g_file_set_contents(place->old, "before", -1, NULL) ? 0 : -1;
}

static int end(void **state)
{
    Place *place = *state;
    char *const paths[] = {place->old, place->new, place->pipe, place->beyond, place->folder};
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_remove(paths[i]);
        g_free(paths[i]);
    }
    g_free(place);
    return 0;
}

static void assert_content(const char *path, const char *expected)
{
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, expected);
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

static void all_files_arrive_with_all_their_bytes(void **state)
{
    const Place *place = *state;
    const AftNewFile files[] = {{.path = place->old, .data = "after", .length = 5},
                                {.path = place->new, .data = "a\0b", .length = 3}};
    assert_true(aft_place_files(files, 2, NULL));
    assert_content(place->old, "after");
    g_autofree char *bytes = NULL;
    gsize length = 0;
    assert_true(g_file_get_contents(place->new, &bytes, &length, NULL));
    assert_int_equal(length, 3);
    assert_memory_equal(bytes, "a\0b", 3);
    assert_int_equal(entries(place->folder), 2);
}

static void when_one_cannot_arrive_none_does(void **state)
{
    const Place *place = *state;
    const AftNewFile files[] = {{.path = place->old, .data = "after", .length = 5},
                                {.path = place->new, .data = "x", .length = 1},
                                {.path = place->beyond, .data = "y", .length = 1}};
    g_autoptr(GError) error = NULL;
    assert_false(aft_place_files(files, 3, &error));
    assert_error(error, AFT_ERROR_FILE, "nowhere/file: cannot create");
    assert_content(place->old, "before");
    assert_int_equal(entries(place->folder), 1);
}

static void devices_pipes_and_folders_are_not_replaced(void **state)
{
    const Place *place = *state;
    assert_int_equal(mkfifo(place->pipe, 0600), 0);
    const AftNewFile files[] = {{.path = place->old, .data = "after", .length = 5},
                                {.path = place->pipe, .data = "x", .length = 1}};
    g_autoptr(GError) error = NULL;
    assert_false(aft_place_files(files, 2, &error));
    assert_error(error, AFT_ERROR_FILE, "pipe: is a device or a pipe, not a file");
    assert_content(place->old, "before");
    const AftNewFile folder = {.path = place->folder, .data = "x", .length = 1};
    g_autoptr(GError) another = NULL;
    assert_false(aft_place_files(&folder, 1, &another));
    assert_error(another, AFT_ERROR_FILE, "is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_files_arrive_with_all_their_bytes, begin, end),
        cmocka_unit_test_setup_teardown(when_one_cannot_arrive_none_does, begin, end),
        cmocka_unit_test_setup_teardown(devices_pipes_and_folders_are_not_replaced, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
