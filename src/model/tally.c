/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a curator has done and has still to do, counted. */
#include "curator_parts.h"

guint aft_curator_transfers(const AftCurator *curator, AftTaskKind task)
{
    return curator->transfers[task];
}

guint aft_curator_leaving(const AftCurator *curator, guint32 node)
{
    return curator->leaving[node];
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

gboolean aft_curator_lacks_room(const AftCurator *curator)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < curator->topology->n_nodes; node++) {
            const AftLane *lane = &curator->lanes[task][node];
            if (lane->full && lane->waiting_bytes > 0.0) {
                return TRUE;
            }
        }
    }
    return FALSE;
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

double aft_curator_issued_bytes(const AftCurator *curator, AftTaskKind task, guint32 node)
{
    return lane_sum(curator, task, node, G_STRUCT_OFFSET(AftLane, issued_bytes));
}

double aft_curator_written_bytes(const AftCurator *curator, AftTaskKind task, guint32 node)
{
    return lane_sum(curator, task, node, G_STRUCT_OFFSET(AftLane, written_bytes));
}

double aft_curator_waiting_bytes(const AftCurator *curator, AftTaskKind task, guint32 node)
{
    guint first = node != AFT_NOWHERE ? node : 0;
    guint end = node != AFT_NOWHERE ? node + 1 : curator->topology->n_nodes;
    double bytes = 0.0;
    for (guint i = first; i < end; i++) { /* what is kept for one node is not for another */
        const AftLane *lane = &curator->lanes[task][i];
        bytes += MAX(lane->waiting_bytes - lane->kept_bytes, 0.0);
    }
    return bytes;
}

guint64 aft_curator_idled(const AftCurator *curator, AftTaskKind task, guint32 node)
{
    return curator->lanes[task][node].idled;
}

double aft_curator_units_done(const AftCurator *curator, AftTaskKind task)
{
    return lane_sum(curator, task, AFT_NOWHERE, G_STRUCT_OFFSET(AftLane, step_bytes)) /
           (double)curator->scenario->background.task[task].unit_bytes;
}
