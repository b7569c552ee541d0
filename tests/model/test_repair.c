/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cluster does about a node that dies and comes back: when, in which order, to the byte. */
#include "cluster.h"
#include "curator_parts.h"

#define PACED                                                                                    \
    "workload.kind=paced", "workload.vms=10", "workload.rate=400 /s", "workload.outstanding=20", \
        "workload.restart=10 s", "workload.return=20 s"

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=1 min"

#define FAILS(i, node, at)    "timeline[" #i "].at=" at, "timeline[" #i "].fail=node " #node
#define RESTORES(i, node, at) "timeline[" #i "].at=" at, "timeline[" #i "].restore=node " #node

static double moved(const Cluster *cluster, AftTaskKind task)
{
    return aft_model_moved_bytes(cluster->model, task);
}

static double used(const Cluster *cluster)
{
    return aft_model_moment(cluster->model).used_bytes;
}

static gboolean has_flag(const Cluster *cluster, guint flag)
{
    return (aft_model_flags(cluster->model) & flag) != 0;
}

static void a_failure_goes_through_its_phases_in_order(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, FAILS(0, 2, "10 s"), RESTORES(1, 2, "5 min"));
    double lost = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    cluster_run(cluster, 600.0);
    assert_phases(cluster, "steady failed rebuild catchup rebalance steady");
    assert_within(cluster_turn_s(cluster, 1), 10.0, 0.0);
    assert_within(cluster_turn_s(cluster, 2), 70.0, 0.0);
    assert_within(cluster_turn_s(cluster, 4), 300.0, 0.0);
    assert_string_equal(cluster->events->str,
                        "fail node 2, detect node 2, out node 2, rebuild-start cluster, "
                        "rebuild-end cluster, restore node 2, rebalance-start cluster, "
                        "rebalance-end cluster");
    assert_within(moved(cluster, AFT_TASK_REBUILD), lost, 0.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), lost, 0.0);
    assert_all_back(cluster);
    assert_within(used(cluster), cluster->first_used_bytes, 0.0);
    assert_int_equal(aft_model_shed(cluster->model), 0);
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

static void a_lost_node_is_made_again_on_all_survivors(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "data.placement_groups=1024", FAILS(0, 2, "10 s"));
    guint members[5], lost = cluster_members_on(cluster, 2);
    for (guint node = 0; node < 5; node++) {
        members[node] = cluster_members_on(cluster, node);
    }
    cluster_run(cluster, 600.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_all_at_home(cluster);
    for (guint node = 0; node < 5; node++) {
        /* A quarter each: binomial, 4 standard errors. */
        double won = (double)cluster_members_on(cluster, node) - members[node];
        assert_within(node == 2 ? lost / 4.0 : won, lost / 4.0, 4.0 * sqrt(lost * 0.25 * 0.75));
    }
    assert_false(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

/* Each of four nodes has a member of every group, so that what a disk held can only go to the other
 * disk of its node; and comes back from there. */
static void a_lost_disk_is_made_again_in_its_node_where_there_is_no_other(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "cluster.nodes=4", "timeline[0].at=10 s", "timeline[0].fail=device 2.0.1",
                "timeline[1].at=5 min", "timeline[1].restore=device 2.0.1");
    cluster_run(cluster, 200.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_int_equal(cluster_pool(cluster)->missing, 0);
    assert_int_equal(cluster_members_on(cluster, 2), 64);
    double lost = moved(cluster, AFT_TASK_REBUILD);
    assert_true(lost > 0.0);
    cluster_run(cluster, 600.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), lost, 0.0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void space_adds_up_all_the_way(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "background.rebuild.bandwidth=2 MB/s",
                "background.rebalance.bandwidth=2 MB/s", FAILS(0, 2, "10 s"),
                RESTORES(1, 2, "3 min"), FAILS(2, 4, "190 s"), RESTORES(3, 4, "200 s"));
    gboolean rebuilt = FALSE, rebalanced = FALSE;
    for (double at_s = 1.0; at_s < 400.0; at_s += 1.0) {
        cluster_run(cluster, at_s);
        assert_space_adds_up(cluster);
        rebuilt |= aft_model_phase(cluster->model) == AFT_PHASE_REBUILD;
        rebalanced |= aft_model_phase(cluster->model) == AFT_PHASE_REBALANCE;
        assert_true(used(cluster) >= cluster->first_used_bytes);
    }
    assert_true(rebuilt && rebalanced);
    assert_all_back(cluster);
    assert_within(used(cluster), cluster->first_used_bytes, 0.0);
    cluster_free(cluster);
}

/* Writes from detection to return, spread over the members: 2 of 4 KiB each on 256 members. */
static void a_node_back_before_its_rebuild_needs_only_what_it_missed(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, FAILS(0, 2, "10 s"), RESTORES(1, 2, "40 s"));
    guint members = cluster_members_on(cluster, 2);
    double size = cluster_pool(cluster)->member_bytes;
    cluster_run(cluster, 16.0);
    gint64 writes = cluster->completed[1];
    cluster_run(cluster, 40.0);
    writes = cluster->completed[1] - writes;
    cluster_run(cluster, 90.0);
    assert_phases(cluster, "steady failed rebuild steady");
    double each = (double)writes * 2.0 * 4096.0 / 256.0;
    double missed = members * size * (1.0 - exp(-each / size));
    assert_true(missed < 0.1 * members * size);
    /* The rebuild itself takes under half a second, in which writes go on: 2 % of 24 s. */
    assert_within(moved(cluster, AFT_TASK_REBUILD), missed, 0.02 * missed + members);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), 0.0, 0.0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

/* What waits to be brought up to date goes on missing writes until its turn comes. */
static void members_that_wait_their_turn_miss_more(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, "background.rebuild.bandwidth=200 kB/s",
                               FAILS(0, 2, "10 s"), RESTORES(1, 2, "40 s"));
    const AftPool *pool = cluster_pool(cluster);
    guint members = cluster_members_on(cluster, 2);
    cluster_run(cluster, 16.0);
    double mark = pool->written_bytes;
    cluster_run(cluster, 40.0);
    double missed = pool->written_bytes - mark;
    double at_return = members * aft_pool_missed_bytes(pool, 0, mark);
    cluster_run(cluster, 160.0);
    double rate = (pool->written_bytes - mark - missed) / 120.0; /* a second, to each member */
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    double expected = 0.0; /* under the cap each begins when those before it have left */
    for (guint i = 0; i < members; i++) {
        double written = missed + rate * expected / 200e3;
        expected += pool->member_bytes * (1.0 - exp(-written / pool->member_bytes));
    }
    assert_true(expected > 1.3 * at_return);
    /* About 5,000 writes while they wait make half of it: 3 % is four standard errors. */
    assert_within(moved(cluster, AFT_TASK_REBUILD), expected, 0.03 * expected);
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void a_node_that_missed_nothing_needs_nothing(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, "workload.read_share=100 %", FAILS(0, 2, "10 s"),
                               RESTORES(1, 2, "40 s"));
    cluster_run(cluster, 30.0);
    assert_int_equal(aft_model_moment(cluster->model).degraded_groups,
                     cluster_members_on(cluster, 2));
    cluster_run(cluster, 90.0);
    assert_phases(cluster, "steady failed steady");
    assert_within(moved(cluster, AFT_TASK_REBUILD), 0.0, 0.0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

/* Nobody noticed: I/O waited, then went on where it was. */
static void a_blip_before_detection_only_stalls(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, FAILS(0, 2, "10 s"), RESTORES(1, 2, "13 s"));
    cluster_run(cluster, 12.0);
    assert_true(has_flag(cluster, AFT_FLAG_STALL));
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_FAILED);
    cluster_run(cluster, 12.9);
    gint64 served = aft_model_completed(cluster->model);
    /* Every group of four of five nodes stalls four times in five: the slots fill and stand. */
    cluster_run(cluster, 13.0 - 1e-9);
    assert_int_equal(aft_model_completed(cluster->model), served);
    assert_int_equal(aft_model_moment(cluster->model).in_flight, 16); /* of machines elsewhere */
    cluster_run(cluster, 60.0);
    assert_false(has_flag(cluster, AFT_FLAG_STALL));
    assert_within(moved(cluster, AFT_TASK_REBUILD), 0.0, 0.0);
    assert_true(cluster->longest_ns > 2 * SECOND_NS && cluster->longest_ns < 4 * SECOND_NS);
    assert_string_equal(cluster->events->str, "fail node 2, restore node 2");
    assert_int_equal(aft_model_shed(cluster->model), 0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void io_waits_for_detection_and_no_longer(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, FAILS(0, 2, "10 s"));
    cluster_run(cluster, 60.0);
    /* Begun at the latest in the instant of the fault; a few milliseconds of service on top. */
    assert_true(cluster->longest_ns > 5 * SECOND_NS);
    assert_within((double)cluster->longest_ns, 6e9, 0.2e9);
    cluster_free(cluster);
}

/* Machines on the dead host owe what arrived meanwhile, those elsewhere what found no slot. */
static void machines_of_a_dead_host_owe_and_come_home(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, "workload.pacing=even", "workload.restart=20 s", QUICK,
                               FAILS(0, 2, "10 s"), RESTORES(1, 2, "2 min"));
    const AftClients *clients = &cluster->model->clients[0];
    cluster_run(cluster, 29.999);
    for (guint i = 2; i < 10; i += 5) {
        const AftVm *vm = &clients->vms[i];
        assert_false(vm->running);
        assert_within((double)vm->owed.count, 20.0 * 40.0, 1.0 + vm->slots);
    }
    cluster_run(cluster, 30.0);
    guint on[5] = {0};
    for (guint i = 0; i < 10; i++) {
        assert_true(clients->vms[i].running);
        assert_int_not_equal(clients->vms[i].node, 2);
        on[clients->vms[i].node]++;
    }
    assert_int_equal(on[0], 3); /* two homeless machines on the emptiest, lowest hosts */
    assert_int_equal(on[1], 3);
    cluster_run(cluster, 139.999);
    assert_int_not_equal(clients->vms[2].node, 2);
    cluster_run(cluster, 140.0);
    for (guint i = 0; i < 10; i++) {
        const AftVm *vm = &clients->vms[i];
        assert_int_equal(vm->node, vm->home);
        /* The clock never stopped. */
        assert_within((double)vm->owed.arrived, 140.0 * 40.0, 1.0);
    }
    assert_within((double)cluster->longest_owed_ns, 20e9, 1e9);
    assert_int_equal(aft_model_shed(cluster->model), 0);
    cluster_free(cluster);
}

/* Home again five seconds after the last return, not after the first. */
static void machines_count_from_the_last_return(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, "workload.restart=1 s", FAILS(0, 2, "10 s"),
                               RESTORES(1, 2, "30 s"), FAILS(2, 2, "35 s"), RESTORES(3, 2, "40 s"));
    cluster_run(cluster, 59.999);
    assert_int_not_equal(cluster->model->clients[0].vms[2].node, 2);
    assert_false(aft_model_is_settled(cluster->model));
    cluster_run(cluster, 60.0);
    assert_int_equal(cluster->model->clients[0].vms[2].node, 2);
    cluster_free(cluster);
}

static void owed_work_has_a_limit(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, "workload.pacing=even", "workload.owed_limit=2 s",
                               "workload.restart=20 s", QUICK, FAILS(0, 2, "10 s"));
    cluster_run(cluster, 29.999);
    const AftVm *vm = &cluster->model->clients[0].vms[2];
    assert_within((double)vm->owed.count, 80.0, vm->slots);
    assert_within((double)vm->shed, 40.0 * 20.0 - 80.0, 2.0 + vm->slots);
    assert_int_equal(aft_model_shed_lost(cluster->model), 0);
    cluster_free(cluster);
}

/* What waits for news of the second failure is shed where its group turns out to be lost: without a
 * limit nothing else is. */
static void what_is_shed_with_lost_data_is_counted_apart(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, QUICK, FAILS(0, 0, "10 s"), FAILS(1, 1, "40 s"));
    cluster_run(cluster, 45.9);
    assert_int_equal(aft_model_shed(cluster->model), 0);
    cluster_run(cluster, 60.0);
    assert_true(aft_model_shed(cluster->model) > 0);
    assert_int_equal(aft_model_shed_lost(cluster->model), aft_model_shed(cluster->model));
    cluster_free(cluster);
}

/* No member with more to spare is begun while one with less waits for the same node. */
typedef struct {
    gboolean waits[3];   /* by spare members: one was not begun before */
    gboolean started[3]; /* one has been begun since */
} Lane;

static void look_at_lanes(const Cluster *cluster, guint64 *issued, Lane *lanes)
{
    const AftPool *pool = cluster_pool(cluster);
    memset(lanes, 0, 8 * sizeof(Lane));
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        const AftTransfer *transfer = pool->members[i].transfer;
        guint64 before = issued[i];
        issued[i] = transfer == NULL ? 0 : transfer->issued;
        if (transfer != NULL) {
            Lane *lane = &lanes[cluster_node_of(cluster, transfer->target)];
            guint spare = (guint)__builtin_popcount(pool->groups[transfer->group].current) -
                          pool->spec->protection.data;
            lane->waits[spare] |= issued[i] == 0;
            lane->started[spare] |= before == 0 && issued[i] > 0;
        }
    }
}

static void groups_with_the_fewest_survivors_go_first(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("data.protection=raid6", "cluster.nodes=8", "devices.disk.read=50 ms",
                "data.placement_groups=256", "background.rebuild.in_flight_per_node=1",
                "cluster.detect=2 s", "background.rebuild.delay=10 s", FAILS(0, 1, "1 s"),
                FAILS(1, 4, "12 s"), RESTORES(2, 1, "2 min"), RESTORES(3, 4, "2 min"));
    g_autofree guint64 *issued = g_new0(guint64, 256 * 6);
    Lane lanes[8];
    guint begun[3] = {0};
    for (double at_s = 14.01; at_s < 60.0; at_s += 0.01) {
        cluster_run(cluster, at_s);
        gboolean settled = at_s > 14.02; /* begun before the second failure was known */
        look_at_lanes(cluster, issued, lanes);
        for (guint node = 0; node < 8; node++) {
            assert_false(settled && lanes[node].waits[0] && lanes[node].started[1]);
            begun[0] += (guint)(settled && lanes[node].started[0]);
            begun[1] += (guint)(settled && lanes[node].started[1]);
        }
    }
    assert_true(begun[0] > 20 && begun[1] > 20);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_CATCHUP);
    assert_all_at_home(cluster);
    cluster_run(cluster, 300.0);
    assert_all_at_home(cluster);
    assert_within(used(cluster), cluster->first_used_bytes, 0.0);
    cluster_free(cluster);
}

/* Under RAID-5 on five nodes a group is lost when it has a member on both: 3 of its other two
 * places from three nodes, C(3,2) / C(5,4). */
static void two_failures_lose_three_groups_in_five(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "data.placement_groups=4096", FAILS(0, 0, "10 s"), FAILS(1, 1, "40 s"),
                RESTORES(2, 0, "2 min"), RESTORES(3, 1, "3 min"));
    cluster_run(cluster, 50.0);
    AftMoment moment = aft_model_moment(cluster->model);
    /* Binomial, 4 standard errors. */
    assert_within(moment.lost_groups, 0.6 * 4096, 4.0 * sqrt(4096 * 0.6 * 0.4));
    assert_within(moment.lost_bytes, moment.lost_groups * 384.0 * 1048576.0 / 4096.0, 1e-3);
    assert_true(has_flag(cluster, AFT_FLAG_LOSS));
    cluster_run(cluster, 119.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, moment.lost_groups);
    cluster_run(cluster, 600.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    assert_false(has_flag(cluster, AFT_FLAG_LOSS));
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_all_at_home(cluster);
    assert_within(used(cluster), cluster->first_used_bytes, 1e-3);
    cluster_free(cluster);
}

/* The node that died first missed writes before its group was lost, so the group lives again only
 * with the other one. */
static void a_lost_group_lives_again_with_the_members_that_are_good(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, "cluster.detect=6 s", FAILS(0, 0, "10 s"),
                               FAILS(1, 1, "40 s"), RESTORES(2, 0, "60 s"), RESTORES(3, 1, "80 s"));
    cluster_run(cluster, 50.0);
    guint lost = aft_model_moment(cluster->model).lost_groups;
    assert_true(lost > 20);
    cluster_run(cluster, 79.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, lost);
    cluster_run(cluster, 120.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    assert_true(moved(cluster, AFT_TASK_REBUILD) > 0.0);
    assert_all_back(cluster);
    cluster_free(cluster);
}

/* Both were good when the group was lost. With the first one back it takes writes, which the other
 * misses from then on. */
static void a_group_that_lives_again_leaves_the_dead_behind(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(PACED, "cluster.detect=6 s", FAILS(0, 0, "10 s"),
                               FAILS(1, 1, "12 s"), RESTORES(2, 0, "30 s"), RESTORES(3, 1, "60 s"));
    cluster_run(cluster, 29.0);
    const AftPool *pool = cluster_pool(cluster);
    guint lost = 0;
    g_autofree gboolean *was_lost = g_new(gboolean, pool->n_groups);
    for (guint group = 0; group < pool->n_groups; group++) {
        was_lost[group] = pool->groups[group].lost;
        lost += was_lost[group] ? 1 : 0;
    }
    assert_true(lost > 20);
    cluster_run(cluster, 59.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; m < pool->width && was_lost[group]; m++) {
            const AftMember *member = aft_pool_member(pool, group, m);
            assert_int_equal(member->valid, cluster_node_of(cluster, member->device) != 1);
        }
    }
    cluster_run(cluster, 120.0);
    assert_all_back(cluster);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    cluster_free(cluster);
}

/* Data that was there all the time need not move. @more (nullable) is a setting. */
static void check_no_wandering(const char *scheme, const char *more)
{
    Cluster *cluster = CLUSTER(scheme, QUICK, FAILS(0, 2, "10 s"), RESTORES(1, 2, "5 min"), more);
    cluster_run(cluster, 200.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, cluster_members_on(cluster, 2));
    cluster_run(cluster, 600.0);
    assert_within(moved(cluster, AFT_TASK_REBUILD), 0.0, 0.0);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), 0.0, 0.0);
    assert_phases(cluster, "steady failed catchup steady"); /* failed until it is known */
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void groups_that_live_again_do_not_wander(void **state)
{
    (void)state;
    check_no_wandering("data.protection=none", NULL);
    check_no_wandering("data.protection=raid0", "data.protection.data=4");
}

static void without_a_legal_target_it_stays_failed_and_says_so(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("cluster.nodes=4", QUICK, FAILS(0, 2, "10 s"), RESTORES(1, 2, "1 h"));
    cluster_run(cluster, 60.0);
    assert_false(has_flag(cluster, AFT_FLAG_NO_TARGET));
    cluster_run(cluster, 80.0);
    assert_true(has_flag(cluster, AFT_FLAG_NO_TARGET));
    guint64 executed = aft_engine_executed(cluster->engine);
    cluster_run(cluster, 3599.0);
    assert_int_equal(aft_engine_executed(cluster->engine), executed);
    assert_phases(cluster, "steady failed");
    cluster_run(cluster, 3700.0);
    assert_phases(cluster, "steady failed steady");
    assert_all_back(cluster);
    cluster_free(cluster);
}

static void without_room_it_stays_failed_and_says_so(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("cluster.node.disk_groups.capacity.size=62 MiB", "data.placement_groups=512", QUICK,
                FAILS(0, 2, "10 s"), RESTORES(1, 2, "1 h"));
    const AftTopology *topology = &cluster->model->topology;
    double began[10];
    for (guint i = 0; i < topology->n_devices; i++) {
        began[i] = topology->devices[i].used_bytes;
    }
    cluster_run(cluster, 600.0);
    assert_phases(cluster, "steady failed rebuild failed");
    assert_true(has_flag(cluster, AFT_FLAG_NO_SPACE));
    assert_false(has_flag(cluster, AFT_FLAG_NO_TARGET));
    double rebuilt = moved(cluster, AFT_TASK_REBUILD);
    assert_true(rebuilt > 0.0);
    for (guint i = 0; i < topology->n_devices; i++) {
        /* Chance may have filled it beyond at the start, but nothing is added there. */
        double full = MAX(0.95 * 62.0 * 1048576.0, began[i]);
        assert_true(topology->devices[i].used_bytes <= full);
    }
    guint64 executed = aft_engine_executed(cluster->engine);
    cluster_run(cluster, 3599.0);
    assert_int_equal(aft_engine_executed(cluster->engine), executed);
    cluster_run(cluster, 4000.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_false(has_flag(cluster, AFT_FLAG_NO_SPACE));
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

/* Three quarters full, 8 nodes: with two out there is no room, with one there is. As members
 * move back to the first node that returns, those of the other find room where they were. */
static void room_that_appears_is_used(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("data.protection=raid6", "cluster.nodes=8",
                "cluster.node.disk_groups.capacity.count=1",
                "cluster.node.disk_groups.capacity.size=96 MiB", "data.placement_groups=2048",
                QUICK, FAILS(0, 2, "10 s"), FAILS(1, 5, "15 s"), RESTORES(2, 2, "20 min"));
    cluster_run(cluster, 1199.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_FAILED);
    assert_true(has_flag(cluster, AFT_FLAG_NO_SPACE));
    cluster_run(cluster, 1500.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_CATCHUP);
    assert_false(has_flag(cluster, AFT_FLAG_NO_SPACE));
    assert_all_at_home(cluster);
    assert_space_adds_up(cluster);
    cluster_free(cluster);
}

static void a_dead_cluster_waits_and_wakes(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("workload.kind=closed", "workload.vms=10", "workload.outstanding=20",
                "workload.think=50 ms", "workload.restart=10 s", QUICK, FAILS(0, 0, "10 s"),
                FAILS(1, 1, "11 s"), FAILS(2, 2, "12 s"), FAILS(3, 3, "13 s"), FAILS(4, 4, "14 s"),
                RESTORES(5, 3, "20 min"), RESTORES(6, 1, "21 min"), RESTORES(7, 0, "22 min"),
                RESTORES(8, 4, "23 min"), RESTORES(9, 2, "24 min"));
    cluster_run(cluster, 30.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 64);
    gint64 served = aft_model_completed(cluster->model);
    guint64 executed = aft_engine_executed(cluster->engine);
    cluster_run(cluster, 1199.0);
    assert_int_equal(aft_model_completed(cluster->model), served);
    assert_true(aft_engine_executed(cluster->engine) - executed < 200);
    cluster_run(cluster, 2400.0);
    assert_true(aft_model_completed(cluster->model) > served + 10000);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_true(aft_model_is_settled(cluster->model));
    assert_all_at_home(cluster);
    assert_within(used(cluster), cluster->first_used_bytes, 0.0);
    cluster_free(cluster);
}

/* Members that change places when the nodes of @after count instead of those of @before. */
static guint moves_between(const Cluster *cluster, const guint8 *before, const guint8 *after)
{
    const AftPool *pool = cluster_pool(cluster);
    AftPlaces old = cluster_places(pool), new = old;
    old.allowed = before;
    new.allowed = after;
    guint moves = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        guint32 were[AFT_WIDTH_MOST], are[AFT_WIDTH_MOST];
        aft_placement_rank(&old, group, pool->width, were);
        aft_placement_rank(&new, group, pool->width, are);
        for (guint m = 0; m < pool->width; m++) {
            gboolean stays = FALSE;
            for (guint other = 0; other < pool->width; other++) {
                stays |= are[m] == were[other];
            }
            moves += !stays;
        }
    }
    return moves;
}

static void exactly_the_groups_move_whose_best_nodes_changed(void **state)
{
    (void)state;
    const guint8 all[7] = {1, 1, 1, 1, 1, 1, 1}, but_5[7] = {1, 1, 1, 1, 1, 0, 1},
                 but_both[7] = {1, 1, 0, 1, 1, 0, 1};
    Cluster *cluster =
        CLUSTER("data.protection=rf3", "cluster.nodes=7", "data.placement_groups=256", QUICK,
                FAILS(0, 2, "10 s"), FAILS(1, 5, "20 s"), RESTORES(2, 2, "10 min"),
                RESTORES(3, 5, "12 min"));
    double size = cluster_pool(cluster)->member_bytes;
    guint lost = cluster_members_on(cluster, 2) + cluster_members_on(cluster, 5);
    assert_int_equal(lost, moves_between(cluster, all, but_both));
    cluster_run(cluster, 500.0);
    assert_within(moved(cluster, AFT_TASK_REBUILD), lost * size, 0.0);
    assert_all_at_home(cluster);
    cluster_run(cluster, 700.0);
    guint moves = moves_between(cluster, but_both, but_5);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), moves * size, 0.0);
    assert_all_at_home(cluster);
    cluster_run(cluster, 1000.0);
    moves += moves_between(cluster, but_5, all);
    assert_within(moved(cluster, AFT_TASK_REBALANCE), moves * size, 0.0);
    assert_phases(
        cluster, "steady failed rebuild failed rebuild catchup rebalance catchup rebalance steady");
    assert_all_at_home(cluster);
    assert_within(used(cluster), cluster->first_used_bytes, 0.0);
    cluster_free(cluster);
}

/* The node that should take the lost members dies before they set out, and comes back. */
static void a_target_that_was_away_gets_its_work_all_the_same(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("data.protection=raid6", "cluster.nodes=7", "cluster.detect=1 s",
                               "background.rebuild.delay=1 min", FAILS(0, 2, "10 s"),
                               FAILS(1, 5, "65 s"), RESTORES(2, 5, "100 s"));
    cluster_run(cluster, 300.0);
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_CATCHUP);
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

/* The node that data moves back to dies on the way, and comes back before its repair delay. */
static void a_rebalance_goes_on_where_it_was_broken_off(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "background.rebalance.bandwidth=1 MB/s", FAILS(0, 2, "10 s"),
                RESTORES(1, 2, "2 min"), FAILS(2, 2, "140 s"), RESTORES(3, 2, "160 s"));
    cluster_run(cluster, 600.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_all_back(cluster);
    cluster_free(cluster);
}

/* A second node dies while the first is rebuilt: what is at home stays there, no group doubles up
 * on a node. */
static void a_second_failure_during_the_rebuild_is_repaired_too(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(PACED, "data.protection=raid6", "cluster.nodes=8", QUICK,
                "background.rebuild.bandwidth=2 MB/s", FAILS(0, 2, "10 s"), FAILS(1, 6, "80 s"),
                RESTORES(2, 2, "10 min"), RESTORES(3, 6, "11 min"));
    cluster_run(cluster, 81.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_REBUILD);
    cluster_run(cluster, 590.0);
    assert_int_equal(cluster_members_on(cluster, 2) + cluster_members_on(cluster, 6), 0);
    assert_all_at_home(cluster);
    cluster_run(cluster, 1200.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_all_at_home(cluster);
    assert_int_equal(aft_model_shed(cluster->model), 0);
    cluster_free(cluster);
}

/* A node back in the middle of its rebuild takes its own members back, with what they missed. */
static void a_node_back_during_its_rebuild_keeps_what_it_has(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.rebuild.bandwidth=1 MB/s", FAILS(0, 2, "10 s"),
                               RESTORES(1, 2, "100 s"));
    double lost = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    cluster_run(cluster, 99.999);
    double rebuilt = moved(cluster, AFT_TASK_REBUILD);
    guint there = cluster_members_on(cluster, 2);
    assert_within(rebuilt, 30e6, 2e6);
    cluster_run(cluster, 400.0);
    assert_all_back(cluster);
    /* Only what had been made again elsewhere moves back; units in flight end, wasted. */
    assert_within(moved(cluster, AFT_TASK_REBALANCE),
                  lost - there * cluster_pool(cluster)->member_bytes, 0.0);
    assert_within(moved(cluster, AFT_TASK_REBUILD), rebuilt, 2097152.0);
    cluster_free(cluster);
}

/* Two nodes die together and come back together in the middle: every member that had not been
 * made again stays on the very device it was on. */
static void two_nodes_back_during_their_rebuild_keep_what_they_have(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("data.protection=rf3", "cluster.nodes=6", QUICK,
                "background.rebuild.bandwidth=4 MB/s", FAILS(0, 2, "10 s"), FAILS(1, 5, "11 s"),
                RESTORES(2, 2, "90 s"), RESTORES(3, 5, "90.5 s"));
    const AftPool *pool = cluster_pool(cluster);
    cluster_run(cluster, 89.999);
    g_autofree gboolean *there = g_new(gboolean, pool->n_groups * pool->width);
    guint made_again = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        there[i] = pool->members[i].device == cluster->first_device[i];
        made_again += there[i] ? 0 : 1;
    }
    assert_true(made_again > 8);
    cluster_run(cluster, 400.0);
    assert_all_at_home(cluster);
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        assert_true(!there[i] || pool->members[i].device == cluster->first_device[i]);
    }
    cluster_free(cluster);
}

static void a_bandwidth_cap_is_kept_and_used(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.rebuild.bandwidth=1 MB/s", FAILS(0, 2, "10 s"));
    const AftCurator *curator = cluster->model->curator;
    double lost = cluster_members_on(cluster, 2) * cluster_pool(cluster)->member_bytes;
    for (double at_s = 71.0; at_s < 130.0; at_s += 1.0) {
        cluster_run(cluster, at_s);
        double total = moved(cluster, AFT_TASK_REBUILD), most = 0.0, least = INFINITY;
        assert_within(total, 1e6 * (at_s - 70.0), 1048576.0);
        for (guint node = 0; node < 5; node++) {
            double here = aft_curator_moved_bytes(curator, AFT_TASK_REBUILD, node);
            most = MAX(most, here);
            least = node == 2 ? least : MIN(least, here);
        }
        assert_true(most - least <= 1048576.0 || at_s > 110.0); /* nodes take turns */
    }
    cluster_run(cluster, 70.0 + lost / 1e6 + 1.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_CATCHUP);
    cluster_free(cluster);
}

static void units_in_flight_are_bounded_at_the_node_that_is_written(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "background.rebuild.in_flight_per_node=3", "background.rebuild.unit=64 KiB",
                "devices.disk.read=5 ms", FAILS(0, 2, "10 s"));
    guint most = 0;
    for (double at_s = 70.0; aft_model_moment(cluster->model).units_in_flight > 0 || at_s < 71.0;
         at_s += 0.001) {
        cluster_run(cluster, at_s);
        guint at[5] = {0}, sum = 0;
        const AftPool *pool = cluster_pool(cluster);
        for (guint i = 0; i < pool->n_groups * pool->width; i++) {
            const AftTransfer *transfer = pool->members[i].transfer;
            if (transfer != NULL) {
                at[cluster_node_of(cluster, transfer->target)] += transfer->in_flight;
            }
        }
        for (guint node = 0; node < 5; node++) {
            assert_true(at[node] <= 3);
            most = MAX(most, at[node]);
            sum += at[node];
        }
        assert_int_equal(sum, aft_model_moment(cluster->model).units_in_flight);
    }
    assert_int_equal(most, 3);
    cluster_free(cluster);
}

/* A tenth of a second of five I/Os a second is half an I/O: nothing owed at all is below it. */
static void a_slow_workload_leaves_catchup(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("workload.kind=paced", "workload.vms=5", "workload.rate=5 /s",
                "workload.outstanding=5", "workload.restart=30 s", "workload.return=10 s", QUICK,
                FAILS(0, 2, "10 s"), RESTORES(1, 2, "20 s"));
    cluster_run(cluster, 120.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

static void a_delayed_rebalance_is_still_to_come(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.rebalance.delay=10 min", FAILS(0, 2, "10 s"),
                               RESTORES(1, 2, "5 min"));
    cluster_run(cluster, 899.0);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_false(aft_model_is_settled(cluster->model));
    cluster_run(cluster, 1000.0);
    assert_phases(cluster, "steady failed rebuild catchup steady rebalance steady");
    assert_within(cluster_turn_s(cluster, 5), 900.0, 0.0);
    assert_true(aft_model_is_settled(cluster->model));
    assert_all_back(cluster);
    cluster_free(cluster);
}

/* A model may be thrown away at any moment: I/Os in flight, units too, and at 71 s units of
 * transfers that the node's return has just called off. */
static void a_model_can_end_in_the_middle(void **state)
{
    (void)state;
    for (double at_s = 70.0; at_s < 72.0; at_s += 0.25) {
        Cluster *cluster = CLUSTER(PACED, "workload.rate=50 /s", QUICK, "devices.disk.read=50 ms",
                                   FAILS(0, 2, "10 s"), RESTORES(1, 2, "71 s"));
        const AftPool *pool = cluster_pool(cluster);
        cluster_run(cluster, at_s);
        guint wanted = 0;
        for (guint i = 0; i < pool->n_groups * pool->width; i++) {
            const AftTransfer *transfer = pool->members[i].transfer;
            wanted += transfer == NULL ? 0 : transfer->in_flight;
        }
        assert_true(at_s != 71.0 || aft_model_moment(cluster->model).units_in_flight > wanted);
        cluster_free(cluster);
    }
}

/* A member has 2 MiB; a quarter of one is kept, and then the node is back. What is to be made again
 * when it fails once more is all of it. */
static void what_a_skip_kept_is_gone_with_what_it_was_for(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.rebuild.delay=30 s", "background.rebuild.bandwidth=64 KiB/s",
                "timeline[0].at=10 s", "timeline[0].fail=node 2", "timeline[1].at=50 s",
                "timeline[1].restore=node 2", "timeline[2].at=500 s", "timeline[2].fail=node 2");
    const AftCurator *curator = cluster->model->curator;
    const AftLane *lane = &curator->lanes[AFT_TASK_REBUILD][0];
    cluster_run(cluster, 45.0);
    double waiting = lane->waiting_bytes;
    aft_curator_advance(cluster->model->curator, AFT_TASK_REBUILD, 0, 524288.0);
    assert_within(lane->waiting_bytes, waiting, 0.0);
    assert_within(aft_curator_waiting_bytes(curator, AFT_TASK_REBUILD, 0), waiting - 524288.0, 0.0);
    cluster_run(cluster, 545.0);
    assert_true(lane->waiting_bytes > 0.0);
    assert_within(aft_curator_waiting_bytes(curator, AFT_TASK_REBUILD, 0), lane->waiting_bytes,
                  0.0);
    cluster_free(cluster);
}

/* The node that a skip kept something for dies: the others have all that waits with them. */
static void what_a_skip_kept_for_one_node_is_not_taken_from_others(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("data.protection=rf3", "background.rebuild.delay=30 s",
                "background.rebuild.bandwidth=64 KiB/s", "timeline[0].at=10 s",
                "timeline[0].fail=node 2", "timeline[1].at=50 s", "timeline[1].fail=node 0");
    AftCurator *curator = cluster->model->curator;
    const AftLane *lanes = curator->lanes[AFT_TASK_REBUILD];
    cluster_run(cluster, 45.0);
    aft_curator_advance(curator, AFT_TASK_REBUILD, 0, 524288.0);
    cluster_run(cluster, 100.0);
    double waiting = 0.0;
    for (guint node = 0; node < 5; node++) {
        waiting += aft_curator_waiting_bytes(curator, AFT_TASK_REBUILD, node);
    }
    assert_true(lanes[0].kept_bytes > lanes[0].waiting_bytes && waiting > 0.0);
    assert_within(aft_curator_waiting_bytes(curator, AFT_TASK_REBUILD, AFT_NOWHERE), waiting, 0.0);
    cluster_free(cluster);
}

/* Units that failed and are to be done again do not let a skip write more than it has. */
static void a_skip_writes_no_more_than_it_has(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, "background.rebuild.unit=4 KiB",
                               "background.rebuild.bandwidth=64 KiB/s", FAILS(0, 2, "10 s"));
    AftCurator *curator = cluster->model->curator;
    AftLane *lane = &curator->lanes[AFT_TASK_REBUILD][0];
    cluster_run(cluster, 75.0);
    for (guint i = 0; i < 3; i++) {
        lane->issued_before = lane->issued_bytes + 4194304.0;
        double moved_before = lane->moved_bytes;
        aft_curator_advance(curator, AFT_TASK_REBUILD, 0, 4096.0);
        assert_true(lane->moved_bytes - moved_before <= 4096.0);
        assert_true(lane->kept_bytes >= 0.0);
    }
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_skip_kept_is_gone_with_what_it_was_for),
        cmocka_unit_test(what_a_skip_kept_for_one_node_is_not_taken_from_others),
        cmocka_unit_test(a_skip_writes_no_more_than_it_has),
        cmocka_unit_test(a_failure_goes_through_its_phases_in_order),
        cmocka_unit_test(a_lost_node_is_made_again_on_all_survivors),
        cmocka_unit_test(a_lost_disk_is_made_again_in_its_node_where_there_is_no_other),
        cmocka_unit_test(space_adds_up_all_the_way),
        cmocka_unit_test(a_node_back_before_its_rebuild_needs_only_what_it_missed),
        cmocka_unit_test(members_that_wait_their_turn_miss_more),
        cmocka_unit_test(a_node_that_missed_nothing_needs_nothing),
        cmocka_unit_test(a_blip_before_detection_only_stalls),
        cmocka_unit_test(io_waits_for_detection_and_no_longer),
        cmocka_unit_test(machines_of_a_dead_host_owe_and_come_home),
        cmocka_unit_test(machines_count_from_the_last_return),
        cmocka_unit_test(owed_work_has_a_limit),
        cmocka_unit_test(what_is_shed_with_lost_data_is_counted_apart),
        cmocka_unit_test(groups_with_the_fewest_survivors_go_first),
        cmocka_unit_test(two_failures_lose_three_groups_in_five),
        cmocka_unit_test(a_lost_group_lives_again_with_the_members_that_are_good),
        cmocka_unit_test(a_group_that_lives_again_leaves_the_dead_behind),
        cmocka_unit_test(groups_that_live_again_do_not_wander),
        cmocka_unit_test(without_a_legal_target_it_stays_failed_and_says_so),
        cmocka_unit_test(without_room_it_stays_failed_and_says_so),
        cmocka_unit_test(room_that_appears_is_used),
        cmocka_unit_test(a_dead_cluster_waits_and_wakes),
        cmocka_unit_test(exactly_the_groups_move_whose_best_nodes_changed),
        cmocka_unit_test(a_target_that_was_away_gets_its_work_all_the_same),
        cmocka_unit_test(a_rebalance_goes_on_where_it_was_broken_off),
        cmocka_unit_test(a_second_failure_during_the_rebuild_is_repaired_too),
        cmocka_unit_test(a_node_back_during_its_rebuild_keeps_what_it_has),
        cmocka_unit_test(two_nodes_back_during_their_rebuild_keep_what_they_have),
        cmocka_unit_test(a_bandwidth_cap_is_kept_and_used),
        cmocka_unit_test(units_in_flight_are_bounded_at_the_node_that_is_written),
        cmocka_unit_test(a_slow_workload_leaves_catchup),
        cmocka_unit_test(a_delayed_rebalance_is_still_to_come),
        cmocka_unit_test(a_model_can_end_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
