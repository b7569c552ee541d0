/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pool.h"

#include "curator.h"

#include <aftershock/scenario/services.h>
#include <math.h>

static void place_initially(AftPool *pool, guint group)
{
    aft_pool_rehome(pool, group);
    for (guint m = 0; m < pool->width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        g_assert(member->home != AFT_NOWHERE); /* the scenario was validated */
        member->device = aft_pool_device_on(pool, group, member->home, INFINITY);
        g_assert(member->device != AFT_NOWHERE);
        member->valid = TRUE;
        aft_topology_store(pool->topology, member->device, pool->stored_bytes);
    }
}

static void init_members(AftPool *pool)
{
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        pool->members[i] = (AftMember){.device = AFT_NOWHERE, .home = AFT_NOWHERE};
    }
    for (guint group = 0; group < pool->n_groups; group++) {
        place_initially(pool, group);
        pool->groups[group].current = pool->everyone;
        pool->groups[group].live_at = group;
        pool->live[group] = group;
    }
    pool->n_live = pool->n_groups;
}

void aft_pool_init(AftPool *pool, const AftScenario *scenario, guint index, AftTopology *topology)
{
    const AftPoolSpec *spec = &scenario->pools[index];
    guint width = aft_protection_width(&spec->initial);
    *pool = (AftPool){
        .spec = spec,
        .topology = topology,
        .width = width,
        .everyone = aft_protection_everyone(&spec->initial),
        .n_groups = spec->placement_groups,
        .groups = g_new0(AftGroup, spec->placement_groups),
        .members = g_new(AftMember, (gsize)spec->placement_groups * width),
        .live = g_new(guint32, spec->placement_groups),
        .member_bytes =
            (double)spec->logical_bytes / (double)(spec->placement_groups * spec->initial.data),
        .index = index,
        .client = aft_charge_client(spec, &scenario->cluster.node.controller),
        .background = aft_charge_background(spec, &scenario->cluster.node.controller),
        .destage = aft_charge_destage(spec),
        .places = {.seed = scenario->run.seed + index,
                   .n = topology->n_nodes,
                   .allowed = topology->in},
    };
    pool->stored_bytes = pool->member_bytes * aft_services_ratio(spec);
    init_members(pool);
}

void aft_pool_clear(AftPool *pool)
{
    g_free(pool->groups);
    g_free(pool->members);
    g_free(pool->live);
}

static void set_lost(AftPool *pool, guint group, gboolean lost)
{
    AftGroup *it = &pool->groups[group];
    it->lost = lost;
    if (lost) {
        guint32 last = pool->live[--pool->n_live];
        pool->live[it->live_at] = last;
        pool->groups[last].live_at = it->live_at;
    } else {
        it->live_at = pool->n_live;
        pool->live[pool->n_live++] = group;
    }
}

static const AftNode *node_of(const AftPool *pool, guint32 device)
{
    return &pool->topology->nodes[pool->topology->devices[device].node];
}

static guint missing_of(const AftPool *pool, const AftGroup *group)
{
    return group->lost ? 0 : pool->width - (guint)__builtin_popcount(group->current);
}

static void look_at_members(const AftPool *pool, guint group)
{
    AftGroup *it = &pool->groups[group];
    it->current = 0;
    it->blocked = 0;
    for (guint m = 0; m < pool->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        const AftNode *node = node_of(pool, member->device);
        it->current |= (guint32)(member->valid && node->alive) << m;
        it->blocked = (guint8)(it->blocked + !node->known);
        if (member->transfer != NULL) {
            it->blocked = (guint8)(it->blocked + !node_of(pool, member->transfer->target)->known);
        }
    }
}

/* Writes pass by the members on nodes that are known to be dead, from when all of the group is
 * known: until then there are none. */
static void note_stale(AftPool *pool, guint group)
{
    for (guint m = 0; m < pool->width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        const AftNode *node = node_of(pool, member->device);
        if (member->valid && !node->alive && node->known) {
            member->valid = FALSE;
            member->written_mark = pool->written_bytes;
        }
    }
}

void aft_pool_refresh(AftPool *pool, guint group)
{
    AftGroup *it = &pool->groups[group];
    guint missing = missing_of(pool, it);
    look_at_members(pool, group);
    gboolean few = !aft_protection_readable(&pool->spec->initial, it->current);
    gboolean lost = few && (it->blocked == 0 || it->lost); /* nobody can know it earlier */
    if (lost != it->lost) {
        set_lost(pool, group, lost);
    }
    if (!lost && it->blocked == 0) {
        note_stale(pool, group);
    }
    pool->missing += missing_of(pool, it) - missing;
    pool->degraded += (missing_of(pool, it) > 0);
    pool->degraded -= (missing > 0);
}

static gboolean is_home(const AftPool *pool, guint group, guint32 node)
{
    for (guint m = 0; m < pool->width; m++) {
        if (aft_pool_member(pool, group, m)->home == node) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean contains(const guint32 *nodes, guint n, guint32 node)
{
    for (guint i = 0; i < n; i++) {
        if (nodes[i] == node) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The best nodes for a group, some of them not yet given to a member. */
typedef struct {
    guint32 node[AFT_WIDTH_MOST];
    guint n;
} Best;

static void claim(AftPool *pool, guint group, guint m, guint32 node, const Best *best)
{
    AftMember *member = aft_pool_member(pool, group, m);
    if (member->home == AFT_NOWHERE && node != AFT_NOWHERE && contains(best->node, best->n, node) &&
        !is_home(pool, group, node)) {
        member->home = node;
    }
}

/* Members that are on one of the best nodes stay, those on their way to one go on, so that each
 * keeps its part of the stripe; the others get what is left of the best. */
static void share_out(AftPool *pool, guint group, const guint32 *before, const Best *best)
{
    for (guint m = 0; m < pool->width; m++) {
        guint32 device = aft_pool_member(pool, group, m)->device;
        guint32 node = device == AFT_NOWHERE ? AFT_NOWHERE : pool->topology->devices[device].node;
        claim(pool, group, m, node, best);
    }
    for (guint m = 0; m < pool->width; m++) {
        claim(pool, group, m, before[m], best);
    }
    for (guint m = 0; m < pool->width; m++) {
        for (guint i = 0; i < best->n; i++) {
            claim(pool, group, m, best->node[i], best);
        }
    }
}

gboolean aft_pool_rehome(AftPool *pool, guint group)
{
    Best best;
    guint32 before[AFT_WIDTH_MOST];
    gboolean changed = FALSE;
    best.n = aft_placement_rank(&pool->places, group, pool->width, best.node);
    for (guint m = 0; m < pool->width; m++) {
        before[m] = aft_pool_member(pool, group, m)->home;
        aft_pool_member(pool, group, m)->home = AFT_NOWHERE;
    }
    share_out(pool, group, before, &best);
    for (guint m = 0; m < pool->width; m++) {
        changed |= aft_pool_member(pool, group, m)->home != before[m];
    }
    return changed;
}

guint32 aft_pool_device_on(const AftPool *pool, guint group, guint node, double full)
{
    const AftNode *it = &pool->topology->nodes[node];
    g_autofree double *weight = g_new(double, it->n_devices);
    g_autofree guint8 *allowed = g_new(guint8, it->n_devices);
    for (guint i = 0; i < it->n_devices; i++) {
        const AftDevice *device = &pool->topology->devices[it->first_device + i];
        weight[i] = (double)device->size_bytes;
        allowed[i] = !device->cache &&
                     device->used_bytes + pool->stored_bytes <= full * (double)device->size_bytes;
    }
    AftPlaces places = {
        .seed = pool->places.seed + 1 + it->first_device, /* unlike the hash of the nodes */
        .n = it->n_devices,
        .weight = weight,
        .allowed = allowed,
    };
    guint32 best;
    return aft_placement_rank(&places, group, 1, &best) == 1 ? it->first_device + best
                                                             : AFT_NOWHERE;
}

/* Returns: whether the member is current there. */
static gboolean locate(const AftPool *pool, const AftGroup *group, const AftMember *member, guint m,
                       double position, guint32 *ret_device)
{
    const AftTransfer *transfer = member->transfer;
    if (transfer != NULL && position < aft_transfer_progress(transfer)) {
        *ret_device = transfer->target;
        return node_of(pool, transfer->target)->alive;
    }
    *ret_device = member->device;
    return (group->current >> m & 1) != 0;
}

guint32 aft_pool_locate(const AftPool *pool, guint group, double position, guint32 *ret_devices)
{
    guint32 current = 0;
    for (guint m = 0; m < pool->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        current |= (guint32)locate(pool, &pool->groups[group], member, m, position, &ret_devices[m])
                   << m;
    }
    return current;
}

gboolean aft_pool_touches(const AftPool *pool, guint group, guint node)
{
    for (guint m = 0; m < pool->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (member->home == node || pool->topology->devices[member->device].node == node ||
            (member->transfer != NULL &&
             pool->topology->devices[member->transfer->target].node == node)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void look_for_obstacles(const AftPool *pool, guint group, AftObstacles *obstacles)
{
    for (guint m = 0; m < pool->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (pool->groups[group].current >> m & 1 || member->transfer != NULL) {
            continue;
        }
        if (member->home == AFT_NOWHERE) {
            obstacles->no_target = TRUE;
        } else if (pool->topology->nodes[member->home].alive && pool->groups[group].cramped) {
            obstacles->no_space = TRUE;
        }
    }
}

void aft_pool_find_obstacles(const AftPool *pool, AftObstacles *obstacles)
{
    for (guint i = 0; i < pool->n_live; i++) {
        look_for_obstacles(pool, pool->live[i], obstacles);
    }
}

double aft_pool_missed_bytes(const AftPool *pool, double written_mark)
{
    double written = pool->written_bytes - written_mark;
    return pool->member_bytes * -expm1(-written / pool->member_bytes);
}
