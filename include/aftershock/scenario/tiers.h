/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiers.h - how a cache device is divided: a write buffer, and room for what has been read. */
#pragma once

#include <aftershock/scenario/scenario.h>

/** Bytes of write buffer on one device of @cache. */
double aft_tiers_buffer_bytes(const AftTierSpec *tiers, const AftDiskSpec *cache);

/** Bytes of it that keep what has been read. */
double aft_tiers_read_bytes(const AftTierSpec *tiers, const AftDiskSpec *cache);

/** Bytes of all data of @pool as cache devices have it: after inline services, and in a log with
 *  neither copies nor parity. */
double aft_tiers_cached_bytes(const AftScenario *scenario, const AftPoolSpec *pool);

/** Bytes of all data in some working set, as cache devices have it: of each pool that of the
 *  workload with the largest. A cache knows no pools. */
double aft_tiers_working_bytes(const AftScenario *scenario);
