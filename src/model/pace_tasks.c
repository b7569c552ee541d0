/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pace_parts.h"

#include <math.h>

#define TASK_DOUBT  0.05 /* half width of the interval of the pace of a task, wanted */
#define EARLY_NODES 0.05 /* share of the nodes whose work may end inside a skip */
#define ALIKE_UNITS 64.0 /* units for which nodes are taken to be alike, until seen */

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

static void forget_task(AftPace *pace, guint task)
{
    AftTaskPace *it = &pace->task[task];
    aft_trend_clear(&it->trend);
    aft_batches_init(&it->moved);
    it->span = 0.0;
    it->n_working = 0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        it->lanes[node] = (AftLanePace){0};
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

static double lane_part_per_s(const AftPace *pace, guint task, guint node, double mean_per_s)
{
    const AftLanePace *lane = &pace->task[task].lanes[node];
    double unit_bytes = (double)pace->model->scenario->background.task[task].unit_bytes;
    return lane->works ? aft_part_per_s(&lane->part, ALIKE_UNITS * unit_bytes, mean_per_s) : 0.0;
}

/* The paces of @task to every node, when all of them together do @total_per_s.
 * Returns: (transfer full). */
static double *lane_paces(const AftPace *pace, guint task, double total_per_s)
{
    guint n_nodes = pace->model->topology.n_nodes;
    double mean_per_s = total_per_s / MAX(pace->task[task].n_working, 1), sum = 0.0;
    double *paces = g_new(double, n_nodes);
    for (guint node = 0; node < n_nodes; node++) {
        paces[node] = lane_part_per_s(pace, task, node, mean_per_s);
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
    double step_s = per_s > 0.0 ? pace->task[task].span / aft_pace_steps(pace) / per_s : INFINITY;
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
