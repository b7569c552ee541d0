/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/calibration.h>

#include "compare_rows.h"
#include "grid.h"
#include "lines.h"
#include "rotation.h"
#include "rows.h"

#include <aftershock/result/csv.h>

#include <math.h>

#define FELT       1.0 /* residuals that a direction should make on its way between the bounds */
#define LARGE_PART 0.3 /* of a key in a direction, to be named */

/* "± 3 us", in the unit of @value. */
static char *interval_text(const AftFittedKey *it)
{
    if (!isfinite(it->half_width)) {
        return g_strdup("any");
    }
    g_autofree char *half = aft_units_format(it->key.unit, it->half_width);
    return g_strdup_printf("± %s", half);
}

static const char *note_of(const AftFittedKey *it)
{
    return it->at_bound ? "at its bound" : it->told ? "" : "not told by the cells";
}

static AftGrid *lay_out_keys(const AftCalibration *calibration, gboolean utf8)
{
    static const AftGridColumn columns[] = {
        {NULL, "key", FALSE, FALSE}, {NULL, "began", TRUE, FALSE},    {NULL, "fitted", TRUE, FALSE},
        {NULL, "95 %", FALSE, TRUE}, {NULL, "between", FALSE, FALSE}, {NULL, "", FALSE, FALSE},
    };
    AftGrid *grid = aft_grid_new(utf8);
    for (guint column = 0; column < G_N_ELEMENTS(columns); column++) {
        aft_grid_add_column(grid, &columns[column]);
        for (guint i = 0; i < calibration->n_keys; i++) {
            const AftFittedKey *it = &calibration->keys[i];
            g_autofree char *low = aft_units_format(it->key.unit, it->key.low);
            g_autofree char *high = aft_units_format(it->key.unit, it->key.high);
            g_autofree char *text = column == 0   ? g_strdup(it->key.path)
                                    : column == 1 ? aft_units_format(it->key.unit, it->key.start)
                                    : column == 2 ? aft_units_format(it->key.unit, it->value)
                                    : column == 3 ? interval_text(it)
                                    : column == 4 ? g_strdup_printf("%s and %s", low, high)
                                                  : g_strdup(note_of(it));
            gboolean fine = it->told && !it->at_bound;
            aft_grid_add_cell(grid, text, column == 5 && !fine ? AFT_TINT_NOTICE : AFT_TINT_NONE);
        }
    }
    return grid;
}

/* Adds a line to what stands below a table. */
typedef void (*AddLine)(GString *out, const char *label, const char *text, AftTint tint,
                        const AftTextStyle *style);

static void append_errors(const AftCalibration *it, GString *out, AddLine add,
                          const AftTextStyle *style)
{
    g_autofree char *fitted = aft_rotation_errors_text(&it->fitted);
    g_autofree char *held = aft_rotation_errors_text(&it->held_out);
    add(out, "fitted", fitted, AFT_TINT_NONE, style);
    if (it->held_out.n + it->held_out.absent > 0) {
        add(out, "held out", held, AFT_TINT_NONE, style);
    }
    g_autofree char *residuals =
        g_strdup_printf("root mean square %.3g of the tolerances, %.3g before", it->after,
                        it->before);
    add(out, "residuals", residuals, AFT_TINT_NONE, style);
}

static void append_effort(const AftCalibration *it, GString *out, AddLine add,
                          const AftTextStyle *style)
{
    const AftEffort *effort = &it->effort;
    g_autofree char *text =
        g_strdup_printf("%u, %u of them coarse; %u more were known; %.4g M I/Os", effort->runs,
                        effort->coarse, effort->spared, (double)effort->ios / 1e6);
    add(out, "runs", text, AFT_TINT_NONE, style);
}

/* "+0.71 controller.io -0.71 controller.latency". Returns: (transfer full). */
static char *direction_text(const AftCalibration *it, const AftDirection *direction)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < it->n_keys; i++) {
        if (fabs(direction->part[i]) >= LARGE_PART) {
            g_string_append_printf(text, "%s%+.2f %s", text->len > 0 ? ", " : "",
                                   direction->part[i], it->keys[i].key.path);
        }
    }
    return g_string_free(text, FALSE);
}

static void append_directions(const AftCalibration *it, GString *out, AddLine add,
                              const AftTextStyle *style)
{
    for (guint k = 0; k < it->n_keys; k++) {
        const AftDirection *direction = &it->directions[k];
        if (direction->part != NULL && direction->singular < FELT) {
            g_autofree char *parts = direction_text(it, direction);
            g_autofree char *text =
                g_strdup_printf("the cells hardly tell (%.2g) %s", direction->singular, parts);
            add(out, "together", text, AFT_TINT_NOTICE, style);
        }
    }
}

static void append_lines(const AftCalibration *it, GString *out, AddLine add,
                         const AftTextStyle *style)
{
    if (it->comparison != NULL) {
        append_errors(it, out, add, style);
        append_directions(it, out, add, style);
    }
    append_effort(it, out, add, style);
    if (it->rejected > 0) {
        g_autofree char *text =
            g_strdup_printf("%u trials could not be run; the first: %s", it->rejected, it->refusal);
        add(out, "rejected", text, AFT_TINT_NOTICE, style);
    }
    if (it->interrupted) {
        add(out, "interrupted", "the best so far", AFT_TINT_NOTICE, style);
    }
}

char *aft_calibration_text(const AftCalibration *calibration, const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    g_autoptr(AftGrid) keys = lay_out_keys(calibration, style->utf8);
    aft_grid_append_text(keys, out, style->colour);
    g_string_append_c(out, '\n');
    append_lines(calibration, out, aft_lines_append, style);
    if (calibration->rotation != NULL) {
        aft_rotation_append_text(out, calibration->rotation, style);
    }
    return g_string_free(out, FALSE);
}

static void append_markdown_line(GString *out, const char *label, const char *text,
                                 AftTint tint G_GNUC_UNUSED,
                                 const AftTextStyle *style G_GNUC_UNUSED)
{
    g_string_append_printf(out, "- **%s** %s\n", label, text);
}

char *aft_calibration_markdown(const AftCalibration *calibration)
{
    GString *out = g_string_new(NULL);
    g_autoptr(AftGrid) keys = lay_out_keys(calibration, TRUE);
    aft_grid_append_markdown(keys, out);
    g_string_append_c(out, '\n');
    append_lines(calibration, out, append_markdown_line, NULL);
    if (calibration->rotation != NULL) {
        aft_rotation_append_markdown(out, calibration->rotation);
    }
    return g_string_free(out, FALSE);
}

/* All cells as they were fitted, and those that folds left out as they were predicted. Returns:
 * (transfer full). */
static GArray *cell_rows(const AftCalibration *it)
{
    GArray *rows = aft_compare_rows_new();
    for (guint i = 0; it->comparison != NULL && i < it->comparison->cells->len; i++) {
        aft_compare_rows_add(rows, &g_array_index(it->comparison->cells, AftComparedCell, i), "");
    }
    for (guint f = 0; it->rotation != NULL && f < it->rotation->folds->len; f++) {
        const AftFold *fold = it->rotation->folds->pdata[f];
        for (guint i = 0; i < fold->comparison->cells->len; i++) {
            if (fold->left[i]) {
                aft_compare_rows_add(rows,
                                     &g_array_index(fold->comparison->cells, AftComparedCell, i),
                                     fold->left_out);
            }
        }
    }
    return rows;
}

char *aft_calibration_csv(const AftCalibration *calibration)
{
    g_autoptr(GArray) rows = cell_rows(calibration);
    return aft_csv_format(aft_compare_fit_table(), rows);
}

static void add_yes(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

static void add_key(JsonBuilder *json, const AftFittedKey *it)
{
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "path");
    json_builder_add_string_value(json, it->key.path);
    aft_rows_add_number(json, "start", it->key.start);
    aft_rows_add_number(json, "value", it->value);
    aft_rows_add_number(json, "half_width", it->half_width);
    aft_rows_add_number(json, "low", it->key.low);
    aft_rows_add_number(json, "high", it->key.high);
    add_yes(json, "told", it->told);
    add_yes(json, "at_bound", it->at_bound);
    json_builder_end_object(json);
}

static void add_direction(JsonBuilder *json, const AftCalibration *calibration, guint k)
{
    const AftDirection *direction = &calibration->directions[k];
    json_builder_begin_object(json);
    aft_rows_add_number(json, "singular", direction->singular);
    json_builder_set_member_name(json, "parts");
    json_builder_begin_object(json);
    for (guint i = 0; i < calibration->n_keys; i++) {
        aft_rows_add_number(json, calibration->keys[i].key.path, direction->part[i]);
    }
    json_builder_end_object(json);
    json_builder_end_object(json);
}

static void add_effort(JsonBuilder *json, const AftEffort *effort)
{
    const struct {
        const char *name;
        gint64 value;
    } counts[] = {
        {"runs", effort->runs},
        {"coarse_runs", effort->coarse},
        {"spared_runs", effort->spared},
        {"simulated_ios", (gint64)effort->ios},
    };
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        json_builder_set_member_name(json, counts[i].name);
        json_builder_add_int_value(json, counts[i].value);
    }
}

static void add_lists(JsonBuilder *json, const AftCalibration *it)
{
    json_builder_set_member_name(json, "keys");
    json_builder_begin_array(json);
    for (guint i = 0; i < it->n_keys; i++) {
        add_key(json, &it->keys[i]);
    }
    json_builder_end_array(json);
    json_builder_set_member_name(json, "directions");
    json_builder_begin_array(json);
    for (guint k = 0; k < it->n_keys && it->directions[k].part != NULL; k++) {
        add_direction(json, it, k);
    }
    json_builder_end_array(json);
}

char *aft_calibration_json(const AftCalibration *calibration)
{
    JsonBuilder *json = json_builder_new();
    json_builder_begin_object(json);
    add_lists(json, calibration);
    aft_rotation_add_errors(json, "fitted", &calibration->fitted);
    aft_rotation_add_errors(json, "held_out", &calibration->held_out);
    gboolean known = calibration->comparison != NULL;
    aft_rows_add_number(json, "before", known ? calibration->before : NAN);
    aft_rows_add_number(json, "after", known ? calibration->after : NAN);
    add_effort(json, &calibration->effort);
    json_builder_set_member_name(json, "rejected");
    json_builder_add_int_value(json, calibration->rejected);
    add_yes(json, "interrupted", calibration->interrupted);
    if (calibration->rotation != NULL) {
        aft_rotation_add_json(json, calibration);
    }
    g_autoptr(GArray) rows = cell_rows(calibration);
    aft_rows_add_json(json, "cells", aft_compare_fit_table(), rows);
    json_builder_end_object(json);
    return aft_rows_json_text(json);
}
