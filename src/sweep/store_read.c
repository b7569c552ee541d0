/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_private.h"

#include <aftershock/base/error.h>

enum { MOST_NAMED = 20 }; /* damaged rows */

static gboolean add_phase(AftReplication *row, sqlite3_stmt *statement)
{
    AftPhaseRow phase;
    aft_table_init_row(aft_phase_table(), &phase);
    gboolean fine = aft_sql_read(statement, 1, aft_phase_table(), &phase);
    g_array_append_val(row->phases, phase);
    return fine;
}

/* Returns: SQLITE_DONE, or what it failed of. */
static int read_phases(AftStore *store, AftReplication *row, gboolean *ret_intact)
{
    sqlite3_stmt *statement = store->statements[AFT_STORE_EACH_PHASE];
    sqlite3_bind_int64(statement, 1, row->point);
    sqlite3_bind_int64(statement, 2, row->replication);
    gboolean intact = TRUE;
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        intact &= add_phase(row, statement);
    }
    sqlite3_reset(statement);
    *ret_intact = intact;
    return step;
}

/* Visits the row that @statement is at. */
static gboolean visit_row(AftStore *store, sqlite3_stmt *statement, AftStoreWatcher visit,
                          gpointer data, GError **error)
{
    guint point = (guint)sqlite3_column_int64(statement, 0);
    guint replication = (guint)sqlite3_column_int64(statement, 1);
    g_autoptr(AftReplication) row = aft_replication_new_failed(point, replication, 0, "", NULL);
    gboolean sound = aft_sql_read(statement, 3, aft_replication_table(), row), phases_sound;
    if (read_phases(store, row, &phases_sound) != SQLITE_DONE) {
        return aft_sql_failed(store->db, store->path, error);
    }
    g_autofree char *digest = aft_store_row_digest(row);
    const char *written = (const char *)sqlite3_column_text(statement, 2);
    return visit(row, sound && phases_sound && g_strcmp0(digest, written) == 0, data, error);
}

static gboolean watch(AftStore *store, sqlite3_stmt *statement, AftStoreWatcher visit,
                      gpointer data, GError **error)
{
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!visit_row(store, statement, visit, data, error)) {
            return FALSE;
        }
    }
    return step == SQLITE_DONE || aft_sql_failed(store->db, store->path, error);
}

gboolean aft_store_watch(AftStore *store, guint from, guint to, AftStoreWatcher visit,
                         gpointer data, GError **error)
{
    sqlite3_stmt *statement = store->statements[AFT_STORE_EACH];
    sqlite3_bind_int64(statement, 1, from);
    sqlite3_bind_int64(statement, 2, to);
    /* A row and its phases are read one after the other, and must be of one moment. */
    gboolean fine = aft_sql_run(store->db, store->path, "BEGIN", error);
    fine = fine && watch(store, statement, visit, data, error);
    sqlite3_reset(statement);
    sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return fine;
}

typedef struct {
    const AftStore *store;
    AftStoreVisitor visit;
    gpointer data;
} Visit;

static gboolean visit_intact(const AftReplication *row, gboolean intact, gpointer data,
                             GError **error)
{
    const Visit *it = data;
    if (!intact) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                    "%s: replication %u of point %u is damaged: it is not what was written; "
                    "resume its sweep to be told what to do",
                    it->store->path, row->replication, row->point);
        return FALSE;
    }
    return it->visit(row, it->data, error);
}

gboolean aft_store_each(AftStore *store, guint point, AftStoreVisitor visit, gpointer data,
                        GError **error)
{
    Visit it = {store, visit, data};
    pthread_mutex_lock(&store->turn);
    gboolean fine =
        aft_store_watch(store, point == G_MAXUINT ? 0 : point, point, visit_intact, &it, error);
    pthread_mutex_unlock(&store->turn);
    return fine;
}

static gboolean digest_row(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    g_autofree char *digest = aft_store_row_digest(row);
    g_checksum_update(data, (const guchar *)digest, -1);
    return TRUE;
}

char *aft_store_digest(AftStore *store, GError **error)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    return aft_store_each(store, G_MAXUINT, digest_row, checksum, error)
               ? g_strdup(g_checksum_get_string(checksum))
               : NULL;
}

/* What a look for damage came to. */
typedef struct {
    guint64 intact, damaged;
    GString *keys; /* of the first that are damaged, as SQL has them */
} Damage;

static gboolean look_at(const AftReplication *row, gboolean intact, gpointer data,
                        GError **error G_GNUC_UNUSED)
{
    Damage *damage = data;
    damage->intact += intact ? 1 : 0;
    if (!intact && damage->damaged++ < MOST_NAMED) {
        g_string_append_printf(damage->keys, "%s(%u, %u)", damage->keys->len > 0 ? ", " : "",
                               row->point, row->replication);
    }
    return TRUE;
}

/* Tells of damaged rows in pages that are sound: they can be taken out and run again. */
static gboolean tell_rows(const AftStore *store, const Damage *damage, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                "%s: is damaged: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                " replications are not what was written (point, replication: %s%s); put back a "
                "copy, or take them out with sqlite3, \"DELETE FROM replications WHERE (point, "
                "replication) IN (VALUES %s)\", and resume, which runs them again",
                store->path, damage->damaged, damage->damaged + damage->intact, damage->keys->str,
                damage->damaged > MOST_NAMED ? ", ..." : "", damage->keys->str);
    return FALSE;
}

static gboolean check_rows(AftStore *store, GError **error)
{
    Damage damage = {0, 0, g_string_new(NULL)};
    gboolean fine = aft_store_watch(store, 0, G_MAXUINT, look_at, &damage, error);
    fine = fine && (damage.damaged == 0 || tell_rows(store, &damage, error));
    g_string_free(damage.keys, TRUE);
    return fine;
}

/* How many rows of a file with damaged pages can be read, as far as is known. */
static guint64 count_readable(AftStore *store)
{
    sqlite3_exec(store->db, "PRAGMA writable_schema = ON", NULL, NULL,
                 NULL); /* of a cut file too */
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(store->db, store->path, "SELECT point FROM replications", NULL);
    guint64 n = 0;
    while (statement != NULL && sqlite3_step(statement) == SQLITE_ROW) {
        n++;
    }
    return n;
}

/* Tells that pages are damaged, as @found says. */
static gboolean tell_pages(AftStore *store, const char *found, GError **error)
{
    g_autofree char *line = g_strdelimit(g_strdup(found), "\n", ' ');
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                "%s: is damaged: %s; at least %" G_GUINT64_FORMAT " replications can be read; put "
                "back a copy, or merge its folder into another, which takes over what can be "
                "read, and resume there",
                store->path, line, count_readable(store));
    return FALSE;
}

static gboolean check_pages(AftStore *store, GError **error)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(store->db, store->path, "PRAGMA quick_check(1)", NULL);
    if (statement != NULL && sqlite3_step(statement) == SQLITE_ROW) {
        const char *found = (const char *)sqlite3_column_text(statement, 0);
        return g_strcmp0(found, "ok") == 0 || tell_pages(store, found, error);
    }
    return (sqlite3_errcode(store->db) & 0xff) == SQLITE_CORRUPT
               ? tell_pages(store, sqlite3_errmsg(store->db), error)
               : aft_sql_failed(store->db, store->path, error);
}

gboolean aft_store_check(AftStore *store, gboolean rows, GError **error)
{
    return rows ? check_rows(store, error) : check_pages(store, error);
}

/* Whether the point at hand has the digest of what it says. */
static gboolean is_sound_point(sqlite3_stmt *statement)
{
    const char *texts[3];
    for (int i = 0; i < 3; i++) {
        texts[i] = (const char *)sqlite3_column_text(statement, 1 + i);
        if (texts[i] == NULL) {
            return FALSE;
        }
    }
    guint point = (guint)sqlite3_column_int64(statement, 0);
    g_autofree char *digest = aft_store_point_digest(point, texts[0], texts[1]);
    return g_str_equal(digest, texts[2]);
}

gboolean aft_store_check_points(AftStore *store, GError **error)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(store->db, store->path,
                        "SELECT point, settings, scenario_sha256, row_sha256 FROM points", error);
    if (statement == NULL) {
        return FALSE;
    }
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!is_sound_point(statement)) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                        "%s: is damaged: point %u is not what was written; put back a copy, or "
                        "begin again in another folder",
                        store->path, (guint)sqlite3_column_int64(statement, 0));
            return FALSE;
        }
    }
    return step == SQLITE_DONE || aft_sql_failed(store->db, store->path, error);
}
