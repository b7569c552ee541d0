/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schemes.h - the names of protection schemes and what they stand for.
 *
 * A name gives the kind and a usual geometry; some names leave part of it to the scenario.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

/** Keys of `protection` that a scheme lets the scenario write. */
enum { AFT_TAKES_DATA = 1, AFT_TAKES_LOCAL = 2, AFT_TAKES_PARITY = 4, AFT_TAKES_COPIES = 8 };

typedef struct {
    const char *name;
    AftSchemeKind kind;
    guint data;   /* data units of a stripe; 0: the scenario must say */
    guint local;  /* local parity units; 0: none */
    guint parity; /* parity units or copies beyond the first; 0: none, or as the scenario says */
    guint copies; /* in case of "rf-then-encode", usually; 0: none, or as the scenario says */
    guint takes;  /* AFT_TAKES_DATA and so on */
    const char *help; /* one line */
} AftScheme;

/** All names. Returns: (transfer none). */
const AftScheme *aft_schemes(guint *ret_n);

/** Finds a scheme by its scenario name. Returns: (transfer none) (nullable). */
const AftScheme *aft_scheme_by_name(const char *name);

/** Members of a stripe: data, local and other parity units, or copies. */
guint aft_scheme_width(const AftProtectionSpec *protection);

/** The geometry for people: "raid5 3+1", "lrc 12+2+2", "raid0 of 4", "rf2", "rf2 then ec 4+2".
 *  Returns: (transfer full). */
char *aft_scheme_format(const AftProtectionSpec *protection);
