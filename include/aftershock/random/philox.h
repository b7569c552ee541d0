/* SPDX-License-Identifier: GPL-3.0-or-later */
/* philox.h - Philox4x64-10: a block of random bits from a number and a key.
 *
 * A small cipher made for simulation (Salmon et al., "Parallel random numbers: as easy as 1, 2,
 * 3", 2011). Under one key, different counters give different blocks; nothing is remembered.
 */
#pragma once

#include <glib.h>

/* A product of two 64-bit numbers, whole. */
__extension__ typedef unsigned __int128 AftProduct;

/** Enciphers @counter under @key; @ret_block may be the memory of @counter. */
void aft_philox(const guint64 counter[4], const guint64 key[2], guint64 ret_block[4]);
