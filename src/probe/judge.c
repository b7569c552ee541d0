/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"

#include "requirement.h"

#include <math.h>

#define LONGEST_NS 60000000000
#define CHANCE     3.0 /* standard errors of the I/Os of one part before its IOPS are missed */

/* Time without a break in which the requirement was missed. */
typedef struct {
    gint64 from_ns, to_ns;
} Stretch;

struct AftJudge {
    const AftRequirementSpec *required;
    gint64 part_length_ns;
    gint64 part_ns, at_ns; /* start of the part; up to where it is filled */
    gboolean begun;        /* a span has been added */
    double ios[AFT_DIRECTIONS], latency_ns[AFT_DIRECTIONS]; /* of the part; summed */
    double spread_s; /* seconds that stand for it, each by the square of how many it stands for */
    GArray *missed;  /* Stretch */
};

AftJudge *aft_judge_new(const AftScenario *scenario)
{
    AftJudge *judge = g_new0(AftJudge, 1);
    gint64 interval_ns = scenario->run.trace_interval_ns;
    judge->required = &scenario->requirement;
    judge->part_length_ns = interval_ns / ((interval_ns + LONGEST_NS - 1) / LONGEST_NS);
    judge->missed = g_array_new(FALSE, FALSE, sizeof(Stretch));
    return judge;
}

void aft_judge_free(AftJudge *judge)
{
    if (judge != NULL) {
        g_array_unref(judge->missed);
        g_free(judge);
    }
}

static void begin_part(AftJudge *judge, gint64 at_ns)
{
    judge->part_ns = judge->at_ns = at_ns;
    judge->spread_s = 0.0;
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        judge->ios[d] = judge->latency_ns[d] = 0.0;
    }
}

static double mean_ns(const AftJudge *judge, AftDirection direction)
{
    return judge->ios[direction] > 0.0 ? judge->latency_ns[direction] / judge->ios[direction] : NAN;
}

/* The I/Os of a second that stands for w have the variance of as many, times w^2. */
static gboolean is_missed(const AftJudge *judge)
{
    double length_s = (double)(judge->at_ns - judge->part_ns) / 1e9;
    AftAchieved achieved = {
        .iops = (judge->ios[AFT_READ] + judge->ios[AFT_WRITE]) / length_s,
        .iops_margin = CHANCE * sqrt(judge->required->iops * judge->spread_s) / length_s,
        .read_ns = mean_ns(judge, AFT_READ),
        .write_ns = mean_ns(judge, AFT_WRITE),
    };
    return aft_requirement_missed(judge->required, &achieved) != 0;
}

static void miss(AftJudge *judge, gint64 to_ns)
{
    Stretch *last = judge->missed->len > 0
                        ? &g_array_index(judge->missed, Stretch, judge->missed->len - 1)
                        : NULL;
    if (last != NULL && last->to_ns == judge->part_ns) {
        last->to_ns = to_ns;
    } else {
        Stretch stretch = {judge->part_ns, to_ns};
        g_array_append_val(judge->missed, stretch);
    }
}

/* Ends the part, and others up to @to_ns that are like it. */
static void end_parts(AftJudge *judge, gint64 to_ns)
{
    if (is_missed(judge)) {
        miss(judge, to_ns);
    }
    begin_part(judge, to_ns);
}

/* Takes into the part what @span has up to @to_ns. */
static void take(AftJudge *judge, const AftSpan *span, gint64 to_ns)
{
    double length_ns = (double)(span->end_ns - span->start_ns);
    double weight = (double)(to_ns - judge->at_ns) / length_ns * aft_span_weight(span);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        judge->ios[d] += weight * aft_span_ios(span, (AftDirection)d);
        judge->latency_ns[d] += weight * aft_span_latency_ns(span, (AftDirection)d);
    }
    judge->spread_s += weight * weight * span->measured_s;
    judge->at_ns = to_ns;
}

void aft_judge_add(AftJudge *judge, const AftSpan *span)
{
    if (!judge->begun) {
        begin_part(judge, span->start_ns);
        judge->begun = TRUE;
    }
    g_assert(span->start_ns == judge->at_ns);
    while (judge->at_ns < span->end_ns) {
        gint64 end_ns = judge->part_ns + judge->part_length_ns;
        gint64 alike = judge->at_ns == judge->part_ns
                           ? (span->end_ns - judge->at_ns) / judge->part_length_ns
                           : 0;
        take(judge, span, MIN(end_ns, span->end_ns));
        if (judge->at_ns == end_ns) {
            end_parts(judge, judge->part_ns + MAX(alike, 1) * judge->part_length_ns);
        }
    }
}

static double common_s(const Stretch *stretch, const AftPhaseRow *phase)
{
    double from_s = MAX((double)stretch->from_ns / 1e9, phase->start_s);
    double to_s = MIN((double)stretch->to_ns / 1e9, phase->start_s + phase->duration_s);
    return MAX(to_s - from_s, 0.0);
}

/* Both phases and stretches follow each other in time. */
static void tell_phases(const AftJudge *judge, AftResult *result)
{
    guint first = 0;
    for (guint i = 0; i < result->phases->len; i++) {
        AftPhaseRow *phase = &g_array_index(result->phases, AftPhaseRow, i);
        double end_s = phase->start_s + phase->duration_s;
        phase->missed_s = 0.0;
        for (guint j = first; j < judge->missed->len; j++) {
            const Stretch *stretch = &g_array_index(judge->missed, Stretch, j);
            if ((double)stretch->from_ns / 1e9 >= end_s) {
                break;
            }
            phase->missed_s += common_s(stretch, phase);
            first = (double)stretch->to_ns / 1e9 < end_s ? j + 1 : j;
        }
    }
}

double aft_judge_finish(AftJudge *judge, AftResult *result)
{
    if (!aft_requirement_given(judge->required)) {
        return NAN;
    }
    if (judge->at_ns > judge->part_ns) {
        end_parts(judge, judge->at_ns);
    }
    tell_phases(judge, result);
    double missed_s = 0.0;
    for (guint i = 0; i < judge->missed->len; i++) {
        const Stretch *stretch = &g_array_index(judge->missed, Stretch, i);
        missed_s += (double)(stretch->to_ns - stretch->from_ns) / 1e9;
    }
    return missed_s;
}
