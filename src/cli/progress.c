/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"
#include "terminal.h"

#include <aftershock/base/shown.h>
#include <aftershock/report/sparkline.h>

struct AftProgressBar {
    gboolean visible; /* stderr can show it */
    gboolean utf8;
    gboolean drawn;
    gint64 next_us; /* monotonic time before which it is not drawn again */
};

AftProgressBar *aft_progress_bar_new(void)
{
    AftProgressBar *bar = g_new0(AftProgressBar, 1);
    bar->visible = aft_terminal_is(stderr);
    bar->utf8 = g_get_charset(NULL);
    return bar;
}

void aft_progress_bar_free(AftProgressBar *bar)
{
    if (bar != NULL && bar->drawn) {
        aft_repaint("\r\033[K");
    }
    g_free(bar);
}

/* " 42 %  1:23:05  rebuild", after a bar that leaves room for it; cut where the line ends. */
static char *line_of(const AftProgressBar *bar, const AftProgress *progress, guint columns)
{
    const guint words = 36;
    guint width = CLAMP(columns, words + 4, words + 40) - words;
    guint64 seconds = (guint64)CLAMP(progress->scenario_s, 0.0, 1e12);
    g_autofree char *cells = aft_bar(progress->done, width, bar->utf8);
    g_autofree char *text =
        g_strdup_printf("%s %3.0f %%  %" G_GUINT64_FORMAT ":%02u:%02u  %s", cells,
                        CLAMP(progress->done, 0.0, 1.0) * 100.0, seconds / 3600,
                        (guint)(seconds / 60 % 60), (guint)(seconds % 60),
                        progress->phase != NULL ? progress->phase : "");
    g_autofree char *shown = aft_shown_text(text, "");
    g_autofree char *fit = aft_shown_cut(shown, columns - 1);
    return bar->utf8 ? g_steal_pointer(&fit) : aft_shown_ascii(fit, TRUE);
}

static void draw(const AftProgressBar *bar, const AftProgress *progress)
{
    g_autofree char *line = line_of(bar, progress, aft_terminal_width(stderr));
    g_autofree char *drawn = g_strconcat("\r", line, "\033[K", NULL);
    aft_repaint(drawn);
}

void aft_progress_bar_show(const AftProgress *progress, void *data)
{
    AftProgressBar *bar = data;
    gint64 now_us = g_get_monotonic_time();
    if (bar->visible && now_us >= bar->next_us) {
        draw(bar, progress);
        bar->drawn = TRUE;
        bar->next_us = now_us + 100000;
    }
}
