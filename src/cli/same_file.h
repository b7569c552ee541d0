/* SPDX-License-Identifier: GPL-3.0-or-later */
/* same_file.h - whether what is written would take the place of what is read. */
#pragma once

#include <glib.h>

/** Whether @path and @other are there, and one file, be it by links. */
gboolean aft_same_file(const char *path, const char *other);

/** Whether @path is one of the files of the result in @folder. */
gboolean aft_is_of_result(const char *path, const char *folder);
