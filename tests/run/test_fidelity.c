/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds `sampled` to `io`: six clusters lose a host and get it back, eight times each with the
 * same seeds under both. A figure agrees when the mean of its eight differences is within the
 * tolerance and 2.6 standard errors, and the standard error is at most half the tolerance: 2.6
 * because some 300 figures are looked at, and one in a hundred would be beyond by chance even
 * where the two are the same. */
#include "experiment.h"

#include <gsl/gsl_statistics_double.h>

#define SEEDS          8
#define PHASES         6
#define CHANCE         2.6
#define LEAST_SAVING   5.0 /* times fewer I/Os under `sampled` */
#define ANY_TOLERANCE  0.01
#define TAIL_TOLERANCE 0.05
#define OWED_TOLERANCE 0.02 /* of the most that was ever owed */

/* Five nodes of two slots, 6,700 sub-operations a second. Small units and groups make a rebuild a
 * sum of many independent pieces, and its duration sure. */
static const char *const base[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.detect=1 s",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=1.5 ms",
    "cluster.node.controller.per_mib=16 ms",
    "cluster.node.controller.latency=1 ms",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=2",
    "data.placement_groups=65536",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.outstanding=40",
    "workload.read_share=80 %",
    "workload.block=4 KiB",
    "workload.restart=20 s",
    "workload.return=30 s",
    "background.rebuild.delay=1 min",
    "background.rebuild.unit=64 KiB",
    "background.rebalance.unit=64 KiB",
    "timeline[0].at=2 min",
    "timeline[0].fail=node 2",
    "timeline[1].restore=node 2",
    "run.until=steady",
    "run.settle=2 min",
    "run.duration=3 h",
    "run.precision=1 %",
    NULL,
};

typedef struct {
    const char *changes[8];
    double mean_tolerance;
} Case;

/* Users never wait for a slot. */
static const Case raid5_unsaturated = {
    {"data.protection=raid5", "data.logical=100 GB", "workload.rate=1800 /s",
     "timeline[1].at=28 min", "run.max_simulated=135 s"},
    0.02,
};
/* The rebuild leaves users just enough: nothing stays owed, and latencies are twice as long. */
static const Case raid5_near_critical = {
    {"data.protection=raid5", "data.logical=80 GB", "workload.rate=2000 /s",
     "timeline[1].at=29 min", "run.max_simulated=110 s"},
    0.05,
};
/* All slots taken from the failure on until what is owed has been worked off in catchup. */
static const Case raid5_saturated = {
    {"data.protection=raid5", "data.protection.degraded=3 ms", "data.logical=45 GB",
     "workload.rate=2500 /s", "timeline[1].at=46 min", "run.max_simulated=145 s"},
    0.02,
};
static const Case rf2_unsaturated = {
    {"data.protection=rf2", "data.logical=100 GB", "workload.rate=2400 /s", "timeline[1].at=24 min",
     "run.max_simulated=140 s"},
    0.02,
};
static const Case rf2_near_critical = {
    {"data.protection=rf2", "data.logical=70 GB", "workload.rate=2900 /s", "timeline[1].at=22 min",
     "run.max_simulated=105 s"},
    0.05,
};
/* The rebuild takes half of the controllers. */
static const Case rf2_saturated = {
    {"data.protection=rf2", "data.logical=70 GB", "workload.rate=3000 /s",
     "background.scheduler.weights.p1=80", "timeline[1].at=21.5 min", "run.max_simulated=100 s"},
    0.02,
};

/* A figure of a phase row that both must agree on. */
typedef struct {
    const char *name;
    gsize offset;
    double tolerance; /* 0: that of means, by the case */
    gboolean moves;   /* only of phases that move data */
} Figure;

#define OF(member) G_STRUCT_OFFSET(AftPhaseRow, member)

static const Figure figures[] = {
    {"duration", OF(duration_s), ANY_TOLERANCE, TRUE},
    {"iops", OF(iops), ANY_TOLERANCE, FALSE},
    {"read mean", OF(read_mean_ms), 0.0, FALSE},
    {"write mean", OF(write_mean_ms), 0.0, FALSE},
    {"read p95", OF(read_p95_ms), TAIL_TOLERANCE, FALSE},
    {"read p99", OF(read_p99_ms), TAIL_TOLERANCE, FALSE},
    {"write p95", OF(write_p95_ms), TAIL_TOLERANCE, FALSE},
    {"write p99", OF(write_p99_ms), TAIL_TOLERANCE, FALSE},
};

typedef struct {
    AftResult *io, *sampled;
} Pair;

static AftResult *run_seed(const Case *it, const char *fidelity, guint seed)
{
    g_autoptr(GPtrArray) changes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; it->changes[i] != NULL; i++) {
        g_ptr_array_add(changes, g_strdup(it->changes[i]));
    }
    g_ptr_array_add(changes, g_strdup_printf("run.fidelity=%s", fidelity));
    g_ptr_array_add(changes, g_strdup_printf("run.seed=%u", seed));
    g_ptr_array_add(changes, NULL);
    return run_with(base, (const char *const *)changes->pdata);
}

static double most_owed(const AftResult *result)
{
    double most = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        most = MAX(most, trace_row(result, i)->owed_ios);
    }
    return most;
}

/* Returns: whether @differences agree; tells what was measured. */
static gboolean agrees(const AftPhaseRow *row, const char *name, const double *differences,
                       double tolerance)
{
    double mean = gsl_stats_mean(differences, 1, SEEDS);
    double error = gsl_stats_sd(differences, 1, SEEDS) / sqrt(SEEDS);
    gboolean fine = fabs(mean) <= tolerance + CHANCE * error && error <= tolerance / 2.0;
    print_message("# %-9s %-10s %+6.2f %% +- %.2f %% of %.0f %%%s\n", aft_phase_name(row->phase),
                  name, 100.0 * mean, 100.0 * error, 100.0 * tolerance, fine ? "" : "  <--");
    return fine;
}

static gboolean figure_agrees(const Pair *pairs, guint phase, const Figure *figure,
                              double mean_tolerance)
{
    double differences[SEEDS];
    for (guint i = 0; i < SEEDS; i++) {
        double io = G_STRUCT_MEMBER(double, phase_row(pairs[i].io, phase), figure->offset);
        double sampled =
            G_STRUCT_MEMBER(double, phase_row(pairs[i].sampled, phase), figure->offset);
        differences[i] = (sampled - io) / io;
    }
    return agrees(phase_row(pairs[0].io, phase), figure->name, differences,
                  figure->tolerance > 0.0 ? figure->tolerance : mean_tolerance);
}

static gboolean owed_agrees(const Pair *pairs, guint phase)
{
    double differences[SEEDS];
    for (guint i = 0; i < SEEDS; i++) {
        double io = phase_row(pairs[i].io, phase)->owed_ios_end;
        double sampled = phase_row(pairs[i].sampled, phase)->owed_ios_end;
        differences[i] = (sampled - io) / most_owed(pairs[i].io);
    }
    return agrees(phase_row(pairs[0].io, phase), "owed", differences, OWED_TOLERANCE);
}

static gboolean moves_data(const AftPhaseRow *row)
{
    return row->phase == AFT_PHASE_REBUILD || row->phase == AFT_PHASE_REBALANCE;
}

static gboolean phase_agrees(const Pair *pairs, guint phase, double mean_tolerance)
{
    gboolean fine = owed_agrees(pairs, phase);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
        if (!figures[i].moves || moves_data(phase_row(pairs[0].io, phase))) {
            fine = figure_agrees(pairs, phase, &figures[i], mean_tolerance) && fine;
        }
    }
    return fine;
}

static double saving(const Pair *pairs)
{
    double io = 0.0, sampled = 0.0;
    for (guint i = 0; i < SEEDS; i++) {
        io += (double)pairs[i].io->simulated_ios;
        sampled += (double)pairs[i].sampled->simulated_ios;
    }
    print_message("# %.1f million I/Os under io, %.1f times as many as under sampled\n", io / 1e6,
                  io / sampled);
    return io / sampled;
}

static void run_pairs(const Case *it, Pair *pairs)
{
    for (guint i = 0; i < SEEDS; i++) {
        pairs[i] = (Pair){run_seed(it, "io", i + 1), run_seed(it, "sampled", i + 1)};
        assert_phases(pairs[i].io, "steady failed rebuild catchup rebalance steady");
        assert_phases(pairs[i].sampled, "steady failed rebuild catchup rebalance steady");
    }
}

static void both_fidelities_agree(void **state)
{
    const Case *it = *state;
    Pair pairs[SEEDS];
    run_pairs(it, pairs);
    gboolean fine = saving(pairs) >= LEAST_SAVING;
    for (guint phase = 0; phase < PHASES; phase++) {
        fine = phase_agrees(pairs, phase, it->mean_tolerance) && fine;
    }
    for (guint i = 0; i < SEEDS; i++) {
        aft_result_free(pairs[i].io);
        aft_result_free(pairs[i].sampled);
    }
    assert_true(fine);
}

#define AGREE(it)                                             \
    {                                                         \
#it, both_fidelities_agree, NULL, NULL, (void *)&(it) \
    }

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        AGREE(raid5_unsaturated), AGREE(raid5_near_critical), AGREE(raid5_saturated),
        AGREE(rf2_unsaturated),   AGREE(rf2_near_critical),   AGREE(rf2_saturated),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
