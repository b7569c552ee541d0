/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owed.h - work that arrived and found no slot: a count, and when it arrived.
 *
 * Owed work is served first in, first out, so how long a piece has waited can be read off the
 * cumulative curve of arrivals: it is the time since the curve stood where service stands now.
 * The curve is kept as knots: one a piece where little is owed, further apart where much is, and a
 * few hundred however much there is and however long it lasts.
 *
 *     arrivals  |            ..-''|
 *               |       ..-''     |  count        the piece served next has waited as long as
 *               |  ..-''..........|               the horizontal distance between the two
 *     served    |  ''-- waited -->|
 */
#pragma once

#include <glib.h>

typedef struct {
    gint64 count;     /* owed now */
    gint64 least;     /* the smallest count since aft_owed_watch() */
    gint64 arrived;   /* all that was ever added */
    gint64 last_ns;   /* when the last of them was */
    GArray *knots;    /* (nullable): Knot, while something is owed */
    guint first_knot; /* those before it lie behind the piece served next */
} AftOwed;

/** Starts with nothing owed. */
void aft_owed_init(AftOwed *owed);

void aft_owed_clear(AftOwed *owed);

/** One more arrives at @now_ns of scenario time. */
void aft_owed_add(AftOwed *owed, gint64 now_ns);

/** @pieces that were being served at @now_ns are owed again, in front of all others. */
void aft_owed_give_back(AftOwed *owed, gint64 pieces, gint64 now_ns);

/** A piece that was taken into service will not be served: it never arrived. */
void aft_owed_withdraw(AftOwed *owed);

/** The first owed piece is taken into service at @now_ns. Returns: how long it waited, ns. */
gint64 aft_owed_take(AftOwed *owed, gint64 now_ns);

/** How long the piece that is served next has waited at @now_ns; 0: none is owed. */
gint64 aft_owed_waits_ns(AftOwed *owed, gint64 now_ns);

/** Jumps from @from_ns to @to_ns, in which @arrived pieces came evenly and the count became
 *  @count. */
void aft_owed_jump(AftOwed *owed, gint64 from_ns, gint64 to_ns, gint64 arrived, gint64 count);

/** Starts watching for the smallest count. */
void aft_owed_watch(AftOwed *owed);
