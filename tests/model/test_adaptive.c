/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adaptive.h"
#include "cluster.h"

/* The controller alone: latencies come from the test. */
typedef struct {
    AftScenario *scenario;
    AftEngine *engine;
    AftTopology topology;
    AftAdaptive adaptive;
    AftModelWatch watch; /* to tell */
    guint told;          /* completions that were passed on */
    guint changes;       /* and changes, of the cluster and of the load */
} Fixture;

static void count(void *context, const AftCompletion *completion G_GNUC_UNUSED)
{
    ((Fixture *)context)->told++;
}

static void count_change(void *context)
{
    ((Fixture *)context)->changes++;
}

static void fixture_init(Fixture *self)
{
    static const char *const settings[] = {
        "background.scheduler=adaptive",
        "background.scheduler.high=10 ms",
        "background.scheduler.low=5 ms",
        "background.scheduler.step=20 %",
        "background.scheduler.least=15 %",
        "background.scheduler.period=2 s",
        "cluster.node.controller.slots=2",
        "workload.kind=closed",
        "workload.vms=1",
        "workload.outstanding=1",
        NULL,
    };
    *self = (Fixture){.scenario = cluster_scenario(settings), .engine = aft_engine_new()};
    aft_topology_init(&self->topology, self->scenario, self->engine, 0);
    AftModelWatch other = {
        .context = self,
        .completed = count,
        .disturbed = count_change,
        .load_changed = count_change,
    };
    self->watch = aft_adaptive_start(&self->adaptive, self->scenario, &self->topology, &other);
}

static void fixture_clear(Fixture *self)
{
    aft_topology_clear(&self->topology);
    aft_engine_free(self->engine);
    aft_scenario_free(self->scenario);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fixture, fixture_clear)

/* Lets I/Os of @first_ms and @second_ms complete, and a period pass. */
static void pass(Fixture *self, double first_ms, double second_ms)
{
    const double latency_ms[] = {first_ms, second_ms};
    for (guint i = 0; i < G_N_ELEMENTS(latency_ms); i++) {
        AftCompletion completion = {.latency_ns = (gint64)(latency_ms[i] * 1e6)};
        self->watch.completed(self->watch.context, &completion);
    }
    aft_engine_run(self->engine, aft_engine_now(self->engine) + 2 * SECOND_NS);
}

static void the_share_is_halved_above_and_raised_below(void **state)
{
    (void)state;
    g_auto(Fixture) self;
    fixture_init(&self);
    pass(&self, 10.0, 10.0); /* at the mark is not above it */
    assert_within(self.adaptive.share, 1.0, 0.0);
    pass(&self, 1.0, 20.0); /* 10.5 on average */
    assert_within(self.adaptive.share, 0.5, 0.0);
    pass(&self, 10.0, 11.0);
    assert_within(self.adaptive.share, 0.25, 0.0);
    pass(&self, 1000.0, 1.0); /* not below the least */
    assert_within(self.adaptive.share, 0.15, 0.0);
    pass(&self, 5.0, 5.0); /* at the mark is not below it */
    assert_within(self.adaptive.share, 0.15, 0.0);
    pass(&self, 4.0, 5.0);
    assert_within(self.adaptive.share, 0.35, 1e-15);
    pass(&self, 6.0, 9.0);
    assert_within(self.adaptive.share, 0.35, 1e-15);
    for (guint i = 0; i < 4; i++) {
        pass(&self, 1.0, 1.0); /* 0.55, 0.75, 0.95, and not above 1 */
    }
    assert_within(self.adaptive.share, 1.0, 0.0);
}

static void periods_in_which_nothing_completes_change_nothing(void **state)
{
    (void)state;
    g_auto(Fixture) self;
    fixture_init(&self);
    pass(&self, 20.0, 20.0);
    aft_engine_run(self.engine, 100 * SECOND_NS);
    assert_within(self.adaptive.share, 0.5, 0.0);
    pass(&self, 1.0, 1.0);
    assert_within(self.adaptive.share, 0.7, 1e-15);
}

static void what_clients_tell_is_passed_on(void **state)
{
    (void)state;
    g_auto(Fixture) self;
    fixture_init(&self);
    pass(&self, 1.0, 1.0);
    assert_int_equal(self.told, 2);
    self.watch.disturbed(self.watch.context);
    self.watch.load_changed(self.watch.context);
    assert_int_equal(self.changes, 2);
}

typedef struct {
    AftJob job;
    gint64 began_ns;
} Probe;

static void probe_ends(AftJob *job, gint64 now_ns G_GNUC_UNUSED)
{
    ((Probe *)job)->began_ns = job->started_ns;
}

/* Two jobs of P1 whose serial parts take all of the station for 10 ms: the second begins 10 ms over
 * the share after the first might have, which is 10 ms before it came. */
static void assert_throttled(Fixture *self, AftStation *station, double share)
{
    Probe probes[2];
    gint64 serial_ns = SECOND_NS / 100;
    for (guint i = 0; i < 2; i++) {
        probes[i] =
            (Probe){.job = {.done = probe_ends, .class = AFT_CLASS_P1, .serial_ns = serial_ns}};
        aft_station_arrive(station, &probes[i].job);
    }
    aft_engine_run(self->engine, aft_engine_now(self->engine) + SECOND_NS);
    gint64 expected_ns = (gint64)((double)serial_ns / share) - serial_ns;
    assert_int_equal(probes[1].began_ns - probes[0].began_ns, expected_ns);
}

static void every_station_is_throttled_those_of_the_dead_too(void **state)
{
    (void)state;
    g_auto(Fixture) self;
    fixture_init(&self);
    aft_topology_hold_node(&self.topology, 1, AFT_HOLD_DOWN);
    pass(&self, 20.0, 20.0);
    pass(&self, 20.0, 20.0);
    aft_topology_release_node(&self.topology, 1, AFT_HOLD_DOWN);
    for (guint i = 0; i < self.topology.n_nodes; i++) {
        assert_throttled(&self, self.topology.nodes[i].controller, 0.25);
    }
    for (guint i = 0; i < self.topology.n_devices; i++) {
        assert_throttled(&self, self.topology.devices[i].station, 0.25);
    }
}

/* Runs a rebuild under @scheduler. Returns: how long it took, s; @ret_least is the least share that
 * it might have. */
static double rebuild_s(const char *scheduler, const char *high, const char *low, double *ret_least)
{
    Cluster *cluster =
        CLUSTER(scheduler, high, low, "workload.kind=open", "workload.vms=10",
                "workload.rate=4000 /s", "workload.read_share=100 %", "workload.restart=1 s",
                "background.rebuild.delay=10 s", "background.rebuild.unit=64 KiB",
                "background.rebuild.in_flight_per_node=64", "data.logical=24 GiB",
                "data.placement_groups=1024", "timeline[0].at=5 s", "timeline[0].fail=node 2");
    *ret_least = aft_model_throttle(cluster->model);
    assert_within(*ret_least, 1.0, 0.0);
    for (guint second = 1; second < 2000 && cluster->turns->len < 4; second++) {
        cluster_run(cluster, second);
        *ret_least = MIN(*ret_least, aft_model_throttle(cluster->model));
    }
    assert_int_equal(g_array_index(cluster->turns, Turn, 2).phase, AFT_PHASE_REBUILD);
    double took_s = cluster_turn_s(cluster, 3) - cluster_turn_s(cluster, 2);
    cluster_run(cluster, cluster_turn_s(cluster, 3) + 60.0);
    assert_within(aft_model_throttle(cluster->model), 1.0, 0.0); /* again */
    cluster_free(cluster);
    return took_s;
}

/* One that may have all of the disks makes clients slow; one that is throttled gives way to them
 * and takes longer. */
static void a_rebuild_gives_way_to_clients(void **state)
{
    (void)state;
    double least, least_of_other;
    double other_s =
        rebuild_s("background.scheduler=fifo", "name=fifo", "name=fifo", &least_of_other);
    double took_s = rebuild_s("background.scheduler=adaptive", "background.scheduler.high=130 us",
                              "background.scheduler.low=115 us", &least);
    print_message("# %.1f s, and %.1f s down to a share of %.3f\n", other_s, took_s, least);
    assert_within(least_of_other, 1.0, 0.0);
    assert_true(least < 0.5);
    assert_true(took_s > 1.5 * other_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_halved_above_and_raised_below),
        cmocka_unit_test(periods_in_which_nothing_completes_change_nothing),
        cmocka_unit_test(what_clients_tell_is_passed_on),
        cmocka_unit_test(every_station_is_throttled_those_of_the_dead_too),
        cmocka_unit_test(a_rebuild_gives_way_to_clients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
