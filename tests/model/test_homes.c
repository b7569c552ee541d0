/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where members go when a device of their node is out, and no other node can take them. */
#include "cluster.h"

/* Four nodes of two disks, and stripes of 3+1: every stripe has a member on each node. */
#define ALL_TAKEN "cluster.nodes=4", "timeline[0].at=10 s", "timeline[0].fail=device 1.0.0"

static void what_a_device_held_is_made_again_beside_it_where_all_nodes_are_taken(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(ALL_TAKEN, "cluster.detect=6 s");
    const AftPool *pool = cluster_pool(cluster);
    cluster_run(cluster, 60.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_int_equal(pool->missing, 0);
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; m < pool->width; m++) {
            const AftMember *member = aft_pool_member(pool, group, m);
            assert_int_equal(member->home, cluster_node_of(cluster, member->device));
            assert_int_not_equal(member->device, 2); /* that failed */
        }
    }
    cluster_free(cluster);
}

static void it_goes_back_when_the_device_is_replaced(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(ALL_TAKEN, "timeline[1].at=60 s", "timeline[1].restore=device 1.0.0");
    cluster_run(cluster, 120.0);
    assert_phases(cluster, "steady failed rebuild catchup rebalance steady");
    assert_all_back(cluster);
    assert_space_adds_up(cluster);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_device_held_is_made_again_beside_it_where_all_nodes_are_taken),
        cmocka_unit_test(it_goes_back_when_the_device_is_replaced),
    };
    return cmocka_run_group_tests_name("homes", tests, NULL, NULL);
}
