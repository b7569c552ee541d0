/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns come back as they went in, with few rows and with many blocks of them. */
#include "test.h"

#include "spill.h"

#include <aftershock/base/error.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

enum { COLUMNS = 3 };

/* No two rows, and no two columns, have a number in common. */
static double number_at(guint row, guint column)
{
    return row + column / 8.0;
}

static void add_rows(AftSpill *spill, guint first, guint n)
{
    for (guint row = first; row < first + n; row++) {
        const double numbers[COLUMNS] = {number_at(row, 0), number_at(row, 1), number_at(row, 2)};
        assert_true(aft_spill_add(spill, numbers, NULL));
    }
}

static void assert_columns(AftSpill *spill, guint first, guint n)
{
    g_autofree double *values = g_new(double, n);
    assert_int_equal(aft_spill_rows(spill), n);
    for (guint column = 0; column < COLUMNS; column++) {
        assert_true(aft_spill_read(spill, column, values, NULL));
        for (guint row = 0; row < n; row++) {
            assert_true(values[row] == number_at(first + row, column));
        }
    }
}

static void columns_come_back(void **state G_GNUC_UNUSED)
{
    const guint sizes[] = {
        0, 1, AFT_SPILL_BLOCK - 1, AFT_SPILL_BLOCK, AFT_SPILL_BLOCK + 1, 5 * AFT_SPILL_BLOCK + 7};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autoptr(AftSpill) spill = aft_spill_new(COLUMNS);
        add_rows(spill, 0, sizes[i]);
        assert_columns(spill, 0, sizes[i]);
    }
}

static void rows_come_after_a_look(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSpill) spill = aft_spill_new(COLUMNS);
    add_rows(spill, 0, 2 * AFT_SPILL_BLOCK + 9);
    assert_columns(spill, 0, 2 * AFT_SPILL_BLOCK + 9);
    add_rows(spill, 2 * AFT_SPILL_BLOCK + 9, 3 * AFT_SPILL_BLOCK);
    assert_columns(spill, 0, 5 * AFT_SPILL_BLOCK + 9);
}

static void it_begins_again(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSpill) spill = aft_spill_new(COLUMNS);
    add_rows(spill, 0, 4 * AFT_SPILL_BLOCK + 1);
    aft_spill_clear(spill);
    assert_columns(spill, 0, 0);
    add_rows(spill, 1000, 2 * AFT_SPILL_BLOCK + 50);
    assert_columns(spill, 1000, 2 * AFT_SPILL_BLOCK + 50);
}

static void its_file_has_no_name(void **state)
{
    const char *folder = *state;
    g_autoptr(AftSpill) spill = aft_spill_new(COLUMNS);
    add_rows(spill, 0, AFT_SPILL_BLOCK);
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    assert_non_null(entries);
    assert_null(g_dir_read_name(entries));
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    const char *folder = *state;
    g_autoptr(GError) error = NULL;
    g_autoptr(AftSpill) spill = aft_spill_new(COLUMNS);
    add_rows(spill, 0, AFT_SPILL_BLOCK - 1); /* needs no file */
    const double row[COLUMNS] = {0.0};
    assert_int_equal(g_rmdir(folder), 0);
    assert_false(aft_spill_add(spill, row, &error));
    assert_int_equal(g_mkdir(folder, 0700), 0);
    assert_error(error, AFT_ERROR_FILE, folder);
    assert_error(error, AFT_ERROR_FILE, "set TMPDIR");
}

/* What did not fit is not in, and what came before is. */
static void a_full_disk_is_an_error(void **state G_GNUC_UNUSED)
{
    struct rlimit before;
    g_autoptr(GError) error = NULL;
    g_autoptr(AftSpill) spill = aft_spill_new(COLUMNS);
    const double row[COLUMNS] = {0.0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {COLUMNS * AFT_SPILL_BLOCK * sizeof(double), before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    add_rows(spill, 0, 2 * AFT_SPILL_BLOCK - 1);
    assert_false(aft_spill_add(spill, row, &error));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_error(error, AFT_ERROR_FILE, "cannot write a temporary file");
    assert_columns(spill, 0, 2 * AFT_SPILL_BLOCK - 1);
}

int main(void)
{
    /* Before GLib asks for it: it asks once. */
    const char *parent = g_getenv("TMPDIR") != NULL ? g_getenv("TMPDIR") : "/tmp";
    g_autofree char *folder = g_build_filename(parent, "aftershock-spill-XXXXXX", NULL);
    g_assert_nonnull(g_mkdtemp(folder));
    g_setenv("TMPDIR", folder, TRUE);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_come_back),
        cmocka_unit_test(rows_come_after_a_look),
        cmocka_unit_test(it_begins_again),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test_prestate(its_file_has_no_name, folder),
        cmocka_unit_test_prestate(a_folder_that_is_not_there_is_an_error, folder),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    g_rmdir(folder);
    return failed;
}
