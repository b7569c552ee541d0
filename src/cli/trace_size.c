/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_size.h"
#include "terminal.h"

#include <aftershock/base/units.h>
#include <aftershock/result/result.h>

/* From some 100 MB on; half as much more of file. */
#define MANY_ROWS   500000.0
#define ROWS_WANTED 100000.0
#define ROW_OF_FILE 220.0 /* bytes, about */

static double rows_at(const AftScenario *scenario, double interval_s)
{
    return (double)scenario->run.duration_ns / 1e9 / interval_s;
}

typedef struct {
    double seconds;
    const char *text;
} Interval;

/* A round interval that makes as many rows as one can look at. */
static const Interval *better_interval(const AftScenario *scenario)
{
    static const Interval round[] = {{1.0, "1 s"},     {10.0, "10 s"},    {60.0, "1 min"},
                                     {300.0, "5 min"}, {600.0, "10 min"}, {1800.0, "30 min"},
                                     {3600.0, "1 h"},  {21600.0, "6 h"}};
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(round) && rows_at(scenario, round[i].seconds) > ROWS_WANTED) {
        i++;
    }
    return &round[i];
}

void aft_trace_size_warn(const char *command, const AftScenario *scenario, gboolean written)
{
    double interval_s = (double)scenario->run.trace_interval_ns / 1e9;
    double rows = rows_at(scenario, interval_s);
    const Interval *better = better_interval(scenario);
    if (rows < MANY_ROWS || better->seconds <= interval_s) {
        return;
    }
    g_autofree char *interval = aft_units_format(AFT_UNIT_TIME, interval_s);
    g_autofree char *file =
        written ? g_strdup_printf(" and %.1f GB of trace.csv", rows * ROW_OF_FILE / 1e9)
                : g_strdup("");
    aft_say("aftershock %s: a trace of up to %.0f rows, one each %s, may take %.1f GB of memory%s; "
            "--set run.trace_interval=\"%s\" makes it %.0f\n",
            command, rows, interval, rows * sizeof(AftTraceRow) / 1e9, file, better->text,
            rows_at(scenario, better->seconds));
}
