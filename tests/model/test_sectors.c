/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latent errors: who finds them, what repairs them, and when their data is lost. */
#include "cluster.h"
#include "curator_parts.h"

#include <aftershock/model/pace.h>

#define QUICK               "cluster.detect=6 s", "background.rebuild.delay=30 s"
#define FAILS               "timeline[0].at=10 s", "timeline[0].fail=node 2"
#define SECTORS_OF_A_MEMBER 512

static guint latent(const Cluster *cluster)
{
    return aft_sectors_latent(cluster_pool(cluster)->sectors);
}

static AftSectorLoss lost(const Cluster *cluster)
{
    return aft_sectors_lost(cluster_pool(cluster)->sectors);
}

static double busy_s(const Cluster *cluster)
{
    return aft_model_use(cluster->model, AFT_USE_CAPACITY).busy_ns / 1e9;
}

/* The device of member @m of @group. */
static guint32 device_of(const Cluster *cluster, guint group, guint m)
{
    return aft_pool_member(cluster_pool(cluster), group, m)->device;
}

static void spoil(Cluster *cluster, guint group, guint m, guint64 sector)
{
    aft_sectors_spoil(cluster_pool(cluster)->sectors, group, device_of(cluster, group, m), sector);
}

static guint count(const Cluster *cluster, const char *event)
{
    guint n = 0;
    for (const char *at = cluster->events->str; (at = strstr(at, event)) != NULL; at++) {
        n++;
    }
    return n;
}

/* A group that has no member on @node, or one that has. */
static guint group_with(const Cluster *cluster, guint node, gboolean member)
{
    const AftPool *pool = cluster_pool(cluster);
    for (guint group = 0; group < pool->n_groups; group++) {
        gboolean found = FALSE;
        for (guint m = 0; m < 4; m++) {
            found |= cluster_node_of(cluster, device_of(cluster, group, m)) == node;
        }
        if (found == member) {
            return group;
        }
    }
    fail();
    return 0;
}

/* The first member of @group that is not on @node. */
static guint member_off(const Cluster *cluster, guint group, guint node)
{
    return cluster_node_of(cluster, device_of(cluster, group, 0)) == node ? 1 : 0;
}

static void corruption_is_spread_over_what_is_on_the_device(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("run.seed=7");
    const AftPool *pool = cluster_pool(cluster);
    aft_curator_corrupt(cluster->model->curator, 4, 4000);
    guint members = 0, halves[2] = {0};
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; m < 4; m++) {
            if (device_of(cluster, group, m) == 4) {
                members++;
                assert_true(pool->groups[group].spoiled);
                for (guint sector = 0; sector < SECTORS_OF_A_MEMBER; sector++) {
                    halves[2 * sector / SECTORS_OF_A_MEMBER] +=
                        (guint)aft_sectors_has(pool->sectors, group, 4, 4096 * (guint64)sector,
                                               4096);
                }
            }
        }
    }
    /* Of S sectors, n throws at random hit S (1 - exp(-n / S)): 4 standard errors of at most
     * sqrt(n). */
    double all = members * SECTORS_OF_A_MEMBER, hit = all * -expm1(-4000.0 / all);
    assert_within(latent(cluster), hit, 4.0 * sqrt(4000.0));
    assert_int_equal(halves[0] + halves[1], latent(cluster));
    assert_within(halves[0], halves[1], 4.0 * sqrt(4000.0));
    cluster_free(cluster);
}

static void a_device_with_nothing_on_it_has_no_errors(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("data.placement_groups=1", "data.logical=6 MiB");
    const AftPool *pool = cluster_pool(cluster);
    for (guint32 device = 0; device < 10; device++) {
        gboolean empty = TRUE;
        for (guint m = 0; m < 4; m++) {
            empty &= aft_pool_member(pool, 0, m)->device != device;
        }
        if (empty) {
            aft_curator_corrupt(cluster->model->curator, device, 10);
        }
    }
    assert_int_equal(latent(cluster), 0);
    cluster_free(cluster);
}

/* Two units a member; beside them, a repair reads the three others and writes one: 3 x 100 us and
 * 200 us. */
static void a_scrub_finds_them_and_the_others_repair_them(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("background.scrub.every=1000 s");
    spoil(cluster, 5, 0, 0);
    spoil(cluster, 5, 1, 511);
    spoil(cluster, 5, 1, 510);
    spoil(cluster, 9, 3, 256);
    cluster_run(cluster, 500.0);
    assert_int_equal(latent(cluster), 0);
    assert_int_equal(count(cluster, "sector-error"), 3); /* two of them met by one unit */
    assert_int_equal(count(cluster, "sector-loss"), 0);
    assert_within(busy_s(cluster), 256 * 2 * 100e-6 + 4 * (3 * 100e-6 + 200e-6), 1e-9);
    assert_false(cluster_pool(cluster)->groups[5].spoiled);
    assert_within(aft_model_moment(cluster->model).lost_bytes, 0.0, 0.0);
    cluster_free(cluster);
}

static void nobody_finds_what_nobody_reads(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS);
    guint group = group_with(cluster, 2, FALSE); /* a rebuild has no business there */
    spoil(cluster, group, 0, 17);
    cluster_run(cluster, 500.0);
    assert_int_equal(latent(cluster), 1);
    assert_int_equal(count(cluster, "sector-error"), 0);
    cluster_free(cluster);
}

/* RAID-5 with a member away: at that sector two of four are missing, both of them data, or one data
 * and one parity. */
static void a_rebuild_that_meets_one_loses_the_sector_and_goes_on(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS);
    guint group = group_with(cluster, 2, TRUE), m = member_off(cluster, group, 2), away = 0;
    while (cluster_node_of(cluster, device_of(cluster, group, away)) != 2) {
        away++;
    }
    spoil(cluster, group, m, 300);
    cluster_run(cluster, 500.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    assert_int_equal(latent(cluster), 0);
    assert_int_equal(count(cluster, "sector-error"), 1);
    assert_int_equal(count(cluster, "sector-loss"), 1);
    assert_int_equal(lost(cluster).groups, 1);
    assert_within(lost(cluster).bytes, 4096.0 * ((m < 3 ? 1 : 0) + (away < 3 ? 1 : 0)), 0.0);
    assert_within(aft_model_moment(cluster->model).lost_bytes, lost(cluster).bytes, 0.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    assert_int_equal(aft_model_moment(cluster->model).harmed_groups, 1);
    assert_true((aft_model_flags(cluster->model) & AFT_FLAG_LOSS) != 0);
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

/* What is lost as a whole has nothing more to lose, until it is back without its sectors. */
static void a_group_lost_as_a_whole_is_counted_once(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "timeline[1].at=5 min", "timeline[1].fail=node 3",
                               "timeline[2].at=5 min", "timeline[2].fail=node 4",
                               "timeline[3].at=10 min", "timeline[3].restore=node 3",
                               "timeline[4].at=10 min", "timeline[4].restore=node 4");
    const AftPool *pool = cluster_pool(cluster);
    guint group = group_with(cluster, 2, TRUE);
    spoil(cluster, group, member_off(cluster, group, 2), 100);
    cluster_run(cluster, 299.0); /* the rebuild has met it */
    AftMoment before = aft_model_moment(cluster->model);
    assert_int_equal(before.harmed_groups, 1);
    cluster_run(cluster, 330.0);
    AftMoment moment = aft_model_moment(cluster->model);
    assert_int_equal(moment.lost_groups, pool->n_groups); /* two nodes of four are left */
    assert_int_equal(moment.harmed_groups, 0);
    assert_within(moment.lost_bytes, (double)pool->spec->logical_bytes, 0.0);
    cluster_run(cluster, 900.0);
    AftMoment after = aft_model_moment(cluster->model);
    assert_int_equal(after.lost_groups, 0);
    assert_int_equal(after.harmed_groups, 1);
    assert_within(after.lost_bytes, before.lost_bytes, 0.0);
    cluster_free(cluster);
}

static void a_scrub_in_time_saves_it(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "background.scrub.every=1000 s");
    for (guint32 device = 0; device < 10; device++) {
        aft_curator_corrupt(cluster->model->curator, device, 5); /* no two in one stripe */
    }
    assert_in_range(latent(cluster), 48, 50);
    cluster_run(cluster, 500.0);
    assert_int_equal(latent(cluster), 0);
    assert_within(lost(cluster).bytes, 0.0, 0.0);
    cluster_free(cluster);
}

/* With two parities there is enough left: the rebuild reads another member for that unit, which is
 * no more than usual, and the repair reads four and writes one. */
static void more_parity_saves_it_too(void **state)
{
    (void)state;
    const char *const raid6[] = {QUICK,
                                 FAILS,
                                 "data.protection.scheme=ec",
                                 "data.protection.data=2",
                                 "data.protection.parity=2",
                                 NULL};
    Cluster *plain = cluster_new(raid6), *spoilt = cluster_new(raid6);
    guint group = group_with(spoilt, 2, TRUE);
    for (guint m = 0; m < 4; m++) { /* whichever members it reads */
        if (cluster_node_of(spoilt, device_of(spoilt, group, m)) != 2) {
            spoil(spoilt, group, m, 100 + m);
        }
    }
    cluster_run(plain, 500.0);
    cluster_run(spoilt, 500.0);
    guint met = 3 - latent(spoilt);
    assert_in_range(met, 2, 3);
    assert_within(lost(spoilt).bytes, 0.0, 0.0);
    assert_within(busy_s(spoilt) - busy_s(plain), met * (2 * 100e-6 + 200e-6), 1e-9);
    cluster_free(plain);
    cluster_free(spoilt);
}

static void the_same_sector_of_too_many_members_is_lost(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("background.scrub.every=1000 s");
    spoil(cluster, 5, 0, 7);
    spoil(cluster, 5, 1, 7);
    spoil(cluster, 6, 0, 7); /* alone */
    cluster_run(cluster, 100.0);
    assert_int_equal(lost(cluster).groups, 1);
    assert_within(lost(cluster).bytes, 2.0 * 4096.0, 0.0);
    assert_int_equal(latent(cluster), 0); /* the other one can be made again from zeros */
    cluster_free(cluster);
}

static void copies_lose_one_sector(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "data.protection=rf2");
    const AftPool *pool = cluster_pool(cluster);
    guint group = 0, m = 2;
    for (group = 0; m == 2; group++) {
        for (guint i = 0; i < 2; i++) {
            m = cluster_node_of(cluster, device_of(cluster, group, i)) == 2 ? 1 - i : m;
        }
    }
    aft_sectors_spoil(pool->sectors, group - 1, device_of(cluster, group - 1, m), 3);
    cluster_run(cluster, 500.0);
    assert_within(lost(cluster).bytes, 4096.0, 0.0);
    cluster_free(cluster);
}

#define READERS(share)                                                                           \
    "workload.kind=paced", "workload.vms=10", "workload.rate=500 /s", "workload.outstanding=50", \
        "workload.read_share=" share

/* One group of three sectors' choice each: 5000 reads of 1536 places that a read can begin at. */
static void clients_that_read_them_are_served_by_the_others(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(READERS("100 %"), "data.placement_groups=1", "data.logical=6 MiB");
    for (guint m = 0; m < 3; m++) {
        spoil(cluster, 0, m, 9);
        spoil(cluster, 0, m, 200 + m);
    }
    spoil(cluster, 0, 3, 400); /* parity: nobody reads it */
    cluster_run(cluster, 100.0);
    assert_int_equal(latent(cluster), 1);
    assert_int_equal(count(cluster, "sector-error"), 6);
    /* Sector 9 of three of four members: the first two that are met are beyond repair. */
    assert_int_equal(count(cluster, "sector-loss"), 2);
    assert_int_equal(aft_model_shed(cluster->model), 0);
    cluster_free(cluster);
}

/* Every place is read 30 times or so: 3 unspoilt members are read where one is, once. */
static void a_degraded_read_costs_what_it_does(void **state)
{
    (void)state;
    const char *const one[] = {READERS("100 %"), "data.placement_groups=1", "data.logical=6 MiB",
                               NULL};
    Cluster *plain = cluster_new(one), *spoilt = cluster_new(one);
    spoil(spoilt, 0, 1, 77);
    cluster_run(plain, 100.0);
    cluster_run(spoilt, 100.0);
    assert_int_equal(latent(spoilt), 0);
    /* Two reads more for the client, and the repair: what is in flight at the end may differ. */
    assert_within(busy_s(spoilt) - busy_s(plain), 2 * 100e-6 + 3 * 100e-6 + 200e-6, 1e-9);
    cluster_free(plain);
    cluster_free(spoilt);
}

static void what_clients_write_can_be_read_again(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(READERS("0 %"), "data.placement_groups=1", "data.logical=6 MiB");
    for (guint sector = 0; sector < 20; sector++) {
        spoil(cluster, 0, sector % 4, sector);
    }
    cluster_run(cluster, 100.0);
    assert_int_equal(latent(cluster), 0);
    assert_int_equal(count(cluster, "sector-error"), 0);
    assert_within(lost(cluster).bytes, 0.0, 0.0);
    cluster_free(cluster);
}

/* Over a skip: of n errors, 1 - exp(-touched) are met. */
static void clients_meet_as_many_in_a_skip(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(READERS("50 %"));
    AftPool *pool = cluster_pool(cluster);
    for (guint32 device = 0; device < 10; device++) {
        aft_curator_corrupt(cluster->model->curator, device, 1000);
    }
    double before = latent(cluster);
    aft_sectors_skip(pool->sectors, 0.2 * pool->member_bytes, 0.1 * pool->member_bytes);
    double left = before * exp(-0.3);
    assert_within(latent(cluster), left, 4.0 * sqrt(left * (1.0 - exp(-0.3))));
    double found = count(cluster, "sector-error"), met = before - left;
    assert_within(found, met / 3.0, 4.0 * sqrt(met / 3.0 * 2.0 / 3.0));
    assert_within(lost(cluster).bytes / 4096.0, 0.0, 2.0 * found); /* some coincide */
    cluster_free(cluster);
}

/* Errors in groups that have a member on @node, or that have none. */
static guint latent_in_groups(const Cluster *cluster, guint node, gboolean member)
{
    const AftPool *pool = cluster_pool(cluster);
    guint n = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        gboolean has = FALSE;
        for (guint m = 0; m < 4; m++) {
            has |= cluster_node_of(cluster, device_of(cluster, group, m)) == node;
        }
        for (guint m = 0; m < 4 && has == member; m++) {
            for (guint64 sector = 0; sector < SECTORS_OF_A_MEMBER; sector++) {
                n += (guint)aft_sectors_has(pool->sectors, group, device_of(cluster, group, m),
                                            4096 * sector, 4096);
            }
        }
    }
    return n;
}

/* What moves takes no error along: it is read, and repaired, or read from the others instead. */
static void a_move_reads_what_it_moves(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS, "timeline[1].at=300 s", "timeline[1].restore=node 2");
    cluster_run(cluster, 299.0);
    for (guint32 device = 0; device < 10; device++) {
        aft_curator_corrupt(cluster->model->curator, device, 20);
    }
    guint before = latent(cluster);
    cluster_run(cluster, 600.0);
    assert_all_back(cluster);
    double members = cluster_members_on(cluster, 2);
    guint others = latent_in_groups(cluster, 2, FALSE), left = latent_in_groups(cluster, 2, TRUE);
    assert_int_equal(others + left, latent(cluster)); /* none is where nothing is */
    /* Uniform over 256 members, those that moved are clean: 4 standard errors. What else was met
     * are others of the same groups, where the one that moved had an error. */
    double in_others = before * (64.0 - members) / 64.0, in_rest = before * members / 64.0 * 0.75;
    assert_within(others, in_others, 4.0 * sqrt(in_others));
    assert_true(left < in_rest + 4.0 * sqrt(in_rest));
    assert_true(count(cluster, "sector-error") >= before / 256.0 * members * 0.5);
    assert_within(aft_curator_moved_bytes(cluster->model->curator, AFT_TASK_REBALANCE, 2),
                  members * cluster_pool(cluster)->member_bytes, 0.0);
    cluster_free(cluster);
}

/* Units stay where they are, and their errors with them; copies that go take theirs along. A
 * conversion that reads one repairs it. */
static void a_conversion_keeps_those_it_does_not_read(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER("data.logical=128 MiB", "data.protection=rf3",
                               "background.scrub.every=1000 s", "background.scrub.delay=100 s",
                               "timeline[0].at=10 s", "timeline[0].set.data.protection.scheme=ec",
                               "timeline[0].set.data.protection.data=2",
                               "timeline[0].set.data.protection.parity=1");
    for (guint group = 0; group < 64; group++) {
        for (guint m = 0; m < 3; m++) {
            spoil(cluster, group, m, 3 * group + m); /* all copies, no two at one place */
        }
    }
    cluster_run(cluster, 90.0);
    assert_phases(cluster, "steady encode steady");
    /* Each chunk is read once, half by half from one copy and the next; all errors are in the first
     * of two units, so one of three is met. One of three is where the unit stays. */
    guint left = latent(cluster);
    assert_in_range(left, 64 * 2 / 3 - 24, 64 * 2 / 3 + 24);
    assert_int_equal(count(cluster, "sector-error"), 64);
    const AftPool *pool = cluster_pool(cluster);
    for (guint group = 0; group < pool->n_groups; group++) {
        assert_true(pool->groups[group].used || !pool->groups[group].spoiled);
    }
    cluster_run(cluster, 500.0);
    assert_int_equal(latent(cluster), 0);
    assert_within(lost(cluster).bytes, 0.0, 0.0);
    cluster_free(cluster);
}

/* A scrub that goes on in a skip finds them, and the repair takes no time. */
static void a_skipped_scrub_finds_them(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("background.scrub.every=1000 s", "background.scrub.bandwidth=8 MiB/s");
    g_autoptr(AftPace) pace = aft_pace_new(cluster->model);
    for (guint32 device = 0; device < 10; device++) {
        aft_curator_corrupt(cluster->model->curator, device, 100);
    }
    double all = latent(cluster);
    cluster_run(cluster, 10.0);
    aft_pace_begin(pace);
    cluster_run(cluster, 14.0);
    aft_pace_end(pace);
    double before = latent(cluster);
    aft_pace_skip(pace, 20 * SECOND_NS);
    /* 160 of 512 MiB, within a member of each node; 4 standard errors. */
    double found = all * 160.0 / 512.0;
    assert_within(before - latent(cluster), found, 4.0 * sqrt(found) + all * 5.0 / 256.0);
    cluster_run(cluster, 100.0);
    assert_int_equal(latent(cluster), 0);
    cluster_free(cluster);
}

/* What a dead node held is spoilt no more once it has been made again elsewhere. */
static void errors_go_with_the_member(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(QUICK, FAILS);
    guint32 first = cluster->model->topology.nodes[2].first_device;
    aft_curator_corrupt(cluster->model->curator, first, 50);
    aft_curator_corrupt(cluster->model->curator, first + 1, 50);
    assert_true(latent(cluster) > 90);
    cluster_run(cluster, 500.0);
    assert_int_equal(latent(cluster), 0);
    assert_int_equal(count(cluster, "sector-error"), 0);
    cluster_free(cluster);
}

/* The node of the spoilt member dies while its repair is under way; the error is still there when
 * the node is back. */
static void a_repair_that_fails_leaves_the_error(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER("cluster.detect=6 s", "background.rebuild.delay=1 h", "devices.disk.write=20 s",
                "timeline[0].at=10 s", "timeline[0].fail=node 2", "timeline[1].at=60 s",
                "timeline[1].restore=node 2");
    guint group = group_with(cluster, 2, TRUE), m = 0;
    while (cluster_node_of(cluster, device_of(cluster, group, m)) != 2) {
        m++;
    }
    spoil(cluster, group, m, 5);
    assert_true(aft_sectors_read(cluster_pool(cluster)->sectors, group,
                                 device_of(cluster, group, m), 0, 1048576, "test", TRUE));
    assert_int_equal(latent(cluster), 0);
    cluster_run(cluster, 11.0);
    assert_int_equal(latent(cluster), 1);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corruption_is_spread_over_what_is_on_the_device),
        cmocka_unit_test(a_device_with_nothing_on_it_has_no_errors),
        cmocka_unit_test(a_scrub_finds_them_and_the_others_repair_them),
        cmocka_unit_test(nobody_finds_what_nobody_reads),
        cmocka_unit_test(a_rebuild_that_meets_one_loses_the_sector_and_goes_on),
        cmocka_unit_test(a_group_lost_as_a_whole_is_counted_once),
        cmocka_unit_test(a_scrub_in_time_saves_it),
        cmocka_unit_test(more_parity_saves_it_too),
        cmocka_unit_test(the_same_sector_of_too_many_members_is_lost),
        cmocka_unit_test(copies_lose_one_sector),
        cmocka_unit_test(clients_that_read_them_are_served_by_the_others),
        cmocka_unit_test(a_degraded_read_costs_what_it_does),
        cmocka_unit_test(what_clients_write_can_be_read_again),
        cmocka_unit_test(clients_meet_as_many_in_a_skip),
        cmocka_unit_test(a_move_reads_what_it_moves),
        cmocka_unit_test(a_conversion_keeps_those_it_does_not_read),
        cmocka_unit_test(a_skipped_scrub_finds_them),
        cmocka_unit_test(errors_go_with_the_member),
        cmocka_unit_test(a_repair_that_fails_leaves_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
