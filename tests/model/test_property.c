/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random small clusters whose nodes die and come back at random, looked at in random moments.
 * AFTERSHOCK_SCENARIOS says how many (default 50), AFTERSHOCK_SCENARIO begins at another one; a
 * single one is shown. */
#include "random_cluster.h"

#define TROUBLE_S 150.0 /* all that breaks is back by then */
#define END_S     400.0

static const char *one_of(Maker *maker, const char *const *texts)
{
    guint n = 0;
    while (texts[n] != NULL) {
        n++;
    }
    return texts[below(maker, n)];
}

/* Now and then there is just one node more than members, or not even that. */
static void add_cluster(Maker *maker)
{
    static const Scheme schemes[] = {{"none", 1, 0, 0},  {"rf2", 2, 0, 0},
                                     {"rf3", 3, 0, 0},   {"raid5", 4, 0, 0},
                                     {"raid6", 6, 0, 0}, {"raid0", 3, 3, 0},
                                     {"lrc", 8, 4, 2},   {"rf-then-encode", 4, 2, 0}};
    guint s = below(maker, G_N_ELEMENTS(schemes)), groups = 1 + below(maker, 48);
    if (s >= 1 && s <= 4 && below(maker, 2)) {
        maker->coded = s >= 3;
        maker->data = s == 3 ? 3 : s == 4 ? 4 : 1 + below(maker, 4);
        groups = maker->coded ? 1 + below(maker, 16) : maker->data * (1 + below(maker, 16));
    }
    if (s == 7) {
        groups = 2 * (1 + below(maker, 24));
        add(maker, "data.protection.parity=%u", 1 + below(maker, 2));
        add(maker, "data.protection.copies=%u", 2 + below(maker, 2));
        add(maker, "data.protection.age=%.3f s", between(maker, 0.0, TROUBLE_S));
    }
    guint widest = maker->data > 0 ? MAX(maker->data + 2, 4) : 1;
    maker->nodes = MAX(schemes[s].width, widest) + below(maker, 4);
    add(maker, "cluster.nodes=%u", maker->nodes);
    add_scheme(maker, &schemes[s]);
    add(maker, "data.placement_groups=%u", groups);
    add(maker, "data.logical=%u kB", 1000 + below(maker, 60000));
    add(maker, "devices.disk.read=%u ms", 1 + below(maker, 5));
    add(maker, "devices.disk.write=%u ms", 1 + below(maker, 5));
    add(maker, "devices.disk.spread=%s",
        one_of(maker, (const char *const[]){"deterministic", "exponential", "lognormal", NULL}));
    add(maker, "cluster.detect=%.3f s", below(maker, 4) == 0 ? 0.0 : between(maker, 0.0, 8.0));
    if (below(maker, 2)) {
        add(maker, "data.protection.updates=%u", 1 + below(maker, 3));
    }
    if (below(maker, 2)) {
        add(maker, "cluster.node.nic=%u Mbit/s", 50 + below(maker, 1000));
    }
    if (below(maker, 2)) {
        add(maker, "cluster.node.controller.slots=%u", 1 + below(maker, 3));
        add(maker, "cluster.node.controller.io=%u us", below(maker, 500));
        add(maker, "cluster.node.controller.latency=%u us", below(maker, 500));
        add(maker, "data.protection.degraded=%u us", below(maker, 500));
        add(maker, "data.protection.update=%u us", below(maker, 500));
    }
}

static void add_background(Maker *maker)
{
    static const char *const tasks[] = {"rebuild", "rebalance", "convert", "encode"};
    static const char *const schedulers[] = {"fifo",     "strict",           "weighted",
                                             "vsan-6.6", "ceph-high-client", "ceph-high-recovery"};
    guint scheduler = below(maker, G_N_ELEMENTS(schedulers));
    add(maker, "background.scheduler=%s", schedulers[scheduler]);
    maker->strict = scheduler == 1;
    for (guint i = 0; i < G_N_ELEMENTS(tasks); i++) {
        add_task(maker, tasks[i], TRUE);
    }
}

static void add_workload(Maker *maker, guint i)
{
    guint kind = below(maker, 3), think_ms = maker->strict ? 200 : below(maker, 2) * 200;
    gboolean busy = kind == AFT_WORKLOAD_CLOSED && think_ms == 0; /* hundreds of I/Os a second */
    guint vms = 1 + below(maker, busy ? 2 : 8);
    add(maker, "workload[%u].kind=%s", i, (const char *const[]){"closed", "open", "paced"}[kind]);
    add(maker, "workload[%u].vms=%u", i, vms);
    add(maker, "workload[%u].on=%u", i, below(maker, maker->nodes));
    add(maker, "workload[%u].read_share=%.3f", i, aft_stream_uniform(&maker->stream));
    maker->block_kib[i] = 4u << below(maker, 5);
    add_demand(maker, i, (AftWorkloadKind)kind, vms, think_ms);
}

/* Bursts that are fast or slow, and a day that changes within minutes of the start. */
static void add_rhythm(Maker *maker, guint i)
{
    if (below(maker, 3) == 0) {
        add(maker, "workload[%u].burst.factor=%.3f", i, between(maker, 1.5, 20.0));
        add(maker, "workload[%u].burst.share=%.3f", i, between(maker, 0.02, 0.9));
        add(maker, "workload[%u].burst.mean=%.4f s", i, between(maker, 0.01, 10.0));
    }
    if (below(maker, 3) == 0) {
        add(maker, "workload[%u].day_start=%u s", i, 43200 - below(maker, 60));
        add(maker, "workload[%u].day[0]=%u", i, 1 + below(maker, 3));
        add(maker, "workload[%u].day[1]=%u", i, below(maker, 3));
    }
}

/* One size of block or two, anywhere, in sequence, by Zipf's law or nearby. */
static void add_manner(Maker *maker, guint i)
{
    guint manner = below(maker, 4);
    if (below(maker, 2)) {
        add(maker, "workload[%u].block=%u KiB", i, maker->block_kib[i]);
    } else {
        add(maker, "workload[%u].blocks[0].block=%u KiB", i, maker->block_kib[i]);
        add(maker, "workload[%u].blocks[0].share=60 %%", i);
        add(maker, "workload[%u].blocks[1].block=%u KiB", i, 4 << below(maker, 5));
        add(maker, "workload[%u].blocks[1].share=40 %%", i);
        add(maker, "workload[%u].blocks[1].read_share=%.3f", i, between(maker, 0.0, 1.0));
    }
    if (manner == 1) {
        add(maker, "workload[%u].access=sequential", i);
        add(maker, "workload[%u].streams=%u", i, 1 + below(maker, 4));
    } else if (manner == 2) {
        add(maker, "workload[%u].skew=zipf", i);
        add(maker, "workload[%u].theta=%.3f", i, between(maker, 0.1, 2.0));
    }
    if (manner >= 2 && below(maker, 2)) {
        add(maker, "workload[%u].locality=%.3f", i, between(maker, 0.0, 1.0));
    }
    if (maker->poisson[i]) {
        add_rhythm(maker, i);
    }
}

/* Cache devices with buffers of a few units, which fill now and then, and room for some reads. */
static void add_tiers(Maker *maker)
{
    gboolean logs = maker->nodes > 1 && below(maker, 2);
    guint low = below(maker, 80);
    if (below(maker, 2)) {
        return;
    }
    add(maker, "devices.log.read=%u us", 10 + below(maker, 1000));
    add(maker, "devices.log.write=%u us", 10 + below(maker, 1000));
    add(maker, "devices.log.size=%u MiB", (logs ? 8 : 4) * (1 + below(maker, 4)));
    add(maker, "devices.log.write_bandwidth=%u MB/s", 20 + below(maker, 500));
    add(maker, "cluster.node.disk_groups.cache.device=log");
    add(maker, "cluster.node.disk_groups.cache.count=%u", 1 + below(maker, 3));
    add(maker, "tiers.parity=%s", logs ? "destage" : "front");
    add_destage(maker, low);
    if (!maker->strict && below(maker, 3) == 0) { /* too slow for what comes in */
        add(maker, "devices.disk.write=%u ms", 10 + below(maker, 40));
    }
    maker->tiered = TRUE;
}

static void add_service(Maker *maker, const char *name)
{
    if (below(maker, 3) > 0) {
        return;
    }
    if (maker->tiered && below(maker, 2)) {
        add(maker, "data.services.%s.when=destage", name);
    }
    add(maker, "data.services.%s.ratio=%.3f", name, between(maker, 0.2, 1.0));
    add(maker, "data.services.%s.read_delay=%u us", name, below(maker, 500));
    add(maker, "data.services.%s.write_delay=%u us", name, below(maker, 500));
    add(maker, "data.services.%s.io=%u us", name, below(maker, 200));
    add(maker, "data.services.%s.per_mib=%u us", name, below(maker, 2000));
    if (!maker->strict) {
        add(maker, "data.services.%s.metadata_reads=%.2f", name, between(maker, 0.0, 2.0));
        add(maker, "data.services.%s.metadata_writes=%.2f", name, between(maker, 0.0, 2.0));
    }
    add(maker, "data.services.%s.background_factor=%.2f", name, between(maker, 0.5, 3.0));
    add(maker, "data.services.%s.degraded=%u us", name, below(maker, 300));
}

/* Every node dies and returns up to three times, on its own. */
static void add_timeline(Maker *maker)
{
    for (guint node = 0; node < maker->nodes; node++) {
        double at_s = 0.0;
        for (guint deaths = below(maker, 4); deaths > 0; deaths--) {
            at_s = between(maker, at_s + 0.001, TROUBLE_S / 2.0);
            add(maker, "timeline[%u].at=%.4f s", maker->n_actions, at_s);
            add(maker, "timeline[%u].fail=node %u", maker->n_actions++, node);
            at_s += below(maker, 2) ? between(maker, 0.001, 5.0)
                                    : between(maker, 0.001, TROUBLE_S / 2.0);
            add(maker, "timeline[%u].at=%.4f s", maker->n_actions, at_s);
            add(maker, "timeline[%u].restore=node %u", maker->n_actions++, node);
            if (at_s >= TROUBLE_S / 2.0 - 1.0) {
                break;
            }
        }
    }
}

static void check_end(const Cluster *cluster)
{
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_true(aft_model_is_settled(cluster->model));
    assert_int_equal(aft_model_flags(cluster->model), 0);
    assert_int_equal(aft_model_moment(cluster->model).lost_groups, 0);
    assert_within(aft_model_moment(cluster->model).used_bytes, cluster_stored_bytes(cluster),
                  1e-9 * cluster->first_used_bytes);
    assert_all_at_home(cluster);
    const AftPool *pool = cluster_pool(cluster);
    const AftLayout *goal = &pool->layouts[pool->goal];
    for (guint group = 0; group < pool->n_groups; group++) {
        const AftGroup *it = &pool->groups[group];
        guint chunk = aft_pool_first_chunk(pool, group);
        assert_true(!it->used || it->layout == pool->goal || chunk < pool->goal_from ||
                    goal->width > cluster->model->topology.n_nodes);
    }
}

static gboolean check_scenario(guint number, gboolean verbose)
{
    Maker maker = {.settings = g_ptr_array_new_with_free_func(g_free)};
    aft_stream_init(&maker.stream, 1, 0, "test.property", number);
    add_cluster(&maker);
    add_background(&maker);
    guint n_workloads = below(&maker, 3);
    for (guint i = 0; i < n_workloads; i++) {
        add_workload(&maker, i);
    }
    add_tiers(&maker);
    add_service(&maker, "compression");
    add_service(&maker, "dedupe");
    add_timeline(&maker);
    add_conversions(&maker, TROUBLE_S);
    for (guint i = 0; i < n_workloads; i++) {
        add_manner(&maker, i);
    }
    add(&maker, "run.seed=%u", number);
    g_ptr_array_add(maker.settings, NULL);
    if (verbose) {
        show_settings(&maker);
    }
    Cluster *cluster = cluster_new((const char *const *)maker.settings->pdata);
    run_and_look(cluster, &maker, END_S, verbose);
    gboolean ended = !cluster_is_overloaded(cluster);
    if (ended) {
        check_end(cluster);
    }
    cluster_free(cluster);
    g_ptr_array_unref(maker.settings);
    return ended;
}

static void whatever_breaks_everything_adds_up_and_ends_well(void **state)
{
    (void)state;
    guint first = first_scenario(), n = n_scenarios();
    guint ended = 0;
    for (guint i = first; i < first + n; i++) {
        g_test_message("scenario %u", i);
        ended += check_scenario(i, n == 1) ? 1 : 0;
    }
    assert_true(ended >= n * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_breaks_everything_adds_up_and_ends_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
