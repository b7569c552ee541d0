/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_file.h"
#include "terminal.h"

#include <aftershock/base/file.h>

gboolean aft_page_keep(const char *command, char *page, GError *error, const char *path)
{
    gboolean kept = page != NULL && aft_file_place_text(path, page, &error);
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
