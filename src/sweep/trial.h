/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.h - the replications of one configuration, until it is known whether it holds. */
#pragma once

#include <aftershock/sweep/size.h>

/** Runs @scenario, which is what @settings say and requires something, until there is a verdict,
 *  and fills verdict, counts, and what it fails for, into @row. */
void aft_trial_run(const AftSizeSetup *setup, const AftScenario *scenario,
                   const char *const *settings, AftSized *row);
