/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variate.h - how a positive quantity spreads around its mean.
 *
 * Models state a mean (169 us of controller time) and, apart from it, a shape: the spread
 * (spread.h). A variate is a spread made ready to draw multipliers whose mean is 1.
 *
 *     g_autoptr(AftVariate) variate = aft_variate_new(&spread, &error);
 *     double service_ns = mean_ns * aft_variate_draw(variate, &stream);
 */
#pragma once

#include <aftershock/random/spread.h>
#include <aftershock/random/stream.h>

typedef struct {
    AftSpreadKind kind;
    double scv; /* squared coefficient of variation */
    union {
        struct {
            double mean, deviation; /* of the logarithm */
        } lognormal;
        struct {
            double scale, exponent;
        } weibull;
        struct {
            double scale, centre, width; /* as Marsaglia and Tsang's d and c */
        } erlang;
        struct {
            double *values; /* (owned), mean 1 */
            guint n;
        } empirical;
    };
} AftVariate;

/** Makes @spread ready to draw from; @spread is copied. Only what its kind takes is looked at.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_RANGE when a parameter is outside. */
AftVariate *aft_variate_new(const AftSpread *spread, GError **error);

void aft_variate_free(AftVariate *variate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftVariate, aft_variate_free)

/** aft_variate_draw() for the kinds that take a parameter. */
double aft_variate_draw_shaped(const AftVariate *variate, AftStream *stream);

/** Draws one multiplier, 0 or more, whose mean over many draws is 1. */
static inline double aft_variate_draw(const AftVariate *variate, AftStream *stream)
{
    if (variate->kind == AFT_SPREAD_EXPONENTIAL) {
        return aft_stream_exponential(stream);
    }
    return variate->kind == AFT_SPREAD_DETERMINISTIC ? 1.0
                                                     : aft_variate_draw_shaped(variate, stream);
}

/** The squared coefficient of variation: variance over mean squared. */
static inline double aft_variate_scv(const AftVariate *variate)
{
    return variate->scv;
}

/** The name a scenario uses for @kind, "lognormal". Returns: (transfer none). */
const char *aft_spread_name(AftSpreadKind kind);
