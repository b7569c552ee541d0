/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.h - where a workload's machines run: these nodes coordinate its operations. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** The share of machines of @spec on every node of @cluster, by its number; @down is dead if it is
 *  one of them. Returns: (transfer full) (nullable): NULL when no node is left to run them. */
double *aft_hosts_shares(const AftWorkloadSpec *spec, const AftClusterSpec *cluster, guint down);
