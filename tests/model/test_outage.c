/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each kind of fault takes, how long, and what is left of it afterwards. */
#include "adds_up.h"

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=1 min"

/* Two disk groups a node, of a cache device and two capacity devices each: six devices a node, the
 * first and the fourth of them caches. Nodes 0 to 2 are in rack 0, 3 and 4 in rack 1. */
#define CACHED                                                                           \
    "devices.log.read=10 us", "devices.log.write=10 us", "devices.log.size=64 MiB",      \
        "cluster.node.disk_groups.count=2", "cluster.node.disk_groups.cache.device=log", \
        "cluster.node.disk_groups.cache.count=1", "cluster.racks=2"

#define PACED                                                                                    \
    "workload.kind=paced", "workload.vms=10", "workload.rate=400 /s", "workload.outstanding=20", \
        "workload.restart=10 s", "workload.return=20 s"

/* One machine on node 0, one I/O after the other, of 4 KiB; a message of it takes 32,768 ns. */
#define ONE_BY_ONE                                                                          \
    "cluster.node.nic=1 Gbit/s", "workload.kind=closed", "workload.vms=1", "workload.on=0", \
        "workload.outstanding=1"

#define WIRE_NS 32768

static double moved(const Cluster *cluster, AftTaskKind task)
{
    return aft_model_moved_bytes(cluster->model, task);
}

static void look_closely(Cluster *cluster)
{
    if (cluster->model != NULL) {
        assert_adds_up(cluster);
    }
}

static void assert_nothing_is_held(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    assert_int_equal(topology->n_down + topology->n_unnoticed + topology->n_out, 0);
    for (guint node = 0; node < topology->n_nodes; node++) {
        for (guint hold = 0; hold < AFT_HOLDS; hold++) {
            assert_int_equal(topology->nodes[node].held[hold], 0);
        }
        assert_true(topology->in[node] && topology->nodes[node].hosting);
    }
}

/* A kind of fault, and the devices it takes. */
typedef struct {
    const char *part;
    const char *setting; /* of services; "version=1": none */
    guint32 first, n;
    gboolean media, hosts;
} Fault;

static const Fault faults[] = {
    {"node 1", "version=1", 6, 6, FALSE, TRUE},
    {"controller 1", "version=1", 6, 6, FALSE, FALSE},
    {"device 1.1.0", "version=1", 10, 1, TRUE, FALSE},
    {"cache 1.1", "version=1", 9, 3, TRUE, FALSE},
    {"group 1.1", "version=1", 9, 3, FALSE, FALSE},
    {"rack 1", "version=1", 18, 12, FALSE, TRUE},
    {"device 1.1.0", "data.services.dedupe.failure_domain=group", 9, 3, TRUE, FALSE},
};

/* It fails at 10 s and returns at 50 s, before a rebuild may begin. */
static Cluster *cluster_with(const Fault *fault, const char *more)
{
    g_autofree char *fail = g_strdup_printf("timeline[0].fail=%s", fault->part);
    g_autofree char *restore = g_strdup_printf("timeline[1].restore=%s", fault->part);
    Cluster *cluster =
        CLUSTER(CACHED, QUICK, "background.rebuild.device_delay=1 min", fault->setting, more,
                "timeline[0].at=10 s", fail, "timeline[1].at=50 s", restore);
    cluster->disturbed = look_closely;
    return cluster;
}

static void a_fault_takes_the_parts_it_names_as_long_as_it_lasts(void **state)
{
    (void)state;
    for (guint f = 0; f < G_N_ELEMENTS(faults); f++) {
        const Fault *fault = &faults[f];
        Cluster *cluster = cluster_with(fault, "version=1");
        const AftTopology *topology = &cluster->model->topology;
        assert_int_equal(topology->n_devices, 30);
        for (double at_s = 9.0; at_s < 60.0; at_s += 10.0) {
            cluster_run(cluster, at_s);
            gboolean away = at_s > 10.0 && at_s < 50.0;
            for (guint32 i = 0; i < topology->n_devices; i++) {
                gboolean named = i >= fault->first && i < fault->first + fault->n;
                guint node = topology->devices[i].node;
                assert_int_equal(topology->devices[i].up, !(away && named));
                assert_int_equal(topology->nodes[node].hosting, !(away && named && fault->hosts));
            }
        }
        assert_nothing_is_held(cluster);
        cluster_free(cluster);
    }
}

/* Members at the devices of the fault: those that are gone, and those that are stale. */
static void count_members(const Cluster *cluster, const Fault *fault, guint *ret_gone,
                          guint *ret_stale)
{
    const AftPool *pool = cluster_pool(cluster);
    *ret_gone = *ret_stale = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        const AftMember *member = &pool->members[i];
        gboolean there = member->device >= fault->first && member->device < fault->first + fault->n;
        *ret_gone += there && member->gone ? 1 : 0;
        *ret_stale += there && !member->gone && !member->valid ? 1 : 0;
        assert_true(there || member->valid);
    }
}

/* Members of groups that the fault leaves readable: the others are not written, so they stay as
 * they are. */
static guint count_behind(const Cluster *cluster, const Fault *fault)
{
    const AftPool *pool = cluster_pool(cluster);
    guint behind = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        guint there = 0;
        for (guint m = 0; m < 4; m++) {
            guint32 device = aft_pool_member(pool, group, m)->device;
            there += device >= fault->first && device < fault->first + fault->n ? 1 : 0;
        }
        behind += there == 1 || fault->media ? there : 0;
    }
    return behind;
}

static void media_come_back_empty_and_all_else_with_its_data(void **state)
{
    (void)state;
    for (guint f = 0; f < G_N_ELEMENTS(faults); f++) {
        const Fault *fault = &faults[f];
        guint gone = 0, stale = 0;
        Cluster *cluster = cluster_with(fault, "version=1");
        guint behind = count_behind(cluster, fault);
        cluster_run(cluster, 49.0);
        count_members(cluster, fault, &gone, &stale);
        assert_true(behind > 0);
        assert_int_equal(gone, fault->media ? behind : 0);
        assert_int_equal(stale, fault->media ? 0 : behind);
        cluster_run(cluster, 300.0);
        /* Nobody writes: what has its data still has missed nothing. */
        assert_within(moved(cluster, AFT_TASK_REBUILD),
                      fault->media ? behind * cluster_pool(cluster)->member_bytes : 0.0, 0.0);
        assert_within(moved(cluster, AFT_TASK_REBALANCE), 0.0, 0.0);
        assert_all_back(cluster);
        cluster_free(cluster);
    }
}

static void what_only_connects_gets_what_was_written_meanwhile(void **state)
{
    (void)state;
    for (guint f = 0; f < G_N_ELEMENTS(faults); f++) {
        const Fault *fault = &faults[f];
        if (fault->media || f == 5) { /* half of the groups are not written without that rack */
            continue;
        }
        g_autofree char *fail = g_strdup_printf("timeline[0].fail=%s", fault->part);
        g_autofree char *restore = g_strdup_printf("timeline[1].restore=%s", fault->part);
        Cluster *cluster = CLUSTER(CACHED, QUICK, PACED, "timeline[0].at=10 s", fail,
                                   "timeline[1].at=50 s", restore);
        double all = count_behind(cluster, fault) * cluster_pool(cluster)->member_bytes;
        cluster_run(cluster, 15.999);
        double before = cluster_pool(cluster)->written_bytes;
        cluster_run(cluster, 49.9);
        double written = cluster_pool(cluster)->written_bytes - before;
        cluster_run(cluster, 300.0);
        double size = cluster_pool(cluster)->member_bytes;
        double missed = all * -expm1(-written / size);
        /* A second or so, until its turn has come, is not in `written`: of 34 s and the 6 s that
         * were owed. */
        assert_within(moved(cluster, AFT_TASK_REBUILD), missed, 0.05 * missed);
        assert_all_back(cluster);
        cluster_free(cluster);
    }
}

/* @order: a permutation of three, 0 to 5. */
static guint nth_of(guint order, guint i)
{
    static const guint permutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                             {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    return permutations[order][i];
}

/* A rack, a node in it, a part of that: @step_s from one event to the next. */
static void overlap(const char *const *parts, guint failing, guint returning, double step_s)
{
    g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
    const char *const always[] = {CACHED, QUICK, PACED, "workload.rate=20 /s"};
    for (guint i = 0; i < G_N_ELEMENTS(always); i++) {
        g_ptr_array_add(settings, g_strdup(always[i]));
    }
    for (guint i = 0; i < 6; i++) {
        guint part = i < 3 ? nth_of(failing, i) : nth_of(returning, i - 3);
        g_ptr_array_add(settings, g_strdup_printf("timeline[%u].at=%.1f s", i, 1.0 + i * step_s));
        g_ptr_array_add(settings, g_strdup_printf("timeline[%u].%s=%s", i,
                                                  i < 3 ? "fail" : "restore", parts[part]));
    }
    g_ptr_array_add(settings, NULL);
    Cluster *cluster = cluster_new((const char *const *)settings->pdata);
    cluster->disturbed = look_closely;
    cluster_run(cluster, 6.0 * step_s + 300.0);
    assert_nothing_is_held(cluster);
    assert_all_back(cluster);
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

/* Before anybody notices, before and after a rebuild may begin. */
static void faults_over_one_another_leave_nothing_behind_in_any_order(void **state)
{
    (void)state;
    static const char *const parts[][3] = {{"rack 0", "node 1", "device 1.0.0"},
                                           {"node 1", "controller 1", "group 1.0"},
                                           {"cache 1.1", "device 1.1.1", "group 1.1"}};
    static const double steps[] = {1.0, 10.0, 70.0};
    for (guint order = 0; order < 36; order++) {
        overlap(parts[order % G_N_ELEMENTS(parts)], order / 6, order % 6,
                steps[(order + order / 6) % G_N_ELEMENTS(steps)]);
    }
}

static void a_lost_device_is_made_again_on_all_others_and_nothing_else_moves(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "data.placement_groups=2048", "data.logical=2 GiB",
                               "timeline[0].at=10 s", "timeline[0].fail=device 2.0.1",
                               "timeline[1].at=10 min", "timeline[1].restore=device 2.0.1");
    const AftPool *pool = cluster_pool(cluster);
    guint32 lost = 5;
    guint won[10] = {0}, n = 0;
    cluster_run(cluster, 599.0);
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        guint32 before = cluster->first_device[i], now = pool->members[i].device;
        assert_true(before == lost || before == now);
        n += before == lost ? 1 : 0;
        won[now] += before == lost ? 1 : 0;
    }
    /* Each group has one node that it is not on, so that got the member, whichever that is: the
     * eight devices of the four others are alike. Chi-square of 7 degrees, one in a thousand. */
    double chi = 0.0;
    for (guint32 i = 0; i < 10; i++) {
        double expected = n / 8.0;
        chi += i / 2 == 2 ? won[i] : (won[i] - expected) * (won[i] - expected) / expected;
    }
    assert_true(chi < 24.3);
    assert_within(moved(cluster, AFT_TASK_REBUILD), n * ceil(pool->member_bytes), 0.0);
    cluster_run(cluster, 1500.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), n * ceil(pool->member_bytes), 0.0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void without_another_node_a_member_lodges_beside_until_its_device_is_back(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "cluster.nodes=4", "timeline[0].at=10 s", "timeline[0].fail=device 2.0.1",
                "timeline[1].at=10 min", "timeline[1].restore=device 2.0.1");
    cluster->disturbed = look_closely;
    cluster_run(cluster, 599.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_int_equal(cluster_members_on(cluster, 2), 64);
    assert_true(cluster->model->topology.devices[5].used_bytes == 0.0);
    cluster_run(cluster, 1500.0);
    assert_phases(cluster, "steady failed rebuild catchup rebalance steady");
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void what_was_on_its_way_to_a_device_that_is_lost_begins_anew(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "background.rebalance.bandwidth=4 MB/s", "timeline[0].at=10 s",
                "timeline[0].fail=node 2", "timeline[1].at=5 min", "timeline[1].restore=node 2",
                "timeline[2].at=310 s", "timeline[2].fail=device 2.0.0", "timeline[3].at=312 s",
                "timeline[3].restore=device 2.0.0");
    const AftPool *pool = cluster_pool(cluster);
    double all = cluster_members_on(cluster, 2) * pool->member_bytes, done = 0.0;
    guint arrived = 0;
    cluster->disturbed = look_closely;
    cluster_run(cluster, 309.999);
    double before = moved(cluster, AFT_TASK_REBALANCE), rebuilt = moved(cluster, AFT_TASK_REBUILD);
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        const AftTransfer *transfer = pool->members[i].transfer;
        done += transfer != NULL && transfer->target == 4 ? (double)transfer->done : 0.0;
        arrived += pool->members[i].device == 4 ? 1 : 0;
    }
    assert_true(before > 0.0 && before < all && arrived > 0);
    cluster_run(cluster, 900.0);
    assert_all_back(cluster);
    assert_within(moved(cluster, AFT_TASK_REBUILD) - rebuilt, arrived * pool->member_bytes, 0.0);
    /* A unit or two may have ended in the last millisecond. */
    assert_within(moved(cluster, AFT_TASK_REBALANCE), all + done, 2.0 * 1048576.0);
    assert_true(done > 0.0 || arrived > 0);
    cluster_free(cluster);
}

static guint groups_on_both(const Cluster *cluster, guint32 a, guint32 b)
{
    const AftPool *pool = cluster_pool(cluster);
    guint both = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        guint n = 0;
        for (guint m = 0; m < pool->width; m++) {
            guint32 device = cluster->first_device[group * pool->width + m];
            n += device == a || device == b ? 1 : 0;
        }
        both += n == 2 ? 1 : 0;
    }
    return both;
}

static void media_lost_together_stay_lost(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "data.protection=rf2", "data.placement_groups=512",
                               "timeline[0].at=10 s", "timeline[0].fail=device 1.0.0",
                               "timeline[1].at=11 s", "timeline[1].fail=device 2.0.1",
                               "timeline[2].at=60 s", "timeline[2].restore=device 1.0.0",
                               "timeline[3].at=60 s", "timeline[3].restore=device 2.0.1");
    cluster->disturbed = look_closely;
    guint both = groups_on_both(cluster, 2, 5);
    assert_true(both > 0);
    cluster_run(cluster, 900.0);
    AftMoment moment = aft_model_moment(cluster->model);
    assert_int_equal(moment.lost_groups, both);
    assert_within(moment.lost_bytes, both * cluster_pool(cluster)->member_bytes, 0.5);
    assert_int_equal(moment.degraded_groups, 0);
    assert_nothing_is_held(cluster);
    assert_non_null(strstr(cluster->events->str, "loss cluster"));
    cluster_free(cluster);
}

static void data_that_is_only_cut_off_comes_back(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(CACHED, QUICK, "data.protection=rf2", "data.placement_groups=512",
                               "timeline[0].at=10 s", "timeline[0].fail=group 1.0",
                               "timeline[1].at=11 s", "timeline[1].fail=controller 2",
                               "timeline[2].at=30 s", "timeline[2].restore=group 1.0",
                               "timeline[3].at=30 s", "timeline[3].restore=controller 2");
    cluster->disturbed = look_closely;
    cluster_run(cluster, 29.0);
    assert_true(aft_model_moment(cluster->model).lost_groups > 0);
    cluster_run(cluster, 31.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    cluster_run(cluster, 300.0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

/* All that completed from @from_s to @to_s took @latency_ns, one after the other. */
static void assert_latency(Cluster *cluster, double from_s, double to_s, gint64 latency_ns)
{
    cluster_run(cluster, from_s);
    gint64 before = cluster->completed[0] + cluster->completed[1];
    cluster->longest_ns = 0;
    cluster_run(cluster, to_s);
    gint64 n = cluster->completed[0] + cluster->completed[1] - before;
    assert_int_equal(cluster->longest_ns, latency_ns);
    assert_within((double)n, (to_s - from_s) * 1e9 / (double)latency_ns, 1.0);
}

#define CRASH                                                        \
    "cluster.nodes=2", "data.protection=rf2", "timeline[0].at=10 s", \
        "timeline[0].fail=controller 0", "timeline[1].at=30 s", "timeline[1].restore=controller 0"

static void without_its_controller_a_node_works_through_another_with_one_more_message(void **state)
{
    (void)state;
    for (guint write = 0; write < 2; write++) {
        Cluster *cluster = CLUSTER(ONE_BY_ONE, CRASH, "background.rebuild.delay=1 h",
                                   write ? "workload.read_share=0" : "workload.read_share=1");
        gint64 device_ns = write ? 200000 : 100000;
        const AftVm *vm = &cluster->model->clients[0].vms[0];
        cluster_run(cluster, 10.001);
        gint64 before = cluster->completed[write];
        cluster_run(cluster, 15.999); /* nobody knows yet: it waits */
        assert_int_equal(cluster->completed[write], before);
        assert_true(vm->running && vm->node == 0);
        assert_latency(cluster, 16.001, 17.0, device_ns + WIRE_NS);
        assert_true(vm->running && vm->node == 0);
        cluster_run(cluster, 60.0);
        assert_all_back(cluster);
        cluster_free(cluster);
    }
}

static void machines_without_controller_take_different_nodes(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(PACED, "workload.vms=20", "timeline[0].at=10 s", "timeline[0].fail=controller 2");
    cluster_run(cluster, 20.0);
    guint taken[5] = {0};
    for (guint i = 2; i < 20; i += 5) {
        const AftVm *vm = &cluster->model->clients[0].vms[i];
        assert_int_equal(vm->node, 2);
        taken[aft_vm_coordinator(vm)]++;
    }
    for (guint node = 0; node < 5; node++) {
        assert_int_equal(taken[node], node == 2 ? 0 : 1);
    }
    cluster_free(cluster);
}

static void a_slow_device_is_slow_as_long_as_it_is(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("cluster.nodes=1", "cluster.node.disk_groups.capacity.count=1",
                               "data.protection=none", "workload.kind=closed", "workload.vms=1",
                               "workload.outstanding=1", "workload.read_share=1",
                               "timeline[0].at=1 s", "timeline[0].slow.device=0.0.0",
                               "timeline[0].slow.factor=10", "timeline[0].slow.for=1 s");
    assert_latency(cluster, 0.5, 0.9, 100000);
    assert_latency(cluster, 1.01, 1.9, 1000000);
    assert_latency(cluster, 2.01, 2.9, 100000);
    cluster_free(cluster);
}

/* A link and the rack it is in, each for a while: both at once multiply. */
static void a_slow_link_is_slow_as_long_as_it_is(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(ONE_BY_ONE, "cluster.nodes=2", "data.protection=rf2", "workload.read_share=0",
                "timeline[0].at=1 s", "timeline[0].slow.link=node 1", "timeline[0].slow.factor=3",
                "timeline[0].slow.for=2 s", "timeline[1].at=2 s", "timeline[1].slow.link=rack 0",
                "timeline[1].slow.factor=2", "timeline[1].slow.for=2 s");
    assert_latency(cluster, 0.5, 0.9, 200000 + WIRE_NS);
    assert_latency(cluster, 1.01, 1.9, 200000 + 3 * WIRE_NS);
    assert_latency(cluster, 2.01, 2.9, 200000 + 6 * WIRE_NS);
    assert_latency(cluster, 3.01, 3.9, 200000 + 2 * WIRE_NS);
    assert_latency(cluster, 4.01, 4.9, 200000 + WIRE_NS);
    cluster_free(cluster);
}

static void new_nodes_come_empty_and_get_exactly_what_placement_gives_them(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("data.placement_groups=1024", "timeline[0].at=10 s", "timeline[0].add.nodes=2");
    const AftPool *pool = cluster_pool(cluster);
    assert_int_equal(cluster_members_on(cluster, 5) + cluster_members_on(cluster, 6), 0);
    cluster->disturbed = look_closely;
    cluster_run(cluster, 900.0);
    guint moves = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        guint32 now = pool->members[i].device;
        moves += now != cluster->first_device[i] ? 1 : 0;
        assert_true(now == cluster->first_device[i] || now >= 10); /* only to what is new */
    }
    assert_int_equal(moves, cluster_members_on(cluster, 5) + cluster_members_on(cluster, 6));
    /* Two sevenths of all, chance of choosing so many: 4 standard errors. */
    assert_within(moves, 4096 * 2.0 / 7.0, 4.0 * sqrt(4096 * 2.0 / 7.0 * 5.0 / 7.0));
    assert_within(moved(cluster, AFT_TASK_REBALANCE), moves * pool->member_bytes, 0.0);
    assert_phases(cluster, "steady rebalance steady");
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

/* A rack is away for long; a node that joins it meanwhile is away too, and fails again with it. */
static void a_node_that_joins_a_dead_rack_comes_with_it(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, CACHED, "data.protection=rf2", "background.rebalance.delay=50 s",
                "timeline[0].at=10 s", "timeline[0].fail=rack 1", "timeline[1].at=100 s",
                "timeline[1].add.nodes=1", "timeline[2].at=200 s", "timeline[2].restore=rack 1",
                "timeline[3].at=220 s", "timeline[3].fail=rack 1", "timeline[4].at=230 s",
                "timeline[4].restore=rack 1");
    const AftNode *node = &cluster->model->topology.nodes[5];
    cluster->disturbed = look_closely;
    cluster_run(cluster, 150.0);
    assert_false(node->alive || node->hosting);
    cluster_run(cluster, 210.0);
    assert_true(node->alive);
    cluster_run(cluster, 225.0);
    assert_false(node->alive);
    cluster_run(cluster, 900.0);
    assert_nothing_is_held(cluster);
    assert_all_at_home(cluster);
    assert_true(cluster_members_on(cluster, 5) > 0);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_takes_the_parts_it_names_as_long_as_it_lasts),
        cmocka_unit_test(media_come_back_empty_and_all_else_with_its_data),
        cmocka_unit_test(what_only_connects_gets_what_was_written_meanwhile),
        cmocka_unit_test(faults_over_one_another_leave_nothing_behind_in_any_order),
        cmocka_unit_test(a_lost_device_is_made_again_on_all_others_and_nothing_else_moves),
        cmocka_unit_test(without_another_node_a_member_lodges_beside_until_its_device_is_back),
        cmocka_unit_test(what_was_on_its_way_to_a_device_that_is_lost_begins_anew),
        cmocka_unit_test(media_lost_together_stay_lost),
        cmocka_unit_test(data_that_is_only_cut_off_comes_back),
        cmocka_unit_test(without_its_controller_a_node_works_through_another_with_one_more_message),
        cmocka_unit_test(machines_without_controller_take_different_nodes),
        cmocka_unit_test(a_slow_device_is_slow_as_long_as_it_is),
        cmocka_unit_test(a_slow_link_is_slow_as_long_as_it_is),
        cmocka_unit_test(new_nodes_come_empty_and_get_exactly_what_placement_gives_them),
        cmocka_unit_test(a_node_that_joins_a_dead_rack_comes_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
