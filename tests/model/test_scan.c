/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that waits for scans: which of them lets it begin, and when, to the group. */
#include "cluster.h"

/* 64 chunks of 2 MiB in three copies, that become 32 strips of 2 + 1 when somebody says so; a disk
 * needs a millisecond for what a scan passes in a second. */
#define COPIES "data.logical=128 MiB", "data.protection=rf3"
#define ENCODE(at)                                                     \
    "timeline[0].at=" at, "timeline[0].set.data.protection.scheme=ec", \
        "timeline[0].set.data.protection.data=2", "timeline[0].set.data.protection.parity=1"
#define SCANS(full, length) "background.scan.full=" full, "background.scan.length=" length

#define QUICK "cluster.detect=6 s", "background.rebuild.delay=30 s"

static guint strips(const Cluster *cluster)
{
    const AftPool *pool = cluster_pool(cluster);
    guint n = 0;
    for (guint group = pool->first_strip; group < pool->n_groups; group++) {
        n += pool->groups[group].used ? 1 : 0;
    }
    return n;
}

static gboolean is_strip(const Cluster *cluster, guint strip)
{
    const AftPool *pool = cluster_pool(cluster);
    return pool->groups[pool->first_strip + strip].used;
}

static void assert_strips(Cluster *cluster, double at_s, guint first, guint end)
{
    cluster_run(cluster, at_s);
    for (guint strip = 0; strip < 32; strip++) {
        if (is_strip(cluster, strip) != (strip >= first && strip < end)) {
            fail_msg("at %g s, strip %u is%s", at_s, strip, is_strip(cluster, strip) ? "" : " not");
        }
    }
}

/* Chunk c is passed at (c + 1) / 64 of the scan, strip s with its second chunk at (s + 1) / 32. */
static void what_a_scan_has_still_to_pass_begins_as_it_passes(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(COPIES, ENCODE("32.5 s"), SCANS("200 s", "64 s"),
                               "background.encode.trigger=full-scan", "run.settle=5 s");
    assert_strips(cluster, 32.9, 0, 0);
    assert_strips(cluster, 33.9, 0, 0);   /* chunk 32 alone is not a strip */
    assert_strips(cluster, 34.1, 16, 17); /* strip 16 has been passed at 34 s */
    assert_strips(cluster, 48.1, 16, 24);
    assert_true(aft_model_phase(cluster->model) == AFT_PHASE_ENCODE);
    assert_strips(cluster, 64.1, 16, 32);
    assert_phases(cluster, "steady encode steady");
    assert_false(aft_model_is_settled(cluster->model)); /* the next one will find more */
    assert_strips(cluster, 199.9, 16, 32);
    cluster_run(cluster, 216.1); /* it comes to strip 0 at 202 s */
    assert_int_equal(strips(cluster), 16 + 8);
    cluster_run(cluster, 300.0);
    assert_int_equal(strips(cluster), 32);
    assert_phases(cluster, "steady encode steady encode steady");
    assert_within(cluster_turn_s(cluster, 1), 32.5, 0.0);
    assert_within(cluster_turn_s(cluster, 3), 200.0, 0.0);
    assert_true(aft_model_is_settled(cluster->model));
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

static void scans_are_told(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(SCANS("100 s", "10 s"), "background.scan.partial=40 s");
    cluster_run(cluster, 125.0);
    /* Nothing has changed, so partial ones take no time. */
    assert_string_equal(cluster->events->str,
                        "scan-start curator, scan-end curator, scan-start curator, "
                        "scan-end curator, scan-start curator, scan-end curator, "
                        "scan-start curator, scan-end curator, scan-start curator, "
                        "scan-end curator");
    assert_phases(cluster, "steady");
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

static void what_need_not_wait_begins_at_once(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(COPIES, ENCODE("32.5 s"), SCANS("200 s", "64 s"));
    assert_strips(cluster, 34.0, 0, 32);
    cluster_free(cluster);
}

/* All 64 chunks have changed, so the partial scan of 40 s passes them in all of the length. */
static void partial_scans_suffice_where_any_scan_does(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(COPIES, ENCODE("32.5 s"), "background.scan.partial=10 s",
                               "background.scan.length=64 s", "background.encode.trigger=scan");
    assert_strips(cluster, 39.9, 0, 0);
    assert_false(aft_model_is_settled(cluster->model));
    assert_strips(cluster, 72.1, 0, 16);
    assert_strips(cluster, 104.1, 0, 32);
    assert_phases(cluster, "steady encode steady");
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

/* The full scan finds the latter half; one that would start in it is left out. The partial one of
 * 90 s has 32 of 64 chunks to pass, in half the time: chunk c at 90 + (c + 1) s. */
static void partial_scans_pass_what_has_changed(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(COPIES, ENCODE("32 s"), SCANS("1000 s", "64 s"),
                               "background.scan.partial=45 s", "background.encode.trigger=scan");
    assert_strips(cluster, 64.1, 16, 32);
    assert_strips(cluster, 89.9, 16, 32);
    cluster_run(cluster, 106.1); /* 16 chunks: 8 strips */
    assert_int_equal(strips(cluster), 16 + 8);
    assert_true(is_strip(cluster, 7) && !is_strip(cluster, 8));
    cluster_run(cluster, 122.1);
    assert_int_equal(strips(cluster), 32);
    assert_phases(cluster, "steady encode steady encode steady");
    assert_within(cluster_turn_s(cluster, 3), 90.0, 0.0);
    cluster_free(cluster);
}

static void a_full_scan_ends_a_partial_one(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(COPIES, ENCODE("70 s"), SCANS("100 s", "64 s"),
                               "background.scan.partial=80 s", "background.encode.trigger=scan");
    cluster_run(cluster, 96.1); /* 16 of 64 chunks since 80 s */
    assert_int_equal(strips(cluster), 8);
    cluster_run(cluster, 100.5); /* 20 of 64, and none of the full one */
    assert_int_equal(strips(cluster), 10);
    cluster_run(cluster, 124.1); /* the full one comes to chunk 23 */
    assert_int_equal(strips(cluster), 12);
    cluster_run(cluster, 164.1);
    assert_int_equal(strips(cluster), 32);
    cluster_free(cluster);
}

/* Stale members of a node that returns are brought up to date at once, others move when a scan has
 * passed their group. */
static void a_rebalance_can_wait_for_a_scan_and_a_rebuild_does_not(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(QUICK, "timeline[0].at=10 s", "timeline[0].fail=node 2", "timeline[1].at=100 s",
                "timeline[1].restore=node 2", SCANS("1000 s", "64 s"),
                "background.scan.partial=200 s", "background.rebalance.trigger=scan");
    guint members = cluster_members_on(cluster, 2);
    cluster_run(cluster, 99.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    cluster_run(cluster, 199.0);
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_phases(cluster, "steady failed rebuild catchup steady");
    assert_false(aft_model_is_settled(cluster->model));
    cluster_run(cluster, 264.1); /* no more than all 64 */
    assert_int_equal(cluster_members_on(cluster, 2), members);
    assert_phases(cluster, "steady failed rebuild catchup steady rebalance steady");
    assert_within(cluster_turn_s(cluster, 5), 200.0, 0.0);
    assert_all_back(cluster);
    assert_true(aft_model_is_settled(cluster->model));
    cluster_free(cluster);
}

/* What was passed for one goal has not been passed for the next: strips that are there already go
 * back, but not before a scan. */
static void another_goal_waits_for_another_scan(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(COPIES, ENCODE("32 s"), SCANS("100 s", "64 s"),
                               "timeline[1].at=70 s", "timeline[1].set.data.protection=rf3",
                               "background.encode.trigger=scan", "background.convert.trigger=scan");
    assert_strips(cluster, 99.0, 16, 32);
    cluster_run(cluster, 148.5); /* three quarters: half of those strips */
    assert_int_equal(strips(cluster), 8);
    cluster_run(cluster, 170.0);
    assert_int_equal(strips(cluster), 0);
    assert_all_at_home(cluster);
    cluster_free(cluster);
}

/* Half of the way in a skip, with nothing simulated, a scan has passed half. */
static void a_skip_takes_a_scan_along(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(COPIES, ENCODE("0 s"), SCANS("200 s", "64 s"), "background.encode.trigger=scan");
    cluster_run(cluster, 0.1);
    aft_engine_skip(cluster->engine, 32 * SECOND_NS);
    aft_curator_pump(cluster->model->curator);
    cluster_run(cluster, 33.9); /* the pump found 16 strips; 34 s would be the next */
    assert_int_equal(strips(cluster), 16);
    cluster_run(cluster, 34.1);
    assert_int_equal(strips(cluster), 17);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_scan_has_still_to_pass_begins_as_it_passes),
        cmocka_unit_test(scans_are_told),
        cmocka_unit_test(what_need_not_wait_begins_at_once),
        cmocka_unit_test(partial_scans_suffice_where_any_scan_does),
        cmocka_unit_test(partial_scans_pass_what_has_changed),
        cmocka_unit_test(a_full_scan_ends_a_partial_one),
        cmocka_unit_test(a_rebalance_can_wait_for_a_scan_and_a_rebuild_does_not),
        cmocka_unit_test(another_goal_waits_for_another_scan),
        cmocka_unit_test(a_skip_takes_a_scan_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
