/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yields.h - one number that a replication yields for a phase: a metric, by the name it has when
 * results are compared (metric.h), or one of
 *
 *     missed_minutes  seconds that the requirement was missed
 *     owed_ios        I/Os that were owed at its end
 *     shed_ios        I/Os that were shed
 *     lost_pgs        groups that were lost by its end
 *
 * A phase may occur more than once: times, bytes and I/Os add up then, what is left is that of the
 * last; latencies are means weighted by I/Os, percentiles as well, which is near to those of all
 * I/Os together as long as occurrences are alike; everything else is a mean weighted by time.
 */
#pragma once

#include <aftershock/base/units.h>
#include <aftershock/sweep/replication.h>

/** Instead of an AftPhase: the whole run, which is all of its phases. */
enum { AFT_WHOLE_RUN = AFT_PHASES, AFT_YIELD_PHASES };

/** "rebuild", or "all" for the whole run. Returns: (transfer none). */
const char *aft_yield_phase_name(guint phase);

/** How many yields there are. */
guint aft_yields_n(void);

/** "read_mean". Returns: (transfer none). */
const char *aft_yield_name(guint yield);

/** The unit that tables show @yield in, "ms"; "" for a plain number. Returns: (transfer none). */
const char *aft_yield_unit(guint yield);

/** How much of a base unit that is. */
double aft_yield_scale(guint yield);

/** Finds "rebuild/minutes" or "all/missed_minutes". Returns: FALSE with AFT_ERROR_UNKNOWN, which
 *  names the nearest. */
gboolean aft_yield_find(const char *text, guint *ret_phase, guint *ret_yield, GError **error);

/** Fills in @ret_row with what all occurrences of @phase (or AFT_WHOLE_RUN) in @row come to; its
 *  texts are NULL, it owns nothing. Returns: whether it occurred. */
gboolean aft_yield_gather(const AftReplication *row, guint phase, AftPhaseRow *ret_row);

/** The yield of @gathered, in its base unit; NaN: there is none. */
double aft_yield_of(guint yield, const AftPhaseRow *gathered);

/** Both in one; NaN: the phase did not occur. */
double aft_yield_read(guint yield, const AftReplication *row, guint phase);
