/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedulers.h - the rows of the table of schedulers, one file each. */
#pragma once

#include <aftershock/station/scheduler.h>

extern const AftScheduler aft_scheduler_fifo;
extern const AftScheduler aft_scheduler_strict;
extern const AftScheduler aft_scheduler_weighted;
extern const AftScheduler aft_scheduler_round_robin;
extern const AftScheduler aft_scheduler_mclock;
extern const AftScheduler aft_scheduler_adaptive;
