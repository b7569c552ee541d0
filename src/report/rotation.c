/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rotation.h"

#include "grid.h"
#include "human.h"
#include "rows.h"

#include <math.h>

char *aft_rotation_errors_text(const AftErrors *errors)
{
    GString *text = g_string_new(NULL);
    if (errors->n == 0 && errors->absent == 0) {
        g_string_append(text, "none");
    }
    if (errors->n > 0) {
        g_autofree char *median = aft_human_share(errors->median);
        g_autofree char *largest = aft_human_share(errors->largest);
        g_string_append_printf(text, "%u cells, median %s, largest %s", errors->n, median, largest);
    }
    if (errors->absent > 0) {
        g_string_append_printf(text, "%s%u absent", errors->n > 0 ? ", " : "", errors->absent);
    }
    return g_string_free(text, FALSE);
}

/* A line: what was left out, or which figures, and its errors. */
typedef struct {
    const char *name;
    const AftErrorPair *errors;
} Line;

static void add_folds(GArray *lines, const AftRotation *rotation)
{
    for (guint i = 0; i < rotation->folds->len; i++) {
        const AftFold *fold = rotation->folds->pdata[i];
        Line line = {fold->left_out, &fold->errors};
        g_array_append_val(lines, line);
    }
}

static gboolean is_empty(const AftErrorPair *errors)
{
    return errors->predicted.n == 0 && errors->predicted.absent == 0;
}

static void add_kinds(GArray *lines, const AftRotation *rotation)
{
    for (AftFigures figures = 0; figures < AFT_FIGURES; figures++) {
        Line line = {aft_figures_name(figures), &rotation->kind[figures]};
        if (!is_empty(line.errors)) {
            g_array_append_val(lines, line);
        }
    }
    Line all = {"all", &rotation->all};
    g_array_append_val(lines, all);
}

typedef enum {
    NAME,
    CELLS,
    FITTED_MEDIAN,
    FITTED_LARGEST,
    LEFT_MEDIAN,
    LEFT_LARGEST,
    ABSENT,
    COLUMNS
} Column;

static char *cell_text(Column column, const Line *line)
{
    const AftErrors *fitted = &line->errors->fitted, *left = &line->errors->predicted;
    switch (column) {
    case NAME:
        return g_strdup(line->name);
    case CELLS:
        return g_strdup_printf("%u", left->n + left->absent);
    case FITTED_MEDIAN:
        return aft_human_share(fitted->median);
    case FITTED_LARGEST:
        return aft_human_share(fitted->largest);
    case LEFT_MEDIAN:
        return aft_human_share(left->median);
    case LEFT_LARGEST:
        return aft_human_share(left->largest);
    default:
        return left->absent > 0 ? g_strdup_printf("%u", left->absent) : g_strdup("");
    }
}

/* @title is that of what stands at the left. */
static AftGrid *lay_out(const GArray *lines, const char *title, gboolean utf8)
{
    const AftGridColumn columns[COLUMNS] = {
        [NAME] = {NULL, title, FALSE, FALSE},
        [CELLS] = {NULL, "cells", TRUE, FALSE},
        [FITTED_MEDIAN] = {"fitted", "median", TRUE, FALSE},
        [FITTED_LARGEST] = {"fitted", "largest", TRUE, FALSE},
        [LEFT_MEDIAN] = {"left out", "median", TRUE, FALSE},
        [LEFT_LARGEST] = {"left out", "largest", TRUE, FALSE},
        [ABSENT] = {NULL, "absent", TRUE, FALSE},
    };
    AftGrid *grid = aft_grid_new(utf8);
    for (Column column = 0; column < COLUMNS; column++) {
        aft_grid_add_column(grid, &columns[column]);
        for (guint i = 0; i < lines->len; i++) {
            g_autofree char *text = cell_text(column, &g_array_index(lines, Line, i));
            aft_grid_add_cell(grid, text, column == NAME ? AFT_TINT_STRONG : AFT_TINT_NONE);
        }
    }
    return grid;
}

static AftGrid *table_of(const AftRotation *rotation, gboolean kinds, gboolean utf8)
{
    static const char *const titles[] = {
        [AFT_ROTATE_CONFIGURATION] = "configuration left out",
        [AFT_ROTATE_PHASE] = "phase left out",
    };
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(Line));
    if (kinds) {
        add_kinds(lines, rotation);
    } else {
        add_folds(lines, rotation);
    }
    return lay_out(lines, kinds ? "of all" : titles[rotation->by], utf8);
}

void aft_rotation_append_text(GString *out, const AftRotation *rotation, const AftTextStyle *style)
{
    for (guint kinds = 0; kinds < 2; kinds++) {
        g_autoptr(AftGrid) grid = table_of(rotation, kinds != 0, style->utf8);
        g_string_append_c(out, '\n');
        aft_grid_append_text(grid, out, style->colour);
    }
}

void aft_rotation_append_markdown(GString *out, const AftRotation *rotation)
{
    for (guint kinds = 0; kinds < 2; kinds++) {
        g_autoptr(AftGrid) grid = table_of(rotation, kinds != 0, TRUE);
        g_string_append_c(out, '\n');
        aft_grid_append_markdown(grid, out);
    }
}

void aft_rotation_add_errors(JsonBuilder *json, const char *name, const AftErrors *errors)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "cells");
    json_builder_add_int_value(json, errors->n);
    json_builder_set_member_name(json, "absent");
    json_builder_add_int_value(json, errors->absent);
    aft_rows_add_number(json, "median", errors->median);
    aft_rows_add_number(json, "largest", errors->largest);
    json_builder_end_object(json);
}

static void add_pair(JsonBuilder *json, const AftErrorPair *errors)
{
    aft_rotation_add_errors(json, "fitted", &errors->fitted);
    aft_rotation_add_errors(json, "predicted", &errors->predicted);
}

static void add_fold(JsonBuilder *json, const AftCalibration *calibration, const AftFold *fold)
{
    json_builder_begin_object(json);
    aft_rows_add_text(json, "left_out", fold->left_out);
    add_pair(json, &fold->errors);
    json_builder_set_member_name(json, "values");
    json_builder_begin_object(json);
    for (guint i = 0; i < calibration->n_keys; i++) {
        aft_rows_add_number(json, calibration->keys[i].key.path, fold->values[i]);
    }
    json_builder_end_object(json);
    json_builder_end_object(json);
}

void aft_rotation_add_json(JsonBuilder *json, const AftCalibration *calibration)
{
    const AftRotation *rotation = calibration->rotation;
    json_builder_set_member_name(json, "rotation");
    json_builder_begin_object(json);
    aft_rows_add_text(json, "by", rotation->by == AFT_ROTATE_PHASE ? "phase" : "configuration");
    json_builder_set_member_name(json, "folds");
    json_builder_begin_array(json);
    for (guint i = 0; i < rotation->folds->len; i++) {
        add_fold(json, calibration, rotation->folds->pdata[i]);
    }
    json_builder_end_array(json);
    for (AftFigures figures = 0; figures < AFT_FIGURES; figures++) {
        json_builder_set_member_name(json, aft_figures_name(figures));
        json_builder_begin_object(json);
        add_pair(json, &rotation->kind[figures]);
        json_builder_end_object(json);
    }
    json_builder_set_member_name(json, "all");
    json_builder_begin_object(json);
    add_pair(json, &rotation->all);
    json_builder_end_object(json);
    json_builder_end_object(json);
}
