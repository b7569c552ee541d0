/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Updates of parity that wait for each other, and reads that wait for them. Disks have more servers
 * than there are I/Os, so that nothing else waits: an update takes 100 us and 200 us, and what its
 * coordinator works on it between the two. */
#include "cluster.h"

#include <math.h>

#define READ_S   100e-6
#define UPDATE_S 300e-6

/* One machine on node 0. */
#define ONE_MACHINE                                                                       \
    "devices.disk.parallel=64", "workload.vms=1", "workload.on=0", "data.logical=48 MiB", \
        "workload.restart=1 s", "cluster.detect=1 s"
#define WRITERS ONE_MACHINE, "workload.kind=closed", "workload.read_share=0 %"
#define ONE     "data.protection.updates=1"
#define WORK_700_US                                                      \
    "data.protection.update=700 us", "cluster.node.controller.slots=64", \
        "cluster.node.controller.io=0 s", "cluster.node.controller.spread=deterministic"

static double mean_s(const Cluster *cluster, guint write)
{
    return (double)cluster->latency_ns[write] / (double)cluster->completed[write] / 1e9;
}

/* Writes completed in the second after @from_s. */
static gint64 writes_in_a_second(Cluster *cluster, double from_s)
{
    cluster_run(cluster, from_s);
    gint64 before = cluster->completed[1];
    cluster_run(cluster, from_s + 1.0);
    return cluster->completed[1] - before;
}

static void assert_writes(const char *const *settings, double per_s)
{
    Cluster *cluster = cluster_new(settings);
    /* What is in flight ends a little before the second does, or after. */
    assert_within((double)writes_in_a_second(cluster, 1.0), per_s,
                  aft_clients_in_flight(&cluster->model->clients[0]));
    cluster_free(cluster);
}

#define ASSERT_WRITES(per_s, ...) assert_writes((const char *const[]){__VA_ARGS__, NULL}, per_s)

static void a_machine_does_so_many_updates_at_once(void **state G_GNUC_UNUSED)
{
    ASSERT_WRITES(8.0 / UPDATE_S, WRITERS, "workload.outstanding=8");
    ASSERT_WRITES(1.0 / UPDATE_S, WRITERS, "workload.outstanding=8", ONE);
    ASSERT_WRITES(3.0 / UPDATE_S, WRITERS, "workload.outstanding=8", "data.protection.updates=3");
    ASSERT_WRITES(2.0 / UPDATE_S, WRITERS, "workload.outstanding=2", "data.protection.updates=3");
    ASSERT_WRITES(5.0 / UPDATE_S, WRITERS, "workload.vms=5", "workload.outstanding=40", ONE);
}

static void an_update_holds_its_place_while_it_is_worked_on(void **state G_GNUC_UNUSED)
{
    ASSERT_WRITES(8.0 / 1e-3, WRITERS, "workload.outstanding=8", WORK_700_US);
    ASSERT_WRITES(1.0 / 1e-3, WRITERS, "workload.outstanding=8", WORK_700_US, ONE);
}

/* Of eight writers seven wait: each for its turn, first come, first served. */
static void updates_wait_for_their_turn(void **state G_GNUC_UNUSED)
{
    Cluster *cluster = CLUSTER(WRITERS, "workload.outstanding=8", ONE);
    cluster_run(cluster, 10.0);
    assert_within((double)cluster->longest_ns, 8.0 * UPDATE_S * 1e9, 0.0);
    cluster_free(cluster);
}

/* Copies and whole stripes have nothing to read before, and reads without writes nobody to wait
 * for. */
static void what_updates_nothing_passes(void **state G_GNUC_UNUSED)
{
    ASSERT_WRITES(8.0 / 200e-6, WRITERS, "workload.outstanding=8", "data.protection=rf3", ONE);
    ASSERT_WRITES(8.0 / 200e-6, WRITERS, "workload.outstanding=8", "workload.block=3 MiB", ONE);
    Cluster *cluster = CLUSTER(ONE_MACHINE, "workload.kind=closed", "workload.outstanding=8",
                               "workload.read_share=100 %", ONE);
    cluster_run(cluster, 1.0);
    assert_within((double)cluster->completed[0], 8.0 / READ_S, 8.0);
    cluster_free(cluster);
}

/* Who is asked for when an update ends goes before the next one begins. So of reads, a share of
 * 1 - @q takes 100 us: those that follow a write. Those that follow a read were let in by the end
 * of an update, or came after one that was, so they are asked for while the next is running and
 * are home 100 us after it, one update later than their predecessor. */
static void reads_wait_for_the_update_that_runs(void **state G_GNUC_UNUSED)
{
    const double q = 0.7;
    Cluster *cluster = CLUSTER(ONE_MACHINE, "workload.kind=closed", "workload.outstanding=40",
                               "workload.read_share=70 %", ONE);
    cluster_run(cluster, 100.0);
    /* 333,000 writes, 777,000 reads: chance is a tenth of this. */
    assert_within(mean_s(cluster, 0), (1.0 - q) * READ_S + q * UPDATE_S, 0.005 * UPDATE_S);
    assert_within((double)cluster->completed[1], 100.0 / UPDATE_S, 1.0);
    cluster_free(cluster);
}

/* Poisson arrivals see an M/D/1 queue (Pollaczek and Khinchine); reads wait for half an update, if
 * there is one. */
static void arrivals_by_chance_wait_as_theory_says(void **state G_GNUC_UNUSED)
{
    const double busy = 0.6;
    Cluster *cluster = CLUSTER(ONE_MACHINE, "workload.kind=open", "workload.rate=4000 /s",
                               "workload.read_share=50 %", ONE);
    cluster_run(cluster, 200.0);
    double wait_s = busy * UPDATE_S / (2.0 * (1.0 - busy));
    assert_within(mean_s(cluster, 1), UPDATE_S + wait_s, 0.01 * UPDATE_S);
    assert_within(mean_s(cluster, 0), READ_S + busy * UPDATE_S / 2.0, 0.01 * UPDATE_S);
    cluster_free(cluster);
}

/* A node dies and returns, half a second apart, 20 times: updates fail in the middle, wait until it
 * is known and begin anew. */
static void failures_give_places_back(void **state G_GNUC_UNUSED)
{
    static const char *const hosts[] = {"node 2", "node 0", NULL};
    for (guint i = 0; hosts[i] != NULL; i++) {
        g_autofree char *fail = g_strdup_printf("timeline[0].fail=%s", hosts[i]);
        g_autofree char *restore = g_strdup_printf("timeline[1].restore=%s", hosts[i]);
        Cluster *cluster =
            CLUSTER(ONE_MACHINE, "workload.kind=closed", "workload.outstanding=8", ONE,
                    "timeline[0].at=1 s", fail, "timeline[1].at=20 s", restore, "cluster.nodes=5");
        cluster_run(cluster, 1.5);
        assert_true(aft_clients_in_flight(&cluster->model->clients[0]) == (i == 0 ? 8 : 0));
        cluster_run(cluster, 19.0);
        gint64 degraded = cluster->completed[1];
        assert_true((double)degraded >
                    15.0 / UPDATE_S); /* it went on, some writes reading nothing */
        assert_within((double)writes_in_a_second(cluster, 40.0), 1.0 / UPDATE_S, 1.0);
        assert_int_equal(aft_clients_in_flight(&cluster->model->clients[0]), 8);
        cluster_free(cluster);
    }
}

/* The share of stripes whose parity is on @node. */
static double share_without_parity(const Cluster *cluster, guint node)
{
    const AftPool *pool = cluster_pool(cluster);
    guint n = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        n += cluster_node_of(cluster, aft_pool_member(pool, group, 3)->device) == node;
    }
    return (double)n / pool->n_groups;
}

/* With a member of every stripe away, half of the writes miss nothing they need, a quarter read the
 * other data, and a quarter, whose parity is away, read nothing and pass. */
static void a_write_without_parity_passes(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(WRITERS, "cluster.nodes=4", "workload.outstanding=40", ONE, "timeline[0].at=1 s",
                "timeline[0].fail=node 2", "background.rebuild.delay=1 h");
    double without = share_without_parity(cluster, 2);
    cluster_run(cluster, 10.0);
    gint64 before = cluster->completed[1];
    cluster_run(cluster, 110.0);
    /* Of some 450,000 writes about a quarter pass: 0.1 % is chance. */
    assert_within((double)(cluster->completed[1] - before) / 100.0 * (1.0 - without) * UPDATE_S,
                  1.0, 0.004);
    cluster_free(cluster);
}

/* What waits when its workload stops has its turn all the same. */
static void stopping_lets_what_waits_end(void **state G_GNUC_UNUSED)
{
    Cluster *cluster =
        CLUSTER(WRITERS, "workload.outstanding=8", ONE, "timeline[0].at=1 s",
                "timeline[0].stop=workload", "timeline[1].at=2 s", "timeline[1].start=workload");
    cluster_run(cluster, 1.5);
    assert_int_equal(aft_clients_in_flight(&cluster->model->clients[0]), 0);
    assert_within((double)writes_in_a_second(cluster, 3.0), 1.0 / UPDATE_S, 1.0);
    cluster_free(cluster);
}

static void places_enough_change_nothing(void **state G_GNUC_UNUSED)
{
    static const char *const limits[] = {"data.protection.updates=unlimited",
                                         "data.protection.updates=64"};
    gint64 completed[2], latency_ns[2];
    for (guint i = 0; i < 2; i++) {
        Cluster *cluster =
            CLUSTER(limits[i], "workload.vms=5", "workload.kind=paced", "workload.rate=2000 /s",
                    "workload.outstanding=64", "timeline[0].at=5 s", "timeline[0].fail=node 1",
                    "timeline[1].at=20 s", "timeline[1].restore=node 1");
        cluster_run(cluster, 40.0);
        completed[i] = cluster->completed[0] + cluster->completed[1];
        latency_ns[i] = cluster->latency_ns[0] + cluster->latency_ns[1];
        cluster_free(cluster);
    }
    assert_true(completed[0] == completed[1] && latency_ns[0] == latency_ns[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_does_so_many_updates_at_once),
        cmocka_unit_test(an_update_holds_its_place_while_it_is_worked_on),
        cmocka_unit_test(updates_wait_for_their_turn),
        cmocka_unit_test(what_updates_nothing_passes),
        cmocka_unit_test(reads_wait_for_the_update_that_runs),
        cmocka_unit_test(arrivals_by_chance_wait_as_theory_says),
        cmocka_unit_test(failures_give_places_back),
        cmocka_unit_test(a_write_without_parity_passes),
        cmocka_unit_test(stopping_lets_what_waits_end),
        cmocka_unit_test(places_enough_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
