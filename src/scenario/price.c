/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/price.h>

static void buy_disks(AftPurchase *purchase, const AftDiskSpec *disk, guint groups)
{
    double n = (double)groups * disk->count;
    purchase->devices += n;
    purchase->price += n * (disk->profile != NULL ? disk->profile->price : 0.0);
}

static void buy_node(AftPurchase *purchase, const AftNodeSpec *node)
{
    purchase->nodes++;
    purchase->price += node->price;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        buy_disks(purchase, &node->disk_groups[i].cache, node->disk_groups[i].count);
        buy_disks(purchase, &node->disk_groups[i].capacity, node->disk_groups[i].count);
    }
}

AftPurchase aft_scenario_purchase(const AftScenario *scenario)
{
    g_assert(scenario->resolved);
    AftPurchase purchase = {0};
    for (guint i = 0; i < scenario->cluster.n_sites; i++) {
        buy_node(&purchase, scenario->cluster.sites[i].spec);
    }
    return purchase;
}
