/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calendar against GLib's balanced tree, which orders the same events by time and then by
 * when they were scheduled or last moved. */
#include "../../src/engine/calendar.h"
#include "test.h"

#include <aftershock/random/stream.h>

typedef struct {
    guint64 time;
    guint64 order; /* grows with every event scheduled or moved */
    AftEvent event;
    guint index; /* in Fixture.pending */
} Expected;

typedef struct {
    AftCalendar calendar;
    AftStream stream;
    GTree *tree;        /* of Expected, the earliest first; owns them */
    GPtrArray *pending; /* the same in no order, to pick one at random */
    guint64 now;        /* ns */
    guint64 order;
} Fixture;

static gint compare_expected(gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
    const Expected *left = a, *right = b;
    if (left->time != right->time) {
        return left->time < right->time ? -1 : 1;
    }
    return (left->order > right->order) - (left->order < right->order);
}

static int setup(void **state)
{
    Fixture *self = g_new0(Fixture, 1);
    aft_calendar_init(&self->calendar, AFT_NAME_MARK);
    aft_stream_init(&self->stream, 1, 0, "test.calendar", 0);
    self->tree = g_tree_new_full(compare_expected, NULL, g_free, NULL);
    self->pending = g_ptr_array_new();
    *state = self;
    return 0;
}

static int teardown(void **state)
{
    Fixture *self = *state;
    aft_calendar_clear(&self->calendar);
    g_tree_unref(self->tree);
    g_ptr_array_unref(self->pending);
    g_free(self);
    return 0;
}

static void unused_handler(G_GNUC_UNUSED void *context, G_GNUC_UNUSED gint64 now_ns)
{
    fail();
}

static void schedule(Fixture *self, guint64 time)
{
    Expected *expected = g_new(Expected, 1);
    AftEvent event = aft_calendar_schedule(&self->calendar, time, unused_handler, expected);
    *expected = (Expected){time, self->order++, event, self->pending->len};
    g_ptr_array_add(self->pending, expected);
    g_tree_insert(self->tree, expected, expected);
}

static void forget(Fixture *self, Expected *expected)
{
    g_tree_steal(self->tree, expected);
    g_ptr_array_remove_index_fast(self->pending, expected->index);
    if (expected->index < self->pending->len) {
        ((Expected *)g_ptr_array_index(self->pending, expected->index))->index = expected->index;
    }
    g_free(expected);
}

static void assert_gone(Fixture *self, AftEvent event)
{
    assert_int_equal(aft_calendar_find(&self->calendar, event), AFT_SLOT_NONE);
}

/* The earliest leaves the calendar; its leaf is vacant. */
static void pop(Fixture *self)
{
    Expected *first = g_tree_node_value(g_tree_node_first(self->tree));
    assert_true(aft_calendar_first(&self->calendar) == first->time);
    const AftEntry *entry = aft_calendar_pop(&self->calendar);
    assert_ptr_equal(entry->context, first);
    assert_ptr_equal(entry->handler, unused_handler);
    assert_gone(self, first->event);
    self->now = first->time;
    forget(self, first);
}

static void vacate(Fixture *self)
{
    if (self->calendar.vacant != AFT_LEAF_NONE) {
        aft_calendar_vacate(&self->calendar);
    }
}

static Expected *pick(Fixture *self, guint *ret_slot)
{
    guint64 index = aft_stream_below(&self->stream, self->pending->len);
    Expected *expected = g_ptr_array_index(self->pending, index);
    *ret_slot = aft_calendar_find(&self->calendar, expected->event);
    assert_int_not_equal(*ret_slot, AFT_SLOT_NONE);
    assert_true(aft_calendar_due(&self->calendar, *ret_slot) == expected->time);
    return expected;
}

static void cancel_some(Fixture *self)
{
    guint slot;
    Expected *expected = pick(self, &slot);
    AftEvent event = expected->event;
    aft_calendar_remove(&self->calendar, slot);
    assert_gone(self, event);
    forget(self, expected);
}

static void move_some(Fixture *self, guint64 time)
{
    guint slot;
    Expected *expected = pick(self, &slot);
    aft_calendar_move(&self->calendar, slot, time);
    g_tree_steal(self->tree, expected);
    expected->time = time;
    expected->order = self->order++;
    g_tree_insert(self->tree, expected, expected);
}

static void pop_all(Fixture *self)
{
    while (self->pending->len > 0) {
        assert_int_equal(aft_calendar_pending(&self->calendar), self->pending->len);
        pop(self);
        vacate(self);
    }
    assert_true(aft_calendar_first(&self->calendar) == G_MAXUINT64);
    assert_int_equal(aft_calendar_pending(&self->calendar), 0);
}

typedef guint64 (*Delay)(AftStream *stream);

static guint64 none(G_GNUC_UNUSED AftStream *stream)
{
    return 0;
}

static guint64 below_four(AftStream *stream)
{
    return aft_stream_below(stream, 4);
}

static guint64 below_fifty(AftStream *stream)
{
    return aft_stream_below(stream, 50);
}

static guint64 exponential(AftStream *stream)
{
    return (guint64)(1e6 * aft_stream_exponential(stream));
}

/* From nanoseconds to days, each power of two as likely. */
static guint64 of_any_size(AftStream *stream)
{
    return aft_stream_bits(stream) >> (16 + aft_stream_below(stream, 48));
}

/* Most are due soon, one in ten after three hours. */
static guint64 soon_or_much_later(AftStream *stream)
{
    guint64 later = aft_stream_below(stream, 10) == 0 ? G_GUINT64_CONSTANT(10800000000000) : 0;
    return later + aft_stream_below(stream, 1000);
}

/* What a handler may do: schedule 0 to 2 events, cancel some, move some. Tends to @target. */
static void act(Fixture *self, guint target, Delay delay)
{
    guint dice = (guint)aft_stream_below(&self->stream, 8);
    if (dice == 0 && self->pending->len > 0) {
        move_some(self, self->now + delay(&self->stream));
    }
    if (dice == 1 && self->pending->len > 0) {
        cancel_some(self);
    }
    guint n = self->pending->len < target ? 1 + dice % 3 : dice % 5 == 0;
    for (; n > 0; n--) {
        schedule(self, self->now + delay(&self->stream));
    }
    if (dice == 2 && self->pending->len > 0) {
        move_some(self, self->now + delay(&self->stream));
    }
    if (dice == 3 && self->pending->len > 0) {
        cancel_some(self);
    }
}

/* Does @n random steps. Returns: how many of them found events in the ladder. */
static guint play(Fixture *self, guint n, guint target, Delay delay)
{
    guint n_with_ladder = 0;
    for (guint i = 0; i < n; i++) {
        if (self->pending->len > 0) {
            pop(self);
        }
        act(self, target, delay);
        vacate(self);
        n_with_ladder += self->calendar.far.count > 0;
    }
    assert_int_equal(aft_calendar_pending(&self->calendar), self->pending->len);
    return n_with_ladder;
}

static void few_events_stay_in_the_tournament(void **state)
{
    Fixture *self = *state;
    const Delay delays[] = {none, below_four, below_fifty, exponential, of_any_size};
    for (guint i = 0; i < G_N_ELEMENTS(delays); i++) {
        assert_int_equal(play(self, 8000, 20, delays[i]), 0);
        assert_int_equal(play(self, 8000, 3000, delays[i]), 0);
    }
    pop_all(self);
}

static void many_events_come_and_go_in_order(void **state)
{
    Fixture *self = *state;
    const Delay delays[] = {below_fifty, exponential, of_any_size, soon_or_much_later, below_four};
    for (guint i = 0; i < G_N_ELEMENTS(delays); i++) {
        assert_in_range(play(self, 60000, 25000, delays[i]), 20000, 60000);
        play(self, 60000, 2000, delays[(i + 1) % G_N_ELEMENTS(delays)]);
        assert_int_equal(self->calendar.far.count, 0);
    }
    pop_all(self);
}

static void many_events_of_one_time_keep_their_order(void **state)
{
    Fixture *self = *state;
    for (guint i = 0; i < 40000; i++) {
        schedule(self, 7);
        schedule(self, 9);
    }
    assert_true(self->calendar.far.count > 0);
    play(self, 20000, 80000, none);
    pop_all(self);
}

static void the_ladder_may_be_drained_by_cancelling(void **state)
{
    Fixture *self = *state;
    for (guint i = 0; i < 40000; i++) {
        schedule(self, exponential(&self->stream));
    }
    assert_true(self->calendar.far.count > 20000);
    while (self->pending->len > 100) {
        cancel_some(self);
    }
    pop_all(self);
    assert_int_equal(self->calendar.far.count, 0);
    while (self->pending->len < 40000) {
        schedule(self, self->now + exponential(&self->stream));
    }
    while (self->pending->len > 0) {
        cancel_some(self);
    }
    assert_true(aft_calendar_first(&self->calendar) == G_MAXUINT64);
}

static void the_latest_times_have_their_place(void **state)
{
    Fixture *self = *state;
    for (guint i = 0; i < 40000; i++) {
        schedule(self, (guint64)G_MAXINT64 - exponential(&self->stream) % 1000 * (i % 2));
        schedule(self, of_any_size(&self->stream));
    }
    pop_all(self);
    assert_true(self->now == (guint64)G_MAXINT64);
}

/* Sequence numbers run out in the middle of equal times, with a leaf vacant. */
static void running_out_of_sequence_numbers_changes_no_order(void **state)
{
    Fixture *self = *state;
    const guint64 end = G_GUINT64_CONSTANT(1) << AFT_KEY_SEQUENCE_BITS;
    const guint targets[] = {50, 30000};
    for (guint i = 0; i < G_N_ELEMENTS(targets); i++) {
        play(self, 3 * targets[i], targets[i], below_four);
        for (guint last = 0; last < 6; last++) {
            self->calendar.next_sequence = end - last;
            play(self, 20, targets[i], below_four);
            assert_true(self->calendar.next_sequence < end / 2);
        }
        pop_all(self);
    }
}

/* A tournament of its own, and the calendar, which puts most of so many events into the ladder. */
static void both_structures_agree_on_the_order(void **state)
{
    Fixture *self = *state;
    AftTournament tournament;
    aft_tournament_init(&tournament);
    for (guint i = 0; i < 50000; i++) {
        guint64 time = i % 2 == 0 ? exponential(&self->stream) : below_fifty(&self->stream);
        AftEvent event = aft_calendar_insert(&self->calendar, time, unused_handler, NULL);
        guint leaf = aft_tournament_take(&tournament);
        tournament.entries[leaf].name = event;
        aft_tournament_set(&tournament, leaf, aft_key(time, i, leaf));
    }
    assert_true(self->calendar.far.count > 25000);
    for (guint i = 0; i < 50000; i++) {
        guint leaf = aft_key_tail(aft_tournament_first(&tournament));
        AftEvent name = aft_calendar_pop(&self->calendar)->name - AFT_NAME_STEP;
        assert_true(tournament.entries[leaf].name == name);
        aft_tournament_drop(&tournament, leaf);
        aft_calendar_vacate(&self->calendar);
    }
    aft_tournament_clear(&tournament);
}

static void hold(AftCalendar *calendar, AftStream *stream, guint n_steps)
{
    for (guint i = 0; i < n_steps; i++) {
        guint64 now = aft_calendar_first(calendar);
        aft_calendar_pop(calendar);
        aft_calendar_schedule(calendar, now + exponential(stream), unused_handler, NULL);
    }
}

static void millions_of_events_take_no_more_memory(void **state)
{
    Fixture *self = *state;
    AftCalendar *calendar = &self->calendar;
    const guint n_pending[] = {1000, 60000};
    for (guint i = 0; i < G_N_ELEMENTS(n_pending); i++) {
        while (aft_calendar_pending(calendar) < n_pending[i]) {
            guint64 time = self->now + exponential(&self->stream);
            aft_calendar_insert(calendar, time, unused_handler, NULL);
        }
        hold(calendar, &self->stream, 500000);
        self->now = aft_calendar_first(calendar);
        AftCalendar before = *calendar;
        hold(calendar, &self->stream, 2000000);
        self->now = aft_calendar_first(calendar);
        assert_int_equal(calendar->n_slots, before.n_slots);
        assert_int_equal(calendar->near.room, before.near.room);
        assert_int_equal(calendar->far.n_chunks, before.far.n_chunks);
        assert_int_equal(calendar->far.room, before.far.room);
    }
}

#define calendar_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        calendar_test(few_events_stay_in_the_tournament),
        calendar_test(many_events_come_and_go_in_order),
        calendar_test(many_events_of_one_time_keep_their_order),
        calendar_test(the_ladder_may_be_drained_by_cancelling),
        calendar_test(the_latest_times_have_their_place),
        calendar_test(running_out_of_sequence_numbers_changes_no_order),
        calendar_test(both_structures_agree_on_the_order),
        calendar_test(millions_of_events_take_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
