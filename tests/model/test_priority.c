/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who goes first: classes of work at the same devices, and groups of the same task. */
#include "cluster.h"

/* Four nodes of one disk, a millisecond a visit. The pool `machines` has copies on all of them; of
 * the archive, which becomes 2 + 1, only groups that node 3 has no part in can be encoded while it
 * is away. Both tasks begin at 40 s, with so much in flight that some of either waits at every disk
 * all the time. */
static const char *const contest[] = {
    "devices.disk.read=1 ms",
    "devices.disk.write=1 ms",
    "devices.disk.size=100 GB",
    "cluster.nodes=4",
    "cluster.node.disk_groups.capacity.count=1",
    "data[0].name=machines",
    "data[0].logical=4 GiB",
    "data[0].placement_groups=4096",
    "data[0].protection=rf2",
    "data[1].name=archive",
    "data[1].logical=32 GiB",
    "data[1].placement_groups=32768",
    "data[1].protection=rf2",
    "background.rebuild.delay=30 s",
    "background.rebuild.in_flight_per_node=128",
    "background.rebuild.groups_per_node=128",
    "background.encode.delay=10 s",
    "background.encode.in_flight_per_node=128",
    "timeline[0].at=10 s",
    "timeline[0].fail=node 3",
    "timeline[1].at=30 s",
    "timeline[1].pool=archive",
    "timeline[1].set.data.protection.scheme=ec",
    "timeline[1].set.data.protection.data=2",
    "timeline[1].set.data.protection.parity=1",
};

static Cluster *contest_with(const char *const *more)
{
    const char *settings[G_N_ELEMENTS(contest) + 8] = {NULL};
    guint n = G_N_ELEMENTS(contest);
    memcpy(settings, contest, sizeof(contest));
    for (guint i = 0; more[i] != NULL; i++) {
        settings[n++] = more[i];
    }
    return cluster_new(settings);
}

#define CONTEST(...) contest_with((const char *const[]){__VA_ARGS__, NULL})

static double units(const Cluster *cluster, AftTaskKind task)
{
    return aft_curator_units_done(cluster->model->curator, task);
}

/* Units of both from 41 to 43 s, when there is plenty of both. */
static void run_contest(Cluster *cluster, double *ret_rebuilt, double *ret_encoded)
{
    cluster_run(cluster, 41.0);
    *ret_rebuilt = -units(cluster, AFT_TASK_REBUILD);
    *ret_encoded = -units(cluster, AFT_TASK_ENCODE);
    cluster_run(cluster, 43.0);
    *ret_rebuilt += units(cluster, AFT_TASK_REBUILD);
    *ret_encoded += units(cluster, AFT_TASK_ENCODE);
    assert_true(aft_curator_transfers(cluster->model->curator, AFT_TASK_REBUILD) > 400);
    assert_true(aft_curator_transfers(cluster->model->curator, AFT_TASK_ENCODE) > 400);
}

/* All of three disks' 2 s are 6000 visits, two a unit of a rebuild. */
static void a_strict_scheduler_lets_an_encoding_wait_for_the_rebuild(void **state)
{
    (void)state;
    Cluster *cluster = CONTEST("background.scheduler=strict");
    double rebuilt, encoded;
    run_contest(cluster, &rebuilt, &encoded);
    assert_within(encoded, 0.0, 0.0);
    assert_within(rebuilt, 3000.0, 3.0 * 128.0); /* visits of units that are not complete */
    cluster_run(cluster, 200.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_true(units(cluster, AFT_TASK_ENCODE) > 4000.0);
    cluster_free(cluster);
}

/* A unit of a rebuild is two visits, of an encoding three: two chunks are read, parity is written.
 * So 20 to 5 in time are 10 to 5/3 in units. */
static void weights_share_the_disks(void **state)
{
    (void)state;
    Cluster *cluster = CONTEST("background.scheduler=weighted");
    double rebuilt, encoded;
    run_contest(cluster, &rebuilt, &encoded);
    assert_within(encoded / rebuilt, 1.0 / 6.0, 0.1 / 6.0);
    assert_within(2.0 * rebuilt + 3.0 * encoded, 6000.0, 300.0);
    cluster_free(cluster);
}

static void priorities_are_what_is_written(void **state)
{
    (void)state;
    Cluster *cluster = CONTEST("background.scheduler=weighted", "background.rebuild.priority=3",
                               "background.encode.priority=1");
    double rebuilt, encoded;
    run_contest(cluster, &rebuilt, &encoded);
    assert_within(encoded / rebuilt, 8.0 / 3.0, 0.1 * 8.0 / 3.0);
    cluster_free(cluster);
}

static void equal_weights_share_evenly(void **state)
{
    (void)state;
    Cluster *cluster =
        CONTEST("background.scheduler=weighted", "background.scheduler.weights.p3=20");
    double rebuilt, encoded;
    run_contest(cluster, &rebuilt, &encoded);
    assert_within(encoded / rebuilt, 2.0 / 3.0, 0.1 * 2.0 / 3.0);
    cluster_free(cluster);
}

/* Three copies, two of eight nodes lost at once: a lane at a time, groups that lost two come
 * first. */
#define TWO_LOST                                                                                 \
    "cluster.nodes=8", "data.protection=rf3", "data.placement_groups=512", "data.logical=1 GiB", \
        "background.rebuild.delay=30 s", "timeline[0].at=10 s", "timeline[0].fail=node 2"

static guint missing_of(const AftPool *pool, guint group)
{
    return 3 - (guint)__builtin_popcount(pool->groups[group].current);
}

/* Groups by how many members they miss. */
static void count_missing(const Cluster *cluster, guint ret_groups[4])
{
    const AftPool *pool = cluster_pool(cluster);
    memset(ret_groups, 0, 4 * sizeof(*ret_groups));
    for (guint group = 0; group < pool->n_groups; group++) {
        ret_groups[missing_of(pool, group)]++;
    }
}

static void those_with_the_fewest_survivors_come_first(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(TWO_LOST, "timeline[1].at=10 s", "timeline[1].fail=node 5",
                               "background.rebuild.bandwidth=6 MiB/s");
    guint before[4], after[4];
    cluster_run(cluster, 39.0);
    count_missing(cluster, before);
    assert_true(before[2] > 10 && before[1] > 100);
    /* Each has two members of 2 MiB to write; half of them are at risk as long as they have none.
     */
    double until_s = 40.0 + before[2] * 2.0 * 2.0 / 6.0;
    cluster_run(cluster, until_s + 4.0);
    count_missing(cluster, after);
    assert_int_equal(after[2], 0);
    assert_true(after[1] > before[1] - 20);
    cluster_free(cluster);
}

/* Half-way through the rebuild of one node another dies, and is known to be dead from then on; what
 * has lost two goes on before what has lost one. */
static void a_group_that_loses_a_second_member_overtakes(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(TWO_LOST, "timeline[1].at=60 s", "timeline[1].fail=node 5",
                               "cluster.detect=1 s", "background.rebuild.bandwidth=6 MiB/s");
    guint before[4], later[4];
    cluster_run(cluster, 61.1);
    count_missing(cluster, before);
    assert_true(before[2] > 5 && before[1] > 100);
    guint at_risk = before[2];
    /* What node 5 held is made again from 90 s on; until then only what node 2 held is, 2 MiB for
     * each group, those at risk first; what was begun ends. */
    cluster_run(cluster, 61.1 + at_risk * 2.0 / 6.0 + 8.0);
    count_missing(cluster, later);
    assert_int_equal(later[2], 0);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strict_scheduler_lets_an_encoding_wait_for_the_rebuild),
        cmocka_unit_test(weights_share_the_disks),
        cmocka_unit_test(priorities_are_what_is_written),
        cmocka_unit_test(equal_weights_share_evenly),
        cmocka_unit_test(those_with_the_fewest_survivors_come_first),
        cmocka_unit_test(a_group_that_loses_a_second_member_overtakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
