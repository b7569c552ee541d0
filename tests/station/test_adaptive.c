/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contest.h"

#define SECOND_NS G_GINT64_CONSTANT(1000000000)

static const double weights[] = {80.0, 20.0, 20.0, 10.0, 5.0};

static void contest_of(Contest *contest, guint servers)
{
    contest_init(contest, &(AftStationSetup){.servers = servers,
                                             .scheduler = aft_scheduler_find("adaptive"),
                                             .weights = weights});
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        contest->mean_ns[i] *= 1e3; /* 0.5 to 4 ms */
        contest_enter(contest, i);
    }
}

/* A tenth for the background classes together, by their weights; the others share the rest by
 * theirs. To 2 %, as mClock's. */
static void expect_throttled(guint servers)
{
    const double share[] = {0.72, 0.18, 0.1 * 20.0 / 35.0, 0.1 * 10.0 / 35.0, 0.1 * 5.0 / 35.0};
    g_auto(Contest) contest;
    contest_of(&contest, servers);
    aft_station_throttle(contest.yard.station, 0.1);
    contest_open(&contest);
    contest_run(&contest, 120 * SECOND_NS);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        assert_within(contest_share(&contest, i), share[i], 0.02 * share[i]);
    }
}

static void background_classes_share_one_limit(void **state)
{
    (void)state;
    expect_throttled(1);
    expect_throttled(2);
    expect_throttled(8);
}

/* By weight they have 35 / 135 = 0.26: half is no limit to them. */
static void a_limit_above_what_weights_give_changes_nothing(void **state)
{
    (void)state;
    g_auto(Contest) contest;
    contest_of(&contest, 2);
    aft_station_throttle(contest.yard.station, 0.5);
    contest_open(&contest);
    contest_run(&contest, 120 * SECOND_NS);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        double share = weights[i] / 135.0;
        assert_within(contest_share(&contest, i), share, 0.02 * share);
    }
}

/* Throttled for long, they have nothing saved up when they are so no more. */
static void who_was_throttled_saves_nothing(void **state)
{
    (void)state;
    g_auto(Contest) contest;
    contest_of(&contest, 1);
    aft_station_throttle(contest.yard.station, 0.01);
    contest_run(&contest, 120 * SECOND_NS);
    aft_station_throttle(contest.yard.station, 1.0);
    contest_open(&contest);
    contest_run(&contest, 120 * SECOND_NS);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        double share = weights[i] / 135.0;
        assert_within(contest_share(&contest, i), share, 0.02 * share);
    }
}

static void assert_began(const Yard *yard, const gint64 *expected_ns)
{
    for (guint i = 0; i < yard->visits->len; i++) {
        assert_int_equal(((const Visit *)yard->visits->pdata[i])->job.started_ns, expected_ns[i]);
    }
}

/* 10 at a tenth of one server is 100. At 50 half of that is left, which is worth 10 at one half
 * and ends at 60, and from there 10 every 20. */
static void a_new_factor_changes_what_is_left_to_wait(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "adaptive", 1, NULL);
    aft_station_throttle(yard.station, 0.1);
    for (guint i = 0; i < 4; i++) {
        yard_send(&yard, 0, 2 + i % 3, 0, 10);
    }
    aft_engine_run(yard.engine, 50);
    aft_station_throttle(yard.station, 0.5);
    aft_engine_run(yard.engine, 1000);
    assert_began(&yard, (const gint64[]){0, 60, 80, 100});
    assert_int_equal(aft_engine_pending(yard.engine), 0);
}

static void without_a_limit_who_waits_goes_at_once(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "adaptive", 1, NULL);
    aft_station_throttle(yard.station, 0.1);
    for (guint i = 0; i < 3; i++) {
        yard_send(&yard, 0, 4, 0, 10);
    }
    yard_send(&yard, 20, 0, 0, 10); /* not a background class */
    aft_engine_run(yard.engine, 50);
    aft_station_throttle(yard.station, 1.0);
    aft_engine_run(yard.engine, 1000);
    assert_began(&yard, (const gint64[]){0, 50, 60, 20});
    aft_station_audit(yard.station);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(background_classes_share_one_limit),
        cmocka_unit_test(a_limit_above_what_weights_give_changes_nothing),
        cmocka_unit_test(who_was_throttled_saves_nothing),
        cmocka_unit_test(a_new_factor_changes_what_is_left_to_wait),
        cmocka_unit_test(without_a_limit_who_waits_goes_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
