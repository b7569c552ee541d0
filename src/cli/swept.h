/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swept.h - what commands that end with a whole store do with it. */
#pragma once

#include "command.h"

#include <aftershock/sweep/store.h>

/** Writes the tables of @store into @directory and prints its ranking, in the name of command
 *  @name. Returns: AFT_EXIT_FINE, else AFT_EXIT_UNFINISHED after a complaint. */
AftExit aft_swept_tell(const char *name, AftStore *store, const char *directory);
