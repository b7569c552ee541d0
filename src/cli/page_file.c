/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_file.h"
#include "terminal.h"

gboolean aft_page_keep(const char *command, char *page, GError *error, const char *path)
{
    GFileSetContentsFlags whole = G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE;
    gboolean kept = page != NULL && g_file_set_contents_full(path, page, -1, whole, 0666, &error);
    if (kept) {
        aft_say("Wrote %s\n", path);
    } else {
        aft_say("aftershock %s: %s\n", command, error->message);
    }
    g_clear_error(&error);
    g_free(page);
    return kept;
}

gboolean aft_page_save(const char *command, const AftResult *const *results, guint n,
                       const char *path)
{
    GError *error = NULL;
    char *page = aft_page_new(results, n, &error);
    return aft_page_keep(command, page, error, path);
}
