/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/file.h>

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <test.h>
#include <unistd.h>

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
    g_autoptr(GBytes) three = g_bytes_new_static("a\0b", 3);
    const AftNewFile files[] = {{place->old, aft_file_write_text, "after"},
                                {place->new, aft_file_write_bytes, three}};
    assert_true(aft_files_place(files, 2, NULL));
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
    const AftNewFile files[] = {{place->old, aft_file_write_text, "after"},
                                {place->new, aft_file_write_text, "x"},
                                {place->beyond, aft_file_write_text, "y"}};
    g_autoptr(GError) error = NULL;
    assert_false(aft_files_place(files, 3, &error));
    assert_error(error, AFT_ERROR_FILE, "nowhere/file: cannot create");
    assert_content(place->old, "before");
    assert_int_equal(entries(place->folder), 1);
}

static void devices_pipes_and_folders_are_not_replaced(void **state)
{
    const Place *place = *state;
    assert_int_equal(mkfifo(place->pipe, 0600), 0);
    const AftNewFile files[] = {{place->old, aft_file_write_text, "after"},
                                {place->pipe, aft_file_write_text, "x"}};
    g_autoptr(GError) error = NULL;
    assert_false(aft_files_place(files, 2, &error));
    assert_error(error, AFT_ERROR_FILE, "pipe: is a device or a pipe, not a file");
    assert_content(place->old, "before");
    g_autoptr(GError) another = NULL;
    assert_false(aft_file_place_text(place->folder, "x", &another));
    assert_error(another, AFT_ERROR_FILE, "is a directory");
}

static void what_a_link_leads_to_is_replaced(void **state)
{
    const Place *place = *state;
    assert_int_equal(symlink("old", place->new), 0);
    assert_true(aft_file_place_text(place->new, "after", NULL));
    assert_true(g_file_test(place->new, G_FILE_TEST_IS_SYMLINK));
    assert_content(place->old, "after");
    assert_int_equal(entries(place->folder), 2);
}

static void a_new_file_takes_no_place(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) error = NULL, another = NULL;
    assert_true(aft_file_place_new(place->new, "text", NULL));
    assert_content(place->new, "text");
    assert_false(aft_file_place_new(place->old, "after", &error));
    assert_error(error, AFT_ERROR_CONFLICT, "old is there already");
    assert_content(place->old, "before");
    assert_false(aft_file_place_new(place->beyond, "text", &another));
    assert_error(another, AFT_ERROR_FILE, "nowhere/file: cannot create");
    assert_int_equal(entries(place->folder), 2);
}

static void what_glib_reports_is_told_as_all_else_is(void **state)
{
    const Place *place = *state;
    g_autoptr(GError) cause = NULL, error = NULL;
    assert_null(g_dir_open(place->new, 0, &cause));
    assert_false(aft_file_failed_by(place->new, "cannot read", cause, &error));
    g_autofree char *expected =
        g_strconcat(place->new, ": cannot read: No such file or directory", NULL);
    assert_int_equal(error->code, AFT_ERROR_FILE);
    assert_string_equal(error->message, expected);
}

/* An AftFileWriter: a file that is swept away from the folder @what while it is written. */
static gboolean write_in_vain(gconstpointer what, FILE *stream G_GNUC_UNUSED,
                              GError **error G_GNUC_UNUSED)
{
    g_autoptr(GDir) directory = g_dir_open(what, 0, NULL);
    for (const char *name = g_dir_read_name(directory); name != NULL;
         name = g_dir_read_name(directory)) {
        g_autofree char *path = g_build_filename(what, name, NULL);
        if (g_str_has_prefix(name, ".new.")) {
            g_unlink(path);
        }
    }
    return TRUE;
}

static void what_was_taken_away_comes_back(void **state)
{
    const Place *place = *state;
    g_autofree char *third = g_build_filename(place->folder, "third", NULL);
    const AftNewFile files[] = {{place->new, write_in_vain, place->folder},
                                {place->old, aft_file_write_text, "after"},
                                {third, aft_file_write_text, "after"}};
    g_autoptr(GError) error = NULL;
    assert_false(aft_files_place(files, 3, &error)); /* the others are in their places by then */
    assert_error(error, AFT_ERROR_FILE, "new: cannot rename into place");
    assert_content(place->old, "before");
    assert_int_equal(entries(place->folder), 1);
}

static void a_place_is_for_one_file(void **state)
{
    const Place *place = *state;
    assert_int_equal(symlink("old", place->new), 0);
    const AftNewFile files[] = {{place->old, aft_file_write_text, "after"},
                                {place->new, aft_file_write_text, "other"}};
    g_autoptr(GError) error = NULL, another = NULL;
    assert_false(aft_files_place(files, 2, &error));
    assert_error(error, AFT_ERROR_FILE, "new: is the place of two files");
    assert_content(place->old, "before");
    g_unlink(place->new);
    assert_int_equal(symlink("nowhere", place->new), 0);
    assert_false(aft_file_place_text(place->new, "text", &another));
    assert_error(another, AFT_ERROR_FILE, "new: is a link that leads nowhere");
    assert_int_equal(entries(place->folder), 2);
}

static void a_folder_by_two_names_has_one_place_for_a_name(void **state)
{
    const Place *place = *state;
    g_autofree char *folder = g_build_filename(place->folder, "folder", NULL);
    g_autofree char *link = g_build_filename(place->folder, "link", NULL);
    g_autofree char *one = g_build_filename(folder, "name", NULL);
    g_autofree char *two = g_build_filename(link, "name", NULL);
    assert_int_equal(g_mkdir(folder, 0777), 0);
    assert_int_equal(symlink("folder", link), 0);
    const AftNewFile files[] = {{one, aft_file_write_text, "a"}, {two, aft_file_write_text, "b"}};
    g_autoptr(GError) error = NULL;
    assert_false(aft_files_place(files, 2, &error));
    assert_error(error, AFT_ERROR_FILE, "link/name: is the place of two files");
    assert_int_equal(entries(folder), 0);
    g_unlink(link);
    g_rmdir(folder);
}

static void names_may_be_as_long_as_they_come(void **state)
{
    const Place *place = *state;
    g_autofree char *name = g_strnfill(255, 'n');
    g_autofree char *path = g_build_filename(place->folder, name, NULL);
    const AftNewFile files[] = {{path, aft_file_write_text, "a"},
                                {place->old, aft_file_write_text, "after"}};
    assert_true(aft_files_place(files, 2, NULL));
    assert_true(aft_files_place(files, 2, NULL));
    assert_content(path, "a");
    assert_int_equal(entries(place->folder), 2);
    g_unlink(path);
}

static void looking_tells_what_placing_would_and_changes_nothing(void **state)
{
    const Place *place = *state;
    static const char *const names[] = {"old", "new", NULL};
    const AftNewFile files[] = {{place->old, aft_file_write_text, "after"},
                                {place->new, aft_file_write_text, "x"}};
    assert_true(aft_files_placeable(place->folder, names, NULL));
    assert_int_equal(entries(place->folder), 1);
    const char *const ways[] = {"nowhere", "old", ".", "/dev/null"};
    for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autoptr(GError) seen = NULL, met = NULL;
        assert_int_equal(symlink(ways[i], place->new), 0);
        assert_false(aft_files_placeable(place->folder, names, &seen));
        assert_false(aft_files_place(files, 2, &met));
        assert_string_equal(seen->message, met->message);
        assert_int_equal(seen->code, met->code);
        assert_int_equal(entries(place->folder), 2);
        g_unlink(place->new);
    }
    assert_content(place->old, "before");
}

static void a_folder_that_can_be_made_has_place(void **state)
{
    const Place *place = *state;
    static const char *const none[] = {NULL}, *const names[] = {"file", NULL};
    g_autofree char *folder = g_path_get_dirname(place->beyond);
    g_autofree char *below = g_build_filename(place->old, "below", NULL);
    g_autoptr(GError) error = NULL, another = NULL;
    assert_true(aft_files_placeable(folder, names, NULL));
    assert_true(aft_files_placeable(place->folder, none, NULL));
    assert_false(aft_files_placeable(below, names, &error));
    assert_error(error, AFT_ERROR_FILE, "old is a file");
    assert_false(aft_files_placeable("", none, &another));
    assert_error(another, AFT_ERROR_FILE, "a directory with a name");
    assert_int_equal(entries(place->folder), 1);
}

static void a_folder_that_may_not_be_written_to_has_none(void **state)
{
    const Place *place = *state;
    static const char *const names[] = {"new", NULL};
    assert_int_equal(g_chmod(place->folder, 0500), 0);
    gboolean closed = g_access(place->folder, W_OK) != 0; /* to all but root */
    g_autoptr(GError) error = NULL;
    assert_int_equal(aft_files_placeable(place->folder, names, &error), !closed);
    assert_int_equal(g_chmod(place->folder, 0700), 0);
    if (closed) {
        assert_error(error, AFT_ERROR_FILE, "cannot write here: Permission denied");
    }
}

static gint told; /* that a signal came */

static void take_signal(int number G_GNUC_UNUSED)
{
    g_atomic_int_set(&told, 1);
}

/* An AftFileWriter that is interrupted. */
static gboolean write_interrupted(gconstpointer what, FILE *stream, GError **error)
{
    raise(SIGINT);
    return aft_file_write_text(what, stream, error) && g_atomic_int_get(&told) == 0;
}

static void signals_come_when_all_is_in_place(void **state)
{
    const Place *place = *state;
    const AftNewFile files[] = {{place->old, write_interrupted, "after"},
                                {place->new, aft_file_write_text, "after"}};
    signal(SIGINT, take_signal);
    assert_true(aft_files_place(files, 2, NULL));
    signal(SIGINT, SIG_DFL);
    assert_int_equal(g_atomic_int_get(&told), 1);
    assert_content(place->old, "after");
    assert_content(place->new, "after");
}

static void modes_stay(void **state)
{
    const Place *place = *state;
    GStatBuf old;
    assert_int_equal(g_chmod(place->old, 0600), 0);
    assert_true(aft_file_place_text(place->old, "after", NULL));
    assert_int_equal(g_stat(place->old, &old), 0);
    assert_int_equal(old.st_mode & 0777, 0600);
}

/* An AftFileWriter that finds out for itself. */
static gboolean write_and_look(gconstpointer what, FILE *stream, GError **error)
{
    if (fputs(what, stream) < 0 || fflush(stream) != 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "cannot write a line");
        return FALSE;
    }
    return TRUE;
}

static void a_disk_that_is_full_is_told_with_the_path(void **state)
{
    const Place *place = *state;
    struct rlimit usual;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    const struct rlimit small = {2, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    g_autoptr(GError) error = NULL, another = NULL;
    gboolean placed = aft_file_place_text(place->old, "after", &error);
    const AftNewFile looking = {place->old, write_and_look, "after"};
    gboolean placed_looking = aft_files_place(&looking, 1, &another);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_false(placed || placed_looking);
    assert_error(error, AFT_ERROR_FILE, "old: cannot write: File too large");
    assert_error(another, AFT_ERROR_FILE, "old: cannot write a line");
    assert_content(place->old, "before");
    assert_int_equal(entries(place->folder), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_files_arrive_with_all_their_bytes, begin, end),
        cmocka_unit_test_setup_teardown(when_one_cannot_arrive_none_does, begin, end),
        cmocka_unit_test_setup_teardown(devices_pipes_and_folders_are_not_replaced, begin, end),
        cmocka_unit_test_setup_teardown(what_a_link_leads_to_is_replaced, begin, end),
        cmocka_unit_test_setup_teardown(a_new_file_takes_no_place, begin, end),
        cmocka_unit_test_setup_teardown(what_glib_reports_is_told_as_all_else_is, begin, end),
        cmocka_unit_test_setup_teardown(what_was_taken_away_comes_back, begin, end),
        cmocka_unit_test_setup_teardown(a_place_is_for_one_file, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_by_two_names_has_one_place_for_a_name, begin, end),
        cmocka_unit_test_setup_teardown(names_may_be_as_long_as_they_come, begin, end),
        cmocka_unit_test_setup_teardown(looking_tells_what_placing_would_and_changes_nothing, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_folder_that_can_be_made_has_place, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_that_may_not_be_written_to_has_none, begin, end),
        cmocka_unit_test_setup_teardown(signals_come_when_all_is_in_place, begin, end),
        cmocka_unit_test_setup_teardown(modes_stay, begin, end),
        cmocka_unit_test_setup_teardown(a_disk_that_is_full_is_told_with_the_path, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
