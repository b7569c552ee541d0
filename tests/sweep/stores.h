/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stores.h - rows to keep, and stores in passing folders, for tests. */
#pragma once

#include "test.h"

#include <aftershock/sweep/store.h>

#include <glib/gstdio.h>

static const AftStoreIdentity identity = {.version = "0.1.0",
                                          .sweep_sha256 = "1111111111111111",
                                          .base_sha256 = "2222222222222222",
                                          .name = "small",
                                          .design = "grid",
                                          .fidelity = "flow",
                                          .seed = 7,
                                          .points = 10,
                                          .shard = 1,
                                          .shards = 1};

static inline AftStoreIdentity shard_of(guint shard, guint shards)
{
    AftStoreIdentity it = identity;
    it.shard = shard;
    it.shards = shards;
    return it;
}

/* Returns: (transfer full). */
static inline char *new_folder(void)
{
    return g_dir_make_tmp("aftershock-store-XXXXXX", NULL);
}

/* Takes @folder (transfer full) and what is in it. */
static inline void remove_folder(char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_unlink(path) != 0) {
            remove_folder(g_steal_pointer(&path));
        }
    }
    g_rmdir(folder);
    g_free(folder);
}

/* Any double: a large one, a small one, one of 53 bits; some are NaN. */
static inline double any_double(GRand *rand)
{
    static const double odd[] = {0.0, 1e300, 5e-324, -1.0 / 3.0, INFINITY, 4503599627370497.0};
    guint at = (guint)g_rand_int_range(rand, 0, 20);
    return at < G_N_ELEMENTS(odd) ? odd[at] : at == 19 ? (double)NAN : g_rand_double(rand) * 1e6;
}

static inline void fill(const AftTable *table, gpointer row, GRand *rand)
{
    for (guint i = 0; i < table->n_columns; i++) {
        gpointer member = (char *)row + table->columns[i].offset;
        switch (table->columns[i].kind) {
        case AFT_CELL_PHASE:
            *(AftPhase *)member = (AftPhase)g_rand_int_range(rand, 0, AFT_PHASES);
            break;
        case AFT_CELL_TEXT:
            g_free(*(char **)member);
            *(char **)member = g_strdup_printf("text ' %u \303\251", g_rand_int(rand));
            break;
        case AFT_CELL_COUNT:
            *(guint64 *)member = (guint64)g_rand_int(rand) << 21;
            break;
        case AFT_CELL_YES:
            *(gboolean *)member = g_rand_boolean(rand);
            break;
        default:
            *(double *)member = any_double(rand);
        }
    }
}

/* A row with something in each column, the same whenever it is asked for. */
static inline AftReplication *row_at(guint point, guint replication)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(point * 1000 + replication);
    AftReplication *row = aft_replication_new_failed(point, replication, 0, "", NULL);
    fill(aft_replication_table(), row, rand);
    g_clear_pointer(&row->failure, g_free);
    for (guint i = 0; i < 2 + replication % 4; i++) {
        AftPhaseRow phase;
        aft_phase_row_init(&phase, AFT_PHASE_STEADY);
        fill(aft_phase_table(), &phase, rand);
        g_array_append_val(row->phases, phase);
    }
    return row;
}

/* Keeps @row (transfer full). */
static inline gboolean keep(AftStore *store, AftReplication *row, GError **error)
{
    g_autoptr(AftReplication) mine = row;
    const AftReplication *const rows[] = {mine};
    return aft_store_append(store, rows, 1, error);
}

static inline void free_row(gpointer row)
{
    aft_replication_free(row);
}

/* Keeps @n replications of @point, from @from on, at once. */
static inline void keep_many(AftStore *store, guint point, guint from, guint n)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
    for (guint i = from; i < from + n; i++) {
        g_ptr_array_add(rows, row_at(point, i));
    }
    assert_true(aft_store_append(store, (const AftReplication *const *)rows->pdata, n, NULL));
}

static inline gboolean keep_point(AftStore *store, guint point, const char *const *settings,
                                  GError **error)
{
    const AftStorePoint one = {point, (char **)settings, (char *)"abc"};
    const AftStorePoint *points = &one;
    return aft_store_keep(store, &points, 1, NULL, 0, error);
}

typedef struct {
    guint replication;
    gboolean found;
} Wanted;

static inline gboolean is_wanted(const AftReplication *row, gpointer data,
                                 GError **error G_GNUC_UNUSED)
{
    Wanted *wanted = data;
    wanted->found |= row->replication == wanted->replication;
    return TRUE;
}

/* Whether @replication of @point is there, done or failed. */
static inline gboolean has(AftStore *store, guint point, guint replication)
{
    Wanted wanted = {replication, FALSE};
    assert_true(aft_store_each(store, point, is_wanted, &wanted, NULL));
    return wanted.found;
}

/* Fails unless there is a store. */
static inline AftStore *open_as(const char *folder, AftStoreIdentity it, gboolean resume)
{
    g_autoptr(GError) error = NULL;
    AftStore *store = aft_store_open(folder, &it, resume, &error);
    if (store == NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(store);
    return store;
}

static inline AftStore *open_in(const char *folder, gboolean resume)
{
    return open_as(folder, identity, resume);
}

/* Returns: (transfer full). */
static inline char *digest_in(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    g_autoptr(AftStore) store = aft_store_open_file(path, NULL);
    assert_non_null(store);
    char *digest = aft_store_digest(store, NULL);
    assert_non_null(digest);
    return digest;
}
