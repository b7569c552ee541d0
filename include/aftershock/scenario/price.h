/* SPDX-License-Identifier: GPL-3.0-or-later */
/* price.h - what a cluster costs: cluster.node.price for each node, devices.NAME.price for each
 * device in it, in whatever money the scenario counts.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

/** What is bought. */
typedef struct {
    guint nodes;    /* those that the timeline adds too */
    double devices; /* capacity and cache */
    double price;   /* 0: nothing has one */
} AftPurchase;

/** What the cluster of @scenario (resolved) is. */
AftPurchase aft_scenario_purchase(const AftScenario *scenario);
