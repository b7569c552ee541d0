/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pool.h"

#include "conversion.h"
#include "curator.h"
#include "sectors.h"

#include <aftershock/scenario/services.h>
#include <aftershock/scenario/tiers.h>
#include <math.h>

static gboolean is_strip(const AftPool *pool, guint group)
{
    return pool->strip_chunks > 0 && (group >= pool->first_strip) &&
           (pool->first_chunk < pool->first_strip || group < pool->first_chunk);
}

guint aft_pool_first_chunk(const AftPool *pool, guint group)
{
    return is_strip(pool, group) ? (group - pool->first_strip) * pool->strip_chunks
                                 : group - pool->first_chunk;
}

double aft_pool_working_share(const AftPool *pool, guint group, guint m)
{
    guint first = aft_pool_first_chunk(pool, group);
    gboolean strip = is_strip(pool, group);
    if (!strip || m < pool->strip_chunks) {
        return CLAMP(pool->working_chunks - first - (strip ? m : 0), 0.0, 1.0);
    }
    return CLAMP(pool->working_chunks - first, 0.0, pool->strip_chunks) / pool->strip_chunks;
}

static void store(const AftPool *pool, guint group, guint m, guint32 device, double sign)
{
    double working_bytes = pool->working_bytes * aft_pool_working_share(pool, group, m);
    aft_topology_store(pool->topology, device, sign * pool->stored_bytes, sign * working_bytes);
}

void aft_pool_take_space(const AftPool *pool, guint group, guint m, guint32 device)
{
    store(pool, group, m, device, 1.0);
}

void aft_pool_give_space(const AftPool *pool, guint group, guint m, guint32 device)
{
    store(pool, group, m, device, -1.0);
    aft_sectors_forget(pool->sectors, group, device);
}

void aft_pool_blank_member(AftPool *pool, guint group, guint m)
{
    *aft_pool_member(pool, group, m) = (AftMember){
        .device = AFT_NOWHERE,
        .home = AFT_NOWHERE,
        .seat = AFT_NOWHERE,
        .anchor = AFT_NOWHERE,
    };
}

static void place_initially(AftPool *pool, guint group)
{
    aft_pool_rehome(pool, group);
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        g_assert(member->home != AFT_NOWHERE); /* the scenario was validated */
        member->device = aft_pool_device_on(pool, group, member, INFINITY);
        g_assert(member->device != AFT_NOWHERE);
        member->valid = TRUE;
        aft_pool_take_space(pool, group, m, member->device);
    }
    pool->groups[group].current = aft_pool_layout(pool, group)->everyone;
    pool->groups[group].used = TRUE;
}

static void init_members(AftPool *pool)
{
    pool->members = g_new(AftMember, (gsize)pool->n_groups * pool->width);
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; m < pool->width; m++) {
            aft_pool_blank_member(pool, group, m);
        }
    }
    /* The groups that the pool begins with come before the others. */
    for (guint group = 0; group < pool->spec->placement_groups; group++) {
        place_initially(pool, group);
    }
}

const AftWorkingSet *aft_pool_working_set(AftPool *pool, guint n_chunks)
{
    guint i = 0;
    while (i < pool->n_sets && pool->sets[i]->n_chunks != n_chunks) {
        i++;
    }
    if (i == pool->n_sets) {
        pool->sets = g_renew(AftWorkingSet *, pool->sets, ++pool->n_sets);
        pool->sets[i] = g_new(AftWorkingSet, 1);
        aft_working_set_init(pool->sets[i], n_chunks);
    }
    return pool->sets[i];
}

/* Gives numbers to groups and chunks, and finds the size of a member: of a chunk, where chunks are
 * not whole groups of a code. */
static void number_groups(AftPool *pool)
{
    const AftProtectionSpec *initial = &pool->spec->initial;
    guint groups = pool->spec->placement_groups;
    pool->n_chunks = pool->n_groups = groups;
    pool->member_bytes = (double)pool->spec->logical_bytes / (double)(groups * initial->data);
    for (guint i = 0; i < pool->n_layouts; i++) {
        pool->width = MAX(pool->width, pool->layouts[i].width);
        if (pool->layouts[i].coded && pool->n_layouts > 1) {
            pool->strip_chunks = pool->layouts[i].spec.data;
        }
    }
    if (pool->strip_chunks > 0 && pool->layouts[0].coded) {
        pool->n_chunks = groups * pool->strip_chunks;
        pool->first_chunk = groups;
        pool->n_groups = groups + pool->n_chunks;
    } else if (pool->strip_chunks > 0) {
        pool->first_strip = groups;
        pool->n_groups = groups + groups / pool->strip_chunks;
    }
}

/* Chunks, and parts of one, that @bytes of the pool's data are; 0 bytes are all of it. */
static double chunks_of(const AftPool *pool, guint64 bytes)
{
    double share = (double)bytes / (double)pool->spec->logical_bytes;
    return bytes > 0 && share < 1.0 ? share * pool->n_chunks : pool->n_chunks;
}

guint aft_pool_chunks_of(const AftPool *pool, guint64 bytes)
{
    return (guint)ceil(chunks_of(pool, bytes));
}

static void count_chunks(AftPool *pool, const AftScenario *scenario)
{
    for (guint i = 0; i < scenario->n_workloads; i++) {
        const AftWorkloadSpec *workload = &scenario->workloads[i];
        if (workload->pool_index == pool->index) {
            double chunks = chunks_of(pool, workload->working_set_bytes);
            guint written = workload->mean_read_share < 1.0 ? (guint)ceil(chunks) : 0;
            pool->working_chunks = MAX(pool->working_chunks, chunks);
            pool->hot_chunks = MAX(pool->hot_chunks, written);
        }
    }
}

void aft_pool_init(AftPool *pool, const AftScenario *scenario, guint index, AftTopology *topology)
{
    *pool = (AftPool){
        .spec = &scenario->pools[index],
        .topology = topology,
        .index = index,
        .client = aft_charge_client(&scenario->pools[index]),
        .background = aft_charge_background(&scenario->pools[index]),
        .move = aft_charge_move(&scenario->pools[index]),
        .destage = aft_charge_destage(&scenario->pools[index]),
        .map = aft_map_new(topology, scenario->pools[index].domain, scenario->run.seed + index),
    };
    pool->layouts = aft_layouts_new(scenario, index, &pool->n_layouts);
    number_groups(pool);
    pool->stored_bytes = pool->member_bytes * aft_services_ratio(pool->spec);
    pool->working_bytes =
        aft_tiers_cached_bytes(scenario, pool->spec) /
        ((double)pool->spec->placement_groups * aft_protection_width(&pool->spec->initial));
    count_chunks(pool, scenario);
    pool->groups = g_new0(AftGroup, pool->n_groups);
    for (guint group = 0; group < pool->n_groups; group++) {
        pool->groups[group].shunned = AFT_NOWHERE;
    }
    init_members(pool);
    aft_pool_working_set(pool, pool->n_chunks);
}

void aft_pool_clear(AftPool *pool)
{
    aft_map_free(pool->map);
    g_free(pool->layouts);
    g_free(pool->groups);
    g_free(pool->members);
    for (guint i = 0; i < pool->n_sets; i++) {
        aft_working_set_clear(pool->sets[i]);
        g_free(pool->sets[i]);
    }
    g_free(pool->sets);
}

static void set_chunk_lost(AftPool *pool, guint chunk, gboolean lost)
{
    for (guint i = 0; i < pool->n_sets; i++) {
        if (lost) {
            aft_working_set_lose(pool->sets[i], chunk);
        } else {
            aft_working_set_find(pool->sets[i], chunk);
        }
    }
}

static void set_lost(AftPool *pool, guint group, gboolean lost)
{
    guint first = aft_pool_first_chunk(pool, group);
    guint n = is_strip(pool, group) ? pool->strip_chunks : 1;
    pool->groups[group].lost = lost;
    pool->n_lost += lost ? 1 : 0;
    pool->n_lost -= lost ? 0 : 1;
    aft_sectors_turn(pool->sectors, group, lost);
    for (guint chunk = first; chunk < first + n; chunk++) {
        set_chunk_lost(pool, chunk, lost);
    }
}

static const AftDevice *device_at(const AftPool *pool, guint32 device)
{
    return &pool->topology->devices[device];
}

static guint missing_of(const AftPool *pool, guint group)
{
    const AftGroup *it = &pool->groups[group];
    guint width = aft_pool_layout(pool, group)->width;
    return it->lost ? 0 : width - (guint)__builtin_popcount(it->current);
}

static void look_at_members(const AftPool *pool, guint group)
{
    AftGroup *it = &pool->groups[group];
    it->current = 0;
    it->blocked = 0;
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        const AftDevice *device = device_at(pool, member->device);
        it->current |= (guint32)(member->valid && device->up) << m;
        it->blocked = (guint8)(it->blocked + !device->known);
        if (member->transfer != NULL) {
            it->blocked = (guint8)(it->blocked + !device_at(pool, member->transfer->target)->known);
        }
    }
    if (it->conversion != NULL && aft_conversion_blocks(it->conversion)) {
        it->blocked++;
    }
}

/* Writes pass by the members on devices that are known to be down, from when all of the group is
 * known: until then there are none. */
static void note_stale(AftPool *pool, guint group)
{
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        const AftDevice *device = device_at(pool, member->device);
        if (member->valid && !device->up && device->known) {
            member->valid = FALSE;
            member->written_mark = pool->written_bytes;
        }
    }
}

void aft_pool_refresh(AftPool *pool, guint group)
{
    AftGroup *it = &pool->groups[group];
    guint missing = missing_of(pool, group);
    look_at_members(pool, group);
    gboolean few = !aft_protection_readable(&aft_pool_layout(pool, group)->spec, it->current);
    gboolean lost = few && (it->blocked == 0 || it->lost); /* nobody can know it earlier */
    if (lost != it->lost) {
        set_lost(pool, group, lost);
    }
    if (!lost && it->blocked == 0) {
        note_stale(pool, group);
    }
    pool->missing += missing_of(pool, group) - missing;
    pool->degraded += (missing_of(pool, group) > 0);
    pool->degraded -= (missing > 0);
}

/* Returns: whether the member is current there. */
static gboolean locate(const AftPool *pool, const AftGroup *group, const AftMember *member, guint m,
                       double position, guint32 *ret_device)
{
    const AftTransfer *transfer = member->transfer;
    if (transfer != NULL && position < aft_transfer_progress(transfer)) {
        *ret_device = transfer->target;
        return device_at(pool, transfer->target)->up;
    }
    *ret_device = member->device;
    return (group->current >> m & 1) != 0;
}

guint32 aft_pool_locate(const AftPool *pool, guint group, double position, guint32 *ret_devices)
{
    guint32 current = 0;
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        current |= (guint32)locate(pool, &pool->groups[group], member, m, position, &ret_devices[m])
                   << m;
    }
    return current;
}

guint32 aft_pool_follow(const AftPool *pool, guint32 group, guint unit, guint *ret_unit)
{
    guint chunk = aft_pool_first_chunk(pool, group);
    chunk += aft_pool_layout(pool, group)->coded ? unit : 0;
    guint32 now = aft_pool_group_of(pool, chunk);
    *ret_unit = aft_pool_layout(pool, now)->coded ? chunk % pool->strip_chunks : 0;
    return now;
}

static gboolean member_touches(const AftMember *member, const AftMarks *marks)
{
    return marks->devices[member->device] ||
           (member->home != AFT_NOWHERE && marks->nodes[member->home]) ||
           (member->transfer != NULL && marks->devices[member->transfer->target]);
}

gboolean aft_pool_touches(const AftPool *pool, guint group, const AftMarks *marks)
{
    const AftConversion *conversion = pool->groups[group].conversion;
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        if (member_touches(aft_pool_member(pool, group, m), marks)) {
            return TRUE;
        }
    }
    return conversion != NULL && aft_conversion_touches(conversion, marks);
}

void aft_pool_lose_device(AftPool *pool, guint32 device)
{
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; pool->groups[group].used && m < aft_pool_layout(pool, group)->width;
             m++) {
            AftMember *member = aft_pool_member(pool, group, m);
            if (member->device == device) {
                member->valid = FALSE;
                member->gone = TRUE;
            }
            if (member->transfer != NULL && member->transfer->target == device) {
                member->transfer->spoilt = TRUE;
            }
        }
        if (pool->groups[group].conversion != NULL) {
            aft_conversion_lose_device(pool->groups[group].conversion, device);
        }
    }
}

void aft_pool_lose_group(AftPool *pool, guint group)
{
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        member->valid = FALSE;
        member->gone = TRUE;
    }
    aft_pool_refresh(pool, group);
}

gboolean aft_pool_takes_writes(const AftPool *pool, guint group)
{
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        const AftDevice *device = device_at(pool, aft_pool_member(pool, group, m)->device);
        if (device->up && aft_device_is_full(pool->topology, device)) {
            return FALSE;
        }
    }
    return TRUE;
}

static void look_for_obstacles(const AftPool *pool, guint group, AftObstacles *obstacles)
{
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (pool->groups[group].current >> m & 1 || member->transfer != NULL) {
            continue;
        }
        if (member->home == AFT_NOWHERE) {
            obstacles->no_target = TRUE;
        } else if (pool->groups[group].cramped) {
            obstacles->no_space = TRUE;
        }
    }
}

void aft_pool_find_obstacles(const AftPool *pool, AftObstacles *obstacles)
{
    for (guint group = 0; group < pool->n_groups; group++) {
        if (pool->groups[group].used && !pool->groups[group].lost) {
            look_for_obstacles(pool, group, obstacles);
        }
    }
}

double aft_pool_missed_bytes(const AftPool *pool, guint group, double written_mark)
{
    gboolean cold = aft_pool_first_chunk(pool, group) >= pool->hot_chunks;
    double written = cold ? 0.0 : pool->written_bytes - written_mark;
    return pool->member_bytes * -expm1(-written / pool->member_bytes);
}
