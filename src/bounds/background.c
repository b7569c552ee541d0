/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "background.h"

#include "demand.h"
#include "destage.h"
#include "parts.h"

#include <aftershock/scenario/nodes.h>
#include <aftershock/scenario/schedulers.h>
#include <aftershock/scenario/services.h>
#include <math.h>

double aft_background_step(const AftScenario *scenario, AftTaskKind task, double member_bytes)
{
    double units = ceil(member_bytes / (double)scenario->background.task[task].unit_bytes);
    return units > 0.0 ? member_bytes / units : 0.0;
}

static AftVisit visit_of(const AftSetting *setting, const AftBackgroundUnit *unit, gboolean write)
{
    double times = write ? unit->writes : unit->reads;
    double remote = write ? unit->remote_writes : unit->remote_reads;
    return (AftVisit){
        .write = write,
        .place = write && !setting->stacks->log ? AFT_AT_MEMBER : AFT_AT_CAPACITY,
        .times = times,
        .remote = times > 0.0 ? remote / times : 0.0,
        .bytes = unit->bytes,
        .cache_bytes = unit->bytes * aft_services_inline_ratio(unit->pool),
        .capacity_bytes = unit->bytes * aft_services_ratio(unit->pool),
        .work_factor = aft_services_background_factor(unit->pool),
        .paced = TRUE,
    };
}

static void limit_to(AftPace *pace, AftLimitKind limit, double bytes_per_s)
{
    if (bytes_per_s < pace->bytes_per_s) {
        pace->bytes_per_s = bytes_per_s;
        pace->limit = limit;
    }
}

/* Bytes in buffers for each byte written. */
static double buffered(const AftSetting *setting, const AftBackgroundUnit *unit)
{
    return setting->stacks->log ? 0.0
                                : setting->stacks->cached * aft_services_inline_ratio(unit->pool);
}

/* The share of @bytes in buffers that must have been destaged when all is written. */
static double destaged_share(const AftSetting *setting, double bytes)
{
    double room = setting->stacks->buffer_bytes * (1.0 - setting->scenario->tiers.start);
    return bytes > room ? 1.0 - room / bytes : 0.0;
}

static void fill_demand(const AftSetting *setting, const AftTraffic *unit, const AftTraffic *copy,
                        double copies, AftDemand *ret_demand)
{
    g_auto(AftDemandSum) sum;
    aft_demand_init(&sum, setting->stacks, setting->nodes->down, NULL);
    aft_demand_add(&sum, unit, 1.0, TRUE);
    aft_demand_add(&sum, copy, copies, TRUE);
    aft_demand_get(&sum, ret_demand);
}

/* What destages at once keep up with, of bytes written. */
static double destage_pace(const AftSetting *setting, const AftTraffic *copy, double share_destaged)
{
    double response_s = 0.0;
    for (guint i = 0; i < copy->n; i++) {
        response_s += aft_visit_s(&copy->visit[i], setting->stacks);
    }
    return aft_destage_pace(setting, response_s) * (double)setting->scenario->tiers.unit_bytes /
           share_destaged;
}

/* Nodes that can be written: those with devices. */
static guint written_nodes(const AftSetting *setting)
{
    guint n = 0;
    for (guint i = 0; i < setting->nodes->n_kinds; i++) {
        const AftNodeKind *kind = &setting->nodes->kind[i];
        n += aft_node_capacity_devices(kind->spec) > 0 ? kind->n : 0;
    }
    return n;
}

static double in_flight_pace(const AftSetting *setting, const AftBackgroundUnit *unit,
                             AftVisit *read, AftVisit *write)
{
    double at_once = (double)setting->scenario->background.task[unit->task].in_flight_per_node *
                     written_nodes(setting);
    write->remote = write->remote > 0.0 ? 1.0 : 0.0; /* the slowest counts */
    double response_s = (unit->reads > 0.0 ? aft_visit_s(read, setting->stacks) : 0.0) +
                        aft_visit_s(write, setting->stacks);
    return at_once * unit->writes * unit->bytes / response_s;
}

/* What the scheduler lets the class of @task have of the stations where it is, in @traffic, which
 * is its own, a second; a NIC has no scheduler. */
static double scheduled_pace(const AftSetting *setting, AftTaskKind task, const AftTraffic *traffic)
{
    const AftBackgroundSpec *background = &setting->scenario->background;
    AftClass class = (AftClass)(AFT_CLASS_P1 + background->task[task].priority - 1);
    double most = aft_scheduler_most(&background->scheduler, class);
    AftDemand own[AFT_SCARCES];
    fill_demand(setting, traffic, traffic, 0.0, own);
    own[AFT_SCARCE_NIC_OUT].most_s = own[AFT_SCARCE_NIC_IN].most_s = 0.0;
    for (guint i = AFT_SCARCE_CACHE_ACCESS; !background->scheduler.devices && i < AFT_SCARCES;
         i++) {
        own[i].most_s = 0.0;
    }
    return most < 1.0 ? most / own[aft_demand_bottleneck(own)].most_s : (double)INFINITY;
}

AftPace aft_background_pace(const AftSetting *setting, const AftBackgroundUnit *unit, double bytes)
{
    const AftTaskSpec *task = &setting->scenario->background.task[unit->task];
    AftTraffic traffic = {0}, copy = {0};
    AftPace pace = {.bytes_per_s = (double)INFINITY};
    AftDemand demand[AFT_SCARCES];
    AftVisit read = visit_of(setting, unit, FALSE), write = visit_of(setting, unit, TRUE);
    double in_buffers = buffered(setting, unit);
    double destaged = in_buffers * destaged_share(setting, in_buffers * bytes);
    double unit_bytes = unit->writes * unit->bytes;
    if (unit_bytes <= 0.0) {
        return (AftPace){0};
    }
    aft_traffic_add(&traffic, &read);
    aft_traffic_add(&traffic, &write);
    if (destaged > 0.0) {
        aft_destage_copy(setting, unit->pool, AFT_SPREAD_CACHED, &copy);
        limit_to(&pace, AFT_LIMIT_DESTAGE, destage_pace(setting, &copy, destaged));
    }
    fill_demand(setting, &traffic, &copy,
                destaged * unit_bytes / (double)setting->scenario->tiers.unit_bytes, demand);
    pace.bottleneck = aft_demand_bottleneck(demand);
    limit_to(&pace, AFT_LIMIT_SCARCE, unit_bytes / demand[pace.bottleneck].most_s);
    limit_to(&pace, AFT_LIMIT_SCHEDULER,
             unit_bytes * scheduled_pace(setting, unit->task, &traffic));
    limit_to(&pace, AFT_LIMIT_OUTSTANDING, in_flight_pace(setting, unit, &read, &write));
    if (task->bytes_per_s > 0.0) {
        limit_to(&pace, AFT_LIMIT_BANDWIDTH, task->bytes_per_s);
    }
    pace.duration_s = bytes / pace.bytes_per_s;
    return pace;
}
