/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What members of a stripe are spread over: the devices, nodes or racks that hold data at the
 * start, and how much of it. */
#include "check.h"

#include <aftershock/scenario/nodes.h>

static guint devices_of(const AftDiskGroupSpec *group)
{
    return group->count * group->capacity.count;
}

static void add_devices(GArray *domains, const AftClusterSpec *cluster)
{
    for (guint node = 0; node < cluster->nodes; node++) {
        const AftNodeSpec *spec = cluster->sites[node].spec;
        for (guint i = 0; i < spec->n_disk_groups; i++) {
            double bytes = (double)spec->disk_groups[i].capacity.size_bytes;
            for (guint n = 0; n < devices_of(&spec->disk_groups[i]); n++) {
                g_array_append_val(domains, bytes);
            }
        }
    }
}

static void add_nodes(GArray *domains, const AftClusterSpec *cluster)
{
    for (guint node = 0; node < cluster->nodes; node++) {
        double bytes = aft_node_capacity_bytes(cluster->sites[node].spec);
        if (aft_node_capacity_devices(cluster->sites[node].spec) > 0) {
            g_array_append_val(domains, bytes);
        }
    }
}

static void add_racks(GArray *domains, const AftClusterSpec *cluster)
{
    g_autofree double *held = g_new0(double, cluster->racks);
    g_autofree guint *devices = g_new0(guint, cluster->racks);
    for (guint node = 0; node < cluster->nodes; node++) {
        const AftSite *site = &cluster->sites[node];
        devices[site->rack] += aft_node_capacity_devices(site->spec);
        held[site->rack] += aft_node_capacity_bytes(site->spec);
    }
    for (guint rack = 0; rack < cluster->racks; rack++) {
        if (devices[rack] > 0) {
            g_array_append_val(domains, held[rack]);
        }
    }
}

static gint compare_down(gconstpointer a, gconstpointer b)
{
    const double *first = a, *second = b;
    return (*first < *second) - (*first > *second);
}

static GArray *collect(const AftClusterSpec *cluster, AftDomain domain)
{
    static void (*const add[])(GArray *, const AftClusterSpec *) = {
        [AFT_DOMAIN_DEVICE] = add_devices,
        [AFT_DOMAIN_NODE] = add_nodes,
        [AFT_DOMAIN_RACK] = add_racks,
    };
    GArray *domains = g_array_new(FALSE, FALSE, sizeof(double));
    if (cluster->n_sites > 0) {
        add[domain](domains, cluster);
        g_array_sort(domains, compare_down);
    }
    return domains;
}

const GArray *aft_check_domains(AftCheck *check, AftDomain domain)
{
    if (check->domains[domain] == NULL) {
        check->domains[domain] = check->crowded ? g_array_new(FALSE, FALSE, sizeof(double))
                                                : collect(&check->scenario->cluster, domain);
    }
    return check->domains[domain];
}

double aft_check_room(const GArray *domains, guint width, guint down)
{
    double rest = 0.0;
    guint capped = 0;
    for (guint i = down; i < domains->len; i++) {
        rest += g_array_index(domains, double, i);
    }
    /* A stripe has one member on each domain at most: one that is larger than its share of what the
     * smaller ones hold fills with as much as those allow. */
    while (capped + 1 < width && down + capped < domains->len &&
           g_array_index(domains, double, down + capped) > rest / (width - capped)) {
        rest -= g_array_index(domains, double, down + capped);
        capped++;
    }
    return rest / (width - capped) * width;
}

const char *aft_check_domain_name(AftDomain domain)
{
    static const char *const names[] = {
        [AFT_DOMAIN_DEVICE] = "device",
        [AFT_DOMAIN_NODE] = "node",
        [AFT_DOMAIN_RACK] = "rack",
    };
    return names[domain];
}
