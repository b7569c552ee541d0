/* SPDX-License-Identifier: GPL-3.0-or-later */
/* marks.h - where the texts of events go, below a strip of time.
 *
 * A text goes to the side of its mark where fewer other marks are, into the first lane where
 * neither it nor the line of its mark runs into what is there. Without room there is no text.
 */
#pragma once

#include <glib.h>

#define AFT_MARK_LANES 3u

typedef struct {
    double x;      /* from the left end */
    double length; /* of its text, with what should stay free behind it */
    guint weight;  /* less goes first; equals go in their order */
    /* and what comes of it: */
    guint lane;    /* from 0; AFT_MARK_LANES: no room */
    gboolean left; /* its text ends at the mark, and does not begin there */
} AftMarkPlace;

/** Finds lanes, of the first @lanes (1 to AFT_MARK_LANES), for the @n places between 0 and @width.
 *  Returns: how many lanes were used. */
guint aft_marks_place(AftMarkPlace *places, guint n, double width, guint lanes);
