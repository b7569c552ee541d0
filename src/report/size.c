/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "grid.h"
#include "human.h"
#include "lines.h"
#include "rows.h"

#include <aftershock/report/size.h>
#include <aftershock/result/csv.h>

#include <math.h>

enum { PRICE, NODES, VERDICT, RUNS, PHASE, FIGURE, SHARE, ROOM, REASON, COLUMNS };

static const AftGridColumn columns[COLUMNS] = {
    [PRICE] = {NULL, "price", TRUE, FALSE},
    [NODES] = {NULL, "nodes", TRUE, FALSE},
    [VERDICT] = {NULL, "verdict", FALSE, FALSE},
    [RUNS] = {NULL, "met", TRUE, FALSE},
    [PHASE] = {"what binds", "phase", FALSE, FALSE},
    [FIGURE] = {"what binds", "figure", FALSE, FALSE},
    [SHARE] = {"what binds", "missed", TRUE, FALSE},
    [ROOM] = {"what binds", "room", TRUE, FALSE},
    [REASON] = {NULL, "why", FALSE, FALSE},
};

static char *cell_text(const AftSizing *sizing, guint column, const AftSized *row)
{
    gboolean counted = g_strv_contains((const char *const *)sizing->axes, "cluster.nodes");
    switch (column) {
    case PRICE:
        return sizing->priced ? aft_human_number(row->price, 0) : g_strdup("");
    case NODES:
        return counted ? g_strdup("") : aft_human_number(row->nodes, 0);
    case VERDICT:
        return g_strdup(row->verdict);
    case RUNS:
        return row->replications == 0
                   ? g_strdup("")
                   : g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, row->met,
                                     row->replications);
    case PHASE:
        return g_strdup(row->phase);
    case FIGURE:
        return g_strdup(row->figure);
    case SHARE:
        return row->share > 0.0 ? aft_human_share(row->share) : g_strdup("");
    case ROOM:
        return aft_human_change(row->slack);
    default:
        return g_strdup(row->reason);
    }
}

static AftTint tint_of(guint column, const AftSized *row)
{
    gboolean holds = g_str_equal(row->verdict, "holds");
    return column != VERDICT ? AFT_TINT_NONE : holds ? AFT_TINT_GOOD : AFT_TINT_BAD;
}

static const AftSized *row_of(const AftSizing *sizing, guint i)
{
    return g_ptr_array_index(sizing->rows, i);
}

static void add_axis(AftGrid *grid, const AftSizing *sizing, guint axis)
{
    const AftGridColumn column = {NULL, sizing->axes[axis], FALSE, FALSE};
    aft_grid_add_column(grid, &column);
    for (guint i = 0; i < sizing->rows->len; i++) {
        const AftSized *row = row_of(sizing, i);
        aft_grid_add_cell(grid, row->value[axis],
                          row == sizing->best ? AFT_TINT_STRONG : AFT_TINT_NONE);
    }
}

static AftGrid *lay_out(const AftSizing *sizing, gboolean utf8)
{
    AftGrid *grid = aft_grid_new(utf8);
    for (guint axis = 0; sizing->axes[axis] != NULL; axis++) {
        add_axis(grid, sizing, axis);
    }
    for (guint column = 0; column < COLUMNS; column++) {
        aft_grid_add_column(grid, &columns[column]);
        for (guint i = 0; i < sizing->rows->len; i++) {
            g_autofree char *text = cell_text(sizing, column, row_of(sizing, i));
            aft_grid_add_cell(grid, text, tint_of(column, row_of(sizing, i)));
        }
    }
    return grid;
}

/* "cluster.nodes=6, data.protection=raid5"; NULL of NULL. */
static char *name_of(const AftSizing *sizing, const AftSized *row)
{
    if (row == NULL) {
        return NULL;
    }
    GString *name = g_string_new(NULL);
    for (guint i = 0; sizing->axes[i] != NULL; i++) {
        g_string_append_printf(name, "%s%s=%s", i > 0 ? ", " : "", sizing->axes[i], row->value[i]);
    }
    return g_string_free(name, FALSE);
}

static char *price_text(const AftSizing *sizing, const AftSized *row)
{
    g_autofree char *price = aft_human_number(row->price, 0);
    return sizing->priced ? g_strdup_printf(", price %s", price) : g_strdup("");
}

static char *answer(const AftSizing *sizing)
{
    g_autofree char *name = name_of(sizing, sizing->best);
    if (name == NULL) {
        return g_strdup(sizing->interrupted
                            ? "Interrupted before a configuration was found that holds"
                            : "No configuration holds");
    }
    g_autofree char *price = price_text(sizing, sizing->best);
    return g_strdup_printf("%s is %s configuration that holds%s", name,
                           sizing->interrupted ? "the best so far, a"
                           : sizing->priced    ? "the cheapest"
                                               : "the smallest",
                           price);
}

/* "cluster.nodes=5 misses read in rebuild in 67 % of its runs, by up to 63 %". */
static char *binding(const AftSizing *sizing)
{
    const AftSized *row = sizing->below;
    g_autofree char *name = name_of(sizing, row);
    g_autofree char *share = aft_human_share(row->share);
    g_autofree char *beyond = aft_human_share(-row->slack);
    if (*row->reason != '\0') {
        return g_strdup_printf("%s: %s", name, row->reason);
    }
    if (*row->figure == '\0' || !(row->share > 0.0)) {
        return g_strdup_printf("%s is %s", name, row->verdict);
    }
    gboolean figure = *row->phase != '\0';
    return g_strdup_printf("%s: %s%s%s in %s of its runs%s%s", name,
                           figure                             ? row->figure
                           : g_str_equal(row->figure, "loss") ? "data is lost"
                                                              : "something planned is refused",
                           figure ? " missed in " : "", row->phase, share,
                           row->slack < 0.0 ? ", by up to " : "", row->slack < 0.0 ? beyond : "");
}

typedef void (*Append)(GString *out, const char *label, const char *text, gconstpointer data);

/* What is worth a line below the table. */
static void append_notes(GString *out, const AftSizing *sizing, Append append, gconstpointer data)
{
    g_autofree char *runner_up = name_of(sizing, sizing->runner_up);
    if (runner_up != NULL) {
        g_autofree char *price = price_text(sizing, sizing->runner_up);
        g_autofree char *text = g_strconcat(runner_up, price, NULL);
        append(out, "runner-up", text, data);
    }
    if (sizing->below != NULL) {
        g_autofree char *text = binding(sizing);
        append(out, "binds", text, data);
    }
    if (sizing->uneven) {
        append(out, "uneven", "more did hurt somewhere, so that all of that range was looked at",
               data);
    }
    g_autofree char *text =
        g_strdup_printf("%" G_GUINT64_FORMAT " replications of %u configurations",
                        sizing->replications, sizing->rows->len);
    append(out, "searched", text, data);
}

static void append_line(GString *out, const char *label, const char *text, gconstpointer style)
{
    aft_lines_append(out, label, text, AFT_TINT_NONE, style);
}

static void append_bullet(GString *out, const char *label, const char *text,
                          gconstpointer data G_GNUC_UNUSED)
{
    g_string_append_printf(out, "- **%s**: %s\n", label, text);
}

char *aft_size_text(const AftSizing *sizing, const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    g_autofree char *line = answer(sizing);
    aft_lines_append_headline(out, line, "", style);
    if (sizing->rows->len > 0) {
        g_autoptr(AftGrid) grid = lay_out(sizing, style->utf8);
        g_string_append_c(out, '\n');
        aft_grid_append_text(grid, out, style->colour);
        g_string_append_c(out, '\n');
    }
    append_notes(out, sizing, append_line, style);
    return g_string_free(out, FALSE);
}

char *aft_size_markdown(const AftSizing *sizing)
{
    GString *out = g_string_new(NULL);
    g_autofree char *line = answer(sizing);
    g_string_append_printf(out, "**%s**\n\n", line);
    if (sizing->rows->len > 0) {
        g_autoptr(AftGrid) grid = lay_out(sizing, TRUE);
        aft_grid_append_markdown(grid, out);
        g_string_append_c(out, '\n');
    }
    append_notes(out, sizing, append_bullet, NULL);
    return g_string_free(out, FALSE);
}

/* The rows one after the other; their texts stay @sizing's. */
static GArray *flat_rows(const AftSizing *sizing)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(AftSized));
    for (guint i = 0; i < sizing->rows->len; i++) {
        g_array_append_vals(rows, row_of(sizing, i), 1);
    }
    return rows;
}

char *aft_size_csv(const AftSizing *sizing)
{
    g_autofree AftTable *table = aft_sized_table(sizing->axes);
    g_autoptr(GArray) rows = flat_rows(sizing);
    return aft_csv_format(table, rows);
}

static void add_name(JsonBuilder *json, const char *member, const AftSizing *sizing,
                     const AftSized *row)
{
    g_autofree char *name = name_of(sizing, row);
    if (name != NULL) {
        aft_rows_add_text(json, member, name);
    } else {
        json_builder_set_member_name(json, member);
        json_builder_add_null_value(json);
    }
}

char *aft_size_json(const AftSizing *sizing)
{
    g_autofree AftTable *table = aft_sized_table(sizing->axes);
    g_autoptr(GArray) rows = flat_rows(sizing);
    JsonBuilder *json = json_builder_new();
    json_builder_begin_object(json);
    add_name(json, "answer", sizing, sizing->best);
    add_name(json, "runner_up", sizing, sizing->runner_up);
    add_name(json, "below", sizing, sizing->below);
    json_builder_set_member_name(json, "replications");
    json_builder_add_int_value(json, (gint64)sizing->replications);
    json_builder_set_member_name(json, "uneven");
    json_builder_add_boolean_value(json, sizing->uneven);
    json_builder_set_member_name(json, "interrupted");
    json_builder_add_boolean_value(json, sizing->interrupted);
    aft_rows_add_json(json, "configurations", table, rows);
    json_builder_end_object(json);
    return aft_rows_json_text(json);
}
