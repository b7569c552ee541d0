/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "same_file.h"

#include <glib/gstdio.h>

gboolean aft_same_file(const char *path, const char *other)
{
    GStatBuf first, second;
    return g_stat(path, &first) == 0 && g_stat(other, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
