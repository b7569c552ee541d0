/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_private.h"

#include "lock.h"

#include <aftershock/base/error.h>
#include <string.h>

/* Binds @point and @replication to the first parameters of statement @which, ready to be run. */
static sqlite3_stmt *statement_for(AftStore *store, AftStoreStatement which, guint point,
                                   guint replication)
{
    sqlite3_stmt *statement = store->statements[which];
    sqlite3_bind_int64(statement, 1, point);
    sqlite3_bind_int64(statement, 2, replication);
    return statement;
}

/* Runs @statement, which gives no rows. */
static gboolean perform(AftStore *store, sqlite3_stmt *statement, GError **error)
{
    gboolean fine = sqlite3_step(statement) == SQLITE_DONE;
    if (!fine) {
        aft_sql_failed(store->db, store->path, error);
    }
    sqlite3_reset(statement);
    return fine;
}

static void digest_count(GChecksum *checksum, guint count)
{
    guint32 bytes = GUINT32_TO_LE(count);
    g_checksum_update(checksum, (const guchar *)&bytes, sizeof(bytes));
}

char *aft_store_point_digest(guint point, const char *settings, const char *sha256)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    digest_count(checksum, point);
    g_checksum_update(checksum, (const guchar *)settings, (gssize)strlen(settings) + 1);
    g_checksum_update(checksum, (const guchar *)sha256, -1);
    return g_strdup(g_checksum_get_string(checksum));
}

char *aft_store_row_digest(const AftReplication *row)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    digest_count(checksum, row->point);
    digest_count(checksum, row->replication);
    aft_sql_digest(checksum, aft_replication_table(), row);
    digest_count(checksum, row->phases->len);
    for (guint i = 0; i < row->phases->len; i++) {
        aft_sql_digest(checksum, aft_phase_table(), &g_array_index(row->phases, AftPhaseRow, i));
    }
    return g_strdup(g_checksum_get_string(checksum));
}

gboolean aft_store_find(AftStore *store, guint point, guint replication, gboolean *ret_failed,
                        char **ret_digest)
{
    sqlite3_stmt *statement = statement_for(store, AFT_STORE_FIND, point, replication);
    gboolean found = sqlite3_step(statement) == SQLITE_ROW;
    if (found) {
        *ret_failed = sqlite3_column_int(statement, 0) != 0;
        *ret_digest = g_strdup((const char *)sqlite3_column_text(statement, 1));
    }
    sqlite3_reset(statement);
    return found;
}

static gboolean put_phases(AftStore *store, const AftReplication *row, GError **error)
{
    gboolean fine = TRUE;
    for (guint i = 0; fine && i < row->phases->len; i++) {
        sqlite3_stmt *statement =
            statement_for(store, AFT_STORE_PUT_PHASE, row->point, row->replication);
        sqlite3_bind_int64(statement, 3, i);
        aft_sql_bind(statement, 4, aft_phase_table(), &g_array_index(row->phases, AftPhaseRow, i));
        fine = perform(store, statement, error);
    }
    return fine;
}

gboolean aft_store_put(AftStore *store, const AftReplication *row, GError **error)
{
    gboolean before_failed = TRUE;
    g_autofree char *before = NULL;
    aft_store_find(store, row->point, row->replication, &before_failed, &before);
    if (!before_failed) {
        return TRUE;
    }
    g_autofree char *digest = aft_store_row_digest(row);
    sqlite3_stmt *drop = statement_for(store, AFT_STORE_DROP_PHASES, row->point, row->replication);
    sqlite3_stmt *put = statement_for(store, AFT_STORE_PUT, row->point, row->replication);
    sqlite3_bind_text(put, 3, digest, -1, SQLITE_STATIC);
    aft_sql_bind(put, 4, aft_replication_table(), row);
    return perform(store, drop, error) && perform(store, put, error) &&
           put_phases(store, row, error);
}

/* Whether @point is there as it should be; FALSE with @error when it is there otherwise. */
static gboolean has_point(AftStore *store, guint point, const char *text, const char *sha256,
                          gboolean *ret_there, GError **error)
{
    sqlite3_stmt *statement = store->statements[AFT_STORE_FIND_POINT];
    sqlite3_bind_int64(statement, 1, point);
    *ret_there = sqlite3_step(statement) == SQLITE_ROW;
    gboolean same =
        !*ret_there || (g_strcmp0((const char *)sqlite3_column_text(statement, 0), text) == 0 &&
                        g_strcmp0((const char *)sqlite3_column_text(statement, 1), sha256) == 0);
    sqlite3_reset(statement);
    if (!same) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "%s: point %u has other settings than it should have: it is damaged; put back "
                    "a copy, or begin again in another folder",
                    store->path, point);
    }
    return same;
}

gboolean aft_store_put_settings(AftStore *store, guint point, const char *text, const char *sha256,
                                GError **error)
{
    gboolean there;
    if (!has_point(store, point, text, sha256, &there, error)) {
        return FALSE;
    }
    if (there) {
        return TRUE;
    }
    sqlite3_stmt *statement = store->statements[AFT_STORE_PUT_POINT];
    sqlite3_bind_int64(statement, 1, point);
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, sha256, -1, SQLITE_STATIC);
    g_autofree char *digest = aft_store_point_digest(point, text, sha256);
    sqlite3_bind_text(statement, 4, digest, -1, SQLITE_STATIC);
    return perform(store, statement, error);
}

static gboolean keep_all(AftStore *store, const AftStorePoint *const *points, guint n_points,
                         const AftReplication *const *rows, guint n, GError **error)
{
    gboolean fine = TRUE;
    for (guint i = 0; fine && i < n_points; i++) {
        g_autofree char *text = g_strjoinv("\n", points[i]->settings);
        fine = aft_store_put_settings(store, points[i]->point, text, points[i]->scenario_sha256,
                                      error);
    }
    for (guint i = 0; fine && i < n; i++) {
        fine = aft_store_put(store, rows[i], error);
    }
    return fine;
}

gboolean aft_store_keep(AftStore *store, const AftStorePoint *const *points, guint n_points,
                        const AftReplication *const *rows, guint n, GError **error)
{
    g_assert(store->lock != AFT_LOCK_NONE);
    pthread_mutex_lock(&store->turn);
    gboolean fine = aft_sql_run(store->db, store->path, "BEGIN IMMEDIATE", error) &&
                    keep_all(store, points, n_points, rows, n, error) &&
                    aft_sql_run(store->db, store->path, "COMMIT", error);
    if (!fine && !sqlite3_get_autocommit(store->db)) {
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    pthread_mutex_unlock(&store->turn);
    return fine;
}

gboolean aft_store_append(AftStore *store, const AftReplication *const *rows, guint n,
                          GError **error)
{
    return aft_store_keep(store, NULL, 0, rows, n, error);
}

char **aft_store_point(AftStore *store, guint point)
{
    pthread_mutex_lock(&store->turn);
    sqlite3_stmt *statement = store->statements[AFT_STORE_FIND_POINT];
    sqlite3_bind_int64(statement, 1, point);
    gboolean found = sqlite3_step(statement) == SQLITE_ROW;
    const char *text = found ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    char **settings = text != NULL ? g_strsplit(text, "\n", -1) : NULL;
    sqlite3_reset(statement);
    pthread_mutex_unlock(&store->turn);
    return settings;
}

AftStoreCount aft_store_count(AftStore *store)
{
    AftStoreCount count = {0, 0};
    pthread_mutex_lock(&store->turn);
    sqlite3_stmt *statement = store->statements[AFT_STORE_COUNT];
    if (sqlite3_step(statement) == SQLITE_ROW) {
        count.failed = (guint64)sqlite3_column_int64(statement, 1);
        count.done = (guint64)sqlite3_column_int64(statement, 0) - count.failed;
    }
    sqlite3_reset(statement);
    pthread_mutex_unlock(&store->turn);
    return count;
}
