/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curator.h"
#include "lane.h"

#include <math.h>

struct AftCurator {
    const AftScenario *scenario;
    GPtrArray *pools;
    AftExecutor *executor;
    AftTopology *topology;
    AftCuratorWatch watch;
    AftRoute route;            /* of what it writes */
    AftLane *lanes[AFT_TASKS]; /* a node */
    guint transfers[AFT_TASKS];
    gint64 next_ns[AFT_TASKS]; /* the bandwidth cap lets the next unit go then */
    AftEvent wake[AFT_TASKS];  /* pumps when that time has come */
    guint turn[AFT_TASKS];     /* node that may go first next time */
    GQueue cramped;            /* groups with a member whose node has no room: Cramped */
    GQueue cancelled;          /* transfers that only wait for their units to end */
};

typedef struct {
    AftPool *pool;
    guint group;
} Cramped;

static guint most_spare(const GPtrArray *pools)
{
    guint most = 0;
    for (guint i = 0; i < pools->len; i++) {
        const AftPool *pool = pools->pdata[i];
        most = MAX(most, aft_protection_spare(&pool->spec->initial, pool->everyone));
    }
    return most;
}

AftCurator *aft_curator_new(const AftScenario *scenario, GPtrArray *pools, AftExecutor *executor,
                            AftTopology *topology, const AftCuratorWatch *watch)
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
    guint n_levels = most_spare(pools) + 1;
    for (guint task = 0; task < AFT_TASKS; task++) {
        curator->lanes[task] = g_new(AftLane, topology->n_nodes);
        for (guint node = 0; node < topology->n_nodes; node++) {
            aft_lane_init(&curator->lanes[task][node], n_levels);
        }
    }
    return curator;
}

static void free_members(AftPool *pool)
{
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        g_free(pool->members[i].transfer);
    }
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
    g_queue_clear_full(&curator->cramped, g_free);
    g_queue_clear_full(&curator->cancelled, g_free);
    g_free(curator);
}

static guint node_of(const AftCurator *curator, guint32 device)
{
    return curator->topology->devices[device].node;
}

static AftLane *lane_of(const AftCurator *curator, const AftTransfer *transfer)
{
    return &curator->lanes[transfer->task][node_of(curator, transfer->target)];
}

static guint spare_of(const AftPool *pool, guint group)
{
    return aft_protection_spare(&pool->spec->initial, pool->groups[group].current);
}

/* A member goes back to its own device with what it has missed, elsewhere with all it holds. */
static guint64 bytes_to_write(const AftPool *pool, const AftMember *member, guint32 target)
{
    double bytes = member->device == target && !member->valid
                       ? aft_pool_missed_bytes(pool, member->written_mark)
                       : pool->member_bytes;
    return (guint64)ceil(bytes);
}

static void account_space(AftCurator *curator, const AftPool *pool, const AftMember *member,
                          guint32 target, double sign)
{
    if (member->device != target) {
        aft_topology_store(curator->topology, target, sign * pool->stored_bytes);
    }
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
        .bytes = bytes_to_write(pool, member, target),
        .spare = spare_of(pool, group),
    };
    member->transfer = transfer;
    pool->groups[group].moving++;
    account_space(curator, pool, member, target, 1.0);
    aft_lane_enqueue(lane_of(curator, transfer), transfer, FALSE);
    lane_of(curator, transfer)->waiting_bytes += (double)transfer->bytes;
    curator->transfers[task]++;
}

/* Takes the transfer from its member; units in flight still end, and the last one frees it. */
static void detach(AftCurator *curator, AftTransfer *transfer)
{
    AftMember *member = aft_pool_member(transfer->pool, transfer->group, transfer->member);
    lane_of(curator, transfer)->waiting_bytes -= (double)(transfer->bytes - transfer->issued);
    aft_lane_dequeue(lane_of(curator, transfer), transfer);
    member->transfer = NULL;
    transfer->pool->groups[transfer->group].moving--;
    transfer->cancelled = TRUE;
    curator->transfers[transfer->task]--;
    if (transfer->in_flight == 0) {
        g_free(transfer);
    } else {
        g_queue_push_tail(&curator->cancelled, transfer);
        transfer->queued = curator->cancelled.tail;
    }
}

static void cancel_transfer(AftCurator *curator, AftTransfer *transfer)
{
    const AftMember *member = aft_pool_member(transfer->pool, transfer->group, transfer->member);
    account_space(curator, transfer->pool, member, transfer->target, -1.0);
    detach(curator, transfer);
}

/* What a member's state asks for: a task and a target, or AFT_NOWHERE for nothing. */
static guint32 wanted(AftCurator *curator, AftPool *pool, guint group, guint m,
                      AftTaskKind *ret_task)
{
    const AftMember *member = aft_pool_member(pool, group, m);
    gboolean current = (pool->groups[group].current >> m & 1) != 0;
    gboolean at_home = node_of(curator, member->device) == member->home;
    if (pool->groups[group].lost || member->home == AFT_NOWHERE || (at_home && current) ||
        !curator->topology->nodes[member->home].alive) {
        return AFT_NOWHERE;
    }
    *ret_task = current ? AFT_TASK_REBALANCE : AFT_TASK_REBUILD;
    if (at_home) {
        return member->device;
    }
    if (member->transfer != NULL && node_of(curator, member->transfer->target) == member->home) {
        return member->transfer->target;
    }
    guint32 target = aft_pool_device_on(pool, group, member->home, curator->scenario->cluster.full);
    if (target == AFT_NOWHERE && !pool->groups[group].cramped) {
        Cramped *cramped = g_new(Cramped, 1);
        *cramped = (Cramped){pool, group};
        g_queue_push_tail(&curator->cramped, cramped);
        pool->groups[group].cramped = TRUE;
    }
    return target;
}

static void overtake(AftCurator *curator, AftTransfer *transfer)
{
    guint spare = spare_of(transfer->pool, transfer->group);
    if (transfer->queued != NULL && spare != transfer->spare) {
        aft_lane_dequeue(lane_of(curator, transfer), transfer);
        transfer->spare = spare;
        aft_lane_enqueue(lane_of(curator, transfer), transfer, FALSE);
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
    if (transfer != NULL && transfer->task == task && transfer->target == target) {
        overtake(curator, transfer);
        return;
    }
    if (transfer != NULL) {
        cancel_transfer(curator, transfer);
    }
    if (target == AFT_NOWHERE) {
        return;
    }
    if (bytes_to_write(pool, member, target) == 0) { /* it has missed nothing */
        member->valid = TRUE;
        return;
    }
    begin_transfer(curator, pool, group, m, task, target);
}

void aft_curator_review(AftCurator *curator, AftPool *pool, guint group)
{
    aft_pool_refresh(pool, group);
    if (pool->groups[group].blocked > 0) {
        return; /* nobody knows yet what to do */
    }
    for (guint m = 0; m < pool->width; m++) {
        review_member(curator, pool, group, m);
    }
    aft_pool_refresh(pool, group);
}

/* Space may have been freed: those that had none try again, until one finds none. */
static void retry_cramped(AftCurator *curator)
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

static void complete(AftCurator *curator, AftTransfer *transfer)
{
    AftPool *pool = transfer->pool;
    guint group = transfer->group;
    AftMember *member = aft_pool_member(pool, group, transfer->member);
    guint32 left = member->device;
    member->valid = TRUE;
    member->device = transfer->target;
    if (left != transfer->target) {
        aft_topology_store(curator->topology, left, -pool->stored_bytes);
    }
    detach(curator, transfer);
    aft_curator_review(curator, pool, group);
    curator->watch.arrived(curator->watch.context);
}

/* A unit that failed is to be done again, before what has not begun yet. */
static void take_back(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    transfer->issued -= bytes;
    lane->waiting_bytes += (double)bytes;
    if (transfer->queued == NULL) {
        aft_lane_enqueue(lane, transfer, TRUE);
    }
}

static void book_end(AftCurator *curator, AftTransfer *transfer, guint64 bytes, AftOutcome outcome)
{
    AftLane *lane = lane_of(curator, transfer);
    lane->in_flight--;
    transfer->in_flight--;
    if (outcome == AFT_OUTCOME_DONE) {
        aft_lane_write(lane, transfer, bytes);
    } else if (!transfer->cancelled) {
        take_back(lane, transfer, bytes);
    }
}

static void pump(AftCurator *curator, AftTaskKind task, guint node);

static void unit_ended(AftRequest *request, AftOutcome outcome, gint64 now_ns G_GNUC_UNUSED)
{
    AftTransfer *transfer = request->owner;
    AftCurator *curator = request->curator;
    guint node = request->coordinator;
    AftTaskKind task = transfer->task;
    book_end(curator, transfer, request->bytes, outcome);
    aft_request_free(request);
    if (!transfer->cancelled && transfer->done == transfer->bytes) {
        complete(curator, transfer);
        aft_curator_pump(curator); /* there may be room now for others, on any node */
        return;
    }
    if (transfer->cancelled && transfer->in_flight == 0) {
        g_queue_delete_link(&curator->cancelled, transfer->queued);
        g_free(transfer);
    }
    pump(curator, task, node);
}

static void plan_unit(AftRequest *request, const AftTransfer *transfer, guint turn)
{
    const AftPool *pool = transfer->pool;
    AftPlanRequest wish = {
        .operation = transfer->task == AFT_TASK_REBUILD ? AFT_OPERATION_REPAIR : AFT_OPERATION_MOVE,
        .first = transfer->member,
        .units = 1,
        .current = pool->groups[transfer->group].current,
        .turn = turn,
    };
    aft_protection_plan(&pool->spec->initial, &wish, &request->own_plan);
    request->plan = &request->own_plan;
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        const AftStep *step = &request->plan->step[i];
        request->device[i] = step->write
                                 ? transfer->target
                                 : aft_pool_member(pool, transfer->group, step->member)->device;
    }
}

/* What a device missed while it was away is known only when its turn comes. */
static void settle_bytes(AftCurator *curator, AftTransfer *transfer)
{
    const AftMember *member = aft_pool_member(transfer->pool, transfer->group, transfer->member);
    guint64 bytes = bytes_to_write(transfer->pool, member, transfer->target);
    lane_of(curator, transfer)->waiting_bytes += (double)bytes - (double)transfer->bytes;
    transfer->bytes = bytes;
}

/* Under a bandwidth cap units leave evenly spaced over the whole cluster, nodes in turn. */
static void count_against_cap(AftCurator *curator, AftTaskKind task, guint node, guint64 bytes)
{
    double bytes_per_s = curator->scenario->background.task[task].bytes_per_s;
    if (bytes_per_s > 0.0) {
        gint64 now_ns = aft_engine_now(curator->topology->engine);
        curator->next_ns[task] = now_ns + (gint64)ceil((double)bytes * 1e9 / bytes_per_s);
        curator->turn[task] = (node + 1) % curator->topology->n_nodes;
    }
}

static void issue(AftCurator *curator, AftTransfer *transfer)
{
    const AftTaskSpec *spec = &curator->scenario->background.task[transfer->task];
    AftLane *lane = lane_of(curator, transfer);
    if (transfer->issued == 0) {
        settle_bytes(curator, transfer);
    }
    guint64 bytes = MIN(spec->unit_bytes, transfer->bytes - transfer->issued);
    AftRequest *request = aft_request_new(curator->executor);
    plan_unit(request, transfer, transfer->group + (guint)(transfer->issued / spec->unit_bytes));
    request->done = unit_ended;
    request->owner = transfer;
    request->curator = curator;
    request->coordinator = node_of(curator, transfer->target);
    request->class = AFT_CLASS_P1 + spec->priority - 1;
    request->route = curator->route;
    request->pool = transfer->pool->index;
    request->charge = &transfer->pool->background;
    request->bytes = (guint32)bytes;
    count_against_cap(curator, transfer->task, request->coordinator, bytes);
    aft_lane_issue(lane, transfer, bytes);
    transfer->in_flight++;
    lane->in_flight++;
    aft_request_start(request);
}

static void cap_is_over(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    aft_curator_pump(context);
}

/* Whether the next unit may leave now; if not, all are asked again when it may. */
static gboolean cap_allows(AftCurator *curator, AftTaskKind task)
{
    AftEngine *engine = curator->topology->engine;
    if (aft_engine_now(engine) >= curator->next_ns[task]) {
        return TRUE;
    }
    if (aft_engine_due(engine, curator->wake[task]) < 0) {
        curator->wake[task] =
            aft_engine_schedule(engine, curator->next_ns[task], cap_is_over, curator);
    }
    return FALSE;
}

static void pump(AftCurator *curator, AftTaskKind task, guint node)
{
    AftLane *lane = &curator->lanes[task][node];
    const AftTaskSpec *spec = &curator->scenario->background.task[task];
    while (lane->in_flight < spec->in_flight_per_node && curator->topology->nodes[node].alive) {
        AftTransfer *transfer = aft_lane_next(lane);
        if (transfer == NULL || !cap_allows(curator, task)) {
            return;
        }
        issue(curator, transfer);
    }
}

void aft_curator_pump(AftCurator *curator)
{
    guint n = curator->topology->n_nodes;
    retry_cramped(curator);
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint i = 0, first = curator->turn[task]; i < n; i++) {
            pump(curator, (AftTaskKind)task, (first + i) % n);
        }
    }
}

guint aft_curator_transfers(const AftCurator *curator, AftTaskKind task)
{
    return curator->transfers[task];
}

guint aft_curator_in_flight(const AftCurator *curator)
{
    guint units = 0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < curator->topology->n_nodes; node++) {
            units += curator->lanes[task][node].in_flight;
        }
    }
    return units;
}

static double lane_sum(const AftCurator *curator, AftTaskKind task, guint32 node, gsize offset)
{
    if (node != AFT_NOWHERE) {
        return G_STRUCT_MEMBER(double, &curator->lanes[task][node], offset);
    }
    double sum = 0.0;
    for (guint i = 0; i < curator->topology->n_nodes; i++) {
        sum += G_STRUCT_MEMBER(double, &curator->lanes[task][i], offset);
    }
    return sum;
}

double aft_curator_moved_bytes(const AftCurator *curator, AftTaskKind task, guint32 node)
{
    return lane_sum(curator, task, node, G_STRUCT_OFFSET(AftLane, moved_bytes));
}

double aft_curator_waiting_bytes(const AftCurator *curator, AftTaskKind task, guint32 node)
{
    double bytes = lane_sum(curator, task, node, G_STRUCT_OFFSET(AftLane, waiting_bytes)) -
                   lane_sum(curator, task, node, G_STRUCT_OFFSET(AftLane, kept_bytes));
    return MAX(bytes, 0.0);
}

/* What of @bytes the transfer can take: all that is left of it or nothing. Only where nothing waits
 * behind those in flight, it is whole units. */
static guint64 bytes_taken(const AftTransfer *transfer, guint64 unit_bytes, double bytes)
{
    guint64 left = transfer->bytes - transfer->issued;
    if (bytes >= (double)left) {
        return left;
    }
    return transfer->in_flight > 0 ? (guint64)(bytes / (double)unit_bytes) * unit_bytes : 0;
}

/* Writes what @bytes suffice for, behind the transfers in flight, which only the time of windows
 * brings to an end. Transfers differ in how fast they go, by the nodes they are read from: were
 * those in flight taken further too, windows would see each for its bytes and not for the time it
 * takes, and find the pace too high. And were the last units of transfers left to them, smaller
 * than others, they would see too many of those, and find it too low.
 * Returns: the bytes that are left over. */
static double write_transfers(AftCurator *curator, AftLane *lane, guint64 unit_bytes, double bytes)
{
    for (AftTransfer *transfer; (transfer = aft_lane_next_behind(lane)) != NULL;) {
        if (transfer->issued == 0) {
            settle_bytes(curator, transfer);
        }
        guint64 written = bytes_taken(transfer, unit_bytes, bytes);
        if (written == 0) {
            return bytes;
        }
        bytes -= (double)written;
        aft_lane_issue(lane, transfer, written);
        aft_lane_write(lane, transfer, written);
        if (transfer->done == transfer->bytes) {
            complete(curator, transfer);
        }
    }
    return 0.0;
}

void aft_curator_advance(AftCurator *curator, AftTaskKind task, guint32 node, double bytes)
{
    guint64 unit_bytes = curator->scenario->background.task[task].unit_bytes;
    AftLane *lane = &curator->lanes[task][node];
    lane->kept_bytes = write_transfers(curator, lane, unit_bytes, lane->kept_bytes + bytes);
}
