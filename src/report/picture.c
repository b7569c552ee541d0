/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/picture.h>

#include "charts.h"
#include "human.h"
#include "notes.h"
#include "phase_grid.h"
#include "phase_shares.h"
#include "picture_charts.h"

#include <aftershock/base/error.h>
#include <aftershock/base/shown.h>

#include <math.h>

enum {
    BANDS = 2000, /* of all results together, and so */
    MARKS = AFT_PAGE_EVENTS,
    BESIDE = 3 /* results that fit beside each other */
};

static void clear_mark(gpointer mark)
{
    g_free(((AftEventMark *)mark)->text);
}

static void free_result(gpointer data)
{
    AftPictureResult *result = data;
    g_free(result->label);
    g_free(result->verdict);
    g_array_unref(result->bands);
    g_array_unref(result->marks);
    g_ptr_array_unref(result->notes);
    aft_grid_free(result->phases);
    g_free(result);
}

static void free_grid(gpointer grid)
{
    aft_grid_free(grid);
}

void aft_picture_free(AftPicture *picture)
{
    if (picture != NULL) {
        g_free(picture->title);
        g_free(picture->origin);
        g_ptr_array_unref(picture->results);
        g_ptr_array_unref(picture->charts);
        g_ptr_array_unref(picture->beside);
        g_ptr_array_unref(picture->remarks);
        g_free(picture);
    }
}

static GArray *bands_of(const GArray *phases, guint most)
{
    GArray *bands = g_array_new(FALSE, FALSE, sizeof(AftBand));
    for (guint i = 0; i < MIN(phases->len, most); i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        AftBand band = {row->phase, row->start_s, row->start_s + row->duration_s};
        if (isfinite(band.from_s) && isfinite(band.to_s)) {
            g_array_append_val(bands, band);
        }
    }
    return bands;
}

static guint weight_of(const char *event)
{
    const char *const *grave = aft_chart_grave();
    for (guint i = 0; grave[i] != NULL; i++) {
        if (g_str_has_prefix(event, grave[i])) {
            return 0;
        }
    }
    return g_str_equal(event, "detect") ? 2 : 1;
}

/* "fail node 2". Returns: (transfer full). */
static char *mark_text(const AftEventRow *row)
{
    g_autofree char *event = aft_shown_start(row->event, AFT_SHOWN_MOST);
    g_autofree char *subject = aft_shown_start(row->subject, AFT_SHOWN_MOST);
    gboolean all = *subject == '\0' || g_str_equal(subject, "cluster");
    return all ? g_steal_pointer(&event) : g_strconcat(event, " ", subject, NULL);
}

static GArray *marks_of(const GArray *timeline, guint most)
{
    GArray *marks = g_array_new(FALSE, FALSE, sizeof(AftEventMark));
    g_array_set_clear_func(marks, clear_mark);
    for (guint i = 0; i < MIN(timeline->len, most); i++) {
        const AftEventRow *row = &g_array_index(timeline, AftEventRow, i);
        if (isfinite(row->time_s)) {
            const char *event = row->event != NULL ? row->event : "";
            AftEventMark mark = {row->time_s, mark_text(row), weight_of(event)};
            g_array_append_val(marks, mark);
        }
    }
    return marks;
}

static void add_result(AftPicture *picture, const AftPageResults *page, guint r)
{
    const AftResult *result = page->results[r];
    AftPictureResult *shown = g_new(AftPictureResult, 1);
    *shown = (AftPictureResult){
        .label = g_strdup(page->labels[r]),
        .verdict = aft_page_verdict(result),
        .verdict_tint = aft_page_verdict_tint(result),
        .bands = bands_of(result->phases, BANDS / page->n),
        .marks = marks_of(result->timeline, MARKS / page->n),
        .notes = aft_notes_new(result),
        .phases = result->phases->len > 0 ? aft_phase_grid_new(result) : NULL,
    };
    g_ptr_array_add(picture->results, shown);
}

static void add_beside(AftPicture *picture, const AftPageResults *page)
{
    for (guint first = 0; page->n > 1 && first < page->n; first += BESIDE) {
        AftPageResults some = {.results = page->results + first,
                               .labels = page->labels + first,
                               .n = MIN(page->n - first, BESIDE)};
        g_ptr_array_add(picture->beside, aft_page_phases_beside(&some));
    }
}

static void say(AftPicture *picture, const AftPageResults *page, guint r, const char *text)
{
    gboolean several = page->n > 1;
    g_ptr_array_add(picture->remarks,
                    g_strconcat(several ? page->labels[r] : "", several ? ": " : "", text, NULL));
}

static gboolean has_io(const GArray *trace)
{
    for (guint i = 0; i < trace->len; i++) {
        const AftTraceRow *row = &g_array_index(trace, AftTraceRow, i);
        if (row->read_iops > 0.0 || row->write_iops > 0.0) {
            return TRUE;
        }
    }
    return FALSE;
}

static void add_remarks(AftPicture *picture, const AftPageResults *page, guint r)
{
    const AftResult *result = page->results[r];
    if (result->phases->len == 0) {
        say(picture, page, r, "The run ended before it had a phase to show.");
    }
    if (result->interrupted) {
        say(picture, page, r,
            "Interrupted: the run ended early; this is what happened until then.");
    }
    if (result->trace->len == 0) {
        say(picture, page, r, "There is no trace, so there is nothing to draw.");
    } else if (!has_io(result->trace)) {
        say(picture, page, r, "There was no client I/O.");
    }
    if (result->timeline->len > MARKS / page->n) {
        g_autofree char *more = aft_human_number(result->timeline->len - MARKS / page->n, 0);
        g_autofree char *text = g_strconcat(more, " more events are in events.csv.", NULL);
        say(picture, page, r, text);
    }
}

/* Who made the first result, and how. Returns: (transfer full). */
static char *origin_of(const AftPageResults *page)
{
    const AftResult *result = page->results[0];
    g_autofree char *version = aft_shown_start(result->version, AFT_SHOWN_MOST);
    g_autofree char *fidelity = aft_shown_start(result->fidelity, AFT_SHOWN_MOST);
    GString *text = g_string_new("Aftershock ");
    g_string_append(text, version);
    if (page->n == 1) {
        g_string_append_printf(text, ", seed %" G_GUINT64_FORMAT, result->seed);
        g_string_append_printf(text, *fidelity != '\0' ? ", fidelity %s" : "%s", fidelity);
    }
    return g_string_free(text, FALSE);
}

static void say_what_is_behind(AftPicture *picture, const AftPageResults *page)
{
    if (page->n > 1) {
        g_ptr_array_add(picture->remarks,
                        g_strconcat("Behind the lines are the phases, the events and what is "
                                    "required of ",
                                    page->labels[0], ".", NULL));
    }
}

static AftPicture *picture_of(const AftPageResults *page)
{
    AftPicture *picture = g_new0(AftPicture, 1);
    *picture = (AftPicture){
        .title = aft_page_title(page),
        .origin = origin_of(page),
        .results = g_ptr_array_new_with_free_func(free_result),
        .charts = g_ptr_array_new_with_free_func(aft_picture_free_chart),
        .beside = g_ptr_array_new_with_free_func(free_grid),
        .remarks = g_ptr_array_new_with_free_func(g_free),
    };
    say_what_is_behind(picture, page);
    for (guint r = 0; r < page->n; r++) {
        picture->end_s = fmax(picture->end_s, aft_result_end_s(page->results[r]));
        add_result(picture, page, r);
        add_remarks(picture, page, r);
    }
    add_beside(picture, page);
    aft_picture_add_charts(picture->charts, page);
    return picture;
}

AftPicture *aft_picture_new(const AftResult *const *results, guint n, GError **error)
{
    if (n < 1 || n > AFT_PAGE_MOST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "a picture holds 1 to %u results, not %u",
                    AFT_PAGE_MOST, n);
        return NULL;
    }
    g_auto(GStrv) labels = aft_page_labels(results, n);
    return picture_of(&(AftPageResults){.results = results, .labels = labels, .n = n});
}
