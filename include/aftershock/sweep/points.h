/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.h - the points of a sweep, and what is set at each.
 *
 * What a point is depends on the sweep alone, and on its index: any shard, thread or program can
 * make any of them, in any order.
 *
 * A Sobol design of n points and d axes has n (d + 2) of them, in blocks of d + 2: a row of A, one
 * of B, then A with one column of B for each axis (Saltelli 2010), A and B being the halves of a
 * sequence in 2 d dimensions; the first point of the sequence, all zeros, is left out.
 *
 * Values along an axis are levels of equal chance to a latin hypercube and to Sobol.
 */
#pragma once

#include <aftershock/sweep/sweep.h>

typedef struct AftPoints AftPoints;

/** Returns: (transfer full) (nullable): the points of @sweep (borrowed); NULL with
 *  AFT_ERROR_LIMIT: more than AFT_SWEEP_MOST_POINTS, or more axes than a sequence has dimensions.
 */
AftPoints *aft_points_new(const AftSweep *sweep, GError **error);

void aft_points_free(AftPoints *points);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftPoints, aft_points_free)

guint aft_points_n(const AftPoints *points);

/** Which of the values of axis @axis of the sweep @point has, from 0. Returns: G_MAXUINT: the axis
 *  has a distribution. */
guint aft_points_level(const AftPoints *points, guint point, guint axis);

/** What @point is called: in a list its name, else the texts of its values, commas between them.
 *  Returns: (transfer full). */
char *aft_points_name(const AftPoints *points, guint point);

/** What is set at @point in @replication, "path=value", in the order of axes. Under grid and list
 *  values of distributions are drawn from the stream of @seed and @replication, named by the axis'
 *  path. Returns: (transfer full), NULL-terminated. */
char **aft_points_settings(const AftPoints *points, guint point, guint64 seed, guint32 replication);

/** Whether what is set differs between replications of one point: something is drawn. */
gboolean aft_points_are_drawn(const AftPoints *points);

/** What tables have at @point in the column of axis @axis. Returns: (transfer full): "" where it
 *  differs between replications, or a list's point does not set it. */
char *aft_points_text(const AftPoints *points, guint point, guint axis);

/** Columns of axes: of a list, the paths that any of its points sets, in order of appearance, then
 *  its axes. */
guint aft_points_axes(const AftPoints *points);
const char *aft_points_axis(const AftPoints *points, guint axis);

/** First-order and total sensitivity of one figure to one axis (Saltelli 2010; Jansen 1999). */
typedef struct {
    double first, first_half_width; /* 95 %, bootstrap over rows */
    double total, total_half_width;
} AftSobolIndex;

/** The indices of axis @axis, of a figure with @values, one for each of n (axes + 2) points in
 *  order; rows with a value that is not finite are left out. All NaN with fewer than 2 rows or no
 *  variance. */
AftSobolIndex aft_sobol_index(const double *values, guint rows, guint axes, guint axis);
