/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"
#include "terminal.h"

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
        aft_say("\r\033[K");
    }
    g_free(bar);
}

static char *bar_text(double done, guint width, gboolean utf8)
{
    GString *text = g_string_new(NULL);
    guint full = (guint)(CLAMP(done, 0.0, 1.0) * width + 0.5);
    for (guint i = 0; i < width; i++) {
        g_string_append(text, i < full ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."));
    }
    return g_string_free(text, FALSE);
}

/* " 42 %  1:23:05  rebuild", after a bar that leaves room for it. */
static void draw(const AftProgressBar *bar, const AftProgress *progress)
{
    const guint words = 36;
    guint columns = aft_terminal_width(stderr);
    guint width = CLAMP(columns, words + 4, words + 40) - words;
    guint64 seconds = (guint64)CLAMP(progress->scenario_s, 0.0, 1e12);
    g_autofree char *cells = bar_text(progress->done, width, bar->utf8);
    aft_say("\r%s %3.0f %%  %" G_GUINT64_FORMAT ":%02u:%02u  %s\033[K", cells,
            CLAMP(progress->done, 0.0, 1.0) * 100.0, seconds / 3600, (guint)(seconds / 60 % 60),
            (guint)(seconds % 60), progress->phase != NULL ? progress->phase : "");
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
