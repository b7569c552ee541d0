/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/calibration.h>

#include "grid.h"
#include "human.h"
#include "lines.h"
#include "rows.h"

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

static void append_keys(const AftCalibration *calibration, GString *out, const AftTextStyle *style)
{
    static const AftGridColumn columns[] = {
        {NULL, "key", FALSE, FALSE}, {NULL, "began", TRUE, FALSE},    {NULL, "fitted", TRUE, FALSE},
        {NULL, "95 %", FALSE, TRUE}, {NULL, "between", FALSE, FALSE}, {NULL, "", FALSE, FALSE},
    };
    g_autoptr(AftGrid) grid = aft_grid_new(style->utf8);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (guint column = 0; column < G_N_ELEMENTS(columns); column++) {
        aft_grid_add_column(grid, &columns[column]);
        for (guint i = 0; i < calibration->n_keys; i++) {
            const AftFittedKey *it = &calibration->keys[i];
            g_autofree char *low = aft_units_format(it->key.unit, it->key.low);
            g_autofree char *high = aft_units_format(it->key.unit, it->key.high);
            char *text = column == 0   ? g_strdup(it->key.path)
                         : column == 1 ? aft_units_format(it->key.unit, it->key.start)
                         : column == 2 ? aft_units_format(it->key.unit, it->value)
                         : column == 3 ? interval_text(it)
                         : column == 4 ? g_strdup_printf("%s and %s", low, high)
                                       : g_strdup(note_of(it));
            g_ptr_array_add(texts, text);
            gboolean fine = it->told && !it->at_bound;
            aft_grid_add_cell(grid, text, column == 5 && !fine ? AFT_TINT_NOTICE : AFT_TINT_NONE);
        }
    }
    aft_grid_append_text(grid, out, style->colour);
}

/* "48 cells, median 4.5 %, largest 21 %". Returns: (transfer full). */
static char *errors_text(const AftErrors *errors)
{
    if (errors->n == 0) {
        return g_strdup("none");
    }
    g_autofree char *median = aft_human_share(errors->median);
    g_autofree char *largest = aft_human_share(errors->largest);
    return g_strdup_printf("%u cells, median %s, largest %s", errors->n, median, largest);
}

static void append_errors(const AftCalibration *it, GString *out, const AftTextStyle *style)
{
    g_autofree char *fitted = errors_text(&it->fitted), *held = errors_text(&it->held_out);
    aft_lines_append(out, "fitted", fitted, AFT_TINT_NONE, style);
    if (it->held_out.n > 0) {
        aft_lines_append(out, "held out", held, AFT_TINT_NONE, style);
    }
    g_autofree char *residuals =
        g_strdup_printf("root mean square %.3g of the tolerances, %.3g before; %u runs", it->after,
                        it->before, it->runs);
    aft_lines_append(out, "residuals", residuals, AFT_TINT_NONE, style);
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

static void append_directions(const AftCalibration *it, GString *out, const AftTextStyle *style)
{
    for (guint k = 0; k < it->n_keys; k++) {
        const AftDirection *direction = &it->directions[k];
        if (direction->part != NULL && direction->singular < FELT) {
            g_autofree char *parts = direction_text(it, direction);
            g_autofree char *text =
                g_strdup_printf("the cells hardly tell (%.2g) %s", direction->singular, parts);
            aft_lines_append(out, "together", text, AFT_TINT_NOTICE, style);
        }
    }
}

char *aft_calibration_text(const AftCalibration *calibration, const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    append_keys(calibration, out, style);
    g_string_append_c(out, '\n');
    if (calibration->comparison != NULL) {
        append_errors(calibration, out, style);
        append_directions(calibration, out, style);
    }
    if (calibration->rejected > 0) {
        g_autofree char *text = g_strdup_printf("%u trials could not be run; the first: %s",
                                                calibration->rejected, calibration->refusal);
        aft_lines_append(out, "rejected", text, AFT_TINT_NOTICE, style);
    }
    if (calibration->interrupted) {
        aft_lines_append(out, "interrupted", "the best so far", AFT_TINT_NOTICE, style);
    }
    return g_string_free(out, FALSE);
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

static void add_errors(JsonBuilder *json, const char *name, const AftErrors *errors)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "cells");
    json_builder_add_int_value(json, errors->n);
    aft_rows_add_number(json, "median", errors->n > 0 ? errors->median : NAN);
    aft_rows_add_number(json, "largest", errors->n > 0 ? errors->largest : NAN);
    json_builder_end_object(json);
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
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    add_lists(json, calibration);
    add_errors(json, "fitted", &calibration->fitted);
    add_errors(json, "held_out", &calibration->held_out);
    gboolean known = calibration->comparison != NULL;
    aft_rows_add_number(json, "before", known ? calibration->before : NAN);
    aft_rows_add_number(json, "after", known ? calibration->after : NAN);
    json_builder_set_member_name(json, "runs");
    json_builder_add_int_value(json, calibration->runs);
    json_builder_set_member_name(json, "rejected");
    json_builder_add_int_value(json, calibration->rejected);
    add_yes(json, "interrupted", calibration->interrupted);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_to_string(root, TRUE);
    return g_strconcat(text, "\n", NULL);
}
