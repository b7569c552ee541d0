/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "grid.h"

#include <aftershock/base/shown.h>

enum { LONGEST_CELL = 100 }; /* characters of one in HTML, whatever a file says */

typedef struct {
    char *text;
    AftTint tint;
} Cell;

typedef struct {
    AftGridColumn spec;
    char *title;
    char *group;   /* "" without one */
    GArray *cells; /* Cell */
    guint width;   /* of the widest cell or the title, in columns; 0: every cell is empty */
} Column;

struct AftGrid {
    GPtrArray *columns; /* Column */
    gboolean utf8;
};

static void clear_cell(gpointer cell)
{
    g_free(((Cell *)cell)->text);
}

static void free_column(gpointer data)
{
    Column *column = data;
    g_array_unref(column->cells);
    g_free(column->title);
    g_free(column->group);
    g_free(column);
}

AftGrid *aft_grid_new(gboolean utf8)
{
    AftGrid *grid = g_new(AftGrid, 1);
    *grid = (AftGrid){g_ptr_array_new_with_free_func(free_column), utf8};
    return grid;
}

void aft_grid_free(AftGrid *grid)
{
    if (grid != NULL) {
        g_ptr_array_unref(grid->columns);
        g_free(grid);
    }
}

char *aft_text_for(const char *text, gboolean utf8)
{
    g_autofree char *shown = aft_shown_text(text, "");
    return utf8 ? g_steal_pointer(&shown) : aft_shown_ascii(shown, FALSE);
}

void aft_tint_append(GString *out, const char *text, AftTint tint, gboolean colour)
{
    static const char *const escapes[] = {[AFT_TINT_NONE] = "",
                                          [AFT_TINT_STRONG] = "\033[1m",
                                          [AFT_TINT_GOOD] = "\033[32m",
                                          [AFT_TINT_BAD] = "\033[1;31m",
                                          [AFT_TINT_NOTICE] = "\033[33m"};
    gboolean tinted = colour && tint != AFT_TINT_NONE && *text != '\0';
    g_string_append_printf(out, "%s%s%s", tinted ? escapes[tint] : "", text,
                           tinted ? "\033[0m" : "");
}

void aft_grid_add_column(AftGrid *grid, const AftGridColumn *spec)
{
    Column *column = g_new0(Column, 1);
    column->spec = *spec;
    column->title = aft_text_for(spec->title, grid->utf8);
    column->group = aft_text_for(spec->group != NULL ? spec->group : "", grid->utf8);
    column->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    g_array_set_clear_func(column->cells, clear_cell);
    g_ptr_array_add(grid->columns, column);
}

void aft_grid_add_cell(AftGrid *grid, const char *text, AftTint tint)
{
    Column *column = g_ptr_array_index(grid->columns, grid->columns->len - 1);
    Cell cell = {aft_text_for(text, grid->utf8), tint};
    g_array_append_val(column->cells, cell);
    if (*text != '\0') {
        column->width =
            MAX(MAX(column->width, aft_shown_columns(cell.text)), aft_shown_columns(column->title));
    }
}

/* Returns: (transfer container): the columns that show. */
static GPtrArray *shown_columns(const AftGrid *grid)
{
    GPtrArray *shown = g_ptr_array_new();
    for (guint i = 0; i < grid->columns->len; i++) {
        Column *column = g_ptr_array_index(grid->columns, i);
        if (column->width > 0) {
            g_ptr_array_add(shown, column);
        }
    }
    return shown;
}

/* The column @i of those shown. */
static const Column *shown_column(const AftGrid *grid, guint i)
{
    g_autoptr(GPtrArray) shown = shown_columns(grid);
    g_assert(i < shown->len);
    return g_ptr_array_index(shown, i);
}

guint aft_grid_n_columns(const AftGrid *grid)
{
    g_autoptr(GPtrArray) shown = shown_columns(grid);
    return shown->len;
}

guint aft_grid_n_rows(const AftGrid *grid)
{
    return aft_grid_n_columns(grid) > 0 ? shown_column(grid, 0)->cells->len : 0;
}

AftGridColumn aft_grid_column(const AftGrid *grid, guint i)
{
    const Column *column = shown_column(grid, i);
    return (AftGridColumn){column->group, column->title, column->spec.right, column->spec.tight};
}

const char *aft_grid_cell(const AftGrid *grid, guint i, guint row, AftTint *ret_tint)
{
    const Cell *cell = &g_array_index(shown_column(grid, i)->cells, Cell, row);
    *ret_tint = cell->tint;
    return cell->text;
}

/* Blanks in front of column @i of those shown. */
static guint gap_before(const GPtrArray *shown, guint i)
{
    const Column *column = g_ptr_array_index(shown, i);
    return i == 0 ? 0 : column->spec.tight ? 1 : 2;
}

/* From column @from up to before @to. */
static guint span_width(const GPtrArray *shown, guint from, guint to)
{
    guint width = 0;
    for (guint i = from; i < to; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        width += column->width + (i > from ? gap_before(shown, i) : 0);
    }
    return width;
}

guint aft_grid_width(const AftGrid *grid)
{
    g_autoptr(GPtrArray) shown = shown_columns(grid);
    return span_width(shown, 0, shown->len);
}

static void append_blanks(GString *out, guint n)
{
    g_string_append_printf(out, "%*s", (int)n, "");
}

/* Blanks at the end of a line help nobody. */
static void end_line(GString *out)
{
    while (out->len > 0 && out->str[out->len - 1] == ' ') {
        g_string_truncate(out, out->len - 1);
    }
    g_string_append_c(out, '\n');
}

static void append_padded(GString *out, const Column *column, const char *text, AftTint tint,
                          gboolean colour)
{
    guint padding = column->width - aft_shown_columns(text);
    append_blanks(out, column->spec.right ? padding : 0);
    aft_tint_append(out, text, tint, colour);
    append_blanks(out, column->spec.right ? 0 : padding);
}

/* The first column after @from that stands under another group title. */
static guint group_end(const GPtrArray *shown, guint from)
{
    const Column *first = g_ptr_array_index(shown, from);
    guint end = from + 1;
    while (end < shown->len &&
           g_str_equal(((Column *)g_ptr_array_index(shown, end))->group, first->group)) {
        end++;
    }
    return end;
}

static void append_repeated(GString *out, const char *text, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_string_append(out, text);
    }
}

/* "--- title ---" over @width characters, or the title alone in their middle. */
static void append_group(GString *out, const char *title, guint width, const char *rule,
                         gboolean colour)
{
    guint spare = width - MIN(aft_shown_columns(title), width);
    guint left = spare / 2, right = spare - left;
    guint blanks = spare < 4 ? right : 1;
    append_repeated(out, rule, left - MIN(blanks, left));
    append_blanks(out, MIN(blanks, left));
    aft_tint_append(out, title, AFT_TINT_STRONG, colour);
    append_blanks(out, blanks);
    append_repeated(out, rule, right - blanks);
}

static void append_groups(GString *out, const GPtrArray *shown, gboolean utf8, gboolean colour)
{
    for (guint i = 0; i < shown->len; i = group_end(shown, i)) {
        const Column *column = g_ptr_array_index(shown, i);
        guint width = span_width(shown, i, group_end(shown, i));
        append_blanks(out, gap_before(shown, i));
        if (*column->group != '\0') {
            append_group(out, column->group, width, utf8 ? "─" : "-", colour);
        } else {
            append_blanks(out, width);
        }
    }
    end_line(out);
}

static void append_titles(GString *out, const GPtrArray *shown, gboolean colour)
{
    for (guint i = 0; i < shown->len; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        append_blanks(out, gap_before(shown, i));
        append_padded(out, column, column->title, AFT_TINT_STRONG, colour);
    }
    end_line(out);
}

static void append_row(GString *out, const GPtrArray *shown, guint row, gboolean colour)
{
    for (guint i = 0; i < shown->len; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        const Cell *cell = &g_array_index(column->cells, Cell, row);
        append_blanks(out, gap_before(shown, i));
        append_padded(out, column, cell->text, cell->tint, colour);
    }
    end_line(out);
}

static guint n_rows(const GPtrArray *shown)
{
    return shown->len > 0 ? ((Column *)g_ptr_array_index(shown, 0))->cells->len : 0;
}

void aft_grid_append_text(const AftGrid *grid, GString *out, gboolean colour)
{
    g_autoptr(GPtrArray) shown = shown_columns(grid);
    append_groups(out, shown, grid->utf8, colour);
    append_titles(out, shown, colour);
    for (guint row = 0; row < n_rows(shown); row++) {
        append_row(out, shown, row, colour);
    }
}

static void append_markdown_titles(GString *out, const GPtrArray *shown)
{
    for (guint i = 0; i < shown->len; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        if (!column->spec.tight) {
            g_string_append_printf(out, "| %s%s%s ", column->group,
                                   *column->group != '\0' ? " " : "", column->title);
        }
    }
    g_string_append(out, "|\n");
    for (guint i = 0; i < shown->len; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        if (!column->spec.tight) {
            g_string_append(out, column->spec.right ? "|---:" : "|---");
        }
    }
    g_string_append(out, "|\n");
}

/* A bar would end the cell. */
static char *without_bars(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "|", -1);
    return g_strjoinv("\\|", parts);
}

static void append_markdown_row(GString *out, const GPtrArray *shown, guint row)
{
    for (guint i = 0; i < shown->len; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        g_autofree char *text = without_bars(g_array_index(column->cells, Cell, row).text);
        g_string_append_printf(out, column->spec.tight ? "%s " : "| %s ", text);
    }
    g_string_append(out, "|\n");
}

void aft_grid_append_markdown(const AftGrid *grid, GString *out)
{
    g_autoptr(GPtrArray) shown = shown_columns(grid);
    append_markdown_titles(out, shown);
    for (guint row = 0; row < n_rows(shown); row++) {
        append_markdown_row(out, shown, row);
    }
}

/* A title that spans a tight column too. */
static void append_html_title(GString *out, const char *title, guint span, const char *kind)
{
    g_autofree char *cut = aft_shown_start(title, LONGEST_CELL);
    g_autofree char *escaped = g_markup_escape_text(cut, -1);
    g_string_append_printf(out, "<th scope=\"%s\" colspan=\"%u\"%s>%s</th>",
                           span > 1 ? "colgroup" : "col", span, kind, escaped);
}

static void append_html_groups(GString *out, const GPtrArray *shown)
{
    g_string_append(out, "<tr class=\"groups\">");
    for (guint i = 0; i < shown->len; i = group_end(shown, i)) {
        const Column *column = g_ptr_array_index(shown, i);
        guint span = group_end(shown, i) - i;
        if (*column->group != '\0') {
            append_html_title(out, column->group, span, " class=\"group\"");
        } else {
            g_string_append_printf(out, "<td colspan=\"%u\"></td>", span);
        }
    }
    g_string_append(out, "</tr>\n");
}

/* Whether the column after @i continues it. */
static gboolean is_continued(const GPtrArray *shown, guint i)
{
    return i + 1 < shown->len && ((Column *)g_ptr_array_index(shown, i + 1))->spec.tight;
}

static gboolean has_groups(const GPtrArray *shown)
{
    for (guint i = 0; i < shown->len; i++) {
        if (*((Column *)g_ptr_array_index(shown, i))->group != '\0') {
            return TRUE;
        }
    }
    return FALSE;
}

static void append_html_titles(GString *out, const GPtrArray *shown)
{
    g_string_append(out, "<tr>");
    for (guint i = 0; i < shown->len; i++) {
        const Column *column = g_ptr_array_index(shown, i);
        if (!column->spec.tight || i == 0) {
            append_html_title(out, column->title, is_continued(shown, i) ? 2 : 1,
                              column->spec.right ? " class=\"number\"" : "");
        }
    }
    g_string_append(out, "</tr>\n");
}

static void append_html_cell(GString *out, const Column *column, const Cell *cell)
{
    static const char *const classes[] = {[AFT_TINT_NONE] = "",
                                          [AFT_TINT_STRONG] = "",
                                          [AFT_TINT_GOOD] = " good",
                                          [AFT_TINT_BAD] = " bad",
                                          [AFT_TINT_NOTICE] = " notice"};
    g_autofree char *cut = aft_shown_start(cell->text, LONGEST_CELL);
    g_autofree char *escaped = g_markup_escape_text(cut, -1);
    gboolean head = cell->tint == AFT_TINT_STRONG;
    const char *where = column->spec.tight ? "tight" : column->spec.right ? "number" : "text";
    g_string_append_printf(out, "<%s class=\"%s%s\">%s</%s>", head ? "th scope=\"row\"" : "td",
                           where, *cell->text != '\0' ? classes[cell->tint] : "", escaped,
                           head ? "th" : "td");
}

void aft_grid_append_html(const AftGrid *grid, GString *out)
{
    g_autoptr(GPtrArray) shown = shown_columns(grid);
    g_string_append(out, "<div class=\"table\" tabindex=\"0\"><table>\n<thead>\n");
    if (has_groups(shown)) {
        append_html_groups(out, shown);
    }
    append_html_titles(out, shown);
    g_string_append(out, "</thead>\n<tbody>\n");
    for (guint row = 0; row < n_rows(shown); row++) {
        g_string_append(out, "<tr>");
        for (guint i = 0; i < shown->len; i++) {
            const Column *column = g_ptr_array_index(shown, i);
            append_html_cell(out, column, &g_array_index(column->cells, Cell, row));
        }
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</tbody>\n</table></div>\n");
}
