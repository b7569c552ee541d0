/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ziggurat.h - a falling curve cut into 256 layers of the same area.
 *
 *     height[256] +--.                    Layer i > 0 is the box from 0 to edge[i], between
 *     height[i+1] |   `.-----.            height[i] and height[i+1]. What falls left of
 *                 |    :`.   |            edge[i+1] is under the curve for sure, which is 99 %
 *     height[i]   +----:---`-+-- - -      of all draws; the corner is decided by the curve.
 *                 0  edge[i+1] edge[i]    Layer 0 is the strip below and the tail beyond edge[1].
 *
 * Written once by tools/ziggurat-tables; Marsaglia and Tsang, "The ziggurat method", 2000.
 */
#pragma once

#define AFT_ZIGGURAT_LAYERS 256

typedef struct {
    double edge[AFT_ZIGGURAT_LAYERS + 1];   /* falling to 0; edge[0] is as if layer 0 were a box */
    double height[AFT_ZIGGURAT_LAYERS + 1]; /* of the curve at the edge, rising from 0 to 1 */
} AftZiggurat;

extern const AftZiggurat aft_ziggurat_exponential; /* exp(-x) */
extern const AftZiggurat aft_ziggurat_normal;      /* exp(-x^2 / 2), its right half */
