/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.h - the shape of what spreads around a mean, as plain data that a scenario holds. */
#pragma once

#include <aftershock/base/api.h>

#include <glib.h>

AFT_BEGIN_DECLS

typedef enum {
    AFT_SPREAD_DETERMINISTIC,
    AFT_SPREAD_EXPONENTIAL,
    AFT_SPREAD_LOGNORMAL, /* takes cv */
    AFT_SPREAD_ERLANG,    /* takes shape, a whole number of stages */
    AFT_SPREAD_WEIBULL,   /* takes shape */
    AFT_SPREAD_EMPIRICAL  /* takes values, each equally likely, scaled to mean 1 */
} AftSpreadKind;

typedef struct {
    AftSpreadKind kind;
    double cv;      /* standard deviation over mean, above 0, at most 100 */
    double shape;   /* dimensionless: Weibull 0.1 to 100, Erlang 1 to 1e6 */
    double *values; /* (nullable), above 0, in any one unit */
    guint n_values;
} AftSpread;

AFT_END_DECLS
