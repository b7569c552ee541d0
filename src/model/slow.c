/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that work, but slowly, for a while: a device that fails slowly, a link or a switch that is
 * congested. Slowdowns of one part multiply. */
#include "model_parts.h"

#include <aftershock/scenario/parts.h>

#include "outage.h"

typedef struct {
    AftModel *model;
    AftPart part;
    double factor;
} Slowdown;

static gboolean covers_link(const AftTopology *topology, const AftPart *part, guint node)
{
    return (part->kind == AFT_PART_LINK && part->node == node) ||
           (part->kind == AFT_PART_RACK && part->node == topology->nodes[node].rack);
}

static guint32 device_of(const AftTopology *topology, const AftPart *part)
{
    return part->kind == AFT_PART_DEVICE
               ? aft_topology_find_device(topology, part->node, part->group, part->device)
               : AFT_NOWHERE;
}

/* How slow the device (or, with AFT_NOWHERE, the link of the node) is by all that slows it. */
static double product(const AftModel *model, guint32 device, guint node)
{
    double factor = 1.0;
    for (guint i = 0; i < model->slowdowns->len; i++) {
        const Slowdown *slowdown = model->slowdowns->pdata[i];
        gboolean covers = device != AFT_NOWHERE
                              ? device_of(&model->topology, &slowdown->part) == device
                              : covers_link(&model->topology, &slowdown->part, node);
        factor *= covers ? slowdown->factor : 1.0;
    }
    return factor;
}

static void apply(AftModel *model, const AftPart *part)
{
    AftTopology *topology = &model->topology;
    guint32 device = device_of(topology, part);
    if (device != AFT_NOWHERE) {
        aft_station_slow(topology->devices[device].station, product(model, device, 0));
    }
    for (guint node = 0; node < topology->n_nodes; node++) {
        if (covers_link(topology, part, node)) {
            topology->nodes[node].wire_factor = product(model, AFT_NOWHERE, node);
        }
    }
    aft_model_changed(model);
}

static void end(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    Slowdown *slowdown = context;
    AftModel *model = slowdown->model;
    AftPart part = slowdown->part;
    g_autofree char *subject = aft_part_format(&part);
    aft_model_tell(model, "slow-end", subject, "");
    model->n_waiting--;
    g_ptr_array_remove(model->slowdowns, slowdown);
    apply(model, &part);
}

void aft_slow_begin(AftModel *model, const AftAction *action)
{
    Slowdown *slowdown = g_new(Slowdown, 1);
    g_autofree char *subject = aft_part_format(&action->part);
    char factor[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(factor, sizeof factor, "%g", action->factor);
    g_autofree char *detail = g_strdup_printf("takes %s times as long", factor);
    *slowdown = (Slowdown){model, action->part, action->factor};
    g_ptr_array_add(model->slowdowns, slowdown);
    aft_model_tell(model, "slow", subject, detail);
    model->n_waiting++;
    aft_engine_schedule_slow(model->engine, aft_engine_scenario_now(model->engine) + action->for_ns,
                             end, slowdown);
    apply(model, &action->part);
}
