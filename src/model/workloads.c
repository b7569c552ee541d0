/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workloads.h"

const AftWorkloadPolicy *aft_workload_policy(AftWorkloadKind kind)
{
    static const AftWorkloadPolicy *const policies[] = {
        [AFT_WORKLOAD_CLOSED] = &aft_workload_closed,
        [AFT_WORKLOAD_OPEN] = &aft_workload_open,
        [AFT_WORKLOAD_PACED] = &aft_workload_paced,
        [AFT_WORKLOAD_TRACE] = &aft_workload_trace,
    };
    g_assert((guint)kind < G_N_ELEMENTS(policies));
    return policies[kind];
}
