/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matching.h - which copy of each chunk stays when chunks become a strip.
 *
 * The data units of a strip must be on different nodes, so each chunk of it chooses one of its
 * copies' nodes and no two the same: a bipartite matching. As many as possible find one (Kuhn's
 * augmenting paths); the others are written anew.
 */
#pragma once

#include <aftershock/model/protection.h>

/** The domains of the copies of one chunk. */
typedef struct {
    guint32 domain[AFT_WIDTH_MOST];
    guint n;
} AftCopies;

/** Writes to @ret_chosen which of its copies each of @n @chunks (at most AFT_WIDTH_MOST) keeps, or
 *  AFT_NO_COPY. Returns: how many keep one. */
guint aft_matching_find(const AftCopies *chunks, guint n, guint32 *ret_chosen);

#define AFT_NO_COPY G_MAXUINT32
