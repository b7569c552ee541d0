/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "openmetrics_parts.h"

static int compare(gconstpointer first, gconstpointer second)
{
    const AftEventRow *one = *(const AftEventRow *const *)first;
    const AftEventRow *other = *(const AftEventRow *const *)second;
    int order = g_strcmp0(one->event, other->event);
    order = order != 0 ? order : g_strcmp0(one->subject, other->subject);
    return order != 0 ? order : (one->time_s > other->time_s) - (one->time_s < other->time_s);
}

/* Series by series, as the text wants it. Returns: (transfer container). */
static GPtrArray *sorted_events(const GArray *timeline)
{
    GPtrArray *events = g_ptr_array_sized_new(timeline->len);
    for (guint i = 0; i < timeline->len; i++) {
        g_ptr_array_add(events, &g_array_index(timeline, AftEventRow, i));
    }
    g_ptr_array_sort(events, compare);
    return events;
}

/* Returns: (transfer full). */
static char *labels_of(const AftExport *export, const AftEventRow *event)
{
    GString *labels = aft_openmetrics_labels(export);
    aft_label_add(labels, "event", event->event);
    aft_label_add(labels, "part", event->subject);
    return g_string_free(labels, FALSE);
}

static gboolean is_same_series(const AftEventRow *one, const AftEventRow *other)
{
    return g_strcmp0(one->event, other->event) == 0 && g_strcmp0(one->subject, other->subject) == 0;
}

/* Writes the series of the event @first. Returns: the first event of the next one. */
static guint write_series(const AftExport *export, AftOut *out, const AftFamily *family,
                          const GPtrArray *events, guint first)
{
    const AftEventRow *begin = g_ptr_array_index(events, first);
    g_autofree char *labels = labels_of(export, begin);
    AftSeries series = aft_series(out, family, labels);
    guint i = first;
    for (; i < events->len && is_same_series(begin, g_ptr_array_index(events, i)); i++) {
        const AftEventRow *event = g_ptr_array_index(events, i);
        aft_series_add(&series, aft_openmetrics_ms(export, event->time_s), 1.0);
    }
    return i;
}

void aft_openmetrics_events(const AftExport *export, AftOut *out)
{
    static const AftFamily family = {"event", "", "1 when it happens."};
    g_autoptr(GPtrArray) events = sorted_events(export->result->timeline);
    if (events->len > 0) {
        aft_family_begin(out, &family);
    }
    guint i = 0;
    while (i < events->len) {
        i = write_series(export, out, &family, events, i);
    }
}
