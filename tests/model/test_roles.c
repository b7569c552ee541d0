/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What members of a stripe large and small nodes hold. */
#include "cluster.h"

/* Four nodes of 30 GB and four of 10 GB: of 4,096 stripes of 3+1, each sort of node holds data and
 * parity as three to one, like the stripe itself. The standard error of a share of parity among n
 * members is sqrt(0.25 x 0.75 / n). */
static Cluster *unlike_nodes(void)
{
    static const char *const settings[] = {
        "version=1",
        "devices.disk.read=100 us",
        "devices.disk.write=200 us",
        "devices.disk.size=10 GB",
        "cluster.groups[0].nodes=4",
        "cluster.groups[0].node.disk_groups.capacity.device=disk",
        "cluster.groups[0].node.disk_groups.capacity.count=3",
        "cluster.groups[1].nodes=4",
        "cluster.groups[1].node.disk_groups.capacity.device=disk",
        "data.logical=1 GB",
        "data.placement_groups=4096",
        "data.protection=raid5",
        NULL,
    };
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    cluster_set(scenario, settings, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    return cluster_of(scenario);
}

static void unlike_nodes_hold_data_and_parity_alike(void **state)
{
    (void)state;
    Cluster *cluster = unlike_nodes();
    const AftPool *pool = cluster_pool(cluster);
    guint members[2] = {0}, parity[2] = {0};
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; m < 4; m++) {
            guint small = cluster_node_of(cluster, aft_pool_member(pool, group, m)->device) >= 4;
            members[small]++;
            parity[small] += m == 3;
        }
    }
    assert_true(members[0] > 2 * members[1]);
    for (guint small = 0; small < 2; small++) {
        double error = sqrt(0.25 * 0.75 / members[small]);
        assert_within((double)parity[small] / members[small], 0.25, 3.3 * error);
    }
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unlike_nodes_hold_data_and_parity_alike),
    };
    return cmocka_run_group_tests_name("roles", tests, NULL, NULL);
}
