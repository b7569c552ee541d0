/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include "text.h"

#include <aftershock/base/error.h>
#include <aftershock/result/metric.h>

#include <math.h>

/* What a reference takes. */
#define LEAST_VALUE (1e-12)
#define MOST_VALUE  (1e21)

enum { MOST_CELLS = 10000, DIGITS = 9, LONGEST_SUFFIX = 12 };

struct AftCells {
    const AftImportOptions *options;
    char *tool;         /* (nullable) */
    GHashTable *labels; /* each with the number that its next namesake gets */
    GString *text;      /* the rows, in the form that was asked for */
    guint n;
};

AftCells *aft_cells_new(const AftImportOptions *options)
{
    AftCells *cells = g_new0(AftCells, 1);
    cells->options = options;
    cells->labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    cells->text = g_string_new(NULL);
    return cells;
}

void aft_cells_free(AftCells *cells)
{
    if (cells != NULL) {
        g_free(cells->tool);
        g_hash_table_unref(cells->labels);
        g_string_free(cells->text, TRUE);
        g_free(cells);
    }
}

char *aft_cells_label(AftCells *cells, const char *wanted)
{
    g_autofree char *base = aft_text_clean(wanted, AFT_TEXT_LONGEST_NAME - LONGEST_SUFFIX);
    char *label = g_strdup(base);
    guint next = GPOINTER_TO_UINT(g_hash_table_lookup(cells->labels, base));
    while (g_hash_table_contains(cells->labels, label)) {
        g_free(label);
        label = g_strdup_printf("%s-%u", base, next++);
    }
    g_hash_table_insert(cells->labels, g_strdup(base), GUINT_TO_POINTER(MAX(next, 2)));
    if (!g_str_equal(label, base)) {
        g_hash_table_insert(cells->labels, g_strdup(label), GUINT_TO_POINTER(2));
    }
    return label;
}

static void append_yaml(const AftCells *cells, const char *label, const AftMetric *metric,
                        double value, const char *derivation)
{
    const char *unit = aft_metric_unit(metric);
    const char *quote = *unit == '%' ? "\"" : ""; /* which begins no plain scalar */
    g_string_append(cells->text, "  - {label: ");
    aft_text_quote(cells->text, label, AFT_TEXT_LONGEST_NAME);
    g_string_append_printf(cells->text, ", phase: %s, metric: %s, value: ",
                           aft_phase_name(cells->options->phase), metric->name);
    aft_text_number(cells->text, value, DIGITS);
    g_string_append_printf(cells->text, ", unit: %s%s%s, mark: %s", quote, unit, quote,
                           derivation != NULL ? "derived" : "stated");
    if (derivation != NULL) {
        g_string_append(cells->text, ", note: ");
        aft_text_quote(cells->text, derivation, AFT_TEXT_LONGEST_LINE);
    }
    g_string_append(cells->text, "}\n");
}

static void append_csv(const AftCells *cells, const char *label, const AftMetric *metric,
                       double value, const char *derivation)
{
    aft_text_cell(cells->text, label);
    g_string_append_printf(cells->text, ",%s,%s,", aft_phase_name(cells->options->phase),
                           metric->name);
    aft_text_number(cells->text, value, DIGITS);
    g_string_append_printf(cells->text, ",%s,%s,", aft_metric_unit(metric),
                           derivation != NULL ? "derived" : "stated");
    if (derivation != NULL) {
        aft_text_cell(cells->text, derivation);
    }
    g_string_append_c(cells->text, '\n');
}

/* What one of the unit that @metric is shown in is in its base unit. */
static double unit_of(const AftMetric *metric)
{
    double base = 1.0;
    g_autofree char *one = g_strconcat("1 ", aft_metric_unit(metric), NULL);
    gboolean read = aft_units_parse(metric->unit, one, &base, NULL);
    g_assert(read);
    return base;
}

gboolean aft_cells_add(AftCells *cells, const char *where, const char *label, const char *name,
                       double value, const char *derivation, GError **error)
{
    const AftMetric *metric = aft_metric_find(name);
    g_assert(metric != NULL);
    if (isnan(value) || value == 0.0) {
        return TRUE;
    }
    if (!(value >= LEAST_VALUE && value <= MOST_VALUE)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE,
                    "%s: expected %s that can be measured, got %g", where, name, value);
        return FALSE;
    }
    if (++cells->n > MOST_CELLS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "%s: expected at most %d figures in all; import fewer files at a time", where,
                    MOST_CELLS);
        return FALSE;
    }
    (cells->options->csv ? append_csv : append_yaml)(cells, label, metric, value / unit_of(metric),
                                                     derivation);
    return TRUE;
}

void aft_cells_comment(AftCells *cells, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (!cells->options->csv) {
        aft_text_comment(cells->text, 2, "%s", message);
    }
}

void aft_cells_tool(AftCells *cells, const char *tool)
{
    g_free(cells->tool);
    cells->tool = g_strdup(tool);
}

/* "randrw.json, randread.json". Returns: (transfer full). */
static char *names_of(const char *const *files)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; files[i] != NULL && names->len < AFT_TEXT_LONGEST_LINE; i++) {
        g_autofree char *name = g_path_get_basename(files[i]);
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", name);
    }
    return g_string_free(names, FALSE);
}

static void append_head(const AftCells *cells, const char *names, GString *yaml)
{
    g_autofree char *source = g_strconcat(cells->tool != NULL ? cells->tool : "",
                                          cells->tool != NULL ? ": " : "", names, NULL);
    g_string_append(yaml, "version: 1\nkind: reference\nname: ");
    aft_text_quote(yaml, names, AFT_TEXT_LONGEST_NAME);
    g_string_append(yaml, "\nsource: ");
    aft_text_quote(yaml, source, AFT_TEXT_LONGEST_LINE);
    g_string_append(
        yaml,
        "\n# One measurement does not tell how far the next is from it: 10 % until you know.\n"
        "tolerance: 10 %\n"
        "# What was measured, as a scenario, so that \"compare --to\" runs it by itself:\n"
        "# configurations:\n"
        "#   - {label: LABEL, scenario: FILE.yaml}\n"
        "cells:\n");
}

char *aft_cells_write(const AftCells *cells, const char *const *files, GError **error)
{
    g_autofree char *names = names_of(files);
    if (cells->n == 0) {
        aft_text_fail(error, files[0], 0, "has no figures: everything in it is 0 or absent");
        return NULL;
    }
    GString *text = g_string_new(NULL);
    if (cells->options->csv) {
        g_string_append(text, "label,phase,metric,value,unit,mark,note\n");
    } else {
        append_head(cells, names, text);
    }
    g_string_append_len(text, cells->text->str, (gssize)cells->text->len);
    return g_string_free(text, FALSE);
}
