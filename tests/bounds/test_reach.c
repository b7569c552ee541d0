/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds bounds to simulation, every I/O of it: nothing goes beyond them, enough outstanding comes
 * close to them, and below them parts are as busy as they say. */
#include "reach.h"

static const char *const fast_disks[] = {"devices.disk.read=1 us", "devices.disk.write=1 us",
                                         "devices.disk.parallel=16", NULL};
static const char *const controllers[] = {"cluster.node.controller.slots=2",
                                          "cluster.node.controller.io=2 ms",
                                          "cluster.node.controller.request=1 ms",
                                          "data.protection.degraded=1 ms", NULL};
static const char *const slow_transfer[] = {"devices.disk.read=100 us",
                                            "devices.disk.write=100 us",
                                            "devices.disk.parallel=8",
                                            "devices.disk.read_bandwidth=4.096 MB/s",
                                            "devices.disk.write_bandwidth=4.096 MB/s",
                                            NULL};
static const char *const slow_network[] = {"cluster.node.nic=4.096 MB/s", NULL};
static const char *const node_dies[] = {"timeline.at=1 s", "timeline.fail=node 1",
                                        "run.duration=60 s", NULL};

static void disks_reach_their_bound(void **state)
{
    (void)state;
    reach_all(nothing, nothing, "disks");
}

static void transfers_reach_their_bound(void **state)
{
    (void)state;
    reach_all(slow_transfer, nothing, "transfers");
}

static const char *const *both(const char *const *first, const char *const *second,
                               const char **ret_both)
{
    guint n = 0;
    for (guint i = 0; first[i] != NULL; i++) {
        ret_both[n++] = first[i];
    }
    for (guint i = 0; second[i] != NULL; i++) {
        ret_both[n++] = second[i];
    }
    ret_both[n] = NULL;
    return ret_both;
}

static void controllers_reach_their_bound(void **state)
{
    (void)state;
    const char *settings[16];
    reach_all(both(controllers, fast_disks, settings), nothing, "controllers");
}

static void controllers_reach_their_bound_with_a_node_down(void **state)
{
    (void)state;
    const char *settings[16];
    reach_all(both(controllers, fast_disks, settings), node_dies, "controllers, one node down");
}

static void ports_reach_their_bound(void **state)
{
    (void)state;
    const char *settings[16];
    reach_all(both(slow_network, fast_disks, settings), nothing, "network");
}

/* Five machines with a place each: nothing else is scarce. */
static void updates_reach_their_bound(void **state)
{
    (void)state;
    static const char *const places[] = {"devices.disk.parallel=64", "data.protection.updates=1",
                                         NULL};
    static const char *const machines[] = {"workload.vms=5", NULL};
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        if (g_str_has_prefix(schemes[i].name, "rf")) {
            continue;
        }
        reach(&schemes[i], places, machines, SUSTAINED, "updates");
    }
}

typedef double (*Reader)(const AftTraceRow *row);

static double controller_of(const AftTraceRow *row)
{
    return row->controller_util;
}

static double cache_of(const AftTraceRow *row)
{
    return row->cache_util;
}

static double capacity_of(const AftTraceRow *row)
{
    return row->capacity_util;
}

/* The mean over rows of the trace after the first second is within its own 99.9 % interval of
 * @expected, and that is at most 2 % of it. */
static void assert_busy(const AftResult *result, Reader reader, double expected)
{
    double n = 0.0, sum = 0.0, squares = 0.0;
    for (guint i = 4; i < result->trace->len; i++) {
        double value = reader(&g_array_index(result->trace, AftTraceRow, i));
        n += 1.0;
        sum += value;
        squares += value * value;
    }
    double mean = sum / n, error = sqrt((squares / n - mean * mean) / (n - 1.0));
    assert_true(n >= 50.0);
    assert_true(3.5 * error <= 0.02 * expected); /* 3.5: Student's t for 99.9 %, 50 rows or more */
    assert_within(mean, expected, 3.5 * error);
}

static double busy(const AftBounds *bounds, AftScarce first, AftScarce second)
{
    const AftDemand *utilisation = bounds->cluster[AFT_STATE_HEALTHY].utilisation;
    return MAX(utilisation[first].mean_s, utilisation[second].mean_s);
}

static void parts_are_as_busy_as_their_demand(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "cluster.node.controller.slots=2",
        "cluster.node.controller.io=400 us",
        "cluster.node.controller.per_mib=10 ms",
        "cluster.node.nic=1 Gbit/s",
        "devices.log.read=100 us",
        "devices.log.write=300 us",
        "devices.log.size=100 GB",
        "devices.log.write_bandwidth=10 MB/s",
        "devices.log.parallel=4",
        "tiers.unit=16 KiB", /* so that half a second has many */
        "cluster.node.disk_groups.cache.device=log",
        "cluster.node.disk_groups.cache.count=1",
        "devices.disk.parallel=2",
        NULL,
    };
    static const char *const open_load[] = {"workload.kind=open",   "workload.rate=2000 /s",
                                            "workload.pacing=even", "workload.read_share=50 %",
                                            "run.duration=60 s",    NULL};
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        g_autoptr(AftScenario) scenario = scenario_of(&schemes[i], parts, nothing, open_load);
        g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
        g_autoptr(AftResult) result = run_of(scenario);
        assert_busy(result, controller_of,
                    busy(bounds, AFT_SCARCE_CONTROLLER, AFT_SCARCE_CONTROLLER));
        assert_busy(result, cache_of,
                    busy(bounds, AFT_SCARCE_CACHE_ACCESS, AFT_SCARCE_CACHE_TRANSFER));
        assert_busy(result, capacity_of,
                    busy(bounds, AFT_SCARCE_CAPACITY_ACCESS, AFT_SCARCE_CAPACITY_TRANSFER));
    }
}

/* Nothing but a rebuild: of 8,192 groups a node has three standard deviations of 1.4 to 1.7 % of
 * its members more or less. */
static double rebuild_alone(const Scheme *scheme, const char *const *more)
{
    static const char *const repair[] = {"data.placement_groups=8192",
                                         "data.logical=100 GB",
                                         "background.rebuild.delay=0",
                                         "timeline.at=1 s",
                                         "timeline.fail=node 1",
                                         "run.duration=10 min",
                                         "workload.kind=open",
                                         "workload.rate=0.01 /s",
                                         "workload.vms=1",
                                         NULL};
    g_autoptr(AftScenario) scenario = scenario_of(scheme, more, repair, nothing);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autoptr(AftResult) result = run_of(scenario);
    const AftRebuildBounds *rebuild = &bounds->pool[0].rebuild;
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        if (row->phase == AFT_PHASE_REBUILD) {
            assert_within(row->rebuild_bytes, rebuild->bytes, 0.018 * rebuild->bytes);
            return row->rebuild_bytes / row->duration_s / rebuild->pace.bytes_per_s;
        }
    }
    fail_msg("nothing was rebuilt");
    return 0.0;
}

/* Of the members to be written each other node gets 800 or more, give or take 3 / sqrt(800) or 11 %
 * by three standard deviations: who has most is done last, and alone. */
#define LAST_NODE 0.88

/* With 32 units in flight a node the controllers are full, but for the end. */
static void a_rebuild_alone_comes_close_to_its_bound(void **state)
{
    (void)state;
    static const char *const busy_controllers[] = {"cluster.node.controller.slots=2",
                                                   "cluster.node.controller.io=1 ms",
                                                   "cluster.node.controller.per_mib=10 ms",
                                                   "background.rebuild.in_flight_per_node=32",
                                                   "devices.disk.parallel=16",
                                                   NULL};
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        double share = rebuild_alone(&schemes[i], busy_controllers);
        print_message("# %s, rebuild: %.2f %%\n", schemes[i].name, 100.0 * share);
        assert_true(share <= 1.0);
        assert_true(share >= LAST_NODE);
    }
}

/* What is written fills buffers of 64 MiB at once and is then destaged as fast as it comes. */
static void a_rebuild_through_caches_comes_close_to_its_bound(void **state)
{
    (void)state;
    static const char *const behind_caches[] = {"devices.log.read=100 us",
                                                "devices.log.write=100 us",
                                                "devices.log.size=64 MiB",
                                                "cluster.node.disk_groups.cache.device=log",
                                                "background.rebuild.in_flight_per_node=32",
                                                "tiers.in_flight=32",
                                                NULL};
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        double share = rebuild_alone(&schemes[i], behind_caches);
        print_message("# %s, rebuild behind caches: %.2f %%\n", schemes[i].name, 100.0 * share);
        assert_true(share <= 1.0);
        assert_true(share >= LAST_NODE);
    }
}

/* One unit in flight a node meets only the few of other nodes, so it takes hardly more than when
 * nobody waits; the end is as before. */
static void few_units_in_flight_bound_a_rebuild(void **state)
{
    (void)state;
    static const char *const one_at_a_time[] = {"background.rebuild.in_flight_per_node=1",
                                                "cluster.node.controller.slots=64",
                                                "cluster.node.controller.io=10 ms",
                                                "cluster.node.controller.spread=deterministic",
                                                "devices.disk.parallel=16",
                                                NULL};
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        double share = rebuild_alone(&schemes[i], one_at_a_time);
        print_message("# %s, rebuild one by one: %.2f %%\n", schemes[i].name, 100.0 * share);
        assert_true(share <= 1.0);
        assert_true(share >= LAST_NODE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disks_reach_their_bound),
        cmocka_unit_test(transfers_reach_their_bound),
        cmocka_unit_test(controllers_reach_their_bound),
        cmocka_unit_test(controllers_reach_their_bound_with_a_node_down),
        cmocka_unit_test(ports_reach_their_bound),
        cmocka_unit_test(updates_reach_their_bound),
        cmocka_unit_test(a_rebuild_alone_comes_close_to_its_bound),
        cmocka_unit_test(a_rebuild_through_caches_comes_close_to_its_bound),
        cmocka_unit_test(few_units_in_flight_bound_a_rebuild),
        cmocka_unit_test(parts_are_as_busy_as_their_demand),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
