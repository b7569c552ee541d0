/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/model/kinds.h>
#include <aftershock/scenario/scenario.h>

const AftKind *aft_workload_kinds(guint *ret_n)
{
    static const AftKind kinds[] = {
        [AFT_WORKLOAD_CLOSED] = {"closed", "a fixed number of I/Os outstanding, each followed by a "
                                           "pause"},
        [AFT_WORKLOAD_OPEN] = {"open", "I/O arrives at a rate, whatever the cluster does"},
        [AFT_WORKLOAD_PACED] = {"paced", "a target rate with a bounded number outstanding; the "
                                         "rest is owed"},
        [AFT_WORKLOAD_TRACE] = {"trace", "recorded I/O, at its own times"},
    };
    *ret_n = G_N_ELEMENTS(kinds);
    return kinds;
}

const AftKind *aft_task_kinds(guint *ret_n)
{
    static const AftKind kinds[AFT_TASKS] = {
        [AFT_TASK_REBUILD] = {"rebuild", "members that were lost or are stale are made again"},
        [AFT_TASK_REBALANCE] = {"rebalance", "members move to where placement wants them"},
        [AFT_TASK_EVACUATE] = {"evacuate", "members leave a node that is to go down"},
        [AFT_TASK_CONVERT] = {"convert", "copies are added, or data and parity become copies"},
        [AFT_TASK_ENCODE] = {"encode", "copies become data and parity"},
        [AFT_TASK_SCRUB] = {"scrub", "all data is read, to find what cannot be read any more"},
    };
    *ret_n = G_N_ELEMENTS(kinds);
    return kinds;
}
