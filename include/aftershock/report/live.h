/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - a run under way, in a few lines: how far it is, how clients fare, what is worked on.
 *
 *     rebuild  1:23:05 of 12:00:00   12 %  ███░░░░░░░░░░░░░░░░░░░░░
 *     IOPS 73,675 of 107,676  ▇▇▃▃  read 6.67 ms of 5 ms  write 11.33 ms of 5 ms  owed 8,392,001
 *     rebuild 812 GB of 1.72 TB at 443 MB/s, 34 min 10 s left
 *
 * How IOPS went is drawn from the start of the run, from 0 to what is required or more.
 */
#pragma once

#include <aftershock/report/phases.h>
#include <aftershock/run/observer.h>

enum { AFT_LIVE_LINES = 3 };

typedef struct {
    char *text;
    guint columns; /* that it takes, colours aside */
} AftLiveLine;

typedef struct AftLive AftLive;

/** Returns: (transfer full): of a run of @scenario (borrowed). */
AftLive *aft_live_new(const AftScenario *scenario);

void aft_live_free(AftLive *live);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftLive, aft_live_free)

/** Takes note of what is @seen: work that is in progress since then, and how fast it goes on. Call
 *  before either of the next, ten times a second or so. */
void aft_live_see(AftLive *live, const AftObservation *seen);

/** AFT_LIVE_LINES lines, none wider than @style says, the least important left out. Returns:
 *  (transfer full): AftLiveLine. */
GPtrArray *aft_live_lines(const AftLive *live, const AftObservation *seen,
                          const AftTextStyle *style);

/** The same as one plain line for a log, without an end. Returns: (transfer full). */
char *aft_live_line(const AftLive *live, const AftObservation *seen);
