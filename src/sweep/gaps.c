/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gaps.h"

typedef struct {
    GPtrArray *texts;
    guint64 n;
} Gaps;

void aft_gaps_add(GPtrArray *texts, guint64 n, char *text)
{
    if (n < AFT_GAPS_MOST) {
        g_ptr_array_add(texts, text);
        return;
    }
    g_free(text);
    if (n > AFT_GAPS_MOST) {
        g_ptr_array_set_size(texts, AFT_GAPS_MOST);
    }
    g_ptr_array_add(texts,
                    g_strdup_printf("and %" G_GUINT64_FORMAT " more", n - AFT_GAPS_MOST + 1));
}

/* Adds that of @things those from @from up to, not with, @to are missing, if that is any. */
static void add_run(Gaps *gaps, const char *before, const char *things, guint64 from, guint64 to,
                    const char *after)
{
    if (from + 1 == to) {
        aft_gaps_add(gaps->texts, gaps->n++,
                     g_strdup_printf("%s%s %" G_GUINT64_FORMAT "%s", before, things, from, after));
    } else if (from < to) {
        aft_gaps_add(gaps->texts, gaps->n++,
                     g_strdup_printf("%s%ss %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT "%s",
                                     before, things, from, to - 1, after));
    }
}

static gint by_shard(gconstpointer a, gconstpointer b)
{
    const AftShard *one = a, *other = b;
    return one->shards != other->shards
               ? (one->shards > other->shards) - (one->shards < other->shards)
               : (one->shard > other->shard) - (one->shard < other->shard);
}

static void add_shards(Gaps *gaps, guint64 from, guint64 to, guint shards)
{
    g_autofree char *after = g_strdup_printf(" of %u: not there", shards);
    add_run(gaps, "", "shard", from, to, after);
}

/* A whole store among them is complete without any shard. */
static void find_shards(Gaps *gaps, GArray *shards)
{
    g_array_sort(shards, by_shard);
    guint64 next = 1;
    for (guint i = 0; i < shards->len; i++) {
        AftShard *it = &g_array_index(shards, AftShard, i);
        if (it->shards <= 1) {
            return;
        }
        add_shards(gaps, next, it->shard, it->shards);
        next = (guint64)it->shard + 1;
        if (i + 1 == shards->len || it[1].shards != it->shards) {
            add_shards(gaps, next, (guint64)it->shards + 1, it->shards);
            next = 1;
        }
    }
}

static void add_points(Gaps *gaps, guint64 from, guint64 to)
{
    add_run(gaps, "", "point", from, to, ": no replications");
}

static void add_replications(Gaps *gaps, guint64 point, guint64 from, guint64 to)
{
    g_autofree char *before = g_strdup_printf("point %" G_GUINT64_FORMAT ": ", point);
    add_run(gaps, before, "replication", from, to, " not there");
}

static gboolean find_rows(Gaps *gaps, AftStore *store, GError **error)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(store->db, store->path,
                        "SELECT point, replication FROM replications ORDER BY 1, 2", error);
    guint64 next_point = 0, next = 0;
    int step = SQLITE_ERROR;
    while (statement != NULL && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        guint64 point = (guint64)sqlite3_column_int64(statement, 0);
        guint64 replication = (guint64)sqlite3_column_int64(statement, 1);
        add_points(gaps, next_point, point);
        next = point + 1 == next_point ? next : 0;
        add_replications(gaps, point, next, replication);
        next_point = point + 1;
        next = replication + 1;
    }
    add_points(gaps, next_point, store->identity.points);
    return statement != NULL &&
           (step == SQLITE_DONE || aft_sql_failed(store->db, store->path, error));
}

gboolean aft_gaps_find(AftStore *store, GArray *shards, GPtrArray *gaps, guint64 n, GError **error)
{
    Gaps it = {gaps, n};
    find_shards(&it, shards);
    return find_rows(&it, store, error);
}
