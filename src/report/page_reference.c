/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results beside a reference: a pair of bars for each figure, on a scale on which all that is
 * published is equally long, so that lengths are deviations. */
#include "compare_cell.h"
#include "human.h"
#include "page_parts.h"

#include <aftershock/base/shown.h>

#include <math.h>

enum {
    MOST_CELLS = 200,
    NAME = 60,       /* characters of what a file calls things */
    WIDTH = 260,     /* of a drawing, in pixels */
    PUBLISHED = 160, /* where bars of published values end */
    MARGIN = 12      /* for the mark of what is longer */
};

static void append_cut(GString *html, const char *text)
{
    g_autofree char *cut = aft_shown_start(text, NAME);
    aft_page_append_text(html, cut);
}

/* Where @share of the published value ends, as far as the drawing goes. */
static double place(double share)
{
    return CLAMP(share * PUBLISHED, 0.0, (double)(WIDTH - MARGIN));
}

static void append_rect(GString *html, const char *kind, double from, double to, guint top,
                        guint height)
{
    char left[G_ASCII_DTOSTR_BUF_SIZE], width[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(html,
                           "<rect class=\"%s\" x=\"%s\" y=\"%u\" width=\"%s\" height=\"%u\"/>",
                           kind, g_ascii_formatd(left, sizeof left, "%.1f", from), top,
                           g_ascii_formatd(width, sizeof width, "%.1f", fmax(to - from, 1.0)),
                           height);
}

/* How far a side of the tolerance goes, as a share of the published value; without a bound, to the
 * end of the drawing. */
static double reach(const AftSide *side, double value, double unbounded)
{
    return !side->bounded ? unbounded : side->relative ? side->amount : side->amount / fabs(value);
}

/* "published 107,676, simulated 107,585, allowed ± 3 %" */
static char *describe(const AftComparedCell *compared)
{
    const AftReferenceCell *cell = compared->cell;
    guint decimals = aft_compare_decimals(compared);
    g_autofree char *published = aft_compare_quantity(cell, cell->value, decimals);
    g_autofree char *simulated = aft_compare_quantity(cell, compared->simulated.value, decimals);
    g_autofree char *allowed = aft_compare_allowed(cell);
    return g_strdup_printf("published %s, simulated %s%s%s", published,
                           isnan(compared->simulated.value) ? "nothing" : simulated,
                           *allowed != '\0' ? ", allowed " : "", allowed);
}

static void append_bars(GString *html, const AftComparedCell *compared)
{
    const AftReferenceCell *cell = compared->cell;
    double share = compared->simulated.value / cell->value;
    g_autofree char *text = describe(compared);
    g_autofree char *cut = aft_shown_start(text, 2 * NAME);
    g_autofree char *escaped = g_markup_escape_text(cut, -1);
    g_string_append_printf(html,
                           "<svg class=\"bars\" width=\"%d\" height=\"26\" role=\"img\" "
                           "aria-label=\"%s\"><title>%s</title>",
                           WIDTH, escaped, escaped);
    if (aft_reference_cell_bounded(cell)) {
        append_rect(html, "band", place(1.0 - reach(&cell->tolerance.below, cell->value, 1.0)),
                    place(1.0 + reach(&cell->tolerance.above, cell->value, WIDTH)), 0, 26);
    }
    append_rect(html, "published", 0.0, PUBLISHED, 3, 8);
    if (isfinite(share)) {
        append_rect(html, compared->breach ? "simulated out" : "simulated", 0.0, place(share), 14,
                    9);
    }
    if (share * PUBLISHED > WIDTH - MARGIN) {
        g_string_append_printf(html, "<path class=\"beyond\" d=\"M%d 14l6 4.5l-6 4.5\"/>",
                               WIDTH - MARGIN + 2);
    }
    g_string_append(html, "</svg>");
}

static void append_verdict(GString *html, const AftComparedCell *compared)
{
    static const char *const words[AFT_VERDICTS] = {
        [AFT_VERDICT_WITHIN] = "✓ within",       [AFT_VERDICT_OUTSIDE] = "✗ outside",
        [AFT_VERDICT_PREDICTION] = "prediction", [AFT_VERDICT_FREE] = "no tolerance",
        [AFT_VERDICT_ABSENT] = "✗ absent",
    };
    const char *tint = compared->breach                           ? "bad"
                       : compared->verdict == AFT_VERDICT_WITHIN  ? "good"
                       : compared->verdict == AFT_VERDICT_OUTSIDE ? "notice"
                                                                  : "small";
    g_string_append_printf(html, "<td class=\"%s\">%s", tint, words[compared->verdict]);
    gboolean suspect = !isnan(compared->cell->value) && compared->cell->mark == AFT_MARK_SUSPECT;
    g_string_append(html,
                    suspect ? " <span class=\"small\">(the source contradicts itself)</span>" : "");
    g_string_append(html, "</td>");
}

static void append_number(GString *html, const AftReferenceCell *cell, double value, guint decimals)
{
    g_autofree char *text = aft_human_number(value / cell->unit_base, decimals);
    g_string_append_printf(html, "<td class=\"number\">%s</td>", isnan(value) ? "–" : text);
}

static void append_row(GString *html, const AftComparedCell *compared)
{
    const AftReferenceCell *cell = compared->cell;
    guint decimals = aft_compare_decimals(compared);
    g_autofree char *label = aft_compare_label(cell), *phase = aft_compare_phase(cell);
    g_autofree char *figure = aft_compare_figure(cell);
    g_autofree char *change = aft_human_change(compared->error);
    g_autofree char *interval =
        aft_human_interval(compared->simulated.half_width / cell->unit_base, decimals);
    g_string_append(html, "<tr><th scope=\"row\">");
    append_cut(html, label);
    g_string_append_printf(html, "</th><td>%s</td><td>", phase);
    append_cut(html, figure);
    gboolean derived = !isnan(cell->value) && cell->mark == AFT_MARK_DERIVED;
    g_string_append(html, derived ? " <span class=\"small\">derived</span></td>" : "</td>");
    append_number(html, cell, cell->value, decimals);
    append_number(html, cell, compared->simulated.value, decimals);
    g_string_append_printf(html, "<td class=\"tight\">%s</td><td>",
                           isnan(compared->simulated.half_width) ? "" : interval);
    if (cell->value > 0.0) {
        append_bars(html, compared);
    }
    g_string_append_printf(html, "</td><td class=\"number\">%s</td>", change);
    append_verdict(html, compared);
    g_string_append(html, "</tr>\n");
}

static guint count(const AftComparison *comparison, AftVerdict verdict)
{
    guint n = 0;
    for (guint i = 0; i < comparison->cells->len; i++) {
        n += g_array_index(comparison->cells, AftComparedCell, i).verdict == verdict ? 1 : 0;
    }
    return n;
}

/* "12 of 14 figures are within their tolerance", and what is not to be counted. */
static void append_summary(GString *html, const AftComparison *comparison)
{
    guint within = count(comparison, AFT_VERDICT_WITHIN);
    guint judged = within + count(comparison, AFT_VERDICT_OUTSIDE);
    guint absent = count(comparison, AFT_VERDICT_ABSENT);
    if (judged == 0) {
        g_string_append(html, "<p class=\"headline\">No figure could be held to a tolerance");
    } else {
        gboolean all = within == judged && comparison->breaches == 0;
        g_string_append_printf(html,
                               "<p class=\"headline %s\">%s %u of %u figures with a tolerance %s "
                               "within it",
                               all ? "good" : "bad", all ? "✓" : "✗", within, judged,
                               within == 1 ? "is" : "are");
    }
    if (absent > 0) {
        g_string_append_printf(html, ", %u %s absent", absent, absent == 1 ? "is" : "are");
    }
    g_string_append(html, "</p>\n");
}

static void append_remarks(GString *html, const AftComparison *comparison)
{
    if (comparison->cells->len > MOST_CELLS) {
        g_string_append_printf(html,
                               "<p class=\"small\">%u more figures are in what "
                               "\"aftershock compare\" says.</p>\n",
                               comparison->cells->len - MOST_CELLS);
    }
    if (comparison->skipped > 0) {
        g_string_append_printf(html,
                               "<p class=\"small\">%u %s of configurations that are not on "
                               "this page %s left out.</p>\n",
                               comparison->skipped, comparison->skipped == 1 ? "figure" : "figures",
                               comparison->skipped == 1 ? "is" : "are");
    }
}

void aft_page_append_reference(GString *html, const AftPageResults *page)
{
    const AftComparison *comparison = page->comparison;
    if (comparison == NULL) {
        return;
    }
    g_string_append(html, "<section id=\"reference\" aria-label=\"Reference\">\n<h2>Beside ");
    aft_page_append_text(html, page->reference->name);
    g_string_append(html, "</h2>\n");
    append_summary(html, comparison);
    g_string_append(html, "<p class=\"small\">");
    aft_page_append_text(html, page->reference->source);
    g_string_append(html,
                    "</p>\n<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>"
                    "<th scope=\"col\">configuration</th><th scope=\"col\">phase</th>"
                    "<th scope=\"col\">figure</th><th scope=\"col\" class=\"number\">published</th>"
                    "<th scope=\"col\" class=\"number\" colspan=\"2\">simulated</th>"
                    "<th scope=\"col\"><svg class=\"bars\" width=\"260\" height=\"14\" "
                    "aria-hidden=\"true\"><rect class=\"published\" x=\"0\" y=\"3\" width=\"14\" "
                    "height=\"8\"/><text x=\"18\" y=\"11\">published</text><rect "
                    "class=\"simulated\" x=\"84\" y=\"3\" width=\"14\" height=\"8\"/><text "
                    "x=\"102\" y=\"11\">simulated</text><rect class=\"band\" x=\"168\" y=\"0\" "
                    "width=\"14\" height=\"14\"/><text x=\"186\" y=\"11\">tolerance</text>"
                    "</svg></th><th scope=\"col\" class=\"number\">deviation</th>"
                    "<th scope=\"col\">verdict</th></tr></thead>\n<tbody>\n");
    for (guint i = 0; i < MIN(comparison->cells->len, MOST_CELLS); i++) {
        append_row(html, &g_array_index(comparison->cells, AftComparedCell, i));
    }
    g_string_append(html, "</tbody>\n</table></div>\n");
    append_remarks(html, comparison);
    g_string_append(html, "</section>\n");
}
