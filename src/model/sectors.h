/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sectors.h - latent errors: sectors of a device that cannot be read, and nobody knows yet.
 *
 * They are few, so what is kept is a sorted list of them for each pool, and nothing for each
 * member. An error is where a member has put the data: it goes when the member leaves the device or
 * is written anew, and stays when the group is converted around it.
 *
 *     found     something reads the sector: a scrub, a rebuild or other background work, a client
 *     repaired  at once, with priority 1: the others are read, the sector is written
 *     lost      what the others still have does not suffice: the sector's data is gone
 *     healed    a client writes it before anybody has read it
 */
#pragma once

#include "pool.h"
#include "request.h"

#include <aftershock/random/stream.h>

#define AFT_SECTOR_BYTES 4096

/** What errors need to be repaired and told; all borrowed. */
typedef struct {
    AftExecutor *executor;
    AftRoute route; /* of what is written */
    guint class;    /* that repairs run in */
    void *context;
    void (*happened)(void *context, const char *event, const char *subject, const char *detail);
} AftSectorsUse;

/** Makes the list of @pool (borrowed), empty, and lets the pool know it. Errors that are met while
 *  nothing is simulated are drawn by the chance of @replication. Returns: (transfer full). */
AftSectors *aft_sectors_new(AftPool *pool, const AftSectorsUse *use, guint32 replication);

/** Repairs in flight must not end any more. */
void aft_sectors_free(AftSectors *sectors);

/** Spoils sector @sector of the member of @group on @device, if it is not already. */
void aft_sectors_spoil(AftSectors *sectors, guint group, guint32 device, guint64 sector);

/** Errors that nobody has met. */
guint aft_sectors_latent(const AftSectors *sectors);

/** Whether the member of @group on @device has an error in @bytes from @offset on. */
gboolean aft_sectors_has(const AftSectors *sectors, guint group, guint32 device, guint64 offset,
                         guint64 bytes);

/** Somebody, @by ("scrub"), reads @bytes from @offset on of the member of @group on @device, the
 *  group's members being where aft_pool_locate() says: what cannot be read is repaired, or lost. If
 *  not @simulated, repairs take no time.
 *  Returns: whether anything could not be read. */
gboolean aft_sectors_read(AftSectors *sectors, guint group, guint32 device, guint64 offset,
                          guint64 bytes, const char *by, gboolean simulated);

/** These bytes are written: they can be read again. */
void aft_sectors_write(AftSectors *sectors, guint group, guint32 device, guint64 offset,
                       guint64 bytes);

/** The member of @group has left @device, or was written anew. Does nothing without @sectors. */
void aft_sectors_forget(AftSectors *sectors, guint group, guint32 device);

/** What a member of group @from has on @device is a member of group @to from now on. Does nothing
 *  without @sectors. */
void aft_sectors_follow(AftSectors *sectors, guint from, guint to, guint32 device);

/** Clients have written @written_bytes and read @read_bytes of each member of the chunks that they
 *  write and read, in the mean, with nothing simulated: what they have met by chance. */
void aft_sectors_skip(AftSectors *sectors, double written_bytes, double read_bytes);

/** All of @group is lost, or it is no longer: its lost sectors are part of that meanwhile. Does
 *  nothing without @sectors. */
void aft_sectors_turn(AftSectors *sectors, guint group, gboolean lost);

/** What is lost of the pool beside groups that are lost as a whole: groups with lost sectors, and
 *  logical bytes of those sectors. */
typedef struct {
    guint groups;
    double bytes;
} AftSectorLoss;

AftSectorLoss aft_sectors_lost(const AftSectors *sectors);
