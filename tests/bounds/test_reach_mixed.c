/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds bounds of unlike nodes to simulation: four small nodes, a large one, and two that have no
 * disks. */
#include "reach.h"

static const char *const unlike[] = {
    "version=1",
    "devices.disk.read=1 ms",
    "devices.disk.write=1 ms",
    "devices.disk.spread=deterministic",
    "devices.disk.size=1 TB",
    "cluster.detect=1 ms",
    "cluster.groups[0].nodes=4",
    "cluster.groups[0].node.disk_groups.capacity.device=disk",
    "cluster.groups[1].nodes=1",
    "cluster.groups[1].node.disk_groups.capacity.device=disk",
    "cluster.groups[1].node.disk_groups.capacity.count=4",
    "cluster.groups[2].nodes=2",
    "data.logical=500 GB",
    "data.placement_groups=65536",
    "workload.kind=closed",
    "workload.read_share=60 %",
    "workload.vms=210",
    "workload.outstanding=1680",
    "workload.restart=0",
    "run.until=duration",
    "run.duration=120 s",
    "run.fidelity=io",
    "run.confidence=99.9 %",
    NULL,
};

#define FAST "devices.disk.read=1 us", "devices.disk.write=1 us", "devices.disk.parallel=16"
#define RACKS \
    "cluster.racks=3", "data.domain=rack", "cluster.groups[0].rack=0", "cluster.groups[1].rack=1"
#define CONTROLLERS                                                                               \
    FAST, "cluster.groups[0].node.controller.slots=2",                                            \
        "cluster.groups[0].node.controller.io=2 ms", "cluster.groups[1].node.controller.slots=8", \
        "cluster.groups[1].node.controller.io=3 ms", "cluster.groups[2].node.controller.slots=1", \
        "cluster.groups[2].node.controller.io=1 ms"
#define PORTS                                                                           \
    FAST, "cluster.groups[0].node.nic=4.096 MB/s", "cluster.groups[1].node.nic=8 MB/s", \
        "cluster.groups[2].node.nic=3 MB/s"

/* So much is outstanding that reads which are served before the first writes wait would be seen in
 * a short run: 1,680 x 0.6 / 0.4 I/Os, at most 1 % of what is done here. */
#define BEGINNING 0.01

/* Returns: IOPS over their bound, beyond which they do not go. */
static double hold(const char *what, const char *const *settings)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    set_all(scenario, unlike, problems);
    set_all(scenario, settings, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autoptr(AftResult) result = run_to_precision(scenario);
    const AftPhaseRow *phase = last_phase(result);
    AftClusterState state = scenario->n_timeline > 0 ? AFT_STATE_NODE_DOWN : AFT_STATE_HEALTHY;
    double bound = bounds->workload[0].state[state].sustained.iops;
    print_message("# %s: %.0f IOPS of at most %.0f: %.2f %%\n", what, phase->iops, bound,
                  100.0 * phase->iops / bound);
    assert_true(phase->iops <= bound * (1.0 + LEAN + BEGINNING) + phase->iops_ci);
    return phase->iops / bound;
}

static void reach_unlike(const char *what, const char *const *settings)
{
    assert_within(hold(what, settings), 1.0, 0.03);
}

#define REACH(what, ...) reach_unlike(what, (const char *const[]){__VA_ARGS__, NULL})

static void unlike_disks_reach_their_bound(void **state)
{
    (void)state;
    REACH("rf2, disks", "data.protection=rf2");
    REACH("rf3, disks", "data.protection=rf3");
    REACH("rf2, disks, over devices", "data.protection=rf2", "data.domain=device");
    REACH("rf2, disks, over racks", "data.protection=rf2", RACKS);
    REACH("rf2, disks, the largest node down", "data.protection=rf2", "timeline.at=1 s",
          "timeline.fail=node 4");
}

static void unlike_controllers_reach_their_bound(void **state)
{
    (void)state;
    REACH("rf2, controllers", "data.protection=rf2", CONTROLLERS);
    REACH("rf2, controllers, the largest node down", "data.protection=rf2", CONTROLLERS,
          "timeline.at=1 s", "timeline.fail=node 4");
}

/* Machines on nodes with a slow port ask for less. */
static void unlike_ports_reach_their_bound(void **state)
{
    (void)state;
    REACH("rf2, network", "data.protection=rf2", PORTS);
    REACH("rf2, network, two nodes ask", "data.protection=rf2", PORTS, "workload.on=5,6");
}

#define FEW                                                                             \
    CONTROLLERS, "workload.vms=7", "workload.outstanding=7", "workload.read_share=0 %", \
        "run.duration=10 s", "cluster.groups[0].node.controller.request=50 ms"

/* One I/O outstanding on each node: those whose coordinators are quick do most of them. */
static void few_machines_do_not_go_beyond_their_bound(void **state)
{
    (void)state;
    static const char *const settings[][8] = {{"data.protection=rf2"},
                                              {"data.protection=raid5", "data.protection.updates=1",
                                               "workload.outstanding=14"}};
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        const char *const few[] = {FEW, settings[i][0], settings[i][1], settings[i][2], NULL};
        assert_true(hold("few", few) > 0.2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unlike_disks_reach_their_bound),
        cmocka_unit_test(unlike_controllers_reach_their_bound),
        cmocka_unit_test(unlike_ports_reach_their_bound),
        cmocka_unit_test(few_machines_do_not_go_beyond_their_bound),
    };
    return cmocka_run_group_tests_name("reach_mixed", tests, NULL, NULL);
}
