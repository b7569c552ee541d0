/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fio_job.h - job files of fio as items of a list of workloads. */
#pragma once

#include <glib.h>

/** Items so far. */
typedef struct {
    GString *yaml;      /* of the list: borrowed */
    GPtrArray *remarks; /* borrowed */
    GHashTable *names;  /* of workloads, all different */
    GPtrArray *ordered; /* the same, as they stand in the list: borrowed from @names */
    double runtime_s;   /* the longest of the file added last; 0: none is told */
} AftFioJobs;

/** What a job file is for. */
typedef struct {
    const char *name;  /* (nullable) instead of a section's */
    gboolean sections; /* with the section's behind it */
    const char *on;    /* nodes (nullable): all */
    guint times;       /* machines that run it, 1 or more */
} AftFioUse;

/** No items. Returns: (transfer full). */
AftFioJobs *aft_fio_jobs_new(GString *yaml, GPtrArray *remarks);

void aft_fio_jobs_free(AftFioJobs *jobs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftFioJobs, aft_fio_jobs_free)

/** Adds the sections of the job file at @path. Returns: FALSE with AFT_ERROR_FILE, AFT_ERROR_SYNTAX
 *  or AFT_ERROR_LIMIT, also when there is none. */
gboolean aft_fio_jobs_add(AftFioJobs *jobs, const char *path, const AftFioUse *use, GError **error);
