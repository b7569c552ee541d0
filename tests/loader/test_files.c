/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

/* A new folder for a test's files. */
static char *new_folder(void)
{
    char *folder = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    assert_non_null(folder);
    return folder;
}

static void files_are_read(void **state)
{
    (void)state;
    g_autofree char *folder = new_folder();
    g_autofree char *path = g_build_filename(folder, "rack.yaml", NULL);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    assert_true(g_file_set_contents(path, SHOWN, -1, NULL));
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario = aft_loader_load_file(path, NULL, messages, &error);
    assert_non_null(scenario);
    assert_null(error);
    assert_int_equal(messages->len, 0);
    assert_true(g_file_set_contents(path, "", -1, NULL));
    assert_null(aft_loader_load_file(path, NULL, messages, &error));
    g_autofree char *expected =
        g_strconcat(path, ":1:1: error: the file is empty, expected keys, like version: 1", NULL);
    assert_int_equal(messages->len, 1);
    assert_string_equal(messages->pdata[0], expected);
    g_unlink(path);
    g_rmdir(folder);
}

static void assert_no_file(const char *path, int code, const char *part)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    assert_null(aft_loader_load_file(path, NULL, messages, &error));
    assert_error(error, code, part);
    assert_error(error, code, path);
    assert_int_equal(messages->len, 0);
}

static void what_is_no_file_is_refused_unread(void **state)
{
    (void)state;
    g_autofree char *folder = new_folder();
    g_autofree char *path = g_build_filename(folder, "pipe", NULL);
    assert_no_file(path, AFT_ERROR_FILE, "No such file or directory");
    assert_no_file(folder, AFT_ERROR_FILE, "is a folder");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_no_file(path, AFT_ERROR_FILE, "is not a regular file"); /* nobody writes to it */
    assert_no_file("/dev/zero", AFT_ERROR_FILE, "is not a regular file");
    g_unlink(path);
    g_rmdir(folder);
}

static void size_is_bounded(void **state)
{
    (void)state;
    const gsize most = 4 * 1024 * 1024;
    g_autofree char *folder = new_folder();
    g_autofree char *path = g_build_filename(folder, "large.yaml", NULL);
    g_autofree char *blanks = g_strnfill(most + 1, '\n');
    memcpy(blanks, SMALLEST, strlen(SMALLEST));
    assert_true(g_file_set_contents(path, blanks, (gssize)most + 1, NULL));
    assert_no_file(path, AFT_ERROR_LIMIT, "expected at most 4 MiB");
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    assert_true(g_file_set_contents(path, blanks, (gssize)most, NULL));
    g_autoptr(AftScenario) scenario = aft_loader_load_file(path, NULL, messages, &error);
    assert_non_null(scenario);
    assert_null(aft_loader_load_text("s.yaml", blanks, most + 1, NULL, messages, &error));
    assert_error(error, AFT_ERROR_LIMIT, "s.yaml: expected at most 4 MiB");
    g_unlink(path);
    g_rmdir(folder);
}

#define REPLAY SMALLEST "workload: {kind: trace, vms: 2, file: rows.csv}\n"

/* A trace stands beside its scenario, from wherever that is run; on the command line names count
 * from here. */
static void files_are_named_from_the_folder_of_the_scenario(void **state)
{
    (void)state;
    g_autofree char *folder = new_folder();
    g_autofree char *path = g_build_filename(folder, "replay.yaml", NULL);
    g_autofree char *rows = g_build_filename(folder, "rows.csv", NULL);
    g_autofree char *named = g_strconcat("workload.file=", rows, NULL);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    assert_true(g_file_set_contents(path, REPLAY, -1, NULL));
    assert_true(g_file_set_contents(rows, "1,R,0,512,1\n", -1, NULL));
    g_autoptr(AftScenario) scenario = aft_loader_load_file(path, NULL, messages, &error);
    assert_non_null(scenario);
    assert_string_equal(scenario->workloads[0].file, rows);
    const char *const absolute[] = {named, NULL}, *const relative[] = {"workload.file=rows.csv",
                                                                       NULL};
    g_autoptr(AftScenario) same = aft_loader_load_file(path, absolute, messages, &error);
    assert_non_null(same);
    assert_null(aft_loader_load_file(path, relative, messages, &error));
    assert_non_null(strstr(messages->pdata[0], "there is no file \"rows.csv\""));
    g_unlink(rows);
    g_unlink(path);
    g_rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(what_is_no_file_is_refused_unread),
        cmocka_unit_test(size_is_bounded),
        cmocka_unit_test(files_are_named_from_the_folder_of_the_scenario),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
