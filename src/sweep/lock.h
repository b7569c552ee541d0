/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lock.h - one writer to a store: a lock (flock) on an empty file beside it, "sweep.db.lock".
 *
 * The lock ends with its process, however that ends; the file is taken away with it, and means
 * nothing where it is left.
 */
#pragma once

#include <glib.h>

enum { AFT_LOCK_NONE = -1 };

/** Takes the lock of the file @path, without waiting. Returns: what to give back; AFT_LOCK_NONE
 * with AFT_ERROR_FILE: another holds it, or the folder cannot be written. */
int aft_lock_take(const char *path, GError **error);

/** Gives back @lock of @path; AFT_LOCK_NONE does nothing. */
void aft_lock_give(int lock, const char *path);
