/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.h - one number that a replication yields for a phase, by the name its column has in
 * phases.csv.
 *
 * A phase may occur more than once: times, bytes and I/Os add up then, the start is that of the
 * first, what is left that of the last; latencies are means weighted by I/Os, percentiles as well,
 * which is near to those of all I/Os together as long as occurrences are alike; everything else is
 * a mean weighted by time.
 */
#pragma once

#include <aftershock/sweep/replication.h>

/** Instead of an AftPhase: the whole run, which is all of its phases. */
enum { AFT_WHOLE_RUN = AFT_PHASES, AFT_FIGURE_PHASES };

/** "rebuild", or "all" for the whole run. Returns: (transfer none). */
const char *aft_figure_phase_name(guint phase);

/** How many figures there are. */
guint aft_figures_n(void);

/** "read_mean_ms". Returns: (transfer none). */
const char *aft_figure_name(guint figure);

/** Finds "rebuild/duration_s" or "all/missed_s". Returns: FALSE with AFT_ERROR_UNKNOWN, which names
 *  the nearest. */
gboolean aft_figure_find(const char *text, guint *ret_phase, guint *ret_figure, GError **error);

/** Figure @figure of @row in @phase (or AFT_WHOLE_RUN); NaN: the phase did not occur, or had no
 *  such figure. */
double aft_figure_read(guint figure, const AftReplication *row, guint phase);

/** How often @phase occurred in @row. */
guint aft_figure_occurrences(const AftReplication *row, guint phase);
