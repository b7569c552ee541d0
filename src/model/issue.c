/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hands units of background work to the stations, a bounded number at a time, and books how they
 * end. */
#include "curator_parts.h"
#include "unit.h"

#include <math.h>

/* A unit that failed is to be done again, before what has not begun yet. */
static void take_back(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    transfer->issued -= bytes;
    lane->issued_bytes -= (double)(transfer->weight * bytes);
    lane->waiting_bytes += (double)(transfer->weight * bytes);
    if (transfer->queued == NULL) {
        aft_lane_enqueue(lane, transfer, TRUE);
    }
}

static void book_end(AftCurator *curator, AftTransfer *transfer, guint64 bytes, AftOutcome outcome)
{
    AftLane *lane = aft_curator_lane(curator, transfer);
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
        aft_curator_complete(curator, transfer);
        aft_curator_pump(curator); /* there may be room now for others, on any node */
        return;
    }
    if (transfer->cancelled && transfer->in_flight == 0) {
        g_queue_delete_link(&curator->cancelled, transfer->queued);
        g_free(transfer);
    }
    pump(curator, task, node);
}

/* Under a bandwidth cap units leave evenly spaced over the whole cluster, nodes in turn. */
static void count_against_cap(AftCurator *curator, AftTaskKind task, guint node, guint64 bytes)
{
    double bytes_per_s = aft_curator_cap(curator, task);
    if (bytes_per_s > 0.0) {
        gint64 now_ns = aft_engine_now(curator->topology->engine);
        curator->next_ns[task] = now_ns + (gint64)ceil((double)bytes * 1e9 / bytes_per_s);
        curator->turn[task] = (node + 1) % curator->topology->n_nodes;
    }
}

static const AftCharge *charge_of(const AftTransfer *transfer)
{
    gboolean moves = transfer->task == AFT_TASK_REBALANCE || transfer->task == AFT_TASK_EVACUATE;
    return moves ? &transfer->pool->move : &transfer->pool->background;
}

static void issue(AftCurator *curator, AftTransfer *transfer)
{
    const AftTaskSpec *spec = &curator->scenario->background.task[transfer->task];
    AftLane *lane = aft_curator_lane(curator, transfer);
    guint64 bytes = MIN(spec->unit_bytes, transfer->bytes - transfer->issued);
    AftRequest *request = aft_request_new(curator->executor);
    aft_unit_plan(transfer, transfer->issued, bytes, request);
    request->done = unit_ended;
    request->owner = transfer;
    request->curator = curator;
    request->coordinator = transfer->node;
    request->class = AFT_CLASS_P1 + spec->priority - 1;
    request->route = curator->route;
    request->pool = transfer->pool->index;
    request->charge = charge_of(transfer);
    request->bytes = (guint32)bytes;
    count_against_cap(curator, transfer->task, transfer->node, transfer->weight * bytes);
    aft_lane_issue(lane, transfer, bytes);
    transfer->in_flight++;
    lane->in_flight++;
    aft_curator_hasten(curator, transfer);
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

/* What finds no room lets others go first, a few of them each time. */
#define TRIES 4

AftTransfer *aft_curator_next(AftCurator *curator, AftLane *lane,
                              AftTransfer *(*next)(const AftLane *lane))
{
    lane->full = FALSE;
    for (guint i = 0; i < TRIES; i++) {
        AftTransfer *transfer = next(lane);
        if (transfer == NULL || transfer->issued > 0 || aft_curator_begin(curator, transfer)) {
            return transfer;
        }
        lane->full = TRUE;
        aft_lane_dequeue(lane, transfer);
        aft_lane_enqueue(lane, transfer, FALSE);
    }
    return NULL;
}

static void pump(AftCurator *curator, AftTaskKind task, guint node)
{
    AftLane *lane = &curator->lanes[task][node];
    gboolean issues = aft_curator_runs(curator, task) && !curator->quiet;
    guint most = issues ? aft_curator_in_flight_most(curator, task) : 0;
    if (task == AFT_TASK_SCRUB && most > 0) {
        aft_scrub_fill(curator->scrub, node, lane->abreast);
    }
    while (lane->in_flight < most && curator->topology->nodes[node].alive) {
        if (aft_lane_next(lane) == NULL) {
            lane->idled++;
            return;
        }
        if (!cap_allows(curator, task)) {
            return;
        }
        AftTransfer *transfer = aft_curator_next(curator, lane, aft_lane_next);
        if (transfer == NULL) {
            return;
        }
        issue(curator, transfer);
        if (task == AFT_TASK_SCRUB) {
            aft_scrub_fill(curator->scrub, node, lane->abreast);
        }
    }
}

void aft_curator_pump(AftCurator *curator)
{
    guint n = curator->topology->n_nodes;
    aft_scan_catch_up(curator->scan);
    aft_curator_retry_cramped(curator);
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint i = 0, first = curator->turn[task]; i < n; i++) {
            pump(curator, (AftTaskKind)task, (first + i) % n);
        }
    }
}
