/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the curator may do: tasks that are stopped, and the limits that maintenance mode lifts. */
#include "curator_parts.h"

#include <math.h>

guint aft_curator_in_flight_most(const AftCurator *curator, AftTaskKind task)
{
    const AftBackgroundSpec *spec = &curator->scenario->background;
    return curator->maintenance ? spec->maintenance.in_flight_per_node
                                : spec->task[task].in_flight_per_node;
}

double aft_curator_cap(const AftCurator *curator, AftTaskKind task)
{
    return curator->maintenance ? 0.0 : curator->scenario->background.task[task].bytes_per_s;
}

gint64 aft_curator_beat_ns(const AftCurator *curator)
{
    double longest_ns = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        double cap = aft_curator_cap(curator, (AftTaskKind)task);
        double unit_bytes = (double)curator->scenario->background.task[task].unit_bytes;
        if (cap > 0.0 && aft_curator_works(curator, (AftTaskKind)task)) {
            longest_ns = MAX(longest_ns, ceil(unit_bytes * 1e9 / cap));
        }
    }
    return (gint64)longest_ns;
}

gboolean aft_curator_runs(const AftCurator *curator, AftTaskKind task)
{
    return !curator->stopped[task];
}

gboolean aft_curator_is_fed(const AftCurator *curator, AftTaskKind task)
{
    return !curator->stopped[task] && aft_scan_feeds(curator->scan, task);
}

gboolean aft_curator_works(const AftCurator *curator, AftTaskKind task)
{
    return !curator->stopped[task] &&
           (curator->transfers[task] > 0 || aft_scan_feeds(curator->scan, task) ||
            (task == AFT_TASK_SCRUB && aft_scrub_is_on(curator->scrub)));
}

double aft_curator_fed_s(const AftCurator *curator)
{
    return (double)aft_scan_left_ns(curator->scan) / 1e9;
}

void aft_curator_recount(AftCurator *curator)
{
    aft_scrub_recount(curator->scrub);
}

void aft_curator_catch_up(AftCurator *curator)
{
    aft_scan_catch_up(curator->scan);
}

gboolean aft_curator_waits(const AftCurator *curator)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (!curator->stopped[task] && aft_scan_waits(curator->scan, (AftTaskKind)task)) {
            return TRUE;
        }
    }
    return FALSE;
}

void aft_curator_set_task(AftCurator *curator, AftTaskKind task, gboolean running)
{
    curator->stopped[task] = !running;
}

/* A member goes for itself unless said otherwise, all units to one device. Conversions go side by
 * side, on as many devices as they may have units in flight, and so do the members that a scrub
 * reads. */
static guint abreast(const AftCurator *curator, AftTaskKind task)
{
    guint groups = curator->scenario->background.task[task].groups_per_node;
    gboolean single =
        task == AFT_TASK_REBUILD || task == AFT_TASK_REBALANCE || task == AFT_TASK_EVACUATE;
    guint usual = single ? 1 : aft_curator_in_flight_most(curator, task);
    return groups > 0 ? groups : usual;
}

void aft_curator_set_maintenance(AftCurator *curator, gboolean on)
{
    curator->maintenance = on;
    for (guint task = 0; task < AFT_TASKS; task++) {
        curator->next_ns[task] = 0;
        for (guint node = 0; node < curator->topology->n_nodes; node++) {
            curator->lanes[task][node].abreast = abreast(curator, (AftTaskKind)task);
        }
    }
}
