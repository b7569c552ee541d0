/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/sweep.h>

#include "paths.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *help;
} designs[AFT_DESIGNS] = {
    [AFT_DESIGN_GRID] = {"grid", "every value of each axis with every value of all others"},
    [AFT_DESIGN_LIST] = {"list", "the points that are written, one after the other"},
    [AFT_DESIGN_LATIN_HYPERCUBE] = {"latin-hypercube",
                                    "points that meet each layer of every axis once"},
    [AFT_DESIGN_SOBOL] = {"sobol", "points of Sobol's sequence, for sensitivity indices"},
};

const char *aft_design_name(AftDesign design)
{
    return designs[design].name;
}

const char *aft_design_help(AftDesign design)
{
    return designs[design].help;
}

gboolean aft_design_find(const char *name, AftDesign *ret_design)
{
    for (guint i = 0; i < AFT_DESIGNS; i++) {
        if (strcmp(designs[i].name, name) == 0) {
            *ret_design = (AftDesign)i;
            return TRUE;
        }
    }
    return FALSE;
}

static void value_free(gpointer data)
{
    AftAxisValue *value = data;
    g_free(value->text);
    g_strfreev(value->settings);
    g_free(value);
}

static void axis_free(gpointer data)
{
    AftAxis *axis = data;
    g_free(axis->path);
    g_ptr_array_unref(axis->values);
    g_free(axis);
}

AftSweep *aft_sweep_new(void)
{
    AftSweep *sweep = g_new0(AftSweep, 1);
    sweep->axes = g_ptr_array_new_with_free_func(axis_free);
    sweep->points = g_ptr_array_new_with_free_func(value_free);
    sweep->replications = (AftReplications){.n = 1, .most = 1};
    sweep->seed = 1;
    return sweep;
}

void aft_sweep_free(AftSweep *sweep)
{
    if (sweep == NULL) {
        return;
    }
    g_free(sweep->name);
    g_free(sweep->base);
    g_ptr_array_unref(sweep->axes);
    g_ptr_array_unref(sweep->points);
    g_free(sweep->replications.metric);
    g_free(sweep->fidelity);
    g_free(sweep);
}

AftAxis *aft_axis_new(const char *path)
{
    AftAxis *axis = g_new0(AftAxis, 1);
    axis->path = g_strdup(path);
    axis->values = g_ptr_array_new_with_free_func(value_free);
    axis->minimum = -INFINITY;
    axis->maximum = INFINITY;
    return axis;
}

AftAxisValue *aft_axis_value_new(const char *text)
{
    AftAxisValue *value = g_new0(AftAxisValue, 1);
    value->text = g_strdup(text);
    value->settings = g_new0(char *, 1);
    return value;
}

static void add_line(GChecksum *sum, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* With the zero byte at its end, so that lines cannot run into each other. */
static void add_line(GChecksum *sum, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *line = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_checksum_update(sum, (const guchar *)line, (gssize)strlen(line) + 1);
}

static void add_values(GChecksum *sum, const GPtrArray *values)
{
    for (guint i = 0; i < values->len; i++) {
        const AftAxisValue *value = g_ptr_array_index(values, i);
        add_line(sum, "value %u", g_strv_length(value->settings));
        for (char **setting = value->settings; *setting != NULL; setting++) {
            g_autofree char *meant = aft_setting_meant(*setting);
            add_line(sum, "%s", meant);
        }
    }
}

static void add_axis(GChecksum *sum, const AftAxis *axis)
{
    g_autofree char *path = aft_path_meant(axis->path);
    add_line(sum, "axis %s", path);
    add_values(sum, axis->values);
    if (axis->values->len == 0) {
        const AftDistribution *distribution = &axis->distribution;
        add_line(sum, "%s", aft_distribution_name(distribution->kind));
        for (guint i = 0; i < aft_distribution_parameters(distribution->kind); i++) {
            add_line(sum, "%a", distribution->parameter[i]);
        }
        add_line(sum, "%d %d %a %a", (int)axis->unit, axis->whole, axis->minimum, axis->maximum);
    }
}

static void add_replications(GChecksum *sum, const AftReplications *replications)
{
    add_line(sum, "replications %u", replications->n);
    if (replications->metric != NULL) {
        add_line(sum, "until %s %a %u", replications->metric, replications->within,
                 replications->most);
    }
}

char *aft_sweep_digest(const AftSweep *sweep)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gboolean counted =
        sweep->design == AFT_DESIGN_LATIN_HYPERCUBE || sweep->design == AFT_DESIGN_SOBOL;
    add_line(sum, "%s %u", aft_design_name(sweep->design), counted ? sweep->n_points : 0);
    for (guint i = 0; i < sweep->axes->len; i++) {
        add_axis(sum, g_ptr_array_index(sweep->axes, i));
    }
    if (sweep->design == AFT_DESIGN_LIST) {
        add_line(sum, "points");
        add_values(sum, sweep->points);
    }
    add_replications(sum, &sweep->replications);
    if (sweep->seeded) {
        add_line(sum, "seed %" G_GUINT64_FORMAT, sweep->seed);
    }
    if (sweep->fidelity != NULL) {
        add_line(sum, "fidelity %s", sweep->fidelity);
    }
    return g_strdup(g_checksum_get_string(sum));
}
