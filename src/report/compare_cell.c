/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare_cell.h"

#include "human.h"

#include <math.h>

guint aft_compare_decimals(const AftComparedCell *compared)
{
    const AftReferenceCell *cell = compared->cell;
    double shown = isnan(cell->value) ? compared->simulated.value : cell->value;
    return aft_human_decimals(shown / cell->unit_base);
}

char *aft_compare_figure(const AftReferenceCell *cell)
{
    gboolean bare = g_str_equal(cell->unit, "1");
    return g_strconcat(cell->metric->name, bare ? "" : ", ", bare ? "" : cell->unit, NULL);
}

char *aft_compare_quantity(const AftReferenceCell *cell, double value, guint decimals)
{
    gboolean bare = g_str_equal(cell->unit, "1");
    g_autofree char *number = aft_human_number(value / cell->unit_base, decimals);
    return g_strconcat(number, bare ? "" : " ", bare ? "" : cell->unit, NULL);
}

static char *side_text(const AftReferenceCell *cell, const AftSide *side)
{
    AftUnit unit = aft_reference_cell_unit(cell);
    if (!side->bounded) {
        return g_strdup("");
    }
    /* A % is of the published value, so that of a share is written without. */
    return side->relative
               ? aft_human_share(side->amount)
               : aft_units_format(unit == AFT_UNIT_SHARE ? AFT_UNIT_COUNT : unit, side->amount);
}

char *aft_compare_allowed(const AftReferenceCell *cell)
{
    g_autofree char *below = side_text(cell, &cell->tolerance.below);
    g_autofree char *above = side_text(cell, &cell->tolerance.above);
    if (isnan(cell->value) || (*below == '\0' && *above == '\0')) {
        return g_strdup("");
    }
    if (g_str_equal(below, above)) {
        return g_strconcat("± ", below, NULL);
    }
    return g_strconcat(*below != '\0' ? "- " : "", below,
                       *below != '\0' && *above != '\0' ? " " : "", *above != '\0' ? "+ " : "",
                       above, NULL);
}

char *aft_compare_label(const AftReferenceCell *cell)
{
    return g_strconcat(cell->label, cell->over != NULL ? " / " : "", cell->over, NULL);
}

char *aft_compare_phase(const AftReferenceCell *cell)
{
    return g_strconcat(cell->last && !cell->metric->whole ? "last " : "",
                       cell->metric->whole ? "" : aft_phase_name(cell->phase), NULL);
}
