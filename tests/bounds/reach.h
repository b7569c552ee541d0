/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reach.h - how near simulation, every I/O of it, comes to a bound: it must not go beyond. */
#pragma once

#include <aftershock/bounds/bounds.h>
#include <aftershock/run/run.h>

#include <build.h>
#include <test.h>

/* A small cluster of one device a node in which a visit to a controller or device takes 1 ms. So
 * many groups divide evenly: of 65,536 groups of w members on H nodes, a node has a standard
 * deviation of sqrt(65536 w/H (1 - w/H)) members more or less, at most 0.3 % here. */
static const char *const cluster[] = {
    "version=1",
    "devices.disk.read=1 ms",
    "devices.disk.write=1 ms",
    "devices.disk.spread=deterministic",
    "devices.disk.size=1 TB",
    "cluster.detect=1 ms",
    "cluster.node.disk_groups.capacity.device=disk",
    "data.logical=500 GB",
    "data.placement_groups=65536",
    "workload.vms=210", /* as many on each of 5, 6 or 7 nodes, and of 4 to 6 nearly so */
    "workload.restart=0",
    "run.until=duration",
    "run.duration=30 s",
    "run.fidelity=io",
    "run.trace_interval=500 ms",
    "run.confidence=99.9 %",
    NULL,
};

static const char *const nothing[] = {NULL};

/* Chance divides members unevenly: three standard deviations. */
#define LEAN 0.009

typedef struct {
    const char *name, *nodes;
    const char *settings[6];
} Scheme;

static const Scheme schemes[] = {
    {"rf2", "cluster.nodes=5", {"data.protection.scheme=rf2", NULL}},
    {"rf3", "cluster.nodes=5", {"data.protection.scheme=rf3", NULL}},
    {"3+1", "cluster.nodes=5", {"data.protection.scheme=raid5", NULL}},
    {"4+2",
     "cluster.nodes=7",
     {"data.protection.scheme=ec", "data.protection.data=4", "data.protection.parity=2", NULL}},
    {"4+2+1",
     "cluster.nodes=8",
     {"workload.vms=208", "data.protection.scheme=lrc", "data.protection.data=4",
      "data.protection.local=2", "data.protection.parity=1", NULL}},
};

static inline AftScenario *scenario_of(const Scheme *scheme, const char *const *more,
                                       const char *const *still_more, const char *const *workload)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    const char *const nodes[] = {scheme->nodes, NULL};
    set_all(scenario, cluster, problems);
    set_all(scenario, nodes, problems);
    set_all(scenario, scheme->settings, problems);
    set_all(scenario, more, problems);
    set_all(scenario, still_more, problems);
    set_all(scenario, workload, problems);
    if (!aft_scenario_resolve(scenario, problems)) {
        g_autofree char *text = problems_text(problems);
        fail_msg("%s", text);
    }
    return scenario;
}

static inline AftResult *run_of(const AftScenario *scenario)
{
    g_autoptr(GError) error = NULL;
    AftResult *result = aft_run(scenario, NULL, &error);
    assert_null(error);
    return result;
}

static inline const AftPhaseRow *last_phase(const AftResult *result)
{
    return &g_array_index(result->phases, AftPhaseRow, result->phases->len - 1);
}

/* The more is outstanding, the longer its beginning is felt: what is not sure of 2 % by then is
 * run for twice as long. */
static inline AftResult *run_to_precision(AftScenario *scenario)
{
    AftResult *result = run_of(scenario);
    for (guint i = 0; i < 3 && last_phase(result)->iops_ci >= 0.02 * last_phase(result)->iops;
         i++) {
        aft_result_free(result);
        scenario->run.duration_ns *= 2;
        result = run_of(scenario);
    }
    return result;
}

/* Which of the two bounds. */
typedef enum { SUSTAINED, BURST } Which;

/* At no fill of the buffers is more sustained than at that of the start or full; hits and what
 * writes meet grow with it. */
static inline double bound_of(const AftWorkloadState *it, Which which)
{
    return which == BURST ? it->burst.iops : MAX(it->sustained.iops, it->full.iops);
}

/* One measurement with @outstanding, which must not go beyond its bound. */
static inline double measure(const Scheme *scheme, const char *const *more,
                             const char *const *fault, Which which, guint outstanding,
                             double *ret_bound)
{
    g_autofree char *slots = g_strdup_printf("workload.outstanding=%u", outstanding);
    const char *const workload[] = {"workload.kind=closed", "workload.read_share=60 %", slots,
                                    NULL};
    g_autoptr(AftScenario) scenario = scenario_of(scheme, more, fault, workload);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autoptr(AftResult) result = run_to_precision(scenario);
    const AftPhaseRow *phase = last_phase(result);
    gboolean down = scenario->n_timeline > 0;
    double lean = down ? LEAN : 0.0; /* which node is down decides; else all members count */
    double bound =
        bound_of(&bounds->workload[0].state[down ? AFT_STATE_NODE_DOWN : AFT_STATE_HEALTHY], which);
    assert_int_equal(phase->phase, down ? AFT_PHASE_FAILED : AFT_PHASE_STEADY);
    assert_true(phase->iops_ci < 0.02 * phase->iops);
    assert_true(phase->iops <= bound * (1.0 + lean) + phase->iops_ci);
    *ret_bound = bound;
    return phase->iops;
}

/* Raises what is outstanding until the throughput moves by less than 0.5 %. */
static inline void reach(const Scheme *scheme, const char *const *more, const char *const *fault,
                         Which which, const char *what)
{
    double before = 0.0, bound = 0.0;
    double iops = measure(scheme, more, fault, which, 210, &bound);
    for (guint outstanding = 420; fabs(iops - before) >= 0.005 * iops; outstanding *= 2) {
        before = iops;
        iops = measure(scheme, more, fault, which, outstanding, &bound);
        assert_true(outstanding < 10000);
    }
    print_message("# %s, %s: %.0f IOPS of at most %.0f: %.2f %%\n", scheme->name, what, iops, bound,
                  100.0 * iops / bound);
    assert_within(iops / bound, 1.0, 0.03);
}

static inline void reach_all(const char *const *more, const char *const *fault, const char *what)
{
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        reach(&schemes[i], more, fault, SUSTAINED, what);
    }
}
