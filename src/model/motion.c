/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "motion_parts.h"

#include "fill_bins.h"

#include <math.h>

#define SEEN_UNITS                                                                               \
    32.0               /* of a transfer, for each that is in flight at once, windows see at most \
                        */
#define NODES_APART 16 /* up to so many, machines of each have a pace of their own */

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
    motion->vms = g_new0(AftMachine, motion->n_vms);
    motion->buffers = g_new0(AftMotionBuffer, motion->n_buffers);
    motion->pools = g_new0(AftMotionPool, motion->n_pools);
    for (guint task = 0; task < AFT_TASKS; task++) {
        motion->lanes[task] = g_new0(AftMotionLane, motion->n_nodes);
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
    AftMachine *it = &motion->vms[i];
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
        motion->buffers[i].bin = aft_fill_bin(buffer, -1);
    }
    for (guint i = 0; i < motion->n_pools; i++) {
        const AftPool *pool = model->pools->pdata[i];
        motion->pools[i] = (AftMotionPool){pool->written_bytes, pool->read_bytes};
    }
}

static double length_s(const AftMotion *motion, const AftModel *model)
{
    return (double)(aft_engine_scenario_now(model->engine) - motion->began_ns) / 1e9;
}

static void count_vm(AftMotion *motion, guint i, const AftVm *vm)
{
    AftMachine *it = &motion->vms[i];
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

/* Gives all that are like machine @first, which is the first of them, their mean. */
static void share_mean(AftMotion *motion, const AftModel *model, guint first, gboolean *done,
                       double time_s)
{
    const AftVm *vm = aft_motion_vm(model, first);
    AftMachine sum = {0};
    guint n = 0;
    for (guint i = first; i < motion->n_vms; i++) {
        if (!done[i] && are_alike(motion, first, vm, i, aft_motion_vm(model, i))) {
            sum.served += motion->vms[i].served;
            sum.shed += motion->vms[i].shed;
            sum.grown += motion->vms[i].grown;
            n++;
        }
    }
    AftMachine mean = {sum.served / n / time_s, sum.shed / n / time_s, sum.grown / n / time_s,
                       motion->vms[first].owes, FALSE};
    for (guint i = motion->n_vms; i-- > first;) {
        if (!done[i] && are_alike(motion, first, vm, i, aft_motion_vm(model, i))) {
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
static void be_exact(AftMachine *it, const AftVm *vm, gboolean chance)
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
        be_exact(&motion->vms[i], aft_motion_vm(model, i), chance);
    }
}

static void end_task(AftMotion *motion, const AftModel *model, AftTaskKind task,
                     const AftPace *pace, double time_s)
{
    double sum = 0.0;
    guint n = 0;
    for (guint node = 0; node < motion->n_nodes; node++) {
        AftMotionLane *lane = &motion->lanes[task][node];
        double moved = aft_curator_moved_bytes(model->curator, task, node) - lane->bytes;
        *lane = (AftMotionLane){moved, moved > 0.0 ? time_s : 0.0};
        if (pace != NULL && pace->task[task].lanes[node].part.time_s > 0.0) {
            const AftMeasured *part = &pace->task[task].lanes[node].part;
            *lane = (AftMotionLane){part->amount, part->time_s};
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

/* What destage keeps up with, or is full, stays so. One that has just come to where that is has
 * moved there. */
static gboolean has_moved(const AftMotionBuffer *it, const AftBuffer *buffer, const AftPace *pace,
                          guint i)
{
    return pace == NULL || pace->buffers[i].moves || aft_fill_bin(buffer, it->bin) != it->bin;
}

static void end_buffers(AftMotion *motion, const AftModel *model, const AftPace *pace,
                        double time_s)
{
    g_autofree gboolean *done = g_new0(gboolean, motion->n_buffers + 1);
    for (guint i = 0; i < motion->n_buffers; i++) {
        const AftBuffer *buffer = &model->topology.buffers[i];
        AftMotionBuffer *it = &motion->buffers[i];
        gboolean moves = has_moved(it, buffer, pace, i);
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
        motion->pools[i] =
            (AftMotionPool){(pool->written_bytes - motion->pools[i].written) / time_s,
                            (pool->read_bytes - motion->pools[i].read) / time_s};
    }
}
