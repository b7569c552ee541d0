/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <aftershock/sweep/points.h>
#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

#include <math.h>
#include <string.h>

#define MOST_VALUES 4000000 /* held at once: 32 MB */

/* Means of some yields of one phase at all points, while they are summed up. */
typedef struct {
    guint phase, first, end; /* yields of this pass */
    double *sum;             /* by yield, then point */
    guint *n;
    guint points;
} Means;

static gboolean add(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Means *means = data;
    if (row->failure != NULL) {
        return TRUE;
    }
    AftGathered gathered = aft_gather(row->phases, means->phase);
    for (guint yield = means->first; yield < means->end; yield++) {
        double value = aft_yield_of(yield, &gathered);
        gsize place = (gsize)(yield - means->first) * means->points + row->point;
        means->sum[place] += isnan(value) ? 0.0 : value;
        means->n[place] += isnan(value) ? 0 : 1;
    }
    return TRUE;
}

/* Turns the sums of @yield into means. Returns: (transfer none): of all points. */
static const double *means_of(Means *means, guint yield)
{
    gsize from = (gsize)(yield - means->first) * means->points;
    for (gsize i = from; i < from + means->points; i++) {
        means->sum[i] = means->n[i] > 0 ? means->sum[i] / means->n[i] : (double)NAN;
    }
    return means->sum + from;
}

typedef struct {
    FILE *out;
    GString *line;
    char **names; /* of axes */
    guint n_axes;
} Writer;

/* Leaves out what does not vary, or has not occurred at enough points. */
static gboolean write_yield(Writer *writer, Means *means, guint yield, GError **error)
{
    const double *values = means_of(means, yield);
    guint rows = means->points / (writer->n_axes + 2);
    gboolean fine = TRUE;
    for (guint axis = 0; fine && axis < writer->n_axes; axis++) {
        AftSobolIndex index = aft_sobol_index(values, rows, writer->n_axes, axis);
        if (isnan(index.first)) {
            return TRUE;
        }
        aft_line_text(writer->line, aft_yield_phase_name(means->phase));
        aft_line_text(writer->line, aft_yield_name(yield));
        aft_line_text(writer->line, writer->names[axis]);
        const double numbers[] = {index.first, index.first_half_width, index.total,
                                  index.total_half_width};
        for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
            aft_line_number(writer->line, numbers[i]);
        }
        fine = aft_line_end(writer->line, writer->out, error);
    }
    return fine;
}

static gboolean write_pass(Writer *writer, AftStore *store, Means *means, GError **error)
{
    gsize values = (gsize)(means->end - means->first) * means->points;
    means->sum = g_new0(double, values);
    means->n = g_new0(guint, values);
    gboolean fine = aft_store_each(store, G_MAXUINT, add, means, error);
    for (guint yield = means->first; fine && yield < means->end; yield++) {
        fine = write_yield(writer, means, yield, error);
    }
    g_free(means->sum);
    g_free(means->n);
    return fine;
}

static gboolean write_phase(Writer *writer, AftStore *store, guint phase, GError **error)
{
    guint points = aft_store_identity(store)->points;
    guint at_once = MAX(MOST_VALUES / MAX(points, 1), 1);
    gboolean fine = TRUE;
    for (guint first = 0; fine && first < aft_yields_n(); first += at_once) {
        Means means = {.phase = phase,
                       .first = first,
                       .end = MIN(first + at_once, aft_yields_n()),
                       .points = points};
        fine = write_pass(writer, store, &means, error);
    }
    return fine;
}

static char **names_of(AftStore *store)
{
    char **axes = aft_line_axes_of(store);
    for (guint i = 0; axes[i] != NULL; i++) {
        axes[i][strcspn(axes[i], "=")] = '\0';
    }
    return axes;
}

gboolean aft_tables_indices(AftStore *store, FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new("phase,metric,axis,first,first_ci,total,total_ci");
    g_auto(GStrv) names = names_of(store);
    Writer writer = {out, line, names, g_strv_length(names)};
    gboolean fine = aft_line_end(line, out, error);
    for (guint phase = 0; fine && phase < AFT_YIELD_PHASES; phase++) {
        fine = write_phase(&writer, store, phase, error);
    }
    return fine;
}
