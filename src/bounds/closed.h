/* SPDX-License-Identifier: GPL-3.0-or-later */
/* closed.h - what machines that wait for their I/O can do at most where they are unlike.
 *
 * Of closed machines those that wait less do more, so shares of the I/O are not given: the bound is
 * the most over all shares. What a node has to do is linear in the total and in the part that its
 * own machines ask for, so each total leaves an interval for each node, and can be had as long as
 * the intervals can sum up to it. Totals below one that can be had can be had too.
 */
#pragma once

#include "demand.h"

/** I/Os a second at most, at least @iops, which equal shares allow, above 0. @idle and @busy are
 *  sums of one I/O that no machine asks for, and that the machines of every node ask for; @asking
 *  is above 0 where there are machines. INFINITY: any. */
double aft_closed_iops(const AftDemandSum *idle, const AftDemandSum *busy, const double *asking,
                       double iops);
