/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "log.h"

#include "schemes.h"

/* Returns: (nullable): no other node has one that is up. */
static const AftBuffer *partner_of(const AftTopology *topology, const AftBuffer *buffer)
{
    guint number = (guint)(buffer - topology->buffers) - topology->nodes[buffer->node].first_buffer;
    for (guint i = 1; i < topology->n_nodes; i++) {
        const AftNode *node = &topology->nodes[(buffer->node + i) % topology->n_nodes];
        if (node->n_buffers > number) {
            const AftBuffer *partner = &topology->buffers[node->first_buffer + number];
            if (topology->devices[partner->device].up) {
                return partner;
            }
        }
    }
    return NULL;
}

void aft_log_plan(const AftTopology *topology, guint32 device, AftRequest *request)
{
    const AftBuffer *buffer = topology->devices[device].buffer;
    const AftBuffer *partner = partner_of(topology, buffer);
    guint copies = partner == NULL ? 1 : 2;
    request->own_plan = (AftPlan){.possible = TRUE};
    aft_plan_add(&request->own_plan, aft_members(0, copies), TRUE);
    aft_plan_end_stage(&request->own_plan);
    request->plan = &request->own_plan;
    request->route = AFT_ROUTE_LOG;
    request->behind = topology->devices[device].behind;
    request->device[0] = buffer->device;
    request->device[1] = partner == NULL ? buffer->device : partner->device;
}
