/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buffer.h - a cache device: what of it is dirty, what is warm, and who waits for room.
 *
 * What is written is dirty until it has been destaged to the capacity devices behind; what has
 * been read stays warm beside it. Contents are bytes, not blocks: of a working set of W bytes
 * behind the device, D of them dirty, a write meets a dirty block with a chance of D / W, and then
 * takes no room; a read finds its block dirty or warm alike. Who uses some blocks more than others
 * finds more: heat.h.
 *
 *     full ------- writes wait, first come, first served
 *     high ------- writes are delayed most
 *       |          the delay grows with the square of the way
 *     begin ------ destage begins, to go on down to low; at low, unless said otherwise
 *     low -------- nothing is destaged below
 *
 * Bytes are counted by pool and by the capacity device they are to go to.
 */
#pragma once

#include <aftershock/model/heat.h>
#include <aftershock/random/stream.h>
#include <aftershock/scenario/scenario.h>
#include <aftershock/station/station.h>

typedef struct {
    guint32 device;       /* the cache device */
    guint32 node;         /* where it is */
    guint32 first_behind; /* the first capacity device behind it */
    guint32 stride;       /* from there to the next */
    guint n_behind;
    const AftTierSpec *spec; /* borrowed */
    double size_bytes;       /* for what is dirty; of a log, its half of the device's buffer */
    double read_bytes;       /* for what is warm, at most */
    double working_bytes;    /* W, of which clients read and write any part */
    double dirty_bytes;
    double warm_bytes;
    double claimed_bytes;  /* of what is dirty: being destaged */
    double *dirty;         /* a cell: pool x n_behind + capacity device */
    double *claimed;       /* the same */
    guint *wipes;          /* the same: times that what it held was gone */
    guint n_cells;         /* of both */
    guint in_flight;       /* destages */
    AftJob *waiting;       /* for room, first in front; by next */
    AftJob *last_waiting;  /* undefined without waiting ones */
    double admitted_bytes; /* since the start */
    double destaged_bytes; /* the same */
    double lost_bytes;     /* the same, of data that was lost */
    double first_bytes;    /* dirty at the start */
    gboolean drains;       /* destage has begun, and has not come to low since */
    guint64 turns;         /* times that it has begun, or come there, so far */
    gboolean rested;       /* there was nothing to destage, since somebody unset it */
    gboolean full;         /* writes have had to wait, and it is hardly less full since */
} AftBuffer;

/** Makes @buffer empty for @n_pools pools; device, node, first_behind, stride, n_behind are
 *  filled in by the caller. @disk: of the cache device. */
void aft_buffer_init(AftBuffer *buffer, const AftTierSpec *spec, const AftDiskSpec *disk,
                     guint n_pools);

void aft_buffer_clear(AftBuffer *buffer);

/** Fills it as at the start of a scenario: dirty up to `start`, for the pools by their @share, and
 *  warm as after a long time. */
void aft_buffer_begin(AftBuffer *buffer, const double *share);

/** How full it is, 0 to 1. */
double aft_buffer_fill(const AftBuffer *buffer);

/** The delay of a client's write at this fill, ns. */
gint64 aft_buffer_delay_ns(const AftBuffer *buffer);

/** The chance that a client's write meets a dirty block, and that its read is served by the cache
 *  device. @heat (nullable) is that of the workload; NULL: it uses all alike. */
double aft_buffer_overwrite_chance(const AftBuffer *buffer, const AftHeat *heat);
double aft_buffer_hit_chance(const AftBuffer *buffer, const AftHeat *heat);

/** A read of @bytes missed: it stays warm now. */
void aft_buffer_warm(AftBuffer *buffer, double bytes);

/** Bytes that can be warm at most: there is neither room nor use for more. */
double aft_buffer_warm_most(const AftBuffer *buffer);

/** Whether @bytes have room now, nobody waiting. */
gboolean aft_buffer_has_room(const AftBuffer *buffer, double bytes);

/** Takes in @bytes of @pool for its capacity device @behind (0 to n_behind - 1). */
void aft_buffer_admit(AftBuffer *buffer, guint pool, guint behind, double bytes);

/** Lets @job wait for room behind those that do; takes out the first of them. */
void aft_buffer_wait(AftBuffer *buffer, AftJob *job);
AftJob *aft_buffer_pop_waiting(AftBuffer *buffer);

/** Something to destage. */
typedef struct {
    guint cell;
    double bytes;
    guint wipes; /* of its cell, when it was claimed */
} AftClaim;

/** Claims the next bytes to destage: a unit of the cell from which least is under way, which keeps
 *  all devices behind busy; less than a unit only while somebody waits for room. Returns: FALSE
 * when nothing is to be destaged now; it rests then. */
gboolean aft_buffer_claim(AftBuffer *buffer, AftClaim *ret_claim);

/** Makes @claim larger by up to @bytes of its cell. */
void aft_buffer_claim_more(AftBuffer *buffer, AftClaim *claim, double bytes);

typedef enum {
    AFT_CLAIM_DESTAGED,
    AFT_CLAIM_KEPT, /* it is dirty still, and may be claimed again */
    AFT_CLAIM_LOST  /* there is nothing left that it could be destaged to */
} AftClaimEnd;

/** Ends @claim: what was forgotten meanwhile is lost, however it ended. */
void aft_buffer_settle(AftBuffer *buffer, const AftClaim *claim, AftClaimEnd end);

/** The data of capacity device @behind is lost: nothing is dirty for it but what is claimed, which
 * is settled as lost when its destage ends. */
void aft_buffer_forget(AftBuffer *buffer, guint behind);

/** Whether it has become full, or is so no longer: it has a hundredth of its room again, or what a
 *  few destages make. */
gboolean aft_buffer_turns_full(const AftBuffer *buffer);

/** Moves what is dirty on by @grown bytes, of which @destaged went out meanwhile and the rest came
 *  in, cells by their parts. Stays between nothing and full. */
void aft_buffer_jump(AftBuffer *buffer, double grown, double destaged);

/** Asserts that what came in is dirty, lost or was destaged, and that there is room for it. */
void aft_buffer_audit(const AftBuffer *buffer);
