/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - one line on stderr that tells how far a run has come; gone when the run is over. */
#pragma once

#include <aftershock/run/run.h>

typedef struct AftProgressBar AftProgressBar;

/** Returns: (transfer full): a bar, which shows nothing unless stderr is a terminal. */
AftProgressBar *aft_progress_bar_new(void);

/** Wipes the bar away. */
void aft_progress_bar_free(AftProgressBar *bar);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftProgressBar, aft_progress_bar_free)

/** Draws, ten times a second at most; for AftRunOptions, with @bar as context. */
void aft_progress_bar_show(const AftProgress *progress, void *bar);
