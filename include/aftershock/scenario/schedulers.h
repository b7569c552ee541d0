/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedulers.h - what a scenario may say of schedulers: policies with figures of their own, and
 * presets, which are a policy with the figures of some system.
 *
 * Figures that a scenario writes beside a preset go before those of the preset; what neither says
 * has the default of its key.
 */
#pragma once

#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/scenario.h>

/** Groups of figures: which a policy looks at, or a preset gives. */
enum {
    AFT_FIGURES_WEIGHTS = 1,
    AFT_FIGURES_RESERVATIONS = 2,
    AFT_FIGURES_LIMITS = 4,
    AFT_FIGURES_MARKS = 8, /* high, low, step, least, period */
    AFT_FIGURES_COST = 16,
    AFT_FIGURES_PLACE = 32,
    AFT_FIGURES_SPIN = 64
};

typedef struct {
    const char *name;
    const char *policy; /* that stations know */
    guint gives;        /* AFT_FIGURES_WEIGHTS and so on, of what follows */
    double weights[AFT_CLASSES];
    double reservations[AFT_CLASSES];
    double limits[AFT_CLASSES]; /* 0: none */
    const char *help;           /* one line */
} AftSchedulerPreset;

/** All presets. Returns: (transfer none). */
const AftSchedulerPreset *aft_scheduler_presets(guint *ret_n);

/** Whether the policy of @scheduler (resolved) looks at the figure of @key, one of its keys. */
gboolean aft_scheduler_takes(const AftSchedulerSpec *scheduler, const AftKey *key);

/** Whether @scheduler (resolved) counts operations as what the scenario says, and not as the time
 *  that they take. */
gboolean aft_scheduler_has_cost(const AftSchedulerSpec *scheduler);

/** The largest share of a station that a job of @class may have in the long run, if it is alone
 *  there. */
double aft_scheduler_most(const AftSchedulerSpec *scheduler, AftClass class);
