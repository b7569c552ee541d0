/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters with cache devices, all I/O simulated. Times of devices are exact, so that sums of
 * their stations tell reads from writes, and closed forms hold to the last unit. */
#include "cluster.h"

#define KIB    1024
#define UNIT   (16 * KIB)
#define STRIPE "data.protection.stripe_unit=64 KiB"

/* Cache devices of 64 MB; to be changed by what comes behind. */
#define TIERED                                                                               \
    "devices.log.read=20 us", "devices.log.write=30 us", "devices.log.spread=deterministic", \
        "devices.log.parallel=4", "devices.log.read_bandwidth=2 GB/s",                       \
        "devices.log.write_bandwidth=1 GB/s", "devices.log.size=64 MB",                      \
        "devices.disk.read_bandwidth=200 MB/s", "devices.disk.write_bandwidth=100 MB/s",     \
        "cluster.node.disk_groups.cache.device=log", "tiers.unit=16 KiB", "tiers.low=0 %",   \
        "tiers.start=0 %", "tiers.high=90 %", "tiers.delay_max=0 s"

static AftBuffer *buffer_at(const Cluster *cluster, guint i)
{
    assert_true(i < cluster->model->topology.n_buffers);
    return &cluster->model->topology.buffers[i];
}

static guint n_buffers(const Cluster *cluster)
{
    return cluster->model->topology.n_buffers;
}

/* From here on no read hits, and no write meets what is dirty already. */
static void let_nothing_be_met(Cluster *cluster)
{
    for (guint i = 0; i < n_buffers(cluster); i++) {
        buffer_at(cluster, i)->working_bytes = -INFINITY;
    }
}

static double dirty_bytes(const Cluster *cluster)
{
    double bytes = 0.0;
    for (guint i = 0; i < n_buffers(cluster); i++) {
        bytes += buffer_at(cluster, i)->dirty_bytes;
    }
    return bytes;
}

static double destaged_bytes(const Cluster *cluster)
{
    return aft_model_destaged_bytes(cluster->model);
}

static const AftDeviceProfile *profile_of(const Cluster *cluster, gboolean cache)
{
    const AftDiskGroupSpec *group = &cluster->scenario->cluster.node.disk_groups[0];
    return cache ? group->cache.profile : group->capacity.profile;
}

static gint64 time_ns(const AftDeviceProfile *profile, gboolean write, double bytes)
{
    double bytes_per_s = write ? profile->write_bytes_per_s : profile->read_bytes_per_s;
    return (write ? profile->write_ns : profile->read_ns) + (gint64)(bytes * 1e9 / bytes_per_s);
}

/* Accesses of one class at devices of one kind. */
typedef struct {
    guint64 reads, writes;
} Jobs;

/* What devices did, all of it done: reads of @read_bytes and writes of @write_bytes, or nothing
 * would fit. */
static Jobs jobs_of(const Cluster *cluster, gboolean cache, guint class, double read_bytes,
                    double write_bytes)
{
    const AftTopology *topology = &cluster->model->topology;
    const AftDeviceProfile *profile = profile_of(cluster, cache);
    gint64 read_ns = time_ns(profile, FALSE, read_bytes);
    gint64 write_ns = time_ns(profile, TRUE, write_bytes);
    gint64 served = 0, service_ns = 0;
    for (guint i = 0; i < topology->n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(topology->devices[i].station, &sums);
        if (topology->devices[i].cache == cache) {
            assert_int_equal(sums.class[class].arrived, sums.class[class].served);
            served += (gint64)sums.class[class].served;
            service_ns += sums.class[class].service_ns;
        }
    }
    gint64 extra_ns = service_ns - served * read_ns;
    assert_int_equal(extra_ns % (write_ns - read_ns), 0);
    gint64 writes = extra_ns / (write_ns - read_ns);
    assert_true(writes >= 0 && writes <= served);
    return (Jobs){(guint64)(served - writes), (guint64)writes};
}

static void assert_jobs(Jobs jobs, guint64 reads, guint64 writes)
{
    assert_int_equal(jobs.reads, reads);
    assert_int_equal(jobs.writes, writes);
}

static guint64 controller_jobs(const Cluster *cluster, guint class)
{
    guint64 jobs = 0;
    for (guint i = 0; i < cluster->model->topology.n_nodes; i++) {
        AftStationSums sums;
        aft_station_sums(cluster->model->topology.nodes[i].controller, &sums);
        jobs += sums.class[class].served;
    }
    return jobs;
}

static gboolean is_busy(const Cluster *cluster)
{
    AftMoment moment = aft_model_moment(cluster->model);
    return moment.in_flight > 0 || moment.destages > 0;
}

/* Until nothing is under way. */
static void run_until_idle(Cluster *cluster, double until_s)
{
    cluster_run(cluster, until_s);
    for (guint i = 0; is_busy(cluster); i++) {
        assert_true(i < 100000);
        cluster_run(cluster, (double)cluster_now(cluster) / 1e9 + 1e-4);
    }
}

static void assert_bytes_conserved(const Cluster *cluster)
{
    for (guint i = 0; i < n_buffers(cluster); i++) {
        const AftBuffer *buffer = buffer_at(cluster, i);
        double came = buffer->admitted_bytes + buffer->first_bytes;
        /* Sums of whole bytes that doubles hold exactly. */
        assert_within(buffer->destaged_bytes + buffer->dirty_bytes, came, 0.0);
    }
}

/* What a client write costs under its scheme. */
typedef struct {
    guint reads, writes; /* of its plan */
    guint units;         /* of a stripe that it covers */
} Cost;

static Cost cost_of(const Cluster *cluster)
{
    const AftClients *clients = &cluster->model->clients[0];
    AftPlan plan;
    AftPlanRequest request = {
        .operation = AFT_OPERATION_WRITE,
        .units = (guint)(clients->spec->block_bytes / clients->ways[0].step_bytes),
        .current = cluster_pool(cluster)->layouts[0].everyone,
    };
    aft_protection_plan(&cluster_pool(cluster)->spec->initial, &request, &plan);
    Cost cost = {.units = request.units};
    for (guint i = 0; i < plan.stage_begin[plan.n_stages]; i++) {
        *(plan.step[i].write ? &cost.writes : &cost.reads) += 1;
    }
    return cost;
}

/* Some hundreds of small or large writes, and as many reads. */
static Cluster *trickle(const char *parity, const char *scheme, const char *nodes,
                        const char *block)
{
    g_autofree char *tiers = g_strdup_printf("tiers.parity=%s", parity);
    g_autofree char *protection = g_strdup_printf("data.protection.scheme=%s", scheme);
    g_autofree char *size = g_strdup_printf("cluster.nodes=%s", nodes);
    g_autofree char *bytes = g_strdup_printf("workload.block=%s", block);
    gboolean striped = g_str_has_prefix(scheme, "raid5") || g_str_has_prefix(scheme, "raid6");
    Cluster *cluster = CLUSTER(TIERED, tiers, protection, size, "workload.kind=open",
                               "workload.vms=10", "workload.rate=60 /s", bytes,
                               "workload.read_share=50 %", "cluster.node.controller.slots=4",
                               "cluster.node.controller.io=10 us", striped ? STRIPE : NULL);
    let_nothing_be_met(cluster);
    return cluster;
}

/* The plan is carried out in caches before a write is acknowledged, and what they destage is each
 * byte once: one read there, one write behind. */
static void check_front(const char *scheme, const char *nodes, const char *block)
{
    Cluster *cluster = trickle("front", scheme, nodes, block);
    run_until_idle(cluster, 20.0);
    Cost cost = cost_of(cluster);
    double step = cluster->model->clients[0].ways[0].step_bytes;
    guint64 reads = (guint64)cluster->completed[0], writes = (guint64)cluster->completed[1];
    guint64 plan_reads = reads * cost.units + writes * cost.reads, destages = 0;
    assert_true(reads > 450 && writes > 450);
    assert_jobs(jobs_of(cluster, TRUE, AFT_CLASS_CLIENT, step, step), 0, writes * cost.writes);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_CLIENT, step, step), plan_reads, 0);
    destages = (guint64)(destaged_bytes(cluster) / UNIT);
    assert_true(destages > 100);
    assert_within(destaged_bytes(cluster), (double)destages * UNIT, 0.0);
    assert_jobs(jobs_of(cluster, TRUE, AFT_CLASS_DESTAGE, UNIT, UNIT), destages, 0);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_DESTAGE, UNIT, UNIT), 0, destages);
    assert_int_equal(controller_jobs(cluster, AFT_CLASS_CLIENT), plan_reads + writes * cost.writes);
    assert_int_equal(controller_jobs(cluster, AFT_CLASS_DESTAGE), 2 * destages);
    assert_within(destaged_bytes(cluster) + dirty_bytes(cluster),
                  (double)writes * cost.writes * step, 0.0);
    assert_bytes_conserved(cluster);
    cluster_free(cluster);
}

static void in_front_the_client_pays_the_parity(void **state)
{
    (void)state;
    check_front("none", "3", "4 KiB");
    check_front("rf2", "4", "4 KiB");
    check_front("rf3", "4", "4 KiB");
    check_front("raid5", "5", "4 KiB");
    check_front("raid6", "7", "4 KiB");
    check_front("lrc", "17", "4 KiB");
    check_front("raid5", "5", "128 KiB"); /* two units: reconstruct-write */
    check_front("raid5", "5", "192 KiB"); /* a whole stripe */
    check_front("raid6", "7", "256 KiB");
}

/* As background work of priority 2, and from 60 % on: 12.8 MB of each device, of which a quarter
 * goes out then. */
static void what_moves_between_tiers_has_the_priority_it_is_given(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(TIERED, "cluster.nodes=3", "data.protection=none", "workload.kind=paced",
                "workload.rate=300 /s", "workload.vms=3", "workload.outstanding=64",
                "workload.read_share=0 %", "workload.block=64 KiB", STRIPE,
                "cluster.node.disk_groups.capacity.device=disk", "devices.disk.read=1 ms",
                "devices.disk.write=1 ms", "devices.disk.spread=deterministic", "tiers.priority=2",
                "tiers.low=15 %", "tiers.begin=20 %");
    let_nothing_be_met(cluster);
    run_until_idle(cluster, 1.0); /* 6.5 MB a device, in the mean */
    assert_within(destaged_bytes(cluster), 0.0, 0.0);
    run_until_idle(cluster, 2.5);
    guint64 destages = (guint64)(destaged_bytes(cluster) / UNIT);
    assert_true(destages > 100);
    assert_jobs(jobs_of(cluster, TRUE, AFT_CLASS_P2, UNIT, UNIT), destages, 0);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_P2, UNIT, UNIT), 0, destages);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_DESTAGE, UNIT, UNIT), 0, 0);
    for (guint i = 0; i < n_buffers(cluster); i++) {
        assert_true(aft_buffer_fill(buffer_at(cluster, i)) < 0.2);
    }
    assert_bytes_conserved(cluster);
    cluster_free(cluster);
}

/* The client pays two copies in logs; each unit that is destaged pays the plan of a write, and a
 * log's read. What one write covers has coalesced in any case. */
static void check_destage(const char *scheme, const char *nodes, const char *block)
{
    Cluster *cluster = trickle("destage", scheme, nodes, block);
    run_until_idle(cluster, 20.0);
    Cost cost = cost_of(cluster);
    double step = cluster->model->clients[0].ways[0].step_bytes;
    double whole = (double)cluster->model->clients[0].spec->block_bytes;
    guint64 reads = (guint64)cluster->completed[0], writes = (guint64)cluster->completed[1];
    guint64 units = (guint64)(destaged_bytes(cluster) / UNIT), destages = units / cost.units;
    assert_true(reads > 450 && writes > 450 && destages > 50);
    assert_jobs(jobs_of(cluster, TRUE, AFT_CLASS_CLIENT, whole, whole), 0, 2 * writes);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_CLIENT, step, step), reads * cost.units, 0);
    assert_within(destaged_bytes(cluster), (double)(destages * cost.units) * UNIT, 0.0);
    assert_jobs(jobs_of(cluster, TRUE, AFT_CLASS_DESTAGE, UNIT, UNIT), units, 0);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_DESTAGE, UNIT, UNIT), destages * cost.reads,
                destages * cost.writes);
    assert_int_equal(controller_jobs(cluster, AFT_CLASS_CLIENT), reads * cost.units + 2 * writes);
    assert_int_equal(controller_jobs(cluster, AFT_CLASS_DESTAGE),
                     units + destages * (cost.reads + cost.writes));
    assert_within(destaged_bytes(cluster) + dirty_bytes(cluster), (double)writes * whole, 0.0);
    assert_bytes_conserved(cluster);
    cluster_free(cluster);
}

static void behind_a_log_the_destage_pays_the_parity(void **state)
{
    (void)state;
    check_destage("none", "3", "4 KiB");
    check_destage("rf2", "4", "4 KiB");
    check_destage("rf3", "4", "4 KiB");
    check_destage("raid5", "5", "4 KiB");
    check_destage("raid6", "7", "4 KiB");
    check_destage("lrc", "17", "4 KiB");
    check_destage("raid5", "5", "128 KiB");
    check_destage("raid5", "5", "192 KiB");
    check_destage("raid6", "7", "256 KiB");
}

/* No wire carries a copy inside a node. */
static void a_destage_in_front_stays_in_its_node(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(TIERED, "cluster.node.nic=1 Gbit/s", "tiers.start=50 %", "data.protection=rf2");
    run_until_idle(cluster, 30.0);
    assert_true(dirty_bytes(cluster) < 10 * UNIT);
    for (guint i = 0; i < cluster->model->topology.n_nodes; i++) {
        assert_int_equal(cluster->model->topology.nodes[i].sending.sent_ns, 0);
        assert_int_equal(cluster->model->topology.nodes[i].receiving.sent_ns, 0);
    }
    cluster_free(cluster);
}

/* Of three cache devices two have a disk behind them, and only those are filled. */
static void idle_caches_do_not_count(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(TIERED, "tiers.start=50 %", "cluster.node.disk_groups.cache.count=3",
                               "cluster.node.disk_groups.capacity.count=2", "data.protection=rf2");
    assert_within(aft_model_moment(cluster->model).buffer_fill, 0.5, 1e-9);
    run_until_idle(cluster, 60.0);
    assert_true(aft_model_moment(cluster->model).buffer_fill < 0.01);
    cluster_free(cluster);
}

/* Every capacity device gets what is behind its own cache device, and as much as the others. */
static void devices_behind_are_destaged_to_alike(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(TIERED, "tiers.start=50 %", "cluster.node.disk_groups.cache.count=2",
                               "cluster.node.disk_groups.capacity.count=5", "data.protection=rf2");
    run_until_idle(cluster, 60.0);
    const AftTopology *topology = &cluster->model->topology;
    for (guint i = 0; i < topology->n_devices; i++) {
        const AftDevice *device = &topology->devices[i];
        AftStationSums sums;
        aft_station_sums(device->station, &sums);
        guint behind = device->buffer->n_behind;
        double units = 32e6 / UNIT / (device->cache ? 1.0 : behind);
        assert_within((double)sums.class[AFT_CLASS_DESTAGE].served, units, 2.0);
        assert_int_equal(behind, (device->buffer - topology->buffers) % 2 == 0 ? 3 : 2);
    }
    cluster_free(cluster);
}

/* What is dirty is far more than there is to write to: all units of a stripe have coalesced. */
static void a_log_full_of_everything_destages_whole_stripes(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(TIERED, "tiers.parity=destage", "tiers.start=80 %", "tiers.low=40 %",
                               STRIPE, "data.logical=1 MiB", "workload.kind=open",
                               "workload.vms=10", "workload.rate=20 /s", "workload.block=4 KiB");
    run_until_idle(cluster, 10.0);
    guint64 units = (guint64)(destaged_bytes(cluster) / UNIT);
    assert_true(units > 2000 && units % 3 == 0);
    assert_within(destaged_bytes(cluster), (double)units * UNIT, 0.0);
    assert_jobs(jobs_of(cluster, TRUE, AFT_CLASS_DESTAGE, UNIT, UNIT), units, 0);
    assert_jobs(jobs_of(cluster, FALSE, AFT_CLASS_DESTAGE, UNIT, UNIT), 0, units / 3 * 4);
    /* Nor does a write take room there. */
    assert_within(dirty_bytes(cluster) + destaged_bytes(cluster), 5 * 0.8 * 32e6, 0.0);
    cluster_free(cluster);
}

/* Of the other two units of a stripe, each has coalesced with the chance of a write to meet a
 * dirty block, which destages of a hundredth of all that is dirty hardly change. A destage of n
 * units writes n + 1. */
static void others_coalesce_by_chance(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(TIERED, "tiers.parity=destage", "devices.log.size=4 GB",
                               "tiers.start=50 %", "tiers.low=49.5 %", STRIPE, "data.logical=8 GB",
                               "workload.kind=open", "workload.vms=10", "workload.rate=1 /s",
                               "workload.block=4 KiB", "workload.read_share=100 %");
    double chance = 0.0;
    for (guint i = 0; i < n_buffers(cluster); i++) {
        chance += aft_buffer_overwrite_chance(buffer_at(cluster, i), NULL) / n_buffers(cluster);
    }
    run_until_idle(cluster, 10.0);
    double units = (double)jobs_of(cluster, TRUE, AFT_CLASS_DESTAGE, UNIT, UNIT).reads;
    double writes = (double)jobs_of(cluster, FALSE, AFT_CLASS_DESTAGE, UNIT, UNIT).writes;
    double destages = writes - units;
    assert_true(chance > 0.5 && chance < 0.7 && destages > 1000.0);
    /* Four standard errors of a mean of sums of two; the chance falls by 1 % on the way. */
    double error = sqrt(2.0 * chance * (1.0 - chance) / destages);
    assert_within(units / destages, 1.0 + 2.0 * chance, 4.0 * error + 0.01 * 2.0 * chance);
    cluster_free(cluster);
}

static gboolean is_full(const Cluster *cluster)
{
    return (aft_model_flags(cluster->model) & AFT_FLAG_BUFFER_FULL) != 0;
}

/* The widest stripe, one node of it gone: a destage of nearly all units reads as many from the log
 * and as many to decode the one that is missing, and writes them. */
static void the_widest_destage_has_room(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(TIERED, "tiers.parity=destage", "cluster.nodes=32", "data.protection.scheme=ec",
                "data.protection.data=31", "data.protection.parity=1", "data.logical=1 GB",
                "data.placement_groups=8", "tiers.start=95 %", "cluster.detect=0 s",
                "timeline[0].at=0 s", "timeline[0].fail=node 2", "workload.kind=open",
                "workload.vms=1", "workload.rate=1 /s");
    run_until_idle(cluster, 30.0);
    assert_within(dirty_bytes(cluster), buffer_at(cluster, 2)->dirty_bytes, 31.0 * 31.0 * UNIT);
    cluster_free(cluster);
}

/* Buffers begin a fifth full and fill faster than they are destaged: the first is full after
 * @wanted_s, and then clients write what is destaged, @written_per_s bytes a second. */
static void check_cliff(Cluster *cluster, double wanted_s, double written_per_s)
{
    double full_s = 0.0, block_bytes = (double)cluster->model->clients[0].spec->block_bytes;
    let_nothing_be_met(cluster);
    while (!is_full(cluster)) {
        full_s += 0.001 * wanted_s;
        cluster_run(cluster, full_s);
        assert_true(full_s < 2.0 * wanted_s);
    }
    assert_within(full_s / wanted_s, 1.0, 0.02);
    assert_string_equal(cluster->events->str, "buffers-full cluster");
    assert_true(aft_model_buffers_turned(cluster->model));
    assert_false(aft_model_buffers_turned(cluster->model)); /* it was asked */
    cluster_run(cluster, 1.2 * full_s);
    gint64 before = cluster->completed[1];
    cluster_run(cluster, 2.6 * full_s);
    assert_true(is_full(cluster));
    double written = (double)(cluster->completed[1] - before) * block_bytes;
    assert_within(written / (1.4 * full_s) / written_per_s, 1.0, 0.02);
    cluster_free(cluster);
}

/* One cache device of 640 MB and one disk a node. */
#define CLIFF                                                                                    \
    TIERED, "devices.log.size=640 MB", "cluster.node.disk_groups.capacity.count=1",              \
        "devices.disk.write=2 ms", "devices.disk.read=1 ms", "tiers.unit=256 KiB",               \
        "tiers.low=10 %", "tiers.start=20 %", "data.logical=1 GB", "data.placement_groups=4096", \
        "workload.kind=open", "workload.pacing=even", "workload.vms=10",                         \
        "workload.outstanding=1000", "workload.block=16 KiB", "workload.read_share=0 %"

#define CLIFF_BLOCK (16.0 * KIB)
#define CLIFF_UNIT  (256.0 * KIB)

/* Time of a disk for one unit: an access and a transfer. */
static double disk_s(gboolean write)
{
    return CLIFF_UNIT / (write ? 100e6 : 200e6) + (write ? 2e-3 : 1e-3);
}

static void writes_meet_the_cliff_when_buffers_are_full(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(CLIFF, "cluster.nodes=2", "data.protection=rf2", "tiers.in_flight=4",
                               "workload.rate=6000 /s");
    double in_per_s = 6000.0 * CLIFF_BLOCK, out_per_s = CLIFF_UNIT / disk_s(TRUE);
    check_cliff(cluster, 0.8 * 640e6 / (in_per_s - out_per_s), out_per_s);
}

/* Each of two logs has half of its device, and every unit is written to both disks. */
static void writes_meet_the_cliff_when_logs_are_full(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(CLIFF, "tiers.parity=destage", "cluster.nodes=2", "data.protection=rf2",
                "tiers.in_flight=16", "workload.rate=8000 /s");
    double in_per_s = 8000.0 * CLIFF_BLOCK, out_per_s = CLIFF_UNIT / disk_s(TRUE);
    check_cliff(cluster, 0.8 * 320e6 / (in_per_s / 2.0 - out_per_s / 2.0), out_per_s);
}

/* The share of groups with their parity on the node that has most of it, or least. */
static double parity_share(const Cluster *cluster, gboolean most)
{
    const AftPool *pool = cluster_pool(cluster);
    double share = most ? 0.0 : 1.0;
    for (guint node = 0; node < cluster->model->topology.n_nodes; node++) {
        double n = 0.0;
        for (guint group = 0; group < pool->n_groups; group++) {
            guint32 device = aft_pool_member(pool, group, pool->width - 1)->device;
            n += cluster_node_of(cluster, device) == node;
        }
        share = most ? MAX(share, n / pool->n_groups) : MIN(share, n / pool->n_groups);
    }
    return share;
}

/* Every unit is read and written twice, once for the parity and once for one of three data units:
 * all of them wait for the disk that has most parity, and the log that has least of it, hence most
 * data, is full first. Enough is under way to keep that disk busy. */
static void parity_logs_are_destaged_at_the_pace_of_their_plan(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(CLIFF, "tiers.parity=destage", "cluster.nodes=4", "data.protection=raid5",
                "tiers.in_flight=64", "workload.rate=24000 /s");
    double most = parity_share(cluster, TRUE), least = parity_share(cluster, FALSE);
    double busy_s = (most + (1.0 - most) / 3.0) * (disk_s(FALSE) + disk_s(TRUE));
    double in_per_s = 24000.0 * CLIFF_BLOCK, out_per_s = CLIFF_UNIT / busy_s;
    double growth_per_s = in_per_s * (1.0 - least) / 3.0 - out_per_s / 4.0;
    check_cliff(cluster, 0.8 * 320e6 / growth_per_s, out_per_s);
}

/* One I/O at a time, at a fill that nothing changes: all that is written is dirty already, and no
 * cell has a unit to destage. Asserts that each takes @expected_ns. */
static void check_latency(const char *fill, const char *read_share, gint64 expected_ns)
{
    g_autofree char *start = g_strdup_printf("tiers.start=%s", fill);
    g_autofree char *share = g_strdup_printf("workload.read_share=%s", read_share);
    Cluster *cluster = CLUSTER(TIERED, "cluster.nodes=2", "data.protection=rf2",
                               "cluster.node.disk_groups.capacity.count=4", "data.logical=1 MiB",
                               "tiers.unit=32 MB", "tiers.low=30 %", "tiers.delay_max=36 ms", start,
                               "workload.kind=closed", "workload.vms=1", "workload.outstanding=1",
                               "workload.block=4 KiB", share);
    cluster_run(cluster, 5.0);
    gint64 ios = cluster->completed[0] + cluster->completed[1];
    assert_true(ABS(cluster->longest_ns - expected_ns) <= 1); /* the delay is cut to whole ones */
    assert_int_equal(ios, 5 * SECOND_NS / cluster->longest_ns);
    assert_within(destaged_bytes(cluster), 0.0, 0.0);
    cluster_free(cluster);
}

/* From 30 to 90 %, the delay is 36 ms times the square of the way. */
static void the_delay_is_added_to_writes_alone(void **state)
{
    (void)state;
    const gint64 read_ns = 20000 + 2048, write_ns = 30000 + 4096, ms_ns = 1000000;
    check_latency("0 %", "0 %", write_ns);
    check_latency("30 %", "0 %", write_ns);
    check_latency("40 %", "0 %", write_ns + 1 * ms_ns);
    check_latency("60 %", "0 %", write_ns + 9 * ms_ns);
    check_latency("80 %", "0 %", write_ns + 25 * ms_ns);
    check_latency("90 %", "0 %", write_ns + 36 * ms_ns);
    check_latency("100 %", "0 %", write_ns + 36 * ms_ns);
    check_latency("30 %", "100 %", read_ns);
    check_latency("80 %", "100 %", read_ns);
    check_latency("100 %", "100 %", read_ns);
}

/* Nobody but a rebuild writes, through buffers that are nearly full. Returns: when it ends, s. */
static double rebuilt_s(const char *delay)
{
    g_autofree char *most = g_strdup_printf("tiers.delay_max=%s", delay);
    Cluster *cluster =
        CLUSTER(TIERED, most, "tiers.low=50 %", "tiers.start=85 %", "cluster.detect=1 s",
                "background.rebuild.delay=2 s", "timeline[0].at=1 s", "timeline[0].fail=node 2");
    cluster_run(cluster, 60.0);
    assert_phases(cluster, "steady failed rebuild catchup");
    double ended_s = cluster_turn_s(cluster, 3);
    cluster_free(cluster);
    return ended_s;
}

static void the_delay_spares_the_background(void **state)
{
    (void)state;
    assert_within(rebuilt_s("1 s"), rebuilt_s("0 s"), 0.0);
}

/* Client reads of 4 KiB at the devices of one buffer: its cache device's, and those behind. */
typedef struct {
    double hits, all;
} Reads;

static Reads reads_at(const Cluster *cluster, const AftBuffer *buffer)
{
    Reads reads = {0};
    for (guint i = 0; i < cluster->model->topology.n_devices; i++) {
        const AftDevice *device = &cluster->model->topology.devices[i];
        AftStationSums sums;
        aft_station_sums(device->station, &sums);
        double served = (double)sums.class[AFT_CLASS_CLIENT].served;
        reads.all += device->buffer == buffer ? served : 0.0;
        reads.hits += device->buffer == buffer && device->cache ? served : 0.0;
    }
    return reads;
}

/* A read cache of 16 MB beside a buffer of 48 MB; nothing but reads, and no destage. */
#define READERS                                                                             \
    TIERED, "tiers.read_share=25 %", "data.protection=rf2", "data.placement_groups=4096",   \
        "tiers.low=80 %", "workload.kind=open", "workload.vms=10", "workload.rate=5000 /s", \
        "workload.block=4 KiB", "workload.read_share=100 %"

/* What is warm can grow no more, so the chance stays what it is. */
static void check_hits(const char *logical, const char *working_set, const char *start)
{
    g_autofree char *data = g_strdup_printf("data.logical=%s", logical);
    g_autofree char *set = g_strdup_printf("workload.working_set=%s", working_set);
    g_autofree char *fill = g_strdup_printf("tiers.start=%s", start);
    Cluster *cluster = CLUSTER(READERS, data, set, fill);
    cluster_run(cluster, 10.0);
    for (guint i = 0; i < n_buffers(cluster); i++) {
        const AftBuffer *buffer = buffer_at(cluster, i);
        Reads reads = reads_at(cluster, buffer);
        double chance = aft_buffer_hit_chance(buffer, NULL);
        double working = buffer->working_bytes;
        double cold = 1.0 - MIN(buffer->dirty_bytes / working, 1.0);
        assert_within(chance, 1.0 - cold * (1.0 - MIN(16e6 / working, 1.0)), 1e-9);
        assert_true(reads.all > 5000.0 && chance > 0.1);
        assert_within(reads.hits / reads.all, chance,
                      4.0 * sqrt(chance * (1.0 - chance) / reads.all));
    }
    cluster_free(cluster);
}

static void reads_hit_by_what_is_dirty_and_warm(void **state)
{
    (void)state;
    check_hits("200 MB", "200 MB", "0 %"); /* 80 MB behind each */
    check_hits("200 MB", "100 MB", "0 %");
    check_hits("200 MB", "100 MB", "40 %");
    check_hits("200 MB", "20 MB", "0 %"); /* all warm */
    check_hits("50 MB", "50 MB", "60 %"); /* all dirty */
}

/* Each miss warms 4 KiB of W: after n reads, W (1 - (1 - 4 KiB / W)^n) are warm, which is
 * dw / dn = 4 KiB (1 - w / W). */
static void a_cold_cache_warms_by_its_misses(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(READERS, "data.logical=100 MB", "workload.working_set=30 MB");
    for (guint i = 0; i < n_buffers(cluster); i++) {
        buffer_at(cluster, i)->warm_bytes = 0.0;
    }
    for (double at_s = 0.5; at_s < 12.0; at_s *= 2.0) {
        cluster_run(cluster, at_s);
        for (guint i = 0; i < n_buffers(cluster); i++) {
            const AftBuffer *buffer = buffer_at(cluster, i);
            double working = buffer->working_bytes, block = 4.0 * KIB;
            double n = reads_at(cluster, buffer).all;
            double warm = working * (1.0 - pow(1.0 - block / working, n));
            /* A chain that rises by one of W / 4 KiB at most, with this variance at most. */
            double error = 0.5 * sqrt(working / block) * block;
            assert_within(buffer->warm_bytes, MIN(warm, 16e6), 4.0 * error + 40.0 * block);
        }
    }
    cluster_free(cluster);
}

static double least_hit_chance(const Cluster *cluster, guint but_node)
{
    double least = 1.0;
    for (guint i = 0; i < n_buffers(cluster); i++) {
        if (buffer_at(cluster, i)->node != but_node) {
            least = MIN(least, aft_buffer_hit_chance(buffer_at(cluster, i), NULL));
        }
    }
    return least;
}

/* Node 2 dies; its data goes to the others after 10 s, and comes back after 60 s. */
#define LOSES_A_NODE                                                                    \
    "cluster.detect=1 s", "background.rebuild.delay=10 s", "timeline[0].at=1 s",        \
        "timeline[0].fail=node 2", "timeline[1].at=60 s", "timeline[1].restore=node 2", \
        "workload.restart=1 s", "workload.return=1 s"

/* All of some 10 MB behind each cache device is warm at first. */
static void caches_cool_with_failures_and_moves_and_warm_again(void **state)
{
    (void)state;
    Cluster *cluster = CLUSTER(READERS, LOSES_A_NODE, "data.logical=24 MB");
    assert_within(least_hit_chance(cluster, 5), 1.0, 1e-12);
    cluster_run(cluster, 5.0);
    assert_within(least_hit_chance(cluster, 2), 1.0, 1e-12); /* nothing has moved */
    assert_within(buffer_at(cluster, 2)->warm_bytes, 0.0, 0.0);
    double before = buffer_at(cluster, 0)->working_bytes;
    cluster_run(cluster, 11.01); /* transfers have a place now, where nobody has read yet */
    double now = buffer_at(cluster, 0)->working_bytes;
    assert_true(now / before > 1.15 && now / before < 1.35);
    assert_within(buffer_at(cluster, 0)->warm_bytes / now, before / now, 0.01);
    cluster_run(cluster, 59.0);
    assert_true(least_hit_chance(cluster, 2) > 0.99);
    cluster_run(cluster, 60.01);
    const AftBuffer *back = buffer_at(cluster, 2);
    assert_true(back->warm_bytes < 0.05 * back->working_bytes); /* it comes back cold */
    cluster_run(cluster, 90.0);
    assert_true(aft_buffer_hit_chance(back, NULL) > 0.99);
    cluster_free(cluster);
}

/* Nobody writes. What is dirty on a dead node waits there, and is destaged once it is back. */
static void check_dirty_outlives_its_node(const char *parity)
{
    g_autofree char *tiers = g_strdup_printf("tiers.parity=%s", parity);
    Cluster *cluster =
        CLUSTER(TIERED, LOSES_A_NODE, tiers, "tiers.start=90 %", "tiers.low=10 %",
                "timeline[1].at=20 s", "devices.log.size=640 MB", "background.rebuild.delay=1 h",
                "workload.kind=open", "workload.vms=10", "workload.rate=10 /s",
                "workload.read_share=100 %");
    AftBuffer *buffer = buffer_at(cluster, 2);
    cluster_run(cluster, 4.0); /* what it had sent to others has been written there */
    double dirty = buffer->dirty_bytes, others = dirty_bytes(cluster) - dirty;
    assert_true(dirty > 0.5 * buffer->size_bytes);
    assert_int_equal(buffer->in_flight, 0);
    cluster_run(cluster, 20.0 - 1e-9);
    assert_within(buffer->dirty_bytes, dirty, 0.0);
    assert_within(buffer->claimed_bytes, 0.0, 1e-6);
    assert_true(dirty_bytes(cluster) - dirty < others - 16e6); /* they go on without it */
    run_until_idle(cluster, 200.0);
    for (guint i = 0; i < n_buffers(cluster); i++) {
        assert_within(buffer_at(cluster, i)->dirty_bytes, 0.1 * buffer_at(cluster, i)->size_bytes,
                      2 * UNIT);
    }
    cluster_free(cluster);
}

static void what_is_dirty_outlives_its_node(void **state)
{
    (void)state;
    check_dirty_outlives_its_node("front");
    check_dirty_outlives_its_node("destage");
}

/* Sixty writes are always under way, most of them waiting for room. Those at the node that dies
 * are tried again, elsewhere or when it is back: none is lost, and none done twice. */
static void check_waiting_writes(const char *parity)
{
    g_autofree char *tiers = g_strdup_printf("tiers.parity=%s", parity);
    Cluster *cluster =
        CLUSTER(TIERED, LOSES_A_NODE, tiers, "timeline[0].fail=node 0",
                "timeline[1].restore=node 0", "tiers.start=95 %", "workload.on=3",
                "devices.log.size=8 MB", "devices.disk.write=5 ms", "data.logical=4 GB",
                "workload.kind=closed", "workload.vms=1", "workload.outstanding=60",
                "workload.block=64 KiB", "workload.read_share=0 %",
                "background.rebuild.unit=64 KiB", "background.rebuild.bandwidth=1 MB/s");
    const double looks_s[] = {1.001, 1.5, 2.5, 9.0, 20.0, 59.9, 61.0, 80.0};
    const AftVm *vm = &cluster->model->clients[0].vms[0];
    cluster_run(cluster, 0.999);
    assert_non_null(buffer_at(cluster, 0)->waiting);
    gint64 completed = cluster->completed[1];
    for (guint i = 0; i < G_N_ELEMENTS(looks_s); i++) {
        gboolean unnoticed = looks_s[i] < 2.0;
        cluster_run(cluster, looks_s[i]);
        assert_int_equal(vm->in_flight, 60);
        assert_int_equal(vm->served, cluster->completed[1]);
        assert_true(unnoticed || cluster->completed[1] > completed);
        assert_true(looks_s[i] >= 60.0 || buffer_at(cluster, 0)->waiting == NULL);
        completed = cluster->completed[1];
    }
    cluster_free(cluster);
}

static void waiting_writes_are_tried_again(void **state)
{
    (void)state;
    check_waiting_writes("front");
    check_waiting_writes("destage");
}

/* With two nodes of RAID-5 gone, what logs have of it is lost: nobody waits for that room. */
static void a_log_of_lost_data_gives_its_room_away(void **state)
{
    (void)state;
    Cluster *cluster =
        CLUSTER(TIERED, "tiers.parity=destage", "tiers.start=95 %", "devices.log.size=8 MB",
                "cluster.nodes=4", "workload.kind=open", "workload.vms=1", "workload.on=0",
                "workload.rate=4000 /s", "workload.block=64 KiB", "workload.outstanding=1000",
                "workload.read_share=0 %", "cluster.detect=1 s", "timeline[0].at=2 s",
                "timeline[0].fail=node 2", "timeline[1].at=2.5 s", "timeline[1].fail=node 3");
    cluster_run(cluster, 1.999);
    assert_non_null(buffer_at(cluster, 0)->waiting);
    assert_non_null(buffer_at(cluster, 1)->waiting);
    cluster_run(cluster, 10.0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 64);
    assert_int_equal(aft_model_moment(cluster->model).in_flight, 0);
    assert_null(buffer_at(cluster, 0)->waiting);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_front_the_client_pays_the_parity),
        cmocka_unit_test(what_moves_between_tiers_has_the_priority_it_is_given),
        cmocka_unit_test(behind_a_log_the_destage_pays_the_parity),
        cmocka_unit_test(a_destage_in_front_stays_in_its_node),
        cmocka_unit_test(idle_caches_do_not_count),
        cmocka_unit_test(devices_behind_are_destaged_to_alike),
        cmocka_unit_test(a_log_full_of_everything_destages_whole_stripes),
        cmocka_unit_test(others_coalesce_by_chance),
        cmocka_unit_test(the_widest_destage_has_room),
        cmocka_unit_test(writes_meet_the_cliff_when_buffers_are_full),
        cmocka_unit_test(writes_meet_the_cliff_when_logs_are_full),
        cmocka_unit_test(parity_logs_are_destaged_at_the_pace_of_their_plan),
        cmocka_unit_test(the_delay_is_added_to_writes_alone),
        cmocka_unit_test(the_delay_spares_the_background),
        cmocka_unit_test(reads_hit_by_what_is_dirty_and_warm),
        cmocka_unit_test(a_cold_cache_warms_by_its_misses),
        cmocka_unit_test(caches_cool_with_failures_and_moves_and_warm_again),
        cmocka_unit_test(what_is_dirty_outlives_its_node),
        cmocka_unit_test(waiting_writes_are_tried_again),
        cmocka_unit_test(a_log_of_lost_data_gives_its_room_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
