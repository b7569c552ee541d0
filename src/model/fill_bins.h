/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_bins.h - how full a buffer is, in bins.
 *
 *     0 to 3     quarters of what is below low
 *     at low     a narrow one, where destage holds a buffer that it keeps up with
 *     8 bins     of what lies between low and high, where writes are delayed
 *     1          of what is above
 *     full       a narrow one: writes wait
 *
 * A bin is left a quarter of it beyond its edge: a buffer that the rates of one bin fill, and those
 * of the next empty, spends its time in both, as it would between their middles.
 */
#pragma once

#include "buffer.h"

/** The bin of @buffer, which was in @was before; -1: it was nowhere. */
int aft_fill_bin(const AftBuffer *buffer, int was);

/** How full a buffer in the middle of @bin is, 0 to 1. */
double aft_fill_middle(const AftTierSpec *spec, int bin);

/** How full a buffer is where it leaves @bin, upwards or downwards; beyond 1 or 0: never. */
double aft_fill_edge(const AftTierSpec *spec, int bin, gboolean up);
