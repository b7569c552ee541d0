/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.h - where the members of a pool may live: racks, nodes and devices, ranked for each group.
 *
 * Domains bid for a group by weighted rendezvous hashing (placement.h), inside a rack its nodes do,
 * inside a node its devices. All bid as they were built, whatever has failed since. A domain whose
 * winner is out is passed over, and the next best takes its place: so what a lost device held
 * spreads over the whole cluster, nothing else moves, and everything comes back with the device.
 * Only when there are not enough domains otherwise, those passed over give their next best.
 */
#pragma once

#include "topology.h"

typedef struct AftMap AftMap;

/** Where a member lives: a node, and one device of it or (AFT_NOWHERE) any. */
typedef struct {
    guint32 node, device;
} AftSeat;

/** The map of @topology (borrowed) for members that share no @domain. Returns: (transfer full). */
AftMap *aft_map_new(const AftTopology *topology, AftDomain domain, guint64 seed);

void aft_map_free(AftMap *map);

/** Writes the @wanted best seats of @group to @ret_seats, in domains of their own, none of them on
 *  the node @shunned (AFT_NOWHERE: none is).
 *  Returns: how many there are. */
guint aft_map_rank(const AftMap *map, guint group, guint wanted, guint32 shunned,
                   AftSeat *ret_seats);

/** The device of @node that should hold a member of @group, of those that are up and in and would
 *  not be filled beyond @full, a share, by @bytes more. Returns: AFT_NOWHERE when there is none. */
guint32 aft_map_device_on(const AftMap *map, guint group, guint node, double bytes, double full);

/** The device of @node that bids best for @group, as the node was built, whatever has failed since.
 *  Returns: AFT_NOWHERE when it has none. */
guint32 aft_map_winner(const AftMap *map, guint group, guint node);

/** The number of the domain that @seat, which names its device if that is the domain, is in. */
guint32 aft_map_domain_of(const AftMap *map, AftSeat seat);

/** Which of the @n best seats of @group its first member gets, 0 to @n - 1. Large nodes bid well,
 * so that in order of rank they would hold the first members, data, more often than the last,
 * parity; where nodes are alike, that makes no difference. */
guint aft_map_turn(const AftMap *map, guint group, guint n);

/** Whether members at both seats would share a domain. */
static inline gboolean aft_map_shares(const AftMap *map, AftSeat a, AftSeat b)
{
    return aft_map_domain_of(map, a) == aft_map_domain_of(map, b);
}

/** The seat that a member on @device has. */
AftSeat aft_map_seat_of(const AftMap *map, guint32 device);
