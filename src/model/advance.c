/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries transfers forward over a skip, with nothing simulated. */
#include "curator_parts.h"
#include "unit.h"

#include <math.h>

/* Units that a transfer takes at least for each that it has in flight at once: with fewer, the
 * first of one overlap the last of another for much of its time. A rebuild of members of 1.5 GB was
 * right with 32, 1 % too fast with 16 and 4 % with 8. */
#define SEEN_UNITS 32.0

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
        aft_lane_carry(lane, transfer, written);
        if (transfer->done == transfer->bytes) {
            aft_curator_complete(curator, transfer);
        }
    }
    return 0.0;
}

/* A window that stands for minutes lasts less than a second, in which a transfer hardly moves: all
 * windows would see the same few, with the devices that they happen to be on. So where there are
 * bytes to be carried, each unit that is simulated takes its transfer further by as many units as
 * leave it some for every one that it has in flight. The transfers in flight change that much
 * sooner, each still seen for as long as it is slow: their mean over time stays the same.
 * Returns: the units that go with one that is simulated. */
static double hastening(const AftCurator *curator, const AftLane *lane, const AftTransfer *transfer)
{
    double unit_bytes = (double)curator->scenario->background.task[transfer->task].unit_bytes;
    guint in_flight = aft_curator_in_flight_most(curator, transfer->task);
    double at_once = ceil((double)in_flight / lane->abreast);
    double times = (double)transfer->bytes / unit_bytes / (at_once * SEEN_UNITS);
    return MAX(floor(times) - 1.0, 0.0);
}

void aft_curator_hasten(AftCurator *curator, AftTransfer *transfer)
{
    AftLane *lane = aft_curator_lane(curator, transfer);
    double unit_bytes = (double)curator->scenario->background.task[transfer->task].unit_bytes;
    double units = MIN(hastening(curator, lane, transfer),
                       floor(lane->kept_bytes / transfer->weight / unit_bytes));
    guint64 bytes =
        MIN((guint64)(MAX(units, 0.0) * unit_bytes), transfer->bytes - transfer->issued);
    if (bytes > 0) {
        aft_unit_skip(transfer, transfer->issued, bytes);
        aft_lane_carry(lane, transfer, bytes);
        lane->kept_bytes -= (double)(transfer->weight * bytes);
    }
}

/* What the windows up to the next skip can hasten. There is a skip on either side of one. Where a
 * scan feeds the lane, nothing is held back: what it finds is done as soon as it is found. */
static double reserve_bytes(const AftCurator *curator, AftTaskKind task, AftLane *lane)
{
    const AftTransfer *transfer = aft_lane_next(lane);
    /* Below 0 where more units failed, to be done again, than were issued. */
    double issued = MAX(lane->issued_bytes - lane->issued_before, 0.0);
    double most = MAX(issued, lane->issued_lately);
    lane->issued_lately = issued;
    lane->issued_before = lane->issued_bytes;
    gboolean holds = transfer != NULL && !aft_curator_is_fed(curator, task);
    return holds ? most * hastening(curator, lane, transfer) : 0.0;
}

void aft_curator_advance(AftCurator *curator, AftTaskKind task, guint32 node, double bytes)
{
    AftLane *lane = &curator->lanes[task][node];
    g_assert(aft_curator_runs(curator, task));
    lane->kept_bytes += bytes;
    double now_bytes = lane->kept_bytes - reserve_bytes(curator, task, lane);
    if (now_bytes > 0.0) {
        lane->kept_bytes -= now_bytes; /* first: a transfer that ends may let others begin here */
        double left_bytes = write_transfers(curator, task, node, now_bytes);
        lane->kept_bytes += left_bytes;
    }
}
