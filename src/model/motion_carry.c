/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carries a quiet model on at remembered paces. */
#include "motion_parts.h"

#include <math.h>

#define ALIKE_TRANSFERS 16.0 /* for which nodes are taken to be alike, until seen */

static double waiting(const AftModel *model, AftTaskKind task, guint node)
{
    return aft_curator_runs(model->curator, task)
               ? aft_curator_waiting_bytes(model->curator, task, node)
               : 0.0;
}

/* A lane that was not seen to work goes at the mean pace of the others. */
static double lane_per_s(const AftMotion *motion, AftTaskKind task, guint node)
{
    const AftMotionLane *lane = &motion->lanes[task][node];
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
        const AftVm *vm = aft_motion_vm(model, i);
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

/* What machines served, I/Os, and how long that had waited, summed. */
typedef struct {
    double served, waited_ns;
    gboolean owed; /* some of it, or something is owed now */
} Served;

/* Nothing is owed that never came: where less is left than the pace says, less is served. A little
 * that is worked off at once had waited; what comes after it does not. */
static Served carry_vm(const AftMachine *it, AftVm *vm, gint64 from_ns, gint64 to_ns)
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
    double mean_ns = ((double)waits_ns + (double)aft_owed_waits_ns(&vm->owed, to_ns)) / 2.0;
    double had_waited = (double)(it->serves_all ? before : served);
    return (Served){(double)served, had_waited * mean_ns, before > 0 || vm->owed.count > 0};
}

static double carry_clients(const AftMotion *motion, AftModel *model, gint64 from_ns, gint64 by_ns)
{
    Served all = {0};
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            Served one =
                carry_vm(&motion->vms[n++], &model->clients[i].vms[vm], from_ns, from_ns + by_ns);
            all.waited_ns += one.waited_ns;
            all.served += one.served;
            all.owed |= one.owed;
        }
    }
    return all.owed && all.served > 0.0 ? all.waited_ns / all.served : -1.0;
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
        const AftMotionBuffer *it = &motion->buffers[i];
        double cold = MAX(aft_buffer_warm_most(buffer) - buffer->warm_bytes, 0.0);
        aft_buffer_jump(buffer, it->grown * by_s, it->destaged * by_s);
        buffer->warm_bytes += MIN(it->warmed * by_s, cold);
    }
}

double aft_motion_skip(const AftMotion *motion, AftModel *model, gint64 by_ns)
{
    gint64 from_ns = aft_engine_scenario_now(model->engine);
    double by_s = (double)by_ns / 1e9;
    for (guint i = 0; i < motion->n_pools; i++) {
        AftPool *pool = model->pools->pdata[i];
        pool->written_bytes += motion->pools[i].written * by_s;
        pool->read_bytes += motion->pools[i].read * by_s;
    }
    double waited_ns = carry_clients(motion, model, from_ns, by_ns);
    aft_engine_skip(model->engine, by_ns);
    carry_tasks(motion, model, by_s);
    carry_buffers(motion, model, by_s);
    aft_curator_pump(model->curator);
    aft_phases_update(model);
    return waited_ns;
}
