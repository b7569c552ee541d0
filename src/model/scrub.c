/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scrub.h"

#include "curator_parts.h"

#include <math.h>

/* The next member that a node looks at. */
typedef struct {
    guint pool, chunk, member; /* the group is that which holds the chunk */
    double ahead_bytes;        /* of members of the node from here on */
    gboolean ended;
} Cursor;

struct AftScrub {
    AftCurator *curator;
    AftEngine *engine;
    Cursor *cursors; /* a node */
    guint n_ended;   /* of them */
    GHashTable *transfers;
    gboolean on;
    gboolean late;  /* the next pass should have started */
    gint64 next_ns; /* when it does, scenario time */
};

static guint64 bytes_of(const AftPool *pool)
{
    return (guint64)ceil(pool->member_bytes);
}

/* Whether member @m of @group is to be read where it is. */
static gboolean is_there(const AftPool *pool, guint group, guint m)
{
    const AftGroup *it = &pool->groups[group];
    return it->used && !it->lost && (it->current >> m & 1) != 0 &&
           aft_pool_member(pool, group, m)->transfer == NULL;
}

static AftLane *lane_of(const AftScrub *scrub, guint node)
{
    return &scrub->curator->lanes[AFT_TASK_SCRUB][node];
}

static void set_ahead(AftScrub *scrub, guint node, double bytes)
{
    lane_of(scrub, node)->waiting_bytes += bytes - scrub->cursors[node].ahead_bytes;
    scrub->cursors[node].ahead_bytes = bytes;
}

static void begin_transfer(AftScrub *scrub, AftPool *pool, guint group, guint m, guint node)
{
    guint64 bytes = bytes_of(pool);
    AftTransfer *transfer = g_new(AftTransfer, 1);
    *transfer = (AftTransfer){
        .pool = pool,
        .group = group,
        .member = m,
        .task = AFT_TASK_SCRUB,
        .target = aft_pool_member(pool, group, m)->device,
        .node = node,
        .weight = 1,
        .bytes = bytes,
    };
    g_hash_table_add(scrub->transfers, transfer);
    set_ahead(scrub, node, scrub->cursors[node].ahead_bytes - (double)bytes);
    aft_curator_enqueue(scrub->curator, transfer);
}

static void drop(AftScrub *scrub, AftTransfer *transfer)
{
    g_hash_table_remove(scrub->transfers, transfer);
    aft_curator_drop(scrub->curator, transfer);
}

static void drop_stale(AftScrub *scrub, guint node)
{
    GQueue *queue = &lane_of(scrub, node)->level[0];
    for (GList *link = queue->head, *next; link != NULL; link = next) {
        AftTransfer *transfer = link->data;
        next = link->next;
        gboolean there =
            transfer->member < aft_pool_layout(transfer->pool, transfer->group)->width &&
            is_there(transfer->pool, transfer->group, transfer->member) &&
            aft_pool_member(transfer->pool, transfer->group, transfer->member)->device ==
                transfer->target;
        if (!there) {
            drop(scrub, transfer);
        }
    }
}

/* Lets @cursor go on to the next member of any node. Returns: FALSE when there is none. */
static gboolean next_member(const AftScrub *scrub, Cursor *cursor, AftPool **ret_pool,
                            guint *ret_group, guint *ret_m)
{
    const GPtrArray *pools = scrub->curator->pools;
    while (cursor->pool < pools->len) {
        AftPool *pool = pools->pdata[cursor->pool];
        if (cursor->chunk == pool->n_chunks) {
            cursor->pool++;
            cursor->chunk = 0;
            continue;
        }
        guint group = aft_pool_group_of(pool, cursor->chunk);
        gboolean first = aft_pool_first_chunk(pool, group) == cursor->chunk;
        if (!first || cursor->member >= aft_pool_layout(pool, group)->width) {
            cursor->chunk++;
            cursor->member = 0;
            continue;
        }
        *ret_pool = pool;
        *ret_group = group;
        *ret_m = cursor->member++;
        return TRUE;
    }
    return FALSE;
}

/* The node that reads @m. */
static guint node_of(const AftScrub *scrub, const AftPool *pool, guint group, guint m)
{
    return aft_curator_node_of(scrub->curator, aft_pool_member(pool, group, m)->device);
}

/* Returns: FALSE when the cursor has come to the end. */
static gboolean fill_one(AftScrub *scrub, guint node)
{
    Cursor *cursor = &scrub->cursors[node];
    AftPool *pool;
    guint group, m;
    while (next_member(scrub, cursor, &pool, &group, &m)) {
        if (is_there(pool, group, m) && node_of(scrub, pool, group, m) == node) {
            begin_transfer(scrub, pool, group, m, node);
            return TRUE;
        }
    }
    return FALSE;
}

static void begin_if_late(void *context, gint64 now_ns);

static void end_if_over(AftScrub *scrub)
{
    if (!scrub->on || scrub->n_ended < scrub->curator->topology->n_nodes ||
        g_hash_table_size(scrub->transfers) > 0) {
        return;
    }
    scrub->on = FALSE;
    scrub->curator->watch.arrived(scrub->curator->watch.context);
    if (scrub->late) {
        aft_engine_schedule_slow(scrub->engine, aft_engine_scenario_now(scrub->engine),
                                 begin_if_late, scrub);
    }
}

void aft_scrub_fill(AftScrub *scrub, guint node, guint n)
{
    Cursor *cursor = &scrub->cursors[node];
    if (!scrub->on) {
        return;
    }
    drop_stale(scrub, node);
    while (!cursor->ended && lane_of(scrub, node)->level[0].length < n) {
        if (!fill_one(scrub, node)) {
            cursor->ended = TRUE;
            scrub->n_ended++;
            set_ahead(scrub, node, 0.0);
        }
    }
    end_if_over(scrub);
}

void aft_scrub_complete(AftScrub *scrub, AftTransfer *transfer)
{
    drop(scrub, transfer);
    end_if_over(scrub);
}

static gboolean is_ahead(const Cursor *cursor, guint pool, guint chunk, guint m)
{
    if (cursor->pool != pool) {
        return pool > cursor->pool;
    }
    return chunk != cursor->chunk ? chunk > cursor->chunk : m >= cursor->member;
}

/* Adds to @ahead, a node, the bytes of members that their nodes have still to come to. */
static void count_ahead(const AftScrub *scrub, double *ahead)
{
    Cursor at = {0};
    AftPool *pool;
    guint group, m;
    while (next_member(scrub, &at, &pool, &group, &m)) {
        guint node = is_there(pool, group, m) ? node_of(scrub, pool, group, m) : AFT_NOWHERE;
        if (node != AFT_NOWHERE && is_ahead(&scrub->cursors[node], at.pool, at.chunk, m)) {
            ahead[node] += (double)bytes_of(pool);
        }
    }
}

void aft_scrub_recount(AftScrub *scrub)
{
    if (!scrub->on) {
        return;
    }
    guint n_nodes = scrub->curator->topology->n_nodes;
    g_autofree double *ahead = g_new0(double, n_nodes);
    count_ahead(scrub, ahead);
    for (guint node = 0; node < n_nodes; node++) {
        set_ahead(scrub, node, scrub->cursors[node].ended ? 0.0 : ahead[node]);
    }
}

static void begin(AftScrub *scrub)
{
    scrub->on = TRUE;
    scrub->late = FALSE;
    scrub->n_ended = 0;
    for (guint node = 0; node < scrub->curator->topology->n_nodes; node++) {
        scrub->cursors[node] = (Cursor){.ahead_bytes = scrub->cursors[node].ahead_bytes};
    }
    scrub->curator->watch.changed(scrub->curator->watch.context); /* which counts what is ahead */
}

static void begin_if_late(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftScrub *scrub = context;
    if (!scrub->on && scrub->late) {
        begin(scrub);
    }
}

static void is_due(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftScrub *scrub = context;
    scrub->next_ns += scrub->curator->scenario->background.scrub_every_ns;
    aft_engine_schedule_slow(scrub->engine, scrub->next_ns, is_due, scrub);
    scrub->late = TRUE;
    begin_if_late(scrub, now_ns);
}

AftScrub *aft_scrub_new(AftCurator *curator)
{
    const AftBackgroundSpec *spec = &curator->scenario->background;
    AftScrub *scrub = g_new0(AftScrub, 1);
    scrub->curator = curator;
    scrub->engine = curator->topology->engine;
    scrub->cursors = g_new0(Cursor, curator->topology->n_nodes);
    scrub->transfers = g_hash_table_new(NULL, NULL);
    if (spec->scrub_every_ns != G_MAXINT64) {
        scrub->next_ns = spec->task[AFT_TASK_SCRUB].delay_ns;
        aft_engine_schedule_slow(scrub->engine, scrub->next_ns, is_due, scrub);
    }
    return scrub;
}

void aft_scrub_free(AftScrub *scrub)
{
    if (scrub == NULL) {
        return;
    }
    GHashTableIter it;
    gpointer transfer;
    g_hash_table_iter_init(&it, scrub->transfers);
    while (g_hash_table_iter_next(&it, &transfer, NULL)) {
        g_free(transfer);
    }
    g_hash_table_unref(scrub->transfers);
    g_free(scrub->cursors);
    g_free(scrub);
}

gboolean aft_scrub_is_on(const AftScrub *scrub)
{
    return scrub->on;
}
