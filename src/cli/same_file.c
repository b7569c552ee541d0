/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "same_file.h"

#include <aftershock/result/files.h>
#include <glib/gstdio.h>

gboolean aft_same_file(const char *path, const char *other)
{
    GStatBuf first, second;
    return g_stat(path, &first) == 0 && g_stat(other, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

gboolean aft_is_of_result(const char *path, const char *folder)
{
    const char *const *names = aft_result_file_names();
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *file = g_build_filename(folder, names[i], NULL);
        if (aft_same_file(path, file)) {
            return TRUE;
        }
    }
    return FALSE;
}
