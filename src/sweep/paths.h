/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h - what paths and settings mean, however they were spelt. */
#pragma once

#include <glib.h>

/** @path with every index that may be left out. Returns: (transfer full). */
char *aft_path_meant(const char *path);

/** "path=value" with the path in full, and a number in one way of all it can be written in.
 *  Returns: (transfer full). */
char *aft_setting_meant(const char *setting);
