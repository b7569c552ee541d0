/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paced: a target rate with a bounded number outstanding; what finds no slot is owed and served
 * later, above the target rate. This is what users do who have work to get through. */
#include "workloads.h"

const AftWorkloadPolicy aft_workload_paced = {
    .start = aft_clock_start,
    .paused = aft_clock_paused,
};
