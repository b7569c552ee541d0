/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - replications that are done, kept so that nothing is lost.
 *
 * A store is one SQLite file in a folder, "sweep.db", or "shard-2-of-4.db" of a shard: STRICT
 * tables, a write-ahead log, one transaction a batch. What a transaction holds is on disk when
 * aft_store_append() returns; the rest of a batch never is.
 *
 *     meta          key, value: schema, version, sweep, name, fidelity, seed, points, shard, shards
 *     points        point, settings (a line each), scenario_sha256
 *     replications  point, replication, and the columns of aft_replication_table()
 *     phases        point, replication, occurrence, and the columns of aft_phase_table()
 *
 * Threads may share a store: its functions take turns.
 */
#pragma once

#include <aftershock/sweep/replication.h>

typedef struct AftStore AftStore;

/** What must be the same for rows to belong together. */
typedef struct {
    const char *version;      /* of the program */
    const char *sweep_sha256; /* aft_sweep_digest() */
    const char *base_sha256;  /* digest of the base scenario as it is without any axis */
    const char *name;
    const char *fidelity;
    guint64 seed;
    guint points;        /* of the whole sweep */
    guint shard, shards; /* 1 of 1: not sharded */
} AftStoreIdentity;

/** Opens the store in the folder @directory, which is made if need be, as @identity (copied) says.
 *  One that is not there is begun. One that is there is refused unless @resume, and when what it
 *  holds is of another version, sweep or scenario: the message names what differs.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE: it cannot be made, read or
 *  written (with what to do), or it is damaged (what is left of it is told); AFT_ERROR_CONFLICT: it
 *  is another one's. */
AftStore *aft_store_open(const char *directory, const AftStoreIdentity *identity, gboolean resume,
                         GError **error);

/** Opens the store in the file @path for reading only, whatever it is of. */
AftStore *aft_store_open_file(const char *path, GError **error);

/** Ends what is open and folds the log into the file. */
void aft_store_free(AftStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftStore, aft_store_free)

/** Borrowed from @store. */
const AftStoreIdentity *aft_store_identity(const AftStore *store);

/** Keeps @n @rows, all or none. One whose point and replication are there already replaces it if
 *  that failed, and is left out if not. Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_store_append(AftStore *store, const AftReplication *const *rows, guint n,
                          GError **error);

/** What axes are at @point, "axis=text", NULL-terminated; kept once. Returns: FALSE with
 *  AFT_ERROR_FILE. */
gboolean aft_store_put_point(AftStore *store, guint point, const char *const *settings,
                             const char *scenario_sha256, GError **error);

/** What aft_store_put_point() kept of @point. Returns: (transfer full) (nullable): NULL: nothing.
 */
char **aft_store_point(AftStore *store, guint point);

/** Calls @visit for all replications of @point, or all of all (G_MAXUINT), by point and
 *  replication; @row is (transfer none). Returns: FALSE with AFT_ERROR_FILE, or when @visit did. */
typedef gboolean (*AftStoreVisitor)(const AftReplication *row, gpointer data, GError **error);
gboolean aft_store_each(AftStore *store, guint point, AftStoreVisitor visit, gpointer data,
                        GError **error);

/** Whether @replication of @point is there, done or failed. */
gboolean aft_store_has(AftStore *store, guint point, guint replication);

/** How many replications there are, of all points. */
typedef struct {
    guint64 done, failed;
} AftStoreCount;
AftStoreCount aft_store_count(AftStore *store);

/** SHA-256 over all rows in order, without what a machine or a time of day changes: the same for
 *  the same sweep however it was run. Returns: (transfer full) (nullable). */
char *aft_store_digest(AftStore *store, GError **error);

/** What a merge found. */
typedef struct {
    guint stores, rows, duplicates;
    GPtrArray *conflicts; /* texts: rows of one point and replication that differ */
    GPtrArray *gaps;      /* texts: shards that are missing, points without replications */
} AftMergeReport;

void aft_merge_report_clear(AftMergeReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftMergeReport, aft_merge_report_clear)

/** Joins the stores in @directories (n, each with one or more shards) into "sweep.db" of
 *  @directory: rows that are there twice once; ones that differ are told, and the first is kept.
 *  The target appears whole or not at all. Returns: FALSE with AFT_ERROR_FILE or
 *  AFT_ERROR_CONFLICT: stores of different sweeps, versions or scenarios, naming what differs. */
gboolean aft_store_merge(const char *const *directories, guint n, const char *directory,
                         AftMergeReport *ret_report, GError **error);
