/* SPDX-License-Identifier: GPL-3.0-or-later */
/* palette.h - the inks of every chart on light paper. Texts and lines have a contrast of 4.5:1 at
 * least there; the page of a report (src/report/page/page.css) has them and the phases the same,
 * and others for the dark.
 */
#pragma once

#include <aftershock/scenario/phase.h>

enum { AFT_LINE_INKS = 8 };

typedef enum {
    AFT_INK_TEXT,
    AFT_INK_MUTED,
    AFT_INK_RULE,
    AFT_INK_GRID,
    AFT_INK_GOOD,
    AFT_INK_BAD,
    AFT_INK_NOTICE,
    AFT_INK_LINES,                                  /* the first of AFT_LINE_INKS */
    AFT_INK_PHASES = AFT_INK_LINES + AFT_LINE_INKS, /* the first of AFT_PHASES, by AftPhase */
    AFT_INKS = AFT_INK_PHASES + AFT_PHASES
} AftInk;

/** Returns: the colour, 0xRRGGBB. */
guint32 aft_ink_colour(AftInk ink);
