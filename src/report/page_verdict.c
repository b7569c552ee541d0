/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"
#include "notes.h"
#include "page_parts.h"
#include "phase_shares.h"

#include <aftershock/scenario/phase.h>

static const char *or_nothing(const char *text)
{
    return text != NULL ? text : "";
}

AftTint aft_page_verdict_tint(const AftResult *result)
{
    const char *outcome = or_nothing(result->requirement);
    if (result->loss.lost_pgs > 0.0) {
        return AFT_TINT_BAD;
    }
    return *outcome == '\0'              ? AFT_TINT_NONE
           : g_str_equal(outcome, "met") ? AFT_TINT_GOOD
                                         : AFT_TINT_BAD;
}

/* The class that colours the verdict. */
static const char *verdict_class(const AftResult *result)
{
    AftTint tint = aft_page_verdict_tint(result);
    return tint == AFT_TINT_NONE ? "none" : tint == AFT_TINT_GOOD ? "good" : "bad";
}

/* "Requirement missed for 5 h 10 min". Returns: (transfer full). */
static char *requirement_text(const AftResult *result)
{
    const char *outcome = or_nothing(result->requirement);
    if (*outcome == '\0') {
        return g_strdup("Nothing was required");
    }
    if (g_str_equal(outcome, "met")) {
        return g_strdup("Requirement met");
    }
    g_autofree char *duration = aft_human_duration(result->missed_s);
    return g_strdup_printf("Requirement missed%s%s", result->missed_s > 0.0 ? " for " : "",
                           result->missed_s > 0.0 ? duration : "");
}

char *aft_page_verdict(const AftResult *result)
{
    g_autofree char *requirement = requirement_text(result);
    g_autoptr(GPtrArray) notes = aft_notes_new(result);
    for (guint i = 0; i < notes->len; i++) {
        const AftNote *note = g_ptr_array_index(notes, i);
        if (g_str_has_prefix(note->label, "DATA ")) {
            g_autofree char *loss = g_ascii_strdown(note->label + 1, -1);
            g_autofree char *rest = g_ascii_strdown(requirement, 1);
            return g_strdup_printf("D%s, %s%s", loss, rest, requirement + 1);
        }
    }
    return g_steal_pointer(&requirement);
}

static void append_note(GString *html, const AftNote *note)
{
    static const char *const classes[] = {[AFT_TINT_NONE] = "",
                                          [AFT_TINT_STRONG] = "",
                                          [AFT_TINT_GOOD] = "good",
                                          [AFT_TINT_BAD] = "bad",
                                          [AFT_TINT_NOTICE] = "notice"};
    g_string_append_printf(html, "<dt class=\"%s\">", classes[note->tint]);
    aft_page_append_text(html, note->label);
    g_string_append(html, "</dt><dd>");
    aft_page_append_text(html, note->text);
    g_string_append(html, "</dd>\n");
}

/* The notes with a tint are part of the verdict, those without are details. */
static void append_notes(GString *html, const AftResult *result, gboolean tinted)
{
    g_autoptr(GPtrArray) notes = aft_notes_new(result);
    g_string_append(html, "<dl>\n");
    for (guint i = 0; i < notes->len; i++) {
        const AftNote *note = g_ptr_array_index(notes, i);
        if ((note->tint != AFT_TINT_NONE) == tinted) {
            append_note(html, note);
        }
    }
    if (tinted && !(result->loss.lost_pgs > 0.0)) {
        append_note(html, &(AftNote){"data", (char *)"none was lost", AFT_TINT_GOOD});
    }
    g_string_append(html, "</dl>\n");
}

static void append_card_outcome(GString *html, const AftPhaseRow *row)
{
    const char *outcome = or_nothing(row->requirement);
    if (*outcome == '\0') {
        return;
    }
    if (g_str_equal(outcome, "met")) {
        g_string_append(html, "<span class=\"good\">✓ met</span>");
        return;
    }
    g_auto(GStrv) missed = g_strsplit(outcome, "+", -1);
    g_autofree char *names = g_strjoinv(", ", missed);
    g_string_append(html, "<span class=\"bad\">✗ missed ");
    aft_page_append_text(html, names);
    g_string_append(html, "</span>");
    if (row->missed_s > 0.0) {
        g_autofree char *duration = aft_human_duration(row->missed_s);
        g_string_append_printf(html, "<span class=\"small\">for %s</span>", duration);
    }
}

static void append_card(GString *html, const AftPhaseRow *row)
{
    g_autofree char *duration = aft_human_duration(row->duration_s);
    g_string_append_printf(html, "<li class=\"phase-%s\"><b>%s</b><span>%s</span>",
                           aft_phase_name(row->phase), aft_phase_name(row->phase), duration);
    append_card_outcome(html, row);
    if (row->lost_pgs > 0.0) {
        g_string_append(html, "<span class=\"bad\">data away</span>");
    }
    g_string_append(html, "</li>\n");
}

/* With blanks at which no line ends. Returns: (transfer full). */
static char *unbroken(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    return g_strjoinv("\u00a0", words);
}

/* "90 times, 1.7 % of time", and for what share of that the requirement was met. */
static void append_kind(GString *html, const AftPhaseShare *kind)
{
    const char *name = aft_phase_name((AftPhase)kind->phase);
    const AftGathered *of = &kind->of;
    g_autofree char *share = aft_human_share(of->share);
    g_autofree char *met = aft_phase_shares_met(of->met_share);
    g_string_append_printf(html,
                           "<li class=\"phase-%s\"><b>%s</b><span>%s of time</span>"
                           "<span class=\"small\">%u times</span>",
                           name, name, share, of->occurrences);
    if (*met != '\0') {
        gboolean bad = of->row.missed_s > 0.0;
        g_autofree char *whole = unbroken(met);
        g_string_append_printf(html, "<span class=\"%s\">%s met %s</span>", bad ? "bad" : "good",
                               bad ? "✗" : "✓", whole);
    }
    g_string_append(html, "</li>\n");
}

static void append_kinds(GString *html, const GArray *phases)
{
    g_autoptr(GArray) kinds = aft_phase_shares(phases);
    g_string_append(html, "<ol class=\"cards\">\n");
    for (guint i = 0; i + 1 < kinds->len; i++) { /* but for the whole run */
        append_kind(html, &g_array_index(kinds, AftPhaseShare, i));
    }
    g_string_append(html, "</ol>\n");
}

static void append_cards(GString *html, const GArray *phases)
{
    if (phases->len == 0) {
        g_string_append(html, "<p>The run ended before it had a phase to show.</p>\n");
        return;
    }
    if (phases->len >= AFT_MANY_PHASES) {
        append_kinds(html, phases);
        return;
    }
    g_string_append(html, "<ol class=\"cards\">\n");
    for (guint i = 0; i < phases->len; i++) {
        append_card(html, &g_array_index(phases, AftPhaseRow, i));
    }
    g_string_append(html, "</ol>\n");
}

static void append_one(GString *html, const AftResult *result)
{
    g_autofree char *text = aft_page_verdict(result);
    g_string_append_printf(html,
                           "<section class=\"verdict %s\" aria-label=\"Verdict\">\n<h2>%s</h2>\n",
                           verdict_class(result), text);
    if (result->interrupted) {
        g_string_append(html, "<p class=\"interrupted\">Interrupted: the run ended early, and this "
                              "page tells what happened until then.</p>\n");
    }
    append_notes(html, result, TRUE);
    append_cards(html, result->phases);
    g_string_append(html, "</section>\n");
}

/* A result among several: its label, headline and notes in a column. */
static void append_column(GString *html, const AftPageResults *page, guint i)
{
    const AftResult *result = page->results[i];
    g_autofree char *text = aft_page_verdict(result);
    g_string_append_printf(html,
                           "<section class=\"verdict %s\">\n<h2><svg class=\"key line-%u\" "
                           "viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path d=\"M0 4H28\"/></svg> ",
                           verdict_class(result), i + 1);
    aft_page_append_text(html, page->labels[i]);
    g_string_append_printf(html, "</h2>\n<p class=\"headline\">%s</p>\n", text);
    append_notes(html, result, TRUE);
    g_string_append(html, "</section>\n");
}

void aft_page_append_verdict(GString *html, const AftPageResults *page)
{
    if (page->n == 1) {
        append_one(html, page->results[0]);
        return;
    }
    g_string_append(html, "<div class=\"beside\">\n");
    for (guint i = 0; i < page->n; i++) {
        append_column(html, page, i);
    }
    g_string_append(html, "</div>\n");
}

void aft_page_append_details(GString *html, const AftPageResults *page)
{
    g_string_append(html, "<section aria-label=\"Details\">\n<h2>Space, and what moved</h2>\n");
    for (guint i = 0; i < page->n; i++) {
        if (page->n > 1) {
            g_string_append(html, "<h3>");
            aft_page_append_text(html, page->labels[i]);
            g_string_append(html, "</h3>\n");
        }
        append_notes(html, page->results[i], FALSE);
    }
    g_string_append(html, "</section>\n");
}
