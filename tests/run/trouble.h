/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trouble.h - random small clusters in which everything that can break does, and much that is meant
 * to be done is done meanwhile, as texts "path=value".
 */
#pragma once

#include "random_cluster.h"

#define TROUBLE_S 120.0 /* all that breaks is back by then */
#define END_S     500.0
#define TRIES     40 /* to make a scenario that can run */

static void add_devices(Maker *maker)
{
    static const char *const spreads[] = {"deterministic", "exponential", "lognormal"};
    add(maker, "version=1");
    add(maker, "devices.disk.read=%u ms", 1 + below(maker, 5));
    add(maker, "devices.disk.write=%u ms", 1 + below(maker, 5));
    add(maker, "devices.disk.spread=%s", spreads[below(maker, 3)]);
    add(maker, "devices.disk.size=%s", one_in(maker, 4) ? "60 MB" : "10 GB");
    add(maker, "devices.large.read=%u ms", 1 + below(maker, 5));
    add(maker, "devices.large.write=%u ms", 1 + below(maker, 5));
    add(maker, "devices.large.size=20 GB");
    add(maker, "devices.log.read=%u us", 10 + below(maker, 1000));
    add(maker, "devices.log.write=%u us", 10 + below(maker, 1000));
    add(maker, "devices.log.size=%u MiB", 16 * (1 + below(maker, 4)));
    add(maker, "devices.log.write_bandwidth=%u MB/s", 20 + below(maker, 500));
}

/* The nodes of one kind: @path is theirs in the scenario. */
static Kind add_kind(Maker *maker, const char *path, gboolean data)
{
    Kind kind = {.compute = !data || !one_in(maker, 5)};
    if (data) {
        kind.disk_groups = 1 + below(maker, 2);
        kind.capacity = 1 + below(maker, 4);
        kind.cache = maker->tiered ? 1 + below(maker, 2) : 0;
        add(maker, "%s.disk_groups.count=%u", path, kind.disk_groups);
        add(maker, "%s.disk_groups.capacity.device=%s", path, one_in(maker, 3) ? "large" : "disk");
        add(maker, "%s.disk_groups.capacity.count=%u", path, kind.capacity);
    }
    if (kind.cache > 0) {
        add(maker, "%s.disk_groups.cache.device=log", path);
        add(maker, "%s.disk_groups.cache.count=%u", path, kind.cache);
    }
    add(maker, "%s.compute=%s", path, kind.compute ? "on" : "off");
    if (one_in(maker, 2)) {
        add(maker, "%s.nic=%u Mbit/s", path, 50 + below(maker, 1000));
    }
    if (one_in(maker, 2)) {
        add(maker, "%s.controller.slots=%u", path, 1 + below(maker, 3));
        add(maker, "%s.controller.io=%u us", path, below(maker, 500));
        add(maker, "%s.controller.latency=%u us", path, below(maker, 500));
    }
    return kind;
}

static void add_nodes_like(Maker *maker, guint n, Kind kind)
{
    maker->kind = g_renew(Kind, maker->kind, maker->nodes + n);
    for (guint i = 0; i < n; i++) {
        maker->kind[maker->nodes++] = kind;
    }
}

/* One kind of nodes, or up to three, one of which may hold no data. */
static void add_nodes(Maker *maker, guint data_nodes)
{
    if (one_in(maker, 2)) {
        add_nodes_like(maker, data_nodes, add_kind(maker, "cluster.node", TRUE));
        add(maker, "cluster.nodes=%u", data_nodes);
        return;
    }
    guint kinds = 1 + below(maker, 3);
    for (guint i = 0; i < kinds; i++) {
        g_autofree char *path = g_strdup_printf("cluster.groups[%u].node", i);
        gboolean data = i == 0 || !one_in(maker, 3);
        guint n = i > 0 ? 1 + below(maker, 3) : data_nodes;
        add(maker, "cluster.groups[%u].nodes=%u", i, n);
        if (one_in(maker, 3)) {
            add(maker, "cluster.groups[%u].rack=%u", i, below(maker, maker->racks));
        }
        add_nodes_like(maker, n, add_kind(maker, path, data));
    }
}

static void add_cluster(Maker *maker)
{
    static const Scheme schemes[] = {{"none", 1, 0, 0},  {"rf2", 2, 0, 0},   {"rf3", 3, 0, 0},
                                     {"raid5", 4, 0, 0}, {"raid6", 6, 0, 0}, {"raid0", 3, 3, 0},
                                     {"lrc", 8, 4, 2},   {"rf2", 2, 0, 0},   {"raid5", 4, 0, 0}};
    static const char *const domains[] = {"device", "node", "rack"};
    guint s = below(maker, G_N_ELEMENTS(schemes)), groups = 1 + below(maker, 48);
    if (s >= 1 && s <= 4 && one_in(maker, 2)) {
        maker->coded = s >= 3;
        maker->data = s == 3 ? 3 : s == 4 ? 4 : 1 + below(maker, 4);
        groups = maker->coded ? 1 + below(maker, 16) : maker->data * (1 + below(maker, 16));
    }
    maker->tiered = one_in(maker, 2);
    guint width = MAX(schemes[s].width, maker->data > 0 ? MAX(maker->data + 2, 4) : 1);
    guint domain = below(maker, 3);
    guint nodes = domain == 0 ? 1 + below(maker, 5) : width + below(maker, 4);
    maker->racks = domain == 2 ? width + below(maker, 2) : 1 + below(maker, 4);
    add(maker, "cluster.racks=%u", maker->racks);
    add_nodes(maker, domain == 2 ? MAX(nodes, maker->racks) + below(maker, 4) : nodes);
    add(maker, "cluster.detect=%.3f s", one_in(maker, 4) ? 0.0 : between(maker, 0.0, 8.0));
    add_scheme(maker, &schemes[s]);
    add(maker, "data.protection.degraded=%u us", below(maker, 500));
    add(maker, "data.protection.update=%u us", below(maker, 500));
    if (one_in(maker, 2)) {
        add(maker, "data.protection.updates=%u", 1 + below(maker, 3));
    }
    add(maker, "data.placement_groups=%u", groups);
    add(maker, "data.logical=%u kB", 1000 + below(maker, 60000));
    add(maker, "data.domain=%s", domains[domain]);
}

static void add_background(Maker *maker)
{
    static const char *const tasks[] = {"rebuild", "rebalance", "evacuate", "convert", "encode"};
    static const char *const schedulers[] = {"fifo", "strict", "weighted"};
    guint scheduler = below(maker, 3);
    add(maker, "background.scheduler=%s", schedulers[scheduler]);
    maker->strict = scheduler == 1;
    if (one_in(maker, 3)) {
        add(maker, "background.rebuild.device_delay=%.3f s", between(maker, 0.0, 30.0));
    }
    for (guint i = 0; i < G_N_ELEMENTS(tasks); i++) {
        add_task(maker, tasks[i], i != 2);
    }
}

/* Up to three nodes that machines may run on. */
static void add_selection(Maker *maker, guint i)
{
    g_autoptr(GString) on = g_string_new(NULL);
    guint first = below(maker, maker->nodes), n = 1 + below(maker, 3);
    for (guint k = 0; k < maker->nodes && n > 0; k++) {
        guint node = (first + k) % maker->nodes;
        if (maker->kind[node].compute) {
            g_string_append_printf(on, "%s%u", on->len > 0 ? "," : "", node);
            n--;
        }
    }
    if (on->len > 0) {
        add(maker, "workload[%u].on=%s", i, on->str);
    }
}

static void add_workload(Maker *maker, guint i)
{
    guint kind = below(maker, 3), think_ms = maker->strict ? 200 : below(maker, 2) * 200;
    gboolean busy = kind == AFT_WORKLOAD_CLOSED && think_ms == 0; /* hundreds of I/Os a second */
    guint vms = 1 + below(maker, busy ? 2 : 8);
    add(maker, "workload[%u].kind=%s", i, (const char *const[]){"closed", "open", "paced"}[kind]);
    add(maker, "workload[%u].vms=%u", i, vms);
    add_selection(maker, i);
    add(maker, "workload[%u].read_share=%.3f", i, aft_stream_uniform(&maker->stream));
    add(maker, "workload[%u].block=%u KiB", i, 4 << below(maker, 5));
    add_demand(maker, i, (AftWorkloadKind)kind, vms, think_ms);
}

static void add_tiers(Maker *maker)
{
    guint low = below(maker, 80);
    if (!maker->tiered) {
        return;
    }
    add(maker, "tiers.parity=%s", one_in(maker, 2) ? "destage" : "front");
    add_destage(maker, low);
}

static void add_service(Maker *maker, const char *name)
{
    if (below(maker, 3) > 0) {
        return;
    }
    if (maker->tiered && one_in(maker, 2)) {
        add(maker, "data.services.%s.when=destage", name);
    }
    add(maker, "data.services.%s.ratio=%.3f", name, between(maker, 0.2, 1.0));
    add(maker, "data.services.%s.io=%u us", name, below(maker, 200));
    add(maker, "data.services.%s.failure_domain=%s", name, one_in(maker, 2) ? "group" : "device");
    if (!maker->strict) {
        add(maker, "data.services.%s.metadata_reads=%.2f", name, between(maker, 0.0, 2.0));
        add(maker, "data.services.%s.metadata_writes=%.2f", name, between(maker, 0.0, 2.0));
    }
    add(maker, "data.services.%s.background_factor=%.2f", name, between(maker, 0.5, 3.0));
}

/* A part that is there. Returns: (transfer full) (nullable): chance met none. */
static char *choose_part(Maker *maker)
{
    guint node = below(maker, maker->nodes), what = below(maker, 8);
    const Kind *kind = &maker->kind[node];
    guint group = below(maker, MAX(kind->disk_groups, 1));
    if (what == 0) {
        return g_strdup_printf("rack %u", below(maker, maker->racks));
    }
    if (what <= 2) {
        return g_strdup_printf("%s %u", what == 1 ? "node" : "controller", node);
    }
    if (kind->disk_groups == 0 || (what == 4 && kind->cache == 0)) {
        return NULL;
    }
    if (what <= 4) {
        return g_strdup_printf("%s %u.%u", what == 3 ? "group" : "cache", node, group);
    }
    return g_strdup_printf("device %u.%u.%u", node, group, below(maker, kind->capacity));
}

/* It dies and returns up to three times. */
static void add_outages(Maker *maker, const char *part)
{
    double at_s = 0.0;
    for (guint deaths = 1 + below(maker, 3); deaths > 0 && at_s < TROUBLE_S - 2.0; deaths--) {
        at_s = between(maker, at_s + 0.001, TROUBLE_S - 1.0);
        add(maker, "timeline[%u].at=%.4f s", maker->n_actions, at_s);
        add(maker, "timeline[%u].fail=%s", maker->n_actions++, part);
        at_s =
            between(maker, at_s + 0.001, one_in(maker, 2) ? MIN(at_s + 5.0, TROUBLE_S) : TROUBLE_S);
        add(maker, "timeline[%u].at=%.4f s", maker->n_actions, at_s);
        add(maker, "timeline[%u].restore=%s", maker->n_actions++, part);
    }
}

static void add_slowness(Maker *maker)
{
    guint i = maker->n_actions++, node = below(maker, maker->nodes);
    const Kind *kind = &maker->kind[node];
    add(maker, "timeline[%u].at=%.4f s", i, between(maker, 0.0, TROUBLE_S));
    if (kind->disk_groups > 0 && one_in(maker, 2)) {
        add(maker, "timeline[%u].slow.device=%u.%u.%u", i, node, below(maker, kind->disk_groups),
            below(maker, kind->capacity));
    } else if (one_in(maker, 2)) {
        add(maker, "timeline[%u].slow.link=rack %u", i, below(maker, maker->racks));
    } else {
        add(maker, "timeline[%u].slow.link=node %u", i, node);
    }
    add(maker, "timeline[%u].slow.factor=%u", i, 1 + below(maker, 20));
    add(maker, "timeline[%u].slow.for=%.3f s", i, between(maker, 0.1, 30.0));
}

static void add_maintenance(Maker *maker)
{
    guint i = maker->n_actions++;
    add(maker, "timeline[%u].at=%.4f s", i, between(maker, 0.0, TROUBLE_S));
    if (one_in(maker, 4)) {
        add(maker, "timeline[%u].upgrade.each=%.3f s", i, between(maker, 0.1, 5.0));
        return;
    }
    add(maker, "timeline[%u].maintenance.node=%u", i, below(maker, maker->nodes));
    add(maker, "timeline[%u].maintenance.mode=%s", i, one_in(maker, 2) ? "evacuate" : "accessible");
    add(maker, "timeline[%u].maintenance.for=%.3f s", i, between(maker, 0.1, 30.0));
}

static void add_timeline(Maker *maker)
{
    g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint n = below(maker, 8); n > 0; n--) {
        g_autofree char *part = choose_part(maker);
        if (part != NULL && !g_hash_table_contains(used, part)) {
            add_outages(maker, part);
            g_hash_table_add(used, g_steal_pointer(&part));
        }
    }
    for (guint n = below(maker, 4); n > 0; n--) {
        add_slowness(maker);
    }
    for (guint n = below(maker, 3); n > 0; n--) {
        add_maintenance(maker);
    }
    if (one_in(maker, 4)) {
        guint i = maker->n_actions++;
        add(maker, "timeline[%u].at=%.4f s", i, between(maker, 0.0, TROUBLE_S));
        add(maker, "timeline[%u].add.nodes=%u", i, 1 + below(maker, 3));
    }
}

/* Lives of minutes and repairs of seconds, which never end. */
static void add_lives(Maker *maker)
{
    static const char *const parts[] = {"node", "controller", "device", "cache", "group", "rack"};
    gboolean drawn = one_in(maker, 3);
    maker->endless |= drawn;
    for (guint i = 0; drawn && i < 1 + below(maker, 2); i++) {
        add(maker, "faults[%u].part=%s", i, parts[below(maker, maker->tiered ? 6 : 3)]);
        add(maker, "faults[%u].every=%.3f s", i, between(maker, 20.0, 400.0));
        add(maker, "faults[%u].repair=%.3f s", i, between(maker, 0.5, 40.0));
        if (one_in(maker, 2)) {
            add(maker, "faults[%u].burst.share=%.3f", i, aft_stream_uniform(&maker->stream));
            add(maker, "faults[%u].burst.size=%u", i, 1 + below(maker, 3));
            add(maker, "faults[%u].burst.within=%.3f s", i, between(maker, 0.0, 20.0));
        }
    }
}

/* Sectors that cannot be read, in places that chance finds. */
static void add_corruption(Maker *maker)
{
    guint i = maker->n_actions, node = below(maker, maker->nodes);
    const Kind *kind = &maker->kind[node];
    if (kind->disk_groups > 0) {
        add(maker, "timeline[%u].at=%.4f s", i, between(maker, 0.0, TROUBLE_S));
        add(maker, "timeline[%u].corrupt.device=%u.%u.%u", i, node, below(maker, kind->disk_groups),
            below(maker, kind->capacity));
        add(maker, "timeline[%u].corrupt.sectors=%u", i, 1 + below(maker, 200));
        maker->n_actions++;
    }
}

/* A task, or maintenance mode, is stopped and started, or the other way round. */
static void add_switches(Maker *maker)
{
    static const char *const tasks[] = {"rebuild", "rebalance", "evacuate",
                                        "convert", "encode",    "scrub"};
    guint task = below(maker, G_N_ELEMENTS(tasks) + 1);
    gboolean mode = task == G_N_ELEMENTS(tasks);
    double off_s = between(maker, 0.0, TROUBLE_S - 1.0), on_s = between(maker, off_s, TROUBLE_S);
    guint i = maker->n_actions;
    add(maker, "timeline[%u].at=%.4f s", i, off_s);
    add(maker, "timeline[%u].%s=%s", i, mode ? "start" : "stop",
        mode ? "maintenance" : tasks[task]);
    add(maker, "timeline[%u].at=%.4f s", i + 1, on_s + 0.001);
    add(maker, "timeline[%u].%s=%s", i + 1, mode ? "stop" : "start",
        mode ? "maintenance" : tasks[task]);
    maker->n_actions += 2;
}

/* Passes that read everything, and scans that some work waits for. */
static void add_passes(Maker *maker)
{
    static const char *const tasks[] = {"rebalance", "convert", "encode"};
    if (one_in(maker, 4)) {
        add(maker, "background.scrub.every=%.3f s", between(maker, 60.0, 300.0));
        add(maker, "background.scrub.unit=%u KiB", 64 << below(maker, 5));
        maker->endless = TRUE;
    }
    if (one_in(maker, 4)) {
        double full_s = between(maker, 20.0, 200.0);
        add(maker, "background.scan.full=%.3f s", full_s);
        add(maker, "background.scan.length=%.3f s", between(maker, 0.0, full_s));
        add(maker, "background.scan.partial=%.3f s", between(maker, 5.0, 50.0));
        add(maker, "background.%s.trigger=%s", tasks[below(maker, 3)],
            one_in(maker, 2) ? "scan" : "full-scan");
        maker->endless = TRUE;
    }
}

static void make(Maker *maker, guint number, guint attempt)
{
    *maker = (Maker){.settings = g_ptr_array_new_with_free_func(g_free)};
    aft_stream_init(&maker->stream, 1, attempt, "test.faults", number);
    add_devices(maker);
    add_cluster(maker);
    add_background(maker);
    for (guint i = 0, n = below(maker, 3); i < n; i++) {
        add_workload(maker, i);
    }
    add_tiers(maker);
    add_service(maker, "compression");
    add_service(maker, "dedupe");
    add_timeline(maker);
    add_conversions(maker, TROUBLE_S);
    add_lives(maker);
    for (guint n = below(maker, 3); n > 0; n--) {
        add_corruption(maker);
    }
    for (guint n = below(maker, 3); n > 0; n--) {
        add_switches(maker);
    }
    add_passes(maker);
    add(maker, "run.duration=%.0f s", END_S);
    add(maker, "run.seed=%u", number);
    g_ptr_array_add(maker->settings, NULL);
}

static void unmake(Maker *maker)
{
    g_ptr_array_unref(maker->settings);
    g_free(maker->kind);
}

/* Returns: (transfer full) (nullable): NULL when what chance made cannot run, like a part that has
 * two things done to it at once. */
static AftScenario *resolve(const Maker *maker, const char *change)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    cluster_set(scenario, (const char *const *)maker->settings->pdata, problems);
    if (change != NULL) {
        cluster_set(scenario, (const char *const[]){change, NULL}, problems);
    }
    if (!aft_scenario_resolve(scenario, problems)) {
        g_clear_pointer(&scenario, aft_scenario_free);
    }
    return scenario;
}
