/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers by hand: 1000 bytes, units of 100, low mark at 200 and high at 800. */
#include "buffer.h"
#include "test.h"

#define MS_NS 1000000

static AftTierSpec tiers(AftTierParity parity)
{
    return (AftTierSpec){
        .parity = parity,
        .low = 0.2,
        .high = 0.8,
        .delay_max_ns = 36 * MS_NS,
        .unit_bytes = 100,
        .in_flight = 8,
        .read_share = 1.0 / 3.0,
    };
}

static const AftDiskSpec disk = {.count = 1, .size_bytes = 1500};

/* Of one pool, in front of @n_behind devices. */
static AftBuffer buffer_of(const AftTierSpec *spec, guint n_behind)
{
    AftBuffer buffer = {.n_behind = n_behind};
    aft_buffer_init(&buffer, spec, &disk, 1);
    return buffer;
}

static AftJob *first_waiting(AftBuffer *buffer, AftJob *jobs, guint n)
{
    for (guint i = 0; i < n; i++) {
        aft_buffer_wait(buffer, &jobs[i]);
    }
    return buffer->waiting;
}

static void assert_claims(AftBuffer *buffer, guint cell, double bytes)
{
    AftClaim claim;
    assert_true(aft_buffer_claim(buffer, &claim));
    assert_int_equal(claim.cell, cell);
    assert_within(claim.bytes, bytes, 0.0);
    aft_buffer_audit(buffer);
}

static void assert_rests(AftBuffer *buffer)
{
    AftClaim claim;
    buffer->rested = FALSE;
    assert_false(aft_buffer_claim(buffer, &claim));
    assert_true(buffer->rested);
}

static void a_log_has_half_of_the_room(void **state)
{
    (void)state;
    AftTierSpec front = tiers(AFT_PARITY_FRONT), destage = tiers(AFT_PARITY_DESTAGE);
    AftBuffer whole = buffer_of(&front, 1), half = buffer_of(&destage, 1);
    assert_within(whole.size_bytes, 1000.0, 1e-9);
    assert_within(half.size_bytes, 500.0, 1e-9);
    assert_within(whole.read_bytes, 500.0, 1e-9);
    assert_within(half.read_bytes, 500.0, 1e-9);
    aft_buffer_clear(&whole);
    aft_buffer_clear(&half);
}

static void it_begins_as_full_as_it_is_told(void **state)
{
    (void)state;
    const double share[] = {0.25, 0.75};
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    spec.start = 0.4;
    AftBuffer buffer = {.n_behind = 2};
    aft_buffer_init(&buffer, &spec, &disk, 2);
    buffer.working_bytes = 400.0;
    aft_buffer_begin(&buffer, share);
    assert_within(buffer.dirty_bytes, 400.0, 1e-9);
    assert_within(aft_buffer_fill(&buffer), 0.4, 1e-12);
    for (guint i = 0; i < 4; i++) {
        assert_within(buffer.dirty[i], i < 2 ? 50.0 : 150.0, 1e-9);
    }
    assert_within(buffer.warm_bytes, 400.0, 1e-9); /* all that is worked on, and there is room */
    buffer.working_bytes = 2000.0;
    assert_within(aft_buffer_warm_most(&buffer), 500.0, 1e-9);
    aft_buffer_audit(&buffer);
    aft_buffer_clear(&buffer);
}

static double delay_ms(double fill)
{
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    aft_buffer_admit(&buffer, 0, 0, fill * 1000.0);
    double delay = (double)aft_buffer_delay_ns(&buffer) / MS_NS;
    aft_buffer_clear(&buffer);
    return delay;
}

static void the_delay_grows_with_the_square_of_the_way(void **state)
{
    (void)state;
    const double nanosecond_ms = 1.001e-6; /* it is cut to whole ones */
    assert_within(delay_ms(0.0), 0.0, 0.0);
    assert_within(delay_ms(0.2), 0.0, 0.0);
    assert_within(delay_ms(0.3), 1.0, nanosecond_ms);
    assert_within(delay_ms(0.5), 9.0, nanosecond_ms);
    assert_within(delay_ms(0.7), 25.0, nanosecond_ms);
    assert_within(delay_ms(0.8), 36.0, nanosecond_ms);
    assert_within(delay_ms(1.0), 36.0, nanosecond_ms);
}

/* Of 1600 bytes stored, 800 are worked on. */
static void check_chances(double dirty, double warm, double overwrite, double hit)
{
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    buffer.working_bytes = 800.0;
    aft_buffer_admit(&buffer, 0, 0, dirty);
    buffer.warm_bytes = warm;
    assert_within(aft_buffer_overwrite_chance(&buffer, NULL), overwrite, 1e-12);
    assert_within(aft_buffer_hit_chance(&buffer, NULL), hit, 1e-12);
    aft_buffer_clear(&buffer);
}

static void chances_follow_what_is_dirty_and_warm(void **state)
{
    (void)state;
    check_chances(0.0, 0.0, 0.0, 0.0);
    check_chances(200.0, 0.0, 0.25, 0.25);
    check_chances(0.0, 400.0, 0.0, 0.5);
    check_chances(200.0, 400.0, 0.25, 1.0 - 0.75 * 0.5);
    check_chances(800.0, 0.0, 1.0, 1.0);
    check_chances(900.0, 0.0, 1.0, 1.0);
    check_chances(0.0, 900.0, 0.0, 1.0);
}

static void what_nobody_works_on_is_never_met(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    buffer.warm_bytes = 100.0;
    aft_buffer_admit(&buffer, 0, 0, 100.0);
    assert_within(aft_buffer_overwrite_chance(&buffer, NULL), 0.0, 0.0);
    assert_within(aft_buffer_hit_chance(&buffer, NULL), 0.0, 0.0);
    aft_buffer_clear(&buffer);
}

static void it_warms_up_to_room_and_use(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    buffer.working_bytes = 2000.0; /* 500 of room */
    aft_buffer_warm(&buffer, 300.0);
    assert_within(buffer.warm_bytes, 300.0, 0.0);
    aft_buffer_warm(&buffer, 300.0);
    assert_within(buffer.warm_bytes, 500.0, 1e-9);
    buffer.working_bytes = 300.0;
    aft_buffer_warm(&buffer, 1.0);
    assert_within(buffer.warm_bytes, 300.0, 0.0);
    aft_buffer_clear(&buffer);
}

static void nothing_is_destaged_below_the_low_mark(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    assert_rests(&buffer);
    aft_buffer_admit(&buffer, 0, 0, 299.0);
    assert_rests(&buffer); /* a unit would leave 199 */
    aft_buffer_admit(&buffer, 0, 0, 151.0);
    assert_claims(&buffer, 0, 100.0);
    assert_claims(&buffer, 0, 100.0); /* leaves 250 */
    assert_rests(&buffer);
    aft_buffer_clear(&buffer);
}

/* Three devices behind: 400, 300 and 250 bytes. */
static void all_devices_behind_are_kept_busy(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 3);
    aft_buffer_admit(&buffer, 0, 0, 250.0);
    aft_buffer_admit(&buffer, 0, 1, 400.0);
    aft_buffer_admit(&buffer, 0, 2, 300.0);
    assert_claims(&buffer, 1, 100.0); /* most, of equals */
    assert_claims(&buffer, 2, 100.0);
    assert_claims(&buffer, 0, 100.0);
    assert_claims(&buffer, 1, 100.0); /* 300 left there against 200 and 150 */
    assert_claims(&buffer, 2, 100.0);
    assert_claims(&buffer, 0, 100.0);
    assert_claims(&buffer, 1, 100.0); /* only 50 left on the first */
    assert_rests(&buffer);            /* 250 are not claimed: one more would leave 150 */
    aft_buffer_clear(&buffer);
}

static void the_one_that_was_served_least_goes_first(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 2);
    AftClaim claim;
    aft_buffer_admit(&buffer, 0, 0, 500.0);
    assert_true(aft_buffer_claim(&buffer, &claim));
    aft_buffer_admit(&buffer, 0, 1, 100.0);
    assert_claims(&buffer, 1, 100.0); /* though the first has more */
    aft_buffer_settle(&buffer, &claim, AFT_CLAIM_DESTAGED);
    assert_claims(&buffer, 0, 100.0);
    aft_buffer_clear(&buffer);
}

/* Units that nobody has would keep writes waiting for ever. */
static void who_waits_for_room_gets_parts_of_units(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 3);
    AftJob job;
    aft_buffer_admit(&buffer, 0, 0, 60.0);
    aft_buffer_admit(&buffer, 0, 2, 90.0);
    assert_rests(&buffer);
    first_waiting(&buffer, &job, 1);
    assert_claims(&buffer, 2, 90.0);
    assert_claims(&buffer, 0, 60.0);
    assert_rests(&buffer); /* nothing is left */
    aft_buffer_clear(&buffer);
}

static void nothing_behind_means_nothing_to_destage(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 0);
    assert_rests(&buffer);
    aft_buffer_jump(&buffer, 0.0, 0.0);
    aft_buffer_audit(&buffer);
    aft_buffer_clear(&buffer);
}

static void a_claim_grows_by_what_its_cell_has(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 2);
    AftClaim claim;
    aft_buffer_admit(&buffer, 0, 0, 350.0);
    aft_buffer_admit(&buffer, 0, 1, 300.0);
    assert_true(aft_buffer_claim(&buffer, &claim));
    aft_buffer_claim_more(&buffer, &claim, 200.0);
    assert_within(claim.bytes, 300.0, 0.0);
    aft_buffer_claim_more(&buffer, &claim, 200.0);
    assert_within(claim.bytes, 350.0, 0.0);
    assert_within(buffer.claimed_bytes, 350.0, 0.0);
    aft_buffer_settle(&buffer, &claim, AFT_CLAIM_DESTAGED);
    assert_within(buffer.dirty_bytes, 300.0, 0.0);
    assert_within(buffer.destaged_bytes, 350.0, 0.0);
    aft_buffer_audit(&buffer);
    aft_buffer_clear(&buffer);
}

static void what_was_not_destaged_is_dirty_still(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    AftClaim claim;
    aft_buffer_admit(&buffer, 0, 0, 300.0);
    assert_true(aft_buffer_claim(&buffer, &claim));
    assert_rests(&buffer);
    aft_buffer_settle(&buffer, &claim, AFT_CLAIM_KEPT);
    assert_within(buffer.dirty_bytes, 300.0, 0.0);
    assert_within(buffer.destaged_bytes, 0.0, 0.0);
    assert_claims(&buffer, 0, 100.0);
    aft_buffer_clear(&buffer);
}

/* A late small one does not slip in before a large one. */
static void room_is_given_first_come_first_served(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = buffer_of(&spec, 1);
    AftJob jobs[3];
    aft_buffer_admit(&buffer, 0, 0, 900.0);
    assert_true(aft_buffer_has_room(&buffer, 100.0));
    assert_false(aft_buffer_has_room(&buffer, 101.0));
    assert_ptr_equal(first_waiting(&buffer, jobs, 3), &jobs[0]);
    assert_false(aft_buffer_has_room(&buffer, 1.0));
    for (guint i = 0; i < 3; i++) {
        assert_ptr_equal(aft_buffer_pop_waiting(&buffer), &jobs[i]);
    }
    assert_null(buffer.waiting);
    assert_true(aft_buffer_has_room(&buffer, 100.0));
    assert_ptr_equal(first_waiting(&buffer, &jobs[1], 1), &jobs[1]); /* the list is whole again */
    assert_ptr_equal(aft_buffer_pop_waiting(&buffer), &jobs[1]);
    aft_buffer_clear(&buffer);
}

static AftBuffer half_claimed(const AftTierSpec *spec)
{
    AftBuffer buffer = buffer_of(spec, 2);
    AftClaim claim;
    aft_buffer_admit(&buffer, 0, 0, 400.0);
    aft_buffer_admit(&buffer, 0, 1, 200.0);
    assert_true(aft_buffer_claim(&buffer, &claim));
    assert_int_equal(claim.cell, 0);
    return buffer;
}

/* Of 500 bytes that nobody claims, three parts in five are in the first cell. */
static void a_jump_moves_cells_by_what_they_have(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = half_claimed(&spec);
    aft_buffer_jump(&buffer, 100.0, 1000.0);
    assert_within(buffer.dirty[0], 460.0, 1e-9);
    assert_within(buffer.dirty[1], 240.0, 1e-9);
    assert_within(buffer.dirty_bytes, 700.0, 1e-9);
    assert_within(buffer.destaged_bytes, 1000.0, 0.0);
    assert_within(buffer.admitted_bytes, 600.0 + 1100.0, 1e-9);
    aft_buffer_jump(&buffer, -200.0, 300.0);
    assert_within(buffer.dirty_bytes, 500.0, 1e-9);
    assert_within(buffer.admitted_bytes, 1700.0 + 100.0, 1e-9);
    aft_buffer_audit(&buffer);
    aft_buffer_clear(&buffer);
}

static void a_jump_ends_at_full_and_at_what_is_claimed(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    AftBuffer buffer = half_claimed(&spec);
    aft_buffer_jump(&buffer, 1e6, 10.0);
    assert_within(buffer.dirty_bytes, 1000.0, 1e-9);
    aft_buffer_audit(&buffer);
    aft_buffer_jump(&buffer, -1e6, 10.0);
    assert_within(buffer.dirty_bytes, 100.0, 1e-9);
    assert_within(buffer.dirty[1], 0.0, 1e-9);
    aft_buffer_audit(&buffer);
    aft_buffer_jump(&buffer, 50.0, 0.0); /* cells without anything get equal parts */
    assert_within(buffer.dirty[0], 125.0, 1e-9);
    assert_within(buffer.dirty[1], 25.0, 1e-9);
    aft_buffer_audit(&buffer);
    aft_buffer_clear(&buffer);
}

/* Nothing goes out on the way up to 700, everything above 200 from there on. */
static void it_is_destaged_from_one_mark_down_to_the_other(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    spec.begin = 0.7;
    AftBuffer buffer = buffer_of(&spec, 1);
    for (guint turn = 0; turn < 2; turn++) {
        aft_buffer_admit(&buffer, 0, 0, 699.0 - buffer.dirty_bytes);
        assert_rests(&buffer);
        aft_buffer_admit(&buffer, 0, 0, 1.0);
        for (guint i = 0; i < 5; i++) {
            AftClaim claim;
            assert_true(aft_buffer_claim(&buffer, &claim));
            assert_within(claim.bytes, 100.0, 0.0);
            aft_buffer_settle(&buffer, &claim, AFT_CLAIM_DESTAGED);
        }
        assert_rests(&buffer);
        assert_within(buffer.dirty_bytes, 200.0, 0.0);
        aft_buffer_audit(&buffer);
    }
    aft_buffer_clear(&buffer);
}

/* A write of 50 finds 1 too little room below a mark that is all of it. */
static void it_begins_when_writes_wait_however_high_the_mark(void **state)
{
    (void)state;
    AftTierSpec spec = tiers(AFT_PARITY_FRONT);
    spec.begin = 1.0;
    AftBuffer buffer = buffer_of(&spec, 1);
    AftJob job = {.next = NULL};
    AftClaim claim;
    aft_buffer_admit(&buffer, 0, 0, 951.0);
    assert_rests(&buffer);
    aft_buffer_wait(&buffer, &job);
    assert_true(aft_buffer_claim(&buffer, &claim));
    aft_buffer_settle(&buffer, &claim, AFT_CLAIM_DESTAGED);
    assert_ptr_equal(aft_buffer_pop_waiting(&buffer), &job);
    for (guint i = 0; i < 6; i++) { /* and goes on, down to 200 or a unit more */
        assert_true(aft_buffer_claim(&buffer, &claim));
        aft_buffer_settle(&buffer, &claim, AFT_CLAIM_DESTAGED);
    }
    assert_rests(&buffer);
    assert_within(buffer.dirty_bytes, 251.0, 1e-9);
    aft_buffer_clear(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_has_half_of_the_room),
        cmocka_unit_test(it_begins_as_full_as_it_is_told),
        cmocka_unit_test(the_delay_grows_with_the_square_of_the_way),
        cmocka_unit_test(chances_follow_what_is_dirty_and_warm),
        cmocka_unit_test(what_nobody_works_on_is_never_met),
        cmocka_unit_test(it_warms_up_to_room_and_use),
        cmocka_unit_test(nothing_is_destaged_below_the_low_mark),
        cmocka_unit_test(it_is_destaged_from_one_mark_down_to_the_other),
        cmocka_unit_test(it_begins_when_writes_wait_however_high_the_mark),
        cmocka_unit_test(all_devices_behind_are_kept_busy),
        cmocka_unit_test(the_one_that_was_served_least_goes_first),
        cmocka_unit_test(who_waits_for_room_gets_parts_of_units),
        cmocka_unit_test(nothing_behind_means_nothing_to_destage),
        cmocka_unit_test(a_claim_grows_by_what_its_cell_has),
        cmocka_unit_test(what_was_not_destaged_is_dirty_still),
        cmocka_unit_test(room_is_given_first_come_first_served),
        cmocka_unit_test(a_jump_moves_cells_by_what_they_have),
        cmocka_unit_test(a_jump_ends_at_full_and_at_what_is_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
