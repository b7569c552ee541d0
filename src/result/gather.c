/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/result/gather.h>

#include <math.h>

/* How occurrences of a phase come to one. */
typedef enum {
    FIRST,
    LAST,
    SUM,
    BY_TIME, /* a mean, weighted by how long each lasted */
    BY_READS,
    BY_WRITES
} Together;

typedef struct {
    gsize offset;
    Together together;
} Member;

#define MEMBER(member, together)                       \
    {                                                  \
        G_STRUCT_OFFSET(AftPhaseRow, member), together \
    }

static const Member members[] = {
    MEMBER(start_s, FIRST),
    MEMBER(duration_s, SUM),
    MEMBER(missed_s, SUM),
    MEMBER(iops, BY_TIME),
    MEMBER(read_iops, BY_TIME),
    MEMBER(write_iops, BY_TIME),
    MEMBER(read_mean_ms, BY_READS),
    MEMBER(read_p50_ms, BY_READS),
    MEMBER(read_p95_ms, BY_READS),
    MEMBER(read_p99_ms, BY_READS),
    MEMBER(read_p995_ms, BY_READS),
    MEMBER(read_response_mean_ms, BY_READS),
    MEMBER(write_mean_ms, BY_WRITES),
    MEMBER(write_p50_ms, BY_WRITES),
    MEMBER(write_p95_ms, BY_WRITES),
    MEMBER(write_p99_ms, BY_WRITES),
    MEMBER(write_p995_ms, BY_WRITES),
    MEMBER(write_response_mean_ms, BY_WRITES),
    MEMBER(read_mb_per_s, BY_TIME),
    MEMBER(write_mb_per_s, BY_TIME),
    MEMBER(owed_ios_end, LAST),
    MEMBER(shed_ios, SUM),
    MEMBER(rebuild_bytes, SUM),
    MEMBER(rebalance_bytes, SUM),
    MEMBER(convert_bytes, SUM),
    MEMBER(encode_bytes, SUM),
    MEMBER(destage_bytes, SUM),
    MEMBER(scrub_bytes, SUM),
    MEMBER(controller_util, BY_TIME),
    MEMBER(nic_util, BY_TIME),
    MEMBER(cache_util, BY_TIME),
    MEMBER(capacity_util, BY_TIME),
    MEMBER(lost_pgs, LAST),
};

static double weight(const AftPhaseRow *row, Together together)
{
    double per_s = together == BY_READS    ? row->read_iops
                   : together == BY_WRITES ? row->write_iops
                                           : 1.0;
    return row->duration_s * per_s;
}

/* The sum of a member so far, and of its weights. */
typedef struct {
    double sum, weights;
} Sum;

static void add(Sum *sum, const Member *member, const AftPhaseRow *row)
{
    double value = G_STRUCT_MEMBER(double, row, member->offset);
    double by = member->together <= SUM ? 1.0 : weight(row, member->together);
    if (isnan(value) || !(by > 0.0) || (member->together == FIRST && sum->weights > 0.0)) {
        return;
    }
    if (member->together == LAST) {
        *sum = (Sum){0};
    }
    sum->sum += value * by;
    sum->weights += by;
}

static double come_to(const Sum *sum, Together together)
{
    double divisor = together <= SUM ? 1.0 : sum->weights;
    return sum->weights > 0.0 ? sum->sum / divisor : (double)NAN;
}

static gboolean is_of(const AftPhaseRow *row, guint phase)
{
    return phase == AFT_WHOLE_RUN || row->phase == (AftPhase)phase;
}

AftGathered aft_gather(const GArray *phases, guint phase)
{
    Sum sums[G_N_ELEMENTS(members)] = {0};
    AftGathered gathered = {0};
    double all_s = 0.0;
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *occurrence = &g_array_index(phases, AftPhaseRow, i);
        all_s += occurrence->duration_s;
        gathered.occurrences += is_of(occurrence, phase) ? 1 : 0;
        for (guint m = 0; is_of(occurrence, phase) && m < G_N_ELEMENTS(members); m++) {
            add(&sums[m], &members[m], occurrence);
        }
    }
    for (guint m = 0; m < G_N_ELEMENTS(members); m++) {
        G_STRUCT_MEMBER(double, &gathered.row, members[m].offset) =
            come_to(&sums[m], members[m].together);
    }
    gathered.share = gathered.occurrences > 0 ? gathered.row.duration_s / all_s : 0.0;
    gathered.met_share = 1.0 - gathered.row.missed_s / gathered.row.duration_s;
    return gathered;
}
