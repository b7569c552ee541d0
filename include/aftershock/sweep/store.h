/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - replications that are done, kept so that nothing is lost.
 *
 * A store is one SQLite file in a folder, "sweep.db", or "shard-2-of-4.db" of a shard: STRICT
 * tables, a write-ahead log, one transaction a batch. What a transaction holds is on disk when
 * aft_store_append() returns; the rest of a batch never is.
 *
 *     meta          key, value: schema, version, sweep, base, name, design, fidelity, seed, points,
 *                   shard, shards; and how it ended, if it has: aft_store_end()
 *     points        point, settings (a line each), scenario_sha256
 *     replications  point, replication, the columns of aft_replication_table(), and row_sha256 of
 *                   them and their phases, by which a damaged row is known
 *     phases        point, replication, occurrence, and the columns of aft_phase_table()
 *
 * One program at a time writes to a store: it holds a lock (flock) on an empty file beside it,
 * "sweep.db.lock", which ends with it. Any number may read meanwhile. Once a store is ended it is
 * one file, which can be copied and read from anywhere. Threads may share a store: its functions
 * take turns.
 */
#pragma once

#include <aftershock/sweep/replication.h>

typedef struct AftStore AftStore;

/** What must be the same for rows to belong together. */
typedef struct {
    const char *version;      /* of the program */
    const char *sweep_sha256; /* aft_sweep_digest() */
    const char *base_sha256;  /* digest of the base scenario as it is without any axis */
    const char *name;         /* told, but may change */
    const char *design;       /* "sobol": how points are made */
    const char *fidelity;
    guint64 seed;
    guint points;        /* of the whole sweep */
    guint shard, shards; /* 1 of 1: not sharded */
} AftStoreIdentity;

/** Opens the store in the folder @directory, which is made if need be, as @identity (copied) says.
 *  One that is not there is begun. One that is there is refused unless @resume, and when what it
 *  holds is of another version, sweep or scenario: the message names what differs. All of it is
 *  read, to see that it is what was written.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE: it cannot be made, read or
 *  written, another is writing to it, or it is damaged (what is left of it, and what to do, is
 *  told; the file stays as it is); AFT_ERROR_CONFLICT: it is another one's, or there already. */
AftStore *aft_store_open(const char *directory, const AftStoreIdentity *identity, gboolean resume,
                         GError **error);

/** Opens the store in the file @path for reading only, whatever it is of, be it one that is being
 *  written. Rows are looked at for damage when they are read. */
AftStore *aft_store_open_file(const char *path, GError **error);

/** Ends what is open and folds the log into the file. */
void aft_store_free(AftStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftStore, aft_store_free)

/** How a store came to its end. */
typedef enum {
    AFT_STORE_OPEN,  /* not yet: its sweep may go on */
    AFT_STORE_WHOLE, /* all that its sweep will ever want is in it */
    AFT_STORE_JOINED /* of others, some of which may have lacked something */
} AftStoreEnd;

/** Keeps that @store, which is being written, has ended. */
gboolean aft_store_end(AftStore *store, AftStoreEnd end, GError **error);

AftStoreEnd aft_store_ended(AftStore *store);

/** Borrowed from @store. */
const AftStoreIdentity *aft_store_identity(const AftStore *store);

/** Keeps @n @rows, all or none. One whose point and replication are there already replaces it if
 *  that failed, and is left out if not. Doubles come back with the same bits, but for -0, which is
 *  0. Returns: FALSE with AFT_ERROR_FILE; the store can be used on. */
gboolean aft_store_append(AftStore *store, const AftReplication *const *rows, guint n,
                          GError **error);

/** What axes are at a point. */
typedef struct {
    guint point;
    char **settings; /* "axis=text", NULL-terminated */
    char *scenario_sha256;
} AftStorePoint;

/** The same with @n_points @points, each of which is kept once. Returns: FALSE with AFT_ERROR_FILE,
 *  or AFT_ERROR_CONFLICT: something else is there of a point. */
gboolean aft_store_keep(AftStore *store, const AftStorePoint *const *points, guint n_points,
                        const AftReplication *const *rows, guint n, GError **error);

/** The settings that were kept of @point. Returns: (transfer full) (nullable): NULL: nothing. */
char **aft_store_point(AftStore *store, guint point);

/** Calls @visit for all replications of @point, or all of all (G_MAXUINT), by point and
 *  replication, as of one moment; @row is (transfer none), and @visit keeps its hands off @store.
 *  Returns: FALSE with AFT_ERROR_FILE, also of a damaged row, or when @visit did. */
typedef gboolean (*AftStoreVisitor)(const AftReplication *row, gpointer data, GError **error);
gboolean aft_store_each(AftStore *store, guint point, AftStoreVisitor visit, gpointer data,
                        GError **error);

/** How many replications there are, of all points. */
typedef struct {
    guint64 done, failed;
} AftStoreCount;
AftStoreCount aft_store_count(AftStore *store);

/** SHA-256 over all replications and their phases in order: the same for the same rows, however
 * they came into the store, and whatever its identity says. Returns: (transfer full) (nullable):
 * NULL with AFT_ERROR_FILE. */
char *aft_store_digest(AftStore *store, GError **error);

/** What a merge found. Texts beyond a hundred are counted in one more. */
typedef struct {
    guint stores, rows, duplicates;
    GPtrArray *conflicts; /* texts: rows of one point and replication that differ */
    GPtrArray *gaps;      /* texts: stores that are damaged, shards that are missing, points without
                             replications, holes in the numbers of replications */
} AftMergeReport;

void aft_merge_report_clear(AftMergeReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftMergeReport, aft_merge_report_clear)

/** Joins the stores in @directories (n, each with one or more shards) into "sweep.db" of
 *  @directory: rows that are there twice once; ones that differ are told, and the first is kept,
 *  but what was done wins over what failed. A "sweep.db" that is there already is joined as well,
 *  as the last. Of a damaged store what can be read is taken, and told as a gap, but not if it is
 *  in the target's place. The target appears whole or not at all.
 *  Returns: FALSE with AFT_ERROR_FILE, or AFT_ERROR_CONFLICT: stores of different sweeps, versions
 *  or scenarios, naming what differs. */
gboolean aft_store_merge(const char *const *directories, guint n, const char *directory,
                         AftMergeReport *ret_report, GError **error);
