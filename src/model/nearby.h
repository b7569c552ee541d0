/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearby.h - data that a machine has on its own node.
 *
 * Chunks are drawn as ever until one of them has a current member there that its data can be read
 * from: a copy, or a data unit. So nothing has to be kept of what is where, and whatever moves,
 * fails or is lost, what is drawn is as likely as among all such chunks. A node has its usual part
 * of the data, d of H, with d copies or data units; 16 H / d draws find some but for one time in
 * ten million. Where a node has hardly any, as when it is back and empty, they may not, and any
 * chunk has to do.
 */
#pragma once

#include "clients.h"

#define AFT_NO_MEMBER G_MAXUINT

/** How often to draw for a group of @pool, at most. */
guint aft_nearby_tries(const AftPool *pool);

/** The member that holds, or shares, the data of @chunk of @pool on @node, and is current.
 *  Returns: AFT_NO_MEMBER when there is none. */
guint aft_nearby_member(const AftPool *pool, guint32 chunk, guint node);
