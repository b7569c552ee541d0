/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lane.h"

#include "conversion.h"

void aft_lane_init(AftLane *lane, guint n_levels)
{
    *lane = (AftLane){
        .level = g_new0(GQueue, n_levels),
        .n_levels = n_levels,
        .abreast = 1,
    };
}

void aft_lane_clear(AftLane *lane)
{
    for (guint level = 0; level < lane->n_levels; level++) {
        g_queue_clear(&lane->level[level]);
    }
    g_clear_pointer(&lane->level, g_free);
}

void aft_lane_enqueue(AftLane *lane, AftTransfer *transfer, gboolean in_front)
{
    GQueue *queue = &lane->level[transfer->spare];
    if (in_front) {
        g_queue_push_head(queue, transfer);
        transfer->queued = queue->head;
    } else {
        g_queue_push_tail(queue, transfer);
        transfer->queued = queue->tail;
    }
}

void aft_lane_dequeue(AftLane *lane, AftTransfer *transfer)
{
    if (transfer->queued != NULL) {
        g_queue_delete_link(&lane->level[transfer->spare], transfer->queued);
        transfer->queued = NULL;
    }
}

static gboolean may_go(const AftTransfer *transfer)
{
    return transfer->conversion != NULL ? aft_conversion_may_go(transfer)
                                        : transfer->pool->groups[transfer->group].blocked == 0;
}

AftTransfer *aft_lane_next(const AftLane *lane)
{
    AftTransfer *best = NULL;
    guint n = 0;
    for (guint level = 0; level < lane->n_levels; level++) {
        for (GList *link = lane->level[level].head; link != NULL; link = link->next) {
            AftTransfer *transfer = link->data;
            if (!may_go(transfer)) {
                continue;
            }
            if (best == NULL || transfer->in_flight < best->in_flight) {
                best = transfer;
            }
            if (++n == lane->abreast || best->in_flight == 0) {
                return best;
            }
        }
    }
    return best;
}

AftTransfer *aft_lane_next_behind(const AftLane *lane)
{
    for (guint level = 0; level < lane->n_levels; level++) {
        for (GList *link = lane->level[level].head; link != NULL; link = link->next) {
            AftTransfer *transfer = link->data;
            if (transfer->in_flight == 0 && may_go(transfer)) {
                return transfer;
            }
        }
    }
    return aft_lane_next(lane);
}

static void hand_out(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    transfer->issued += bytes;
    lane->waiting_bytes -= (double)(transfer->weight * bytes);
    if (transfer->issued == transfer->bytes) {
        aft_lane_dequeue(lane, transfer);
    }
}

static void book(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    transfer->done += bytes;
    lane->moved_bytes += (double)(transfer->weight * bytes);
}

void aft_lane_issue(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    hand_out(lane, transfer, bytes);
    lane->issued_bytes += (double)(transfer->weight * bytes);
}

void aft_lane_write(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    book(lane, transfer, bytes);
    lane->written_bytes += (double)(transfer->weight * bytes);
    lane->step_bytes += (double)bytes;
}

void aft_lane_carry(AftLane *lane, AftTransfer *transfer, guint64 bytes)
{
    hand_out(lane, transfer, bytes);
    book(lane, transfer, bytes);
}
