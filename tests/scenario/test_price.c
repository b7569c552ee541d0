/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <aftershock/scenario/price.h>

static AftPurchase purchase_of(const char *const *settings)
{
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    return aft_scenario_purchase(scenario);
}

static void without_prices_a_cluster_costs_nothing(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL};
    AftPurchase purchase = purchase_of(nothing);
    assert_int_equal(purchase.nodes, 5);
    assert_within(purchase.devices, 10.0, 0.0);
    assert_within(purchase.price, 0.0, 0.0);
}

/* 5 nodes with 2 groups of 1 + 2 devices: 5 x (12,000 + 2 x (1,500 + 2 x 900)). */
static void nodes_and_all_devices_in_them_are_paid(void **state)
{
    (void)state;
    static const char *const settings[] = {"cluster.node.price=12k",
                                           "cluster.node.disk_groups.count=2",
                                           "cluster.node.disk_groups.cache.device=sas-ssd",
                                           "devices.sata-ssd.price=900",
                                           "devices.sas-ssd.price=1500",
                                           NULL};
    AftPurchase purchase = purchase_of(settings);
    assert_within(purchase.devices, 30.0, 0.0);
    assert_within(purchase.price, 93000.0, 0.0);
}

/* Those that the timeline adds have to be bought like the others. */
static void nodes_that_come_later_are_paid(void **state)
{
    (void)state;
    static const char *const settings[] = {"cluster.node.price=100", "timeline[2].at=5 h",
                                           "timeline[2].add.nodes=3", NULL};
    AftPurchase purchase = purchase_of(settings);
    assert_int_equal(purchase.nodes, 8);
    assert_within(purchase.price, 800.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_prices_a_cluster_costs_nothing),
        cmocka_unit_test(nodes_and_all_devices_in_them_are_paid),
        cmocka_unit_test(nodes_that_come_later_are_paid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
