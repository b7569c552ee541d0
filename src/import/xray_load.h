/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xray_load.h - a workload of an X-Ray scenario: a job file, run by a group of machines. */
#pragma once

#include "fio_job.h"
#include "xray_file.h"

typedef struct {
    char *name;
    guint first, n;   /* of its items in the list of workloads */
    double runtime_s; /* as its job file says; 0: it does not */
    double end_s;     /* when it is over, while it runs; infinite: not told */
    gboolean running;
} AftXrayLoad;

/** Adds the workload called @name, which the step at @at starts, to @jobs: its job file in @folder,
 *  on the nodes and in the number of its group. Returns: (transfer full) (nullable): NULL with the
 *  error of what is wrong. */
AftXrayLoad *aft_xray_load_new(const AftXrayFile *file, const AftYaml *at, const char *name,
                               const char *folder, guint n_nodes, AftFioJobs *jobs, GError **error);

void aft_xray_load_free(AftXrayLoad *load);
