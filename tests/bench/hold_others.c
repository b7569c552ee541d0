/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold_others.c - the hold model on what an engine could have used instead: the binary heap of
 * the textbooks, and GLib's balanced tree and sequence. All keep first in, first out among equal
 * times, call a handler an event, and draw the same delays. */
#include "hold.h"

#include <aftershock/engine/engine.h>
#include <aftershock/random/stream.h>

#define MEAN_NS 1e6

typedef struct {
    gint64 time;
    guint64 sequence;
    AftHandler handler;
    void *context;
} Event;

typedef struct {
    AftStream stream;
    guint64 sequence;
    Event *heap; /* the earliest at 1, the children of i at 2 i and 2 i + 1 */
    guint n;
    GTree *tree;        /* of Event, which it owns */
    GSequence *ordered; /* of Event, which it owns */
    Event *running;     /* has left its place, for its handler to use again */
} Hold;

static gboolean is_before(const Event *a, const Event *b)
{
    return a->time < b->time || (a->time == b->time && a->sequence < b->sequence);
}

static gint compare_events(gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static Event next_event(Hold *self, gint64 now_ns, AftHandler handler)
{
    gint64 delay_ns = (gint64)(MEAN_NS * aft_stream_exponential(&self->stream));
    return (Event){now_ns + delay_ns, self->sequence++, handler, self};
}

static Hold *start(guint n)
{
    Hold *self = g_new0(Hold, 1);
    aft_stream_init(&self->stream, 1, 0, "bench.hold", n);
    return self;
}

static void heap_push(Hold *self, Event event)
{
    guint i = ++self->n;
    for (; i > 1 && is_before(&event, &self->heap[i / 2]); i /= 2) {
        self->heap[i] = self->heap[i / 2];
    }
    self->heap[i] = event;
}

static Event heap_pop(Hold *self)
{
    Event first = self->heap[1], last = self->heap[self->n--];
    guint i = 1;
    for (guint child = 2; child <= self->n; i = child, child *= 2) {
        if (child < self->n && is_before(&self->heap[child + 1], &self->heap[child])) {
            child++;
        }
        if (!is_before(&self->heap[child], &last)) {
            break;
        }
        self->heap[i] = self->heap[child];
    }
    self->heap[i] = last;
    return first;
}

static void hold_in_heap(void *context, gint64 now_ns)
{
    heap_push(context, next_event(context, now_ns, hold_in_heap));
}

void hold_heap_step(void *work, guint64 n_steps)
{
    Hold *self = work;
    for (; n_steps > 0; n_steps--) {
        Event event = heap_pop(self);
        event.handler(event.context, event.time);
    }
}

void *hold_heap_start(guint n)
{
    Hold *self = start(n);
    self->heap = g_new(Event, n + 1);
    for (guint i = 0; i < n; i++) {
        hold_in_heap(self, 0);
    }
    hold_heap_step(self, 4 * (guint64)n + 10000);
    return self;
}

void hold_heap_finish(void *work)
{
    Hold *self = work;
    g_free(self->heap);
    g_free(self);
}

static void hold_in_tree(void *context, gint64 now_ns)
{
    Hold *self = context;
    Event *event = self->running != NULL ? self->running : g_new(Event, 1);
    *event = next_event(self, now_ns, hold_in_tree);
    g_tree_insert(self->tree, event, event);
}

void hold_tree_step(void *work, guint64 n_steps)
{
    Hold *self = work;
    for (; n_steps > 0; n_steps--) {
        self->running = g_tree_node_value(g_tree_node_first(self->tree));
        g_tree_steal(self->tree, self->running);
        self->running->handler(self->running->context, self->running->time);
    }
}

void *hold_tree_start(guint n)
{
    Hold *self = start(n);
    self->tree = g_tree_new_full(compare_events, NULL, g_free, NULL);
    for (guint i = 0; i < n; i++) {
        hold_in_tree(self, 0);
    }
    hold_tree_step(self, 4 * (guint64)n + 10000);
    return self;
}

void hold_tree_finish(void *work)
{
    Hold *self = work;
    g_tree_unref(self->tree);
    g_free(self);
}

static void hold_in_sequence(void *context, gint64 now_ns)
{
    Hold *self = context;
    Event *event = g_new(Event, 1);
    *event = next_event(self, now_ns, hold_in_sequence);
    g_sequence_insert_sorted(self->ordered, event, compare_events, NULL);
}

void hold_sequence_step(void *work, guint64 n_steps)
{
    Hold *self = work;
    for (; n_steps > 0; n_steps--) {
        GSequenceIter *first = g_sequence_get_begin_iter(self->ordered);
        Event event = *(Event *)g_sequence_get(first);
        g_sequence_remove(first);
        event.handler(event.context, event.time);
    }
}

void *hold_sequence_start(guint n)
{
    Hold *self = start(n);
    self->ordered = g_sequence_new(g_free);
    for (guint i = 0; i < n; i++) {
        hold_in_sequence(self, 0);
    }
    hold_sequence_step(self, 4 * (guint64)n + 10000);
    return self;
}

void hold_sequence_finish(void *work)
{
    Hold *self = work;
    g_sequence_free(self->ordered);
    g_free(self);
}
