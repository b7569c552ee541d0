/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.h - the forms that groups of a pool can have: one, or as many as conversions lead to.
 *
 * What is converted are *chunks*. A group of copies holds one chunk, a group of a code with k data
 * units holds k, one in each data unit's member. Chunk c belongs to strip c / k, and k chunks
 * become one strip together:
 *
 *     copies    chunk 0 | chunk 1 | chunk 2 | chunk 3 | chunk 4 | ...        a group each
 *     code      |        strip 0            |        strip 1 ...             a group each
 *
 * Where nothing is ever converted, a chunk is a group, whatever its layout.
 */
#pragma once

#include <aftershock/model/protection.h>

typedef struct {
    AftProtectionSpec spec; /* its texts are borrowed from the scenario */
    guint width;
    guint32 everyone;
    gboolean coded; /* data and parity, k chunks in a group */
} AftLayout;

/** The layouts of pool @index of @scenario (which must outlive them): first what its groups begin
 *  as, then those that it is converted to, each once. Returns: (transfer full): @ret_n of them. */
AftLayout *aft_layouts_new(const AftScenario *scenario, guint index, guint *ret_n);

/** Which of the @n @layouts is @spec. It must be there. */
guint aft_layout_find(const AftLayout *layouts, guint n, const AftProtectionSpec *spec);
