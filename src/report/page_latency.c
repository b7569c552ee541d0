/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of latency.csv as curves: for each share of I/Os the latency that it is slower than. */
#include "page_json.h"
#include "page_parts.h"
#include "phase_shares.h"

#include <math.h>

enum {
    SLOWER = 10, /* simulated I/Os a curve ends before: fewer tell nothing */
    CURVES = 8,  /* lines of a chart that can be told from each other */
    DECADES = 5
};

/* Shares that are slower, ten times less with each decade: 1 is the least latency, 0.5 the median,
 * 0.01 the 99th percentile. */
static const double steps[] = {1.0,  0.9, 0.8,  0.7, 0.6,   0.5,  0.45, 0.4,
                               0.35, 0.3, 0.25, 0.2, 0.175, 0.15, 0.125};

#define TAILS (DECADES * G_N_ELEMENTS(steps) + 1) /* the last: that of the last decade's end */

static double tail_at(guint i)
{
    return steps[i % G_N_ELEMENTS(steps)] * pow(10.0, -(double)(i / G_N_ELEMENTS(steps)));
}

/* What one curve is about: a phase, or all of its kind. */
typedef struct {
    AftPhase phase;
    guint occurrence;    /* from 1 */
    double start_s;      /* NaN: of all of the kind */
    double simulated[2]; /* I/Os, of reads and of writes; 0: remembered ones */
    GArray *rows[2];     /* AftLatencyRow */
} Curve;

static void clear_curve(gpointer data)
{
    Curve *curve = data;
    g_array_unref(curve->rows[0]);
    g_array_unref(curve->rows[1]);
}

static void add_phase(GArray *curves, const AftPhaseRow *row, gboolean kinds)
{
    guint occurrence = 1;
    Curve *curve = NULL;
    for (guint i = 0; i < curves->len; i++) {
        Curve *other = &g_array_index(curves, Curve, i);
        occurrence += other->phase == row->phase ? 1 : 0;
        curve = kinds && other->phase == row->phase ? other : curve;
    }
    if (curve == NULL) {
        Curve new = {row->phase, occurrence, kinds ? (double)NAN : row->start_s, {0.0}, {NULL}};
        for (guint d = 0; d < 2; d++) {
            new.rows[d] = g_array_new(FALSE, FALSE, sizeof(AftLatencyRow));
        }
        g_array_append_val(curves, new);
        curve = &g_array_index(curves, Curve, curves->len - 1);
    }
    curve->simulated[0] += isfinite(row->read_iops) ? row->read_iops * row->simulated_s : 0.0;
    curve->simulated[1] += isfinite(row->write_iops) ? row->write_iops * row->simulated_s : 0.0;
}

/* Returns: (nullable): which of @curves @row belongs to. */
static Curve *curve_of(GArray *curves, const AftLatencyRow *row)
{
    for (guint i = 0; i < curves->len; i++) {
        Curve *curve = &g_array_index(curves, Curve, i);
        if (curve->phase == row->phase &&
            (isnan(curve->start_s) || fabs(curve->start_s - row->start_s) < 1e-9)) {
            return curve;
        }
    }
    return NULL;
}

/* A file may say anything: what is no latency is left out. */
static void add_rows(GArray *curves, const GArray *latency)
{
    for (guint i = 0; i < latency->len; i++) {
        const AftLatencyRow *row = &g_array_index(latency, AftLatencyRow, i);
        Curve *curve = curve_of(curves, row);
        if (curve != NULL && row->upper_ms > 0.0 && row->count > 0.0) { /* NaN neither */
            g_array_append_vals(curve->rows[row->write ? 1 : 0], row, 1);
        }
    }
}

static gint by_latency(gconstpointer a, gconstpointer b)
{
    double first = ((const AftLatencyRow *)a)->upper_ms,
           second = ((const AftLatencyRow *)b)->upper_ms;
    return (first > second) - (first < second);
}

/* Where I/Os of @rows number @rank of all lies, evenly inside the row's step of 1/32. @at and
 * @before, its row and what is before that, only ever grow. */
static double latency_at(const GArray *rows, double rank, guint *at, double *before)
{
    const AftLatencyRow *row = &g_array_index(rows, AftLatencyRow, *at);
    while (*at + 1 < rows->len && *before + row->count < rank) {
        *before += row->count;
        row = &g_array_index(rows, AftLatencyRow, ++*at);
    }
    double lower = row->upper_ms * (1.0 - 1.0 / 32.0);
    if (*at > 0) {
        lower = fmax(lower, g_array_index(rows, AftLatencyRow, *at - 1).upper_ms);
    }
    double share = CLAMP((rank - *before) / row->count, 0.0, 1.0);
    return lower + share * (row->upper_ms - lower);
}

static void append_curve(GString *json, GArray *rows, double simulated)
{
    double values[TAILS], count = 0.0, before = 0.0;
    guint n = 0, at = 0;
    g_array_sort(rows, by_latency);
    for (guint i = 0; i < rows->len; i++) {
        count += g_array_index(rows, AftLatencyRow, i).count;
    }
    double known = simulated > 0.0 ? fmin(simulated, count) : count;
    for (; rows->len > 0 && n < TAILS && (n == 0 || tail_at(n) * known >= SLOWER); n++) {
        values[n] = latency_at(rows, (1.0 - tail_at(n)) * count, &at, &before);
    }
    aft_page_json_numbers(json, values, n, AFT_PAGE_FEW);
}

static void append_curves(GString *json, GArray *curves)
{
    const char *between = "";
    for (guint i = 0; i < curves->len; i++) {
        Curve *curve = &g_array_index(curves, Curve, i);
        if (curve->rows[0]->len + curve->rows[1]->len == 0) {
            continue;
        }
        const char *name = aft_phase_name(curve->phase);
        g_string_append_printf(json, "%s\n{\"name\":\"%s", between, name);
        if (curve->occurrence > 1) {
            g_string_append_printf(json, " (%u)", curve->occurrence);
        }
        g_string_append(json, "\",\"read\":");
        append_curve(json, curve->rows[0], curve->simulated[0]);
        g_string_append(json, ",\"write\":");
        append_curve(json, curve->rows[1], curve->simulated[1]);
        g_string_append_c(json, '}');
        between = ",";
    }
}

void aft_page_append_tails(GString *json)
{
    double tails[TAILS];
    for (guint i = 0; i < TAILS; i++) {
        tails[i] = tail_at(i);
    }
    g_string_append(json, "\"tails\":");
    aft_page_json_numbers(json, tails, TAILS, AFT_PAGE_EXACT);
}

void aft_page_append_latency(GString *json, const AftResult *result, gboolean kinds)
{
    g_autoptr(GArray) curves = g_array_new(FALSE, FALSE, sizeof(Curve));
    g_array_set_clear_func(curves, clear_curve);
    guint n = MIN(result->phases->len, AFT_LATENCY_PHASES);
    gboolean many = kinds || n > CURVES;
    for (guint i = 0; i < n; i++) {
        add_phase(curves, &g_array_index(result->phases, AftPhaseRow, i), many);
    }
    add_rows(curves, result->latency);
    g_string_append(json, ",\n\"latency\":[");
    append_curves(json, curves);
    g_string_append_printf(json, "],\"latency_kinds\":%s", many ? "true" : "false");
}
