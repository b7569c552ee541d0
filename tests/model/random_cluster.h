/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_cluster.h - clusters made by chance, as texts "path=value", and how they are looked at.
 *
 * A test adds what it wants of a scenario to a maker, one piece after the other:
 *
 *     aft_stream_init(&maker.stream, 1, 0, "test.name", number);
 *     add(&maker, "cluster.nodes=%u", 1 + below(&maker, 8));
 */
#pragma once

#include "adds_up.h"

#include <stdlib.h>

/* What the nodes of one kind have, as far as the timeline has to know. */
typedef struct {
    guint disk_groups, capacity, cache;
    gboolean compute;
} Kind;

/* What is made, and what later pieces have to know of earlier ones. */
typedef struct {
    AftStream stream;
    GPtrArray *settings;
    Kind *kind; /* a node of the start; NULL: all are alike */
    guint nodes, racks;
    gboolean strict; /* clients or destages that never rest would starve all else */
    gboolean tiered;
    gboolean coded;     /* what it begins as, if it may convert */
    guint data;         /* units of a stripe, if it may convert; 0: it may not */
    gboolean endless;   /* something breaks, or is looked for, for ever */
    guint block_kib[2]; /* of workloads */
    gboolean poisson[2];
    guint n_actions;
} Maker;

static inline guint below(Maker *maker, guint n)
{
    return (guint)aft_stream_below(&maker->stream, n);
}

static inline gboolean one_in(Maker *maker, guint n)
{
    return below(maker, n) == 0;
}

static inline double between(Maker *maker, double low, double high)
{
    return low + (high - low) * aft_stream_uniform(&maker->stream);
}

static inline void G_GNUC_PRINTF(2, 3) add(Maker *maker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(maker->settings, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

typedef struct {
    const char *name;
    guint width;
    guint data, local; /* 0: its own */
} Scheme;

static inline void add_scheme(Maker *maker, const Scheme *scheme)
{
    add(maker, "data.protection.scheme=%s", scheme->name);
    if (scheme->data > 0) {
        add(maker, "data.protection.data=%u", scheme->data);
    }
    if (scheme->local > 0) {
        add(maker, "data.protection.local=%u", scheme->local);
    }
}

/* How @task goes on; @waits: it may have a delay. */
static inline void add_task(Maker *maker, const char *task, gboolean waits)
{
    if (waits) {
        add(maker, "background.%s.delay=%.3f s", task,
            one_in(maker, 3) ? 0.0 : between(maker, 0.0, 40.0));
    }
    add(maker, "background.%s.in_flight_per_node=%u", task, 1 + below(maker, 8));
    add(maker, "background.%s.unit=%u KiB", task, 64 << below(maker, 5));
    if (one_in(maker, 3)) {
        add(maker, "background.%s.bandwidth=%u MB/s", task, 2 + below(maker, 20));
    }
}

/* What @vms machines ask for, and do when their node dies. */
static inline void add_demand(Maker *maker, guint i, AftWorkloadKind kind, guint vms,
                              guint think_ms)
{
    if (one_in(maker, 3)) {
        add(maker, "workload[%u].working_set=%u kB", i, 1 + below(maker, 900));
    }
    add(maker, "workload[%u].restart=%.3f s", i, between(maker, 0.0, 20.0));
    add(maker, "workload[%u].return=%.3f s", i, between(maker, 0.0, 20.0));
    add(maker, "workload[%u].outstanding=%u", i, vms * (1 + below(maker, 3)));
    if (kind == AFT_WORKLOAD_CLOSED) {
        add(maker, "workload[%u].think=%u ms", i, think_ms);
    } else {
        add(maker, "workload[%u].rate=%u /s", i, 1 + below(maker, 30));
        maker->poisson[i] = !one_in(maker, 2);
        add(maker, "workload[%u].pacing=%s", i, maker->poisson[i] ? "poisson" : "even");
    }
    if (kind == AFT_WORKLOAD_PACED && one_in(maker, 2)) {
        add(maker, "workload[%u].owed_limit=%.3f s", i, between(maker, 0.0, 30.0));
    }
}

/* How buffers are destaged above @low percent. */
static inline void add_destage(Maker *maker, guint low)
{
    add(maker, "tiers.unit=%u KiB", maker->strict ? 1024 : 4 << below(maker, 9));
    add(maker, "tiers.in_flight=%u", 1 + below(maker, 8));
    add(maker, "tiers.low=%u %%", low);
    add(maker, "tiers.high=%u %%", low + 1 + below(maker, 100 - low));
    add(maker, "tiers.delay_max=%u ms", below(maker, 50));
    add(maker, "tiers.read_share=%u %%", below(maker, 50));
    add(maker, "tiers.start=%u %%", below(maker, 101));
}

/* Up to three times before @end_s it becomes something else: from copies what comes, from a code
 * copies. */
static inline void add_conversions(Maker *maker, double end_s)
{
    gboolean coded = maker->coded;
    double at_s = 0.0;
    for (guint n = maker->data > 0 ? 1 + below(maker, 3) : 0; n > 0; n--) {
        guint i = maker->n_actions++;
        at_s = between(maker, at_s + 0.001, end_s);
        add(maker, "timeline[%u].at=%.4f s", i, at_s);
        coded = !coded && below(maker, 3) > 0;
        if (coded) {
            add(maker, "timeline[%u].set.data.protection.scheme=ec", i);
            add(maker, "timeline[%u].set.data.protection.data=%u", i, maker->data);
            add(maker, "timeline[%u].set.data.protection.parity=%u", i, 1 + below(maker, 2));
            add(maker, "timeline[%u].set.data.protection.rewrite=%s", i,
                one_in(maker, 2) ? "parity" : "strip");
        } else {
            add(maker, "timeline[%u].set.data.protection.scheme=replication", i);
            add(maker, "timeline[%u].set.data.protection.copies=%u", i, 2 + below(maker, 3));
        }
    }
}

static inline void show_settings(const Maker *maker)
{
    g_autofree char *text = g_strjoinv("\n", (char **)maker->settings->pdata);
    g_test_message("%s", text);
}

/* No endless loop: an I/O or a destage takes at most 60 events, all the rest of it a million. */
static inline void assert_comes_to_an_end(const Cluster *cluster)
{
    double destages =
        aft_model_destaged_bytes(cluster->model) / (double)cluster->scenario->tiers.unit_bytes;
    double ios = (double)aft_model_completed(cluster->model) + destages;
    assert_true((double)aft_engine_executed(cluster->engine) < 1e6 + 60.0 * ios);
}

/* Runs @cluster to @end_s, and looks at it in moments that chance finds. */
static inline void run_and_look(Cluster *cluster, Maker *maker, double end_s, gboolean verbose)
{
    for (double at_s = 0.0; at_s < end_s; at_s += between(maker, 0.0, 20.0)) {
        cluster_run(cluster, at_s);
        assert_adds_up(cluster);
    }
    cluster_run(cluster, end_s);
    assert_adds_up(cluster);
    if (verbose) {
        g_autofree char *phases = cluster_phases(cluster);
        g_test_message("%s\n%s", cluster->events->str, phases);
    }
    assert_comes_to_an_end(cluster);
}

static inline guint number_from(const char *variable, guint usual)
{
    const char *text = g_getenv(variable);
    return text == NULL ? usual : (guint)strtoul(text, NULL, 10);
}

static inline guint first_scenario(void)
{
    return number_from("AFTERSHOCK_SCENARIO", 0);
}

static inline guint n_scenarios(void)
{
    return number_from("AFTERSHOCK_SCENARIOS", 50);
}
