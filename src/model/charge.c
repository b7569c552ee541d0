/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "charge.h"

#include <aftershock/scenario/services.h>

AftCharge aft_charge_client(const AftPoolSpec *pool)
{
    AftServiceCost read = aft_services_read(pool), write = aft_services_write(pool);
    return (AftCharge){
        .cache_ratio = aft_services_inline_ratio(pool),
        .capacity_ratio = aft_services_ratio(pool),
        .controller_factor = 1.0,
        .latency = TRUE,
        .read_delay_ns = read.delay_ns,
        .write_delay_ns = write.delay_ns,
        .metadata_reads = read.metadata,
        .metadata_writes = write.metadata,
    };
}

AftCharge aft_charge_background(const AftPoolSpec *pool)
{
    return (AftCharge){
        .cache_ratio = aft_services_inline_ratio(pool),
        .capacity_ratio = aft_services_ratio(pool),
        .controller_factor = aft_services_background_factor(pool),
        .latency = TRUE,
    };
}

AftCharge aft_charge_move(const AftPoolSpec *pool)
{
    AftCharge charge = aft_charge_background(pool);
    charge.controller_factor = aft_services_move_factor(pool);
    return charge;
}

AftCharge aft_charge_destage(const AftPoolSpec *pool)
{
    AftServiceCost cost = aft_services_destage(pool);
    return (AftCharge){
        .cache_ratio = 1.0,
        .capacity_ratio = aft_services_ratio(pool) / aft_services_inline_ratio(pool),
        .controller_factor = 1.0,
        .write_io_ns = cost.io_ns,
        .write_per_mib_ns = cost.per_mib_ns,
        .metadata_writes = cost.metadata,
    };
}
