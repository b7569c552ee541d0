/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#define USUAL_SHARE 0.10  /* that a cell without a tolerance may be off */
#define LEAST_SHARE 0.005 /* nobody measures better than that */
#define NORMAL_95   1.96  /* half of a 95 % interval in standard deviations */
#define FAR         3.0   /* ln(s / v) at most, twenty times; of a phase that did not come about */

/* "label/phase/metric". Returns: (transfer full). */
static char *path_of(const AftReferenceCell *cell)
{
    return g_strdup_printf("%s/%s/%s", cell->label,
                           cell->metric->whole ? "-" : aft_phase_name(cell->phase),
                           cell->metric->name);
}

static gboolean matches(const char *pattern, const char *path)
{
    guint slashes = 0;
    for (const char *at = pattern; *at != '\0'; at++) {
        slashes += *at == '/';
    }
    static const char *const rests[] = {"/*/*", "/*", ""};
    g_autofree char *whole = g_strconcat(pattern, rests[MIN(slashes, 2)], NULL);
    return g_pattern_match_simple(whole, path);
}

static gboolean is_held_out(const AftCalibrationSetup *setup, const AftReferenceCell *cell)
{
    g_autofree char *path = path_of(cell);
    for (guint i = 0; setup->held_out != NULL && setup->held_out[i] != NULL; i++) {
        if (matches(setup->held_out[i], path)) {
            return TRUE;
        }
    }
    return FALSE;
}

static AftRole role_of(const AftCalibrationSetup *setup, const AftReferenceCell *cell)
{
    return isnan(cell->value)               ? AFT_ROLE_OPEN
           : cell->mark == AFT_MARK_SUSPECT ? AFT_ROLE_SUSPECT
           : is_held_out(setup, cell)       ? AFT_ROLE_HELD_OUT
                                            : AFT_ROLE_FITTED;
}

GArray *aft_cells_choose(const AftCalibrationSetup *setup, const AftComparison *comparison,
                         AftRole *ret_roles)
{
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < comparison->cells->len; i++) {
        AftRole role = role_of(setup, g_array_index(comparison->cells, AftComparedCell, i).cell);
        if (ret_roles != NULL) {
            ret_roles[i] = role;
        }
        if (role == AFT_ROLE_FITTED) {
            g_array_append_val(chosen, i);
        }
    }
    return chosen;
}

static double share_of(const AftSide *side, double value)
{
    double share = side->relative ? side->amount : side->amount / value;
    return side->bounded ? MAX(share, LEAST_SHARE) : USUAL_SHARE;
}

double aft_cells_residual(const AftComparedCell *it)
{
    const AftTolerance *tolerance = &it->cell->tolerance;
    double value = it->cell->value, simulated = it->simulated.value;
    if (!(simulated > 0.0)) { /* or NaN */
        /* No fit may gain by losing a phase that is far off. */
        return FAR / MIN(share_of(&tolerance->below, value), share_of(&tolerance->above, value));
    }
    gboolean less = simulated < value;
    const AftSide *side = less ? &tolerance->below : &tolerance->above;
    const AftSide *other = less ? &tolerance->above : &tolerance->below;
    if (!side->bounded && other->bounded) {
        return 0.0; /* it may be there as far as it likes */
    }
    double share = share_of(side, value);
    double from =
        side->bounded && !other->bounded ? value * (less ? 1.0 - share : 1.0 + share) : value;
    gboolean beyond = from == value || (less ? simulated < from : simulated > from);
    return beyond ? CLAMP(log(simulated / from), -FAR, FAR) / share : 0.0;
}

double aft_cells_chance(const AftComparedCell *it)
{
    const AftTolerance *tolerance = &it->cell->tolerance;
    double value = it->simulated.value, half_width = it->simulated.half_width;
    const AftSide *side = value < it->cell->value ? &tolerance->below : &tolerance->above;
    gboolean one_sided = tolerance->below.bounded != tolerance->above.bounded;
    gboolean known = value > 0.0 && half_width > 0.0;
    gboolean felt = !one_sided || aft_cells_residual(it) != 0.0; /* else it is 0 nearby too */
    return known && felt ? half_width / NORMAL_95 / value / share_of(side, it->cell->value) : 0.0;
}

gboolean aft_cells_is_of(const AftReferenceCell *cell, AftRotate by, const char *name)
{
    return g_strcmp0(aft_cells_group(cell, by), name) == 0 ||
           (by == AFT_ROTATE_CONFIGURATION && g_strcmp0(cell->over, name) == 0);
}

const char *aft_cells_group(const AftReferenceCell *cell, AftRotate by)
{
    return by == AFT_ROTATE_CONFIGURATION ? cell->label
           : cell->metric->whole          ? NULL
                                          : aft_phase_name(cell->phase);
}

AftFigures aft_cells_figures(const AftReferenceCell *cell)
{
    const char *name = cell->metric->name;
    return g_str_has_suffix(name, "iops")        ? AFT_FIGURES_IOPS
           : g_str_has_suffix(name, "minutes")   ? AFT_FIGURES_MINUTES
           : cell->metric->unit == AFT_UNIT_TIME ? AFT_FIGURES_LATENCY
                                                 : AFT_FIGURES_OTHER;
}

const char *aft_figures_name(AftFigures figures)
{
    static const char *const names[AFT_FIGURES] = {"iops", "latencies", "minutes", "others"};
    return names[figures];
}

const char *aft_role_name(AftRole role)
{
    static const char *const names[] = {"fitted", "held out", "suspect", "open"};
    return names[role];
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return isnan(first) || isnan(second) ? isnan(first) - isnan(second)
                                         : (first > second) - (first < second);
}

AftErrors aft_cells_errors(GArray *errors)
{
    g_array_sort(errors, by_size); /* those that are absent last */
    const double *sorted = (const double *)errors->data;
    guint n = 0;
    while (n < errors->len && !isnan(sorted[n])) {
        n++;
    }
    double median = n > 0 ? gsl_stats_median_from_sorted_data(sorted, 1, n) : (double)NAN;
    return (AftErrors){n, errors->len - n, median, n > 0 ? sorted[n - 1] : (double)NAN};
}
