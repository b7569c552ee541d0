/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.h - where a workload's machines run: these nodes coordinate its operations. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** The share of machines of @spec on every live one of @nodes, @down being dead if it is one of
 *  them. Returns: (transfer full). */
double *aft_hosts_shares(const AftWorkloadSpec *spec, guint nodes, guint down);
