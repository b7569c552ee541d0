/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fio_options.h - what a section of a job file says, and a word on what has no counterpart here. */
#pragma once

#include "job_file.h"

/** One section on its way. */
typedef struct {
    const AftJobSection *section; /* borrowed, as is all of it */
    GString *notes;               /* comments above the workload */
    GPtrArray *remarks;           /* for who called */
    double kilo;                  /* what a k is */
} AftFioJob;

/** Says so both in a comment above the workload and to who called. */
G_GNUC_PRINTF(2, 3) void aft_fio_note(const AftFioJob *job, const char *format, ...);

/** The option @key, or the same by its other name (nullable), that counts.
 *  Returns: (transfer none) (nullable): NULL, after a note, where only fio knows its value. */
const AftJobOption *aft_fio_option(const AftFioJob *job, const char *key, const char *other);

/** Notes each option that nothing here stands for, once. */
void aft_fio_tell_options(const AftFioJob *job);
