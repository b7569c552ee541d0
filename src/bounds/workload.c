/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload.h"

#include "closed.h"
#include "demand.h"
#include "destage.h"
#include "hosts.h"
#include "operation.h"

#include <aftershock/scenario/arrivals.h>
#include <math.h>

/* What I/Os of one size do to the parts, and how many of those there are per I/O of any size. */
typedef struct {
    double reads, writes, destages;
    AftTraffic read, write, destage;
} Work;

static double mix(const AftWorkloadSpec *spec, double read, double write)
{
    return spec->mean_read_share * read + (1.0 - spec->mean_read_share) * write;
}

/* Destages that a client I/O makes necessary. */
static double destages(const AftWorkloadBounds *workload, const AftWorkloadState *it)
{
    return (1.0 - workload->spec->mean_read_share) * it->destage.per_write;
}

static void keep_least(AftDemand *demand, const AftDemand *other, gboolean first)
{
    for (guint s = 0; s < AFT_SCARCES; s++) {
        double most_s = first ? other[s].most_s : MIN(demand[s].most_s, other[s].most_s);
        demand[s] = (AftDemand){other[s].mean_s, most_s};
    }
}

/* Whether @node could as well be the one that is down. */
static gboolean may_be_down(const AftNodes *nodes, guint node)
{
    return node == nodes->down ||
           (nodes->down < nodes->n && nodes->kind_of[node] == nodes->kind_of[nodes->down]);
}

static void add_asked(AftDemandSum *sum, const AftWorkloadBounds *workload, const Work *works)
{
    for (guint i = 0; i < workload->spec->n_mix; i++) {
        aft_demand_add(sum, &works[i].read, works[i].reads, FALSE);
        aft_demand_add(sum, &works[i].write, works[i].writes, FALSE);
    }
}

static void add_destaged(AftDemandSum *sum, const AftWorkloadBounds *workload, const Work *works)
{
    for (guint i = 0; i < workload->spec->n_mix; i++) {
        aft_demand_add(sum, &works[i].destage, works[i].destages, TRUE);
    }
}

/* What parts with the demands of @sum allow: @ret_demand at equal shares of @asking. */
static double parts_iops(const AftWorkloadBounds *workload, const AftDemandSum *sum,
                         const AftDemandSum *idle, const AftDemandSum *busy, const double *asking,
                         AftDemand *ret_demand)
{
    aft_demand_get(sum, ret_demand);
    double most_s = ret_demand[aft_demand_bottleneck(ret_demand)].most_s;
    gboolean closed = workload->spec->kind == AFT_WORKLOAD_CLOSED && most_s > 0.0;
    return closed ? aft_closed_iops(idle, busy, asking, 1.0 / most_s) : 1.0 / most_s;
}

/* With node @down being that which is. @first: nothing else was looked at before. */
static void fill_demands_with(const AftSetting *setting, const AftWorkloadBounds *workload,
                              const Work *works, guint down, const double *asking, gboolean first,
                              AftWorkloadState *it)
{
    guint nodes = setting->nodes->n;
    AftDemand demand[AFT_SCARCES];
    g_autofree double *nobody = g_new0(double, nodes), *everyone = g_new(double, nodes);
    g_auto(AftDemandSum) sum, idle, busy;
    for (guint node = 0; node < nodes; node++) {
        everyone[node] = 1.0;
    }
    aft_demand_init(&sum, setting->stacks, down, asking);
    aft_demand_init(&idle, setting->stacks, down, nobody);
    aft_demand_init(&busy, setting->stacks, down, everyone);
    AftDemandSum *sums[] = {&sum, &idle, &busy};
    for (guint i = 0; i < G_N_ELEMENTS(sums); i++) {
        add_asked(sums[i], workload, works);
    }
    double own_iops = parts_iops(workload, &sum, &idle, &busy, asking, demand);
    keep_least(it->own, demand, first);
    for (guint i = 0; i < G_N_ELEMENTS(sums); i++) {
        add_destaged(sums[i], workload, works);
    }
    double iops = parts_iops(workload, &sum, &idle, &busy, asking, demand);
    keep_least(it->demand, demand, first);
    it->own_iops = first ? own_iops : MAX(it->own_iops, own_iops);
    it->demand_iops = first ? iops : MAX(it->demand_iops, iops);
}

/* Means are the same whichever of like nodes is down; of the busiest, the least burdened counts. */
static void fill_demands(const AftSetting *setting, const AftWorkloadBounds *workload,
                         const Work *works, AftWorkloadState *it)
{
    const AftNodes *nodes = setting->nodes;
    guint first = nodes->down; /* of those that may be down */
    for (guint down = first; down <= MAX(first, nodes->n - 1); down++) {
        g_autofree double *asking =
            aft_hosts_shares(workload->spec, &setting->scenario->cluster, down);
        if (asking != NULL && may_be_down(nodes, down)) {
            fill_demands_with(setting, workload, works, down, asking, down == first, it);
        }
    }
}

/* What devices and controllers destage with nothing else going on. */
static void fill_destage_speed(const AftSetting *setting, const Work *works, guint n,
                               AftDestageCost *destage)
{
    AftDemand demand[AFT_SCARCES];
    double all = 0.0;
    g_auto(AftDemandSum) sum;
    aft_demand_init(&sum, setting->stacks, setting->nodes->down, NULL);
    for (guint i = 0; i < n; i++) {
        all += works[i].destages;
    }
    for (guint i = 0; i < n; i++) {
        aft_demand_add(&sum, &works[i].destage, works[i].destages / all, TRUE);
    }
    aft_demand_get(&sum, demand);
    destage->bottleneck = aft_demand_bottleneck(demand);
    double scarce = 1.0 / demand[destage->bottleneck].most_s;
    double in_flight = aft_destage_pace(setting, destage->cost.response_s);
    destage->limit = in_flight < scarce ? AFT_LIMIT_DESTAGE : AFT_LIMIT_SCARCE;
    destage->bytes_per_s = MIN(in_flight, scarce) * destage->bytes;
}

static void limit(AftThroughput *throughput, double iops, AftLimitKind kind)
{
    if (iops < throughput->iops) {
        throughput->iops = iops;
        throughput->limit = kind;
    }
}

/* Every machine has places for so many at once, each held for a while. */
static double updates_iops(const AftWorkloadBounds *workload, const AftWorkloadState *it)
{
    const AftWorkloadSpec *spec = workload->spec;
    double held_s = (1.0 - spec->mean_read_share) * it->write.held_s;
    guint updates = workload->pool->initial.updates;
    return updates > 0 ? (double)spec->vms * updates / held_s : (double)INFINITY;
}

static AftThroughput throughput_of(const AftWorkloadBounds *workload, const AftWorkloadState *it,
                                   const AftDemand *demand, double parts_iops, double destage_iops)
{
    double cycle_s = it->response_s + (double)workload->spec->think_ns / 1e9;
    AftThroughput throughput = {
        .bottleneck = aft_demand_bottleneck(demand),
        .outstanding_iops = workload->outstanding / cycle_s,
        .destage_iops = destage_iops,
        .updates_iops = updates_iops(workload, it),
        .limit = AFT_LIMIT_SCARCE,
    };
    throughput.capacity_iops = throughput.iops = parts_iops;
    limit(&throughput, throughput.outstanding_iops, AFT_LIMIT_OUTSTANDING);
    limit(&throughput, destage_iops, AFT_LIMIT_DESTAGE);
    limit(&throughput, throughput.updates_iops, AFT_LIMIT_UPDATES);
    return throughput;
}

/* Bytes that a client I/O adds to buffers. */
static double added_bytes(const AftWorkloadBounds *workload, const AftWorkloadState *it)
{
    return destages(workload, it) * it->destage.bytes;
}

static void fill_throughputs(const AftSetting *setting, const AftWorkloadBounds *workload,
                             AftWorkloadState *it)
{
    double added = added_bytes(workload, it), destage_iops = (double)INFINITY;
    if (added > 0.0) {
        destage_iops =
            aft_destage_pace(setting, it->destage.cost.response_s) * it->destage.bytes / added;
    }
    it->burst = throughput_of(workload, it, it->own, it->own_iops, (double)INFINITY);
    it->sustained = throughput_of(workload, it, it->demand, it->demand_iops, destage_iops);
}

/* The part of @amount in @sum; where there is nothing at all, the part of the I/Os. */
static double part_of(double amount, double sum, const AftBlockSpec *block)
{
    return sum > 0.0 ? amount / sum : block->share;
}

/* Adds what I/Os of one size are to those of all. Returns: the share of the stripes, by I/Os, that
 * can serve them. */
static double add_block(const AftSetting *setting, const AftWorkloadBounds *workload, guint i,
                        AftWorkloadState *it, Work *work)
{
    const AftBlockBounds *block = &workload->block[i];
    const AftBlockSpec *spec = block->spec;
    double reads = workload->spec->mean_read_share, writes = 1.0 - reads;
    g_auto(AftOperationCost) read, write;
    AftDestageCost destage;
    work->reads = spec->share * spec->read_share;
    work->writes = spec->share * (1.0 - spec->read_share);
    double served =
        aft_operation_fill(setting, workload->pool, block, AFT_OPERATION_READ, &read, &work->read);
    aft_operation_fill(setting, workload->pool, block, AFT_OPERATION_WRITE, &write, &work->write);
    aft_destage_fill(setting, workload->pool, block, &write, &destage, &work->destage);
    work->destages = work->writes * destage.per_write;
    aft_cost_mix(&it->read, &read, part_of(work->reads, reads, spec));
    aft_cost_mix(&it->write, &write, part_of(work->writes, writes, spec));
    it->destage.per_write += part_of(work->writes, writes, spec) * destage.per_write;
    it->destage.bytes += work->destages * destage.bytes;
    it->destage.units += work->destages * destage.units;
    aft_cost_mix(&it->destage.cost, &destage.cost, work->destages);
    aft_cost_clear(&destage.cost);
    return spec->share * served;
}

/* Sums over destages per I/O become those of one. */
static void settle_destage(const AftWorkloadBounds *workload, AftWorkloadState *it)
{
    AftOperationCost sum = it->destage.cost;
    double all = destages(workload, it);
    it->destage.cost = (AftOperationCost){0};
    if (all > 0.0) {
        it->destage.bytes /= all;
        it->destage.units /= all;
        aft_cost_mix(&it->destage.cost, &sum, 1.0 / all);
        aft_cost_sort(&it->destage.cost);
    }
    aft_cost_clear(&sum);
}

/* At buffers filled as @setting has them. */
static void fill_at(const AftSetting *setting, const AftWorkloadBounds *workload,
                    AftWorkloadState *it)
{
    guint n = workload->spec->n_mix;
    g_autofree Work *works = g_new0(Work, n);
    double served = 0.0;
    for (guint i = 0; i < n; i++) {
        served += add_block(setting, workload, i, it, &works[i]);
    }
    aft_cost_sort(&it->read);
    aft_cost_sort(&it->write);
    settle_destage(workload, it);
    it->possible = served > 0.0;
    it->lost = MAX(1.0 - served, 0.0);
    if (!it->possible) {
        return;
    }
    it->device_ios = mix(workload->spec, it->read.reads + it->read.writes + it->read.map_ios,
                         it->write.reads + it->write.writes + it->write.map_ios);
    it->response_s = mix(workload->spec, it->read.response_s, it->write.response_s);
    fill_demands(setting, workload, works, it);
    if (it->destage.per_write > 0.0) {
        fill_destage_speed(setting, works, n, &it->destage);
    }
    fill_throughputs(setting, workload, it);
}

static void clear_state(AftWorkloadState *it)
{
    aft_cost_clear(&it->read);
    aft_cost_clear(&it->write);
    aft_cost_clear(&it->destage.cost);
}

static AftThroughput full_throughput(const AftSetting *setting, const AftWorkloadBounds *workload)
{
    AftWorkloadState other = {0};
    AftSetting full = *setting;
    g_auto(AftStacks) stacks;
    aft_stacks_init(&stacks, setting->nodes, 1.0, setting->stacks->heat);
    full.stacks = &stacks;
    fill_at(&full, workload, &other);
    clear_state(&other);
    return other.sustained;
}

/* Nothing is destaged below the low mark. Above it, buffers fill with what the clients' own I/O, at
 * this rate, leaves no time to destage. */
static void fill_buffer(const AftSetting *setting, const AftWorkloadBounds *workload,
                        AftWorkloadState *it)
{
    AftBufferBounds *buffer = &it->buffer;
    double added = added_bytes(workload, it), outflow = it->destage.bytes_per_s;
    buffer->bytes = setting->stacks->buffer_bytes;
    buffer->room_bytes = buffer->bytes * (1.0 - setting->scenario->tiers.start);
    buffer->iops =
        workload->asked_iops > 0.0 ? MIN(workload->asked_iops, it->burst.iops) : it->burst.iops;
    buffer->overwritten = 1.0 - setting->stacks->fresh / setting->stacks->cached;
    buffer->fill_s = (double)INFINITY;
    if (added <= 0.0 || !isfinite(buffer->iops)) {
        return;
    }
    for (guint s = 0; s < AFT_SCARCES; s++) {
        double of_byte_s = (it->demand[s].most_s - it->own[s].most_s) / added;
        double left = MAX(1.0 - buffer->iops * it->own[s].most_s, 0.0);
        outflow = of_byte_s > 0.0 ? MIN(outflow, left / of_byte_s) : outflow;
    }
    buffer->inflow = buffer->iops * added;
    buffer->outflow = MIN(outflow, buffer->inflow);
    if (buffer->inflow > buffer->outflow * (1.0 + 1e-9)) { /* more than rounding */
        const AftTierSpec *tiers = &setting->scenario->tiers;
        double kept_bytes = buffer->bytes * MAX(tiers->low - tiers->start, 0.0);
        buffer->fill_s = kept_bytes / buffer->inflow +
                         (buffer->room_bytes - kept_bytes) / (buffer->inflow - buffer->outflow);
    }
}

/* What machines on @shares of the nodes have to do with the network and with controllers. Of unlike
 * coordinators the quickest counts: machines there do more than others. */
static AftSetting setting_of(const AftNodes *nodes, const AftStacks *stacks, const double *shares)
{
    AftSetting setting = {.scenario = nodes->scenario, .nodes = nodes, .stacks = stacks};
    setting.manned = TRUE;
    setting.request_s = (double)INFINITY;
    for (guint node = 0; node < nodes->n; node++) {
        const AftNodeKind *kind = &nodes->kind[nodes->kind_of[node]];
        setting.remote += shares[node] * (1.0 - kind->share);
        if (shares[node] > 0.0) {
            setting.manned = setting.manned && kind->spec->controller.slots > 0;
            setting.request_s = MIN(setting.request_s, aft_parts_request_s(kind->spec));
        }
    }
    return setting;
}

static void fill_state(const AftScenario *scenario, AftWorkloadBounds *workload,
                       const AftHeat *heat, AftClusterState state)
{
    AftWorkloadState *it = &workload->state[state];
    g_auto(AftNodes) nodes;
    aft_nodes_init(&nodes, scenario, workload->pool, state);
    g_autofree double *shares = aft_hosts_shares(workload->spec, &scenario->cluster, nodes.down);
    it->told = nodes.missing >= 1.0 || (nodes.told && shares != NULL);
    it->lost = nodes.missing >= 1.0 ? 1.0 : 0.0;
    if (!it->told || it->lost > 0.0) {
        return;
    }
    g_auto(AftStacks) stacks;
    aft_stacks_init(&stacks, &nodes, scenario->tiers.start, heat);
    AftSetting setting = setting_of(&nodes, &stacks, shares);
    setting.follows = workload->spec->access == AFT_ACCESS_SEQUENTIAL;
    setting.locality = workload->spec->locality;
    fill_at(&setting, workload, it);
    if (it->possible && stacks.cached > 0.0) {
        it->full = full_throughput(&setting, workload);
        fill_buffer(&setting, workload, it);
    } else {
        it->full = it->sustained;
    }
}

static AftBlockBounds *blocks_new(const AftWorkloadSpec *spec, const AftPoolSpec *pool)
{
    AftBlockBounds *blocks = g_new(AftBlockBounds, spec->n_mix);
    for (guint i = 0; i < spec->n_mix; i++) {
        guint64 bytes = spec->mix[i].block_bytes;
        guint units = aft_protection_units(&pool->initial, bytes);
        blocks[i] = (AftBlockBounds){&spec->mix[i], units, (guint32)(bytes / units)};
    }
    return blocks;
}

void aft_workload_fill(const AftScenario *scenario, guint index, AftWorkloadBounds *workload)
{
    const AftWorkloadSpec *spec = &scenario->workloads[index];
    const AftPoolSpec *pool = &scenario->pools[spec->pool_index];
    g_autoptr(AftHeat) heat = aft_heat_of_workload(scenario, index);
    *workload = (AftWorkloadBounds){
        .spec = spec,
        .pool = pool,
        .block = blocks_new(spec, pool),
        .outstanding = spec->outstanding,
        .asked_iops = spec->rate_per_s,
        .most_iops = spec->rate_per_s * aft_arrivals_peak(spec) * aft_arrivals_burst(spec, TRUE),
    };
    for (guint state = 0; state < AFT_STATES; state++) {
        fill_state(scenario, workload, heat, (AftClusterState)state);
    }
}

void aft_workload_clear(AftWorkloadBounds *workload)
{
    g_free(workload->block);
    for (guint state = 0; state < AFT_STATES; state++) {
        clear_state(&workload->state[state]);
    }
}
