/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_file.h"
#include "terminal.h"

gboolean aft_page_save(const char *command, const AftResult *const *results, guint n,
                       const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *page = aft_page_new(results, n, &error);
    GFileSetContentsFlags whole = G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE;
    if (page == NULL || !g_file_set_contents_full(path, page, -1, whole, 0666, &error)) {
        aft_say("aftershock %s: %s\n", command, error->message);
        return FALSE;
    }
    aft_say("Wrote %s\n", path);
    return TRUE;
}
