/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curator.h"

#include "conversion_parts.h"
#include "curator_parts.h"

#include <math.h>

typedef struct {
    AftPool *pool;
    guint group;
} Cramped;

static void make_sectors(AftCurator *curator, guint32 replication)
{
    const AftTaskSpec *rebuild = &curator->scenario->background.task[AFT_TASK_REBUILD];
    AftSectorsUse use = {
        .executor = curator->executor,
        .route = curator->route,
        .class = AFT_CLASS_P1 + rebuild->priority - 1,
        .context = curator->watch.context,
        .happened = curator->watch.happened,
    };
    curator->sectors = g_ptr_array_new_with_free_func((GDestroyNotify)aft_sectors_free);
    for (guint i = 0; i < curator->pools->len; i++) {
        g_ptr_array_add(curator->sectors,
                        aft_sectors_new(curator->pools->pdata[i], &use, replication));
    }
    aft_stream_init(&curator->chance, curator->scenario->run.seed, replication, "curator.corrupt",
                    0);
}

static guint most_spare(const GPtrArray *pools)
{
    guint most = 0;
    for (guint i = 0; i < pools->len; i++) {
        const AftPool *pool = pools->pdata[i];
        for (guint l = 0; l < pool->n_layouts; l++) {
            const AftLayout *layout = &pool->layouts[l];
            most = MAX(most, aft_protection_spare(&layout->spec, layout->everyone));
        }
    }
    return most;
}

AftCurator *aft_curator_new(const AftScenario *scenario, GPtrArray *pools, AftExecutor *executor,
                            AftTopology *topology, const AftCuratorWatch *watch,
                            guint32 replication)
{
    AftCurator *curator = g_new0(AftCurator, 1);
    curator->scenario = scenario;
    curator->pools = pools;
    curator->executor = executor;
    curator->topology = topology;
    curator->watch = *watch;
    curator->route =
        scenario->tiers.parity == AFT_PARITY_DESTAGE ? AFT_ROUTE_DIRECT : AFT_ROUTE_CACHED;
    g_queue_init(&curator->cramped);
    g_queue_init(&curator->cancelled);
    curator->leaving = g_new0(guint, topology->n_nodes);
    guint n_levels = most_spare(pools) + 1;
    for (guint task = 0; task < AFT_TASKS; task++) {
        curator->lanes[task] = g_new(AftLane, topology->n_nodes);
        for (guint node = 0; node < topology->n_nodes; node++) {
            aft_lane_init(&curator->lanes[task][node], n_levels);
        }
    }
    aft_curator_set_maintenance(curator, scenario->background.maintenance.enabled != 0);
    curator->scan = aft_scan_new(curator);
    curator->scrub = aft_scrub_new(curator);
    make_sectors(curator, replication);
    return curator;
}

static void free_members(AftPool *pool)
{
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        g_free(pool->members[i].transfer);
    }
    aft_conversion_free_all(pool);
}

void aft_curator_free(AftCurator *curator)
{
    if (curator == NULL) {
        return;
    }
    for (guint i = 0; i < curator->pools->len; i++) {
        free_members(curator->pools->pdata[i]);
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < curator->topology->n_nodes; node++) {
            aft_lane_clear(&curator->lanes[task][node]);
        }
        g_free(curator->lanes[task]);
    }
    g_free(curator->leaving);
    g_ptr_array_unref(curator->sectors);
    aft_scrub_free(curator->scrub);
    aft_scan_free(curator->scan);
    g_queue_clear_full(&curator->cramped, g_free);
    g_queue_clear_full(&curator->cancelled, g_free);
    g_free(curator);
}

void aft_curator_set_quiet(AftCurator *curator, gboolean quiet)
{
    curator->quiet = quiet;
}

static guint spare_of(const AftPool *pool, guint group)
{
    return aft_protection_spare(&aft_pool_layout(pool, group)->spec, pool->groups[group].current);
}

/* A member goes back to its own device with what it has missed, elsewhere, or if nothing is left of
 * it there, with all it holds. */
static guint64 bytes_to_write(const AftPool *pool, guint group, const AftMember *member,
                              guint32 target)
{
    double bytes = member->device == target && !member->valid && !member->gone
                       ? aft_pool_missed_bytes(pool, group, member->written_mark)
                       : pool->member_bytes;
    return (guint64)ceil(bytes);
}

void aft_curator_enqueue(AftCurator *curator, AftTransfer *transfer)
{
    AftLane *lane = aft_curator_lane(curator, transfer);
    if (lane->waiting_bytes <= 0.0) {
        lane->kept_bytes = 0.0; /* what they were for is done, or gone */
    }
    aft_lane_enqueue(lane, transfer, FALSE);
    lane->waiting_bytes += (double)(transfer->weight * transfer->bytes);
    curator->transfers[transfer->task]++;
}

static void begin_transfer(AftCurator *curator, AftPool *pool, guint group, guint m,
                           AftTaskKind task, guint32 target)
{
    AftMember *member = aft_pool_member(pool, group, m);
    AftTransfer *transfer = g_new0(AftTransfer, 1);
    *transfer = (AftTransfer){
        .pool = pool,
        .group = group,
        .member = m,
        .task = task,
        .target = target,
        .source = aft_curator_node_of(curator, member->device),
        .node = aft_curator_node_of(curator, target),
        .weight = 1,
        .bytes = bytes_to_write(pool, group, member, target),
        .spare = spare_of(pool, group),
    };
    member->transfer = transfer;
    pool->groups[group].moving++;
    curator->leaving[transfer->source] += task == AFT_TASK_EVACUATE ? 1 : 0;
    if (member->device != target) {
        aft_pool_take_space(pool, group, m, target);
    }
    aft_curator_enqueue(curator, transfer);
}

void aft_curator_drop(AftCurator *curator, AftTransfer *transfer)
{
    AftLane *lane = aft_curator_lane(curator, transfer);
    lane->waiting_bytes -= (double)(transfer->weight * (transfer->bytes - transfer->issued));
    aft_lane_dequeue(lane, transfer);
    transfer->conversion = NULL;
    transfer->cancelled = TRUE;
    curator->transfers[transfer->task]--;
    if (transfer->in_flight == 0) {
        g_free(transfer);
    } else {
        g_queue_push_tail(&curator->cancelled, transfer);
        transfer->queued = curator->cancelled.tail;
    }
}

/* Takes the transfer from its member. */
static void detach(AftCurator *curator, AftTransfer *transfer)
{
    aft_pool_member(transfer->pool, transfer->group, transfer->member)->transfer = NULL;
    transfer->pool->groups[transfer->group].moving--;
    curator->leaving[transfer->source] -= transfer->task == AFT_TASK_EVACUATE ? 1 : 0;
    aft_curator_drop(curator, transfer);
}

static void cancel_transfer(AftCurator *curator, AftTransfer *transfer)
{
    const AftMember *member = aft_pool_member(transfer->pool, transfer->group, transfer->member);
    if (member->device != transfer->target) {
        aft_pool_give_space(transfer->pool, transfer->group, transfer->member, transfer->target);
    }
    detach(curator, transfer);
}

static void note_cramped(AftCurator *curator, AftPool *pool, guint group)
{
    if (!pool->groups[group].cramped) {
        Cramped *cramped = g_new(Cramped, 1);
        *cramped = (Cramped){pool, group};
        g_queue_push_tail(&curator->cramped, cramped);
        pool->groups[group].cramped = TRUE;
    }
}

/* Whether the transfer that @member has goes where it should. */
static gboolean goes_home(const AftCurator *curator, const AftMember *member)
{
    if (member->transfer == NULL) {
        return FALSE;
    }
    const AftDevice *target = &curator->topology->devices[member->transfer->target];
    return target->up && target->in &&
           (member->seat != AFT_NOWHERE ? member->transfer->target == member->seat
                                        : target->node == member->home);
}

static AftTaskKind task_of(const AftCurator *curator, const AftMember *member, gboolean current)
{
    const AftDevice *device = &curator->topology->devices[member->device];
    return !current                                         ? AFT_TASK_REBUILD
           : curator->topology->nodes[device->node].leaving ? AFT_TASK_EVACUATE
                                                            : AFT_TASK_REBALANCE;
}

/* Whether another member is where @device is, which has to leave that domain first. */
static gboolean is_occupied(const AftPool *pool, guint group, guint m, guint32 device)
{
    AftSeat seat = aft_map_seat_of(pool->map, device);
    for (guint other = 0; other < aft_pool_layout(pool, group)->width; other++) {
        const AftMember *it = aft_pool_member(pool, group, other);
        if (other != m && (pool->groups[group].current >> other & 1) != 0 &&
            aft_map_shares(pool->map, seat, aft_map_seat_of(pool->map, it->device))) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Whether it is on the right node, in good order, and the device that wins it there is full. */
static gboolean lodges_for_good(const AftCurator *curator, const AftPool *pool, guint group,
                                const AftMember *member)
{
    const AftDevice *device = &curator->topology->devices[member->device];
    return member->lodges && device->node == member->home && device->in &&
           aft_pool_device_on(pool, group, member, curator->scenario->cluster.full) !=
               aft_map_winner(pool->map, group, member->home);
}

/* What a member's state asks for: a task and a target, or AFT_NOWHERE for nothing. */
static guint32 wanted(AftCurator *curator, AftPool *pool, guint group, guint m,
                      AftTaskKind *ret_task)
{
    AftMember *member = aft_pool_member(pool, group, m);
    gboolean current = (pool->groups[group].current >> m & 1) != 0;
    gboolean at_home = member->home != AFT_NOWHERE && aft_pool_is_home(pool, member);
    if (pool->groups[group].lost || member->home == AFT_NOWHERE || (at_home && current) ||
        !curator->topology->nodes[member->home].alive ||
        (at_home && !curator->topology->devices[member->device].up)) {
        return AFT_NOWHERE;
    }
    *ret_task = task_of(curator, member, current);
    if (at_home) {
        return member->device;
    }
    if (goes_home(curator, member)) {
        return member->transfer->target;
    }
    if (current && lodges_for_good(curator, pool, group, member)) {
        member->lodges = FALSE;
        return AFT_NOWHERE;
    }
    guint32 target = aft_pool_device_on(pool, group, member, curator->scenario->cluster.full);
    if (target == AFT_NOWHERE) {
        note_cramped(curator, pool, group);
        return AFT_NOWHERE;
    }
    return is_occupied(pool, group, m, target) ? AFT_NOWHERE : target;
}

static void overtake(AftCurator *curator, AftTransfer *transfer)
{
    guint spare = spare_of(transfer->pool, transfer->group);
    if (transfer->queued != NULL && spare != transfer->spare) {
        aft_lane_dequeue(aft_curator_lane(curator, transfer), transfer);
        transfer->spare = spare;
        aft_lane_enqueue(aft_curator_lane(curator, transfer), transfer, FALSE);
    } else {
        transfer->spare = spare;
    }
}

static void review_member(AftCurator *curator, AftPool *pool, guint group, guint m)
{
    AftMember *member = aft_pool_member(pool, group, m);
    AftTaskKind task = AFT_TASK_REBUILD;
    guint32 target = wanted(curator, pool, group, m, &task);
    AftTransfer *transfer = member->transfer;
    if (target != AFT_NOWHERE && !aft_scan_lets(curator->scan, pool, group, task)) {
        target = AFT_NOWHERE;
    }
    if (transfer != NULL && transfer->task == task && transfer->target == target &&
        !transfer->spoilt) {
        overtake(curator, transfer);
        return;
    }
    if (transfer != NULL) {
        cancel_transfer(curator, transfer);
    }
    if (target == AFT_NOWHERE) {
        return;
    }
    if (bytes_to_write(pool, group, member, target) == 0) { /* it has missed nothing */
        member->valid = TRUE;
        return;
    }
    begin_transfer(curator, pool, group, m, task, target);
}

void aft_curator_review(AftCurator *curator, AftPool *pool, guint group)
{
    if (!pool->groups[group].used) {
        return;
    }
    aft_pool_refresh(pool, group);
    if (pool->groups[group].blocked > 0) {
        return; /* nobody knows yet what to do */
    }
    aft_conversion_check(curator, pool, group);
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        review_member(curator, pool, group, m);
    }
    aft_pool_refresh(pool, group);
    if (aft_group_is_whole(pool, group)) {
        aft_scan_forget(curator->scan, pool, group, AFT_TASK_REBALANCE);
    }
    aft_conversion_review(curator, pool, group);
}

void aft_curator_goal_changed(AftCurator *curator, AftPool *pool)
{
    for (guint group = 0; group < pool->n_groups; group++) {
        aft_scan_forget(curator->scan, pool, group, AFT_TASK_CONVERT);
        aft_scan_forget(curator->scan, pool, group, AFT_TASK_ENCODE);
    }
}

void aft_curator_review_conversions(AftCurator *curator)
{
    for (guint i = 0; i < curator->pools->len; i++) {
        aft_conversion_review_all(curator, curator->pools->pdata[i]);
    }
}

/* Space may have been freed: those that had none try again, until one finds none. */
void aft_curator_retry_cramped(AftCurator *curator)
{
    gboolean found = TRUE;
    for (guint n = curator->cramped.length; n > 0 && found; n--) {
        g_autofree Cramped *cramped = g_queue_pop_head(&curator->cramped);
        AftGroup *group = &cramped->pool->groups[cramped->group];
        group->cramped = FALSE;
        aft_curator_review(curator, cramped->pool, cramped->group);
        found = !group->cramped;
    }
}

/* What a device missed while it was away is known only when its turn comes. */
static void settle_bytes(AftCurator *curator, AftTransfer *transfer)
{
    AftPool *pool = transfer->pool;
    const AftMember *member = aft_pool_member(pool, transfer->group, transfer->member);
    guint64 bytes = bytes_to_write(pool, transfer->group, member, transfer->target);
    aft_curator_lane(curator, transfer)->waiting_bytes += (double)bytes - (double)transfer->bytes;
    transfer->bytes = bytes;
}

gboolean aft_curator_begin(AftCurator *curator, AftTransfer *transfer)
{
    if (transfer->conversion != NULL) {
        return aft_conversion_begin(curator, transfer->conversion);
    }
    if (transfer->task == AFT_TASK_SCRUB) {
        return TRUE; /* it reads all there is */
    }
    settle_bytes(curator, transfer);
    return TRUE;
}

static void complete_member(AftCurator *curator, AftTransfer *transfer)
{
    AftPool *pool = transfer->pool;
    guint group = transfer->group;
    AftMember *member = aft_pool_member(pool, group, transfer->member);
    guint32 left = member->device;
    member->valid = TRUE;
    member->gone = FALSE;
    member->device = transfer->target;
    member->lodges = member->seat == AFT_NOWHERE &&
                     transfer->target != aft_map_winner(pool->map, group, transfer->node);
    if ((double)transfer->bytes >= pool->member_bytes) {
        aft_sectors_forget(pool->sectors, group, transfer->target); /* it is written anew */
    }
    if (left != transfer->target) {
        aft_pool_give_space(pool, group, transfer->member, left);
    }
    detach(curator, transfer);
    aft_curator_review(curator, pool, group);
    curator->watch.arrived(curator->watch.context);
}

void aft_curator_complete(AftCurator *curator, AftTransfer *transfer)
{
    if (transfer->conversion != NULL) {
        aft_conversion_part_done(curator, transfer);
    } else if (transfer->task == AFT_TASK_SCRUB) {
        aft_scrub_complete(curator->scrub, transfer);
    } else {
        complete_member(curator, transfer);
    }
}
