/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/phase.h>

static const char *const phase_names[AFT_PHASES] = {
    [AFT_PHASE_REBUILD] = "rebuild",     [AFT_PHASE_FAILED] = "failed",
    [AFT_PHASE_REBALANCE] = "rebalance", [AFT_PHASE_CATCHUP] = "catchup",
    [AFT_PHASE_EVACUATE] = "evacuate",   [AFT_PHASE_CONVERT] = "convert",
    [AFT_PHASE_ENCODE] = "encode",       [AFT_PHASE_SCRUB] = "scrub",
    [AFT_PHASE_STEADY] = "steady",
};

const char *aft_phase_name(AftPhase phase)
{
    g_assert(phase < AFT_PHASES);
    return phase_names[phase];
}

gboolean aft_phase_from_name(const char *name, AftPhase *ret_phase)
{
    for (guint i = 0; i < AFT_PHASES; i++) {
        if (g_str_equal(name, phase_names[i])) {
            *ret_phase = (AftPhase)i;
            return TRUE;
        }
    }
    return FALSE;
}
