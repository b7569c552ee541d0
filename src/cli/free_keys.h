/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free_keys.h - keys to be fitted, as command lines name them. */
#pragma once

#include "command.h"

#include <glib.h>

/** The keys that @texts (NULL-terminated) name: "path", or "path=low:high", commas between several.
 *  Each begins at what the first scenario of @jobs (AftJob) says that has it.
 *  Returns: (transfer full) (nullable): AftFreeKey elements; NULL after a complaint. */
GArray *aft_free_keys_read(const AftCommand *command, char **texts, const GPtrArray *jobs);
