/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare_cell.h"
#include "human.h"
#include "lines.h"

#include <aftershock/report/compare.h>

#include <math.h>

/* The tables, in their order: the marks, and what has none. */
enum { OPEN = AFT_MARKS, SECTIONS };

/* What a line can do without, in the order in which it goes. */
typedef enum { NEVER, ALLOWED_FIRST, INTERVALS_NEXT, SHED_ALL } Shed;

typedef enum {
    LABEL,
    PHASE,
    FIGURE,
    PUBLISHED,
    SIMULATED,
    INTERVAL,
    ERROR,
    ALLOWED,
    VERDICT,
    ROLE
} Kind;

static const struct {
    AftGridColumn column;
    Kind kind;
    Shed goes_at; /* NEVER: it stays */
} columns[] = {
    {{NULL, "configuration", FALSE, FALSE}, LABEL, NEVER},
    {{NULL, "phase", FALSE, FALSE}, PHASE, NEVER},
    {{NULL, "figure", FALSE, FALSE}, FIGURE, NEVER},
    {{NULL, "published", TRUE, FALSE}, PUBLISHED, NEVER},
    {{NULL, "simulated", TRUE, FALSE}, SIMULATED, NEVER},
    {{NULL, "", FALSE, TRUE}, INTERVAL, INTERVALS_NEXT},
    {{NULL, "error", TRUE, FALSE}, ERROR, NEVER},
    {{NULL, "allowed", FALSE, FALSE}, ALLOWED, ALLOWED_FIRST},
    {{NULL, "verdict", FALSE, FALSE}, VERDICT, NEVER},
    {{NULL, "fit", FALSE, FALSE}, ROLE, NEVER},
};

static const char *const section_titles[SECTIONS] = {
    [AFT_MARK_STATED] = "stated: what the source says",
    [AFT_MARK_DERIVED] = "derived: worked out from what it says",
    [AFT_MARK_SUSPECT] = "suspect: where the source contradicts itself",
    [OPEN] = "predictions: what the source leaves open",
};

static guint section_of(const AftComparedCell *compared)
{
    return isnan(compared->cell->value) ? (guint)OPEN : (guint)compared->cell->mark;
}

static const char *verdict_text(AftVerdict verdict)
{
    switch (verdict) {
    case AFT_VERDICT_WITHIN:
        return "within";
    case AFT_VERDICT_OUTSIDE:
        return "outside";
    case AFT_VERDICT_ABSENT:
        return "absent";
    default:
        return "";
    }
}

static char *cell_text(Kind kind, const AftComparedCell *compared)
{
    const AftReferenceCell *cell = compared->cell;
    guint decimals = aft_compare_decimals(compared);
    switch (kind) {
    case LABEL:
        return aft_compare_label(cell);
    case PHASE:
        return aft_compare_phase(cell);
    case FIGURE:
        return aft_compare_figure(cell);
    case PUBLISHED:
        return aft_human_number(cell->value / cell->unit_base, decimals);
    case SIMULATED:
        return aft_human_number(compared->simulated.value / cell->unit_base, decimals);
    case INTERVAL:
        return aft_human_interval(compared->simulated.half_width / cell->unit_base, decimals);
    case ERROR:
        return aft_human_change(compared->error);
    case ALLOWED:
        return aft_compare_allowed(cell);
    case ROLE:
        return g_strdup(compared->role != NULL ? compared->role : "");
    default:
        return g_strdup(verdict_text(compared->verdict));
    }
}

static AftTint cell_tint(Kind kind, const AftComparedCell *compared)
{
    if (kind == LABEL) {
        return AFT_TINT_STRONG;
    }
    if (kind != VERDICT) {
        return AFT_TINT_NONE;
    }
    return compared->breach                          ? AFT_TINT_BAD
           : compared->verdict == AFT_VERDICT_WITHIN ? AFT_TINT_GOOD
                                                     : AFT_TINT_NOTICE;
}

/* Returns: (transfer full) (nullable): NULL: the section has no cells. */
static AftGrid *lay_out(const AftComparison *comparison, guint section, guint shed, gboolean utf8)
{
    AftGrid *grid = aft_grid_new(utf8);
    guint n = 0;
    for (guint c = 0; c < G_N_ELEMENTS(columns); c++) {
        if (columns[c].goes_at != NEVER && columns[c].goes_at <= shed) {
            continue;
        }
        aft_grid_add_column(grid, &columns[c].column);
        for (guint i = 0; i < comparison->cells->len; i++) {
            const AftComparedCell *compared = &g_array_index(comparison->cells, AftComparedCell, i);
            if (section_of(compared) == section) {
                g_autofree char *text = cell_text(columns[c].kind, compared);
                aft_grid_add_cell(grid, text, cell_tint(columns[c].kind, compared));
                n++;
            }
        }
    }
    if (n == 0) {
        g_clear_pointer(&grid, aft_grid_free);
    }
    return grid;
}

/* The same as wide as it may be. */
static AftGrid *fit(const AftComparison *comparison, guint section, const AftTextStyle *style)
{
    AftGrid *grid = lay_out(comparison, section, NEVER, style->utf8);
    for (guint shed = NEVER + 1;
         grid != NULL && shed < SHED_ALL && style->width > 0 && aft_grid_width(grid) > style->width;
         shed++) {
        aft_grid_free(grid);
        grid = lay_out(comparison, section, shed, style->utf8);
    }
    return grid;
}

/* "write_mean 0.7 % of 4 (at most 1.2 %)" */
static void append_summary(GString *text, const AftErrorSummary *summary)
{
    g_autofree char *median = aft_human_share(summary->median);
    g_autofree char *largest = aft_human_share(summary->largest);
    g_string_append_printf(text, "%s%s %s", text->len > 0 ? "; " : "",
                           summary->metric == NULL ? "all" : summary->metric->name, median);
    if (summary->n > 1) {
        g_string_append_printf(text, " of %u (at most %s)", summary->n, largest);
    }
}

/* Medians of one mark, the one of all where there are several. Returns: (transfer full): "" without
 * any. */
static char *medians_text(const AftComparison *comparison, AftMark mark, gboolean ratio)
{
    GString *text = g_string_new(NULL);
    guint metrics = 0;
    for (guint i = 0; i < comparison->summaries->len; i++) {
        const AftErrorSummary *summary = &g_array_index(comparison->summaries, AftErrorSummary, i);
        gboolean here = summary->mark == mark && summary->ratio == ratio;
        if (here && (summary->metric != NULL || metrics > 1)) {
            append_summary(text, summary);
            metrics++;
        }
    }
    return g_string_free(text, FALSE);
}

static char *breach_text(const AftComparedCell *compared)
{
    const AftReferenceCell *cell = compared->cell;
    guint decimals = aft_compare_decimals(compared);
    g_autofree char *name = aft_reference_cell_name(cell);
    g_autofree char *published = aft_compare_quantity(cell, cell->value, decimals);
    if (compared->verdict == AFT_VERDICT_ABSENT) {
        return g_strdup_printf("%s: absent, published %s", name, published);
    }
    g_autofree char *simulated = aft_compare_quantity(cell, compared->simulated.value, decimals);
    g_autofree char *error = aft_human_change(compared->error);
    g_autofree char *allowed = aft_compare_allowed(cell);
    return g_strdup_printf("%s: %s instead of %s (%s), allowed %s", name, simulated, published,
                           error, allowed);
}

typedef void (*AddLine)(GString *out, const char *label, const char *text, AftTint tint,
                        const AftTextStyle *style);

static void append_medians(GString *out, const AftComparison *comparison, AddLine add,
                           const AftTextStyle *style)
{
    gboolean first = TRUE;
    for (guint i = 0; i < 2 * AFT_MARKS; i++) {
        AftMark mark = (AftMark)(i / 2);
        gboolean ratio = i % 2 != 0;
        g_autofree char *medians = medians_text(comparison, mark, ratio);
        if (*medians != '\0') {
            g_autofree char *text =
                g_strdup_printf("%s%s: %s", aft_mark_name(mark), ratio ? " ratios" : "", medians);
            add(out, first ? "medians" : "", text, AFT_TINT_NONE, style);
            first = FALSE;
        }
    }
}

static void append_breaches(GString *out, const AftComparison *comparison, AddLine add,
                            const AftTextStyle *style)
{
    gboolean first = TRUE;
    for (guint i = 0; i < comparison->cells->len; i++) {
        const AftComparedCell *compared = &g_array_index(comparison->cells, AftComparedCell, i);
        if (compared->breach) {
            g_autofree char *text = breach_text(compared);
            add(out, first ? "breaches" : "", text, AFT_TINT_BAD, style);
            first = FALSE;
        }
    }
}

static void append_notes(GString *out, const AftComparison *comparison, AddLine add,
                         const AftTextStyle *style)
{
    append_medians(out, comparison, add, style);
    append_breaches(out, comparison, add, style);
    if (comparison->skipped > 0) {
        g_autofree char *text =
            g_strdup_printf("%u %s of configurations that were not simulated", comparison->skipped,
                            comparison->skipped == 1 ? "cell" : "cells");
        add(out, "left out", text, AFT_TINT_NONE, style);
    }
}

char *aft_compare_text(const AftComparison *comparison, const AftReference *reference,
                       const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    aft_lines_append_headline(out, reference->name, "", style);
    if (*reference->source != '\0') {
        g_autofree char *source = aft_text_for(reference->source, style->utf8);
        g_string_append_printf(out, "%s\n", source);
    }
    for (guint section = 0; section < SECTIONS; section++) {
        g_autoptr(AftGrid) grid = fit(comparison, section, style);
        if (grid != NULL) {
            g_string_append_c(out, '\n');
            aft_tint_append(out, section_titles[section], AFT_TINT_STRONG, style->colour);
            aft_grid_append_text(grid, out, style->colour);
        }
    }
    g_string_append_c(out, '\n');
    append_notes(out, comparison, aft_lines_append, style);
    return g_string_free(out, FALSE);
}

static void append_markdown_line(GString *out, const char *label, const char *text, AftTint tint,
                                 const AftTextStyle *style)
{
    (void)tint;
    (void)style;
    if (*label != '\0') {
        g_string_append_printf(out, "- **%s**\n", label);
    }
    g_string_append_printf(out, "  - %s\n", text);
}

char *aft_compare_markdown(const AftComparison *comparison, const AftReference *reference)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "### %s\n\n%s%s", reference->name, reference->source,
                           *reference->source != '\0' ? "\n\n" : "");
    for (guint section = 0; section < SECTIONS; section++) {
        g_autoptr(AftGrid) grid = lay_out(comparison, section, NEVER, TRUE);
        if (grid != NULL) {
            g_string_append_printf(out, "#### %s\n\n", section_titles[section]);
            aft_grid_append_markdown(grid, out);
            g_string_append_c(out, '\n');
        }
    }
    append_notes(out, comparison, append_markdown_line, NULL);
    return g_string_free(out, FALSE);
}
