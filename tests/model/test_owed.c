/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owed work against a queue that remembers every arrival. */
#include "owed.h"
#include "test.h"

#include <aftershock/random/stream.h>

#define MEAN_GAP_NS 1000000.0

/* The queue that forgets nothing. */
typedef struct {
    AftOwed owed;
    GArray *arrival_ns; /* gint64 a piece */
    guint first;        /* the piece served next */
    gint64 now_ns;
    gint64 most;     /* owed at once, so far */
    gint64 slack_ns; /* what else a wait may be longer by */
    AftStream stream;
} Pair;

static void pair_init(Pair *pair, guint64 seed)
{
    *pair = (Pair){.arrival_ns = g_array_new(FALSE, FALSE, sizeof(gint64))};
    aft_owed_init(&pair->owed);
    aft_stream_init(&pair->stream, seed, 0, "test.owed", 0);
}

static void pair_clear(Pair *pair)
{
    aft_owed_clear(&pair->owed);
    g_array_unref(pair->arrival_ns);
}

static gint64 arrival_ns(const Pair *pair, gint64 piece)
{
    gint64 last = (gint64)pair->arrival_ns->len - 1;
    return g_array_index(pair->arrival_ns, gint64, CLAMP(piece, 0, last));
}

static void pass_time(Pair *pair)
{
    pair->now_ns += (gint64)(MEAN_GAP_NS * aft_stream_exponential(&pair->stream));
}

static void arrive(Pair *pair)
{
    aft_owed_add(&pair->owed, pair->now_ns);
    g_array_append_val(pair->arrival_ns, pair->now_ns);
    pair->most = MAX(pair->most, pair->owed.count);
}

/* Takes a piece; its wait may be that of a piece at most @apart places off. */
static void take(Pair *pair, gint64 apart)
{
    gint64 waited_ns = aft_owed_take(&pair->owed, pair->now_ns);
    gint64 longest_ns = pair->now_ns - arrival_ns(pair, (gint64)pair->first - apart);
    gint64 shortest_ns = pair->now_ns - arrival_ns(pair, (gint64)pair->first + apart);
    assert_true(waited_ns >= shortest_ns && waited_ns <= longest_ns + pair->slack_ns);
    pair->first++;
    assert_int_equal(pair->owed.count, pair->arrival_ns->len - pair->first);
}

static void nothing_is_owed_at_first(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    assert_int_equal(owed.count, 0);
    assert_int_equal(owed.arrived, 0);
    aft_owed_clear(&owed);
}

static void what_is_taken_at_once_has_not_waited(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    for (gint64 now_ns = 5; now_ns < 500; now_ns += 7) {
        aft_owed_add(&owed, now_ns);
        assert_int_equal(aft_owed_take(&owed, now_ns), 0);
    }
    assert_int_equal(owed.arrived, 71);
    aft_owed_clear(&owed);
}

static void two_pieces_wait_each_from_its_own_arrival(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    aft_owed_add(&owed, 0);
    aft_owed_add(&owed, 1);
    assert_int_equal(aft_owed_take(&owed, 10), 10);
    assert_int_equal(aft_owed_take(&owed, 11), 10);
    aft_owed_clear(&owed);
}

/* Below 64 owed pieces every one has a knot. */
static void little_owed_work_waits_exactly(void **state)
{
    (void)state;
    Pair pair;
    pair_init(&pair, 1);
    for (guint i = 0; i < 100000; i++) {
        pass_time(&pair);
        if (pair.owed.count == 0 ||
            (pair.owed.count < 63 && aft_stream_uniform(&pair.stream) < 0.5)) {
            arrive(&pair);
        } else {
            take(&pair, 0);
        }
    }
    assert_true(pair.most > 50);
    pair_clear(&pair);
}

/* Grows to some thousands, drains to nothing, and again. */
static void much_owed_work_waits_as_its_neighbours_did(void **state)
{
    (void)state;
    Pair pair;
    pair_init(&pair, 2);
    for (guint round = 0; round < 6; round++) {
        for (guint i = 0; i < 20000; i++) {
            double growing = i < 10000 ? 0.75 : 0.2;
            pass_time(&pair);
            if (aft_stream_uniform(&pair.stream) < growing) {
                arrive(&pair);
            } else if (pair.owed.count > 0) {
                take(&pair, pair.most / 32);
            }
        }
    }
    assert_true(pair.most > 4000);
    pair_clear(&pair);
}

/* What was being served comes back in front; those behind wait as if nothing had happened. */
static void pieces_given_back_are_in_front(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    for (gint64 i = 0; i < 10; i++) {
        aft_owed_add(&owed, 100 * i);
    }
    for (gint64 i = 0; i < 4; i++) {
        assert_int_equal(aft_owed_take(&owed, 1000), 1000 - 100 * i);
    }
    aft_owed_give_back(&owed, 3, 1500);
    assert_int_equal(owed.count, 9);
    for (guint i = 0; i < 3; i++) {
        assert_true(aft_owed_take(&owed, 2000) >= 2000 - 400);
    }
    for (gint64 i = 4; i < 10; i++) {
        assert_int_equal(aft_owed_take(&owed, 2000), 2000 - 100 * i);
    }
    assert_int_equal(owed.arrived, 10);
    aft_owed_clear(&owed);
}

static void pieces_given_back_to_nothing_wait_from_then_on(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    owed.arrived = 5; /* arrived and were taken, never owed */
    aft_owed_give_back(&owed, 2, 300);
    aft_owed_add(&owed, 400);
    assert_int_equal(aft_owed_take(&owed, 1000), 700);
    assert_int_equal(aft_owed_take(&owed, 1000), 700);
    assert_int_equal(aft_owed_take(&owed, 1000), 600);
    assert_int_equal(owed.count, 0);
    aft_owed_clear(&owed);
}

static void a_piece_withdrawn_leaves_the_waits_of_others_alone(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    for (gint64 i = 0; i < 40; i++) {
        aft_owed_add(&owed, 100 * i);
    }
    for (gint64 i = 0; i < 40; i++) {
        assert_int_equal(aft_owed_take(&owed, 5000), 5000 - 100 * i);
        aft_owed_withdraw(&owed);
        assert_int_equal(owed.arrived, owed.count);
    }
    aft_owed_clear(&owed);
}

/* 1,000 pieces come evenly in a jump of 1,000 us while 600 are served. */
static void a_jump_lays_arrivals_out_evenly(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    for (gint64 i = 0; i < 100; i++) {
        aft_owed_add(&owed, 1000 * i);
    }
    aft_owed_jump(&owed, 100000, 1100000, 1000, 500);
    assert_int_equal(owed.count, 500);
    assert_int_equal(owed.arrived, 1100);
    for (gint64 i = 500; i < 1000; i++) {
        /* Piece i of the jump at 100 us + i us, to the gap between two of them. */
        gint64 waited_ns = aft_owed_take(&owed, 2000000);
        assert_within((double)waited_ns, (double)(2000000 - 100000 - 1000 * i), 1001.0);
    }
    assert_int_equal(owed.count, 0);
    aft_owed_clear(&owed);
}

static void a_jump_over_all_that_is_owed_leaves_nothing(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    aft_owed_jump(&owed, 0, 1000, 50, 0);
    assert_int_equal(owed.arrived, 50);
    aft_owed_add(&owed, 1500);
    aft_owed_jump(&owed, 2000, 3000, 0, 1);
    assert_int_equal(aft_owed_take(&owed, 4000), 2500);
    aft_owed_clear(&owed);
}

/* Jumps between windows of single arrivals, as a sampled run makes them: waits stay within a gap
 * or a knot of the curve's own. */
static void jumps_and_arrivals_mix(void **state)
{
    (void)state;
    Pair pair;
    pair_init(&pair, 3);
    pair.slack_ns = 10000; /* a jump's first piece is taken to come at its very start */
    for (guint round = 0; round < 200; round++) {
        gint64 from_ns = pair.now_ns, served = MIN(pair.owed.count, 90 + (gint64)round % 25);
        for (guint i = 0; i < 100; i++) {
            pair.now_ns = from_ns + 10000 * (i + 1);
            g_array_append_val(pair.arrival_ns, pair.now_ns);
        }
        aft_owed_jump(&pair.owed, from_ns, pair.now_ns, 100, pair.owed.count + 100 - served);
        pair.first += (guint)served;
        pair.most = MAX(pair.most, pair.owed.count);
        for (guint i = 0; i < 50; i++) {
            pair.now_ns += 10000;
            arrive(&pair);
            take(&pair, pair.most / 32 + 1);
        }
    }
    pair_clear(&pair);
}

static void the_least_is_what_was_owed_at_the_lowest(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    for (guint i = 0; i < 5; i++) {
        aft_owed_add(&owed, i);
    }
    aft_owed_watch(&owed);
    assert_int_equal(owed.least, 5);
    aft_owed_take(&owed, 10);
    aft_owed_take(&owed, 10);
    aft_owed_add(&owed, 11);
    assert_int_equal(owed.least, 3);
    aft_owed_clear(&owed);
}

/* Knots lie max(1, count / 32) pieces apart, so up to n owed pieces have at most
 * 64 + 32 ln(n / 64) + 1 of them: 447 for ten millions. As many again may lie behind. */
#define KNOTS_MOST 900u

static void ten_million_owed_pieces_need_little_memory(void **state)
{
    (void)state;
    AftOwed owed;
    aft_owed_init(&owed);
    for (gint64 i = 0; i < 10000000; i++) {
        aft_owed_add(&owed, 1000 * i);
    }
    assert_true(owed.knots->len <= KNOTS_MOST);
    for (gint64 i = 0; i < 10000000; i++) {
        /* Arrivals were even, so a line between knots is exact to the rounding of a double. */
        gint64 waited_ns = aft_owed_take(&owed, 20000000000);
        g_assert(ABS(waited_ns - (20000000000 - 1000 * i)) <= 1);
    }
    aft_owed_clear(&owed);
}

static void ten_million_arrivals_through_a_steady_debt_need_little_memory(void **state)
{
    (void)state;
    AftOwed owed;
    guint most = 0;
    aft_owed_init(&owed);
    for (gint64 i = 0; i < 10000000; i++) {
        aft_owed_add(&owed, i);
        if (i >= 1000) {
            aft_owed_take(&owed, i);
        }
        most = MAX(most, owed.knots->len);
    }
    assert_int_equal(owed.count, 1000);
    assert_true(most <= KNOTS_MOST);
    aft_owed_clear(&owed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_owed_at_first),
        cmocka_unit_test(what_is_taken_at_once_has_not_waited),
        cmocka_unit_test(two_pieces_wait_each_from_its_own_arrival),
        cmocka_unit_test(little_owed_work_waits_exactly),
        cmocka_unit_test(much_owed_work_waits_as_its_neighbours_did),
        cmocka_unit_test(pieces_given_back_are_in_front),
        cmocka_unit_test(pieces_given_back_to_nothing_wait_from_then_on),
        cmocka_unit_test(a_piece_withdrawn_leaves_the_waits_of_others_alone),
        cmocka_unit_test(a_jump_lays_arrivals_out_evenly),
        cmocka_unit_test(a_jump_over_all_that_is_owed_leaves_nothing),
        cmocka_unit_test(jumps_and_arrivals_mix),
        cmocka_unit_test(the_least_is_what_was_owed_at_the_lowest),
        cmocka_unit_test(ten_million_owed_pieces_need_little_memory),
        cmocka_unit_test(ten_million_arrivals_through_a_steady_debt_need_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
