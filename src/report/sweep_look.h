/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_look.h - a first look over all replications of a sweep: what became of each point, and
 * which figures there are. */
#pragma once

#include <aftershock/sweep/store.h>
#include <aftershock/sweep/yields.h>

/** What became of a point's replications. */
typedef struct {
    guint point;
    guint n, failed; /* replications with a result, and without */
    guint judged;    /* of n, those with a requirement */
    guint held;      /* of judged, those that met it throughout and lost no data */
} AftSweptPoint;

/** A share of @n that came out as @k, and between which shares (95 %, Clopper and Pearson) that of
 *  any number would be. */
typedef struct {
    double share, low, high;
} AftChance;

AftChance aft_chance(guint k, guint n);

/** A figure, of all points and replications. */
typedef struct {
    double least, most; /* in base units */
    guint64 n;          /* values that there are */
} AftSweptRange;

enum { AFT_SWEPT_REASONS = 5 };

typedef struct {
    GArray *points; /* AftSweptPoint, of those that have replications */
    guint64 done, failed;
    guint64
        fell_back; /* of done, those that were simulated by windows though the sweep is of `flow` */
    char *reasons[AFT_SWEPT_REASONS]; /* why replications failed, the first that differ; or NULL */
    AftSweptRange *range;             /* by yield, then phase: AFT_YIELD_PHASES of each */
} AftSweptLook;

/** Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE, or AFT_ERROR_SYNTAX without any
 *  replication. */
AftSweptLook *aft_swept_look_new(AftStore *store, GError **error);

void aft_swept_look_free(AftSweptLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftSweptLook, aft_swept_look_free)
