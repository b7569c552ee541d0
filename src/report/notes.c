/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "notes.h"
#include "human.h"

#include <aftershock/base/units.h>

#include <math.h>
#include <string.h>

enum { WIDE_NAMED = 4 };   /* phases with wide intervals that are named; the table has all */
enum { UNDONE_NAMED = 4 }; /* of what was not done; the events have all */

static void free_note(gpointer note)
{
    g_free(((AftNote *)note)->text);
    g_free(note);
}

/* Takes @text; one that is empty makes no note. */
static void add(GPtrArray *notes, const char *label, GString *text, AftTint tint)
{
    AftNote *note = g_new(AftNote, 1);
    *note = (AftNote){label, g_string_free(text, FALSE), tint};
    if (*note->text == '\0') {
        free_note(note);
    } else {
        g_ptr_array_add(notes, note);
    }
}

/* Appends "A, B" item by item. */
static void append_item(GString *list, const char *before, const char *item, const char *after)
{
    g_string_append_printf(list, "%s%s%s%s", list->len > 0 ? ", " : "", before, item, after);
}

static void append_required(GString *text, double required_iops, double read_ms, double write_ms)
{
    if (required_iops > 0.0) {
        g_autofree char *iops = aft_human_number(required_iops, 0);
        append_item(text, "", iops, " IOPS");
    }
    const double limits_ms[] = {read_ms, write_ms};
    const char *const names[] = {"reads in ", "writes in "};
    for (guint i = 0; i < G_N_ELEMENTS(limits_ms); i++) {
        if (limits_ms[i] > 0.0) {
            g_autofree char *limit = aft_units_format(AFT_UNIT_TIME, limits_ms[i] / 1e3);
            append_item(text, names[i], limit, "");
        }
    }
}

static void add_requirement(GPtrArray *notes, const AftResult *result)
{
    const char *outcome = result->requirement != NULL ? result->requirement : "";
    if (*outcome == '\0') {
        return;
    }
    GString *text = g_string_new(NULL);
    append_required(text, result->required_iops, result->required_read_ms,
                    result->required_write_ms);
    if (g_str_equal(outcome, "met")) {
        g_string_append(text, ": met");
        add(notes, "required", text, AFT_TINT_GOOD);
        return;
    }
    g_auto(GStrv) missed = g_strsplit(outcome, "+", -1);
    g_autofree char *names = g_strjoinv(", ", missed);
    g_autofree char *duration = aft_human_duration(result->missed_s);
    g_string_append_printf(text, ": missed for %s (%s)", duration, names);
    add(notes, "required", text, AFT_TINT_BAD);
}

static gboolean is_back(const AftResult *result)
{
    const GArray *phases = result->phases;
    return phases->len > 0 && g_array_index(phases, AftPhaseRow, phases->len - 1).lost_pgs == 0.0;
}

/* Groups past their tolerance: what is lost while its devices are away comes back with them. */
static void add_loss(GPtrArray *notes, const AftResult *result)
{
    const AftLoss *loss = &result->loss;
    if (!(loss->lost_pgs > 0.0)) {
        return;
    }
    GString *text = g_string_new(NULL);
    g_autofree char *groups = aft_human_number(loss->lost_pgs, 0);
    g_autofree char *bytes = aft_human_bytes(loss->lost_bytes);
    g_string_printf(text, "%s of data in %s placement group%s", bytes, groups,
                    loss->lost_pgs == 1.0 ? "" : "s");
    if (isfinite(loss->first_s)) {
        g_autofree char *first = aft_human_duration(loss->first_s);
        append_item(text, "the first at ", first, "");
    }
    if (is_back(result)) {
        append_item(text, "back in the end", "", "");
    }
    add(notes, is_back(result) ? "DATA AWAY" : "DATA LOST", text, AFT_TINT_BAD);
}

/* Appends "maintenance of node 2 refused at 20 s (it has failed)". */
static void append_undone(GString *text, const AftEventRow *row, AftUndone undone)
{
    g_autofree char *at = aft_human_duration(row->time_s);
    g_autofree char *what =
        g_strndup(row->event, strlen(row->event) - strlen("-") - strlen(aft_undone_name(undone)));
    gboolean all = g_str_equal(row->subject, "cluster");
    g_autofree char *item =
        g_strdup_printf("%s%s%s %s at %s (%s)", what, all ? "" : " of ", all ? "" : row->subject,
                        aft_undone_name(undone), at, row->detail);
    append_item(text, "", item, "");
}

/* What was planned and did not come about. */
static void add_undone(GPtrArray *notes, const GArray *timeline)
{
    GString *text = g_string_new(NULL);
    guint n = 0;
    for (guint i = 0; i < timeline->len; i++) {
        const AftEventRow *row = &g_array_index(timeline, AftEventRow, i);
        AftUndone undone = aft_event_undone(row->event);
        if (undone < AFT_UNDONE_KINDS && ++n <= UNDONE_NAMED) {
            append_undone(text, row, undone);
        }
    }
    if (n > UNDONE_NAMED) {
        g_string_append_printf(text, " and %u more", n - UNDONE_NAMED);
    }
    add(notes, "NOT DONE", text, AFT_TINT_BAD);
}

/* What was moved for one purpose, and how fast while it was. */
static void append_moved(GString *text, const GArray *phases, gsize offset, const char *verb)
{
    double bytes = 0.0, seconds = 0.0;
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        double moved = G_STRUCT_MEMBER(double, row, offset);
        if (moved > 0.0) {
            bytes += moved;
            seconds += row->duration_s;
        }
    }
    if (bytes > 0.0) {
        g_autofree char *amount = aft_human_bytes(bytes);
        g_autofree char *speed = aft_human_bytes(bytes / seconds);
        g_autofree char *item = g_strdup_printf("%s %s at %s/s", amount, verb, speed);
        append_item(text, "", item, "");
    }
}

static void add_moved(GPtrArray *notes, const GArray *phases)
{
    static const struct {
        gsize offset;
        const char *verb;
    } moves[] = {
        {G_STRUCT_OFFSET(AftPhaseRow, rebuild_bytes), "rebuilt"},
        {G_STRUCT_OFFSET(AftPhaseRow, rebalance_bytes), "rebalanced"},
        {G_STRUCT_OFFSET(AftPhaseRow, convert_bytes), "converted"},
        {G_STRUCT_OFFSET(AftPhaseRow, encode_bytes), "encoded"},
        {G_STRUCT_OFFSET(AftPhaseRow, scrub_bytes), "scrubbed"},
        {G_STRUCT_OFFSET(AftPhaseRow, destage_bytes), "destaged"},
    };
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(moves); i++) {
        append_moved(text, phases, moves[i].offset, moves[i].verb);
    }
    add(notes, "moved", text, AFT_TINT_NONE);
}

static void append_shed(GString *text, double ios, const char *why)
{
    if (ios >= 0.5) {
        g_autofree char *number = aft_human_number(ios, 0);
        append_item(text, "", number, why);
    }
}

static void add_owed(GPtrArray *notes, const AftResult *result)
{
    double most_owed = 0.0, shed = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        most_owed = fmax(most_owed, g_array_index(result->trace, AftTraceRow, i).owed_ios);
    }
    for (guint i = 0; i < result->phases->len; i++) {
        double shed_ios = g_array_index(result->phases, AftPhaseRow, i).shed_ios;
        shed += isfinite(shed_ios) ? shed_ios : 0.0;
    }
    GString *text = g_string_new(NULL);
    if (most_owed >= 0.5) {
        g_autofree char *owed = aft_human_number(most_owed, 0);
        append_item(text, "at most ", owed, " I/Os behind the target rate");
    }
    double lost = fmin((double)result->shed_lost_ios, shed);
    append_shed(text, shed - lost, " shed beyond the limit");
    append_shed(text, lost, " shed with the data that was lost");
    add(notes, "owed", text, shed >= 0.5 ? AFT_TINT_NOTICE : AFT_TINT_NONE);
}

/* What is stored, against two copies; of those themselves nothing. */
static void append_saved(GString *text, const AftSpace *space)
{
    double share = space->saved_bytes / (2.0 * space->logical_bytes);
    if (space->logical_bytes > 0.0 && fabs(share) >= 0.0005) {
        g_autofree char *bytes = aft_human_bytes(fabs(space->saved_bytes));
        g_autofree char *percent = aft_human_share(fabs(share));
        g_autofree char *item = g_strdup_printf("%s (%s) %s than two copies", bytes, percent,
                                                share > 0.0 ? "less" : "more");
        append_item(text, "", item, "");
    }
}

static void add_space(GPtrArray *notes, const AftSpace *space)
{
    GString *text = g_string_new(NULL);
    if (space->logical_bytes > 0.0) {
        g_autofree char *logical = aft_human_bytes(space->logical_bytes);
        g_autofree char *protected = aft_human_bytes(space->protected_bytes);
        append_item(text, "", logical, " stored by clients");
        append_item(text, "", protected, " with its protection");
    }
    if (space->raw_bytes > 0.0) {
        g_autofree char *stored = aft_human_bytes(space->stored_bytes);
        g_autofree char *raw = aft_human_bytes(space->raw_bytes);
        g_autofree char *share = aft_human_share(space->stored_bytes / space->raw_bytes);
        g_autofree char *item = g_strdup_printf("%s of %s on the devices (%s)", stored, raw, share);
        append_item(text, "", item, "");
    }
    append_saved(text, space);
    add(notes, "space", text, AFT_TINT_NONE);
}

/* Appends "name ± 3 %" when the interval of @mean is wider than it should be. */
static void append_wide(GString *list, const char *name, double mean, double half_width,
                        double precision)
{
    if (!(mean > 0.0) || half_width <= precision * mean) {
        return;
    }
    if (isnan(half_width)) {
        append_item(list, name, " without an interval", "");
        return;
    }
    g_autofree char *share = aft_human_share(half_width / mean);
    append_item(list, name, " ± ", share);
}

/* Which figures of which phases stayed wide, the first few of them. Returns: (transfer full). */
static char *wide_figures(const GArray *phases, double precision)
{
    GString *all = g_string_new(NULL);
    guint n = 0;
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        g_autoptr(GString) wide = g_string_new(NULL);
        append_wide(wide, "IOPS", row->iops, row->iops_ci, precision);
        append_wide(wide, "read", row->read_mean_ms, row->read_mean_ci_ms, precision);
        append_wide(wide, "write", row->write_mean_ms, row->write_mean_ci_ms, precision);
        if (wide->len > 0 && ++n <= WIDE_NAMED) {
            g_string_append_printf(all, "%s%s (%s)", all->len > 0 ? ", " : "",
                                   aft_phase_name(row->phase), wide->str);
        }
    }
    if (n > WIDE_NAMED) {
        g_string_append_printf(all, " and %u more phases", n - WIDE_NAMED);
    }
    return g_string_free(all, FALSE);
}

static void add_intervals(GPtrArray *notes, const AftResult *result)
{
    if (!(result->confidence > 0.0)) {
        return;
    }
    GString *text = g_string_new(NULL);
    if (g_strcmp0(result->fidelity, "flow") == 0) {
        g_string_assign(text, "none: rates are measured once a state, and remembered");
        add(notes, "intervals", text, AFT_TINT_NONE);
        return;
    }
    g_autofree char *confidence = aft_human_share(result->confidence);
    g_string_printf(text, "± is half of a %s interval", confidence);
    if (result->precision > 0.0) {
        g_autofree char *wide = wide_figures(result->phases, result->precision);
        g_autofree char *wanted = aft_human_share(result->precision);
        g_string_append_printf(text, *wide != '\0' ? "; more than %s in %s" : ", at most %s%s",
                               wanted, wide);
    }
    add(notes, "intervals", text, AFT_TINT_NONE);
}

static void add_simulated(GPtrArray *notes, const AftResult *result)
{
    double end_s = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        end_s = fmax(end_s, row->start_s + row->duration_s);
    }
    GString *text = g_string_new(NULL);
    g_autofree char *ios = aft_human_number((double)result->simulated_ios, 0);
    g_autofree char *simulated = aft_human_duration(result->simulated_s);
    g_autofree char *whole = aft_human_duration(end_s);
    g_string_printf(text, "%s client I/Os in %s out of %s, seed %" G_GUINT64_FORMAT, ios, simulated,
                    whole, result->seed);
    if (result->fidelity != NULL && *result->fidelity != '\0') {
        append_item(text, "fidelity ", result->fidelity, "");
    }
    add(notes, "simulated", text, AFT_TINT_NONE);
}

static void add_interrupted(GPtrArray *notes, const AftResult *result)
{
    if (result->interrupted) {
        add(notes, "stopped", g_string_new("interrupted: the last phase is not complete"),
            AFT_TINT_NOTICE);
    }
}

GPtrArray *aft_notes_new(const AftResult *result)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(free_note);
    add_interrupted(notes, result);
    add_loss(notes, result);
    add_undone(notes, result->timeline);
    add_requirement(notes, result);
    add_moved(notes, result->phases);
    add_owed(notes, result);
    add_space(notes, &result->space);
    add_intervals(notes, result);
    add_simulated(notes, result);
    return notes;
}
