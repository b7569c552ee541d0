/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fidelity.h - holds `sampled` to `io`: a scenario is run eight times each with the same seeds
 * under both. A figure agrees when the mean of its eight differences is beyond the tolerance by no
 * more than 2.6 standard errors, and the standard error is at most half the tolerance: 2.6 because
 * hundreds of figures are looked at, and a few in a hundred are beyond that by chance alone.
 */
#pragma once

#include "experiment.h"

#include <gsl/gsl_statistics_double.h>

#define SEEDS          8
#define CHANCE         2.6
#define LEAST_SAVING   5.0 /* times fewer I/Os under `sampled` */
#define ANY_TOLERANCE  0.01
#define TAIL_TOLERANCE 0.05
#define OWED_TOLERANCE 0.02 /* of the most that was ever owed, or of OWED_LITTLE_S */
#define OWED_LITTLE_S  0.1  /* of load: less than that does not count as owed */
#define FILL_TOLERANCE 0.02 /* of the buffers */

#define TWO_SLOTS                                                           \
    "cluster.node.controller.slots=2", "cluster.node.controller.io=1.5 ms", \
        "cluster.node.controller.per_mib=16 ms", "cluster.node.controller.latency=1 ms"

/* Five nodes of two slots, 6,700 sub-operations a second. Small units and groups make a rebuild a
 * sum of many independent pieces, and its duration sure. */
#define FIVE_HOSTS                                                                          \
    "version=1", "cluster.nodes=5", TWO_SLOTS, "cluster.node.disk_groups.capacity.count=2", \
        "data.placement_groups=65536", "workload.kind=paced", "workload.vms=10",            \
        "workload.outstanding=40", "background.rebuild.unit=64 KiB",                        \
        "background.rebalance.unit=64 KiB"

/* What their devices are, where some are caches. */
#define LOGS_AND_DISKS                                                                  \
    "devices.log.read=100 us", "devices.log.write=100 us", "devices.log.parallel=8",    \
        "devices.disk.read=4 ms", "devices.disk.write=8 ms", "devices.disk.parallel=8", \
        "devices.disk.size=1 TB", "cluster.node.disk_groups.capacity.device=disk"

/* Something fails; all that follows is seen, in the phases of WALK if it comes back. */
#define UNTIL_STEADY                                                                    \
    "timeline[0].at=2 min", "run.until=steady", "run.settle=2 min", "run.duration=3 h", \
        "run.precision=1 %"

#define WALK "steady failed rebuild catchup rebalance steady"

typedef struct {
    const char *const *base;
    const char *changes[12];
    const char *phases; /* that it goes through, under both */
    double mean_tolerance;
} Case;

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

#define N_MEANS 4 /* figures that are no tails: the first of them */

typedef struct {
    AftResult *io, *sampled;
} Pair;

static inline AftResult *run_seed(const Case *it, const char *fidelity, guint seed)
{
    g_autoptr(GPtrArray) changes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; it->changes[i] != NULL; i++) {
        g_ptr_array_add(changes, g_strdup(it->changes[i]));
    }
    g_ptr_array_add(changes, g_strdup_printf("run.fidelity=%s", fidelity));
    g_ptr_array_add(changes, g_strdup_printf("run.seed=%u", seed));
    g_ptr_array_add(changes, NULL);
    return run_with(it->base, (const char *const *)changes->pdata);
}

/* At least so much that an I/O or two do not matter where nothing is ever owed. */
static inline double most_owed(const AftResult *result)
{
    double most = OWED_LITTLE_S * phase_row(result, 0)->iops;
    for (guint i = 0; i < result->trace->len; i++) {
        most = MAX(most, trace_row(result, i)->owed_ios);
    }
    return most;
}

/* Returns: whether @differences agree, of a figure @name @where; tells what was measured. */
static inline gboolean agrees(const char *where, const char *name, const double *differences,
                              double tolerance)
{
    double mean = gsl_stats_mean(differences, 1, SEEDS);
    double error = gsl_stats_sd(differences, 1, SEEDS) / sqrt(SEEDS);
    gboolean fine = fabs(mean) <= tolerance + CHANCE * error && error <= tolerance / 2.0;
    print_message("# %-9s %-10s %+6.2f %% +- %.2f %% of %.0f %%%s\n", where, name, 100.0 * mean,
                  100.0 * error, 100.0 * tolerance, fine ? "" : "  <--");
    return fine;
}

static inline const char *name_of(const Pair *pairs, guint phase)
{
    return aft_phase_name(phase_row(pairs[0].io, phase)->phase);
}

static inline gboolean figure_agrees(const Pair *pairs, guint phase, const Figure *figure,
                                     double mean_tolerance)
{
    double differences[SEEDS];
    for (guint i = 0; i < SEEDS; i++) {
        double io = G_STRUCT_MEMBER(double, phase_row(pairs[i].io, phase), figure->offset);
        double sampled =
            G_STRUCT_MEMBER(double, phase_row(pairs[i].sampled, phase), figure->offset);
        differences[i] = (sampled - io) / io;
    }
    return agrees(name_of(pairs, phase), figure->name, differences,
                  figure->tolerance > 0.0 ? figure->tolerance : mean_tolerance);
}

static inline gboolean owed_agrees(const Pair *pairs, guint phase)
{
    double differences[SEEDS];
    for (guint i = 0; i < SEEDS; i++) {
        double io = phase_row(pairs[i].io, phase)->owed_ios_end;
        double sampled = phase_row(pairs[i].sampled, phase)->owed_ios_end;
        differences[i] = (sampled - io) / most_owed(pairs[i].io);
    }
    return agrees(name_of(pairs, phase), "owed", differences, OWED_TOLERANCE);
}

/* How full the buffers were when phase @i ended. */
static inline double fill_at_end(const AftResult *result, guint i)
{
    double end_s = phase_row(result, i)->start_s + phase_row(result, i)->duration_s, fill = NAN;
    for (guint row = 0; row < result->trace->len && trace_row(result, row)->time_s < end_s; row++) {
        fill = trace_row(result, row)->buffer_fill;
    }
    return fill;
}

static inline gboolean fill_agrees(const Pair *pairs, guint phase)
{
    double differences[SEEDS];
    if (isnan(fill_at_end(pairs[0].io, phase))) {
        return TRUE; /* there are none */
    }
    for (guint i = 0; i < SEEDS; i++) {
        differences[i] = fill_at_end(pairs[i].sampled, phase) - fill_at_end(pairs[i].io, phase);
    }
    return agrees(name_of(pairs, phase), "fill", differences, FILL_TOLERANCE);
}

static inline gboolean moves_data(const AftPhaseRow *row)
{
    return row->phase == AFT_PHASE_REBUILD || row->phase == AFT_PHASE_REBALANCE ||
           row->phase == AFT_PHASE_EVACUATE;
}

static inline gboolean phase_agrees(const Pair *pairs, guint phase, double mean_tolerance)
{
    gboolean fine = owed_agrees(pairs, phase);
    fine = fill_agrees(pairs, phase) && fine;
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
        if (!figures[i].moves || moves_data(phase_row(pairs[0].io, phase))) {
            fine = figure_agrees(pairs, phase, &figures[i], mean_tolerance) && fine;
        }
    }
    return fine;
}

static inline double saving(const Pair *pairs)
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

static inline void run_pairs(const Case *it, Pair *pairs)
{
    for (guint i = 0; i < SEEDS; i++) {
        pairs[i] = (Pair){run_seed(it, "io", i + 1), run_seed(it, "sampled", i + 1)};
        assert_phases(pairs[i].io, it->phases);
        assert_phases(pairs[i].sampled, it->phases);
    }
}

static inline void free_pairs(Pair *pairs)
{
    for (guint i = 0; i < SEEDS; i++) {
        aft_result_free(pairs[i].io);
        aft_result_free(pairs[i].sampled);
    }
}

static inline void both_fidelities_agree(void **state)
{
    const Case *it = *state;
    Pair pairs[SEEDS];
    run_pairs(it, pairs);
    gboolean fine = saving(pairs) >= LEAST_SAVING;
    for (guint phase = 0; phase < pairs[0].io->phases->len; phase++) {
        fine = phase_agrees(pairs, phase, it->mean_tolerance) && fine;
    }
    free_pairs(pairs);
    assert_true(fine);
}

/* @test of the Case @it, which it is named after. */
#define CASE(test, it)                       \
    {                                        \
#it, test, NULL, NULL, (void *)&(it) \
    }

#define AGREE(it) CASE(both_fidelities_agree, it)
