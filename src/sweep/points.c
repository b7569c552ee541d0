/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/points.h>

#include "paths.h"

#include <aftershock/base/error.h>
#include <aftershock/random/stream.h>

#include <gsl/gsl_qrng.h>
#include <string.h>

struct AftPoints {
    const AftSweep *sweep; /* borrowed */
    guint n;
    GPtrArray *columns; /* paths, borrowed from the sweep but for those of a list */
    guint32 *layers;    /* of a latin hypercube: point x axis */
    double *sequence;   /* of Sobol: rows x (A, then B) */
};

static const AftAxis *axis_at(const AftPoints *points, guint axis)
{
    return g_ptr_array_index(points->sweep->axes, axis);
}

static guint levels_of(const AftAxis *axis)
{
    return MAX(1, axis->values->len); /* what is drawn has one place in a grid */
}

/* How many points @sweep has; may be more than it may have. */
static guint64 count(const AftSweep *sweep)
{
    guint64 n = 1;
    switch (sweep->design) {
    case AFT_DESIGN_LIST:
        return sweep->points->len;
    case AFT_DESIGN_LATIN_HYPERCUBE:
        return sweep->n_points;
    case AFT_DESIGN_SOBOL:
        return (guint64)sweep->n_points * (sweep->axes->len + 2);
    default:
        for (guint i = 0; i < sweep->axes->len && n <= AFT_SWEEP_MOST_POINTS; i++) {
            n *= levels_of(g_ptr_array_index(sweep->axes, i));
        }
        return n;
    }
}

static gboolean check_size(const AftSweep *sweep, GError **error)
{
    guint64 n = count(sweep);
    if (n > AFT_SWEEP_MOST_POINTS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "design %s: expected at most %d points, these are %s%" G_GUINT64_FORMAT,
                    aft_design_name(sweep->design), AFT_SWEEP_MOST_POINTS,
                    sweep->design == AFT_DESIGN_GRID ? "at least " : "", n);
        return FALSE;
    }
    if (sweep->axes->len > AFT_SWEEP_MOST_AXES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "expected at most %d axes, got %u",
                    AFT_SWEEP_MOST_AXES, sweep->axes->len);
        return FALSE;
    }
    return TRUE;
}

/* The layers of each axis in an order of their own (Fisher and Yates). */
static guint32 *shuffle_layers(const AftSweep *sweep)
{
    guint axes = sweep->axes->len, n = sweep->n_points;
    guint32 *layers = g_new0(guint32, MAX((gsize)1, (gsize)n * axes));
    for (guint axis = 0; axis < axes; axis++) {
        AftStream stream;
        aft_stream_init(&stream, sweep->seed, 0, "sweep.layers", axis);
        for (gsize i = 0; i < n; i++) {
            gsize other = aft_stream_below(&stream, i + 1);
            layers[i * axes + axis] = layers[other * axes + axis];
            layers[other * axes + axis] = (guint32)i;
        }
    }
    return layers;
}

/* GSL's sequence begins behind the point of all zeros. */
static double *make_sequence(const AftSweep *sweep)
{
    guint dimensions = 2 * sweep->axes->len;
    double *sequence = g_new(double, MAX((gsize)1, (gsize)sweep->n_points * dimensions));
    if (dimensions > 0) {
        gsl_qrng *generator = gsl_qrng_alloc(gsl_qrng_sobol, dimensions);
        for (gsize row = 0; row < sweep->n_points; row++) {
            gsl_qrng_get(generator, sequence + row * dimensions);
        }
        gsl_qrng_free(generator);
    }
    return sequence;
}

#define NAME "name" /* column of what a point of a list is called: no key of scenarios there */

static void add_column(GPtrArray *columns, const char *setting)
{
    g_autofree char *path = g_strndup(setting, strcspn(setting, "="));
    if (!g_ptr_array_find_with_equal_func(columns, path, g_str_equal, NULL)) {
        g_ptr_array_add(columns, g_steal_pointer(&path));
    }
}

static GPtrArray *find_columns(const AftSweep *sweep)
{
    GPtrArray *columns = g_ptr_array_new_with_free_func(g_free);
    gboolean list = sweep->design == AFT_DESIGN_LIST;
    if (list) {
        g_ptr_array_add(columns, g_strdup(NAME));
    }
    for (guint i = 0; list && i < sweep->points->len; i++) {
        const AftAxisValue *point = g_ptr_array_index(sweep->points, i);
        for (char **setting = point->settings; *setting != NULL; setting++) {
            add_column(columns, *setting);
        }
    }
    for (guint i = 0; i < sweep->axes->len; i++) {
        const AftAxis *axis = g_ptr_array_index(sweep->axes, i);
        g_ptr_array_add(columns, g_strdup(axis->path));
    }
    return columns;
}

AftPoints *aft_points_new(const AftSweep *sweep, GError **error)
{
    if (!check_size(sweep, error)) {
        return NULL;
    }
    AftPoints *points = g_new0(AftPoints, 1);
    points->sweep = sweep;
    points->n = (guint)count(sweep);
    points->columns = find_columns(sweep);
    if (sweep->design == AFT_DESIGN_LATIN_HYPERCUBE) {
        points->layers = shuffle_layers(sweep);
    } else if (sweep->design == AFT_DESIGN_SOBOL) {
        points->sequence = make_sequence(sweep);
    }
    return points;
}

void aft_points_free(AftPoints *points)
{
    if (points != NULL) {
        g_ptr_array_unref(points->columns);
        g_free(points->layers);
        g_free(points->sequence);
        g_free(points);
    }
}

guint aft_points_n(const AftPoints *points)
{
    return points->n;
}

/* Uniform between 0 and 1, both out. */
static double draw(guint64 seed, guint32 replication, const char *purpose, guint32 index)
{
    AftStream stream;
    aft_stream_init(&stream, seed, replication, purpose, index);
    return ((double)(aft_stream_bits(&stream) >> 11) + 0.5) * 0x1.0p-53;
}

/* Where in its layer a point of a latin hypercube lies is a draw of its own. */
static double share_of_layer(const AftPoints *points, guint point, guint axis)
{
    guint axes = points->sweep->axes->len;
    double within = draw(points->sweep->seed, point, "sweep.layer", axis);
    double p = (points->layers[(gsize)point * axes + axis] + within) / points->n;
    return CLAMP(p, 0x1.0p-54, 1.0 - 0x1.0p-53); /* rounding must not yield 0 or 1 */
}

static double share_of_sequence(const AftPoints *points, guint point, guint axis)
{
    guint axes = points->sweep->axes->len;
    guint column = point % (axes + 2);
    gboolean b = column == 1 || column == axis + 2;
    return points->sequence[(gsize)(point / (axes + 2)) * 2 * axes + axis + (b ? axes : 0)];
}

/* Where @point lies along @axis of a design in which points lie somewhere, 0 to 1, both out. */
static double share_at(const AftPoints *points, guint point, guint axis)
{
    return points->layers != NULL ? share_of_layer(points, point, axis)
                                  : share_of_sequence(points, point, axis);
}

/* The last axis varies fastest. */
static guint grid_level(const AftPoints *points, guint point, guint axis)
{
    for (guint i = points->sweep->axes->len - 1; i > axis; i--) {
        point /= levels_of(axis_at(points, i));
    }
    return point % levels_of(axis_at(points, axis));
}

guint aft_points_level(const AftPoints *points, guint point, guint axis)
{
    guint levels = axis_at(points, axis)->values->len;
    if (levels == 0) {
        return G_MAXUINT;
    }
    if (points->sweep->design == AFT_DESIGN_LIST) {
        return 0;
    }
    if (points->sweep->design == AFT_DESIGN_GRID) {
        return grid_level(points, point, axis);
    }
    guint level = (guint)(share_at(points, point, axis) * levels);
    return MIN(level, levels - 1);
}

static const AftAxisValue *value_at(const AftPoints *points, guint point, guint axis)
{
    guint level = aft_points_level(points, point, axis);
    return level != G_MAXUINT ? g_ptr_array_index(axis_at(points, axis)->values, level) : NULL;
}

/* Quantiles are good to so many digits; more would only be hard to read. */
static double rounded(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.9g", value), NULL);
}

static char *number_text(const AftAxis *axis, double value)
{
    return axis->whole ? g_strdup_printf("%.0f", value)
                       : aft_units_format_exact(axis->unit, rounded(value));
}

/* Whether replications of one point have values of their own along its distributions. */
static gboolean draws(const AftPoints *points)
{
    return points->layers == NULL && points->sequence == NULL;
}

static char *number_at(const AftPoints *points, guint point, guint axis, guint64 seed,
                       guint32 replication)
{
    const AftAxis *along = axis_at(points, axis);
    g_autofree char *path = aft_path_meant(along->path);
    g_autofree char *purpose = g_strconcat("sweep.", path, NULL);
    double p = draws(points) ? draw(seed, replication, purpose, 0) : share_at(points, point, axis);
    return number_text(along, aft_axis_quantile(along, p));
}

static void add_settings(GPtrArray *settings, const AftAxisValue *value)
{
    for (char **setting = value->settings; *setting != NULL; setting++) {
        g_ptr_array_add(settings, g_strdup(*setting));
    }
}

char **aft_points_settings(const AftPoints *points, guint point, guint64 seed, guint32 replication)
{
    g_assert(point < points->n);
    GPtrArray *settings = g_ptr_array_new();
    if (points->sweep->design == AFT_DESIGN_LIST) {
        add_settings(settings, g_ptr_array_index(points->sweep->points, point));
    }
    for (guint axis = 0; axis < points->sweep->axes->len; axis++) {
        const AftAxisValue *value = value_at(points, point, axis);
        if (value != NULL) {
            add_settings(settings, value);
        } else {
            g_autofree char *number = number_at(points, point, axis, seed, replication);
            g_ptr_array_add(settings, g_strconcat(axis_at(points, axis)->path, "=", number, NULL));
        }
    }
    g_ptr_array_add(settings, NULL);
    return (char **)g_ptr_array_free(settings, FALSE);
}

/* What a point of a list sets at @path. */
static char *listed_text(const AftPoints *points, guint point, const char *path)
{
    const AftAxisValue *listed = g_ptr_array_index(points->sweep->points, point);
    gsize n = strlen(path);
    if (g_str_equal(path, NAME)) {
        return g_strdup(listed->text);
    }
    for (char **setting = listed->settings; *setting != NULL; setting++) {
        if (strncmp(*setting, path, n) == 0 && (*setting)[n] == '=') {
            return g_strdup(*setting + n + 1);
        }
    }
    return g_strdup("");
}

char *aft_points_text(const AftPoints *points, guint point, guint axis)
{
    guint listed = points->columns->len - points->sweep->axes->len; /* columns before those */
    if (axis < listed) {
        return listed_text(points, point, aft_points_axis(points, axis));
    }
    const AftAxisValue *value = value_at(points, point, axis - listed);
    if (value != NULL) {
        return g_strdup(value->text);
    }
    return draws(points) ? g_strdup("") : number_at(points, point, axis - listed, 0, 0);
}

char *aft_points_name(const AftPoints *points, guint point)
{
    if (points->sweep->design == AFT_DESIGN_LIST) {
        return g_strdup(((AftAxisValue *)g_ptr_array_index(points->sweep->points, point))->text);
    }
    GString *name = g_string_new(NULL);
    for (guint axis = 0; axis < points->sweep->axes->len; axis++) {
        g_autofree char *text = aft_points_text(points, point, axis);
        if (*text != '\0') {
            g_string_append_printf(name, "%s%s", name->len > 0 ? ", " : "", text);
        }
    }
    return g_string_free(name, FALSE);
}

guint aft_points_axes(const AftPoints *points)
{
    return points->columns->len;
}

const char *aft_points_axis(const AftPoints *points, guint axis)
{
    return g_ptr_array_index(points->columns, axis);
}

gboolean aft_points_are_drawn(const AftPoints *points)
{
    gboolean any = FALSE;
    for (guint axis = 0; axis < points->sweep->axes->len; axis++) {
        any |= axis_at(points, axis)->values->len == 0;
    }
    return any && draws(points);
}
