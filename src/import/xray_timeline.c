/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xray_timeline.h"

#include "text.h"

#include <aftershock/base/units.h>

enum { INDENT = 2 };

typedef struct {
    double at_s;
    guint order;
    gboolean comment;
    char *text;
} Entry;

struct AftXrayTimeline {
    GArray *entries;
};

static void clear_entry(gpointer data)
{
    Entry *entry = data;
    g_free(entry->text);
}

AftXrayTimeline *aft_xray_timeline_new(void)
{
    AftXrayTimeline *timeline = g_new0(AftXrayTimeline, 1);
    timeline->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_array_set_clear_func(timeline->entries, clear_entry);
    return timeline;
}

void aft_xray_timeline_free(AftXrayTimeline *timeline)
{
    if (timeline != NULL) {
        g_array_unref(timeline->entries);
        g_free(timeline);
    }
}

static void add(AftXrayTimeline *timeline, double at_s, gboolean comment, char *text)
{
    Entry entry = {at_s, timeline->entries->len, comment, text};
    g_array_append_val(timeline->entries, entry);
}

void aft_xray_timeline_add(AftXrayTimeline *timeline, double at_s, char *event)
{
    add(timeline, at_s, FALSE, event);
}

void aft_xray_timeline_note(AftXrayTimeline *timeline, double at_s, char *note)
{
    add(timeline, at_s, TRUE, note);
}

gboolean aft_xray_timeline_is_full(const AftXrayTimeline *timeline)
{
    return timeline->entries->len > AFT_XRAY_MOST_ENTRIES;
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
    const Entry *first = a, *second = b;
    if (first->at_s != second->at_s) {
        return first->at_s < second->at_s ? -1 : 1;
    }
    return first->order < second->order ? -1 : 1;
}

static void append_entry(GString *yaml, const Entry *entry)
{
    if (entry->comment) {
        aft_text_comment(yaml, INDENT, "%s", entry->text);
        return;
    }
    g_autofree char *at = aft_units_format_exact(AFT_UNIT_TIME, entry->at_s);
    g_string_append_printf(yaml, "%*s- {at: %s, %s}\n", INDENT, "", at, entry->text);
}

void aft_xray_timeline_write(AftXrayTimeline *timeline, double end_s, GString *yaml)
{
    gboolean any = FALSE;
    g_autoptr(GString) lines = g_string_new(NULL);
    g_array_sort(timeline->entries, compare_entries);
    for (guint i = 0; i < timeline->entries->len; i++) {
        const Entry *entry = &g_array_index(timeline->entries, Entry, i);
        if (entry->comment || entry->at_s < end_s) {
            append_entry(lines, entry);
            any = any || !entry->comment;
        }
    }
    g_string_append_printf(yaml, "%s%s", any ? "timeline:\n" : "", lines->str);
}
