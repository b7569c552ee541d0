/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "demand.h"

#include "parts.h"

/* What one node has to do whose machines ask for a share @coordinating of the operations. The rest
 * of the network's traffic is spread evenly over the other nodes. */
static void fill_node(const AftNodeSpec *node, guint live, double coordinating,
                      const AftVisits *visits, double *ret_s)
{
    double others = live > 1 ? (1.0 - coordinating) / (live - 1.0) : 0.0;
    double visit_s = aft_parts_controller_s(node, visits->bytes);
    double wire_s = aft_parts_wire_s(node, visits->bytes);
    double busy_s =
        (visits->reads + visits->writes) / live * visit_s + coordinating * visits->decode_s;
    ret_s[AFT_SCARCE_CONTROLLER] =
        node->controller.slots > 0 ? busy_s / node->controller.slots : 0.0;
    ret_s[AFT_SCARCE_NIC_OUT] =
        wire_s * (visits->remote_reads * others + visits->remote_writes * coordinating);
    ret_s[AFT_SCARCE_NIC_IN] =
        wire_s * (visits->remote_reads * coordinating + visits->remote_writes * others);
}

void aft_demand_fill(const AftNodeSpec *node, guint live, const double *coordinating,
                     const AftVisits *visits, AftDemand *ret_demand)
{
    double at_s[AFT_SCARCES] = {0};
    aft_parts_demand(node, visits->reads / live, visits->writes / live, visits->bytes, ret_demand);
    for (guint s = 0; s < AFT_SCARCE_CACHE_ACCESS; s++) {
        ret_demand[s] = (AftDemand){0};
    }
    for (guint i = 0; i < live; i++) {
        fill_node(node, live, coordinating[i], visits, at_s);
        for (guint s = 0; s < AFT_SCARCE_CACHE_ACCESS; s++) {
            ret_demand[s].mean_s += at_s[s] / live;
            ret_demand[s].most_s = MAX(ret_demand[s].most_s, at_s[s]);
        }
    }
}

AftScarce aft_demand_bottleneck(const AftDemand *demand)
{
    guint most = 0;
    for (guint s = 1; s < AFT_SCARCES; s++) {
        most = demand[s].most_s > demand[most].most_s ? s : most;
    }
    return (AftScarce)most;
}
