/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrivals.h - how far the rate of a workload's arrivals goes from its mean: bursts and days. */
#pragma once

#include <aftershock/scenario/scenario.h>

/** The rate in bursts of @workload, or between them, over the mean; 1 without any. */
double aft_arrivals_burst(const AftWorkloadSpec *workload, gboolean bursts);

/** The rate in part @i of the day of @workload, which has some, over the mean of the day. */
double aft_arrivals_day(const AftWorkloadSpec *workload, guint i);

/** The largest rate in a day over its mean, bursts apart. */
double aft_arrivals_peak(const AftWorkloadSpec *workload);

/** The smallest rate that there ever is, but for none at all, over the mean. */
double aft_arrivals_least(const AftWorkloadSpec *workload);
