/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data services, key by key: what each adds at devices and controllers, to latencies and to space.
 * All times are exact, so that sums tell how many jobs there were of which size. */
#include "cluster.h"

#define KIB      1024
#define BLOCK    (16 * KIB)
#define UNIT     (64 * KIB)
#define IO_NS    10000 /* of a controller */
#define MAP      AFT_METADATA_BYTES
#define SERVICE  "data.services.compression."
#define SERVICE2 "data.services.dedupe."

/* Two copies of data, one disk a node; users on node 0 alone. */
#define FLAT                                                                                       \
    "devices.disk.read_bandwidth=200 MB/s", "devices.disk.write_bandwidth=100 MB/s",               \
        "data.protection=rf2", "cluster.node.disk_groups.capacity.count=1", "workload.on=0",       \
        "workload.kind=closed", "workload.vms=1", "workload.outstanding=1", "workload.think=1 ms", \
        "workload.block=16 KiB", "cluster.node.controller.slots=1",                                \
        "cluster.node.controller.io=10 us", "cluster.node.controller.spread=deterministic"

/* The same behind caches that hits never hit and that are destaged at once. */
#define TIERED                                                                                     \
    FLAT, "devices.log.read=20 us", "devices.log.write=30 us", "devices.log.spread=deterministic", \
        "devices.log.read_bandwidth=2 GB/s", "devices.log.write_bandwidth=1 GB/s",                 \
        "devices.log.size=64 MB", "cluster.node.disk_groups.cache.device=log",                     \
        "tiers.unit=64 KiB", "tiers.low=0 %", "tiers.start=0 %", "tiers.delay_max=0 s"

#define READS  "workload.read_share=100 %"
#define WRITES "workload.read_share=0 %"

/* What stations of one kind did in one class: cache devices, capacity devices, controllers. */
typedef struct {
    guint64 jobs;
    gint64 ns;
} Work;

static void add_work(Work *work, const AftStation *station, guint class)
{
    AftStationSums sums;
    aft_station_sums(station, &sums);
    assert_int_equal(sums.class[class].arrived, sums.class[class].served);
    work->jobs += sums.class[class].served;
    work->ns += sums.class[class].service_ns;
}

static Work devices_work(const Cluster *cluster, gboolean cache, guint class)
{
    Work work = {0};
    for (guint i = 0; i < cluster->model->topology.n_devices; i++) {
        const AftDevice *device = &cluster->model->topology.devices[i];
        if (device->cache == cache) {
            add_work(&work, device->station, class);
        }
    }
    return work;
}

static Work controllers_work(const Cluster *cluster, guint class)
{
    Work work = {0};
    for (guint i = 0; i < cluster->model->topology.n_nodes; i++) {
        add_work(&work, cluster->model->topology.nodes[i].controller, class);
    }
    return work;
}

static void assert_work(Work work, guint64 jobs, gint64 ns)
{
    assert_int_equal(work.jobs, jobs);
    assert_int_equal(work.ns, ns);
}

static gint64 disk_ns(gboolean write, gint64 bytes)
{
    return write ? 200000 + bytes * 10 : 100000 + bytes * 5;
}

static gint64 log_ns(gboolean write, gint64 bytes)
{
    return write ? 30000 + bytes : 20000 + bytes / 2;
}

static Cluster *run_until_idle(Cluster *cluster, double until_s)
{
    for (guint i = 0; i < cluster->model->topology.n_buffers; i++) {
        cluster->model->topology.buffers[i].working_bytes = -INFINITY;
    }
    cluster_run(cluster, until_s);
    for (AftMoment moment = aft_model_moment(cluster->model);
         moment.in_flight + moment.destages > 0; moment = aft_model_moment(cluster->model)) {
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 1e-5);
    }
    return cluster;
}

static gint64 ios(const Cluster *cluster)
{
    gint64 n = cluster->completed[0] + cluster->completed[1];
    assert_true(n > 500);
    return n;
}

/* A service that says @key and nothing else. */
#define SAYING(key, ...) run_until_idle(CLUSTER(__VA_ARGS__, SERVICE key), 2.0)

static void devices_see_bytes_times_the_ratio(void **state)
{
    (void)state;
    Cluster *reads = SAYING("ratio=0.25", FLAT, READS);
    Cluster *writes = SAYING("ratio=0.25", FLAT, WRITES);
    gint64 n = ios(reads), m = ios(writes);
    assert_work(devices_work(reads, FALSE, AFT_CLASS_CLIENT), (guint64)n,
                n * disk_ns(FALSE, BLOCK / 4));
    assert_work(devices_work(writes, FALSE, AFT_CLASS_CLIENT), (guint64)(2 * m),
                2 * m * disk_ns(TRUE, BLOCK / 4));
    /* Controllers see what clients see. */
    assert_work(controllers_work(reads, AFT_CLASS_CLIENT), (guint64)n, n * IO_NS);
    assert_within(aft_model_moment(reads->model).used_bytes, 2.0 * 384 * KIB * KIB / 4.0, 1.0);
    cluster_free(reads);
    cluster_free(writes);
}

static void check_latency(Cluster *cluster, gint64 plain_ns, gint64 delay_ns)
{
    assert_int_equal(cluster->longest_ns, plain_ns + delay_ns);
    cluster_free(cluster);
}

static void delays_are_added_to_sub_operations(void **state)
{
    (void)state;
    const gint64 read_ns = IO_NS + disk_ns(FALSE, BLOCK), write_ns = IO_NS + disk_ns(TRUE, BLOCK);
    check_latency(SAYING("read_delay=3 ms", FLAT, READS), read_ns, 3000000);
    check_latency(SAYING("read_delay=3 ms", FLAT, WRITES), write_ns, 0);
    check_latency(SAYING("write_delay=3 ms", FLAT, WRITES), write_ns, 3000000);
    check_latency(SAYING("write_delay=3 ms", FLAT, READS), read_ns, 0);
    /* A read-modify-write has a reading stage and a writing one. */
    check_latency(SAYING("read_delay=3 ms", FLAT, WRITES, "data.protection=raid5",
                         SERVICE "write_delay=5 ms"),
                  read_ns + write_ns, 8000000);
}

/* The work is done where the user is, and nowhere else. */
static void check_work(Cluster *cluster, gint64 steps, gint64 work_ns)
{
    gint64 n = ios(cluster);
    assert_work(controllers_work(cluster, AFT_CLASS_CLIENT), (guint64)(n * (steps + 1)),
                n * (steps * IO_NS + work_ns));
    for (guint node = 1; node < cluster->model->topology.n_nodes; node++) {
        Work work = {0};
        add_work(&work, cluster->model->topology.nodes[node].controller, AFT_CLASS_CLIENT);
        assert_int_equal(work.ns, (gint64)work.jobs * IO_NS);
    }
    cluster_free(cluster);
}

static void the_coordinator_works_once_for_each_operation(void **state)
{
    (void)state;
    check_work(SAYING("io=70 us", FLAT, READS), 1, 70000);
    check_work(SAYING("io=70 us", FLAT, WRITES), 2, 70000);
    check_work(SAYING("per_mib=6.4 ms", FLAT, READS), 1, 100000); /* 16 KiB are 1/64 */
    check_work(SAYING("per_mib=6.4 ms", FLAT, WRITES, SERVICE "io=70 us"), 2, 170000);
    check_work(SAYING("io=70 us", FLAT, WRITES, "data.protection=raid5"), 4, 70000);
    check_work(SAYING("io=70 us", TIERED, WRITES), 2, 70000);
    check_work(SAYING("io=70 us", TIERED, WRITES, "tiers.parity=destage"), 2, 70000);
}

/* In a degraded operation, together with the reconstruction: one job. Node 2 is down and noticed;
 * what was unnoticed has been tried again. */
static void a_reconstruction_and_a_service_are_one_job(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(FLAT, READS, "data.protection=raid5",
                               "data.protection.degraded=50 us", "cluster.detect=0 s",
                               "timeline[0].at=1 s", "timeline[0].fail=node 2", SERVICE "io=70 us");
    run_until_idle(cluster, 1.5);
    Work before = controllers_work(cluster, AFT_CLASS_CLIENT);
    Work disks = devices_work(cluster, FALSE, AFT_CLASS_CLIENT);
    gint64 n = ios(cluster);
    run_until_idle(cluster, 5.0);
    n = ios(cluster) - n;
    Work after = controllers_work(cluster, AFT_CLASS_CLIENT);
    /* A degraded read has two steps more. */
    gint64 steps = (gint64)(devices_work(cluster, FALSE, AFT_CLASS_CLIENT).jobs - disks.jobs);
    gint64 degraded = (steps - n) / 2;
    assert_true(degraded > 100);
    assert_int_equal(after.jobs - before.jobs, n + steps);
    assert_int_equal(after.ns - before.ns, steps * IO_NS + n * 70000 + degraded * 50000);
    cluster_free(cluster);
}

static void the_map_is_read_and_written_at_the_device(void **state)
{
    (void)state;
    Cluster *reads = SAYING("metadata_reads=2", FLAT, READS, SERVICE "metadata_writes=3");
    Cluster *writes = SAYING("metadata_reads=2", FLAT, WRITES, SERVICE "metadata_writes=3");
    gint64 n = ios(reads), m = ios(writes);
    assert_work(devices_work(reads, FALSE, AFT_CLASS_CLIENT), (guint64)(3 * n),
                n * (disk_ns(FALSE, BLOCK) + 2 * disk_ns(FALSE, MAP)));
    assert_work(devices_work(writes, FALSE, AFT_CLASS_CLIENT), (guint64)(8 * m),
                2 * m * (disk_ns(TRUE, BLOCK) + 3 * disk_ns(TRUE, MAP)));
    assert_int_equal(reads->longest_ns, IO_NS + disk_ns(FALSE, BLOCK) + 2 * disk_ns(FALSE, MAP));
    cluster_free(reads);
    cluster_free(writes);
}

static void a_part_of_a_map_io_comes_by_chance(void **state)
{
    (void)state;
    Cluster *cluster =
        SAYING("metadata_reads=1.25", FLAT, READS, "workload.vms=20", "workload.outstanding=20");
    double n = (double)ios(cluster);
    double extra = (double)devices_work(cluster, FALSE, AFT_CLASS_CLIENT).jobs / n - 2.0;
    assert_within(extra, 0.25, 4.0 * sqrt(0.25 * 0.75 / n));
    cluster_free(cluster);
}

/* Nobody writes to caches but users, and maps take no room there. */
static void inline_services_shrink_what_is_in_buffers(void **state)
{
    (void)state;
    Cluster *cluster = SAYING("ratio=0.5", TIERED, WRITES, SERVICE "metadata_writes=1");
    gint64 n = ios(cluster), destages = (gint64)(aft_model_destaged_bytes(cluster->model) / UNIT);
    double dirty = 0.0;
    for (guint i = 0; i < cluster->model->topology.n_buffers; i++) {
        dirty += cluster->model->topology.buffers[i].dirty_bytes;
    }
    assert_within(dirty + (double)destages * UNIT, (double)n * BLOCK, 0.0);
    assert_work(devices_work(cluster, TRUE, AFT_CLASS_CLIENT), (guint64)(4 * n),
                2 * n * (log_ns(TRUE, BLOCK / 2) + log_ns(TRUE, MAP)));
    assert_true(destages > 100);
    assert_work(devices_work(cluster, TRUE, AFT_CLASS_DESTAGE), (guint64)destages,
                destages * log_ns(FALSE, UNIT));
    assert_work(devices_work(cluster, FALSE, AFT_CLASS_DESTAGE), (guint64)destages,
                destages * disk_ns(TRUE, UNIT));
    assert_work(controllers_work(cluster, AFT_CLASS_DESTAGE), (guint64)(2 * destages),
                2 * destages * IO_NS);
    cluster_free(cluster);
}

/* One inline halves what is in buffers, the other at destage halves it again. */
static void services_at_destage_are_paid_by_the_destage(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(TIERED, WRITES, SERVICE "when=destage", SERVICE "ratio=0.5", SERVICE "io=70 us",
                SERVICE "per_mib=1.6 ms", SERVICE "metadata_writes=2", SERVICE2 "ratio=0.5");
    run_until_idle(cluster, 2.0);
    gint64 n = ios(cluster), destages = (gint64)(aft_model_destaged_bytes(cluster->model) / UNIT);
    assert_work(devices_work(cluster, TRUE, AFT_CLASS_CLIENT), (guint64)(2 * n),
                2 * n * log_ns(TRUE, BLOCK / 2));
    assert_work(controllers_work(cluster, AFT_CLASS_CLIENT), (guint64)(2 * n), 2 * n * IO_NS);
    assert_true(destages > 100);
    assert_work(devices_work(cluster, TRUE, AFT_CLASS_DESTAGE), (guint64)destages,
                destages * log_ns(FALSE, UNIT));
    assert_work(devices_work(cluster, FALSE, AFT_CLASS_DESTAGE), (guint64)(3 * destages),
                destages * (disk_ns(TRUE, UNIT / 2) + 2 * disk_ns(TRUE, MAP)));
    assert_work(controllers_work(cluster, AFT_CLASS_DESTAGE), (guint64)(2 * destages),
                destages * (2 * IO_NS + 70000 + 100000));
    assert_within(aft_model_moment(cluster->model).used_bytes, 2.0 * 384 * KIB * KIB / 4.0, 1.0);
    cluster_free(cluster);
}

/* Reads pay such a service like any other. */
static void reads_pay_services_at_destage_too(void **state)
{
    (void)state;
    Cluster *cluster = SAYING("when=destage", TIERED, READS, SERVICE "io=70 us",
                              SERVICE "ratio=0.5", SERVICE "metadata_reads=1");
    gint64 n = ios(cluster);
    assert_work(controllers_work(cluster, AFT_CLASS_CLIENT), (guint64)(2 * n), n * (IO_NS + 70000));
    assert_work(devices_work(cluster, FALSE, AFT_CLASS_CLIENT), (guint64)(2 * n),
                n * (disk_ns(FALSE, BLOCK / 2) + disk_ns(FALSE, MAP)));
    cluster_free(cluster);
}

/* Node 2 is made again elsewhere in units of 64 KiB: bytes by the ratio, controllers by the
 * factor; neither delays nor maps nor the work of users. */
static void check_background(const char *parity, gint64 cache_bytes)
{
    g_autofree char *tiers = g_strdup_printf("tiers.parity=%s", parity);
    Cluster *cluster =
        CLUSTER(TIERED, tiers, READS, "cluster.detect=1 s", "background.rebuild.unit=64 KiB",
                "background.rebuild.delay=2 s", "timeline[0].at=1 s", "timeline[0].fail=node 2",
                "data.logical=32 MiB", SERVICE "ratio=0.5", SERVICE "background_factor=3",
                SERVICE "io=70 us", SERVICE "metadata_reads=1", SERVICE "metadata_writes=1",
                SERVICE "read_delay=1 ms", SERVICE2 "ratio=0.5", SERVICE2 "when=destage");
    run_until_idle(cluster, 60.0);
    assert_int_equal(aft_model_moment(cluster->model).degraded_groups, 0);
    gint64 units = (gint64)(aft_model_moved_bytes(cluster->model, AFT_TASK_REBUILD) / UNIT);
    assert_true(units > 100);
    assert_work(controllers_work(cluster, AFT_CLASS_P1), (guint64)(2 * units),
                2 * units * 3 * IO_NS);
    gint64 read_ns = disk_ns(FALSE, UNIT / 4);
    if (cache_bytes > 0) {
        assert_work(devices_work(cluster, TRUE, AFT_CLASS_P1), (guint64)units,
                    units * log_ns(TRUE, cache_bytes));
        assert_work(devices_work(cluster, FALSE, AFT_CLASS_P1), (guint64)units, units * read_ns);
    } else {
        assert_work(devices_work(cluster, TRUE, AFT_CLASS_P1), 0, 0);
        assert_work(devices_work(cluster, FALSE, AFT_CLASS_P1), (guint64)(2 * units),
                    units * (read_ns + disk_ns(TRUE, UNIT / 4)));
    }
    assert_within(aft_model_moment(cluster->model).used_bytes, 2.0 * 32 * KIB * KIB / 4.0, 1.0);
    cluster_free(cluster);
}

static void background_units_pay_bytes_and_the_factor(void **state)
{
    (void)state;
    check_background("front", UNIT / 2);
    check_background("destage", 0);
}

/* Node 2 is emptied: what only moves has a factor of its own, or without one that of all. */
static void check_moves(const char *factor, gint64 expected)
{
    Cluster *cluster =
        CLUSTER(FLAT, READS, "background.evacuate.unit=64 KiB", "timeline[0].at=1 s",
                "timeline[0].maintenance.node=2", "timeline[0].maintenance.mode=evacuate",
                "timeline[0].maintenance.for=1 h", "data.logical=32 MiB", SERVICE "ratio=1",
                SERVICE "background_factor=3", factor);
    run_until_idle(cluster, 60.0);
    gint64 units = (gint64)(aft_model_moved_bytes(cluster->model, AFT_TASK_EVACUATE) / UNIT);
    assert_true(units > 100);
    guint priority = cluster->scenario->background.task[AFT_TASK_EVACUATE].priority;
    Work work = controllers_work(cluster, AFT_CLASS_P1 + priority - 1);
    assert_work(work, (guint64)(2 * units), 2 * units * expected * IO_NS);
    cluster_free(cluster);
}

static void units_that_only_move_have_a_factor_of_their_own(void **state)
{
    (void)state;
    check_moves(SERVICE "move_factor=2", 2);
    check_moves(SERVICE "move_factor=0", 3);
}

/* The largest values there are: nothing is finished, and time does not turn round. */
static void background_work_takes_a_year_at_most(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(FLAT, READS, "cluster.node.controller.per_mib=1 h", "background.convert.unit=1 GiB",
                "data.logical=8 GiB", "data.placement_groups=4", "timeline[0].at=1 s",
                "timeline[0].set.data.protection=rf3", "workload.block=512 B", "workload.think=1 h",
                SERVICE "background_factor=1000", SERVICE2 "background_factor=1000");
    cluster_run(cluster, 10.0);
    assert_phases(cluster, "steady convert");
    assert_true(aft_model_moment(cluster->model).units_in_flight > 0);
    cluster_free(cluster);
}

static void assert_stations_alike(const AftStation *first, const AftStation *second)
{
    AftStationSums a, b;
    aft_station_sums(first, &a);
    aft_station_sums(second, &b);
    assert_memory_equal(&a, &b, sizeof(a));
}

/* Up to now everything happened in both alike, to the nanosecond. */
static void assert_alike(const Cluster *first, const Cluster *second)
{
    const AftTopology *a = &first->model->topology, *b = &second->model->topology;
    assert_int_equal(aft_engine_executed(first->engine), aft_engine_executed(second->engine));
    assert_int_equal(first->completed[0], second->completed[0]);
    assert_int_equal(first->completed[1], second->completed[1]);
    assert_int_equal(first->longest_ns, second->longest_ns);
    for (guint i = 0; i < a->n_devices; i++) {
        assert_stations_alike(a->devices[i].station, b->devices[i].station);
        assert_within(a->devices[i].used_bytes, b->devices[i].used_bytes, 0.0);
    }
    for (guint i = 0; i < a->n_nodes; i++) {
        assert_stations_alike(a->nodes[i].controller, b->nodes[i].controller);
    }
    for (guint i = 0; i < a->n_buffers; i++) {
        assert_within(a->buffers[i].dirty_bytes, b->buffers[i].dirty_bytes, 0.0);
        assert_within(a->buffers[i].warm_bytes, b->buffers[i].warm_bytes, 0.0);
    }
}

/* A busy cluster that loses a node and gets it back, with two settings of services. */
static void check_alike(const char *tiers, const char *const *first, const char *const *second)
{
    const char *const base[] = {TIERED,
                                tiers,
                                "data.protection=raid5",
                                "workload.read_share=60 %",
                                "tiers.read_share=30 %",
                                "workload.on=all",
                                "workload.vms=10",
                                "workload.outstanding=40",
                                "cluster.node.controller.spread=exponential",
                                "devices.disk.spread=exponential",
                                "cluster.node.nic=1 Gbit/s",
                                "cluster.detect=500 ms",
                                "background.rebuild.delay=1 s",
                                "timeline[0].at=1 s",
                                "timeline[0].fail=node 2",
                                "timeline[1].at=3 s",
                                "timeline[1].restore=node 2"};
    const char *const *services[] = {first, second};
    Cluster *cluster[2];
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GPtrArray) settings = g_ptr_array_new();
        for (guint j = 0; j < G_N_ELEMENTS(base); j++) {
            g_ptr_array_add(settings, (gpointer)base[j]);
        }
        for (guint j = 0; services[i][j] != NULL; j++) {
            g_ptr_array_add(settings, (gpointer)services[i][j]);
        }
        g_ptr_array_add(settings, NULL);
        cluster[i] = cluster_new((const char *const *)settings->pdata);
    }
    for (double at_s = 0.01; at_s < 6.0; at_s *= 1.3) {
        cluster_run(cluster[0], at_s);
        cluster_run(cluster[1], at_s);
        assert_alike(cluster[0], cluster[1]);
    }
    assert_true(cluster[0]->completed[1] > 1000);
    cluster_free(cluster[0]);
    cluster_free(cluster[1]);
}

static const char *const designs[] = {
    "cluster.node.disk_groups.cache.count=0",
    "tiers.parity=front",
    "tiers.parity=destage",
};

static void a_service_that_costs_nothing_changes_nothing(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(designs); i++) {
        check_alike(designs[i], (const char *const[]){NULL},
                    (const char *const[]){SERVICE "enabled=on", SERVICE "ratio=1",
                                          SERVICE "background_factor=1", SERVICE2 "ratio=1",
                                          i > 0 ? SERVICE2 "when=destage" : NULL, NULL});
    }
}

static void degraded_operations_pay_services_as_they_pay_protection(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(designs); i++) {
        check_alike(designs[i],
                    (const char *const[]){"data.protection.degraded=70 us", SERVICE "ratio=1",
                                          NULL},
                    (const char *const[]){"data.protection.degraded=20 us",
                                          SERVICE "degraded=50 us", SERVICE "ratio=1", NULL});
    }
}

static void two_services_add_up(void **state)
{
    (void)state;
    static const char *const one[] = {SERVICE "ratio=0.5",
                                      SERVICE "read_delay=3 ms",
                                      SERVICE "write_delay=5 ms",
                                      SERVICE "io=30 us",
                                      SERVICE "per_mib=6 ms",
                                      SERVICE "metadata_reads=1.5",
                                      SERVICE "metadata_writes=2.5",
                                      SERVICE "background_factor=6",
                                      SERVICE "move_factor=12",
                                      SERVICE "degraded=50 us",
                                      NULL};
    static const char *const two[] = {SERVICE "ratio=0.25",
                                      SERVICE "read_delay=1 ms",
                                      SERVICE "write_delay=2 ms",
                                      SERVICE "io=10 us",
                                      SERVICE "per_mib=2 ms",
                                      SERVICE "metadata_reads=0.5",
                                      SERVICE "metadata_writes=1.5",
                                      SERVICE "background_factor=2",
                                      SERVICE "move_factor=4",
                                      SERVICE "degraded=20 us",
                                      SERVICE2 "ratio=2",
                                      SERVICE2 "read_delay=2 ms",
                                      SERVICE2 "write_delay=3 ms",
                                      SERVICE2 "io=20 us",
                                      SERVICE2 "per_mib=4 ms",
                                      SERVICE2 "metadata_reads=1",
                                      SERVICE2 "metadata_writes=1",
                                      SERVICE2 "background_factor=3",
                                      SERVICE2 "degraded=30 us",
                                      NULL};
    for (guint i = 0; i < G_N_ELEMENTS(designs); i++) {
        check_alike(designs[i], one, two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_see_bytes_times_the_ratio),
        cmocka_unit_test(delays_are_added_to_sub_operations),
        cmocka_unit_test(the_coordinator_works_once_for_each_operation),
        cmocka_unit_test(a_reconstruction_and_a_service_are_one_job),
        cmocka_unit_test(the_map_is_read_and_written_at_the_device),
        cmocka_unit_test(a_part_of_a_map_io_comes_by_chance),
        cmocka_unit_test(inline_services_shrink_what_is_in_buffers),
        cmocka_unit_test(services_at_destage_are_paid_by_the_destage),
        cmocka_unit_test(reads_pay_services_at_destage_too),
        cmocka_unit_test(background_units_pay_bytes_and_the_factor),
        cmocka_unit_test(units_that_only_move_have_a_factor_of_their_own),
        cmocka_unit_test(degraded_operations_pay_services_as_they_pay_protection),
        cmocka_unit_test(background_work_takes_a_year_at_most),
        cmocka_unit_test(a_service_that_costs_nothing_changes_nothing),
        cmocka_unit_test(two_services_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
