/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.h - what a workload costs, demands and can do, in each state of the cluster. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** Fills @workload for the workload @index of @scenario. Clear with aft_workload_clear(). */
void aft_workload_fill(const AftScenario *scenario, guint index, AftWorkloadBounds *workload);

void aft_workload_clear(AftWorkloadBounds *workload);
