/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/reference/reference.h>

#include <math.h>
#include <string.h>

/* What rounding may add to a figure: shares of it. */
#define ROUNDING (1e-12)

static const char *const mark_names[AFT_MARKS] = {
    [AFT_MARK_STATED] = "stated", [AFT_MARK_DERIVED] = "derived", [AFT_MARK_SUSPECT] = "suspect"};

const char *aft_mark_name(AftMark mark)
{
    g_assert(mark < AFT_MARKS);
    return mark_names[mark];
}

gboolean aft_mark_from_name(const char *name, AftMark *ret_mark)
{
    for (guint i = 0; i < AFT_MARKS; i++) {
        if (g_str_equal(name, mark_names[i])) {
            *ret_mark = (AftMark)i;
            return TRUE;
        }
    }
    return FALSE;
}

gboolean aft_side_parse(const char *text, AftUnit unit, AftSide *ret_side, GError **error)
{
    g_autofree char *trimmed = g_strstrip(g_strdup(text));
    AftSide side = {!g_str_equal(trimmed, "none"), g_str_has_suffix(trimmed, "%"), 0.0};
    if (side.bounded &&
        !aft_units_parse(side.relative ? AFT_UNIT_SHARE : unit, trimmed, &side.amount, error)) {
        return FALSE;
    }
    if (side.amount < 0.0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "expected 0 or more, got %s", trimmed);
        return FALSE;
    }
    *ret_side = side;
    return TRUE;
}

static void free_cell(gpointer data)
{
    AftReferenceCell *cell = data;
    g_free(cell->label);
    g_free(cell->over);
    g_free(cell->unit);
    g_free(cell->source);
    g_free(cell->note);
    g_free(cell);
}

static void free_configuration(gpointer data)
{
    AftConfiguration *configuration = data;
    g_free(configuration->label);
    g_free(configuration->scenario);
    g_strfreev(configuration->settings);
    g_free(configuration);
}

AftReference *aft_reference_new(void)
{
    AftReference *reference = g_new0(AftReference, 1);
    reference->configurations = g_ptr_array_new_with_free_func(free_configuration);
    reference->cells = g_ptr_array_new_with_free_func(free_cell);
    return reference;
}

void aft_reference_free(AftReference *reference)
{
    if (reference != NULL) {
        g_ptr_array_unref(reference->configurations);
        g_ptr_array_unref(reference->cells);
        g_free(reference->name);
        g_free(reference->source);
        g_strfreev(reference->fitted);
        g_free(reference);
    }
}

AftReferenceCell *aft_reference_cell_new(void)
{
    AftReferenceCell *cell = g_new0(AftReferenceCell, 1);
    cell->value = (double)NAN;
    cell->unit_base = 1.0;
    return cell;
}

const AftConfiguration *aft_reference_configuration(const AftReference *reference,
                                                    const char *label)
{
    for (guint i = 0; i < reference->configurations->len; i++) {
        const AftConfiguration *configuration = g_ptr_array_index(reference->configurations, i);
        if (g_str_equal(configuration->label, label)) {
            return configuration;
        }
    }
    return NULL;
}

AftUnit aft_reference_cell_unit(const AftReferenceCell *cell)
{
    return cell->over != NULL ? AFT_UNIT_COUNT : cell->metric->unit;
}

char *aft_reference_cell_name(const AftReferenceCell *cell)
{
    gboolean ratio = cell->over != NULL, whole = cell->metric->whole;
    return g_strdup_printf("%s%s%s %s%s%s%s", cell->label, ratio ? "/" : "",
                           ratio ? cell->over : "", cell->last && !whole ? "last " : "",
                           whole ? "" : aft_phase_name(cell->phase), whole ? "" : " ",
                           cell->metric->name);
}

gboolean aft_reference_cell_matches(const AftReferenceCell *cell, const char *pattern)
{
    static const char *const rests[] = {"/*/*", "/*", ""};
    const char *phase = cell->metric->whole ? "-" : aft_phase_name(cell->phase);
    g_autofree char *path = g_strdup_printf("%s/%s/%s", cell->label, phase, cell->metric->name);
    guint slashes = 0;
    for (const char *at = pattern; *at != '\0'; at++) {
        slashes += *at == '/';
    }
    g_autofree char *whole = g_strconcat(pattern, rests[MIN(slashes, 2)], NULL);
    return g_pattern_match_simple(whole, path);
}

gboolean aft_reference_cell_bounded(const AftReferenceCell *cell)
{
    return cell->tolerance.below.bounded || cell->tolerance.above.bounded;
}

/* Whether @side allows to be @far away from @value; below 0: on the other side of it. */
static gboolean side_allows(const AftSide *side, double value, double far)
{
    double amount = side->relative ? side->amount * fabs(value) : side->amount;
    return !side->bounded || far <= amount + ROUNDING * (fabs(value) + fabs(far));
}

gboolean aft_reference_cell_allows(const AftReferenceCell *cell, double simulated)
{
    return side_allows(&cell->tolerance.below, cell->value, cell->value - simulated) &&
           side_allows(&cell->tolerance.above, cell->value, simulated - cell->value);
}
