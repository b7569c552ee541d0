/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "grid.h"
#include "human.h"
#include "lines.h"
#include "notes.h"
#include "phase_grid.h"
#include "phase_shares.h"
#include "phase_sparks.h"

#include <math.h>

#define OF(member) G_STRUCT_OFFSET(AftPhaseRow, member)

/* What a line can do without, in the order in which it goes; one bit each. */
typedef enum {
    NEVER = 0,
    LATENCY_SPARKS = 1 << 0,
    LATENCY_INTERVALS = 1 << 1,
    LONG_DURATIONS = 1 << 2, /* clock times instead */
    IOPS_INTERVAL = 1 << 3,
    START = 1 << 4,
    IOPS_SPARKS = 1 << 5,
    P95 = 1 << 6,
    FLAGS_BESIDE = 1 << 7, /* below the table instead */
    SHED_ALL = (1 << 8) - 1
} Shed;

typedef enum { NAME, DURATION, IOPS, IOPS_CI, LATENCY, LATENCY_CI, SPARK, REQUIREMENT, FLAGS } Kind;

typedef struct {
    AftGridColumn column;
    Kind kind;
    gsize offset; /* of the member shown; of a spark, which */
    Shed goes_with;
} Figure;

static const Figure figures[] = {
    {{NULL, "phase", FALSE, FALSE}, NAME, OF(phase), NEVER},
    {{NULL, "start", TRUE, FALSE}, DURATION, OF(start_s), START},
    {{NULL, "duration", TRUE, FALSE}, DURATION, OF(duration_s), NEVER},
    {{NULL, "IOPS", TRUE, FALSE}, IOPS, OF(iops), NEVER},
    {{NULL, "", FALSE, TRUE}, IOPS_CI, OF(iops_ci), IOPS_INTERVAL},
    {{NULL, "over time", FALSE, FALSE}, SPARK, AFT_SPARK_IOPS, IOPS_SPARKS},
    {{"read, ms", "mean", TRUE, FALSE}, LATENCY, OF(read_mean_ms), NEVER},
    {{"read, ms", "", FALSE, TRUE}, LATENCY_CI, OF(read_mean_ci_ms), LATENCY_INTERVALS},
    {{"read, ms", "p95", TRUE, FALSE}, LATENCY, OF(read_p95_ms), P95},
    {{"read, ms", "p99", TRUE, FALSE}, LATENCY, OF(read_p99_ms), NEVER},
    {{"read, ms", "over time", FALSE, FALSE}, SPARK, AFT_SPARK_READ, LATENCY_SPARKS},
    {{"write, ms", "mean", TRUE, FALSE}, LATENCY, OF(write_mean_ms), NEVER},
    {{"write, ms", "", FALSE, TRUE}, LATENCY_CI, OF(write_mean_ci_ms), LATENCY_INTERVALS},
    {{"write, ms", "p95", TRUE, FALSE}, LATENCY, OF(write_p95_ms), P95},
    {{"write, ms", "p99", TRUE, FALSE}, LATENCY, OF(write_p99_ms), NEVER},
    {{"write, ms", "over time", FALSE, FALSE}, SPARK, AFT_SPARK_WRITE, LATENCY_SPARKS},
    {{NULL, "met", FALSE, FALSE}, REQUIREMENT, OF(requirement), NEVER},
    {{NULL, "flags", FALSE, FALSE}, FLAGS, OF(flags), FLAGS_BESIDE},
};

/* One way to show a result. */
typedef struct {
    guint shed; /* what is gone: bits of Shed */
    gboolean utf8;
    guint iops_decimals;
    guint ms_decimals;
    const AftPhaseSparks *sparks; /* (nullable): to be seen while they are not shed */
} View;

/* The smallest of two members over all rows, of those above 0; infinity without any. */
static double smallest(const GArray *phases, gsize first, gsize second)
{
    double least = (double)INFINITY;
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        double a = G_STRUCT_MEMBER(double, row, first), b = G_STRUCT_MEMBER(double, row, second);
        least = a > 0.0 ? fmin(least, a) : least;
        least = b > 0.0 ? fmin(least, b) : least;
    }
    return least;
}

/* As many digits as the smallest figure needs, the same in every row. */
static View view_of(const AftResult *result, gboolean utf8)
{
    double iops = smallest(result->phases, OF(iops), OF(iops));
    double ms = smallest(result->phases, OF(read_mean_ms), OF(write_mean_ms));
    return (View){NEVER, utf8, iops < 100.0 ? 1 : 0, ms < 0.1 ? 3 : ms < 100.0 ? 2 : 1, NULL};
}

static char *requirement_text(const char *outcome)
{
    if (*outcome == '\0' || g_str_equal(outcome, "met")) {
        return g_strdup(*outcome == '\0' ? "" : "yes");
    }
    g_auto(GStrv) missed = g_strsplit(outcome, "+", -1);
    g_autofree char *names = g_strjoinv(", ", missed);
    return g_strconcat("no: ", names, NULL);
}

static char *flags_text(const char *flags)
{
    g_auto(GStrv) each = g_strsplit(flags, "+", -1);
    g_autofree char *joined = g_strjoinv(", ", each);
    return g_strdelimit(g_steal_pointer(&joined), "_", ' ');
}

static char *spark_text(const View *view, const Figure *figure, guint index)
{
    return view->sparks == NULL
               ? g_strdup("")
               : aft_phase_sparks_text(view->sparks, index, (AftSpark)figure->offset, view->utf8);
}

static char *cell_text(const View *view, const Figure *figure, const AftPhaseRow *row)
{
    const double *number =
        (const double *)G_STRUCT_MEMBER_P(row, figure->offset); /* if it is one */
    switch (figure->kind) {
    case NAME:
        return g_strdup(aft_phase_name(row->phase));
    case DURATION:
        return (view->shed & LONG_DURATIONS) != 0 ? aft_human_clock(*number)
                                                  : aft_human_duration(*number);
    case IOPS:
        return aft_human_number(*number, view->iops_decimals);
    case IOPS_CI:
        return aft_human_interval(*number, view->iops_decimals);
    case LATENCY:
        return aft_human_number(*number, view->ms_decimals);
    case LATENCY_CI:
        return aft_human_interval(*number, view->ms_decimals);
    case REQUIREMENT:
        return requirement_text(row->requirement);
    default:
        return flags_text(row->flags);
    }
}

static AftTint cell_tint(Kind kind, const AftPhaseRow *row)
{
    switch (kind) {
    case NAME:
        return AFT_TINT_STRONG;
    case REQUIREMENT:
        return g_str_equal(row->requirement, "met") ? AFT_TINT_GOOD : AFT_TINT_BAD;
    case FLAGS:
        return AFT_TINT_NOTICE;
    default:
        return AFT_TINT_NONE;
    }
}

static AftGrid *lay_out(const AftResult *result, const View *view)
{
    if (result->phases->len >= AFT_MANY_PHASES) {
        return aft_phase_shares_grid(result, view->utf8);
    }
    AftGrid *grid = aft_grid_new(view->utf8);
    for (guint f = 0; f < G_N_ELEMENTS(figures); f++) {
        const Figure *figure = &figures[f];
        if ((figure->goes_with & view->shed) != 0) {
            continue;
        }
        aft_grid_add_column(grid, &figure->column);
        for (guint r = 0; r < result->phases->len; r++) {
            const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, r);
            g_autofree char *text =
                figure->kind == SPARK ? spark_text(view, figure, r) : cell_text(view, figure, row);
            aft_grid_add_cell(grid, text, cell_tint(figure->kind, row));
        }
    }
    return grid;
}

static gboolean fits(const AftResult *result, const View *view, guint width)
{
    g_autoptr(AftGrid) grid = lay_out(result, view);
    return width == 0 || aft_grid_width(grid) <= width;
}

/* Sheds until the grid fits, or nothing is left to shed; then puts back what there is room for. */
static View fit(const AftResult *result, const AftPhaseSparks *sparks, const AftTextStyle *style)
{
    View view = view_of(result, style->utf8);
    view.sparks = sparks;
    while (view.shed != SHED_ALL && !fits(result, &view, style->width)) {
        view.shed = view.shed * 2 + 1;
    }
    for (guint bit = (view.shed + 1) / 2; bit > 0; bit /= 2) {
        View fuller = view;
        fuller.shed &= ~bit;
        view = fits(result, &fuller, style->width) ? fuller : view;
    }
    return view;
}

AftGrid *aft_phase_grid_new(const AftResult *result)
{
    View view = view_of(result, TRUE);
    return lay_out(result, &view);
}

static const char *text_or_nothing(const char *text)
{
    return text != NULL ? text : "";
}

/* Adds those of @flags, joined by '+', that are not in @all yet. */
static void add_flags(GPtrArray *all, const char *flags)
{
    g_auto(GStrv) each = g_strsplit(flags, "+", -1);
    for (guint i = 0; each[i] != NULL; i++) {
        g_strdelimit(each[i], "_", ' ');
        if (!g_ptr_array_find_with_equal_func(all, each[i], g_str_equal, NULL)) {
            g_ptr_array_add(all, g_strdup(each[i]));
        }
    }
}

/* "failed: stall, owed; rebuild: owed", every phase once. */
static char *all_flags_text(const GArray *phases)
{
    GString *text = g_string_new(NULL);
    guint told = 0;
    for (guint i = 0; i < phases->len; i++) {
        AftPhase phase = g_array_index(phases, AftPhaseRow, i).phase;
        g_autoptr(GPtrArray) flags = g_ptr_array_new_with_free_func(g_free);
        for (guint j = i; (told >> phase & 1) == 0 && j < phases->len; j++) {
            const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, j);
            add_flags(flags, row->phase == phase ? row->flags : "");
        }
        told |= 1U << phase;
        g_ptr_array_add(flags, NULL);
        g_autofree char *joined = g_strjoinv(", ", (char **)flags->pdata);
        if (*joined != '\0') {
            g_string_append_printf(text, "%s%s: %s", text->len > 0 ? "; " : "",
                                   aft_phase_name(phase), joined);
        }
    }
    return g_string_free(text, FALSE);
}

static void append_notes(GString *out, const AftResult *result, const View *view,
                         const AftTextStyle *style)
{
    g_autoptr(GPtrArray) notes = aft_notes_new(result);
    g_autofree char *flags = all_flags_text(result->phases);
    gboolean beside = (view->shed & FLAGS_BESIDE) != 0 || result->phases->len >= AFT_MANY_PHASES;
    if (beside && *flags != '\0') {
        aft_lines_append(out, "flags", flags, AFT_TINT_NOTICE, style);
    }
    for (guint i = 0; i < notes->len; i++) {
        const AftNote *note = g_ptr_array_index(notes, i);
        aft_lines_append(out, note->label, note->text, note->tint, style);
    }
}

char *aft_phases_text(const AftResult *result, const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    g_autoptr(AftPhaseSparks) sparks = style->width > 0 ? aft_phase_sparks_new(result) : NULL;
    View view = fit(result, sparks, style);
    aft_lines_append_headline(out, text_or_nothing(result->scenario),
                              text_or_nothing(result->label), style);
    if (result->phases->len == 0) {
        g_string_append(out, "\nThe run ended before it had a phase to show.\n");
    } else {
        g_autoptr(AftGrid) grid = lay_out(result, &view);
        aft_grid_append_text(grid, out, style->colour);
    }
    g_string_append_c(out, '\n');
    append_notes(out, result, &view, style);
    return g_string_free(out, FALSE);
}

char *aft_phases_markdown(const AftResult *result)
{
    GString *out = g_string_new("### ");
    g_autofree char *title =
        aft_lines_headline(text_or_nothing(result->scenario), text_or_nothing(result->label));
    g_string_append_printf(out, "%s\n\n", title);
    View view = view_of(result, TRUE);
    g_autoptr(AftGrid) grid = lay_out(result, &view);
    if (result->phases->len > 0) {
        aft_grid_append_markdown(grid, out);
        g_string_append_c(out, '\n');
    }
    g_autoptr(GPtrArray) notes = aft_notes_new(result);
    for (guint i = 0; i < notes->len; i++) {
        const AftNote *note = g_ptr_array_index(notes, i);
        g_string_append_printf(out, "- **%s**: %s\n", note->label, note->text);
    }
    return g_string_free(out, FALSE);
}
