/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot_parts.h"
#include "gnuplot_text.h"

#include <aftershock/result/palette.h>

enum {
    ROWS = 5,          /* of texts, one above the other */
    LETTER = 7,        /* pixels */
    MOST_BANDS = 2000, /* of phases, from the first on: gnuplot takes long over more */
    MOST_MARKS = 2000
};

AftTimeUnit aft_gnuplot_time_unit(double end_s)
{
    static const AftTimeUnit units[] = {{"d", 86400.0}, {"h", 3600.0}, {"min", 60.0}};
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        if (end_s >= 3.0 * units[i].seconds) {
            return units[i];
        }
    }
    return (AftTimeUnit){"s", 1.0};
}

/* The seconds that @letters of text take on the axis. */
static double width_s(guint letters, double end_s)
{
    double axis = (AFT_GNUPLOT_RIGHT - AFT_GNUPLOT_LEFT) * AFT_GNUPLOT_WIDTH;
    return (double)(letters * LETTER) / axis * end_s;
}

static void add_time(AftOut *out, const AftExport *export, double time_s)
{
    AftTimeUnit unit = aft_gnuplot_time_unit(aft_result_end_s(export->result));
    aft_out_number(out, time_s / unit.seconds, 9);
}

static void add_band(const AftExport *export, AftOut *out, const AftPhaseRow *row)
{
    aft_out_add(out, "set object rectangle from ");
    add_time(out, export, row->start_s);
    aft_out_add(out, ", graph 0 to ");
    add_time(out, export, row->start_s + row->duration_s);
    aft_out_format(out, ", graph 1 behind fillcolor rgb \"#%06x\" fillstyle solid noborder\n",
                   aft_ink_colour(AFT_INK_PHASES + row->phase));
}

void aft_gnuplot_bands(const AftExport *export, AftOut *out)
{
    const GArray *phases = export->result->phases;
    if (phases->len > MOST_BANDS) {
        aft_out_format(out, "# Of %u phases, the first %d have bands.\n", phases->len, MOST_BANDS);
    }
    for (guint i = 0; i < MIN(phases->len, MOST_BANDS); i++) {
        add_band(export, out, &g_array_index(phases, AftPhaseRow, i));
    }
}

void aft_gnuplot_band_names(const AftExport *export, AftOut *out)
{
    const GArray *phases = export->result->phases;
    double end_s = aft_result_end_s(export->result);
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        const char *name = aft_phase_name(row->phase);
        if (row->duration_s >= width_s(aft_gnuplot_length(name), end_s)) {
            aft_out_format(out, "set label \"%s\" at ", name);
            add_time(out, export, row->start_s + row->duration_s / 2.0);
            aft_out_add(out, ", graph 1 center offset 0, 0.6\n");
        }
    }
}

void aft_gnuplot_marks(const AftExport *export, AftOut *out)
{
    const GArray *timeline = export->result->timeline;
    if (timeline->len > MOST_MARKS) {
        aft_out_format(out, "# Of %u events, the first %d are marked.\n", timeline->len,
                       MOST_MARKS);
    }
    for (guint i = 0; i < MIN(timeline->len, MOST_MARKS); i++) {
        double time_s = g_array_index(timeline, AftEventRow, i).time_s;
        if (i == 0 || time_s > g_array_index(timeline, AftEventRow, i - 1).time_s) {
            aft_out_add(out, "set arrow from ");
            add_time(out, export, time_s);
            aft_out_add(out, ", graph 0 to ");
            add_time(out, export, time_s);
            aft_out_format(out, ", graph 1 nohead front dashtype 3 linecolor rgb \"#%06x\"\n",
                           aft_ink_colour(AFT_INK_MUTED));
        }
    }
}

/* Returns: (transfer full): what is drawn of @event. */
static char *text_of(const AftEventRow *event)
{
    const char *subject = event->subject != NULL ? event->subject : "";
    return g_strconcat(event->event, *subject != '\0' ? " " : "", subject, NULL);
}

/* Finds the first row in which @text has room at @time_s. @free_s: from when on each has.
 * Returns: ROWS when there is none. */
static guint place(double free_s[ROWS], const char *text, double time_s, double end_s)
{
    double taken_s = width_s(aft_gnuplot_length(text) + 1, end_s);
    for (guint row = 0; row < ROWS; row++) {
        if (free_s[row] <= time_s) {
            free_s[row] = time_s + taken_s;
            return row;
        }
    }
    return ROWS;
}

guint aft_gnuplot_event_rows(const AftExport *export)
{
    const GArray *timeline = export->result->timeline;
    double free_s[ROWS] = {0.0}, end_s = aft_result_end_s(export->result);
    guint rows = 1;
    for (guint i = 0; i < timeline->len; i++) {
        const AftEventRow *event = &g_array_index(timeline, AftEventRow, i);
        g_autofree char *text = text_of(event);
        guint row = place(free_s, text, event->time_s, end_s);
        rows = row < ROWS ? MAX(rows, row + 1) : rows;
    }
    return rows;
}

void aft_gnuplot_events(const AftExport *export, AftOut *out)
{
    const GArray *timeline = export->result->timeline;
    double free_s[ROWS] = {0.0}, end_s = aft_result_end_s(export->result);
    aft_out_add(out, "time_s\trow\ttext\n");
    for (guint i = 0; i < timeline->len; i++) {
        const AftEventRow *event = &g_array_index(timeline, AftEventRow, i);
        g_autofree char *text = text_of(event);
        guint row = place(free_s, text, event->time_s, end_s);
        aft_out_number(out, event->time_s, 15);
        if (row < ROWS) {
            aft_out_format(out, "\t%u\t", row);
        } else {
            aft_out_add(out, "\t\t"); /* it is not drawn */
        }
        aft_gnuplot_cell(out, text);
    }
}
