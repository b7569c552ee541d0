/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - what a file holds, if it is one that ends, and not too large. */
#pragma once

#include <glib.h>

/** Fills the empty @bytes with what the file at @path holds; up to some more than the limit, since
 *  files may grow while they are read.
 *  Returns: (transfer none) (nullable): the text, which @bytes owns; NULL with AFT_ERROR_FILE or
 *  AFT_ERROR_LIMIT when it cannot be read. */
const char *aft_file_read(const char *path, GByteArray *bytes, GError **error);

/** The file that @path, blanks around it or not, means when it is written in the file @beside:
 *  relative paths count from its folder. Returns: (transfer full). */
char *aft_file_beside(const char *beside, const char *path);
