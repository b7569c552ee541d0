/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast.h - what is known of the fast side of a model, that of I/O, in one stretch: how long its
 * memory is, how long a window must be, whether more and more is in flight.
 *
 * The slowest mode of the fast side is the random walk by which load leans to one node or
 * another, N I/Os in flight on H nodes at X a second: tau = (N / H)^2 / (X / H). Background units
 * in flight have a time of their own, theirs by their rate of completion, and so have bursts of
 * arrivals. So has a scheduler that adapts: a window holds all of the time in which a share that
 * was halved is raised again, and a transient the time in which it goes from one end to the other.
 */
#pragma once

#include "walk.h"

/* How much was in flight once, and how many I/Os had completed in windows by then. */
typedef struct {
    double in_flight, ios;
} AftFastMark;

/* What is known of the fast side in this stretch. Its means are over all windows so far: a warm-up
 * or window that depended on how busy the one before was would not be a fair sample. Begun while
 * much is in flight, say, and longer for it, a warm-up would swallow the I/Os that complete when
 * less is, and windows would see too few of them. */
typedef struct {
    guint windows;
    double iops, units_per_s;          /* means */
    double in_flight, units_in_flight; /* means, at the ends of windows */
    double utilisation, owing;         /* mean; share of windows that ended with owed work */
    AftFastMark older, newer, last;    /* newer: at the last power of two windows; older: before */
    gint64 tau_ns;
    gint64 began_ns;      /* the stretch, scenario time */
    gint64 skip_ns;       /* still to be skipped before the next window */
    gboolean catching_up; /* users are, since the stretch began */
    gboolean turned;      /* buffers have become full, or are so no longer: it ends here */
} AftFast;

/** Nothing is known yet: a stretch begins now. */
AftFast aft_fast_begin(const AftWalk *walk);

/** How many times coarser it may be where figures need not be precise. Where a resource is nearly
 *  full it may not: what is in flight then moves too slowly for few short windows to see where it
 *  goes. */
double aft_fast_coarser(const AftWalk *walk, const AftFast *fast);

/** @usual of something, or fewer if it may be coarser, but @least. */
guint aft_fast_fewer(const AftWalk *walk, const AftFast *fast, guint usual, guint least);

/** Simulates until the fast side has forgotten how the stretch began: five tau, by a tau that is
 *  measured on the way. Returns: FALSE when something slow came first. */
gboolean aft_fast_pass_transient(AftWalk *walk, AftFast *fast);

/** How long a window has to be, and how long that takes with its warm-up, ns. */
gint64 aft_fast_window_ns(const AftWalk *walk, const AftFast *fast);
gint64 aft_fast_busy_ns(const AftWalk *walk, const AftFast *fast);

/** Learns from the window of @length_s that has just ended, in which so many @units were done. */
void aft_fast_learn(AftWalk *walk, AftFast *fast, double units, double length_s);

/** Whether some users of @scenario do not wait for answers: ever more may be in flight. */
gboolean aft_fast_may_grow(const AftScenario *scenario);

/** Whether more and more is in flight, over the latter half of the windows or longer, beyond what
 *  chance makes of the I/Os that came meanwhile: then no window stands for any other time. */
gboolean aft_fast_grows(const AftFast *fast);
