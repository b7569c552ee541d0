/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model_parts.h"

#include <aftershock/model/pace.h>

#include <math.h>

#define STEPS_OF_A_SPAN 20   /* no slow variable moves more than this part of its span at once */
#define CHANCE          3.0  /* standard errors that tell growth from chance */
#define OWED_LARGE_S    1.0  /* seconds of load above which owed work always moves */
#define EARLY_NODES     0.05 /* share of the nodes whose work may end inside a skip */

/* One machine in the window. */
typedef struct {
    AftVm *vm;
    gint64 served_before, shed_before;
    double served_per_s, shed_per_s;
    gboolean owes; /* it owed something all through the window */
} VmPace;

struct AftPace {
    AftModel *model;
    gint64 began_ns, length_ns; /* of the window; scenario time */
    gint64 centre_before_ns;    /* of the window before; -1: none in this stretch */
    VmPace *vms;
    guint n_vms;
    double *lane_before[AFT_TASKS], *lane_per_s[AFT_TASKS]; /* a node */
    double task_per_s[AFT_TASKS], task_before_per_s[AFT_TASKS];
    double task_span[AFT_TASKS];              /* the most that waited in this stretch */
    double served_per_s, served_before_per_s; /* by machines that owe */
    double clock_per_s;                       /* arrivals at machines that owe */
    double owed_span;                         /* owed when the stretch began */
    double *written_before, *written_per_s;   /* a pool */
    gint64 skipped_ios;
};

static guint count_vms(const AftModel *model)
{
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        n += model->clients[i].n_vms;
    }
    return n;
}

AftPace *aft_pace_new(AftModel *model)
{
    AftPace *pace = g_new0(AftPace, 1);
    pace->model = model;
    pace->n_vms = count_vms(model);
    pace->vms = g_new0(VmPace, pace->n_vms);
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            pace->vms[n++].vm = &model->clients[i].vms[vm];
        }
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        pace->lane_before[task] = g_new0(double, model->topology.n_nodes);
        pace->lane_per_s[task] = g_new0(double, model->topology.n_nodes);
    }
    pace->written_before = g_new0(double, model->pools->len);
    pace->written_per_s = g_new0(double, model->pools->len);
    aft_pace_forget(pace);
    return pace;
}

void aft_pace_free(AftPace *pace)
{
    if (pace == NULL) {
        return;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        g_free(pace->lane_before[task]);
        g_free(pace->lane_per_s[task]);
    }
    g_free(pace->vms);
    g_free(pace->written_before);
    g_free(pace->written_per_s);
    g_free(pace);
}

void aft_pace_forget(AftPace *pace)
{
    pace->centre_before_ns = -1;
    pace->owed_span = (double)aft_phases_owed(pace->model);
    for (guint task = 0; task < AFT_TASKS; task++) {
        pace->task_span[task] = 0.0;
    }
}

static double lane_moved(const AftPace *pace, guint task, guint node)
{
    return aft_curator_moved_bytes(pace->model->curator, (AftTaskKind)task, node);
}

static double lane_waiting(const AftPace *pace, guint task, guint32 node)
{
    return aft_curator_waiting_bytes(pace->model->curator, (AftTaskKind)task, node);
}

void aft_pace_begin(AftPace *pace)
{
    pace->began_ns = aft_engine_scenario_now(pace->model->engine);
    for (guint i = 0; i < pace->n_vms; i++) {
        VmPace *it = &pace->vms[i];
        it->served_before = it->vm->served;
        it->shed_before = it->vm->shed;
        aft_owed_watch(&it->vm->owed);
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
            pace->lane_before[task][node] = lane_moved(pace, task, node);
        }
    }
    for (guint i = 0; i < pace->model->pools->len; i++) {
        pace->written_before[i] = ((const AftPool *)pace->model->pools->pdata[i])->written_bytes;
    }
}

static void measure_vms(AftPace *pace, double length_s)
{
    pace->served_before_per_s = pace->served_per_s;
    pace->served_per_s = pace->clock_per_s = 0.0;
    for (guint i = 0; i < pace->n_vms; i++) {
        VmPace *it = &pace->vms[i];
        it->served_per_s = (double)(it->vm->served - it->served_before) / length_s;
        it->shed_per_s = (double)(it->vm->shed - it->shed_before) / length_s;
        it->owes = it->vm->clients->spec->kind == AFT_WORKLOAD_PACED && it->vm->owed.least > 0;
        if (it->owes) {
            pace->served_per_s += it->served_per_s;
            pace->clock_per_s += it->vm->rate_per_s;
        }
    }
}

static void measure_tasks(AftPace *pace, double length_s)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        pace->task_before_per_s[task] = pace->task_per_s[task];
        pace->task_per_s[task] = 0.0;
        for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
            double moved = lane_moved(pace, task, node) - pace->lane_before[task][node];
            pace->lane_per_s[task][node] = moved / length_s;
            pace->task_per_s[task] += moved / length_s;
        }
        pace->task_span[task] = MAX(pace->task_span[task], lane_waiting(pace, task, AFT_NOWHERE));
    }
}

void aft_pace_end(AftPace *pace)
{
    gint64 now_ns = aft_engine_scenario_now(pace->model->engine);
    pace->length_ns = now_ns - pace->began_ns;
    g_assert(pace->length_ns > 0);
    double length_s = (double)pace->length_ns / 1e9;
    measure_vms(pace, length_s);
    measure_tasks(pace, length_s);
    for (guint i = 0; i < pace->model->pools->len; i++) {
        const AftPool *pool = pace->model->pools->pdata[i];
        pace->written_per_s[i] = (pool->written_bytes - pace->written_before[i]) / length_s;
    }
}

static double owed_growth_per_s(const AftPace *pace)
{
    double growth = pace->clock_per_s - pace->served_per_s;
    double chance = CHANCE * sqrt(pace->clock_per_s / ((double)pace->length_ns / 1e9));
    gboolean much = (double)aft_phases_owed(pace->model) > OWED_LARGE_S * pace->model->rate_per_s;
    return much || fabs(growth) > chance ? growth : 0.0;
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
    g_autofree double *ends_s = g_new(double, n_nodes);
    for (guint node = 0; node < n_nodes; node++) {
        double waiting = lane_waiting(pace, task, node);
        if (waiting > 0.0 && pace->lane_per_s[task][node] > 0.0) {
            ends_s[n++] = waiting / pace->lane_per_s[task][node];
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
    if (pace->task_per_s[task] <= 0.0) {
        return INFINITY;
    }
    double step_s = pace->task_span[task] / STEPS_OF_A_SPAN / pace->task_per_s[task];
    return MIN(step_s, first_end_s(pace, task));
}

/* Owed work ends, or crosses what begins a phase, at the end of a skip and not inside it. */
static double owed_limit_s(const AftPace *pace)
{
    double growth = owed_growth_per_s(pace);
    double owed = (double)aft_phases_owed(pace->model);
    if (growth < 0.0) {
        double end = MAX(owed - (double)pace->model->owed_low, 0.0) / -growth;
        return MIN(end, MAX(pace->owed_span, owed) / STEPS_OF_A_SPAN / -growth);
    }
    double high = (double)pace->model->owed_high + 1.0;
    return growth > 0.0 && owed < high ? (high - owed) / growth : INFINITY;
}

static gint64 to_ns(double time_s)
{
    return time_s < 9e9 ? (gint64)(time_s * 1e9) : G_MAXINT64;
}

gint64 aft_pace_limit_ns(const AftPace *pace)
{
    double limit_s = owed_limit_s(pace);
    for (guint task = 0; task < AFT_TASKS; task++) {
        limit_s = MIN(limit_s, task_limit_s(pace, task));
    }
    return to_ns(limit_s);
}

gint64 aft_pace_remaining_ns(const AftPace *pace)
{
    double remaining_s = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (lane_waiting(pace, task, AFT_NOWHERE) > 0.0 && pace->task_per_s[task] > 0.0) {
            remaining_s =
                MAX(remaining_s, lane_waiting(pace, task, AFT_NOWHERE) / pace->task_per_s[task]);
        }
    }
    double growth = owed_growth_per_s(pace);
    if (remaining_s == 0.0 && growth < 0.0) {
        remaining_s = (double)aft_phases_owed(pace->model) / -growth;
    }
    return remaining_s > 0.0 ? to_ns(remaining_s) : G_MAXINT64;
}

/* The factor by which a pace has changed half-way through a skip of @by_ns. */
static double second_order(const AftPace *pace, double now, double before, gint64 by_ns)
{
    if (pace->centre_before_ns < 0 || now <= 0.0 || before <= 0.0) {
        return 1.0;
    }
    double apart_ns = (double)(pace->began_ns + pace->length_ns / 2 - pace->centre_before_ns);
    double change = 0.5 * ((double)by_ns / apart_ns) * (now - before) / now;
    return 1.0 + CLAMP(change, -0.5, 0.5);
}

static void advance_tasks(AftPace *pace, gint64 by_ns)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        double factor =
            second_order(pace, pace->task_per_s[task], pace->task_before_per_s[task], by_ns);
        for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
            double bytes = pace->lane_per_s[task][node] * factor * (double)by_ns / 1e9;
            if (bytes > 0.0) {
                aft_curator_advance(pace->model->curator, (AftTaskKind)task, node, bytes);
            }
        }
    }
}

/* What one machine does in a skip, before machines that ran out of owed work are made good. */
typedef struct {
    double served, owed;
} VmStep;

static VmStep vm_step(const VmPace *it, double factor, double by_s, gboolean moves)
{
    double served = it->served_per_s * by_s;
    double owed = (double)it->vm->owed.count;
    if (!it->owes || !moves) {
        return (VmStep){served, owed};
    }
    return (VmStep){served * factor, owed + it->vm->rate_per_s * by_s - served * factor};
}

/* Machines whose owed work would fall below nothing leave their part of the service to the
 * others: all of it together ends where it should. Returns: the factor for what is owed. */
static double share_of_owed(const VmStep *steps, const VmPace *vms, guint n)
{
    double wanted = 0.0, positive = 0.0;
    for (guint i = 0; i < n; i++) {
        if (vms[i].owes) {
            wanted += steps[i].owed;
            positive += MAX(steps[i].owed, 0.0);
        }
    }
    return positive > 0.0 ? MAX(wanted, 0.0) / positive : 1.0;
}

static void apply_step(AftPace *pace, const VmPace *it, const VmStep *step, double share,
                       gint64 from_ns, gint64 by_ns)
{
    AftVm *vm = it->vm;
    double by_s = (double)by_ns / 1e9;
    gint64 before = vm->owed.count;
    gint64 owed = it->owes ? llround(MAX(step->owed, 0.0) * share) : before;
    gint64 served = it->owes && owed != before
                        ? MAX(llround(vm->rate_per_s * by_s) + before - owed, 0)
                        : llround(step->served);
    gint64 arrived = served + owed - before;
    gint64 beyond = MAX(owed - vm->owed_most, 0);
    if (arrived < beyond) {
        beyond = MAX(arrived, 0);
    }
    vm->served += served;
    vm->shed += beyond + llround(it->owes ? 0.0 : it->shed_per_s * by_s);
    aft_owed_jump(&vm->owed, from_ns, from_ns + by_ns, MAX(arrived - beyond, 0), owed - beyond);
    vm->owed.arrived = vm->served + vm->in_flight + vm->owed.count;
    vm->clients->owed += vm->owed.count - before;
    pace->skipped_ios += served;
}

static void advance_clients(AftPace *pace, gint64 from_ns, gint64 by_ns)
{
    double factor = second_order(pace, pace->served_per_s, pace->served_before_per_s, by_ns);
    gboolean moves = owed_growth_per_s(pace) != 0.0;
    g_autofree VmStep *steps = g_new(VmStep, pace->n_vms);
    for (guint i = 0; i < pace->n_vms; i++) {
        steps[i] = vm_step(&pace->vms[i], factor, (double)by_ns / 1e9, moves);
    }
    double share = moves ? share_of_owed(steps, pace->vms, pace->n_vms) : 1.0;
    pace->skipped_ios = 0;
    for (guint i = 0; i < pace->n_vms; i++) {
        apply_step(pace, &pace->vms[i], &steps[i], share, from_ns, by_ns);
    }
}

void aft_pace_skip(AftPace *pace, gint64 by_ns)
{
    AftModel *model = pace->model;
    gint64 from_ns = aft_engine_scenario_now(model->engine);
    for (guint i = 0; i < model->pools->len; i++) {
        AftPool *pool = model->pools->pdata[i];
        pool->written_bytes += pace->written_per_s[i] * (double)by_ns / 1e9;
    }
    aft_engine_skip(model->engine, by_ns);
    advance_clients(pace, from_ns, by_ns);
    advance_tasks(pace, by_ns);
    pace->centre_before_ns = pace->began_ns + pace->length_ns / 2;
    aft_phases_update(model);
}

gint64 aft_pace_skipped_ios(const AftPace *pace)
{
    return pace->skipped_ios;
}
