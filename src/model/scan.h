/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the curator's scans, which look for work that is not urgent.
 *
 * A task whose trigger is a scan does not begin where its work arises: the group waits until a scan
 * passes it. Full scans start at 0, `full`, 2 `full`, ... and pass all chunks of all pools in
 * order, evenly spread over `length`. Partial ones pass those that have changed since a scan passed
 * them, each in the time that a full one takes for it; one that would start while another scan is
 * on is left out, and a full scan ends a partial one.
 *
 *     work arises ---> waits ---> a scan of the right kind passes ---> may begin
 *
 * What has been passed may begin until there is no more of that work. Where a scan has come to is a
 * function of time, evaluated whenever the curator looks for something to do, so that it costs
 * nothing to skip a part of one.
 */
#pragma once

#include "curator.h"

typedef struct AftScan AftScan;

/** Puts the scans of the scenario of @curator (borrowed, with all pools) on the slow calendar.
 *  Returns: (transfer full). */
AftScan *aft_scan_new(AftCurator *curator);

void aft_scan_free(AftScan *scan);

/** Asks for @group, which has work for @task, whether it may begin; if not, the group waits. */
gboolean aft_scan_lets(AftScan *scan, AftPool *pool, guint group, AftTaskKind task);

/** @group has no more work for @task, or is to be passed anew for it. */
void aft_scan_forget(AftScan *scan, AftPool *pool, guint group, AftTaskKind task);

/** The same for all tasks, of a group that is in use no longer. */
void aft_scan_forget_all(AftScan *scan, AftPool *pool, guint group);

/** Passes what has been reached by now, and reviews it. */
void aft_scan_catch_up(AftScan *scan);

/** Whether the scan in progress has still to pass groups that wait for it to begin @task. */
gboolean aft_scan_feeds(const AftScan *scan, AftTaskKind task);

/** How long the scan in progress will go on passing groups that wait for it; 0: there are none. */
gint64 aft_scan_left_ns(const AftScan *scan);

/** Whether groups wait to begin @task and some scan to come will let them. */
gboolean aft_scan_waits(const AftScan *scan, AftTaskKind task);
