/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_private.h - the inside of a store, for those who open, fill and read it. */
#pragma once

#include "sql.h"

#include <aftershock/sweep/store.h>

#include <pthread.h>

typedef enum {
    AFT_STORE_FIND,        /* by point, replication: whether it failed, its digest */
    AFT_STORE_PUT,         /* a replication */
    AFT_STORE_PUT_PHASE,   /* one of its phases */
    AFT_STORE_DROP_PHASES, /* of point, replication */
    AFT_STORE_FIND_POINT,  /* settings, scenario_sha256 */
    AFT_STORE_PUT_POINT,   /* point, settings, scenario_sha256 */
    AFT_STORE_EACH,        /* replications of points from, to */
    AFT_STORE_EACH_PHASE,  /* of point, replication */
    AFT_STORE_COUNT,       /* of replications, of those that failed */
    AFT_STORE_STATEMENTS
} AftStoreStatement;

struct AftStore {
    char *path;
    int lock; /* AFT_LOCK_NONE: reading only */
    sqlite3 *db;
    sqlite3_stmt *statements[AFT_STORE_STATEMENTS];
    AftStoreIdentity identity; /* owns its texts */
    pthread_mutex_t turn;
};

/** "sweep.db", "shard-2-of-4.db". Returns: (transfer full): in @directory. */
char *aft_store_path(const char *directory, guint shard, guint shards);

/** Opens a store of which not all can be read, for reading what can be. */
AftStore *aft_store_open_damaged(const char *path, GError **error);

/** Begins a store in the file @path, which is not there, without a lock or a log of its own. */
AftStore *aft_store_create(const char *path, const AftStoreIdentity *identity, GError **error);

/** Ends @store (transfer full), of aft_store_create(), and gives its file the name @path: after
 *  that it is there, whatever happens. Returns: FALSE with AFT_ERROR_FILE, its file away. */
gboolean aft_store_settle(AftStore *store, const char *path, GError **error);

/** Folds what a log holds into the file @path. */
gboolean aft_store_fold(const char *path, GError **error);

/** Looks for damage: in all pages, and in all rows if @rows. Returns: FALSE with AFT_ERROR_FILE,
 *  which says what is left and what to do. */
gboolean aft_store_check(AftStore *store, gboolean rows, GError **error);

/** Of a row and its phases. Returns: (transfer full). */
char *aft_store_row_digest(const AftReplication *row);

/** The same of a row of `points`. Returns: (transfer full). */
char *aft_store_point_digest(guint point, const char *settings, const char *sha256);

/** Whether all points are as they were written. Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_store_check_points(AftStore *store, GError **error);

/** Keeps @row if that is not done yet, in a transaction of the caller's. */
gboolean aft_store_put(AftStore *store, const AftReplication *row, GError **error);

/** Keeps what is set at @point, a line each, if it is not there. */
gboolean aft_store_put_settings(AftStore *store, guint point, const char *text,
                                const char *scenario_sha256, GError **error);

/** Whether there is a row of @point and @replication; the rest only then. The digest is
 *  (transfer full). */
gboolean aft_store_find(AftStore *store, guint point, guint replication, gboolean *ret_failed,
                        char **ret_digest);

/** Calls @visit for rows of points @from to @to, telling which are damaged. Returns: FALSE with
 *  AFT_ERROR_FILE, or when @visit did. */
typedef gboolean (*AftStoreWatcher)(const AftReplication *row, gboolean intact, gpointer data,
                                    GError **error);
gboolean aft_store_watch(AftStore *store, guint from, guint to, AftStoreWatcher visit,
                         gpointer data, GError **error);
