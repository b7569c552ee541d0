/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pace_parts.h"

#include <math.h>

#define TASK_DOUBT  0.05 /* half width of the interval of the pace of a task, wanted */
#define EARLY_NODES 0.05 /* share of the nodes whose work may end inside a skip */
/* Transfers differ in pace by such a share, by the devices they are on: seen with members of 1.5 GB
 * on hosts of four disks, from 100 to 250 MB/s. */
#define TRANSFERS_DIFFER 0.3

static gboolean is_capped(const AftPace *pace, guint task)
{
    return aft_curator_cap(pace->model->curator, (AftTaskKind)task) > 0.0;
}

/* Under a cap, what is issued: it leaves at even times, and what is in flight comes and goes. */
static double lane_moved(const AftPace *pace, guint task, guint node)
{
    return is_capped(pace, task)
               ? aft_curator_issued_bytes(pace->model->curator, (AftTaskKind)task, node)
               : aft_curator_written_bytes(pace->model->curator, (AftTaskKind)task, node);
}

/* What a skip could move. */
static double lane_waiting(const AftPace *pace, guint task, guint32 node)
{
    return aft_curator_runs(pace->model->curator, (AftTaskKind)task)
               ? aft_curator_waiting_bytes(pace->model->curator, (AftTaskKind)task, node)
               : 0.0;
}

static guint64 lane_idled(const AftPace *pace, guint task, guint node)
{
    return aft_curator_idled(pace->model->curator, (AftTaskKind)task, node);
}

/* Transfers that windows and what lies between them have seen in this stretch. */
static double lane_seen(const AftPace *pace, guint task, guint node)
{
    const AftCurator *curator = pace->model->curator;
    guint64 ended = aft_curator_ended(curator, (AftTaskKind)task, node) -
                    pace->task[task].lanes[node].ended_before;
    return (double)ended + aft_curator_abreast(curator, (AftTaskKind)task, node);
}

static void forget_task(AftPace *pace, guint task)
{
    AftTaskPace *it = &pace->task[task];
    aft_trend_clear(&it->trend);
    aft_batches_init(&it->moved);
    it->span = 0.0;
    it->n_working = 0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        it->lanes[node] = (AftLanePace){
            .ended_before = aft_curator_ended(pace->model->curator, (AftTaskKind)task, node),
        };
    }
}

void aft_pace_forget_tasks(AftPace *pace)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        forget_task(pace, task);
    }
}

void aft_pace_begin_tasks(AftPace *pace)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
            AftLanePace *lane = &pace->task[task].lanes[node];
            lane->moved_before = lane_moved(pace, task, node);
            lane->idled_before = lane_idled(pace, task, node);
        }
    }
}

/* What each node that works did of what all of them did. */
static void compare_lanes(AftPace *pace, guint task)
{
    AftTaskPace *it = &pace->task[task];
    guint n_nodes = pace->model->topology.n_nodes;
    double mean = 0.0;
    for (guint node = 0; node < n_nodes; node++) {
        const AftLanePace *lane = &it->lanes[node];
        mean +=
            lane->works ? (lane_moved(pace, task, node) - lane->moved_before) / it->n_working : 0.0;
    }
    for (guint node = 0; node < n_nodes && mean > 0.0; node++) {
        AftLanePace *lane = &it->lanes[node];
        if (lane->works) {
            double moved = lane_moved(pace, task, node) - lane->moved_before;
            aft_scatter_add(&lane->relative, moved / mean);
        }
    }
}

static void measure_task(AftPace *pace, guint task, double length_s)
{
    AftTaskPace *it = &pace->task[task];
    /* Under a cap, others get what a node leaves that has no more work. */
    gboolean capped = is_capped(pace, task);
    gboolean fed = aft_curator_is_fed(pace->model->curator, (AftTaskKind)task);
    guint working = 0;
    double moved_bytes = 0.0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        AftLanePace *lane = &it->lanes[node];
        double moved = lane_moved(pace, task, node) - lane->moved_before;
        lane->waited = lane_waiting(pace, task, node);
        lane->keeps_up = fed && lane_idled(pace, task, node) > lane->idled_before;
        lane->works = lane->waited > 0.0 && !lane->keeps_up;
        moved_bytes += lane->works || capped ? moved : 0.0;
        if (lane->works) {
            working++;
            aft_part_add(&lane->part, moved, length_s);
        }
    }
    if (working != it->n_working) {
        aft_trend_clear(&it->trend);
        it->n_working = working;
    }
    compare_lanes(pace, task);
    aft_trend_add(&it->trend, aft_pace_centre_s(pace), moved_bytes / length_s);
    aft_batches_add(&it->moved, moved_bytes, working * length_s, 1.0);
    it->span = MAX(it->span, lane_waiting(pace, task, AFT_NOWHERE));
}

void aft_pace_end_tasks(AftPace *pace, double length_s)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        measure_task(pace, task, length_s);
    }
}

/* Nodes at work that are made alike. */
typedef struct {
    guint32 *node;
    guint n;
} Alike;

static Alike alike_from(const AftPace *pace, guint task, guint32 first)
{
    const AftTopology *topology = &pace->model->topology;
    Alike alike = {.node = g_new(guint32, topology->n_nodes)};
    for (guint32 node = first; node < topology->n_nodes; node++) {
        if (pace->task[task].lanes[node].works &&
            topology->nodes[node].spec == topology->nodes[first].spec) {
            alike.node[alike.n++] = node;
        }
    }
    return alike;
}

/* How far the paces of @alike nodes are their own, and do not differ by chance: that of a window,
 * and that of the transfers which each of them happened to have in flight. */
static double own_share(const AftPace *pace, guint task, const Alike *alike)
{
    g_autofree const AftScatter **scatter = g_new(const AftScatter *, alike->n);
    double lasting = 0.0;
    for (guint i = 0; i < alike->n; i++) {
        scatter[i] = &pace->task[task].lanes[alike->node[i]].relative;
        lasting += TRANSFERS_DIFFER * TRANSFERS_DIFFER / lane_seen(pace, task, alike->node[i]);
    }
    return aft_scatter_own(scatter, alike->n, lasting / alike->n);
}

/* Nodes that are made alike have the pace of their mean, but for what is their own. */
static void set_alike(const AftPace *pace, guint task, const Alike *alike, double *paces)
{
    double own = own_share(pace, task, alike), sum_per_s = 0.0;
    for (guint i = 0; i < alike->n; i++) {
        const AftMeasured *part = &pace->task[task].lanes[alike->node[i]].part;
        paces[alike->node[i]] = part->amount / part->time_s;
        sum_per_s += paces[alike->node[i]];
    }
    for (guint i = 0; i < alike->n; i++) {
        double *it = &paces[alike->node[i]];
        *it = own * *it + (1.0 - own) * sum_per_s / alike->n;
    }
}

/* The paces of @task to every node, when all of them together do @total_per_s.
 * Returns: (transfer full). */
static double *lane_paces(const AftPace *pace, guint task, double total_per_s)
{
    guint n_nodes = pace->model->topology.n_nodes;
    double sum = 0.0;
    double *paces = g_new0(double, n_nodes);
    for (guint32 node = 0; node < n_nodes; node++) {
        if (pace->task[task].lanes[node].works && paces[node] == 0.0) {
            Alike alike = alike_from(pace, task, node);
            set_alike(pace, task, &alike, paces);
            g_free(alike.node);
        }
        sum += paces[node];
    }
    for (guint node = 0; node < n_nodes; node++) {
        paces[node] *= sum > 0.0 ? total_per_s / sum : 0.0;
    }
    return paces;
}

static double task_per_s(const AftPace *pace, guint task)
{
    return aft_trend_at(&pace->task[task].trend, aft_pace_now_s(pace));
}

static double mean_task_per_s(const AftPace *pace, guint task)
{
    double per_s = 0.0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        const AftLanePace *lane = &pace->task[task].lanes[node];
        per_s += lane->works ? lane->part.amount / lane->part.time_s : 0.0;
    }
    return per_s;
}

double aft_pace_tasks_doubt(const AftPace *pace)
{
    double doubt = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        const AftTaskPace *it = &pace->task[task];
        double chance = aft_batches_half_width(&it->moved, AFT_PACE_CONFIDENCE);
        double mean = aft_batches_ratio(&it->moved);
        if (it->n_working > 0 && mean > 0.0 && chance > 0.0) {
            doubt = MAX(doubt, chance / mean / TASK_DOUBT);
        }
    }
    return doubt;
}

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* When the first nodes run out of work of @task: all but a few of them, where there are many. */
static double first_end_s(const AftPace *pace, guint task)
{
    guint n_nodes = pace->model->topology.n_nodes, n = 0;
    g_autofree double *paces = lane_paces(pace, task, task_per_s(pace, task));
    g_autofree double *ends_s = g_new(double, n_nodes);
    for (guint node = 0; node < n_nodes; node++) {
        if (paces[node] > 0.0) {
            ends_s[n++] = lane_waiting(pace, task, node) / paces[node];
        }
    }
    if (n == 0) {
        return INFINITY;
    }
    qsort(ends_s, n, sizeof(double), by_size);
    return ends_s[(guint)(EARLY_NODES * n)];
}

static double task_limit_s(const AftPace *pace, guint task)
{
    if (!aft_curator_works(pace->model->curator, (AftTaskKind)task)) {
        return INFINITY;
    }
    if (aft_curator_is_fed(pace->model->curator, (AftTaskKind)task)) {
        return aft_curator_fed_s(pace->model->curator); /* more comes until then */
    }
    if (lane_waiting(pace, task, AFT_NOWHERE) <= 0.0) {
        return 0.0; /* the last units are in flight: see them home */
    }
    double per_s = aft_pace_steady(mean_task_per_s(pace, task), task_per_s(pace, task));
    double step_s = per_s > 0.0 ? pace->task[task].span / AFT_PACE_STEPS / per_s : INFINITY;
    return MIN(step_s, first_end_s(pace, task));
}

double aft_pace_tasks_limit_s(const AftPace *pace)
{
    double limit_s = INFINITY;
    for (guint task = 0; task < AFT_TASKS; task++) {
        limit_s = MIN(limit_s, task_limit_s(pace, task));
    }
    return limit_s;
}

double aft_pace_tasks_remaining_s(const AftPace *pace)
{
    double remaining_s = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        double waiting = lane_waiting(pace, task, AFT_NOWHERE);
        double per_s = mean_task_per_s(pace, task);
        if (waiting > 0.0 && per_s > 0.0) {
            remaining_s = MAX(remaining_s, waiting / per_s);
        }
        if (aft_curator_is_fed(pace->model->curator, (AftTaskKind)task)) {
            remaining_s = MAX(remaining_s, aft_curator_fed_s(pace->model->curator));
        }
    }
    return remaining_s;
}

/* Where a scan lets less begin than could be done, all of it is done; what waits stays as much as
 * it was. */
static void keep_up(AftPace *pace, guint task, guint node)
{
    const AftLanePace *lane = &pace->task[task].lanes[node];
    double fed_bytes = lane_waiting(pace, task, node) - lane->waited;
    if (lane->keeps_up && fed_bytes > 0.0) {
        aft_curator_advance(pace->model->curator, (AftTaskKind)task, node, fed_bytes);
    }
}

static void advance_task(AftPace *pace, guint task, double middle_s, double by_s)
{
    double total_per_s = aft_trend_at(&pace->task[task].trend, middle_s);
    g_autofree double *paces = lane_paces(pace, task, total_per_s);
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        if (paces[node] > 0.0) {
            aft_curator_advance(pace->model->curator, (AftTaskKind)task, node, paces[node] * by_s);
        }
        keep_up(pace, task, node);
    }
}

void aft_pace_advance_tasks(AftPace *pace, gint64 from_ns, gint64 by_ns)
{
    double by_s = (double)by_ns / 1e9, middle_s = ((double)from_ns + (double)by_ns / 2.0) / 1e9;
    for (guint task = 0; task < AFT_TASKS; task++) {
        advance_task(pace, task, middle_s, by_s);
    }
}
