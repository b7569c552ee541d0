/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pace_parts.h"

#include <math.h>

#define CHANCE        3.0 /* standard errors that tell growth from chance */
#define SPELL_WINDOWS 3   /* windows that machines owe in before their growth is believed */
#define OWED_LARGE_S  1.0 /* seconds of load above which owed work always moves */
#define ALIKE_IOS     1e3 /* I/Os that machines are */

/* By machines that run. Others owe more and more, until they are started again. */
static gint64 owed_by_running(const AftPace *pace)
{
    gint64 owed = 0;
    for (guint i = 0; i < pace->n_vms; i++) {
        const AftVm *vm = pace->vms[i].vm;
        gboolean may_owe = vm->running && vm->clients->spec->kind == AFT_WORKLOAD_PACED;
        owed += may_owe ? vm->owed.count : 0;
    }
    return owed;
}

gboolean aft_pace_is_catching_up(const AftPace *pace, gboolean was)
{
    gint64 owed = owed_by_running(pace);
    return owed > (was ? 0 : pace->model->owed_low) && owed <= pace->model->owed_high;
}

void aft_pace_forget_clients(AftPace *pace)
{
    aft_trend_clear(&pace->served);
    pace->n_owing = 0;
    pace->owed_span = (double)aft_phases_owed(pace->model);
    for (guint i = 0; i < pace->n_vms; i++) {
        pace->vms[i].part = (AftMeasured){0};
        pace->vms[i].owes = FALSE;
    }
}

static gint64 writes_issued(const AftPace *pace)
{
    gint64 writes = 0;
    for (guint i = 0; i < pace->model->n_clients; i++) {
        writes += pace->model->clients[i].writes;
    }
    return writes;
}

void aft_pace_begin_clients(AftPace *pace)
{
    pace->writes_before = writes_issued(pace);
    for (guint i = 0; i < pace->n_vms; i++) {
        AftVmPace *it = &pace->vms[i];
        it->served_before = it->vm->served;
        it->shed_before = it->vm->shed;
        aft_owed_watch(&it->vm->owed);
    }
}

static void measure_vm(AftVmPace *it, double length_s)
{
    it->served_per_s = (double)(it->vm->served - it->served_before) / length_s;
    it->shed_per_s = (double)(it->vm->shed - it->shed_before) / length_s;
    it->owes = it->vm->clients->spec->kind == AFT_WORKLOAD_PACED && it->vm->owed.least > 0;
    it->serves = it->owes && it->vm->running;
    if (it->owes) {
        aft_part_add(&it->part, it->served_per_s * length_s, length_s);
    } else {
        it->part = (AftMeasured){0};
    }
}

/* The writes a second to expect of one machine: by its clock if it serves all that comes. */
static double writes_per_s(const AftVmPace *it)
{
    const AftWorkloadSpec *spec = it->vm->clients->spec;
    gboolean clocked =
        it->vm->mean_rate_per_s > 0.0 && it->vm->running && !it->owes && it->shed_per_s == 0.0;
    return (1.0 - spec->mean_read_share) * (clocked ? it->vm->mean_rate_per_s : it->served_per_s);
}

/* What chance made of the writes of the window. */
static void measure_chance(AftPace *pace, double length_s)
{
    double expected = 0.0, issued = (double)(writes_issued(pace) - pace->writes_before);
    for (guint i = 0; i < pace->n_vms; i++) {
        expected += writes_per_s(&pace->vms[i]) * length_s;
    }
    pace->writes_chance = issued > 0.0 ? expected / issued : 1.0;
}

/* A trend is one of the same machines, and of the same nodes: others, and it begins anew. */
void aft_pace_end_clients(AftPace *pace, double length_s)
{
    guint owing = 0;
    double served_per_s = 0.0;
    pace->clock_per_s = 0.0;
    pace->n_serving = 0;
    for (guint i = 0; i < pace->n_vms; i++) {
        AftVmPace *it = &pace->vms[i];
        measure_vm(it, length_s);
        if (it->owes) {
            owing++;
            pace->n_serving += it->serves ? 1 : 0;
            served_per_s += it->served_per_s;
            pace->clock_per_s += it->vm->mean_rate_per_s;
        }
    }
    if (owing != pace->n_owing) {
        aft_trend_clear(&pace->served);
        pace->n_owing = owing;
    }
    aft_trend_add(&pace->served, aft_pace_centre_s(pace), served_per_s);
    measure_chance(pace, length_s);
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
        const AftVmPace *it = &pace->vms[i];
        if (it->owes && it->part.windows >= least_windows) {
            growth += it->vm->mean_rate_per_s - it->part.amount / it->part.time_s;
            variance +=
                it->vm->clients->rhythm.dispersion * it->vm->mean_rate_per_s / it->part.time_s;
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

/* Owed work ends, or crosses what begins a phase, at the end of a skip and not inside it. Its end
 * is a small difference of large paces, so it is approached by halves. */
double aft_pace_clients_limit_s(const AftPace *pace)
{
    double growth = growth_per_s(pace, aft_pace_now_s(pace));
    double owed = (double)aft_phases_owed(pace->model);
    if (growth < 0.0) {
        double per_s = aft_pace_steady(-mean_growth_per_s(pace), -growth);
        double left = MAX(owed - (double)pace->model->owed_low, 0.0);
        return MIN(MAX(pace->owed_span, owed) / aft_pace_steps(pace) / per_s, 0.5 * left / -growth);
    }
    double high = (double)pace->model->owed_high + 1.0;
    return growth > 0.0 && owed < high ? (high - owed) / growth : INFINITY;
}

gboolean aft_pace_is_on_edge(const AftPace *pace)
{
    gint64 owed = aft_phases_owed(pace->model);
    return owed > pace->model->owed_low && owed <= pace->model->owed_high &&
           aft_pace_delays_grow(pace);
}

double aft_pace_clients_remaining_s(const AftPace *pace)
{
    double growth = mean_growth_per_s(pace);
    return growth < 0.0 ? (double)aft_phases_owed(pace->model) / -growth : 0.0;
}

/* What one machine does in a skip, before machines that ran out of owed work are made good. */
typedef struct {
    double served, owed;
} VmStep;

static VmStep vm_step(const AftVmPace *it, double served_per_s, double by_s)
{
    double served = served_per_s * by_s;
    double arrived = it->owes ? it->vm->mean_rate_per_s * by_s : served;
    return (VmStep){served, (double)it->vm->owed.count + arrived - served};
}

static double vm_part_per_s(const AftPace *pace, const AftVmPace *it, double total_per_s)
{
    return it->serves ? aft_part_per_s(&it->part, ALIKE_IOS, total_per_s / pace->n_serving) : 0.0;
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
static double share_of_owed(const VmStep *steps, const AftVmPace *vms, guint n)
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

static void apply_step(const AftVmPace *it, const VmStep *step, double share, gint64 from_ns,
                       gint64 by_ns)
{
    AftVm *vm = it->vm;
    double by_s = (double)by_ns / 1e9;
    gint64 before = vm->owed.count;
    gint64 owed = it->owes ? llround(MAX(step->owed, 0.0) * (it->serves ? share : 1.0)) : before;
    gint64 served = it->owes && owed != before ? llround(vm->mean_rate_per_s * by_s) + before - owed
                                               : llround(step->served);
    served = MAX(served, 0); /* what is owed and what arrived are rounded apart */
    gint64 arrived = served + owed - before;
    gint64 beyond = CLAMP(owed - vm->owed_most, 0, arrived);
    vm->served += served;
    vm->shed += beyond + llround(it->owes ? 0.0 : it->shed_per_s * by_s);
    aft_owed_jump(&vm->owed, from_ns, from_ns + by_ns, arrived - beyond, owed - beyond);
    vm->clients->owed += vm->owed.count - before;
}

void aft_pace_advance_clients(AftPace *pace, gint64 from_ns, gint64 by_ns)
{
    double by_s = (double)by_ns / 1e9, middle_s = ((double)from_ns + (double)by_ns / 2.0) / 1e9;
    double growth = growth_per_s(pace, middle_s);
    double total_per_s = pace->clock_per_s - growth, scale = vm_scale(pace, total_per_s);
    g_autofree VmStep *steps = g_new(VmStep, pace->n_vms);
    for (guint i = 0; i < pace->n_vms; i++) {
        const AftVmPace *it = &pace->vms[i];
        double per_s = it->owes ? scale * vm_part_per_s(pace, it, total_per_s) : it->served_per_s;
        steps[i] = vm_step(it, per_s, by_s);
    }
    double share = share_of_owed(steps, pace->vms, pace->n_vms);
    for (guint i = 0; i < pace->n_vms; i++) {
        apply_step(&pace->vms[i], &steps[i], share, from_ns, by_ns);
    }
}
