/* SPDX-License-Identifier: GPL-3.0-or-later */
/* services.h - what the data services of a pool come to together.
 *
 * Services that are on add up: their delays, their controller time, their map I/O. Their ratios
 * and their factors multiply.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

/** "compression". Returns: (transfer none). */
const char *aft_service_name(AftServiceKind kind);

/** Bytes stored per byte of what the pool's members hold. */
double aft_services_ratio(const AftPoolSpec *pool);

/** Bytes that @pool (resolved) stores with protection and services, at first. */
double aft_services_stored_bytes(const AftPoolSpec *pool);

/** The same once it is protected as @layout says. */
double aft_services_stored_as(const AftPoolSpec *pool, const AftProtectionSpec *layout);

/** The ratio of what is written before a write is acknowledged: services at destage come later. */
double aft_services_inline_ratio(const AftPoolSpec *pool);

/** What services add to a sub-operation, or to a client operation at its coordinator. */
typedef struct {
    gint64 delay_ns;   /* pure delay of a sub-operation */
    gint64 io_ns;      /* controller time of an operation */
    gint64 per_mib_ns; /* added per MiB */
    double metadata;   /* I/Os of AFT_METADATA_BYTES at the device of a sub-operation */
} AftServiceCost;

/** What the services of @pool add to a client's read, or to a client's write. */
AftServiceCost aft_services_read(const AftPoolSpec *pool);
AftServiceCost aft_services_write(const AftPoolSpec *pool);

/** What they add to a destage. */
AftServiceCost aft_services_destage(const AftPoolSpec *pool);

/** Controller time that they add to a degraded operation. */
gint64 aft_services_degraded_ns(const AftPoolSpec *pool);

/** Factor on the controller time of background units, and of those that only move data. */
double aft_services_background_factor(const AftPoolSpec *pool);
double aft_services_move_factor(const AftPoolSpec *pool);

/** What is lost with one capacity device: the largest of the services' domains. */
AftFailureDomain aft_services_failure_domain(const AftPoolSpec *pool);
