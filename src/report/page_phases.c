/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"
#include "page_parts.h"
#include "phase_grid.h"
#include "phase_shares.h"

#include <aftershock/scenario/phase.h>

#include <math.h>

/* A phase as several results have it: its kind, and which occurrence of it. */
typedef struct {
    AftPhase phase;
    guint occurrence; /* from 1 */
} Occurrence;

/* Which occurrence of its kind the phase in @row is. */
static Occurrence occurrence_at(const GArray *phases, guint row)
{
    Occurrence it = {g_array_index(phases, AftPhaseRow, row).phase, 0};
    for (guint r = 0; r <= row; r++) {
        it.occurrence += g_array_index(phases, AftPhaseRow, r).phase == it.phase;
    }
    return it;
}

/* Returns: (transfer none) (nullable): the row of @it, of the first @most of @phases. */
static const AftPhaseRow *find_row(const GArray *phases, guint most, Occurrence it)
{
    for (guint r = 0; r < MIN(phases->len, most); r++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, r);
        it.occurrence -= row->phase == it.phase;
        if (it.occurrence == 0) {
            return row;
        }
    }
    return NULL;
}

static gboolean is_listed(const GArray *list, Occurrence it)
{
    for (guint i = 0; i < list->len; i++) {
        const Occurrence *other = &g_array_index(list, Occurrence, i);
        if (other->phase == it.phase && other->occurrence == it.occurrence) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The phases of all results, each where the first result that has it does. */
static GArray *list_phases(const AftPageResults *page)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Occurrence));
    for (guint i = 0; i < page->n; i++) {
        const GArray *phases = page->results[i]->phases;
        for (guint r = 0; r < MIN(phases->len, AFT_PAGE_PHASES / page->n); r++) {
            Occurrence it = occurrence_at(phases, r);
            if (!is_listed(list, it)) {
                g_array_append_val(list, it);
            }
        }
    }
    return list;
}

static char *number_text(double value)
{
    return aft_human_number(value, aft_human_decimals(value));
}

static char *duration_of(const AftPhaseRow *row)
{
    return aft_human_duration(row->duration_s);
}

static char *iops_of(const AftPhaseRow *row)
{
    return number_text(row->iops);
}

static char *read_of(const AftPhaseRow *row)
{
    return number_text(row->read_mean_ms);
}

static char *write_of(const AftPhaseRow *row)
{
    return number_text(row->write_mean_ms);
}

static char *met_of(const AftPhaseRow *row)
{
    if (row->requirement == NULL || *row->requirement == '\0') {
        return g_strdup("");
    }
    return g_strdup(g_str_equal(row->requirement, "met") ? "yes" : "no");
}

/* What a result says in the common table: a few figures of each phase. */
static const struct {
    const char *title;
    char *(*text)(const AftPhaseRow *row);
    gboolean right;
    gboolean judges;
} figures[] = {
    {"duration", duration_of, TRUE, FALSE}, {"IOPS", iops_of, TRUE, FALSE},
    {"read, ms", read_of, TRUE, FALSE},     {"write, ms", write_of, TRUE, FALSE},
    {"met", met_of, FALSE, TRUE},
};

static void add_names(AftGrid *grid, const GArray *list)
{
    aft_grid_add_column(grid, &(AftGridColumn){NULL, "phase", FALSE, FALSE});
    for (guint i = 0; i < list->len; i++) {
        Occurrence it = g_array_index(list, Occurrence, i);
        g_autofree char *name =
            it.occurrence == 1
                ? g_strdup(aft_phase_name(it.phase))
                : g_strdup_printf("%s (%u)", aft_phase_name(it.phase), it.occurrence);
        aft_grid_add_cell(grid, name, AFT_TINT_STRONG);
    }
}

static void add_figures(AftGrid *grid, const GArray *list, const char *label, const GArray *phases,
                        guint most)
{
    for (guint f = 0; f < G_N_ELEMENTS(figures); f++) {
        aft_grid_add_column(grid,
                            &(AftGridColumn){label, figures[f].title, figures[f].right, FALSE});
        for (guint i = 0; i < list->len; i++) {
            const AftPhaseRow *row = find_row(phases, most, g_array_index(list, Occurrence, i));
            g_autofree char *text = row != NULL ? figures[f].text(row) : g_strdup("");
            AftTint tint = g_str_equal(text, "yes") ? AFT_TINT_GOOD : AFT_TINT_BAD;
            aft_grid_add_cell(grid, text, figures[f].judges ? tint : AFT_TINT_NONE);
        }
    }
}

AftGrid *aft_page_phases_beside(const AftPageResults *page)
{
    g_autoptr(GArray) list = list_phases(page);
    AftGrid *grid = aft_grid_new(TRUE);
    add_names(grid, list);
    for (guint i = 0; i < page->n; i++) {
        add_figures(grid, list, page->labels[i], page->results[i]->phases,
                    AFT_PAGE_PHASES / page->n);
    }
    return grid;
}

static void append_table(GString *html, const AftResult *result)
{
    if (result->phases->len == 0) {
        g_string_append(html, "<p>The run ended before it had a phase to show.</p>\n");
        return;
    }
    g_autoptr(AftGrid) grid = aft_phase_grid_new(result);
    aft_grid_append_html(grid, html);
    if (result->phases->len >= AFT_MANY_PHASES) {
        g_string_append_printf(html, "<p>These are %u phases; phases.csv has each.</p>\n",
                               result->phases->len);
    }
}

void aft_page_append_phases(GString *html, const AftPageResults *page)
{
    g_string_append(html, "<section id=\"phases\" aria-label=\"Phases\">\n<h2>Phases</h2>\n");
    if (page->n > 1) {
        g_autoptr(AftGrid) beside = aft_page_phases_beside(page);
        aft_grid_append_html(beside, html);
    }
    for (guint i = 0; i < page->n; i++) {
        if (page->n > 1) {
            g_string_append(html, "<h3>");
            aft_page_append_text(html, page->labels[i]);
            g_string_append(html, "</h3>\n");
        }
        append_table(html, page->results[i]);
    }
    g_string_append(html, "</section>\n");
}
