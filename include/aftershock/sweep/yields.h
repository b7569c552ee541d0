/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yields.h - one number that a replication yields for a phase: a metric, by the name it has when
 * results are compared (metric.h), or one of
 *
 *     share           of the run's time
 *     met_share       of its time in which the requirement was met
 *     missed_minutes  seconds that the requirement was missed
 *     owed_ios        I/Os that were owed at its end
 *     shed_ios        I/Os that were shed
 *     lost_pgs        groups that were lost by its end
 *
 * A phase may occur more than once: gather.h says what that comes to. One that does not occur has
 * yields of NaN, and a share of 0.
 */
#pragma once

#include <aftershock/base/units.h>
#include <aftershock/result/gather.h>
#include <aftershock/sweep/replication.h>

/** Phases, and behind them AFT_WHOLE_RUN. */
enum { AFT_YIELD_PHASES = AFT_PHASES + 1 };

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

/** The yield of @gathered, in its base unit; NaN: there is none. */
double aft_yield_of(guint yield, const AftGathered *gathered);

/** The same of @phase of @row. */
double aft_yield_read(guint yield, const AftReplication *row, guint phase);
