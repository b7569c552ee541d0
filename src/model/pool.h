/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - the data: placement groups, where their members are, and which of them are good.
 *
 * A member is *valid* while it holds what was written last, and *current* while it is valid and
 * its device runs. A group whose current members are known not to give its data back is *lost*:
 * nothing is read or written there until enough of them come back, so members that were valid when
 * it was lost are so still when their node returns.
 *
 *     home       the node where placement wants a member
 *     device     where it is
 *     transfer   its way from here to there: a rebuild if it is not current, else a move
 *
 * A group is *blocked* while one of its parts has died and the cluster has not noticed.
 */
#pragma once

#include "charge.h"
#include "topology.h"

#include <aftershock/model/placement.h>
#include <aftershock/model/protection.h>

typedef struct AftTransfer AftTransfer;

typedef struct {
    guint32 device;
    guint32 home; /* AFT_NOWHERE: there is no node left for it */
    gboolean valid;
    double written_mark;   /* the pool's written_bytes when it stopped being valid */
    AftTransfer *transfer; /* (nullable) */
} AftMember;

typedef struct {
    guint32 current; /* bit per member */
    guint8 blocked;  /* its parts on nodes whose death is not known yet */
    guint8 moving;   /* members with a transfer */
    gboolean lost;
    gboolean cramped; /* a member waits for room on its node's devices */
    guint32 live_at;  /* its place in the pool's list of live groups */
} AftGroup;

typedef struct {
    const AftPoolSpec *spec; /* borrowed */
    AftTopology *topology;   /* borrowed */
    guint index;             /* its place among the pools */
    AftCharge client, background, destage;
    guint width;
    guint32 everyone;
    AftGroup *groups;
    AftMember *members; /* group x width + member */
    guint n_groups;
    guint32 *live; /* groups that are not lost, in no order */
    guint n_live;
    guint missing;        /* members not current, in groups that are not lost */
    guint degraded;       /* groups with a member missing, not lost */
    double member_bytes;  /* what one member of one group holds */
    double stored_bytes;  /* what that takes on a device */
    double written_bytes; /* per member, by clients, since the start: the mean over members */
    AftPlaces places;     /* the nodes, for placement */
} AftPool;

/** Places the groups of pool @index of the scenario on @topology. Clear with aft_pool_clear(). */
void aft_pool_init(AftPool *pool, const AftScenario *scenario, guint index, AftTopology *topology);

void aft_pool_clear(AftPool *pool);

static inline AftMember *aft_pool_member(const AftPool *pool, guint group, guint member)
{
    return &pool->members[(gsize)group * pool->width + member];
}

/** Brings what is said of @group and its members up to date with the nodes they are on. Unless the
 *  group is lost, members on nodes known to be dead stop being valid. */
void aft_pool_refresh(AftPool *pool, guint group);

/** Lets placement decide anew where the members of @group should live.
 *  Returns: whether a home changed. */
gboolean aft_pool_rehome(AftPool *pool, guint group);

/** The device of @node that should hold @group's next member there, by rendezvous among those that
 *  it would not fill beyond @full, a share. Returns: AFT_NOWHERE when there is none. */
guint32 aft_pool_device_on(const AftPool *pool, guint group, guint node, double full);

/** Where the members of @group are to be found at @position of it, 0 to 1: a transfer that has come
 *  so far has brought its member to its target. Returns: those that are current there. */
guint32 aft_pool_locate(const AftPool *pool, guint group, double position, guint32 *ret_devices);

/** Whether a member of @group is on @node, on its way there, or wanted there. */
gboolean aft_pool_touches(const AftPool *pool, guint group, guint node);

/** What keeps members that are not current from being made again. */
typedef struct {
    gboolean no_target; /* no node is left that has no member of the group yet */
    gboolean no_space;  /* the devices of the node that should take it are full */
} AftObstacles;

/** Looks at all live groups for what stands in the way, and adds it to @obstacles. */
void aft_pool_find_obstacles(const AftPool *pool, AftObstacles *obstacles);

/** Bytes that a member which stopped being valid at @written_mark has missed: writes fall where
 *  they like, so of S bytes w written ones touch S (1 - exp(-w / S)). */
double aft_pool_missed_bytes(const AftPool *pool, double written_mark);
