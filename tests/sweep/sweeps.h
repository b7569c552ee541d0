/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweeps.h - sweeps for tests, made by hand. */
#pragma once

#include "test.h"

#include <aftershock/sweep/points.h>

/** Adds an axis whose values are @texts (NULL-terminated). */
static inline AftAxis *add_values(AftSweep *sweep, const char *path, const char *const *texts)
{
    AftAxis *axis = aft_axis_new(path);
    for (guint i = 0; texts[i] != NULL; i++) {
        AftAxisValue *value = aft_axis_value_new(texts[i]);
        g_strfreev(value->settings);
        value->settings = g_new0(char *, 2);
        value->settings[0] = g_strconcat(path, "=", texts[i], NULL);
        g_ptr_array_add(axis->values, value);
    }
    g_ptr_array_add(sweep->axes, axis);
    return axis;
}

#define VALUES(...) ((const char *const[]){__VA_ARGS__, NULL})

/** Adds an axis with a distribution of @kind. */
static inline AftAxis *add_distribution(AftSweep *sweep, const char *path, AftUnit unit,
                                        AftDistributionKind kind, double first, double second)
{
    AftAxis *axis = aft_axis_new(path);
    axis->unit = unit;
    axis->distribution = (AftDistribution){kind, {first, second}};
    g_ptr_array_add(sweep->axes, axis);
    return axis;
}

static inline AftSweep *sweep_of(AftDesign design, guint n_points)
{
    AftSweep *sweep = aft_sweep_new();
    sweep->design = design;
    sweep->n_points = n_points;
    return sweep;
}

static inline AftPoints *points_of(const AftSweep *sweep)
{
    g_autoptr(GError) error = NULL;
    AftPoints *points = aft_points_new(sweep, &error);
    assert_null(error);
    assert_non_null(points);
    return points;
}

/** All that is set, blanks between. Returns: (transfer full). */
static inline char *settings_of(const AftPoints *points, guint point, guint64 seed,
                                guint32 replication)
{
    g_auto(GStrv) settings = aft_points_settings(points, point, seed, replication);
    return g_strjoinv(" ", settings);
}
