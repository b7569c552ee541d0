/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/result/palette.h>

static const guint32 inks[AFT_INKS] = {
    [AFT_INK_TEXT] = 0x1b1f24,
    [AFT_INK_MUTED] = 0x545c66,
    [AFT_INK_RULE] = 0xb4bac1,
    [AFT_INK_GRID] = 0xdde1e5,
    [AFT_INK_GOOD] = 0x17642f,
    [AFT_INK_BAD] = 0xab1f18,
    [AFT_INK_NOTICE] = 0x774a00,
    [AFT_INK_LINES] = 0x1f5fbf,
    [AFT_INK_LINES + 1] = 0xc2470a,
    [AFT_INK_LINES + 2] = 0x17794a,
    [AFT_INK_LINES + 3] = 0x8a3fa8,
    [AFT_INK_LINES + 4] = 0x806300,
    [AFT_INK_LINES + 5] = 0xb8215f,
    [AFT_INK_LINES + 6] = 0x0b7480,
    [AFT_INK_LINES + 7] = 0x555555,
    [AFT_INK_PHASES + AFT_PHASE_STEADY] = 0xe2efe5,
    [AFT_INK_PHASES + AFT_PHASE_FAILED] = 0xf7d3d0,
    [AFT_INK_PHASES + AFT_PHASE_REBUILD] = 0xfbe2bf,
    [AFT_INK_PHASES + AFT_PHASE_CATCHUP] = 0xe6dbf6,
    [AFT_INK_PHASES + AFT_PHASE_REBALANCE] = 0xd3e3f8,
    [AFT_INK_PHASES + AFT_PHASE_EVACUATE] = 0xd0ecec,
    [AFT_INK_PHASES + AFT_PHASE_CONVERT] = 0xf5d9ea,
    [AFT_INK_PHASES + AFT_PHASE_ENCODE] = 0xece7be,
    [AFT_INK_PHASES + AFT_PHASE_SCRUB] = 0xe3e3e3,
};

guint32 aft_ink_colour(AftInk ink)
{
    return inks[ink];
}
