/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be read of a model: gauges of the moment, and counters that only grow. */
#include "model_parts.h"
#include "sectors.h"

static guint destages_in_flight(const AftTopology *topology)
{
    guint in_flight = 0;
    for (guint i = 0; i < topology->n_buffers; i++) {
        in_flight += topology->buffers[i].in_flight;
    }
    return in_flight;
}

/* A cache device with nothing behind it never takes anything. */
static double buffer_fill(const AftTopology *topology)
{
    double dirty_bytes = 0.0, size_bytes = 0.0;
    for (guint i = 0; i < topology->n_buffers; i++) {
        const AftBuffer *buffer = &topology->buffers[i];
        dirty_bytes += buffer->dirty_bytes;
        size_bytes += buffer->n_behind > 0 ? buffer->size_bytes : 0.0;
    }
    return dirty_bytes / size_bytes;
}

AftMoment aft_model_moment(const AftModel *model)
{
    AftMoment moment = {.owed = aft_phases_owed(model),
                        .units_in_flight = aft_curator_in_flight(model->curator),
                        .destages = destages_in_flight(&model->topology),
                        .buffer_fill = buffer_fill(&model->topology)};
    for (guint i = 0; i < model->pools->len; i++) {
        const AftPool *pool = model->pools->pdata[i];
        guint lost_chunks = pool->n_chunks - aft_pool_all(pool)->n_live;
        moment.degraded_groups += pool->degraded;
        moment.lost_groups += pool->n_lost;
        AftSectorLoss sectors = aft_sectors_lost(pool->sectors);
        moment.harmed_groups += sectors.groups;
        moment.lost_bytes += sectors.bytes;
        moment.lost_bytes += lost_chunks * (double)pool->spec->logical_bytes / pool->n_chunks;
    }
    for (guint i = 0; i < model->topology.n_devices; i++) {
        moment.used_bytes += model->topology.devices[i].used_bytes;
    }
    for (guint i = 0; i < model->n_clients; i++) {
        moment.in_flight += aft_clients_in_flight(&model->clients[i]);
    }
    return moment;
}

double aft_model_throttle(const AftModel *model)
{
    return aft_adaptive_is_wanted(model->scenario) ? model->adaptive.share : 1.0;
}

AftUse aft_model_use(const AftModel *model, AftUseKind kind)
{
    return aft_topology_use(&model->topology, kind);
}

double aft_model_protected_bytes(const AftModel *model)
{
    double bytes = 0.0;
    for (guint i = 0; i < model->pools->len; i++) {
        const AftPool *pool = model->pools->pdata[i];
        for (guint group = 0; group < pool->n_groups; group++) {
            guint width = aft_pool_layout(pool, group)->width;
            bytes += pool->groups[group].used ? width * pool->member_bytes : 0.0;
        }
    }
    return bytes;
}

double aft_model_units_done(const AftModel *model)
{
    double units = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        units += aft_curator_units_done(model->curator, (AftTaskKind)task);
    }
    return units + aft_model_destaged_bytes(model) / (double)model->scenario->tiers.unit_bytes;
}

double aft_model_moved_bytes(const AftModel *model, AftTaskKind task)
{
    return aft_curator_moved_bytes(model->curator, task, AFT_NOWHERE);
}

double aft_model_waiting_bytes(const AftModel *model, AftTaskKind task)
{
    return aft_curator_waiting_bytes(model->curator, task, AFT_NOWHERE);
}

double aft_model_destaged_bytes(const AftModel *model)
{
    double bytes = 0.0;
    for (guint i = 0; i < model->topology.n_buffers; i++) {
        bytes += model->topology.buffers[i].destaged_bytes;
    }
    return bytes;
}

gint64 aft_model_shed(const AftModel *model)
{
    gint64 shed = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            shed += model->clients[i].vms[vm].shed;
        }
    }
    return shed;
}

gint64 aft_model_shed_lost(const AftModel *model)
{
    gint64 shed = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            shed += model->clients[i].vms[vm].shed_lost;
        }
    }
    return shed;
}

gint64 aft_model_completed(const AftModel *model)
{
    gint64 served = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            served += model->clients[i].vms[vm].served;
        }
    }
    return served;
}
