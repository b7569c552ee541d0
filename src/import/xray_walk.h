/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xray_walk.h - the steps of an X-Ray scenario one after another, as a timeline.
 *
 * Time goes by in waits and while a workload is waited for. Workloads are added to the list as they
 * are started; what has no counterpart leaves a comment, and a remark for who called.
 */
#pragma once

#include "fio_job.h"
#include "xray_file.h"

typedef struct AftXrayWalk AftXrayWalk;

/** A walk on a cluster of @n_nodes (1 to AFT_XRAY_MOST_NODES). All is borrowed for as long as it
 *  lasts; @folder is where job files are. Returns: (transfer full). */
AftXrayWalk *aft_xray_walk_new(const AftXrayFile *file, const char *folder, guint n_nodes,
                               AftFioJobs *jobs);

void aft_xray_walk_free(AftXrayWalk *walk);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftXrayWalk, aft_xray_walk_free)

/** Takes the steps of the list "run". Returns: FALSE with the error of what is wrong with one. */
gboolean aft_xray_walk_run(AftXrayWalk *walk, GError **error);

/** Tells of the steps of the list called @phase, of which nothing is made, since @why. */
void aft_xray_walk_leave_out(AftXrayWalk *walk, const char *phase, const char *why);

/** Appends the key "timeline" with comments, and "run" with how long it all takes. */
void aft_xray_walk_write(AftXrayWalk *walk, GString *yaml);
