/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rate.h - what is remembered of one state, and how it is come by. */
#pragma once

#include "walk.h"

#include <aftershock/model/motion.h>
#include <aftershock/model/state.h>
#include <aftershock/probe/figures.h>
#include <aftershock/run/rates.h>

typedef struct {
    AftMotion *motion;
    AftFigures *figures;
    gint64 length_ns;   /* how long a transient state lasts by itself, scenario time */
    double simulated_s; /* engine time that it took to measure */
    GError *refused;    /* (nullable): why it has no rate; then there is nothing above */
} AftRate;

/** Accepts NULL. */
void aft_rate_free(AftRate *rate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftRate, aft_rate_free)

/** Measures @state of @scenario, in a model of its own, with the chance of @key.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_CONFLICT: no rate describes the state;
 *  NULL without an error: @interrupted (nullable) was set. */
AftRate *aft_measure(const AftScenario *scenario, const char *key, const AftState *state,
                     gint *interrupted, GError **error);

/** What a run asks for. */
typedef struct {
    const AftScenario *scenario;
    const char *digest; /* aft_rates_digest(): tells scenarios apart */
    const AftState *state;
    gint *interrupted; /* (nullable) */
} AftAsked;

/** What is known of a state, measured now if nothing is, or waited for if another is measuring it,
 *  be it interrupted meanwhile. That there is no rate is remembered as well. Where @rates have no
 *  room left, @overflow is asked, which the run has for itself (nullable: they have room for all).
 *  Any thread may call it. Returns: (transfer none) (nullable): valid as long as both are; NULL as
 *  aft_measure(). */
const AftRate *aft_rates_get(AftRates *rates, AftRates *overflow, const AftAsked *asked,
                             GError **error);
