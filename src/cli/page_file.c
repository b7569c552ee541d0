/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_file.h"
#include "terminal.h"

#include <aftershock/result/place.h>

#include <string.h>

gboolean aft_page_save(const char *command, const AftResult *const *results, guint n,
                       const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *page = aft_page_new(results, n, &error);
    AftNewFile file = {path, page, page != NULL ? strlen(page) : 0};
    if (page == NULL || !aft_place_files(&file, 1, &error)) {
        aft_say("aftershock %s: %s\n", command, error->message);
        return FALSE;
    }
    aft_say("Wrote %s\n", path);
    return TRUE;
}
