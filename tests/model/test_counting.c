/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stations did against what the plans say, to the last I/O. A machine draws its addresses
 * from a stream of its own, so a copy of that stream tells which groups it will use. */
#include "cluster.h"

#define READ_NS  100000
#define WRITE_NS 200000

typedef struct {
    guint64 reads, writes;
} Jobs;

/* What the device did up to now, of one class; its times are exact, so two sums tell two counts. */
static Jobs jobs_of(const AftDevice *device, guint class)
{
    AftStationSums sums;
    aft_station_sums(device->station, &sums);
    const AftClassSums *of = &sums.class[class];
    guint64 served = of->served;
    assert_int_equal(aft_station_jobs(device->station), 0);
    assert_int_equal(of->arrived, served + of->dropped);
    guint64 extra_ns = (guint64)of->service_ns - served * READ_NS;
    assert_int_equal(extra_ns % (WRITE_NS - READ_NS), 0);
    guint64 writes = extra_ns / (WRITE_NS - READ_NS);
    return (Jobs){served - writes, writes};
}

static void add(Jobs *to, Jobs added, gint sign)
{
    to->reads += (guint64)sign * added.reads;
    to->writes += (guint64)sign * added.writes;
}

static Jobs jobs_of_all(const Cluster *cluster, guint class)
{
    Jobs all = {0};
    for (guint i = 0; i < cluster->model->topology.n_devices; i++) {
        add(&all, jobs_of(&cluster->model->topology.devices[i], class), 1);
    }
    return all;
}

static guint64 controller_jobs(const Cluster *cluster)
{
    guint64 jobs = 0;
    for (guint i = 0; i < cluster->model->topology.n_nodes; i++) {
        if (cluster->model->topology.nodes[i].controller != NULL) {
            AftStationSums sums;
            aft_station_sums(cluster->model->topology.nodes[i].controller, &sums);
            jobs += sums.class[AFT_CLASS_CLIENT].served;
        }
    }
    return jobs;
}

/* What one machine has ahead of it. */
typedef struct {
    AftStream addresses;
    gint64 served;
} Machine;

/* A stretch of time in which members neither die nor move. */
typedef struct {
    Cluster *cluster;
    Machine *machines;
    Jobs *before;    /* a device */
    Jobs *expected;  /* a device */
    gint64 *sent_ns; /* a node: what its port had sent before, then expected */
    gint64 *received_ns;
    gint64 completed[2];                         /* before, then in the stretch */
    gint64 reads, writes;                        /* drawn again from the streams */
    guint64 controllers_before, controller_jobs; /* at all of them: before; expected */
} Stretch;

static void stretch_begin(Stretch *stretch, Cluster *cluster)
{
    const AftModel *model = cluster->model;
    const AftTopology *topology = &model->topology;
    *stretch = (Stretch){
        .cluster = cluster,
        .machines = g_new(Machine, model->clients[0].n_vms),
        .before = g_new(Jobs, topology->n_devices),
        .expected = g_new0(Jobs, topology->n_devices),
        .sent_ns = g_new(gint64, topology->n_nodes),
        .received_ns = g_new(gint64, topology->n_nodes),
        .completed = {cluster->completed[0], cluster->completed[1]},
        .controllers_before = controller_jobs(cluster),
    };
    assert_int_equal(aft_model_moment(model).in_flight, 0);
    for (guint i = 0; i < model->clients[0].n_vms; i++) {
        const AftVm *vm = &model->clients[0].vms[i];
        stretch->machines[i] = (Machine){vm->addresses, vm->served};
    }
    for (guint i = 0; i < topology->n_devices; i++) {
        stretch->before[i] = jobs_of(&topology->devices[i], AFT_CLASS_CLIENT);
    }
    for (guint i = 0; i < topology->n_nodes; i++) {
        stretch->sent_ns[i] = topology->nodes[i].sending.sent_ns;
        stretch->received_ns[i] = topology->nodes[i].receiving.sent_ns;
    }
}

static void expect_message(Stretch *stretch, guint from, guint to, guint32 bytes)
{
    if (from != to) {
        const AftTopology *topology = &stretch->cluster->model->topology;
        stretch->sent_ns[from] += aft_topology_wire_ns(topology, from, bytes);
        stretch->received_ns[to] += aft_topology_wire_ns(topology, to, bytes);
    }
}

/* Nothing is converted here. */
static const AftWay *way_of(const AftClients *clients)
{
    return &clients->ways[0];
}

static void expect_step(Stretch *stretch, const AftVm *vm, guint32 at, gboolean write)
{
    const AftTopology *topology = &stretch->cluster->model->topology;
    const AftDevice *device = &topology->devices[at];
    guint32 bytes = way_of(vm->clients)->step_bytes;
    assert_true(topology->nodes[device->node].alive);
    if (write) {
        stretch->expected[at].writes++;
        expect_message(stretch, vm->node, device->node, bytes);
    } else {
        stretch->expected[at].reads++;
        expect_message(stretch, device->node, vm->node, bytes);
    }
    stretch->controller_jobs++;
}

/* Where the members of a group are for who looks at @position of it: at the target of a transfer
 * that has come so far. Returns: those that are current there. */
static guint32 find_members(const AftPool *pool, guint group, double position, guint32 *ret_at)
{
    guint32 current = 0;
    for (guint m = 0; m < pool->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        const AftTransfer *transfer = member->transfer;
        gboolean moved =
            transfer != NULL && position * (double)transfer->bytes < (double)transfer->done;
        guint node = pool->topology->devices[member->device].node;
        ret_at[m] = moved ? transfer->target : member->device;
        current |= (guint32)(moved || (member->valid && pool->topology->nodes[node].alive)) << m;
    }
    return current;
}

/* Draws the machine's next address again, and adds what its plan costs. */
static void expect_one(Stretch *stretch, const AftVm *vm, AftStream *addresses)
{
    const AftClients *clients = vm->clients;
    guint32 at[AFT_WIDTH_MOST];
    guint group = aft_pool_all(clients->pool)
                      ->live[aft_stream_below(addresses, aft_pool_all(clients->pool)->n_live)];
    guint first = (guint)aft_stream_below(addresses, way_of(clients)->choices);
    guint32 current = find_members(clients->pool, group, aft_stream_uniform(addresses), at);
    gboolean write = aft_stream_uniform(addresses) >= clients->spec->read_share;
    AftPlanRequest request = {
        .operation = write ? AFT_OPERATION_WRITE : AFT_OPERATION_READ,
        .first = first,
        .units = (guint)(clients->spec->block_bytes / way_of(clients)->step_bytes),
        .current = current,
    };
    AftPlan plan;
    aft_protection_plan(&clients->pool->spec->protection, &request, &plan);
    for (guint i = 0; i < plan.stage_begin[plan.n_stages]; i++) {
        expect_step(stretch, vm, at[plan.step[i].member], plan.step[i].write != 0);
    }
    stretch->controller_jobs += plan.degraded && clients->pool->spec->protection.degraded_ns > 0;
    *(write ? &stretch->writes : &stretch->reads) += 1;
}

static void expect_all(Stretch *stretch)
{
    const AftClients *clients = &stretch->cluster->model->clients[0];
    for (guint i = 0; i < clients->n_vms; i++) {
        Machine *machine = &stretch->machines[i];
        for (; machine->served < clients->vms[i].served; machine->served++) {
            expect_one(stretch, &clients->vms[i], &machine->addresses);
        }
    }
}

/* Asserts that every device and every port did what the plans say, and nothing else. */
static void stretch_end(Stretch *stretch)
{
    const Cluster *cluster = stretch->cluster;
    const AftTopology *topology = &cluster->model->topology;
    assert_int_equal(aft_model_moment(cluster->model).in_flight, 0);
    expect_all(stretch);
    assert_int_equal(stretch->reads, cluster->completed[0] - stretch->completed[0]);
    assert_int_equal(stretch->writes, cluster->completed[1] - stretch->completed[1]);
    for (guint i = 0; i < topology->n_devices; i++) {
        Jobs jobs = jobs_of(&topology->devices[i], AFT_CLASS_CLIENT);
        add(&jobs, stretch->before[i], -1);
        assert_int_equal(jobs.reads, stretch->expected[i].reads);
        assert_int_equal(jobs.writes, stretch->expected[i].writes);
    }
    for (guint i = 0; i < topology->n_nodes; i++) {
        assert_int_equal(topology->nodes[i].sending.sent_ns, stretch->sent_ns[i]);
        assert_int_equal(topology->nodes[i].receiving.sent_ns, stretch->received_ns[i]);
    }
    assert_int_equal(controller_jobs(cluster) - stretch->controllers_before,
                     topology->nodes[0].controller == NULL ? 0 : stretch->controller_jobs);
}

static void stretch_clear(Stretch *stretch)
{
    g_free(stretch->machines);
    g_free(stretch->before);
    g_free(stretch->expected);
    g_free(stretch->sent_ns);
    g_free(stretch->received_ns);
}

static double per_io(guint64 jobs, gint64 ios)
{
    return (double)jobs / (double)ios;
}

static Jobs sum_of(const Stretch *stretch)
{
    Jobs sum = {0};
    for (guint i = 0; i < stretch->cluster->model->topology.n_devices; i++) {
        add(&sum, stretch->expected[i], 1);
    }
    return sum;
}

/* Few enough I/Os that moments without any in flight are common. */
#define TRICKLE \
    "workload.kind=open", "workload.vms=10", "workload.rate=2000 /s", "workload.block=4 KiB"

/* The clock goes on; a stretch may begin or end only when nothing is in flight. */
static void run_until_idle(Cluster *cluster, double until_s)
{
    cluster_run(cluster, until_s);
    for (guint i = 0; aft_model_moment(cluster->model).in_flight > 0; i++) {
        assert_true(i < 100000);
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 1e-5);
    }
}

/* @more (nullable) is a setting. */
static void check_healthy(const char *protection, const char *more, gint64 per_write)
{
    g_autofree char *setting = g_strdup_printf("data.protection=%s", protection);
    Cluster *cluster = CLUSTER(TRICKLE, setting, "cluster.nodes=7", "workload.read_share=40 %",
                               "cluster.node.nic=10 Gbit/s", "cluster.node.controller.slots=2",
                               "cluster.node.controller.io=20 us", more);
    Stretch stretch;
    stretch_begin(&stretch, cluster);
    run_until_idle(cluster, 5.0);
    stretch_end(&stretch);
    Jobs jobs = jobs_of_all(cluster, AFT_CLASS_CLIENT);
    assert_true(stretch.reads > 3000 && stretch.writes > 5000);
    assert_int_equal(jobs.reads + jobs.writes, stretch.reads + per_write * stretch.writes);
    assert_int_equal(jobs_of_all(cluster, AFT_CLASS_P1).reads, 0);
    stretch_clear(&stretch);
    cluster_free(cluster);
}

static void healthy_clusters_do_what_the_tables_say(void **state)
{
    (void)state;
    check_healthy("none", NULL, 1);
    check_healthy("raid0", "data.protection.data=5", 1);
    check_healthy("rf2", NULL, 2);
    check_healthy("raid10", NULL, 2);
    check_healthy("rf3", NULL, 3);
    check_healthy("raid5", NULL, 4);
    check_healthy("raid6", NULL, 6);
    check_healthy("lrc", "cluster.nodes=17", 8);
}

/* Node 2 of @nodes is down, noticed, and not to be rebuilt for an hour. */
static void check_degraded(const char *protection, const char *nodes, double reads,
                           double write_reads, double write_writes)
{
    g_autofree char *scheme = g_strdup_printf("data.protection.scheme=%s", protection);
    g_autofree char *size = g_strdup_printf("cluster.nodes=%s", nodes);
    Cluster *cluster =
        CLUSTER(TRICKLE, scheme, size, "data.placement_groups=2000", "workload.restart=1 s",
                "workload.read_share=50 %", "cluster.node.nic=10 Gbit/s", "timeline[0].at=1 s",
                "timeline[0].fail=node 2", "cluster.detect=2 s", "data.protection.degraded=50 us",
                "cluster.node.controller.slots=2", "cluster.node.controller.io=20 us");
    run_until_idle(cluster, 4.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_FAILED);
    Stretch stretch;
    stretch_begin(&stretch, cluster);
    run_until_idle(cluster, 9.0);
    stretch_end(&stretch);
    /* Whether an I/O costs more or less is chance, with a standard deviation below 1.5: that over
     * the roots of 2,000 groups and of 10,000 I/Os, four standard errors. */
    double expected =
        (double)stretch.reads * reads + (double)stretch.writes * (write_reads + write_writes);
    Jobs jobs = sum_of(&stretch);
    gint64 ios = stretch.reads + stretch.writes;
    assert_true(ios > 9000);
    assert_within(per_io(jobs.reads + jobs.writes, ios), expected / (double)ios, 0.15);
    stretch_clear(&stretch);
    cluster_free(cluster);
}

static void degraded_clusters_do_what_the_live_placement_says(void **state)
{
    (void)state;
    check_degraded("rf2", "5", 1.0, 0.0, 1.6);
    check_degraded("rf3", "5", 1.0, 0.0, 2.4);
    check_degraded("raid5", "5", 1.4, 1.6, 1.6);
    check_degraded("raid6", "7", 1.0 + 3.0 / 7.0, 3.0 - 2.0 / 7.0, 3.0 - 3.0 / 7.0);
    check_degraded("lrc", "17", 1.0 + 5.0 / 17.0, 4.0 + 1.0 / 17.0, 4.0 - 4.0 / 17.0);
}

/* No group is lost. */
static void check_two_nodes_down(const char *protection, const char *nodes)
{
    Cluster *cluster =
        CLUSTER(TRICKLE, protection, nodes, "workload.restart=1 s", "timeline[0].at=1 s",
                "timeline[0].fail=node 2", "timeline[1].at=1.5 s", "timeline[1].fail=node 5",
                "cluster.detect=2 s");
    run_until_idle(cluster, 4.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    Stretch stretch;
    stretch_begin(&stretch, cluster);
    run_until_idle(cluster, 8.0);
    stretch_end(&stretch);
    stretch_clear(&stretch);
    cluster_free(cluster);
}

static void two_nodes_down_do_what_the_live_placement_says(void **state)
{
    (void)state;
    check_two_nodes_down("data.protection=raid6", "cluster.nodes=7");
    check_two_nodes_down("data.protection=lrc", "cluster.nodes=17");
}

/* One unit for each member of node 2: those of a local group come from the other six of it, global
 * parity from twelve. */
static void rebuilds_read_a_local_group_or_all_data(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("data.protection=lrc", "cluster.nodes=17", "cluster.detect=1 s",
                "background.rebuild.delay=10 s", "timeline[0].at=1 s", "timeline[0].fail=node 2");
    const AftPool *pool = cluster_pool(cluster);
    guint local = 0, global = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        if (cluster_node_of(cluster, pool->members[i].device) == 2) {
            *(i % pool->width < 14 ? &local : &global) += 1;
        }
    }
    cluster_run(cluster, 60.0);
    assert_int_equal(aft_model_moment(cluster->model).degraded_groups, 0);
    assert_true(local > 0 && global > 0);
    Jobs jobs = jobs_of_all(cluster, AFT_CLASS_P1);
    assert_int_equal(jobs.reads, 6 * local + 12 * global);
    assert_int_equal(jobs.writes, local + global);
    cluster_free(cluster);
}

/* A transfer capped to 10 kB/s issues a unit in a hundred seconds; in between nothing changes, and
 * half of the member it belongs to has come. */
static void check_half_moved(const char *task, double from_s, AftPhase phase)
{
    g_autofree char *cap = g_strdup_printf("background.%s.bandwidth=10 kB/s", task);
    Cluster *cluster =
        CLUSTER(TRICKLE, cap, "data.placement_groups=8", "data.logical=48 MiB",
                "cluster.detect=1 s", "background.rebuild.delay=10 s", "workload.restart=1 s",
                "workload.return=1 s", "cluster.node.nic=10 Gbit/s", "timeline[0].at=1 s",
                "timeline[0].fail=node 2", "timeline[1].at=30 s", "timeline[1].restore=node 2");
    run_until_idle(cluster, from_s);
    assert_int_equal(aft_model_phase(cluster->model), phase);
    const AftPool *pool = cluster_pool(cluster);
    guint half = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        const AftTransfer *transfer = pool->members[i].transfer;
        half += transfer != NULL && transfer->done * 2 == transfer->bytes ? 1 : 0;
    }
    assert_int_equal(half, 1);
    Stretch stretch;
    stretch_begin(&stretch, cluster);
    run_until_idle(cluster, from_s + 6.0);
    stretch_end(&stretch);
    stretch_clear(&stretch);
    cluster_free(cluster);
}

static void members_half_moved_are_used_where_their_data_is(void **state)
{
    (void)state;
    check_half_moved("rebuild", 15.0, AFT_PHASE_REBUILD);
    check_half_moved("rebalance", 35.0, AFT_PHASE_REBALANCE);
}

/* Blocks of several units, whole stripes and several stripes. A
 * write costs @reads and @writes, a read as many reads as the block has units. */
static void check_block(const char *block, gint64 units, gint64 reads, gint64 writes)
{
    g_autofree char *setting = g_strdup_printf("workload.block=%s", block);
    Cluster *cluster =
        CLUSTER("workload.kind=open", "workload.vms=10", "workload.rate=200 /s", setting,
                "data.protection.stripe_unit=64 KiB", "cluster.node.nic=10 Gbit/s");
    Stretch stretch;
    stretch_begin(&stretch, cluster);
    run_until_idle(cluster, 5.0);
    stretch_end(&stretch);
    Jobs jobs = sum_of(&stretch);
    assert_int_equal(jobs.reads, stretch.reads * units + stretch.writes * reads);
    assert_int_equal(jobs.writes, stretch.writes * writes);
    stretch_clear(&stretch);
    cluster_free(cluster);
}

static void blocks_of_several_units_read_the_smaller_set(void **state)
{
    (void)state;
    check_block("16 KiB", 1, 2, 2);
    check_block("64 KiB", 1, 2, 2);
    check_block("128 KiB", 2, 1, 3);
    check_block("192 KiB", 3, 0, 4);
    check_block("384 KiB", 3, 0, 4);
}

static void a_thousand_ios_at_40_60_cost_2800(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("workload.kind=closed", "workload.vms=1", "workload.outstanding=1",
                               "workload.read_share=40 %", "workload.think=5 ms");
    Stretch stretch;
    stretch_begin(&stretch, cluster);
    run_until_idle(cluster, 60.0);
    stretch_end(&stretch);
    Jobs jobs = jobs_of_all(cluster, AFT_CLASS_CLIENT);
    gint64 ios = stretch.reads + stretch.writes;
    assert_true(ios > 10000);
    assert_int_equal(jobs.reads + jobs.writes, stretch.reads + 4 * stretch.writes);
    /* The mix is chance: a share of 0.6 +- 4 x 0.0049, times 3 more for a write. */
    assert_within(1000.0 * per_io(jobs.reads + jobs.writes, ios), 2800.0, 60.0);
    stretch_clear(&stretch);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_clusters_do_what_the_tables_say),
        cmocka_unit_test(degraded_clusters_do_what_the_live_placement_says),
        cmocka_unit_test(two_nodes_down_do_what_the_live_placement_says),
        cmocka_unit_test(rebuilds_read_a_local_group_or_all_data),
        cmocka_unit_test(members_half_moved_are_used_where_their_data_is),
        cmocka_unit_test(blocks_of_several_units_read_the_smaller_set),
        cmocka_unit_test(a_thousand_ios_at_40_60_cost_2800),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
