/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase_sparks.h - how IOPS and latencies went in each phase, from the rows of the trace.
 *
 * A phase is cut into cells of equal length. A figure has one scale over the whole run, from 0 to
 * its highest cell, so that phases compare.
 */
#pragma once

#include <aftershock/result/result.h>

enum { AFT_SPARK_CELLS = 9 };

typedef enum { AFT_SPARK_IOPS, AFT_SPARK_READ, AFT_SPARK_WRITE, AFT_SPARKS } AftSpark;

typedef struct AftPhaseSparks AftPhaseSparks;

/** Returns: (transfer full): of all phases of @result. */
AftPhaseSparks *aft_phase_sparks_new(const AftResult *result);

void aft_phase_sparks_free(AftPhaseSparks *sparks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftPhaseSparks, aft_phase_sparks_free)

/** How @spark went in the phase of @index. Returns: (transfer full): "" where nothing is known. */
char *aft_phase_sparks_text(const AftPhaseSparks *sparks, guint index, AftSpark spark,
                            gboolean utf8);
