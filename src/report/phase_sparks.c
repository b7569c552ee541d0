/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phase_sparks.h"

#include <aftershock/report/sparkline.h>
#include <math.h>

/* Means of a phase, cell by cell; NaN: nothing is known. */
typedef struct {
    double values[AFT_SPARKS][AFT_SPARK_CELLS];
} Course;

struct AftPhaseSparks {
    GArray *courses; /* Course, of each phase */
    double most[AFT_SPARKS];
};

/* A part of a phase, and what is known of it. */
typedef struct {
    double from_s, to_s;
    double sum[AFT_SPARKS], weight[AFT_SPARKS];
} Part;

static void add(Part *part, AftSpark spark, double value, double weight)
{
    if (isfinite(value) && weight > 0.0) {
        part->sum[spark] += value * weight;
        part->weight[spark] += weight;
    }
}

/* Adds what @row, up to @end_s, has in common with @part: IOPS by time, latencies by I/Os. */
static void add_row(Part *part, const AftTraceRow *row, double end_s)
{
    double common_s = fmin(part->to_s, end_s) - fmax(part->from_s, row->time_s);
    add(part, AFT_SPARK_IOPS, row->read_iops + row->write_iops, common_s);
    add(part, AFT_SPARK_READ, row->read_mean_ms, common_s * row->read_iops);
    add(part, AFT_SPARK_WRITE, row->write_mean_ms, common_s * row->write_iops);
}

static double row_end_s(const GArray *trace, guint index)
{
    return index + 1 < trace->len ? g_array_index(trace, AftTraceRow, index + 1).time_s
                                  : (double)INFINITY;
}

/* Looks at rows from *@index on, and moves it to the one in which @part ends. */
static void fill(Part *part, const GArray *trace, guint *index)
{
    while (*index < trace->len) {
        double end_s = row_end_s(trace, *index);
        add_row(part, &g_array_index(trace, AftTraceRow, *index), end_s);
        if (end_s > part->to_s) {
            break;
        }
        (*index)++;
    }
}

static void add_phase(AftPhaseSparks *sparks, const AftPhaseRow *phase, const GArray *trace,
                      guint *index)
{
    Course course;
    double cell_s = phase->duration_s / AFT_SPARK_CELLS;
    for (guint cell = 0; cell < AFT_SPARK_CELLS; cell++) {
        Part part = {phase->start_s + cell * cell_s,
                     phase->start_s + (cell + 1) * cell_s,
                     {0},
                     {0}};
        fill(&part, trace, index);
        for (guint i = 0; i < AFT_SPARKS; i++) {
            double value = part.weight[i] > 0.0 ? part.sum[i] / part.weight[i] : (double)NAN;
            course.values[i][cell] = value;
            sparks->most[i] = fmax(sparks->most[i], value); /* NaN loses */
        }
    }
    g_array_append_val(sparks->courses, course);
}

AftPhaseSparks *aft_phase_sparks_new(const AftResult *result)
{
    AftPhaseSparks *sparks = g_new0(AftPhaseSparks, 1);
    sparks->courses = g_array_new(FALSE, FALSE, sizeof(Course));
    guint row = 0;
    for (guint i = 0; i < result->phases->len; i++) {
        add_phase(sparks, &g_array_index(result->phases, AftPhaseRow, i), result->trace, &row);
    }
    return sparks;
}

void aft_phase_sparks_free(AftPhaseSparks *sparks)
{
    if (sparks != NULL) {
        g_array_unref(sparks->courses);
        g_free(sparks);
    }
}

char *aft_phase_sparks_text(const AftPhaseSparks *sparks, guint index, AftSpark spark,
                            gboolean utf8)
{
    const Course *course = &g_array_index(sparks->courses, Course, index);
    return aft_sparkline(course->values[spark], AFT_SPARK_CELLS, sparks->most[spark], utf8);
}
