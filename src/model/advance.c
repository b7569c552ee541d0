/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries transfers forward over a skip, with nothing simulated. */
#include "curator_parts.h"
#include "unit.h"

/* What of @bytes the transfer can take for each target: all that is left of it or nothing. Of one
 * that has begun, whole units: where nothing waits behind those in flight, and of one between its
 * units, as a cap on bandwidth leaves it most of the time. */
static guint64 bytes_taken(const AftTransfer *transfer, guint64 unit_bytes, double bytes)
{
    guint64 left = transfer->bytes - transfer->issued;
    double each = bytes / transfer->weight;
    if (each >= (double)left) {
        return left;
    }
    return transfer->issued > 0 ? (guint64)(each / (double)unit_bytes) * unit_bytes : 0;
}

/* A scrub has one more waiting than it works on. */
static AftTransfer *next_behind(AftCurator *curator, AftTaskKind task, guint32 node)
{
    AftLane *lane = &curator->lanes[task][node];
    if (task == AFT_TASK_SCRUB) {
        aft_scrub_fill(curator->scrub, node, lane->abreast + 1);
    }
    return aft_curator_next(curator, lane, aft_lane_next_behind);
}

/* Writes what @bytes suffice for, behind the transfers in flight, which only the time of windows
 * brings to an end. Transfers differ in how fast they go, by the nodes they are read from: were
 * those in flight taken further too, windows would see each for its bytes and not for the time it
 * takes, and find the pace too high. And were the last units of transfers left to them, smaller
 * than others, they would see too many of those, and find it too low.
 * Returns: the bytes that are left over. */
static double write_transfers(AftCurator *curator, AftTaskKind task, guint32 node, double bytes)
{
    AftLane *lane = &curator->lanes[task][node];
    guint64 unit_bytes = curator->scenario->background.task[task].unit_bytes;
    AftTransfer *transfer;
    while ((transfer = next_behind(curator, task, node)) != NULL) {
        guint64 written = bytes_taken(transfer, unit_bytes, bytes);
        if (written == 0) {
            return bytes;
        }
        bytes -= (double)(transfer->weight * written);
        aft_unit_skip(transfer, transfer->issued, written);
        aft_lane_issue(lane, transfer, written);
        aft_lane_write(lane, transfer, written);
        if (transfer->done == transfer->bytes) {
            aft_curator_complete(curator, transfer);
        }
    }
    return 0.0;
}

void aft_curator_advance(AftCurator *curator, AftTaskKind task, guint32 node, double bytes)
{
    AftLane *lane = &curator->lanes[task][node];
    g_assert(aft_curator_runs(curator, task));
    lane->kept_bytes = write_transfers(curator, task, node, lane->kept_bytes + bytes);
}
