/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charge.h - what data services make of a sub-operation: the bytes on devices, the work on
 * controllers, the delays and the map I/O. One charge for each sort of request to a pool.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

typedef struct {
    double cache_ratio;       /* bytes on a cache device per byte of the request */
    double capacity_ratio;    /* the same on a capacity device */
    double controller_factor; /* on a visit to a controller */
    gint64 write_io_ns;       /* added to the visit of a sub-operation that writes */
    gint64 write_per_mib_ns;  /* the same per MiB */
    gboolean latency;         /* whether the pure delay of the controller is added to these two */
    gint64 read_delay_ns;     /* pure delay of a sub-operation */
    gint64 write_delay_ns;
    double metadata_reads; /* mean number of map I/Os of a sub-operation at its device */
    double metadata_writes;
} AftCharge;

/** The charges of @pool: of a client's requests, of units of background work, of those that only
 *  move data, and of a destage, whose bytes are those in the buffer. */
AftCharge aft_charge_client(const AftPoolSpec *pool);
AftCharge aft_charge_background(const AftPoolSpec *pool);
AftCharge aft_charge_move(const AftPoolSpec *pool);
AftCharge aft_charge_destage(const AftPoolSpec *pool);
