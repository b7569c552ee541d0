/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trend.h - where a slowly changing pace is going: a straight line through its last windows.
 *
 * A line through a few windows is surer than one through two (whose slope carries all of their
 * chance), and follows a drift that a mean would lag behind.
 */
#pragma once

#include <glib.h>

#define AFT_TREND_MOST 6

typedef struct {
    guint n;
    double time_s[AFT_TREND_MOST]; /* centres of the last windows, oldest first */
    double pace[AFT_TREND_MOST];   /* a second */
} AftTrend;

/** Forgets everything. */
void aft_trend_clear(AftTrend *trend);

/** Adds a window around @time_s, later than those before. */
void aft_trend_add(AftTrend *trend, double time_s, double pace);

/** The pace to expect around @time_s, 0 or more: the mean of fewer than three windows, else on the
 *  line of least squares, followed no further ahead than a quarter of the time it was seen over.
 *  0 when nothing is known. */
double aft_trend_at(const AftTrend *trend, double time_s);
