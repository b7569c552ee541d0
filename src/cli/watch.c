/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch.h"
#include "terminal.h"

#include <aftershock/report/live.h>

#define LOOK_US (G_USEC_PER_SEC / 10) /* between looks, at least */
#define LOG_US  (G_USEC_PER_SEC * 10) /* between lines of a log, at most */

struct AftWatch {
    AftRunObserver observer;
    AftLive *live;
    gboolean draws;  /* else it writes a log */
    gint64 look_us;  /* monotonic time of the next look, as is the next */
    gint64 log_us;   /* next line of a log, unless there is another phase */
    AftPhase logged; /* phase of the last one */
    GArray *columns; /* guint: of each line that is drawn */
};

/* Rows that the lines take now: a terminal that became narrower has folded them, and one that has
 * gone has no width. */
static guint rows_drawn(const AftWatch *watch, guint width)
{
    guint rows = 0;
    width = MAX(width, 1);
    for (guint i = 0; i < watch->columns->len; i++) {
        guint columns = g_array_index(watch->columns, guint, i);
        rows += MAX((columns + width - 1) / width, 1);
    }
    return rows;
}

/* Appends what goes back to where the lines begin. */
static void append_return(GString *out, const AftWatch *watch, guint width)
{
    guint rows = rows_drawn(watch, width);
    g_string_append_c(out, '\r');
    if (rows > 0) {
        g_string_append_printf(out, "\033[%uA", rows);
    }
}

/* The cursor stays below the lines, so that whatever ends the program leaves no line half
 * written. */
static void draw(AftWatch *watch, const AftObservation *seen)
{
    AftTextStyle style = aft_terminal_style(stderr);
    guint height = aft_terminal_height(stderr);
    g_autoptr(GString) out = g_string_new(NULL);
    append_return(out, watch, style.width);
    style.width = MAX(style.width, 2) - 1; /* the last column may make a new line */
    g_autoptr(GPtrArray) lines = aft_live_lines(watch->live, seen, &style);
    g_array_set_size(watch->columns, 0);
    for (guint i = 0; i < lines->len && i + 1 < height; i++) {
        const AftLiveLine *line = g_ptr_array_index(lines, i);
        g_array_append_val(watch->columns, line->columns);
        g_string_append_printf(out, "%s\033[K\n", line->text);
    }
    g_string_append(out, "\033[J");
    aft_repaint(out->str);
}

static void write_log(AftWatch *watch, const AftObservation *seen, gint64 now_us)
{
    if (now_us < watch->log_us && seen->phase == watch->logged) {
        return;
    }
    g_autofree char *line = aft_live_line(watch->live, seen);
    aft_say("%s\n", line);
    watch->log_us = now_us + LOG_US;
    watch->logged = seen->phase;
}

static void moved(void *context, const AftWalk *walk)
{
    AftWatch *watch = context;
    gint64 now_us = g_get_monotonic_time();
    if (now_us < watch->look_us) {
        return;
    }
    AftObservation seen;
    aft_run_observe(walk, &seen);
    aft_live_see(watch->live, &seen);
    if (watch->draws) {
        draw(watch, &seen);
    } else {
        write_log(watch, &seen, now_us);
    }
    watch->look_us = now_us + LOOK_US;
}

AftWatch *aft_watch_new(const AftScenario *scenario)
{
    AftWatch *watch = g_new(AftWatch, 1);
    *watch = (AftWatch){
        .observer = {watch, moved},
        .live = aft_live_new(scenario),
        .draws = aft_terminal_is(stderr),
        .logged = AFT_PHASES,
        .columns = g_array_new(FALSE, FALSE, sizeof(guint)),
    };
    return watch;
}

void aft_watch_free(AftWatch *watch)
{
    if (watch == NULL) {
        return;
    }
    if (watch->columns->len > 0) {
        g_autoptr(GString) out = g_string_new(NULL);
        append_return(out, watch, aft_terminal_width(stderr));
        g_string_append(out, "\033[J");
        aft_repaint(out->str);
    }
    g_array_unref(watch->columns);
    aft_live_free(watch->live);
    g_free(watch);
}

const AftRunObserver *aft_watch_observer(const AftWatch *watch)
{
    return &watch->observer;
}
