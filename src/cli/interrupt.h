/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupt.h - Ctrl-C as a flag, so that what was simulated so far is still written.
 *
 * A thread waits for SIGINT and SIGTERM: the first sets the flag; another one, a second or more
 * later, ends the program at once. A signal that was ignored when the program started stays so.
 */
#pragma once

#include <glib.h>

typedef struct AftInterrupt AftInterrupt;

/** Starts to watch; call it before other threads are made.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_LIMIT when there is no thread to be
 *  had. */
AftInterrupt *aft_interrupt_new(GError **error);

/** Gives the signals their old meaning back. */
void aft_interrupt_free(AftInterrupt *interrupt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftInterrupt, aft_interrupt_free)

/** The flag, to be read with g_atomic_int_get(). Returns: (transfer none), as long as it lives. */
gint *aft_interrupt_flag(AftInterrupt *interrupt);
