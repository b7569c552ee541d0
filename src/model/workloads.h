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
