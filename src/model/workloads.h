/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloads.h - the rows of the table of workload kinds, one file each. */
#pragma once

#include "clients.h"

extern const AftWorkloadPolicy aft_workload_closed;
extern const AftWorkloadPolicy aft_workload_open;
extern const AftWorkloadPolicy aft_workload_paced;
extern const AftWorkloadPolicy aft_workload_trace;

/** Starts the clock of @vm: arrivals at its rate, Poisson or evenly spaced. For open and paced. */
void aft_clock_start(AftVm *vm);

/** Lets the clocks of @clients tick @factor times as fast as `rate` says, from now on; windows see
 *  @mean_factor. */
void aft_clock_set(AftClients *clients, double factor, double mean_factor);

/** Clocks stand, or go on. For open and paced. */
void aft_clock_paused(AftClients *clients);
