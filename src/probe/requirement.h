/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requirement.h - whether what was measured holds what was required. */
#pragma once

#include <aftershock/scenario/scenario.h>

/** Means and how far off they may be, in the scenario's units; NaN where there was no I/O. */
typedef struct {
    double iops, iops_margin; /* half-width, or what chance allows */
    double read_ns, read_margin_ns;
    double write_ns, write_margin_ns;
} AftAchieved;

typedef enum {
    AFT_MISSED_IOPS = 1 << 0,
    AFT_MISSED_READ = 1 << 1,
    AFT_MISSED_WRITE = 1 << 2
} AftMissed;

/** Whether anything is required at all. */
gboolean aft_requirement_given(const AftRequirementSpec *required);

/** The figures that @achieved misses by more than its margins, as AftMissed bits. */
guint aft_requirement_missed(const AftRequirementSpec *required, const AftAchieved *achieved);

/** "met", "iops+write", or "" when nothing is required. Returns: (transfer full). */
char *aft_requirement_text(const AftRequirementSpec *required, guint missed);
