/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase.h - the words for what a cluster is going through.
 *
 * A phase is derived from state, never scripted; this is only the vocabulary, shared by the model
 * that derives it and by results and references that name it.
 */
#pragma once

#include <aftershock/base/api.h>

#include <glib.h>

AFT_BEGIN_DECLS

/** The phases, in the order of precedence: the first that applies is it. */
typedef enum {
    AFT_PHASE_REBUILD,   /* a repair is running */
    AFT_PHASE_FAILED,    /* a member is lost or stale, and no repair runs */
    AFT_PHASE_REBALANCE, /* members move to capacity that returned or was added */
    AFT_PHASE_CATCHUP,   /* capacity is missing, or work is owed */
    AFT_PHASE_EVACUATE,
    AFT_PHASE_CONVERT,
    AFT_PHASE_ENCODE,
    AFT_PHASE_SCRUB,
    AFT_PHASE_STEADY,
    AFT_PHASES
} AftPhase;

/** "rebuild". Returns: (transfer none). */
const char *aft_phase_name(AftPhase phase);

/** Finds a phase by its name. Returns: whether there is one. */
gboolean aft_phase_from_name(const char *name, AftPhase *ret_phase);

AFT_END_DECLS
