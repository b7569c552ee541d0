/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curator_parts.h"
#include "pace_parts.h"
#include "sectors.h"

#include <aftershock/model/motion.h>
#include <math.h>

#define ALIKE_TRANSFERS 16.0 /* for which nodes are taken to be alike, until seen */
#define SEEN_UNITS      32.0 /* of a transfer, for each that is in flight at once, windows see at most \
                              */
#define NODES_APART 16       /* up to so many, machines of each have a pace of their own */

/* One machine: what it does, a second. */
typedef struct {
    double served, shed, grown;
    gboolean owes;       /* in that state */
    gboolean serves_all; /* that comes by its clock */
} Machine;

typedef struct {
    double bytes, time_s; /* of the time in which there was work */
} Lane;

typedef struct {
    double grown, destaged, warmed;
    double fill; /* of the state */
    guint kind;  /* of its node */
} Buffer;

typedef struct {
    double written, read;
} Pool;

struct AftMotion {
    gint64 began_ns;
    guint n_vms, n_nodes, n_buffers, n_pools;
    Machine *vms;
    Lane *lanes[AFT_TASKS];
    double mean[AFT_TASKS];       /* bytes a second of a lane that works */
    double seen_bytes[AFT_TASKS]; /* that windows see of a transfer: a node is on one at a time */
    Buffer *buffers;
    Pool *pools;
};

static guint count_vms(const AftModel *model)
{
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        n += model->clients[i].n_vms;
    }
    return n;
}

static gboolean is_paced(const AftVm *vm)
{
    return vm->clients->spec->kind == AFT_WORKLOAD_PACED;
}

/* Calls @visit for every machine, with its number. */
typedef void (*VmVisitor)(AftMotion *motion, guint i, const AftVm *vm);

static void visit_vms(AftMotion *motion, const AftModel *model, VmVisitor visit)
{
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            visit(motion, n++, &model->clients[i].vms[vm]);
        }
    }
}

static void look_at_vm(AftMotion *motion, guint i, const AftVm *vm)
{
    motion->vms[i].owes = is_paced(vm) && vm->owed.count > 0;
}

/* What is done at @node: whose work and which tasks' writes go through its buffers. */
static guint kind_of(const AftModel *model, guint node)
{
    guint kind = model->topology.nodes[node].alive ? 1 : 0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        double bytes = aft_curator_waiting_bytes(model->curator, (AftTaskKind)task, node);
        kind |= bytes > 0.0 ? 2u << task : 0;
    }
    for (guint i = 0; i < model->n_clients; i++) {
        kind = kind * 1009 + model->clients[i].hosts[node].machines;
    }
    return kind;
}

static double seen_bytes(const AftModel *model, AftTaskKind task)
{
    double unit_bytes = (double)model->scenario->background.task[task].unit_bytes;
    double seen = SEEN_UNITS * unit_bytes * aft_curator_in_flight_most(model->curator, task);
    double transfers = aft_curator_transfers(model->curator, task);
    double bytes = aft_curator_waiting_bytes(model->curator, task, AFT_NOWHERE);
    return MIN(seen, transfers > 0.0 ? MAX(bytes / transfers, unit_bytes) : unit_bytes);
}

AftMotion *aft_motion_new(const AftModel *model)
{
    AftMotion *motion = g_new0(AftMotion, 1);
    motion->n_vms = count_vms(model);
    motion->n_nodes = model->topology.n_nodes;
    motion->n_buffers = model->topology.n_buffers;
    motion->n_pools = model->pools->len;
    motion->vms = g_new0(Machine, motion->n_vms);
    motion->buffers = g_new0(Buffer, motion->n_buffers);
    motion->pools = g_new0(Pool, motion->n_pools);
    for (guint task = 0; task < AFT_TASKS; task++) {
        motion->lanes[task] = g_new0(Lane, motion->n_nodes);
    }
    visit_vms(motion, model, look_at_vm);
    for (guint task = 0; task < AFT_TASKS; task++) {
        motion->seen_bytes[task] = seen_bytes(model, (AftTaskKind)task);
    }
    for (guint i = 0; i < motion->n_buffers; i++) {
        const AftBuffer *buffer = &model->topology.buffers[i];
        motion->buffers[i].fill = aft_buffer_fill(buffer);
        motion->buffers[i].kind = kind_of(model, buffer->node);
    }
    return motion;
}

void aft_motion_free(AftMotion *motion)
{
    if (motion == NULL) {
        return;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        g_free(motion->lanes[task]);
    }
    g_free(motion->vms);
    g_free(motion->buffers);
    g_free(motion->pools);
    g_free(motion);
}

static void begin_vm(AftMotion *motion, guint i, const AftVm *vm)
{
    Machine *it = &motion->vms[i];
    it->served = (double)vm->served;
    it->shed = (double)vm->shed;
    it->grown = (double)vm->owed.count;
}

void aft_motion_begin(AftMotion *motion, AftModel *model)
{
    motion->began_ns = aft_engine_scenario_now(model->engine);
    visit_vms(motion, model, begin_vm);
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < motion->n_nodes; node++) {
            motion->lanes[task][node].bytes =
                aft_curator_moved_bytes(model->curator, (AftTaskKind)task, node);
        }
    }
    for (guint i = 0; i < motion->n_buffers; i++) {
        const AftBuffer *buffer = &model->topology.buffers[i];
        motion->buffers[i].grown = buffer->dirty_bytes;
        motion->buffers[i].destaged = buffer->destaged_bytes;
        motion->buffers[i].warmed = buffer->warm_bytes;
    }
    for (guint i = 0; i < motion->n_pools; i++) {
        const AftPool *pool = model->pools->pdata[i];
        motion->pools[i] = (Pool){pool->written_bytes, pool->read_bytes};
    }
}

static double length_s(const AftMotion *motion, const AftModel *model)
{
    return (double)(aft_engine_scenario_now(model->engine) - motion->began_ns) / 1e9;
}

static void count_vm(AftMotion *motion, guint i, const AftVm *vm)
{
    Machine *it = &motion->vms[i];
    it->served = (double)vm->served - it->served;
    it->shed = (double)vm->shed - it->shed;
    it->grown = (double)vm->owed.count - it->grown;
}

/* Whether two machines have one pace. */
static gboolean are_alike(const AftMotion *motion, guint i, const AftVm *vm, guint j,
                          const AftVm *other)
{
    gboolean together = motion->n_nodes > NODES_APART || vm->node == other->node;
    return vm->clients == other->clients && vm->running == other->running && together &&
           motion->vms[i].owes == motion->vms[j].owes && vm->slots == other->slots;
}

static const AftVm *vm_at(const AftModel *model, guint i)
{
    guint client = 0;
    while (i >= model->clients[client].n_vms) {
        i -= model->clients[client++].n_vms;
    }
    return &model->clients[client].vms[i];
}

/* Gives all that are like machine @first, which is the first of them, their mean. */
static void share_mean(AftMotion *motion, const AftModel *model, guint first, gboolean *done,
                       double time_s)
{
    const AftVm *vm = vm_at(model, first);
    Machine sum = {0};
    guint n = 0;
    for (guint i = first; i < motion->n_vms; i++) {
        if (!done[i] && are_alike(motion, first, vm, i, vm_at(model, i))) {
            sum.served += motion->vms[i].served;
            sum.shed += motion->vms[i].shed;
            sum.grown += motion->vms[i].grown;
            n++;
        }
    }
    Machine mean = {sum.served / n / time_s, sum.shed / n / time_s, sum.grown / n / time_s,
                    motion->vms[first].owes, FALSE};
    for (guint i = motion->n_vms; i-- > first;) {
        if (!done[i] && are_alike(motion, first, vm, i, vm_at(model, i))) {
            motion->vms[i] = mean;
            done[i] = TRUE;
        }
    }
}

/* What machines that do not always owe came to owe all the same, I/Os. */
static double owed_besides(const AftMotion *motion, double time_s)
{
    double owed = 0.0;
    for (guint i = 0; i < motion->n_vms; i++) {
        owed += motion->vms[i].owes ? 0.0 : motion->vms[i].grown * time_s;
    }
    return owed;
}

/* Arrivals come at the exact rate of their clock. What machines that always owe do not serve of
 * them is owed; others serve them all, as long as no more comes to be owed than chance makes of it.
 */
static void be_exact(Machine *it, const AftVm *vm, gboolean chance)
{
    gboolean clocked = vm->mean_rate_per_s > 0.0;
    if (it->owes && clocked) {
        it->grown = vm->mean_rate_per_s - it->served - it->shed;
    } else if (chance && clocked && vm->running && it->shed == 0.0) {
        it->grown = 0.0;
        it->served = vm->mean_rate_per_s;
        it->serves_all = TRUE;
    }
}

static void end_vms(AftMotion *motion, const AftModel *model, double time_s)
{
    g_autofree gboolean *done = g_new0(gboolean, motion->n_vms + 1);
    visit_vms(motion, model, count_vm);
    for (guint i = 0; i < motion->n_vms; i++) {
        if (!done[i]) {
            share_mean(motion, model, i, done, time_s);
        }
    }
    gboolean chance = fabs(owed_besides(motion, time_s)) <= (double)model->owed_low;
    for (guint i = 0; i < motion->n_vms; i++) {
        be_exact(&motion->vms[i], vm_at(model, i), chance);
    }
}

static void end_task(AftMotion *motion, const AftModel *model, AftTaskKind task,
                     const AftPace *pace, double time_s)
{
    double sum = 0.0;
    guint n = 0;
    for (guint node = 0; node < motion->n_nodes; node++) {
        Lane *lane = &motion->lanes[task][node];
        double moved = aft_curator_moved_bytes(model->curator, task, node) - lane->bytes;
        *lane = (Lane){moved, moved > 0.0 ? time_s : 0.0};
        if (pace != NULL && pace->task[task].lanes[node].part.time_s > 0.0) {
            const AftMeasured *part = &pace->task[task].lanes[node].part;
            *lane = (Lane){part->amount, part->time_s};
        }
        sum += lane->time_s > 0.0 ? lane->bytes / lane->time_s : 0.0;
        n += lane->time_s > 0.0 ? 1 : 0;
    }
    motion->mean[task] = n > 0 ? sum / n : 0.0;
}

/* Buffers of nodes alike that are equally full, so that they stay so. */
static gboolean fill_alike(const AftMotion *motion, const AftModel *model, guint i, guint j)
{
    const AftBuffer *a = &model->topology.buffers[i], *b = &model->topology.buffers[j];
    return motion->buffers[i].fill == motion->buffers[j].fill &&
           motion->buffers[i].kind == motion->buffers[j].kind && a->size_bytes == b->size_bytes &&
           a->n_behind == b->n_behind;
}

static void share_fill(AftMotion *motion, const AftModel *model, guint first, gboolean *done)
{
    double grown = 0.0, destaged = 0.0;
    guint n = 0;
    for (guint i = first; i < motion->n_buffers; i++) {
        if (!done[i] && fill_alike(motion, model, first, i)) {
            grown += motion->buffers[i].grown;
            destaged += motion->buffers[i].destaged;
            n++;
        }
    }
    for (guint i = first; i < motion->n_buffers; i++) {
        if (!done[i] && fill_alike(motion, model, first, i)) {
            motion->buffers[i].grown = grown / n;
            motion->buffers[i].destaged = destaged / n;
            done[i] = TRUE;
        }
    }
}

static void end_buffers(AftMotion *motion, const AftModel *model, const AftPace *pace,
                        double time_s)
{
    g_autofree gboolean *done = g_new0(gboolean, motion->n_buffers + 1);
    for (guint i = 0; i < motion->n_buffers; i++) {
        const AftBuffer *buffer = &model->topology.buffers[i];
        Buffer *it = &motion->buffers[i];
        gboolean moves = pace == NULL || pace->buffers[i].moves;
        it->grown = moves ? (buffer->dirty_bytes - it->grown) / time_s : 0.0;
        it->destaged = (buffer->destaged_bytes - it->destaged) / time_s;
        it->warmed = (buffer->warm_bytes - it->warmed) / time_s;
    }
    for (guint i = 0; i < motion->n_buffers; i++) {
        if (!done[i]) {
            share_fill(motion, model, i, done);
        }
    }
}

void aft_motion_end(AftMotion *motion, AftModel *model, const AftPace *pace)
{
    double time_s = length_s(motion, model);
    g_assert(time_s > 0.0);
    end_vms(motion, model, time_s);
    for (guint task = 0; task < AFT_TASKS; task++) {
        end_task(motion, model, (AftTaskKind)task, pace, time_s);
    }
    end_buffers(motion, model, pace, time_s);
    for (guint i = 0; i < motion->n_pools; i++) {
        const AftPool *pool = model->pools->pdata[i];
        motion->pools[i] = (Pool){(pool->written_bytes - motion->pools[i].written) / time_s,
                                  (pool->read_bytes - motion->pools[i].read) / time_s};
    }
}

static double waiting(const AftModel *model, AftTaskKind task, guint node)
{
    return aft_curator_runs(model->curator, task)
               ? aft_curator_waiting_bytes(model->curator, task, node)
               : 0.0;
}

/* A lane that was not seen to work goes at the mean pace of the others. */
static double lane_per_s(const AftMotion *motion, AftTaskKind task, guint node)
{
    const Lane *lane = &motion->lanes[task][node];
    double mean = motion->mean[task], assumed = ALIKE_TRANSFERS * motion->seen_bytes[task];
    return mean > 0.0 ? (lane->bytes + assumed) / (lane->time_s + assumed / mean) : 0.0;
}

double aft_motion_task_per_s(const AftMotion *motion, const AftModel *model, AftTaskKind task)
{
    double per_s = 0.0;
    for (guint node = 0; node < motion->n_nodes; node++) {
        per_s += waiting(model, task, node) > 0.0 ? lane_per_s(motion, task, node) : 0.0;
    }
    return per_s;
}

double aft_motion_clock_per_s(const AftMotion *motion)
{
    double per_s = 0.0;
    gboolean all = TRUE;
    for (guint i = 0; i < motion->n_vms; i++) {
        all &= motion->vms[i].serves_all || motion->vms[i].served == 0.0;
        per_s += motion->vms[i].served;
    }
    return all ? per_s : NAN;
}

double aft_motion_owed_per_s(const AftMotion *motion, guint index)
{
    return motion->vms[index].grown;
}

double aft_motion_fill_per_s(const AftMotion *motion, guint index)
{
    return motion->buffers[index].grown;
}

double aft_motion_warm_per_s(const AftMotion *motion, guint index)
{
    return motion->buffers[index].warmed;
}

static double tasks_end_s(const AftMotion *motion, const AftModel *model)
{
    double end_s = INFINITY;
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < motion->n_nodes; node++) {
            double left = waiting(model, (AftTaskKind)task, node);
            double per_s = lane_per_s(motion, (AftTaskKind)task, node);
            end_s = left > 0.0 && per_s > 0.0 ? MIN(end_s, left / per_s) : end_s;
        }
    }
    return end_s;
}

static double owed_end_s(const AftMotion *motion, const AftModel *model)
{
    double end_s = INFINITY;
    for (guint i = 0; i < motion->n_vms; i++) {
        const AftVm *vm = vm_at(model, i);
        double grown = motion->vms[i].grown;
        end_s =
            grown < 0.0 && vm->owed.count > 0 ? MIN(end_s, (double)vm->owed.count / -grown) : end_s;
    }
    return end_s;
}

gint64 aft_motion_end_ns(const AftMotion *motion, const AftModel *model)
{
    double end_s = MIN(tasks_end_s(motion, model), owed_end_s(motion, model));
    return end_s < 9e9 ? (gint64)(end_s * 1e9) : G_MAXINT64;
}

/* Whole pieces of what comes evenly: what is left over counts in the next step, since pieces are
 * counted from the time at which the run began. */
static gint64 pieces(double per_s, gint64 from_ns, gint64 to_ns)
{
    return llround(per_s * (double)to_ns / 1e9) - llround(per_s * (double)from_ns / 1e9);
}

/* Nothing is owed that never came: where less is left than the pace says, less is served. */
static AftWaited carry_vm(const Machine *it, AftVm *vm, gint64 from_ns, gint64 to_ns)
{
    gint64 before = vm->owed.count, waits_ns = aft_owed_waits_ns(&vm->owed, from_ns);
    gint64 grown = MAX(pieces(it->grown, from_ns, to_ns), -before);
    grown = it->serves_all ? -before : grown; /* a little that a transient has left */
    gint64 served = MAX(pieces(it->served, from_ns, to_ns), MAX(-grown, 0));
    gint64 arrived = served + grown, owed = before + grown;
    gint64 beyond = CLAMP(owed - vm->owed_most, 0, arrived);
    vm->served += served;
    vm->shed += beyond + pieces(it->shed, from_ns, to_ns);
    aft_owed_jump(&vm->owed, from_ns, to_ns, arrived - beyond, owed - beyond);
    vm->clients->owed += vm->owed.count - before;
    if (before == 0 && vm->owed.count == 0) {
        return (AftWaited){0};
    }
    double mean_ns = ((double)waits_ns + (double)aft_owed_waits_ns(&vm->owed, to_ns)) / 2.0;
    return (AftWaited){(double)served, mean_ns};
}

static AftWaited carry_clients(const AftMotion *motion, AftModel *model, gint64 from_ns,
                               gint64 by_ns)
{
    AftWaited all = {0};
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            AftWaited one =
                carry_vm(&motion->vms[n++], &model->clients[i].vms[vm], from_ns, from_ns + by_ns);
            all.waited_ns += one.served * one.waited_ns;
            all.served += one.served;
        }
    }
    all.waited_ns = all.served > 0.0 ? all.waited_ns / all.served : 0.0;
    return all;
}

static void carry_tasks(const AftMotion *motion, AftModel *model, double by_s)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        for (guint node = 0; node < motion->n_nodes; node++) {
            double bytes = lane_per_s(motion, (AftTaskKind)task, node) * by_s;
            if (bytes > 0.0 && waiting(model, (AftTaskKind)task, node) > 0.0) {
                aft_curator_advance(model->curator, (AftTaskKind)task, node, bytes);
            }
        }
    }
}

static void carry_buffers(const AftMotion *motion, AftModel *model, double by_s)
{
    for (guint i = 0; i < motion->n_buffers; i++) {
        AftBuffer *buffer = &model->topology.buffers[i];
        const Buffer *it = &motion->buffers[i];
        double cold = MAX(aft_buffer_warm_most(buffer) - buffer->warm_bytes, 0.0);
        aft_buffer_jump(buffer, it->grown * by_s, it->destaged * by_s);
        buffer->warm_bytes += MIN(it->warmed * by_s, cold);
    }
}

AftWaited aft_motion_skip(const AftMotion *motion, AftModel *model, gint64 by_ns)
{
    gint64 from_ns = aft_engine_scenario_now(model->engine);
    double by_s = (double)by_ns / 1e9;
    for (guint i = 0; i < motion->n_pools; i++) {
        AftPool *pool = model->pools->pdata[i];
        pool->written_bytes += motion->pools[i].written * by_s;
        pool->read_bytes += motion->pools[i].read * by_s;
    }
    AftWaited waited = carry_clients(motion, model, from_ns, by_ns);
    aft_engine_skip(model->engine, by_ns);
    carry_tasks(motion, model, by_s);
    carry_buffers(motion, model, by_s);
    aft_curator_pump(model->curator);
    aft_phases_update(model);
    return waited;
}
