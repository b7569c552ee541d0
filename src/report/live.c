/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/live.h>

#include "grid.h"
#include "human.h"

#include <aftershock/base/shown.h>
#include <aftershock/base/units.h>
#include <aftershock/model/kinds.h>
#include <aftershock/report/sparkline.h>

#include <math.h>

enum { MOST_CELLS = 40, LEAST_CELLS = 4, ROWS_OF_CELL = 8 };

/* Work of a task that goes on. */
typedef struct {
    gboolean going;
    double since_s;
    double since_bytes; /* moved before */
} Stretch;

struct AftLive {
    const AftScenario *scenario; /* borrowed */
    Stretch stretches[AFT_TASKS];
};

AftLive *aft_live_new(const AftScenario *scenario)
{
    AftLive *live = g_new0(AftLive, 1);
    live->scenario = scenario;
    return live;
}

void aft_live_free(AftLive *live)
{
    g_free(live);
}

void aft_live_see(AftLive *live, const AftObservation *seen)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        Stretch *stretch = &live->stretches[task];
        gboolean going = seen->waiting_bytes[task] > 0.0;
        if (going && !stretch->going) {
            *stretch = (Stretch){TRUE, seen->scenario_s, seen->moved_bytes[task]};
        }
        stretch->going = going;
    }
}

/* A line that takes what fits into it. */
typedef struct {
    GString *text;
    guint columns, most;
    gboolean colour; /* with escapes */
} Line;

static Line line_new(const AftTextStyle *style)
{
    return (Line){g_string_new(NULL), 0, style->width > 0 ? style->width : G_MAXUINT,
                  style->colour};
}

/* Columns that something after two blanks may have. */
static guint room(const Line *line)
{
    guint left = line->most - line->columns;
    return left > 2 ? left - 2 : 0;
}

/* Appends @text after two blanks, if there is room for it; if not, there is none for what follows.
 */
static void line_add(Line *line, const char *text, AftTint tint)
{
    guint gap = line->columns > 0 && *text != '\0' ? 2 : 0;
    guint columns = gap + aft_shown_columns(text);
    if (columns > line->most - line->columns) {
        line->most = line->columns;
        return;
    }
    g_string_append_printf(line->text, "%*s", (int)gap, "");
    aft_tint_append(line->text, text, tint, line->colour);
    line->columns += columns;
}

static char *share_text(double done)
{
    return g_strdup_printf("%3.0f %%", CLAMP(done, 0.0, 1.0) * 100.0);
}

static Line where_line(const AftLive *live, const AftObservation *seen, const AftTextStyle *style)
{
    Line line = line_new(style);
    g_autofree char *now = aft_human_clock(seen->scenario_s);
    g_autofree char *end = aft_human_clock((double)live->scenario->run.duration_ns / 1e9);
    g_autofree char *clock = g_strdup_printf("%s of %s", now, end);
    g_autofree char *share = share_text(seen->done);
    line_add(&line, aft_phase_name(seen->phase), AFT_TINT_STRONG);
    line_add(&line, clock, AFT_TINT_NONE);
    line_add(&line, share, AFT_TINT_NONE);
    guint width = MIN(room(&line), MOST_CELLS);
    g_autofree char *bar = aft_bar(seen->done, width, style->utf8);
    line_add(&line, width >= LEAST_CELLS ? bar : "", AFT_TINT_NONE);
    return line;
}

/* Mean IOPS of some of the rows from @from up to before @to. */
static double mean_iops(const GArray *trace, guint from, guint to)
{
    guint step = MAX((to - from) / ROWS_OF_CELL, 1), n = 0;
    double sum = 0.0;
    for (guint i = from; i < to; i += step, n++) {
        const AftTraceRow *row = &g_array_index(trace, AftTraceRow, i);
        sum += row->read_iops + row->write_iops;
    }
    return sum / n;
}

/* At most @width cells, each of as many rows of the trace. */
static char *course_text(const GArray *trace, double required, guint width, gboolean utf8)
{
    double cells[MOST_CELLS], most = required;
    guint n = MIN(MIN(width, MOST_CELLS), trace->len);
    for (guint i = 0; i < n; i++) {
        guint from = (guint)((guint64)trace->len * i / n);
        cells[i] = mean_iops(trace, from, (guint)((guint64)trace->len * (i + 1) / n));
        most = fmax(most, cells[i]);
    }
    return aft_sparkline(cells, n, most, utf8);
}

static AftTint verdict(gboolean required, gboolean missed)
{
    return !required ? AFT_TINT_NONE : missed ? AFT_TINT_BAD : AFT_TINT_GOOD;
}

/* "107,585 of 107,676"; without @required (nullable) the first alone. */
static char *against_text(const char *name, const char *number, const char *required)
{
    return g_strdup_printf("%s %s%s%s", name, number, required != NULL ? " of " : "",
                           required != NULL ? required : "");
}

static void add_iops(Line *line, double iops, const AftRequirementSpec *required)
{
    gboolean missed = iops < required->iops * (1.0 - required->tolerance);
    g_autofree char *number = aft_human_number(iops, 0);
    g_autofree char *wanted = aft_human_number(required->iops, 0);
    g_autofree char *text = against_text("IOPS", isfinite(iops) ? number : "unknown yet",
                                         required->iops > 0.0 ? wanted : NULL);
    line_add(line, text, verdict(required->iops > 0.0 && isfinite(iops), missed));
}

static void add_latency(Line *line, const char *name, double value_ms, gint64 required_ns)
{
    g_autofree char *number = aft_human_number(value_ms, value_ms < 100.0 ? 2 : 0);
    g_autofree char *ms = g_strconcat(number, " ms", NULL);
    g_autofree char *wanted = aft_units_format(AFT_UNIT_TIME, (double)required_ns / 1e9);
    g_autofree char *text = against_text(name, ms, required_ns > 0 ? wanted : NULL);
    if (isfinite(value_ms)) {
        line_add(line, text, verdict(required_ns > 0, value_ms > (double)required_ns / 1e6));
    }
}

static void add_owed(Line *line, double owed_ios)
{
    g_autofree char *number = aft_human_number(owed_ios, 0);
    g_autofree char *text = g_strdup_printf("owed %s", number);
    if (owed_ios >= 0.5) {
        line_add(line, text, AFT_TINT_NOTICE);
    }
}

/* All of how clients fare, but for how IOPS went. */
static Line clients_line(const AftLive *live, const AftObservation *seen, const AftTextStyle *style,
                         const char *course)
{
    const AftRequirementSpec *required = &live->scenario->requirement;
    Line line = line_new(style);
    add_iops(&line, seen->iops, required);
    line_add(&line, course, AFT_TINT_NONE);
    add_latency(&line, "read", seen->read_mean_ms, required->read_ns);
    add_latency(&line, "write", seen->write_mean_ms, required->write_ns);
    add_owed(&line, seen->owed_ios);
    return line;
}

/* How IOPS went gets the room that the rest leaves. */
static Line fare_line(const AftLive *live, const AftObservation *seen, const AftTextStyle *style)
{
    Line line = clients_line(live, seen, style, "");
    guint width = room(&line);
    g_autofree char *course =
        course_text(seen->trace, live->scenario->requirement.iops, width, style->utf8);
    if (width >= LEAST_CELLS && *course != '\0') {
        g_string_free(line.text, TRUE);
        line = clients_line(live, seen, style, course);
    }
    return line;
}

/* "rebuild 812 GB of 1.72 TB at 443 MB/s, 34 min 10 s left". */
static char *task_text(const AftLive *live, const AftObservation *seen, guint task)
{
    guint n_kinds;
    const char *name = aft_task_kinds(&n_kinds)[task].name;
    const Stretch *stretch = &live->stretches[task];
    double moved = seen->moved_bytes[task] - stretch->since_bytes;
    double per_s = moved / (seen->scenario_s - stretch->since_s);
    double left_s = seen->waiting_bytes[task] / per_s;
    g_autofree char *done = aft_human_bytes(moved);
    g_autofree char *all = aft_human_bytes(moved + seen->waiting_bytes[task]);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s %s of %s", name, done, all);
    if (isfinite(left_s)) {
        g_autofree char *speed = aft_human_bytes(per_s);
        g_autofree char *left = aft_human_duration(left_s);
        g_string_append_printf(text, " at %s/s, %s left", speed, left);
    }
    return g_string_free(text, FALSE);
}

static Line work_line(const AftLive *live, const AftObservation *seen, const AftTextStyle *style)
{
    Line line = line_new(style);
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (live->stretches[task].going) {
            g_autofree char *text = task_text(live, seen, task);
            line_add(&line, text, AFT_TINT_NONE);
        }
    }
    return line;
}

static void free_line(gpointer data)
{
    AftLiveLine *line = data;
    g_free(line->text);
    g_free(line);
}

/* Takes @line. */
static void finish(GPtrArray *lines, Line line)
{
    AftLiveLine *finished = g_new(AftLiveLine, 1);
    *finished = (AftLiveLine){g_string_free(line.text, FALSE), line.columns};
    g_ptr_array_add(lines, finished);
}

GPtrArray *aft_live_lines(const AftLive *live, const AftObservation *seen,
                          const AftTextStyle *style)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(free_line);
    Line work = work_line(live, seen, style);
    line_add(&work, work.columns == 0 ? "no work in the background" : "", AFT_TINT_NONE);
    finish(lines, where_line(live, seen, style));
    finish(lines, fare_line(live, seen, style));
    finish(lines, work);
    return lines;
}

char *aft_live_line(const AftLive *live, const AftObservation *seen)
{
    const AftTextStyle plain = {0};
    Line clients = clients_line(live, seen, &plain, "");
    Line work = work_line(live, seen, &plain);
    g_autofree char *now = aft_human_clock(seen->scenario_s);
    g_autofree char *share = share_text(seen->done);
    char *line = g_strdup_printf("%s  %s  %s  %s%s%s", now, share, aft_phase_name(seen->phase),
                                 clients.text->str, work.text->len > 0 ? "  " : "", work.text->str);
    g_string_free(clients.text, TRUE);
    g_string_free(work.text, TRUE);
    return line;
}
