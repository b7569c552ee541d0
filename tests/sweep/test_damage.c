/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing that was reported done is lost, and what is damaged is told. */
#include "stores.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 60, FLIPS = 100, KILLS = 8 };

/* A folder with a store of @ROWS rows that has ended. Returns: (transfer full). */
static char *folder_with_store(char **ret_path)
{
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    keep_many(store, 3, 0, ROWS);
    aft_store_free(store);
    *ret_path = g_build_filename(folder, "sweep.db", NULL);
    return folder;
}

/* A resume of @folder says what is wrong, and changes nothing. Returns: (transfer full). */
static char *assert_told(const char *folder, const char *path, const char *part)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *before = NULL, *after = NULL;
    gsize before_bytes, after_bytes;
    assert_true(g_file_get_contents(path, &before, &before_bytes, NULL));
    assert_null(aft_store_open(folder, &identity, TRUE, &error));
    assert_error(error, AFT_ERROR_FILE, part);
    assert_non_null(strstr(error->message, path));
    assert_true(g_file_get_contents(path, &after, &after_bytes, NULL));
    assert_int_equal(before_bytes, after_bytes);
    assert_memory_equal(before, after, before_bytes);
    return g_strdup(error->message);
}

static void a_truncated_file_is_told(void **state G_GNUC_UNUSED)
{
    static const double parts[] = {0.99, 0.7, 0.5, 0.1};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *path = NULL;
        char *folder = folder_with_store(&path);
        GStatBuf file;
        g_assert(g_stat(path, &file) == 0);
        assert_int_equal(truncate(path, (off_t)((double)file.st_size * parts[i])), 0);
        g_autofree char *told = assert_told(folder, path, "is damaged: ");
        assert_non_null(strstr(told, " replications can be read"));
        remove_folder(folder);
    }
}

static void an_empty_file_is_no_store(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL;
    char *folder = folder_with_store(&path);
    assert_int_equal(truncate(path, 0), 0);
    g_free(assert_told(folder, path, "no store of a sweep"));
    remove_folder(folder);
}

static void another_file_is_no_store(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    assert_true(g_file_set_contents(path, "point,replication\n0,0\n", -1, NULL));
    g_free(assert_told(folder, path, "no store of a sweep"));
    sqlite3 *db;
    g_unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    g_free(assert_told(folder, path, "store of a sweep"));
    remove_folder(folder);
}

/* Flips a bit of the byte at @at. */
static void flip(const char *path, gsize at)
{
    int fd = g_open(path, O_RDWR, 0);
    guchar byte;
    assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
    byte ^= 0x04;
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
    close(fd);
}

/* Whether the store reads as it was written. */
static gboolean is_as_before(const char *folder, const char *digest)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftStore) store = aft_store_open(folder, &identity, TRUE, &error);
    g_autofree char *now = store != NULL ? aft_store_digest(store, NULL) : NULL;
    if (store == NULL) {
        assert_true(error->code == AFT_ERROR_FILE || error->code == AFT_ERROR_CONFLICT);
    }
    return g_strcmp0(now, digest) == 0;
}

/* A byte that is flipped is told, or was none of the contents'. */
static void any_flipped_byte_is_told_or_harmless(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL, *bytes = NULL;
    char *folder = folder_with_store(&path);
    g_autofree char *digest = digest_in(folder);
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    gsize n;
    guint told = 0;
    assert_true(g_file_get_contents(path, &bytes, &n, NULL));
    for (guint i = 0; i < FLIPS; i++) {
        flip(path, (gsize)(g_rand_double(rand) * (double)n));
        g_autoptr(GError) error = NULL;
        AftStore *store = aft_store_open(folder, &identity, TRUE, &error);
        if (store == NULL) {
            assert_true(error->code == AFT_ERROR_FILE || error->code == AFT_ERROR_CONFLICT);
            told++;
        }
        aft_store_free(store);
        assert_true(store == NULL || is_as_before(folder, digest));
        assert_true(g_file_set_contents(path, bytes, (gssize)n, NULL));
    }
    assert_in_range(told, FLIPS * 2 / 3, FLIPS); /* pages are at least two thirds full */
    remove_folder(folder);
}

/* Where the text of replication 7 of point 3 is. */
static gsize place_of_row(const char *path)
{
    g_autofree char *bytes = NULL;
    g_autoptr(AftReplication) row = row_at(3, 7);
    gsize n;
    assert_true(g_file_get_contents(path, &bytes, &n, NULL));
    char *at = memmem(bytes, n, row->requirement, strlen(row->requirement));
    assert_non_null(at);
    return (gsize)(at - bytes);
}

static void a_damaged_row_is_named_and_can_be_run_again(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL;
    char *folder = folder_with_store(&path);
    g_autofree char *digest = digest_in(folder);
    flip(path, place_of_row(path) + 2);
    g_autofree char *told = assert_told(folder, path, "1 of 60 replications are not what was");
    char *sql = strstr(told, "DELETE");
    assert_non_null(sql);
    *strchr(sql, '"') = '\0';
    assert_string_equal(sql, "DELETE FROM replications WHERE (point, replication) IN "
                             "(VALUES (3, 7))");
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    AftStore *store = open_in(folder, TRUE);
    assert_false(has(store, 3, 7));
    keep_many(store, 3, 7, 1);
    g_autofree char *mended = aft_store_digest(store, NULL);
    assert_string_equal(mended, digest);
    aft_store_free(store);
    remove_folder(folder);
}

/* Where the page of table replications, which has room for all its rows, tells how many they are.
 */
static gsize place_of_row_count(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'replications'", -1,
                       &statement, NULL);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    gsize page = (gsize)sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return (page - 1) * 4096 + 4;
}

static void rows_that_vanish_without_a_trace_are_told(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    keep_many(store, 0, 0, 4);
    aft_store_free(store);
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    flip(path, place_of_row_count(path)); /* 4 becomes 0 */
    g_free(assert_told(folder, path, "is damaged: *** in database main ***"));
    g_autoptr(GError) error = NULL;
    assert_null(aft_store_open_file(path, &error));
    assert_error(error, AFT_ERROR_FILE, "at least 0 replications can be read");
    remove_folder(folder);
}

static gboolean do_nothing(const AftReplication *row G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED,
                           GError **error G_GNUC_UNUSED)
{
    return TRUE;
}

static void a_reader_is_told_of_a_damaged_row(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL;
    char *folder = folder_with_store(&path);
    flip(path, place_of_row(path) + 2);
    g_autoptr(AftStore) store = aft_store_open_file(path, NULL);
    g_autoptr(GError) error = NULL;
    assert_false(aft_store_each(store, G_MAXUINT, do_nothing, NULL, &error));
    assert_error(error, AFT_ERROR_FILE, "replication 7 of point 3 is damaged");
    g_autofree char *digest = aft_store_digest(store, NULL);
    assert_null(digest);
    remove_folder(folder);
}

static void assert_cannot_begin(const char *folder, const char *part)
{
    g_autoptr(GError) error = NULL;
    assert_null(aft_store_open(folder, &identity, TRUE, &error));
    assert_error(error, AFT_ERROR_FILE, part);
    assert_non_null(strstr(error->message, folder));
}

static void a_folder_that_cannot_be_written_is_told(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL;
    char *folder = folder_with_store(&path);
    assert_cannot_begin("/proc/none", "the folder cannot be made");
    assert_cannot_begin("/proc/self", "/proc/self/sweep.db.lock: cannot be made");
    assert_cannot_begin(path, "the folder cannot be made");
    g_autoptr(GError) error = NULL;
    assert_null(aft_store_open_file("/proc/none/sweep.db", &error));
    assert_error(error, AFT_ERROR_FILE, "No such file or directory");
    remove_folder(folder);
}

/* In a child: appends to point 0 of the store in @folder, and tells of each row on @pipe. Ends with
 * 0 when it could not go on for want of room. */
static void append_for_ever(const char *folder, int pipe)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftStore) store = aft_store_open(folder, &identity, TRUE, &error);
    guint from = store != NULL ? (guint)aft_store_count(store).done : 0;
    for (guint i = from; store != NULL && i < 1000000; i += 2) {
        g_autoptr(AftReplication) first = row_at(0, i);
        g_autoptr(AftReplication) second = row_at(0, i + 1);
        const AftReplication *const rows[] = {first, second};
        if (!aft_store_append(store, rows, 2, &error)) {
            break;
        }
        guint done = i + 2;
        if (write(pipe, &done, sizeof(done)) != sizeof(done)) {
            _exit(2);
        }
    }
    _exit(error != NULL && strstr(error->message, "make room") != NULL ? 0 : 1);
}

/* How many rows the writer at the other end of @pipe has told of. */
static guint told_done(int pipe, guint before)
{
    guint done;
    while (read(pipe, &done, sizeof(done)) == sizeof(done)) {
        before = done;
    }
    return before;
}

/* All rows up to @done are there as they were, with at most one append more, whole. Returns: how
 * many there are. */
static guint assert_nothing_lost(const char *folder, guint done)
{
    g_autoptr(AftStore) store = open_in(folder, TRUE);
    guint there = (guint)aft_store_count(store).done;
    assert_true(there == done || there == done + 2);
    char *fresh = new_folder();
    g_autoptr(AftStore) other = open_in(fresh, FALSE);
    keep_many(other, 0, 0, there);
    g_autofree char *digest = aft_store_digest(store, NULL);
    g_autofree char *expected = aft_store_digest(other, NULL);
    assert_string_equal(digest, expected);
    remove_folder(fresh);
    return there;
}

/* Lets a writer append to the store in @folder, which has @done rows, for @microseconds. Returns:
 * how many it has then. */
static guint append_and_kill(const char *folder, guint done, gulong microseconds)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        append_for_ever(folder, ends[1]);
    }
    close(ends[1]);
    g_usleep(microseconds);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    done = told_done(ends[0], done);
    close(ends[0]);
    return assert_nothing_lost(folder, done);
}

static void a_writer_may_be_killed_at_any_moment(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    guint done = 0;
    for (guint i = 0; i < KILLS; i++) {
        done = append_and_kill(folder, done, (gulong)g_rand_int_range(rand, 0, 30000));
    }
    done = append_and_kill(folder, done, 300000);
    assert_true(done > 0);
    remove_folder(folder);
}

/* In a child: no file may have more than @bytes. */
static void append_in(const char *folder, int pipe, rlim_t bytes)
{
    struct rlimit limit = {bytes, bytes};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    append_for_ever(folder, pipe);
}

static void a_full_disk_keeps_what_was_kept(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        append_in(folder, ends[1], 300000);
    }
    close(ends[1]);
    guint done = told_done(ends[0], 0);
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(done > 10);
    assert_nothing_lost(folder, done);
    remove_folder(folder);
}

static void a_disk_full_from_the_beginning_leaves_no_store(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        append_in(folder, ends[1], 6000);
    }
    close(ends[1]);
    assert_int_equal(told_done(ends[0], 0), 0);
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    assert_null(g_dir_read_name(dir));
    remove_folder(folder);
}

static void a_program_that_is_writing_is_waited_for_and_told(void **state G_GNUC_UNUSED)
{
    g_autofree char *path = NULL;
    char *folder = folder_with_store(&path);
    g_autoptr(AftStore) store = open_in(folder, TRUE);
    g_autoptr(GError) error = NULL;
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_false(keep(store, row_at(0, 0), &error));
    assert_error(error, AFT_ERROR_FILE, "another program has it open and is writing");
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_true(keep(store, row_at(0, 0), NULL));
    sqlite3_close(db);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truncated_file_is_told),
        cmocka_unit_test(an_empty_file_is_no_store),
        cmocka_unit_test(another_file_is_no_store),
        cmocka_unit_test(any_flipped_byte_is_told_or_harmless),
        cmocka_unit_test(a_damaged_row_is_named_and_can_be_run_again),
        cmocka_unit_test(rows_that_vanish_without_a_trace_are_told),
        cmocka_unit_test(a_reader_is_told_of_a_damaged_row),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_told),
        cmocka_unit_test(a_writer_may_be_killed_at_any_moment),
        cmocka_unit_test(a_full_disk_keeps_what_was_kept),
        cmocka_unit_test(a_disk_full_from_the_beginning_leaves_no_store),
        cmocka_unit_test(a_program_that_is_writing_is_waited_for_and_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
