/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.h - the kinds of workload and of background task, as a scenario names them. */
#pragma once

#include <glib.h>

typedef struct {
    const char *name; /* "paced" */
    const char *help; /* a line */
} AftKind;

/** Kinds of workload, in the order of AftWorkloadKind. Returns: (transfer none): @ret_n of them. */
const AftKind *aft_workload_kinds(guint *ret_n);

/** Kinds of task, in the order of AftTaskKind. Returns: (transfer none): @ret_n of them. */
const AftKind *aft_task_kinds(guint *ret_n);
