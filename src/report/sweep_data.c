/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points, axes and figures of a sweep as a page's charts read them. */
#include "page_json.h"
#include "sweep_parts.h"

#include <aftershock/result/csv.h>
#include <aftershock/scenario/keys.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME = 60,           /* characters of an axis, and of its values */
    TEXT_BYTES = 200000, /* of all values of axes together */
    LEVELS = 40          /* of an axis of numbers, up to which its values keep their texts */
};

#define OF(kind, member)                                                        \
    {                                                                           \
#member, AFT_CELL_##kind, G_STRUCT_OFFSET(AftSweptIndex, member), FALSE \
    }

static const AftColumn index_columns[] = {
    OF(TEXT, phase),       OF(TEXT, metric),   OF(TEXT, axis),        OF(MEASURE, first),
    OF(MEASURE, first_ci), OF(MEASURE, total), OF(MEASURE, total_ci),
};

static const AftTable index_table = {index_columns, G_N_ELEMENTS(index_columns),
                                     sizeof(AftSweptIndex)};

static void clear_index(gpointer row)
{
    aft_table_clear_row(&index_table, row);
}

GArray *aft_swept_indices_new(AftStore *store, GError **error)
{
    GArray *indices = g_array_new(FALSE, FALSE, sizeof(AftSweptIndex));
    g_array_set_clear_func(indices, clear_index);
    if (!g_str_equal(aft_store_identity(store)->design, "sobol")) {
        return indices;
    }
    char *text = NULL;
    gsize length = 0;
    FILE *out = open_memstream(&text, &length);
    g_assert(out != NULL); /* there is memory, or GLib had ended the program */
    gboolean fine = aft_tables_indices(store, out, error);
    int closed = fclose(out);
    g_assert(closed == 0);
    fine = fine && aft_csv_parse(&index_table, text, "indices.csv", indices, error);
    free(text);
    if (!fine) {
        g_clear_pointer(&indices, g_array_unref);
    }
    return indices;
}

/* An axis at all points that are shown. */
typedef struct {
    char *name;
    GPtrArray *texts; /* "" where there is none */
    double *numbers;  /* (nullable): when all of them are some of one unit */
    AftUnit unit;
    GPtrArray *levels; /* (borrowed) texts that differ */
} Axis;

static void free_axis(gpointer data)
{
    Axis *axis = data;
    g_free(axis->name);
    g_ptr_array_unref(axis->texts);
    g_ptr_array_unref(axis->levels);
    g_free(axis->numbers);
    g_free(axis);
}

static Axis *axis_new(const char *setting)
{
    Axis *axis = g_new0(Axis, 1);
    axis->name = g_strndup(setting, strcspn(setting, "="));
    axis->texts = g_ptr_array_new_with_free_func(g_free);
    axis->levels = g_ptr_array_new();
    return axis;
}

static const char *text_of(char *const *settings, guint axis)
{
    const char *equals = settings != NULL && axis < g_strv_length((char **)settings)
                             ? strchr(settings[axis], '=')
                             : NULL;
    return equals != NULL ? equals + 1 : "";
}

/* Returns: (transfer full): Axis, with the texts of all points that are shown. */
static GPtrArray *axes_new(const AftSweptPage *page)
{
    GPtrArray *axes = g_ptr_array_new_with_free_func(free_axis);
    for (guint i = 0; i < page->shown->len; i++) {
        guint point = g_array_index(page->shown, AftSweptPoint, i).point;
        g_auto(GStrv) settings = aft_store_point(page->store, point);
        for (guint a = 0; i == 0 && settings != NULL && settings[a] != NULL; a++) {
            g_ptr_array_add(axes, axis_new(settings[a]));
        }
        for (guint a = 0; a < axes->len; a++) {
            Axis *axis = axes->pdata[a];
            g_ptr_array_add(axis->texts, g_strdup(text_of(settings, a)));
        }
    }
    return axes;
}

static void find_levels(Axis *axis)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < axis->texts->len; i++) {
        if (g_hash_table_add(seen, axis->texts->pdata[i])) {
            g_ptr_array_add(axis->levels, axis->texts->pdata[i]);
        }
    }
}

/* Reads all texts as numbers of the key's unit, if they are. */
static void find_numbers(Axis *axis)
{
    AftKeyMatch match;
    if (!aft_keys_find(axis->name, &match) || match.key->type < AFT_KEY_COUNT ||
        match.key->type > AFT_KEY_SHARE) {
        return;
    }
    axis->unit = aft_key_unit(match.key);
    axis->numbers = g_new(double, axis->texts->len);
    for (guint i = 0; axis->numbers != NULL && i < axis->texts->len; i++) {
        if (!aft_units_parse(axis->unit, axis->texts->pdata[i], &axis->numbers[i], NULL)) {
            g_clear_pointer(&axis->numbers, g_free);
        }
    }
}

static guint level_of(const Axis *axis, const char *text)
{
    guint level = 0;
    while (!g_str_equal(axis->levels->pdata[level], text)) { /* it is one of them */
        level++;
    }
    return level;
}

/* Which level each point has, or its number when there are too many to have names. */
static void append_places(GString *json, const Axis *axis, gboolean named)
{
    g_string_append(json, ",\"at\":[");
    for (guint i = 0; i < axis->texts->len; i++) {
        g_string_append(json, i > 0 ? "," : "");
        if (named) {
            g_string_append_printf(json, "%u", level_of(axis, axis->texts->pdata[i]));
        } else {
            aft_page_json_number(json, axis->numbers[i], AFT_PAGE_FEW);
        }
    }
    g_string_append_c(json, ']');
}

static void append_levels(GString *json, const Axis *axis, gsize *bytes)
{
    g_string_append(json, ",\"levels\":[");
    gsize before = json->len;
    for (guint i = 0; i < axis->levels->len; i++) {
        g_string_append(json, i > 0 ? "," : "");
        gboolean room = json->len - before < *bytes;
        aft_page_json_text(json, room ? axis->levels->pdata[i] : "…", NAME);
    }
    *bytes -= MIN(*bytes, json->len - before);
    g_string_append_c(json, ']');
}

static void append_level_numbers(GString *json, const Axis *axis)
{
    g_string_append(json, ",\"numbers\":[");
    for (guint i = 0; i < axis->levels->len; i++) {
        double number = (double)NAN;
        aft_units_parse(axis->unit, axis->levels->pdata[i], &number, NULL);
        g_string_append(json, i > 0 ? "," : "");
        aft_page_json_number(json, number, AFT_PAGE_EXACT);
    }
    g_string_append_c(json, ']');
}

static void append_axis(GString *json, Axis *axis, gsize *bytes)
{
    static const char *const units[] = {
        [AFT_UNIT_COUNT] = "count", [AFT_UNIT_TIME] = "time",
        [AFT_UNIT_BYTES] = "bytes", [AFT_UNIT_BYTES_PER_TIME] = "bandwidth",
        [AFT_UNIT_RATE] = "rate",   [AFT_UNIT_SHARE] = "share",
    };
    find_levels(axis);
    find_numbers(axis);
    gboolean named = axis->numbers == NULL || axis->levels->len <= LEVELS;
    g_string_append(json, "\n{\"name\":");
    aft_page_json_text(json, axis->name, NAME);
    if (axis->numbers != NULL) {
        g_string_append_printf(json, ",\"unit\":\"%s\"", units[axis->unit]);
    }
    if (named) {
        append_levels(json, axis, bytes);
    }
    if (named && axis->numbers != NULL) {
        append_level_numbers(json, axis);
    }
    append_places(json, axis, named);
    g_string_append_c(json, '}');
}

static void append_axes(GString *json, const AftSweptPage *page)
{
    g_autoptr(GPtrArray) axes = axes_new(page);
    gsize bytes = TEXT_BYTES;
    g_string_append(json, ",\n\"axes\":[");
    for (guint i = 0; i < axes->len; i++) {
        g_string_append(json, i > 0 ? "," : "");
        append_axis(json, axes->pdata[i], &bytes);
    }
    g_string_append_c(json, ']');
}

/* Index, replications, and the chance that the requirement holds. */
static void append_points(GString *json, const AftSweptPage *page)
{
    g_string_append(json, ",\n\"points\":[");
    for (guint i = 0; i < page->shown->len; i++) {
        const AftSweptPoint *point = &g_array_index(page->shown, AftSweptPoint, i);
        AftChance chance = aft_chance(point->held, point->judged);
        const double numbers[] = {point->point, point->n,           point->judged,
                                  point->held,  100.0 * chance.low, 100.0 * chance.high};
        g_string_append(json, i > 0 ? "," : "");
        aft_page_json_numbers(json, numbers, G_N_ELEMENTS(numbers), AFT_PAGE_EXACT);
    }
    g_string_append_c(json, ']');
}

/* The places, among those that are shown, of points by rank. */
static void append_ranks(GString *json, const AftSweptPage *page)
{
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    const char *between = "";
    for (guint i = 0; i < page->shown->len; i++) {
        guint point = g_array_index(page->shown, AftSweptPoint, i).point;
        g_hash_table_insert(places, GUINT_TO_POINTER(point), GUINT_TO_POINTER(i + 1));
    }
    g_string_append(json, ",\n\"ranked\":[");
    for (guint i = 0; i < page->ranking->len; i++) {
        const AftRanked *ranked = page->ranking->pdata[i];
        guint place =
            GPOINTER_TO_UINT(g_hash_table_lookup(places, GUINT_TO_POINTER(ranked->point)));
        if (place > 0) {
            g_string_append_printf(json, "%s%u", between, place - 1);
            between = ",";
        }
    }
    g_string_append_c(json, ']');
}

static void append_indices(GString *json, const GArray *indices, const char *phase,
                           const char *metric)
{
    const char *between = "";
    for (guint i = 0; i < indices->len; i++) {
        const AftSweptIndex *row = &g_array_index(indices, AftSweptIndex, i);
        if (g_str_equal(row->phase, phase) && g_str_equal(row->metric, metric)) {
            const double numbers[] = {row->first, row->first_ci, row->total, row->total_ci};
            g_string_append_printf(json, "%s", *between != '\0' ? between : ",\"indices\":[");
            aft_page_json_numbers(json, numbers, G_N_ELEMENTS(numbers), AFT_PAGE_FEW);
            between = ",";
        }
    }
    g_string_append(json, *between != '\0' ? "]" : "");
}

static void append_figures(GString *json, const AftSweptPage *page)
{
    g_string_append(json, ",\n\"figures\":[");
    for (guint i = 0; i < page->figures->len; i++) {
        const AftSweptFigure *figure = &g_array_index(page->figures, AftSweptFigure, i);
        const char *phase = aft_yield_phase_name(figure->phase);
        const char *metric = aft_yield_name(figure->yield);
        g_string_append_printf(json,
                               "%s\n{\"phase\":\"%s\",\"metric\":\"%s\",\"unit\":\"%s\",\"v\":[%s]",
                               i > 0 ? "," : "", phase, metric, aft_yield_unit(figure->yield),
                               figure->values->str);
        append_indices(json, page->indices, phase, metric);
        g_string_append_c(json, '}');
    }
    g_string_append_c(json, ']');
}

char *aft_swept_data(const AftSweptPage *page)
{
    const AftStoreIdentity *identity = aft_store_identity(page->store);
    GString *json = g_string_new("{\"design\":");
    aft_page_json_text(json, identity->design, NAME);
    aft_page_json_member(json, "points_all", page->look->points->len);
    aft_page_json_member(json, "figures_left_out", page->left_out);
    append_points(json, page);
    append_axes(json, page);
    append_ranks(json, page);
    append_figures(json, page);
    g_string_append(json, "}");
    return g_string_free(json, FALSE);
}
