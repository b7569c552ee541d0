/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xray_timeline.h - events, and what is to be said between them, in any order until they are
 * written.
 */
#pragma once

#include <glib.h>

enum { AFT_XRAY_MOST_ENTRIES = 20000 };

typedef struct AftXrayTimeline AftXrayTimeline;

/** Nothing so far. Returns: (transfer full). */
AftXrayTimeline *aft_xray_timeline_new(void);

void aft_xray_timeline_free(AftXrayTimeline *timeline);

/** Adds an event, "fail: node 0", at a time in seconds. @event is taken over, as is @note below. */
void aft_xray_timeline_add(AftXrayTimeline *timeline, double at_s, char *event);

/** Adds a comment. */
void aft_xray_timeline_note(AftXrayTimeline *timeline, double at_s, char *note);

/** Whether there are more than AFT_XRAY_MOST_ENTRIES. */
gboolean aft_xray_timeline_is_full(const AftXrayTimeline *timeline);

/** Appends the key "timeline" with all events before @end_s, in order of time and then as they were
 *  added; without any, just the comments. */
void aft_xray_timeline_write(AftXrayTimeline *timeline, double end_s, GString *yaml);
