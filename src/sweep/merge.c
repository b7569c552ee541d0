/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gaps.h"
#include "identity.h"
#include "lock.h"

#include <aftershock/base/error.h>
#include <aftershock/base/file.h>

#include <glib/gstdio.h>
#include <string.h>

/* Stores on their way into one. */
typedef struct {
    GPtrArray *paths; /* of stores, in the order in which they are joined */
    AftStore *target; /* (nullable): until the first store is open */
    const char *path; /* that the target will have */
    const char *from; /* path of the store that is being joined */
    guint64 taken;    /* rows of it */
    gboolean damaged; /* some of it cannot be read */
    gboolean failed;  /* the target cannot be written */
    gboolean joined;  /* one of the stores was itself made by joining */
    GArray *shards;   /* AftShard, of those that were */
    guint64 conflicts, gaps;
    AftMergeReport *report;
} Merge;

void aft_merge_report_clear(AftMergeReport *report)
{
    g_clear_pointer(&report->conflicts, g_ptr_array_unref);
    g_clear_pointer(&report->gaps, g_ptr_array_unref);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns: (transfer full) (nullable): paths of the stores in @directory, by name. */
static GPtrArray *stores_in(const char *directory, GError **error)
{
    g_autoptr(GError) reason = NULL;
    g_autoptr(GDir) dir = g_dir_open(directory, 0, &reason);
    if (dir == NULL) {
        g_set_error_literal(error, AFT_ERROR, AFT_ERROR_FILE, reason->message);
        return NULL;
    }
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL) {
        if (g_str_equal(name, "sweep.db") || g_pattern_match_simple("shard-*-of-*.db", name)) {
            g_ptr_array_add(paths, g_build_filename(directory, name, NULL));
        }
    }
    g_ptr_array_sort(paths, by_name);
    return paths;
}

static gboolean add_directory(GPtrArray *paths, const char *directory, GError **error)
{
    GPtrArray *found = stores_in(directory, error);
    if (found == NULL) {
        return FALSE;
    }
    guint n = found->len;
    g_ptr_array_extend_and_steal(paths, found);
    if (n == 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                    "%s: has no store of a sweep (sweep.db, or shard-1-of-4.db and the like)",
                    directory);
    }
    return n > 0;
}

static gboolean is_same_file(const char *one, const char *other)
{
    GStatBuf a, b;
    return g_stat(one, &a) == 0 && g_stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* What is in the target's place already is joined too: nothing that was kept is lost. */
static void add_target(GPtrArray *paths, const char *path)
{
    for (guint i = 0; i < paths->len; i++) {
        if (is_same_file(paths->pdata[i], path)) {
            return;
        }
    }
    if (g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_ptr_array_add(paths, g_strdup(path));
    }
}

static void add_conflict(Merge *it, char *text)
{
    aft_gaps_add(it->report->conflicts, it->conflicts++, text);
}

static gboolean join_row(Merge *it, const AftReplication *row, GError **error)
{
    gboolean before_failed;
    g_autofree char *before = NULL;
    if (!aft_store_find(it->target, row->point, row->replication, &before_failed, &before)) {
        it->report->rows++;
        return aft_store_put(it->target, row, error);
    }
    g_autofree char *digest = aft_store_row_digest(row);
    if (before_failed != (row->failure != NULL)) { /* what was done wins */
        it->report->duplicates++;
        return aft_store_put(it->target, row, error);
    }
    if (g_str_equal(before, digest)) {
        it->report->duplicates++;
    } else {
        add_conflict(it, g_strdup_printf("point %u, replication %u: %s differs from what came "
                                         "before it, which is kept",
                                         row->point, row->replication, it->from));
    }
    return TRUE;
}

static gboolean take_row(const AftReplication *row, gboolean intact, gpointer data, GError **error)
{
    Merge *it = data;
    it->damaged |= !intact;
    it->taken += intact ? 1 : 0;
    it->failed = intact && !join_row(it, row, error);
    return !it->failed;
}

/* What can be read of @store; by points, of which damage may leave some whole. */
static gboolean take_rows(Merge *it, AftStore *store, GError **error)
{
    it->taken = 0;
    if (!it->damaged) {
        return aft_store_watch(store, 0, G_MAXUINT, take_row, it, error);
    }
    for (guint point = 0; point < store->identity.points; point++) {
        g_autoptr(GError) reason = NULL;
        if (!aft_store_watch(store, point, point, take_row, it, &reason) && it->failed) {
            g_propagate_error(error, g_steal_pointer(&reason));
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean join_point(Merge *it, guint point, const char *settings, const char *sha256,
                           GError **error)
{
    g_autoptr(GError) reason = NULL;
    if (aft_store_put_settings(it->target, point, settings, sha256, &reason)) {
        return TRUE;
    }
    if (!g_error_matches(reason, AFT_ERROR, AFT_ERROR_CONFLICT)) {
        g_propagate_error(error, g_steal_pointer(&reason));
        return FALSE;
    }
    add_conflict(it, g_strdup_printf("point %u: %s sets something else there than what came "
                                     "before it, which is kept",
                                     point, it->from));
    return TRUE;
}

static gboolean join_points(Merge *it, AftStore *store, GError **error)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(store->db, store->path,
                        "SELECT point, settings, scenario_sha256 FROM points ORDER BY point",
                        error);
    if (statement == NULL) {
        return FALSE;
    }
    int step;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!join_point(it, (guint)sqlite3_column_int64(statement, 0),
                        (const char *)sqlite3_column_text(statement, 1),
                        (const char *)sqlite3_column_text(statement, 2), error)) {
            return FALSE;
        }
    }
    return step == SQLITE_DONE || aft_sql_failed(store->db, store->path, error);
}

/* Makes the target, of the sweep of @store, the first. */
static gboolean begin(Merge *it, const AftStore *store, const char *passing, GError **error)
{
    AftStoreIdentity whole = store->identity;
    whole.shard = whole.shards = 1;
    it->target = aft_store_create(passing, &whole, error);
    return it->target != NULL && aft_sql_run(it->target->db, passing, "BEGIN", error);
}

static gboolean belongs(const Merge *it, const AftStore *store, GError **error)
{
    g_autofree char *apart = aft_identity_apart(&it->target->identity, &store->identity);
    if (apart != NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "%s and %s cannot be joined: they differ in %s", (char *)it->paths->pdata[0],
                    store->path, apart);
    }
    return apart == NULL;
}

/* Tells of a store that is damaged; one that is to be replaced is not, for the sake of the rest. */
static gboolean tell_damage(Merge *it, GError **error)
{
    if (it->damaged && is_same_file(it->from, it->path)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                    "%s: is damaged, and would be replaced: join it into another folder", it->from);
        return FALSE;
    }
    if (it->damaged) {
        aft_gaps_add(it->report->gaps, it->gaps++,
                     g_strdup_printf("%s: is damaged: no more than %" G_GUINT64_FORMAT
                                     " of its replications could be taken over",
                                     it->from, it->taken));
    }
    return TRUE;
}

/* Tells of a store whose sweep may go on: what it lacks behind its last replications is not to be
 * seen from what it has. */
static void tell_end(Merge *it, AftStore *store)
{
    AftStoreEnd end = aft_store_ended(store);
    it->joined |= end == AFT_STORE_JOINED;
    if (end == AFT_STORE_OPEN && !it->damaged) {
        aft_gaps_add(it->report->gaps, it->gaps++,
                     g_strdup_printf("%s: its sweep has not come to its end; go on with it by "
                                     "\"aftershock sweep --resume\"",
                                     it->from));
    }
}

/* Settings of points are taken from sound stores only: who resumes knows them anyway. */
static gboolean join(Merge *it, AftStore *store, GError **error)
{
    AftShard shard = {store->identity.shard, store->identity.shards};
    g_array_append_val(it->shards, shard);
    it->report->stores++;
    tell_end(it, store);
    return belongs(it, store, error) && (it->damaged || join_points(it, store, error)) &&
           take_rows(it, store, error) && tell_damage(it, error);
}

/* Opens the store to be joined, or what is left of it. */
static AftStore *open_source(Merge *it, GError **error)
{
    g_autoptr(GError) reason = NULL;
    AftStore *store = aft_store_open_file(it->from, &reason);
    it->damaged = store == NULL;
    if (it->damaged) {
        store = aft_store_open_damaged(it->from, NULL);
    }
    if (store == NULL) {
        g_propagate_error(error, g_steal_pointer(&reason));
    }
    return store;
}

static gboolean join_all(Merge *it, const char *passing, GError **error)
{
    gboolean fine = TRUE;
    for (guint i = 0; fine && i < it->paths->len; i++) {
        it->from = it->paths->pdata[i];
        g_autoptr(AftStore) store = open_source(it, error);
        fine =
            store != NULL && (i > 0 || begin(it, store, passing, error)) && join(it, store, error);
    }
    if (!fine || !aft_gaps_find(it->target, it->shards, it->report->gaps, it->gaps, error)) {
        return FALSE;
    }
    gboolean whole = it->report->gaps->len == 0 && !it->joined;
    return aft_store_end(it->target, whole ? AFT_STORE_WHOLE : AFT_STORE_JOINED, error) &&
           aft_sql_run(it->target->db, passing, "COMMIT", error);
}

/* Gives the target its name, once what it replaces is not in use. */
static gboolean put_in_place(Merge *it, const char *path, GError **error)
{
    gboolean replaces = g_file_test(path, G_FILE_TEST_EXISTS);
    return (!replaces || aft_store_fold(path, error)) &&
           aft_store_settle(g_steal_pointer(&it->target), path, error);
}

/* Joins into @path, whose lock is held. */
static gboolean merge(Merge *it, const char *path, GError **error)
{
    g_autofree char *passing = g_strconcat(path, ".new", NULL);
    it->path = path;
    add_target(it->paths, path);
    gboolean fine = join_all(it, passing, error) && put_in_place(it, path, error);
    if (it->target != NULL) {
        aft_store_free(it->target);
        g_unlink(passing);
    }
    return fine;
}

/* Makes the folder of the target, and takes the lock. */
static gboolean merge_into(Merge *it, const char *directory, GError **error)
{
    g_autofree char *path = aft_store_path(directory, 1, 1);
    gboolean existed = g_file_test(directory, G_FILE_TEST_EXISTS);
    if (g_mkdir_with_parents(directory, 0777) != 0) {
        return aft_file_failed(directory, "the folder cannot be made", error);
    }
    int lock = aft_lock_take(path, error);
    gboolean fine = lock != AFT_LOCK_NONE && merge(it, path, error);
    aft_lock_give(lock, path);
    if (!fine && !existed) {
        g_rmdir(directory);
    }
    return fine;
}

static AftMergeReport *report_init(AftMergeReport *report)
{
    *report = (AftMergeReport){.conflicts = g_ptr_array_new_with_free_func(g_free),
                               .gaps = g_ptr_array_new_with_free_func(g_free)};
    return report;
}

gboolean aft_store_merge(const char *const *directories, guint n, const char *directory,
                         AftMergeReport *ret_report, GError **error)
{
    AftMergeReport report;
    Merge it = {.paths = g_ptr_array_new_with_free_func(g_free),
                .shards = g_array_new(FALSE, FALSE, sizeof(AftShard)),
                .report = report_init(&report)};
    gboolean fine = TRUE;
    for (guint i = 0; fine && i < n; i++) {
        fine = add_directory(it.paths, directories[i], error);
    }
    fine = fine && merge_into(&it, directory, error);
    g_ptr_array_unref(it.paths);
    g_array_unref(it.shards);
    if (fine) {
        *ret_report = report;
    } else {
        aft_merge_report_clear(&report);
    }
    return fine;
}
