/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scrub.h - passes over all data, in which every member is read where it is.
 *
 * A pass starts every `background.scrub.every`; if the one before is not over then, as soon as it
 * is. Each node reads its own members, in the order of their groups, as many side by side as it may
 * have units in flight. One cursor for all goes over the groups and deals their members to the
 * nodes that have them, whenever a node has none left to look at; transfers are made as they are
 * wanted:
 *
 *     | read | being read, as transfers | dealt, as places | ahead: by their bytes alone |
 *                                                       cursor
 *
 * Members that are away, on their way or on another node than they were dealt to when their turn
 * comes are left to the next pass; what moves is read for that anyway.
 */
#pragma once

#include "curator.h"

typedef struct AftScrub AftScrub;

/** Puts the passes of the scenario of @curator (borrowed, with all pools) on the slow calendar.
 *  Returns: (transfer full). */
AftScrub *aft_scrub_new(AftCurator *curator);

/** No unit of a scrub may end any more. */
void aft_scrub_free(AftScrub *scrub);

/** Whether a pass is in progress. */
gboolean aft_scrub_is_on(const AftScrub *scrub);

/** Makes the transfers that @node should work on now: drops those whose member is there no longer,
 *  and goes on until @n wait, or it has come to the end. */
void aft_scrub_fill(AftScrub *scrub, guint node, guint n);

/** All of @transfer has been read. It is gone afterwards. */
void aft_scrub_complete(AftScrub *scrub, AftTransfer *transfer);

/** Nodes or members have come or gone: counts anew what is ahead. */
void aft_scrub_recount(AftScrub *scrub);
