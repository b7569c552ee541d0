/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - the data: placement groups, where their members are, and which of them are good.
 *
 * A member is *valid* while it holds what was written last, and *current* while it is valid and
 * its device runs. A group whose current members are known not to give its data back is *lost*:
 * nothing is read or written there until enough of them come back, so members that were valid when
 * it was lost are so still when their node returns.
 *
 *     home       the node where placement wants a member
 *     seat       the very device, where members differ by device only
 *     device     where it is
 *     transfer   its way from here to there: a rebuild if it is not current, else a move
 *
 * A group is *blocked* while one of its parts has died and the cluster has not noticed.
 *
 * A pool that is converted has groups for its data under every layout, of which those *in use* hold
 * it; see layout.h. Members that stayed in place through a conversion are *anchored* there: that is
 * their home as long as placement may use the node, so that no conversion makes others move.
 */
#pragma once

#include "charge.h"
#include "layout.h"
#include "map.h"
#include "topology.h"
#include "working_set.h"

#include <aftershock/model/placement.h>
#include <aftershock/model/protection.h>

typedef struct AftTransfer AftTransfer;
typedef struct AftConversion AftConversion;
typedef struct AftSectors AftSectors;

typedef struct {
    guint32 device;
    guint32 home;   /* AFT_NOWHERE: there is no place left for it */
    guint32 seat;   /* device of that node; AFT_NOWHERE: any of them */
    guint32 anchor; /* device; AFT_NOWHERE: placement decides alone */
    gboolean valid;
    gboolean gone;   /* it has to be made again as a whole: its device is, or was, lost */
    gboolean lodges; /* on its node, beside the device that wins it: it goes there when it can */
    double written_mark;   /* the pool's written_bytes when it stopped being valid */
    AftTransfer *transfer; /* (nullable) */
} AftMember;

typedef struct {
    guint32 current;  /* bit per member */
    guint layout;     /* of the pool's; that it is to have while it is not in use */
    guint8 blocked;   /* its parts on devices whose death is not known yet */
    guint8 moving;    /* members with a transfer */
    guint8 waits;     /* bit per task that a scan has to pass the group for */
    guint8 due;       /* those that the scan in progress will */
    guint8 passed;    /* those that one has */
    gboolean spoiled; /* a sector of it cannot be read, and nobody knows */
    gboolean unseen;  /* it has come to wait since a scan passed it */
    gboolean used;
    gboolean lost;
    gboolean cramped;          /* a member waits for room on its node's devices */
    guint32 shunned;           /* a node that its members must not be on; AFT_NOWHERE: none */
    AftConversion *conversion; /* (nullable): that it is being converted by */
} AftGroup;

typedef struct {
    const AftPoolSpec *spec; /* borrowed */
    AftTopology *topology;   /* borrowed */
    guint index;             /* its place among the pools */
    AftCharge client, background, move, destage;
    AftLayout *layouts;
    guint n_layouts;
    guint width; /* places for members in each group: as many as its widest layout has */
    AftGroup *groups;
    AftMember *members; /* group x width + member */
    guint n_groups;     /* in use or not */
    guint n_chunks;
    guint strip_chunks;   /* of a strip; 0: chunks are groups */
    guint first_chunk;    /* group of chunk 0, as copies */
    guint first_strip;    /* group of strip 0 */
    AftWorkingSet **sets; /* all chunks first, then smaller ones */
    guint n_sets;
    guint n_lost;          /* groups */
    guint hot_chunks;      /* the first so many chunks are written by clients */
    guint goal;            /* layout that chunks should have, from the following one on */
    guint goal_from;       /* first of a strip */
    guint via;             /* layout of copies, on the way from one code to another */
    guint missing;         /* members not current, in groups that are not lost */
    guint degraded;        /* groups with a member missing, not lost */
    double member_bytes;   /* what one member of one group holds */
    double stored_bytes;   /* what that takes on a device */
    double working_bytes;  /* on a cache device, if all of it is in a working set */
    double working_chunks; /* the first so many chunks are read or written by clients */
    double written_bytes;  /* per member of hot chunks, by clients, since the start: the mean */
    double read_bytes;     /* the same of what they read, per member of what they work on */
    AftSectors *sectors;   /* (nullable): its latent errors */
    AftMap *map;           /* where members may live */
} AftPool;

/** Places the groups of pool @index of the scenario on @topology. Clear with aft_pool_clear(). */
void aft_pool_init(AftPool *pool, const AftScenario *scenario, guint index, AftTopology *topology);

void aft_pool_clear(AftPool *pool);

static inline AftMember *aft_pool_member(const AftPool *pool, guint group, guint member)
{
    return &pool->members[(gsize)group * pool->width + member];
}

static inline const AftLayout *aft_pool_layout(const AftPool *pool, guint group)
{
    return &pool->layouts[pool->groups[group].layout];
}

/** The group that holds @chunk. */
static inline guint aft_pool_group_of(const AftPool *pool, guint chunk)
{
    if (pool->strip_chunks == 0) {
        return chunk;
    }
    guint strip = pool->first_strip + chunk / pool->strip_chunks;
    return pool->groups[strip].used ? strip : pool->first_chunk + chunk;
}

/** The first chunk that is, or would be, in @group. */
guint aft_pool_first_chunk(const AftPool *pool, guint group);

/** How many chunks there are in @bytes of the pool's data, at least 1; 0 bytes: in all of it. */
guint aft_pool_chunks_of(const AftPool *pool, guint64 bytes);

/** All chunks of the pool. Returns: (transfer none). */
static inline const AftWorkingSet *aft_pool_all(const AftPool *pool)
{
    return pool->sets[0];
}

/** The first @n_chunks of the pool. Returns: (transfer none). */
const AftWorkingSet *aft_pool_working_set(AftPool *pool, guint n_chunks);

/** How much of @member of @group clients work on, 0 to 1: of a data unit all or nothing, of parity
 *  what they do of the units. */
double aft_pool_working_share(const AftPool *pool, guint group, guint member);

/** @member of @group comes to @device, or leaves it: the space it takes there. */
void aft_pool_take_space(const AftPool *pool, guint group, guint member, guint32 device);
void aft_pool_give_space(const AftPool *pool, guint group, guint member, guint32 device);

/** Makes a member of nothing: nowhere, and wanted nowhere. */
void aft_pool_blank_member(AftPool *pool, guint group, guint member);

/** Brings what is said of @group, in use, and its members up to date with the nodes they are on.
 *  Unless the group is lost, members on nodes known to be dead stop being valid. */
void aft_pool_refresh(AftPool *pool, guint group);

/** Lets placement decide anew where the members of @group should live.
 *  Returns: whether a home changed, or the device there that a member should be on. */
gboolean aft_pool_rehome(AftPool *pool, guint group);

/** The same for a group of @width members, whatever its layout. */
gboolean aft_pool_rehome_members(AftPool *pool, guint group, guint width);

/** Writes to @ret_seats where placement wants @width members of @group, in no order, anchors
 *  first. Returns: how many there are. */
guint aft_pool_best_seats(const AftPool *pool, guint group, guint width, AftSeat *ret_seats);

/** The device at the home of @member of @group that should hold it, by rendezvous among those of
 * the node that are up and that it would not fill beyond @full, a share; its seat, if it has one.
 *  Returns: AFT_NOWHERE when there is none. */
guint32 aft_pool_device_on(const AftPool *pool, guint group, const AftMember *member, double full);

/** Whether clients may write to @group: no device that has a member of it is full. */
gboolean aft_pool_takes_writes(const AftPool *pool, guint group);

/** Whether @member is where placement wants it. */
gboolean aft_pool_is_home(const AftPool *pool, const AftMember *member);

/** Devices and nodes that something happens to: a flag for each, non-zero for those. */
typedef struct {
    guint8 *devices, *nodes;
} AftMarks;

/** Where the members of @group are to be found at @position of it, 0 to 1: a transfer that has come
 *  so far has brought its member to its target. Returns: those that are current there. */
guint32 aft_pool_locate(const AftPool *pool, guint group, double position, guint32 *ret_devices);

/** Where the data of unit @unit of @group, which is in use no longer, is now.
 *  Returns: the group, and its unit there. */
guint32 aft_pool_follow(const AftPool *pool, guint32 group, guint unit, guint *ret_unit);

/** Whether a member of @group, or of what it is being converted to, is on a device of @marks, on
 * its way there, or wanted on one of its nodes. */
gboolean aft_pool_touches(const AftPool *pool, guint group, const AftMarks *marks);

/** What @device held is gone: its members are to be made again as a whole, and what was on its way
 *  there begins anew. */
void aft_pool_lose_device(AftPool *pool, guint32 device);

/** All members of @group are gone, and its data with them. */
void aft_pool_lose_group(AftPool *pool, guint group);

/** What keeps members that are not current from being made again. */
typedef struct {
    gboolean no_target; /* no domain is left that has no member of the group yet */
    gboolean no_space;  /* the devices of the node that should take it are full */
} AftObstacles;

/** Looks at all live groups for what stands in the way, and adds it to @obstacles. */
void aft_pool_find_obstacles(const AftPool *pool, AftObstacles *obstacles);

/** Bytes that a member of @group which stopped being valid at @written_mark has missed: writes fall
 *  where they like, so of S bytes w written ones touch S (1 - exp(-w / S)); on what is cold, none
 *  fall. */
double aft_pool_missed_bytes(const AftPool *pool, guint group, double written_mark);
