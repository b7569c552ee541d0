/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scrub.h"

#include "curator_parts.h"

#include <math.h>

/* A place for a member: the group is that which holds the chunk. */
typedef struct {
    guint pool, chunk, member;
} Place;

/* What a node has still to look at. */
typedef struct {
    GArray *places;     /* Place: that it was dealt */
    guint next;         /* of them */
    double ahead_bytes; /* of those, and of what it will be dealt */
    gboolean ended;
} Share;

struct AftScrub {
    AftCurator *curator;
    AftEngine *engine;
    Place cursor;  /* what is before it was dealt */
    Share *shares; /* a node */
    guint n_ended; /* of them */
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
    lane_of(scrub, node)->waiting_bytes += bytes - scrub->shares[node].ahead_bytes;
    scrub->shares[node].ahead_bytes = bytes;
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
    aft_curator_enqueue(scrub->curator, transfer);
    set_ahead(scrub, node, scrub->shares[node].ahead_bytes - (double)bytes);
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

/* Whether the group at @place, and with it a member, begins there. */
static gboolean finds(const AftScrub *scrub, const Place *place, AftPool **ret_pool,
                      guint *ret_group)
{
    AftPool *pool = scrub->curator->pools->pdata[place->pool];
    guint group = aft_pool_group_of(pool, place->chunk);
    if (aft_pool_first_chunk(pool, group) != place->chunk ||
        place->member >= aft_pool_layout(pool, group)->width) {
        return FALSE;
    }
    *ret_pool = pool;
    *ret_group = group;
    return TRUE;
}

/* Lets @cursor go on to the next member of any node, and past it. Returns: FALSE when there is
 * none. */
static gboolean next_member(const AftScrub *scrub, Place *cursor, Place *ret_place,
                            AftPool **ret_pool, guint *ret_group)
{
    const GPtrArray *pools = scrub->curator->pools;
    while (cursor->pool < pools->len) {
        const AftPool *pool = pools->pdata[cursor->pool];
        if (cursor->chunk == pool->n_chunks) {
            *cursor = (Place){.pool = cursor->pool + 1};
        } else if (finds(scrub, cursor, ret_pool, ret_group)) {
            *ret_place = *cursor;
            cursor->member++;
            return TRUE;
        } else {
            *cursor = (Place){.pool = cursor->pool, .chunk = cursor->chunk + 1};
        }
    }
    return FALSE;
}

/* The node that reads @m when its turn comes: what is on its way will have arrived. */
static guint node_of(const AftScrub *scrub, const AftPool *pool, guint group, guint m)
{
    const AftMember *member = aft_pool_member(pool, group, m);
    return aft_curator_node_of(scrub->curator, member->transfer != NULL ? member->transfer->target
                                                                        : member->device);
}

/* Deals members to their nodes until @node has one. Returns: FALSE when there is none left. */
static gboolean deal_to(AftScrub *scrub, guint node)
{
    Share *share = &scrub->shares[node];
    Place place;
    AftPool *pool;
    guint group;
    while (share->next == share->places->len) {
        if (!next_member(scrub, &scrub->cursor, &place, &pool, &group)) {
            return FALSE;
        }
        Share *its = &scrub->shares[node_of(scrub, pool, group, place.member)];
        if (its->next == its->places->len) { /* it has looked at all of them */
            g_array_set_size(its->places, 0);
            its->next = 0;
        }
        g_array_append_val(its->places, place);
    }
    return TRUE;
}

/* Whether what @node was dealt as @place is to be read there. */
static gboolean is_due_at(const AftScrub *scrub, guint node, const Place *place, AftPool **ret_pool,
                          guint *ret_group)
{
    return finds(scrub, place, ret_pool, ret_group) &&
           is_there(*ret_pool, *ret_group, place->member) &&
           node_of(scrub, *ret_pool, *ret_group, place->member) == node;
}

/* Returns: FALSE when the node has come to the end. */
static gboolean fill_one(AftScrub *scrub, guint node)
{
    Share *share = &scrub->shares[node];
    AftPool *pool;
    guint group;
    while (deal_to(scrub, node)) {
        Place place = g_array_index(share->places, Place, share->next++);
        if (is_due_at(scrub, node, &place, &pool, &group)) {
            begin_transfer(scrub, pool, group, place.member, node);
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
    Share *share = &scrub->shares[node];
    if (!scrub->on) {
        return;
    }
    drop_stale(scrub, node);
    while (!share->ended && lane_of(scrub, node)->level[0].length < n) {
        if (!fill_one(scrub, node)) {
            share->ended = TRUE;
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

/* Bytes of members that @node was dealt and has still to read. */
static double dealt_bytes(const AftScrub *scrub, guint node)
{
    const Share *share = &scrub->shares[node];
    double bytes = 0.0;
    AftPool *pool;
    guint group;
    for (guint i = share->next; i < share->places->len; i++) {
        if (is_due_at(scrub, node, &g_array_index(share->places, Place, i), &pool, &group)) {
            bytes += (double)bytes_of(pool);
        }
    }
    return bytes;
}

/* Writes to @ahead, a node, the bytes of members that their nodes have still to come to. */
static void count_ahead(const AftScrub *scrub, double *ahead)
{
    Place cursor = scrub->cursor, place;
    AftPool *pool;
    guint group;
    for (guint node = 0; node < scrub->curator->topology->n_nodes; node++) {
        ahead[node] = dealt_bytes(scrub, node);
    }
    while (next_member(scrub, &cursor, &place, &pool, &group)) {
        if (is_there(pool, group, place.member)) {
            ahead[node_of(scrub, pool, group, place.member)] += (double)bytes_of(pool);
        }
    }
}

void aft_scrub_recount(AftScrub *scrub)
{
    if (!scrub->on) {
        return;
    }
    guint n_nodes = scrub->curator->topology->n_nodes;
    g_autofree double *ahead = g_new(double, n_nodes);
    count_ahead(scrub, ahead);
    for (guint node = 0; node < n_nodes; node++) {
        set_ahead(scrub, node, scrub->shares[node].ended ? 0.0 : ahead[node]);
    }
}

static void begin(AftScrub *scrub)
{
    scrub->on = TRUE;
    scrub->late = FALSE;
    scrub->n_ended = 0;
    scrub->cursor = (Place){0};
    for (guint node = 0; node < scrub->curator->topology->n_nodes; node++) {
        Share *share = &scrub->shares[node];
        g_array_set_size(share->places, 0);
        share->next = 0;
        share->ended = FALSE;
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
    scrub->shares = g_new0(Share, curator->topology->n_nodes);
    for (guint node = 0; node < curator->topology->n_nodes; node++) {
        scrub->shares[node].places = g_array_new(FALSE, FALSE, sizeof(Place));
    }
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
    for (guint node = 0; node < scrub->curator->topology->n_nodes; node++) {
        g_array_unref(scrub->shares[node].places);
    }
    g_free(scrub->shares);
    g_free(scrub);
}

gboolean aft_scrub_is_on(const AftScrub *scrub)
{
    return scrub->on;
}
