/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot_parts.h"
#include "gnuplot_text.h"
#include "kinds.h"

#include <aftershock/result/csv.h>
#include <aftershock/result/palette.h>

#include <math.h>

#define PANEL_PX 190 /* height of a panel, with its gap */
#define GAP_PX   26
#define EVENT_PX 16 /* of a row of texts */
#define TITLE_PX 50
#define NAMES_PX 22 /* of the names of phases, above the first panel */
#define TIMES_PX 50

#define LARGE 1e4 /* from here on numbers beside an axis have a prefix */

enum { MOST_LINES = 6, PANELS = 5 };

typedef struct {
    gsize offset;
    const char *column, *title;
    guint ink;
    gboolean dashed;
} Line;

typedef struct {
    const char *label;
    const char *scale; /* what the cells are multiplied by */
    Line lines[MOST_LINES];
} Panel;

/* Inks of lines: reads and writes have those of the page of a report. Between the last two is one
 * that is too near to that of writes for lines this thin. */
enum { READ, WRITE, THIRD, FOURTH, FIFTH, SIXTH = FIFTH + 2 };

#define LINE(m, t, ink)                                                \
    {                                                                  \
        G_STRUCT_OFFSET(AftTraceRow, m), G_STRINGIFY(m), t, ink, FALSE \
    }
#define DASHED(m, t, ink)                                             \
    {                                                                 \
        G_STRUCT_OFFSET(AftTraceRow, m), G_STRINGIFY(m), t, ink, TRUE \
    }

static const Panel panels[PANELS] = {
    {"IOPS", "1", {LINE(read_iops, "read", READ), LINE(write_iops, "write", WRITE)}},
    {"latency, ms",
     "1",
     {LINE(read_mean_ms, "read mean", READ), DASHED(read_p99_ms, "read p99", READ),
      LINE(write_mean_ms, "write mean", WRITE), DASHED(write_p99_ms, "write p99", WRITE)}},
    {"owed I/Os", "1", {LINE(owed_ios, "owed", READ)}},
    {"background, MB/s",
     "1",
     {LINE(rebuild_mb_per_s, "rebuild", WRITE), LINE(rebalance_mb_per_s, "rebalance", READ),
      LINE(convert_mb_per_s, "convert", FOURTH), LINE(encode_mb_per_s, "encode", FIFTH),
      LINE(scrub_mb_per_s, "scrub", SIXTH), DASHED(destage_mb_per_s, "destage", THIRD)}},
    {"utilization, %",
     "100",
     {LINE(controller_util, "controllers", READ), LINE(nic_util, "network", THIRD),
      LINE(cache_util, "caches", FOURTH), LINE(capacity_util, "capacity", WRITE),
      DASHED(buffer_fill, "buffer fill", FIFTH)}},
};

/* What is drawn, looked up once. */
typedef struct {
    const AftExport *export;
    double most[PANELS][MOST_LINES]; /* the greatest value of a line; 0: it is not drawn */
    guint event_rows;
    guint strip_px, height_px; /* of the part above the panels, and of all */
} Drawing;

/* The greatest value in the column of @line; 0 when there is none. */
static double greatest(const AftExport *export, const Line *line)
{
    const GArray *trace = export->result->trace;
    double most = 0.0;
    for (guint i = 0; line->column != NULL && i < trace->len; i++) {
        double value = G_STRUCT_MEMBER(double, &g_array_index(trace, AftTraceRow, i), line->offset);
        most = isfinite(value) ? fmax(most, value) : most;
    }
    return most;
}

/* The greatest value in @panel; 0: it is not drawn. */
static double panel_most(const Drawing *drawing, guint panel)
{
    double most = 0.0;
    for (guint i = 0; i < MOST_LINES; i++) {
        most = fmax(most, drawing->most[panel][i]);
    }
    return most;
}

static guint shown_panels(const Drawing *drawing)
{
    guint n = 0;
    for (guint i = 0; i < PANELS; i++) {
        n += panel_most(drawing, i) > 0.0 ? 1 : 0;
    }
    return n;
}

static Drawing plan(const AftExport *export)
{
    Drawing drawing = {.export = export, .event_rows = aft_gnuplot_event_rows(export)};
    for (guint i = 0; i < PANELS * MOST_LINES; i++) {
        const Line *line = &panels[i / MOST_LINES].lines[i % MOST_LINES];
        drawing.most[i / MOST_LINES][i % MOST_LINES] = greatest(export, line);
    }
    drawing.strip_px = TITLE_PX + drawing.event_rows * EVENT_PX;
    drawing.height_px =
        drawing.strip_px + NAMES_PX + shown_panels(&drawing) * PANEL_PX + TIMES_PX - GAP_PX;
    return drawing;
}

/* Sees to it that the next plot lies between @top and @bottom pixels from above. */
static void add_margins(const Drawing *drawing, AftOut *out, guint top, guint bottom)
{
    double height = drawing->height_px;
    aft_out_add(out, "set tmargin at screen ");
    aft_out_number(out, 1.0 - top / height, 6);
    aft_out_add(out, "\nset bmargin at screen ");
    aft_out_number(out, 1.0 - bottom / height, 6);
    aft_out_add(out, "\n");
}

static void write_lines(const Drawing *drawing, AftOut *out, guint panel)
{
    const char *before = "plot ";
    for (guint i = 0; i < MOST_LINES; i++) {
        const Line *line = &panels[panel].lines[i];
        if (drawing->most[panel][i] > 0.0) {
            aft_out_format(out,
                           "%strace using (column(\"time_s\") / unit):(column(\"%s\") * %s) \\\n"
                           "    with lines linewidth 1.5 linecolor rgb \"#%06x\"%s title \"%s\"",
                           before, line->column, panels[panel].scale,
                           aft_ink_colour(AFT_INK_LINES + line->ink),
                           line->dashed ? " dashtype (8,4)" : "", line->title);
            before = ", \\\n  ";
        }
    }
    aft_out_add(out, "\n");
}

/* The name and the texts of events, above the panels. */
static void write_strip(const Drawing *drawing, AftOut *out)
{
    add_margins(drawing, out, TITLE_PX, drawing->strip_px);
    aft_out_format(out,
                   "set yrange [%u:0]\nunset border\nunset ytics\nunset xtics\nunset grid\n"
                   "set label 1 ",
                   drawing->event_rows);
    aft_gnuplot_string(out, drawing->export->result->scenario);
    aft_out_add(out, " at screen 0.5, graph 1 center offset 0, 1.2 font \",15\"\n"
                     "unset key\nset datafile separator tab\n"
                     "plot NaN notitle");
    if (drawing->export->result->timeline->len > 0) {
        aft_out_add(out, ", \\\n"
                         "  events using (column(\"time_s\") / unit):(column(\"row\") + 0.5):"
                         "(stringcolumn(\"text\")) \\\n"
                         "    with labels left offset 0.4, 0 font \",10\" notitle");
    }
    aft_out_add(out, "\n"
                     "set datafile separator comma\nunset label 1\nset border 3\n"
                     "set grid ytics front linetype 1 linewidth 0.3 linecolor rgb \"");
    aft_out_format(out, "#%06x\"\n", aft_ink_colour(AFT_INK_RULE));
    aft_out_add(out, "set key at screen 0.86, graph 1 left top Left reverse samplen 2\n"
                     "set ytics nomirror\nset yrange [0:*]\n");
}

static void write_panel(const Drawing *drawing, AftOut *out, guint panel, gboolean last)
{
    aft_out_format(out, "set ylabel \"%s\"\nset format y \"%s\"\n", panels[panel].label,
                   panel_most(drawing, panel) < LARGE ? "%g" : "%.1s%c"); /* 120.0k */
    aft_out_add(out, last ? "set xtics nomirror format \"%g\"\nset xlabel axis\n"
                          : "set xtics nomirror format \"\"\n");
    write_lines(drawing, out, panel);
    aft_out_add(out, "unset label\n");
}

static void write_panels(const Drawing *drawing, AftOut *out)
{
    guint top = drawing->strip_px + NAMES_PX, left = shown_panels(drawing);
    aft_gnuplot_band_names(drawing->export, out);
    for (guint i = 0; i < PANELS; i++) {
        if (panel_most(drawing, i) > 0.0) {
            add_margins(drawing, out, top, top + PANEL_PX - GAP_PX);
            write_panel(drawing, out, i, --left == 0);
            top += PANEL_PX;
        }
    }
}

static void write_settings(const AftExport *export, AftOut *out)
{
    AftTimeUnit unit = aft_gnuplot_time_unit(aft_result_end_s(export->result));
    aft_out_add(out, "unit = ");
    aft_out_number(out, unit.seconds, 9);
    aft_out_format(out, "\naxis = \"time, %s\"\n", unit.name);
    aft_out_add(out, "set encoding utf8\n"
                     "set datafile columnheaders\nset datafile missing \"\"\n");
    aft_out_add(out, "set lmargin at screen ");
    aft_out_number(out, AFT_GNUPLOT_LEFT, 9);
    aft_out_add(out, "\nset rmargin at screen ");
    aft_out_number(out, AFT_GNUPLOT_RIGHT, 9);
    aft_out_add(out, "\nset tics out\n"
                     "set xrange [0:");
    aft_out_number(out, fmax(aft_result_end_s(export->result) / unit.seconds, 1e-3), 9);
    aft_out_add(out, "]\n");
}

static void write_head(const AftExport *export, AftOut *out)
{
    aft_out_add(out,
                "# The timeline of a run, as " AFT_GNUPLOT_SCRIPT " draws it beside itself in\n"
                "# timeline.svg and timeline.png; needs gnuplot 5.4:\n"
                "#     gnuplot " AFT_GNUPLOT_SCRIPT "\n"
                "folder = \"\"\n"
                "do for [i = 1:strlen(ARG0)] {\n"
                "    if (ARG0[i:i] eq \"/\") { folder = ARG0[1:i] }\n"
                "}\n"
                "trace = folder . \"" AFT_GNUPLOT_TRACE "\"\n"
                "events = folder . \"" AFT_GNUPLOT_EVENTS "\"\n");
    write_settings(export, out);
}

/* One picture, which leaves nothing to the next. */
static void write_picture(const Drawing *drawing, AftOut *out, const char *terminal,
                          const char *suffix)
{
    aft_out_format(out,
                   "\nset terminal %s noenhanced size %d, %u font \"sans-serif,11\" "
                   "background rgb \"white\"\n"
                   "set output folder . \"timeline.%s\"\nset multiplot\n",
                   terminal, AFT_GNUPLOT_WIDTH, drawing->height_px, suffix);
    write_strip(drawing, out);
    aft_gnuplot_bands(drawing->export, out);
    aft_gnuplot_marks(drawing->export, out);
    write_panels(drawing, out);
    aft_out_add(out, "unset multiplot\nunset output\nunset object\nunset arrow\nunset label\n"
                     "unset xlabel\nunset ylabel\n");
}

static void write_script(const AftExport *export, AftOut *out)
{
    Drawing drawing = plan(export);
    write_head(export, out);
    write_picture(&drawing, out, "svg", "svg");
    write_picture(&drawing, out, "pngcairo", "png");
}

static void write_trace(const AftExport *export, AftOut *out)
{
    const AftTable *table = aft_trace_table();
    const GArray *rows = export->result->trace;
    g_autoptr(GString) line = g_string_new(NULL);
    aft_csv_append_names(line, table);
    for (guint r = 0; r < rows->len; r++) {
        aft_csv_append_row(line, table, rows->data + (gsize)r * table->row_bytes);
        aft_out_add(out, line->str);
        g_string_truncate(line, 0);
    }
    aft_out_add(out, line->str); /* the names, where there is no row */
}

static const AftExportFile files[] = {
    {AFT_GNUPLOT_SCRIPT, write_script},
    {AFT_GNUPLOT_TRACE, write_trace},
    {AFT_GNUPLOT_EVENTS, aft_gnuplot_events},
};

const AftExportKind aft_export_gnuplot = {
    .name = "gnuplot",
    .needs_trace = TRUE,
    .files = files,
    .n_files = G_N_ELEMENTS(files),
};
