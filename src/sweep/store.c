/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_private.h"

#include "identity.h"
#include "lock.h"

#include <aftershock/base/error.h>
#include <aftershock/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define CACHE "-512" /* KiB of pages: rows are written and read in their order */

enum { PATIENCE_MS = 5000 }; /* with another program that has a transaction open */

char *aft_store_path(const char *directory, guint shard, guint shards)
{
    g_autofree char *name =
        shards > 1 ? g_strdup_printf("shard-%u-of-%u.db", shard, shards) : g_strdup("sweep.db");
    return g_build_filename(directory, name, NULL);
}

/* Returns: (transfer full) (nullable): a store without statements and identity. */
static AftStore *store_new(const char *path, int flags, GError **error)
{
    AftStore *store = g_new0(AftStore, 1);
    store->path = g_strdup(path);
    store->lock = AFT_LOCK_NONE;
    pthread_mutex_init(&store->turn, NULL);
    if (sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        aft_sql_failed(store->db, path, error);
        aft_store_free(store);
        return NULL;
    }
    sqlite3_busy_timeout(store->db, PATIENCE_MS);
    sqlite3_exec(store->db, "PRAGMA cache_size = " CACHE, NULL, NULL, NULL);
    return store;
}

static gboolean run(AftStore *store, const char *sql, GError **error)
{
    return aft_sql_run(store->db, store->path, sql, error);
}

/* Returns: (transfer full): what makes the tables of a store. */
static char *schema_sql(void)
{
    GString *sql = g_string_new(
        "BEGIN IMMEDIATE;"
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;"
        "CREATE TABLE points (point INTEGER PRIMARY KEY, settings TEXT NOT NULL, "
        "scenario_sha256 TEXT NOT NULL, row_sha256 TEXT NOT NULL) STRICT;"
        "CREATE TABLE replications (point INTEGER, replication INTEGER");
    aft_sql_add_columns(sql, aft_replication_table(), TRUE);
    g_string_append(sql, ", row_sha256 TEXT NOT NULL, PRIMARY KEY (point, replication)) "
                         "STRICT, WITHOUT ROWID;"
                         "CREATE TABLE phases (point INTEGER, replication INTEGER, "
                         "occurrence INTEGER");
    aft_sql_add_columns(sql, aft_phase_table(), TRUE);
    g_string_append(sql, ", PRIMARY KEY (point, replication, occurrence)) STRICT, WITHOUT ROWID;");
    return g_string_free(sql, FALSE);
}

/* Returns: (transfer full): "VERB (point, replication, ... ) VALUES (?, ?, ...)". */
static char *insert_sql(const char *into, const AftTable *table, const char *more, guint n_more)
{
    GString *sql = g_string_new("INSERT OR REPLACE INTO ");
    g_string_append_printf(sql, "%s (point, replication, %s", into, more);
    aft_sql_add_columns(sql, table, FALSE);
    g_string_append(sql, ") VALUES (?");
    for (guint i = 1; i < 2 + n_more + table->n_columns; i++) {
        g_string_append(sql, ", ?");
    }
    g_string_append_c(sql, ')');
    return g_string_free(sql, FALSE);
}

static char *select_sql(const char *first, const AftTable *table, const char *rest)
{
    GString *sql = g_string_new("SELECT ");
    g_string_append(sql, first);
    aft_sql_add_columns(sql, table, FALSE);
    g_string_append(sql, rest);
    return g_string_free(sql, FALSE);
}

/* Returns: (transfer full). */
static char *statement_sql(AftStoreStatement which)
{
    switch (which) {
    case AFT_STORE_PUT:
        return insert_sql("replications", aft_replication_table(), "row_sha256", 1);
    case AFT_STORE_PUT_PHASE:
        return insert_sql("phases", aft_phase_table(), "occurrence", 1);
    case AFT_STORE_EACH:
        return select_sql("point, replication, row_sha256", aft_replication_table(),
                          " FROM replications WHERE point BETWEEN ? AND ?"
                          " ORDER BY point, replication");
    case AFT_STORE_EACH_PHASE:
        return select_sql("occurrence", aft_phase_table(),
                          " FROM phases WHERE point = ? AND replication = ? ORDER BY occurrence");
    case AFT_STORE_FIND:
        return g_strdup("SELECT failure IS NOT NULL, row_sha256 FROM replications"
                        " WHERE point = ? AND replication = ?");
    case AFT_STORE_DROP_PHASES:
        return g_strdup("DELETE FROM phases WHERE point = ? AND replication = ?");
    case AFT_STORE_FIND_POINT:
        return g_strdup("SELECT settings, scenario_sha256 FROM points WHERE point = ?");
    case AFT_STORE_PUT_POINT:
        return g_strdup("INSERT INTO points VALUES (?, ?, ?, ?)");
    default:
        return g_strdup("SELECT count(*), count(failure) FROM replications");
    }
}

static gboolean prepare(AftStore *store, GError **error)
{
    for (guint i = 0; i < AFT_STORE_STATEMENTS; i++) {
        g_autofree char *sql = statement_sql(i);
        store->statements[i] = aft_sql_prepare(store->db, store->path, sql, error);
        if (store->statements[i] == NULL) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Takes @store and gives it back if @fine. */
static AftStore *if_fine(AftStore *store, gboolean fine)
{
    if (!fine) {
        aft_store_free(store);
    }
    return fine ? store : NULL;
}

static gboolean begin(AftStore *store, const AftStoreIdentity *identity, GError **error)
{
    g_autofree char *schema = schema_sql();
    aft_identity_copy(&store->identity, identity);
    return run(store, "PRAGMA synchronous = FULL", error) && run(store, schema, error) &&
           aft_identity_write(identity, store->db, store->path, error) &&
           run(store, "COMMIT", error) && prepare(store, error);
}

AftStore *aft_store_create(const char *path, const AftStoreIdentity *identity, GError **error)
{
    g_unlink(path); /* of one who was killed */
    AftStore *store = store_new(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    gboolean fine = store != NULL && begin(store, identity, error);
    if (!fine) {
        g_unlink(path);
    }
    return if_fine(store, fine);
}

static void unlink_beside(const char *path, const char *suffix)
{
    g_autofree char *name = g_strconcat(path, suffix, NULL);
    g_unlink(name);
}

static gboolean sync_folder(const char *path, GError **error)
{
    g_autofree char *directory = g_path_get_dirname(path);
    int fd = g_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    gboolean fine = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL); /* some have no such thing */
    if (fd >= 0) {
        close(fd);
    }
    return fine || aft_file_failed(directory, "cannot be written for good", error);
}

gboolean aft_store_settle(AftStore *store, const char *path, GError **error)
{
    g_autofree char *written = g_strdup(store->path);
    aft_store_free(store);
    unlink_beside(path, "-wal"); /* a log of a file that is no more would be taken for its own */
    unlink_beside(path, "-shm");
    unlink_beside(path, "-journal");
    if (g_rename(written, path) != 0) {
        aft_file_failed(path, "cannot be put in its place", error);
        g_unlink(written);
        return FALSE;
    }
    return sync_folder(path, error);
}

gboolean aft_store_fold(const char *path, GError **error)
{
    AftStore *store = store_new(path, SQLITE_OPEN_READWRITE, error);
    gboolean fine = store != NULL && run(store, "PRAGMA journal_mode = DELETE", error);
    aft_store_free(store);
    return fine;
}

static gboolean open_identity(AftStore *store, GError **error)
{
    return aft_identity_read(&store->identity, store->db, store->path, error);
}

/* Whether @store may go on as @identity. */
static gboolean belongs(const AftStore *store, const AftStoreIdentity *identity, GError **error)
{
    g_autofree char *change = aft_identity_changed(&store->identity, identity);
    if (change != NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "%s: cannot go on with it: %s; choose another folder, or put back what has "
                    "changed",
                    store->path, change);
    }
    return change == NULL;
}

static gboolean is_writable(const AftStore *store, GError **error)
{
    if (sqlite3_db_readonly(store->db, "main") == 1) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: may not be written to", store->path);
        return FALSE;
    }
    return TRUE;
}

/* Opens the file of @store, which is there. */
static gboolean resume(AftStore *store, const AftStoreIdentity *identity, GError **error)
{
    return aft_store_check(store, FALSE, error) && is_writable(store, error) &&
           open_identity(store, error) && belongs(store, identity, error) &&
           prepare(store, error) && aft_store_check(store, TRUE, error) &&
           aft_store_check_points(store, error) &&
           run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", error);
}

/* Makes the file of a store that is new. */
static gboolean make(const char *path, const AftStoreIdentity *identity, GError **error)
{
    g_autofree char *passing = g_strconcat(path, ".new", NULL);
    AftStore *store = aft_store_create(passing, identity, error);
    return store != NULL && aft_store_settle(store, path, error);
}

/* Opens the store whose lock is held, made if need be. */
static AftStore *open_locked(const char *path, const AftStoreIdentity *identity, gboolean may_be,
                             GError **error)
{
    gboolean there = g_file_test(path, G_FILE_TEST_EXISTS);
    if (there && !may_be) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "%s: is there already: resume it (--resume), or choose another folder", path);
        return NULL;
    }
    if (!there && !make(path, identity, error)) {
        return NULL;
    }
    AftStore *store = store_new(path, SQLITE_OPEN_READWRITE, error);
    return if_fine(store, store != NULL && resume(store, identity, error));
}

AftStore *aft_store_open(const char *directory, const AftStoreIdentity *identity, gboolean may_be,
                         GError **error)
{
    g_autofree char *path = aft_store_path(directory, identity->shard, identity->shards);
    if (g_mkdir_with_parents(directory, 0777) != 0) {
        aft_file_failed(directory, "the folder cannot be made", error);
        return NULL;
    }
    int lock = aft_lock_take(path, error);
    if (lock == AFT_LOCK_NONE) {
        return NULL;
    }
    AftStore *store = open_locked(path, identity, may_be, error);
    if (store == NULL) {
        aft_lock_give(lock, path);
        return NULL;
    }
    store->lock = lock;
    return store;
}

AftStore *aft_store_open_file(const char *path, GError **error)
{
    AftStore *store = store_new(path, SQLITE_OPEN_READONLY, error);
    gboolean fine = store != NULL && aft_store_check(store, FALSE, error) &&
                    open_identity(store, error) && prepare(store, error) &&
                    aft_store_check_points(store, error);
    return if_fine(store, fine);
}

AftStore *aft_store_open_damaged(const char *path, GError **error)
{
    AftStore *store = store_new(path, SQLITE_OPEN_READONLY, error);
    gboolean fine = store != NULL && run(store, "PRAGMA writable_schema = ON", error) &&
                    open_identity(store, error) && prepare(store, error);
    return if_fine(store, fine);
}

void aft_store_free(AftStore *store)
{
    if (store == NULL) {
        return;
    }
    for (guint i = 0; i < AFT_STORE_STATEMENTS; i++) {
        sqlite3_finalize(store->statements[i]);
    }
    /* A reader may be in the way: the log then stays, and is read. */
    if (store->lock != AFT_LOCK_NONE) {
        sqlite3_busy_timeout(store->db, 0);
        sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->db);
    aft_lock_give(store->lock, store->path);
    pthread_mutex_destroy(&store->turn);
    aft_identity_clear(&store->identity);
    g_free(store->path);
    g_free(store);
}

static const char *const ends[] = {[AFT_STORE_WHOLE] = "whole", [AFT_STORE_JOINED] = "joined"};

gboolean aft_store_end(AftStore *store, AftStoreEnd end, GError **error)
{
    g_autofree char *sql =
        g_strdup_printf("INSERT OR REPLACE INTO meta VALUES ('end', '%s')", ends[end]);
    return run(store, sql, error);
}

AftStoreEnd aft_store_ended(AftStore *store)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(store->db, store->path, "SELECT value FROM meta WHERE key = 'end'", NULL);
    if (statement == NULL || sqlite3_step(statement) != SQLITE_ROW) {
        return AFT_STORE_OPEN;
    }
    const char *value = (const char *)sqlite3_column_text(statement, 0);
    return g_strcmp0(value, ends[AFT_STORE_WHOLE]) == 0 ? AFT_STORE_WHOLE : AFT_STORE_JOINED;
}

const AftStoreIdentity *aft_store_identity(const AftStore *store)
{
    return &store->identity;
}
