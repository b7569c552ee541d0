/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversion.h - how groups come to another layout while clients use them.
 *
 * A conversion makes some groups (k of copies, or one) into others (one strip, or k of copies, or
 * the same one with more members). What it becomes is prepared beside what is: its members are
 * placed, those that stay where they are and *fresh* ones, which transfers write. When the last of
 * these is done, the new groups are in use and the old ones are not, at once.
 *
 *     more copies     one transfer: reads one copy, writes the fresh ones
 *     copies to code  one transfer: reads a copy of each chunk, writes the parity; under rewrite:
 *                     strip, all members; where chunks have no copies on k different nodes, also
 *                     the data units that need another node
 *     code to copies  a transfer for each chunk: reads its member, writes its other copies
 *     fewer copies    no transfer, the others are dropped at once
 *
 * Clients see the old groups until then, except that writes to what has more copies already write
 * those too. Only groups that are whole and at home convert; anything that happens to one of them
 * cancels it, and it begins again when all are whole. Space is taken when the first unit leaves.
 */
#pragma once

#include "curator.h"

/** Groups side by side. */
typedef struct {
    guint first, n;
} AftGroups;

struct AftConversion {
    AftPool *pool;
    guint layout; /* of what it becomes */
    AftGroups from, to;
    gboolean begun;  /* its fresh members have their space */
    gboolean spoilt; /* something it has written is gone: it cannot go on */
    guint n_parts;
    guint n_left;        /* transfers that are not done */
    AftTransfer *part[]; /* one for each group of what it becomes */
};

/** Makes @group, in use and not blocked, convert if its pool wants another layout and it can;
 *  ends a conversion that is done. */
void aft_conversion_review(AftCurator *curator, AftPool *pool, guint group);

/** Cancels the conversion of @group, if it has one that cannot go on. */
void aft_conversion_check(AftCurator *curator, AftPool *pool, guint group);

/** Plans conversions of @pool anew, as far as they have not begun: its goal or the nodes that
 *  placement may use have changed. */
void aft_conversion_review_all(AftCurator *curator, AftPool *pool);

/** One of its transfers has been written. */
void aft_conversion_part_done(AftCurator *curator, AftTransfer *transfer);

/** Takes the space for its fresh members. Returns: FALSE when there is none for all of them. */
gboolean aft_conversion_begin(AftCurator *curator, AftConversion *conversion);

/** Plans the unit of @transfer that @turn counts: steps and devices of @request. */
void aft_conversion_plan_unit(const AftTransfer *transfer, guint turn, AftRequest *request);

/** Meets the latent errors in @bytes from @offset on of what that unit reads; the other copies are
 *  there. If not @simulated, repairs take no time. */
void aft_conversion_meet(const AftTransfer *transfer, guint turn, guint64 offset, guint64 bytes,
                         gboolean simulated);

/** Whether @transfer can be worked on now: its groups and nodes are up. */
gboolean aft_conversion_may_go(const AftTransfer *transfer);

/** What @device held is gone, so is what it has written there. */
void aft_conversion_lose_device(AftConversion *conversion, guint32 device);

/** Whether it writes to something in @marks. */
gboolean aft_conversion_touches(const AftConversion *conversion, const AftMarks *marks);

/** Whether clients must wait for it: they write to a node that has died unnoticed. */
gboolean aft_conversion_blocks(const AftConversion *conversion);

/** Whether it has come past @position, 0 to 1, of a group that gets more copies: writes there go to
 *  those too. */
gboolean aft_conversion_passed(const AftConversion *conversion, double position);

/** Frees what is under way in @pool, with nothing else undone. */
void aft_conversion_free_all(AftPool *pool);
