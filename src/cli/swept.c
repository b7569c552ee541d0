/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "swept.h"

#include "terminal.h"

#include <aftershock/report/ranking.h>

#define MOST_SHOWN 20 /* points */

AftExit aft_swept_tell(const char *name, AftStore *store, const char *directory)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) ranking = aft_tables_rank(store, &error);
    if (ranking == NULL || !aft_tables_write(store, ranking, directory, &error)) {
        aft_say("aftershock %s: %s\n", name, error->message);
        return AFT_EXIT_UNFINISHED;
    }
    aft_say("Wrote %s\n", directory);
    AftTextStyle style = aft_terminal_style(stdout);
    g_autofree char *text = aft_ranking_text(ranking, MOST_SHOWN, &style);
    return aft_put(text, "text");
}
