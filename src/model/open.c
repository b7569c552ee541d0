/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open: I/O arrives by the clock whatever the cluster does; what finds no slot is shed. */
#include "workloads.h"

const AftWorkloadPolicy aft_workload_open = {
    .name = "open",
    .help = "I/O arrives at a rate, whatever the cluster does",
    .sheds = TRUE,
    .start = aft_clock_start,
};
