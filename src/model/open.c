/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open: I/O arrives by the clock whatever the cluster does; what finds no slot is shed. */
#include "workloads.h"

const AftWorkloadPolicy aft_workload_open = {
    .sheds = TRUE,
    .start = aft_clock_start,
    .paused = aft_clock_paused,
};
