/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds `sampled` to `io` while the curator of eight hosts scrubs their data, or encodes what scans
 * let it, eight times each with the same seeds under both. A figure agrees as in test_fidelity.c:
 * when the mean of its eight differences is within the tolerance and 2.6 standard errors, and the
 * standard error is at most half the tolerance. */
#include "experiment.h"

#include <gsl/gsl_statistics_double.h>

#define SEEDS  8
#define CHANCE 2.6

/* As for conversions: two slots of 1.5 ms and 16 ms a MiB, half of them left to the background;
 * small units and groups make what it does a sum of many independent pieces. */
static const char *const base[] = {
    "version=1",
    "cluster.nodes=8",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=1.5 ms",
    "cluster.node.controller.per_mib=16 ms",
    "cluster.node.controller.latency=1 ms",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=2",
    "data.protection=rf3",
    "data.placement_groups=32768",
    "workload.kind=paced",
    "workload.vms=16",
    "workload.rate=1600 /s",
    "workload.outstanding=64",
    "workload.read_share=80 %",
    "workload.block=4 KiB",
    "background.encode.unit=64 KiB",
    "background.encode.trigger=full-scan",
    "background.scan.full=3 h",
    "background.scrub.unit=64 KiB",
    "run.trace_interval=2 s",
    "run.until=steady",
    "run.settle=30 s",
    "run.duration=3 h",
    "run.precision=1 %",
    "run.max_simulated=60 s",
    NULL,
};

#define ENCODE                                                         \
    "timeline[0].at=0 s", "timeline[0].set.data.protection.scheme=ec", \
        "timeline[0].set.data.protection.data=4", "timeline[0].set.data.protection.parity=2"

typedef struct {
    const char *changes[8];
    AftPhase phase;
} Case;

/* Encoding could go three times as fast as the scan does. */
static const Case encode_as_it_is_found = {
    {"data.logical=20 GB", "background.scan.length=8 min", ENCODE},
    AFT_PHASE_ENCODE,
};
/* The scan is over long before the encoding is. */
static const Case encode_behind_a_scan = {
    {"data.logical=40 GB", "background.scan.length=2 min", ENCODE},
    AFT_PHASE_ENCODE,
};
static const Case scrub = {
    {"data.logical=40 GB", "background.scrub.every=3 h", "background.scrub.delay=30 s",
     "background.scan.full=never", "background.encode.trigger=immediate"},
    AFT_PHASE_SCRUB,
};
static const Case scrub_under_a_cap = {
    {"data.logical=20 GB", "background.scrub.every=3 h", "background.scrub.delay=30 s",
     "background.scrub.bandwidth=60 MB/s", "background.scan.full=never",
     "background.encode.trigger=immediate"},
    AFT_PHASE_SCRUB,
};

typedef struct {
    const char *name;
    gsize offset;
    double tolerance;
} Figure;

#define OF(member) G_STRUCT_OFFSET(AftPhaseRow, member)

static const Figure figures[] = {
    {"duration", OF(duration_s), 0.01},
    {"iops", OF(iops), 0.01},
    {"read mean", OF(read_mean_ms), 0.02},
    {"write mean", OF(write_mean_ms), 0.02},
};

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

static double difference(const AftPhaseRow *io, const AftPhaseRow *sampled, gsize offset)
{
    double reference = G_STRUCT_MEMBER(double, io, offset);
    return (G_STRUCT_MEMBER(double, sampled, offset) - reference) / reference;
}

static gboolean agrees(const Figure *figure, const double *differences)
{
    double mean = gsl_stats_mean(differences, 1, SEEDS);
    double error = gsl_stats_sd(differences, 1, SEEDS) / sqrt(SEEDS);
    gboolean fine =
        fabs(mean) <= figure->tolerance + CHANCE * error && error <= figure->tolerance / 2.0;
    print_message("# %-10s %+6.2f %% +- %.2f %% of %.0f %%%s\n", figure->name, 100.0 * mean,
                  100.0 * error, 100.0 * figure->tolerance, fine ? "" : "  <--");
    return fine;
}

/* How much of what the phase moves has been moved by its middle. */
static double share_at_half(const AftResult *result, const AftPhaseRow *row)
{
    double before = 0.0, all = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *at = trace_row(result, i);
        double mb_per_s =
            at->encode_mb_per_s + (isnan(at->scrub_mb_per_s) ? 0.0 : at->scrub_mb_per_s);
        before += at->time_s < row->start_s + row->duration_s / 2.0 ? mb_per_s : 0.0;
        all += mb_per_s;
    }
    return before / all;
}

static void assert_same_work(const AftResult *io, const AftResult *sampled, AftPhase phase)
{
    const AftPhaseRow *a = first_of(io, phase), *b = first_of(sampled, phase);
    double bytes = phase == AFT_PHASE_SCRUB ? a->scrub_bytes : a->encode_bytes;
    double others = phase == AFT_PHASE_SCRUB ? b->scrub_bytes : b->encode_bytes;
    assert_within(bytes, others, 0.002 * bytes); /* chunks that had to move */
    assert_within(share_at_half(io, a), share_at_half(sampled, b), 0.03); /* a row is 1 % or so */
    assert_true(io->simulated_ios > 2 * sampled->simulated_ios);
}

static void both_fidelities_agree(void **state)
{
    const Case *it = *state;
    double differences[G_N_ELEMENTS(figures)][SEEDS];
    gboolean fine = TRUE;
    for (guint i = 0; i < SEEDS; i++) {
        g_autoptr(AftResult) io = run_seed(it, "io", i + 1);
        g_autoptr(AftResult) sampled = run_seed(it, "sampled", i + 1);
        g_autofree char *phases = phase_names(io);
        assert_phases(sampled, phases);
        assert_same_work(io, sampled, it->phase);
        for (guint f = 0; f < G_N_ELEMENTS(figures); f++) {
            differences[f][i] = difference(first_of(io, it->phase), first_of(sampled, it->phase),
                                           figures[f].offset);
        }
    }
    for (guint f = 0; f < G_N_ELEMENTS(figures); f++) {
        fine = agrees(&figures[f], differences[f]) && fine;
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
    const struct CMUnitTest tests[] = {AGREE(encode_as_it_is_found), AGREE(encode_behind_a_scan),
                                       AGREE(scrub), AGREE(scrub_under_a_cap)};
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
