/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part would hurt most. */
#include "small_bed.h"

#include <aftershock/result/csv.h>
#include <aftershock/sweep/each_failure.h>

#define SECOND_NS G_GINT64_CONSTANT(1000000000)

/* Four nodes with two disks, and between them one with eight that holds half of all copies. 550
 * I/Os a second, 70 % of them reads, are 715 of the 1,600 that the disks can do, and almost all of
 * the 800 that are left without node 2; without another one there are 1,400. */
static const char *const mixed[] = {
    "version=1",
    "devices.disk.read=10 ms",
    "devices.disk.write=10 ms",
    "devices.disk.size=1 GB",
    "cluster.groups[0].nodes=2",
    "cluster.groups[0].node.disk_groups.capacity.device=disk",
    "cluster.groups[0].node.disk_groups.capacity.count=2",
    "cluster.groups[1].nodes=1",
    "cluster.groups[1].node.disk_groups.capacity.device=disk",
    "cluster.groups[1].node.disk_groups.capacity.count=8",
    "cluster.groups[2].nodes=2",
    "cluster.groups[2].node.disk_groups.capacity.device=disk",
    "cluster.groups[2].node.disk_groups.capacity.count=2",
    "cluster.racks=5",
    "data.logical=2 GB",
    "data.placement_groups=256",
    "data.protection=rf2",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.rate=550 /s",
    "workload.outstanding=100",
    "workload.restart=5 s",
    "background.rebuild.delay=1 min",
    "timeline[0].at=2 min",
    "timeline[0].fail=node 0",
    "timeline[1].at=3 min",
    "timeline[1].restore=node 0",
    "requirement.iops=550",
    "requirement.read=30 ms",
    "run.until=duration",
    "run.duration=10 min",
    "run.fidelity=io",
    NULL,
};

static const char *const nothing[] = {NULL};

static AftScenario *make(void *context, GError **error)
{
    const Bed *bed = context;
    return bed_make(mixed, bed->settings, error);
}

static AftEachFailureSetup setup_of(AftPartKind kind, Bed *bed)
{
    return (AftEachFailureSetup){.kind = kind,
                                 .at_ns = 60 * SECOND_NS,
                                 .restore_ns = AFT_WHAT_IF_NEVER,
                                 .jobs = 2,
                                 .make = make,
                                 .context = bed};
}

static const AftPartFailure *row(const GArray *rows, guint i)
{
    return &g_array_index(rows, AftPartFailure, i);
}

static void the_node_that_holds_most_is_the_worst(void **state G_GNUC_UNUSED)
{
    Bed bed = {nothing};
    AftEachFailureSetup setup = setup_of(AFT_PART_NODE, &bed);
    g_autoptr(GArray) rows = aft_each_failure(&setup, NULL);
    assert_non_null(rows);
    assert_int_equal(rows->len, 5);
    assert_string_equal(row(rows, 0)->part, "node 2");
    assert_string_equal(row(rows, 0)->phase, "rebuild");
    for (guint i = 1; i < rows->len; i++) {
        assert_true(row(rows, 0)->missed_s > row(rows, i)->missed_s);
        assert_true(row(rows, 0)->rebuild_s > 2.0 * row(rows, i)->rebuild_s);
        assert_true(row(rows, i - 1)->missed_s >= row(rows, i)->missed_s);
        assert_true(row(rows, i)->lost_bytes == 0.0);
    }
}

static char *csv_with(guint jobs)
{
    Bed bed = {nothing};
    AftEachFailureSetup setup = setup_of(AFT_PART_RACK, &bed);
    setup.jobs = jobs;
    g_autoptr(GArray) rows = aft_each_failure(&setup, NULL);
    return aft_csv_format(aft_part_failure_table(), rows);
}

static void threads_change_nothing(void **state G_GNUC_UNUSED)
{
    g_autofree char *alone = csv_with(1), *together = csv_with(3);
    assert_string_equal(alone, together);
}

/* Without copies, what was on the node is lost; no requirement is missed for longer than that. */
static void what_loses_most_data_comes_first(void **state G_GNUC_UNUSED)
{
    static const char *const bare[] = {"data.protection=none", NULL};
    Bed bed = {bare};
    AftEachFailureSetup setup = setup_of(AFT_PART_NODE, &bed);
    g_autoptr(GArray) rows = aft_each_failure(&setup, NULL);
    assert_string_equal(row(rows, 0)->part, "node 2");
    for (guint i = 1; i < rows->len; i++) {
        assert_true(row(rows, i)->lost_bytes > 0.0);
        assert_true(row(rows, i - 1)->lost_bytes >= row(rows, i)->lost_bytes);
    }
}

/* Sixteen disks of nodes 0 to 4, one of them in each run. */
static void each_disk_has_a_run(void **state G_GNUC_UNUSED)
{
    static const char *const brief[] = {"run.duration=70 s", NULL};
    Bed bed = {brief};
    AftEachFailureSetup setup = setup_of(AFT_PART_DEVICE, &bed);
    g_autoptr(GArray) rows = aft_each_failure(&setup, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < rows->len; i++) {
        assert_true(g_hash_table_add(seen, row(rows, i)->part));
        assert_within(row(rows, i)->duration_s, 70.0, 1e-6);
    }
    assert_int_equal(rows->len, 16);
}

static void a_part_can_come_back(void **state G_GNUC_UNUSED)
{
    Bed bed = {nothing};
    AftEachFailureSetup setup = setup_of(AFT_PART_NODE, &bed);
    setup.restore_ns = 90 * SECOND_NS; /* before the rebuild would have begun */
    g_autoptr(GArray) rows = aft_each_failure(&setup, NULL);
    for (guint i = 0; i < rows->len; i++) {
        assert_true(row(rows, i)->rebuild_s < 5.0 || isnan(row(rows, i)->rebuild_s));
    }
    assert_string_equal(row(rows, 0)->part, "node 2");
}

static void assert_refused(AftPartKind kind, gint64 at_ns, gint code, const char *words)
{
    g_autoptr(GError) error = NULL;
    Bed bed = {nothing};
    AftEachFailureSetup setup = setup_of(kind, &bed);
    setup.at_ns = at_ns;
    g_autoptr(GArray) rows = aft_each_failure(&setup, &error);
    assert_null(rows);
    assert_error(error, code, words);
}

static void what_cannot_fail_is_refused(void **state G_GNUC_UNUSED)
{
    assert_refused(AFT_PART_CACHE, 60 * SECOND_NS, AFT_ERROR_UNKNOWN, "nothing like cache 2.0");
    assert_refused(AFT_PART_NODE, 600 * SECOND_NS, AFT_ERROR_RANGE, "at 600 s never happens");
}

/* Sets the flag when the second run has ended. */
typedef struct {
    Bed bed;
    gint interrupted;
} Stop;

static void stop_after_two(guint ended, guint of, void *context)
{
    Stop *stop = context;
    assert_int_equal(of, 5);
    g_atomic_int_set(&stop->interrupted, ended >= 2);
}

static void an_interruption_keeps_what_is_done(void **state G_GNUC_UNUSED)
{
    Stop stop = {{nothing}, 0};
    AftEachFailureSetup setup = setup_of(AFT_PART_NODE, &stop.bed);
    setup.jobs = 1;
    setup.interrupted = &stop.interrupted;
    setup.progress = stop_after_two;
    g_autoptr(GArray) rows = aft_each_failure(&setup, NULL);
    assert_int_equal(rows->len, 2);
    assert_string_equal(row(rows, 0)->part, "node 1"); /* missed for longer than without node 0 */
    assert_string_equal(row(rows, 1)->part, "node 0");
}

/* Given a pattern, runs only the cases whose names it fits. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_node_that_holds_most_is_the_worst),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(what_loses_most_data_comes_first),
        cmocka_unit_test(each_disk_has_a_run),
        cmocka_unit_test(a_part_can_come_back),
        cmocka_unit_test(what_cannot_fail_is_refused),
        cmocka_unit_test(an_interruption_keeps_what_is_done),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
