/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model_parts.h"
#include "trend.h"

#include <aftershock/model/pace.h>

#include <math.h>

#define STEPS_OF_A_SPAN 20   /* no slow variable moves more than this part of its span at once */
#define CHANCE          3.0  /* standard errors that tell growth from chance */
#define SPELL_WINDOWS   3    /* windows that machines owe in before their growth is believed */
#define OWED_LARGE_S    1.0  /* seconds of load above which owed work always moves */
#define EARLY_NODES     0.05 /* share of the nodes whose work may end inside a skip */
#define ALIKE_UNITS     64.0 /* units of work that nodes are taken to be alike for, until seen */
#define ALIKE_IOS       1e3  /* I/Os that machines are */

/* Sums over the windows of a stretch: what one machine or node does of the work of all. Chance is
 * large in a single window, and small in their sum; until the sum is large, it counts beside an
 * assumed amount at the mean pace of all. */
typedef struct {
    double amount, time_s;
    guint windows;
} Part;

/* One machine in the window. */
typedef struct {
    AftVm *vm;
    gint64 served_before, shed_before;
    double served_per_s, shed_per_s;
    gboolean owes;   /* it owed something all through the window */
    gboolean serves; /* that, and it ran: one that is stopped owes, but serves nothing */
    Part part;       /* served in the last windows, in all of which it owed */
} VmPace;

/* What one task writes to one node. */
typedef struct {
    double moved_before;
    gboolean works;
    Part part; /* bytes */
} LanePace;

typedef struct {
    LanePace *lanes; /* a node */
    guint n_working; /* of them */
    AftTrend trend;  /* bytes a second to those */
    double span;     /* bytes: the most that waited in this stretch */
} TaskPace;

struct AftPace {
    AftModel *model;
    gint64 began_ns, length_ns; /* of the window; scenario time */
    guint working;              /* tasks at work in this stretch, as in the model */
    gboolean known;             /* a window was measured in this stretch */
    VmPace *vms;
    guint n_vms;
    guint n_owing;      /* machines that owe */
    guint n_serving;    /* of those, the ones that serve */
    AftTrend served;    /* by those, a second */
    double clock_per_s; /* arrivals at those */
    double owed_span;   /* owed when the stretch began */
    TaskPace task[AFT_TASKS];
    double *written_before, *written_per_s; /* a pool */
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
        pace->task[task].lanes = g_new0(LanePace, model->topology.n_nodes);
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
        g_free(pace->task[task].lanes);
    }
    g_free(pace->vms);
    g_free(pace->written_before);
    g_free(pace->written_per_s);
    g_free(pace);
}

static void forget_task(AftPace *pace, TaskPace *task)
{
    aft_trend_clear(&task->trend);
    task->span = 0.0;
    task->n_working = 0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        task->lanes[node].part = (Part){0};
        task->lanes[node].works = FALSE;
    }
}

void aft_pace_forget(AftPace *pace)
{
    aft_trend_clear(&pace->served);
    pace->n_owing = 0;
    pace->known = FALSE;
    pace->working = pace->model->working;
    pace->owed_span = (double)aft_phases_owed(pace->model);
    for (guint i = 0; i < pace->n_vms; i++) {
        pace->vms[i].part = (Part){0};
        pace->vms[i].owes = FALSE;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        forget_task(pace, &pace->task[task]);
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

/* A task that begins or ends changes what is left for all others. */
static gboolean forget_if_other_tasks_work(AftPace *pace)
{
    gboolean others = pace->working != pace->model->working;
    if (others) {
        aft_pace_forget(pace);
    }
    return others;
}

void aft_pace_begin(AftPace *pace)
{
    forget_if_other_tasks_work(pace);
    pace->began_ns = aft_engine_scenario_now(pace->model->engine);
    for (guint i = 0; i < pace->n_vms; i++) {
        VmPace *it = &pace->vms[i];
        it->served_before = it->vm->served;
        it->shed_before = it->vm->shed;
        aft_owed_watch(&it->vm->owed);
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
            pace->task[task].lanes[node].moved_before = lane_moved(pace, task, node);
        }
    }
    for (guint i = 0; i < pace->model->pools->len; i++) {
        pace->written_before[i] = ((const AftPool *)pace->model->pools->pdata[i])->written_bytes;
    }
}

static void add_part(Part *part, double amount, double time_s)
{
    part->amount += amount;
    part->time_s += time_s;
    part->windows++;
}

/* The pace of @part, beside @assumed done at @mean_per_s. */
static double part_per_s(const Part *part, double assumed, double mean_per_s)
{
    return mean_per_s > 0.0 ? (part->amount + assumed) / (part->time_s + assumed / mean_per_s)
                            : 0.0;
}

static double centre_s(const AftPace *pace)
{
    return (double)(pace->began_ns + pace->length_ns / 2) / 1e9;
}

static void measure_vm(VmPace *it, double length_s)
{
    it->served_per_s = (double)(it->vm->served - it->served_before) / length_s;
    it->shed_per_s = (double)(it->vm->shed - it->shed_before) / length_s;
    it->owes = it->vm->clients->spec->kind == AFT_WORKLOAD_PACED && it->vm->owed.least > 0;
    it->serves = it->owes && it->vm->running;
    if (it->owes) {
        add_part(&it->part, it->served_per_s * length_s, length_s);
    } else {
        it->part = (Part){0};
    }
}

/* A trend is one of the same machines, and of the same nodes: others, and it begins anew. */
static void measure_vms(AftPace *pace, double length_s)
{
    guint owing = 0;
    double served_per_s = 0.0;
    pace->clock_per_s = 0.0;
    pace->n_serving = 0;
    for (guint i = 0; i < pace->n_vms; i++) {
        VmPace *it = &pace->vms[i];
        measure_vm(it, length_s);
        if (it->owes) {
            owing++;
            pace->n_serving += it->serves ? 1 : 0;
            served_per_s += it->served_per_s;
            pace->clock_per_s += it->vm->rate_per_s;
        }
    }
    if (owing != pace->n_owing) {
        aft_trend_clear(&pace->served);
        pace->n_owing = owing;
    }
    aft_trend_add(&pace->served, centre_s(pace), served_per_s);
}

static void measure_task(AftPace *pace, guint task, double length_s)
{
    TaskPace *it = &pace->task[task];
    guint working = 0;
    double moved_bytes = 0.0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        LanePace *lane = &it->lanes[node];
        double moved = lane_moved(pace, task, node) - lane->moved_before;
        lane->works = lane_waiting(pace, task, node) > 0.0;
        if (lane->works) {
            working++;
            moved_bytes += moved;
            add_part(&lane->part, moved, length_s);
        }
    }
    if (working != it->n_working) {
        aft_trend_clear(&it->trend);
        it->n_working = working;
    }
    aft_trend_add(&it->trend, centre_s(pace), moved_bytes / length_s);
    it->span = MAX(it->span, lane_waiting(pace, task, AFT_NOWHERE));
}

void aft_pace_end(AftPace *pace)
{
    gint64 now_ns = aft_engine_scenario_now(pace->model->engine);
    pace->length_ns = now_ns - pace->began_ns;
    g_assert(pace->length_ns > 0);
    double length_s = (double)pace->length_ns / 1e9;
    if (forget_if_other_tasks_work(pace)) {
        return;
    }
    pace->known = TRUE;
    measure_vms(pace, length_s);
    for (guint task = 0; task < AFT_TASKS; task++) {
        measure_task(pace, task, length_s);
    }
    for (guint i = 0; i < pace->model->pools->len; i++) {
        const AftPool *pool = pace->model->pools->pdata[i];
        pace->written_per_s[i] = (pool->written_bytes - pace->written_before[i]) / length_s;
    }
}

static double lane_part_per_s(const AftPace *pace, guint task, guint node, double mean_per_s)
{
    const LanePace *lane = &pace->task[task].lanes[node];
    double unit_bytes = (double)pace->model->scenario->background.task[task].unit_bytes;
    return lane->works ? part_per_s(&lane->part, ALIKE_UNITS * unit_bytes, mean_per_s) : 0.0;
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

static double now_s(const AftPace *pace)
{
    return (double)aft_engine_scenario_now(pace->model->engine) / 1e9;
}

static double task_per_s(const AftPace *pace, guint task)
{
    return aft_trend_at(&pace->task[task].trend, now_s(pace));
}

/* How fast something moves, for deciding how long to skip: by all windows of the stretch and not by
 * the latest, unless those say that it has become far faster. Were skips longer whenever the pace
 * is thought to be lower than it is, and shorter when higher, too little would move on average. */
static double steady_pace(double mean_per_s, double latest_per_s)
{
    return MAX(mean_per_s, 0.5 * latest_per_s);
}

static double mean_task_per_s(const AftPace *pace, guint task)
{
    double per_s = 0.0;
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        const LanePace *lane = &pace->task[task].lanes[node];
        per_s += lane->works ? lane->part.amount / lane->part.time_s : 0.0;
    }
    return per_s;
}

/* Growth of owed work of machines that owe, and how far chance alone would take it. */
typedef struct {
    double per_s, chance_per_s;
} Growth;

/* A machine that only just has begun to owe is in a bad spell, which will pass: what it owes does
 * not tell how all goes on. */
static Growth mean_growth(const AftPace *pace, guint least_windows)
{
    double growth = 0.0, variance = 0.0;
    for (guint i = 0; i < pace->n_vms; i++) {
        const VmPace *it = &pace->vms[i];
        if (it->owes && it->part.windows >= least_windows) {
            growth += it->vm->rate_per_s - it->part.amount / it->part.time_s;
            variance += it->vm->rate_per_s / it->part.time_s;
        }
    }
    return (Growth){growth, CHANCE * sqrt(variance)};
}

static gboolean owed_moves(const AftPace *pace)
{
    Growth lasting = mean_growth(pace, SPELL_WINDOWS);
    gboolean much = (double)aft_phases_owed(pace->model) > OWED_LARGE_S * pace->model->rate_per_s;
    return pace->n_owing > 0 && (much || fabs(lasting.per_s) > lasting.chance_per_s);
}

static double growth_per_s(const AftPace *pace, double at_s)
{
    return owed_moves(pace) ? pace->clock_per_s - aft_trend_at(&pace->served, at_s) : 0.0;
}

static double mean_growth_per_s(const AftPace *pace)
{
    return owed_moves(pace) ? mean_growth(pace, 1).per_s : 0.0;
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
    if (aft_curator_transfers(pace->model->curator, (AftTaskKind)task) == 0) {
        return INFINITY;
    }
    if (lane_waiting(pace, task, AFT_NOWHERE) <= 0.0) {
        return 0.0; /* the last units are in flight: see them home */
    }
    double per_s = steady_pace(mean_task_per_s(pace, task), task_per_s(pace, task));
    double step_s = per_s > 0.0 ? pace->task[task].span / STEPS_OF_A_SPAN / per_s : INFINITY;
    return MIN(step_s, first_end_s(pace, task));
}

/* Owed work ends, or crosses what begins a phase, at the end of a skip and not inside it. Its end
 * is a small difference of large paces, so it is approached by halves. */
static double owed_limit_s(const AftPace *pace)
{
    double growth = growth_per_s(pace, now_s(pace));
    double owed = (double)aft_phases_owed(pace->model);
    if (growth < 0.0) {
        double per_s = steady_pace(-mean_growth_per_s(pace), -growth);
        double left = MAX(owed - (double)pace->model->owed_low, 0.0);
        return MIN(MAX(pace->owed_span, owed) / STEPS_OF_A_SPAN / per_s, 0.5 * left / -growth);
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
    if (!pace->known) {
        return 0;
    }
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
        double waiting = lane_waiting(pace, task, AFT_NOWHERE);
        double per_s = mean_task_per_s(pace, task);
        if (waiting > 0.0 && per_s > 0.0) {
            remaining_s = MAX(remaining_s, waiting / per_s);
        }
    }
    double growth = mean_growth_per_s(pace);
    if (remaining_s == 0.0 && growth < 0.0) {
        remaining_s = (double)aft_phases_owed(pace->model) / -growth;
    }
    return remaining_s > 0.0 ? to_ns(remaining_s) : G_MAXINT64;
}

static void advance_task(AftPace *pace, guint task, double middle_s, double by_s)
{
    double total_per_s = aft_trend_at(&pace->task[task].trend, middle_s);
    g_autofree double *paces = lane_paces(pace, task, total_per_s);
    for (guint node = 0; node < pace->model->topology.n_nodes; node++) {
        if (paces[node] > 0.0) {
            aft_curator_advance(pace->model->curator, (AftTaskKind)task, node, paces[node] * by_s);
        }
    }
}

/* What one machine does in a skip, before machines that ran out of owed work are made good. */
typedef struct {
    double served, owed;
} VmStep;

static VmStep vm_step(const VmPace *it, double served_per_s, double by_s)
{
    double served = served_per_s * by_s;
    double arrived = it->owes ? it->vm->rate_per_s * by_s : served;
    return (VmStep){served, (double)it->vm->owed.count + arrived - served};
}

static double vm_part_per_s(const AftPace *pace, const VmPace *it, double total_per_s)
{
    return it->serves ? part_per_s(&it->part, ALIKE_IOS, total_per_s / pace->n_serving) : 0.0;
}

/* The factor from the parts of machines that serve what they owe to their paces, all of them doing
 * @total_per_s. */
static double vm_scale(const AftPace *pace, double total_per_s)
{
    double sum = 0.0;
    for (guint i = 0; i < pace->n_vms; i++) {
        sum += vm_part_per_s(pace, &pace->vms[i], total_per_s);
    }
    return sum > 0.0 ? total_per_s / sum : 0.0;
}

/* Machines whose owed work would fall below nothing leave their part of the service to the
 * others: all of it together ends where it should. Returns: the factor for what is owed. */
static double share_of_owed(const VmStep *steps, const VmPace *vms, guint n)
{
    double wanted = 0.0, positive = 0.0;
    for (guint i = 0; i < n; i++) {
        if (vms[i].serves) {
            wanted += steps[i].owed;
            positive += MAX(steps[i].owed, 0.0);
        }
    }
    return positive > 0.0 ? MAX(wanted, 0.0) / positive : 1.0;
}

static void apply_step(const VmPace *it, const VmStep *step, double share, gint64 from_ns,
                       gint64 by_ns)
{
    AftVm *vm = it->vm;
    double by_s = (double)by_ns / 1e9;
    gint64 before = vm->owed.count;
    gint64 owed = it->owes ? llround(MAX(step->owed, 0.0) * (it->serves ? share : 1.0)) : before;
    gint64 served = it->owes && owed != before ? llround(vm->rate_per_s * by_s) + before - owed
                                               : llround(step->served);
    gint64 arrived = served + owed - before;
    gint64 beyond = CLAMP(owed - vm->owed_most, 0, arrived);
    vm->served += served;
    vm->shed += beyond + llround(it->owes ? 0.0 : it->shed_per_s * by_s);
    aft_owed_jump(&vm->owed, from_ns, from_ns + by_ns, arrived - beyond, owed - beyond);
    vm->clients->owed += vm->owed.count - before;
}

static void advance_clients(AftPace *pace, gint64 from_ns, gint64 by_ns)
{
    double by_s = (double)by_ns / 1e9, middle_s = ((double)from_ns + (double)by_ns / 2.0) / 1e9;
    double growth = growth_per_s(pace, middle_s);
    double total_per_s = pace->clock_per_s - growth, scale = vm_scale(pace, total_per_s);
    g_autofree VmStep *steps = g_new(VmStep, pace->n_vms);
    for (guint i = 0; i < pace->n_vms; i++) {
        const VmPace *it = &pace->vms[i];
        double per_s = it->owes ? scale * vm_part_per_s(pace, it, total_per_s) : it->served_per_s;
        steps[i] = vm_step(it, per_s, by_s);
    }
    double share = share_of_owed(steps, pace->vms, pace->n_vms);
    for (guint i = 0; i < pace->n_vms; i++) {
        apply_step(&pace->vms[i], &steps[i], share, from_ns, by_ns);
    }
}

void aft_pace_skip(AftPace *pace, gint64 by_ns)
{
    AftModel *model = pace->model;
    gint64 from_ns = aft_engine_scenario_now(model->engine);
    double by_s = (double)by_ns / 1e9, middle_s = ((double)from_ns + (double)by_ns / 2.0) / 1e9;
    for (guint i = 0; i < model->pools->len; i++) {
        AftPool *pool = model->pools->pdata[i];
        pool->written_bytes += pace->written_per_s[i] * by_s;
    }
    advance_clients(pace, from_ns, by_ns);
    aft_engine_skip(model->engine, by_ns);
    for (guint task = 0; task < AFT_TASKS; task++) {
        advance_task(pace, task, middle_s, by_s);
    }
    aft_curator_pump(model->curator);
    aft_phases_update(model);
}
