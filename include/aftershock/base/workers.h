/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workers.h - pieces of work on several threads.
 *
 * What pieces share they guard with a pthread mutex: those of GLib are none that ThreadSanitizer
 * sees, so that it would find races where there are none, and miss those that are.
 */
#pragma once

#include <glib.h>

/** Calls @work with @data for each index below @n once, in no order, on at most @threads (1 or
 * more) threads, of which the caller's is one: all is done even where no other is to be had. Comes
 * back when all have ended. */
void aft_workers_run(guint n, guint threads, void (*work)(guint index, gpointer data),
                     gpointer data);
