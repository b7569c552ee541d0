/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contest.h"

#define SECOND_NS    G_GINT64_CONSTANT(1000000000)
#define NONE         ((double)INFINITY)
#define STEPS        40 /* of a second, at which limits are looked at */
#define MOST_SECONDS 120

/* When the visit that was sent as the @i-th began. */
static gint64 began_ns(const Yard *yard, guint i)
{
    return ((const Visit *)yard->visits->pdata[i])->job.started_ns;
}

static void yard_of(Yard *yard, guint servers, const double *reservations, const double *limits)
{
    static const double weights[] = {1000.0, 1.0, 1.0, 1.0, 1.0};
    yard_init_with(yard, &(AftStationSetup){.servers = servers,
                                            .scheduler = aft_scheduler_find("mclock"),
                                            .weights = weights,
                                            .reservations = reservations,
                                            .limits = limits});
}

/* A quarter is due to class 4 at 0, 40, 80, ...; the first server is taken when it comes, by 10
 * of class 0, which has all the weight. */
static void a_reservation_is_served_when_it_is_due(void **state)
{
    (void)state;
    const double reservations[] = {0.0, 0.0, 0.0, 0.0, 0.25};
    g_auto(Yard) yard;
    yard_of(&yard, 1, reservations, NULL);
    for (guint i = 0; i < 20; i++) {
        yard_send(&yard, 0, 0, 0, 10);
    }
    for (guint i = 0; i < 4; i++) {
        yard_send(&yard, 0, 4, 0, 10);
    }
    aft_engine_run(yard.engine, 10000);
    assert_int_equal(began_ns(&yard, 20), 10); /* due at 0 */
    assert_int_equal(began_ns(&yard, 21), 40);
    assert_int_equal(began_ns(&yard, 22), 80);
    assert_int_equal(began_ns(&yard, 23), 120);
}

/* Nothing is due from the time in which nobody waited: after 1000, again at 1010 and 1050. */
static void a_reservation_is_not_saved_up(void **state)
{
    (void)state;
    const double reservations[] = {0.0, 0.0, 0.0, 0.0, 0.25};
    g_auto(Yard) yard;
    yard_of(&yard, 1, reservations, NULL);
    yard_send(&yard, 0, 4, 0, 10);
    for (guint i = 0; i < 20; i++) {
        yard_send(&yard, 1000, 0, 0, 10);
    }
    yard_send(&yard, 1001, 4, 0, 10);
    yard_send(&yard, 1001, 4, 0, 10);
    aft_engine_run(yard.engine, 10000);
    assert_int_equal(began_ns(&yard, 21), 1010);
    assert_int_equal(began_ns(&yard, 22), 1050); /* due at 1001 + 40 */
}

/* Half a server: 10 every 20. After a pause one may follow 10 sooner, and no more. */
static void who_is_at_its_limit_waits_for_the_clock(void **state)
{
    (void)state;
    const double limits[] = {0.5, NONE, NONE, NONE, NONE};
    g_auto(Yard) yard;
    yard_of(&yard, 1, NULL, limits);
    for (guint i = 0; i < 6; i++) {
        yard_send(&yard, i < 3 ? 0 : 100, 0, 0, 10);
    }
    aft_engine_run(yard.engine, 10000);
    const gint64 expected_ns[] = {0, 20, 40, 100, 110, 130};
    for (guint i = 0; i < G_N_ELEMENTS(expected_ns); i++) {
        assert_int_equal(began_ns(&yard, i), expected_ns[i]);
    }
    aft_station_audit(yard.station);
    assert_int_equal(aft_engine_pending(yard.engine), 0);
}

/* The same of two servers is one: every 10, though two are free. */
static void limits_are_shares_of_all_servers(void **state)
{
    (void)state;
    const double limits[] = {0.5, NONE, NONE, NONE, NONE};
    g_auto(Yard) yard;
    yard_of(&yard, 2, NULL, limits);
    for (guint i = 0; i < 4; i++) {
        yard_send(&yard, 0, 0, 0, 10);
    }
    aft_engine_run(yard.engine, 10000);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(began_ns(&yard, i), 10 * i);
    }
}

/* 10 of which 4 are serial take all of four servers' interface for 4, more than 10 / 4. */
static void the_scarcer_part_is_what_is_limited(void **state)
{
    (void)state;
    const double limits[] = {0.25, NONE, NONE, NONE, NONE};
    g_auto(Yard) yard;
    yard_of(&yard, 4, NULL, limits);
    for (guint i = 0; i < 4; i++) {
        yard_send(&yard, 0, 0, 4, 6);
    }
    aft_engine_run(yard.engine, 10000);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(began_ns(&yard, i), 16 * i);
    }
}

/* Class 0 is held until 1000; then class 1, held until 100, comes and is woken first. That it
 * began at 10 since it had to wait costs it nothing. */
static void the_first_that_may_be_served_wakes_the_station(void **state)
{
    (void)state;
    const double limits[] = {0.01, 0.1, NONE, NONE, NONE};
    g_auto(Yard) yard;
    yard_of(&yard, 1, NULL, limits);
    yard_send(&yard, 0, 0, 0, 10);
    yard_send(&yard, 0, 0, 0, 10);
    yard_send(&yard, 0, 1, 0, 10);
    yard_send(&yard, 50, 1, 0, 10);
    aft_engine_run(yard.engine, 10000);
    assert_int_equal(began_ns(&yard, 1), 1000);
    assert_int_equal(began_ns(&yard, 2), 10);
    assert_int_equal(began_ns(&yard, 3), 100);
    assert_int_equal(aft_engine_pending(yard.engine), 0);
}

/* 10 that count as 30 of all of two servers: of half every 60, of double every 15. */
static void expect_charged(double limit, gint64 every_ns)
{
    const double limits[] = {limit, NONE, NONE, NONE, NONE};
    g_auto(Yard) yard;
    yard_of(&yard, 2, NULL, limits);
    for (guint i = 0; i < 4; i++) {
        yard_send(&yard, 0, 0, 0, 10)->job.charge_ns = 30;
    }
    aft_engine_run(yard.engine, 10000);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(began_ns(&yard, i), every_ns * i);
    }
}

static void a_job_counts_as_what_it_is_charged(void **state)
{
    (void)state;
    expect_charged(0.5, 60);
    expect_charged(2.0, 15);
}

/* Of four servers two wait with class 1, which may have one of 10 every 25, and serve it at once;
 * after its last, at 50, all serve class 0. */
static void servers_that_spin_serve_whom_they_wait_for(void **state)
{
    (void)state;
    const double limits[] = {NONE, 0.1, NONE, NONE, NONE};
    const gint64 expected_ns[] = {0, 10, 10, 20, 20, 30, 35, 40, 45};
    g_auto(Yard) yard;
    yard_init_with(&yard, &(AftStationSetup){.servers = 4,
                                             .scheduler = aft_scheduler_find("mclock"),
                                             .limits = limits,
                                             .spin = 0.5});
    for (guint i = 0; i < 23; i++) {
        yard_send(&yard, 0, i < 3 ? 1 : 0, 0, 10);
    }
    aft_engine_run(yard.engine, 10000);
    for (guint i = 0; i < 3; i++) {
        assert_int_equal(began_ns(&yard, i), 25 * i);
    }
    for (guint i = 0; i < G_N_ELEMENTS(expected_ns); i++) {
        assert_int_equal(began_ns(&yard, 3 + i), expected_ns[i]);
    }
    assert_int_equal(began_ns(&yard, 12), 50);
    assert_int_equal(began_ns(&yard, 13), 50);
    aft_station_audit(yard.station);
    assert_int_equal(aft_engine_pending(yard.engine), 0);
}

static void a_dropped_station_owes_and_holds_nothing(void **state)
{
    (void)state;
    const double limits[] = {0.001, NONE, NONE, NONE, NONE};
    const double reservations[] = {0.0, 0.0, 0.0, 0.0, 0.01};
    g_auto(Yard) yard;
    yard_of(&yard, 1, reservations, limits);
    yard_send(&yard, 0, 0, 0, 10);
    yard_send(&yard, 0, 0, 0, 10);
    yard_send(&yard, 0, 4, 0, 10);
    aft_engine_run(yard.engine, 50);
    assert_int_equal(aft_engine_pending(yard.engine), 1); /* wakes at 10000 */
    yard_drop(&yard);
    assert_int_equal(aft_engine_pending(yard.engine), 0);
    yard_send(&yard, 60, 0, 0, 10);
    yard_send(&yard, 60, 0, 0, 10);
    yard_send(&yard, 60, 4, 0, 10);
    aft_engine_run(yard.engine, 100000);
    assert_int_equal(began_ns(&yard, 3), 60);
    assert_int_equal(began_ns(&yard, 4), 10040); /* two services are forgiven */
    assert_int_equal(began_ns(&yard, 5), 70);
    aft_station_audit(yard.station);
}

/* Dropped at the moment at which a job of class 4 begins: it is owed a hundredth from then on. */
static void claims_do_not_outlive_a_drop(void **state)
{
    (void)state;
    const double reservations[] = {0.0, 0.0, 0.0, 0.0, 0.01};
    g_auto(Yard) yard;
    yard_of(&yard, 1, reservations, NULL);
    yard_send(&yard, 5000, 4, 0, 10);
    aft_engine_run(yard.engine, 5000);
    yard_drop(&yard);
    for (guint i = 0; i < 200; i++) {
        yard_send(&yard, 5000, 0, 0, 10);
    }
    yard_send(&yard, 5000, 4, 0, 10);
    yard_send(&yard, 5000, 4, 0, 10);
    aft_engine_run(yard.engine, 100000);
    assert_int_equal(began_ns(&yard, 201), 5010);
    assert_int_equal(began_ns(&yard, 202), 6000);
}

static void contest_of(Contest *contest, guint servers, const double *weights,
                       const double *reservations, const double *limits)
{
    contest_init(contest, &(AftStationSetup){.servers = servers,
                                             .scheduler = aft_scheduler_find("mclock"),
                                             .weights = weights,
                                             .reservations = reservations,
                                             .limits = limits});
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        contest->mean_ns[i] *= 1e3; /* 0.5 to 4 ms: a second has many */
    }
}

static void enter_all(Contest *contest)
{
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        contest_enter(contest, i);
    }
}

/* What a class gets of a saturated station is known to 2 %. */
static void expect_share(const Contest *contest, guint class, double share)
{
    assert_within(contest_share(contest, class), share, 0.02 * share);
}

/* Classes 2 and 3 have hardly any weight and get what is reserved; the others share the rest. By
 * weight, class 0 gets more than was reserved for it. */
static void expect_reservations(guint servers)
{
    const double weights[] = {80.0, 20.0, 0.1, 0.1, 5.0};
    const double reservations[] = {0.1, 0.0, 0.5, 0.2, 0.0};
    g_auto(Contest) contest;
    contest_of(&contest, servers, weights, reservations, NULL);
    enter_all(&contest);
    contest_open(&contest);
    contest_run(&contest, MOST_SECONDS * SECOND_NS);
    expect_share(&contest, 0, 0.3 * 80.0 / 105.0);
    expect_share(&contest, 1, 0.3 * 20.0 / 105.0);
    expect_share(&contest, 2, 0.5);
    expect_share(&contest, 3, 0.2);
    expect_share(&contest, 4, 0.3 * 5.0 / 105.0);
}

static void reservations_are_met(void **state)
{
    (void)state;
    expect_reservations(1);
    expect_reservations(3);
    expect_reservations(8);
}

/* Reserved to the last bit: who has nothing reserved waits, and who has gets it. */
static void all_may_be_reserved(void **state)
{
    (void)state;
    const double reservations[] = {0.6, 0.0, 0.3, 0.1, 0.0};
    g_auto(Contest) contest;
    contest_of(&contest, 4, NULL, reservations, NULL);
    enter_all(&contest);
    contest_open(&contest);
    contest_run(&contest, MOST_SECONDS * SECOND_NS);
    expect_share(&contest, 0, 0.6);
    expect_share(&contest, 2, 0.3);
    expect_share(&contest, 3, 0.1);
}

/* Jobs that transfer for a while, in front of 8 servers that the transfers keep from being busy
 * at once: service, transfers included, is still shared by weight. */
static void weights_hold_where_the_serial_part_is_scarce(void **state)
{
    (void)state;
    const double weights[] = {4.0, 1.0, 2.0, 1.0, 1.0};
    g_auto(Contest) contest;
    contest_of(&contest, 8, weights, NULL, NULL);
    contest.serial_ns[2] = 2000000;
    contest.serial_ns[3] = 1000000;
    enter_all(&contest);
    contest_open(&contest);
    contest_run(&contest, MOST_SECONDS * SECOND_NS);
    double whole = 0.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        whole += contest_share(&contest, i);
    }
    assert_true(whole < 0.9);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        expect_share(&contest, i, whole * weights[i] / 9.0);
    }
}

/* What classes had got at each step of a run. */
typedef struct {
    double got_ns[MOST_SECONDS * STEPS + 1][AFT_STATION_CLASSES];
    guint steps;
} Trail;

static void follow(Contest *contest, Trail *trail, guint seconds)
{
    trail->steps = seconds * STEPS;
    contest_open(contest);
    for (guint step = 0; step <= trail->steps; step++) {
        for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
            trail->got_ns[step][i] = contest_got_ns(contest, i);
        }
        contest_run(contest, SECOND_NS / STEPS);
    }
}

/* In no second more than the limit and the longest service that anybody had. */
static void assert_limits(const Contest *contest, const Trail *trail, const double *limits)
{
    double longest_ns = 0.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        longest_ns = MAX(longest_ns, contest->longest_ns[i]);
    }
    double whole_ns = (double)SECOND_NS * aft_station_servers(contest->yard.station);
    for (guint step = STEPS; step <= trail->steps; step++) {
        for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
            double got_ns = trail->got_ns[step][i] - trail->got_ns[step - STEPS][i];
            assert_true(got_ns <= limits[i] * whole_ns + longest_ns);
        }
    }
}

/* Three classes have less than their weights would give them, whoever comes and goes beside. */
static void expect_limits(guint servers)
{
    const double limits[] = {0.2, 0.1, NONE, 0.05, NONE};
    const double shares[] = {0.2, 0.1, 0.325, 0.05, 0.325};
    g_autofree Trail *trail = g_new(Trail, 1);
    g_auto(Contest) contest;
    contest_of(&contest, servers, NULL, NULL, limits);
    enter_all(&contest);
    follow(&contest, trail, MOST_SECONDS);
    assert_limits(&contest, trail, limits);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        expect_share(&contest, i, shares[i]);
    }
    contest.takes_part[2] = contest.takes_part[4] = FALSE;
    contest_run(&contest, SECOND_NS);
    follow(&contest, trail, MOST_SECONDS);
    assert_limits(&contest, trail, limits);
    expect_share(&contest, 0, 0.2); /* alone they get no more, and a server is idle */
    expect_share(&contest, 1, 0.1);
    expect_share(&contest, 3, 0.05);
}

static void limits_hold_over_any_second_and_are_reached(void **state)
{
    (void)state;
    expect_limits(1);
    expect_limits(2);
    expect_limits(8);
}

/* A reservation that was kept waiting is made up for, but not beyond the limit. */
static void reservations_pass_no_limit(void **state)
{
    (void)state;
    const double reservations[] = {0.0, 0.3, 0.0, 0.3, 0.0};
    const double limits[] = {NONE, 0.3, NONE, 0.4, NONE};
    g_autofree Trail *trail = g_new(Trail, 1);
    g_auto(Contest) contest;
    contest_of(&contest, 1, NULL, reservations, limits);
    contest.mean_ns[0] = 5e7; /* keeps everybody waiting */
    enter_all(&contest);
    follow(&contest, trail, MOST_SECONDS);
    assert_limits(&contest, trail, limits);
}

/* Class 0 is held far below what its weight says. Class 2 was away for long, and class 3 stays:
 * they share by weight at once, whatever class 0 may not have. */
static void who_is_held_saves_nothing_for_others(void **state)
{
    (void)state;
    const double weights[] = {100.0, 1.0, 1.0, 1.0, 1.0};
    const double limits[] = {0.1, NONE, NONE, NONE, NONE};
    g_auto(Contest) contest;
    contest_of(&contest, 1, weights, NULL, limits);
    contest_enter(&contest, 0);
    contest_enter(&contest, 2);
    contest_enter(&contest, 3);
    contest_run(&contest, SECOND_NS);
    contest.takes_part[2] = FALSE;
    contest_run(&contest, MOST_SECONDS * SECOND_NS);
    contest_enter(&contest, 2);
    contest_open(&contest);
    contest_run(&contest, 20 * SECOND_NS);
    expect_share(&contest, 0, 0.1);
    expect_share(&contest, 2, 0.45);
    expect_share(&contest, 3, 0.45);
}

/* Class 0 has nine tenths reserved and little weight, so by weight it is far ahead; class 1 was
 * away for long, comes back, and shares with class 2 what is left. */
static void who_comes_back_beside_a_reservation_saves_nothing(void **state)
{
    (void)state;
    const double weights[] = {1.0, 50.0, 50.0, 1.0, 1.0};
    const double reservations[] = {0.8, 0.0, 0.0, 0.0, 0.0};
    g_auto(Contest) contest;
    contest_of(&contest, 1, weights, reservations, NULL);
    contest_enter(&contest, 0);
    contest_enter(&contest, 1);
    contest_enter(&contest, 2);
    contest_run(&contest, SECOND_NS);
    contest.takes_part[1] = FALSE;
    contest_run(&contest, MOST_SECONDS * SECOND_NS);
    contest_enter(&contest, 1);
    contest_open(&contest);
    contest_run(&contest, MOST_SECONDS * SECOND_NS);
    expect_share(&contest, 0, 0.8);
    expect_share(&contest, 1, 0.1);
    expect_share(&contest, 2, 0.1);
}

/* The example that comes with the dmclock project's simulator (sim/dmc_sim_example.conf): a server
 * of 160 I/Os a second, and four clients, each with 2,000 I/Os and always some of them waiting.
 * Nothing is reserved. Each I/O of the last client counts as three, but takes no longer. */
typedef struct {
    double starts_s, weight, limit; /* limit: I/Os a second; 0: none */
    double counts;                  /* each of its I/Os */
} Client;

#define CLIENTS 4
#define IOPS    160.0
#define IOS     2000.0

static const Client example[CLIENTS] = {
    {0.0, 1.0, 0.0, 1.0},
    {5.0, 1.0, 40.0, 1.0},
    {10.0, 2.0, 50.0, 1.0},
    {10.0, 2.0, 50.0, 3.0},
};

/* What is due to each while the same clients are there. Where nobody were limited, shares would go
 * by weight over what an I/O counts: 1 : 1 : 2 : 2/3. But the three others come to their limits of
 * 40, 50 and 50/3, and client 0 gets what they leave. It has 1,400 I/Os done by 10 s, and 600 of
 * 53.3 a second take 11.25 s. The others have theirs after 2,000 / 50, 2,000 / 40 and 2,000 / 16.7
 * s, with the server idle half of the time and more. */
typedef struct {
    double from_s, to_s;
    double iops[CLIENTS];
} Plateau;

static const Plateau plateaus[] = {
    {0.0, 5.0, {160.0}},
    {5.0, 10.0, {120.0, 40.0}},
    {10.0, 21.25, {160.0 - 40.0 - 50.0 - 50.0 / 3.0, 40.0, 50.0, 50.0 / 3.0}},
    {21.25, 50.0, {0.0, 40.0, 50.0, 50.0 / 3.0}},
    {50.0, 55.0, {0.0, 40.0, 0.0, 50.0 / 3.0}},
    {55.0, 130.0, {0.0, 0.0, 0.0, 50.0 / 3.0}},
};

#define STEP_NS   (SECOND_NS / 100)
#define EDGE_S    0.25 /* of a plateau: who has just come or left has not yet been felt */
#define LAST_STEP 14000

static double served(const Contest *contest, guint client)
{
    AftStationSums sums;
    aft_station_sums(contest->yard.station, &sums);
    return (double)sums.class[client].served;
}

/* Lets clients come when they do, and leave when they have done all. @ret_served: what each had
 * done after each step. */
static void run_example(Contest *contest, double ret_served[][CLIENTS])
{
    for (guint step = 0; step <= LAST_STEP; step++) {
        for (guint i = 0; i < CLIENTS; i++) {
            ret_served[step][i] = served(contest, i);
            if (step == example[i].starts_s * (double)SECOND_NS / STEP_NS) {
                contest_enter(contest, i);
            }
            contest->takes_part[i] = contest->takes_part[i] && ret_served[step][i] < IOS;
        }
        contest_run(contest, STEP_NS);
    }
}

static void clients_of_dmclock_s_example_come_and_go(void **state)
{
    (void)state;
    double weights[AFT_STATION_CLASSES], limits[AFT_STATION_CLASSES];
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        gboolean limited = i < CLIENTS && example[i].limit > 0.0;
        weights[i] = i < CLIENTS ? example[i].weight / example[i].counts : 1.0;
        limits[i] = limited ? example[i].limit / example[i].counts / IOPS : NONE;
    }
    g_auto(Contest) contest;
    contest_of(&contest, 1, weights, NULL, limits);
    contest.fixed = TRUE;
    for (guint i = 0; i < CLIENTS; i++) {
        contest.mean_ns[i] = (double)SECOND_NS / IOPS;
    }
    g_autofree double(*done)[CLIENTS] = g_malloc_n(LAST_STEP + 1, sizeof(*done));
    run_example(&contest, done);
    for (guint i = 0; i < G_N_ELEMENTS(plateaus); i++) {
        double from_s = plateaus[i].from_s + EDGE_S, to_s = plateaus[i].to_s - EDGE_S;
        guint first = (guint)(from_s * SECOND_NS / STEP_NS);
        guint last = (guint)(to_s * SECOND_NS / STEP_NS);
        for (guint client = 0; client < CLIENTS; client++) {
            double ios = done[last][client] - done[first][client];
            double expected = plateaus[i].iops[client] * (to_s - from_s);
            assert_within(ios, expected, 0.02 * expected + (expected > 0.0 ? 1.0 : 0.0));
        }
    }
}

/* Whatever is reserved, limited, sent and dropped, the books balance, and everybody is served in
 * the end. */
static void send_some(Yard *yard, AftStream *stream)
{
    gint64 at_ns = aft_engine_now(yard->engine);
    for (guint i = 0; i < 300; i++) {
        at_ns += (gint64)aft_stream_below(stream, 12);
        yard_send(yard, at_ns, (guint)aft_stream_below(stream, AFT_STATION_CLASSES),
                  (gint64)aft_stream_below(stream, 8), (gint64)aft_stream_below(stream, 40));
    }
}

static void expect_books(const char *scheduler, guint index, double spin)
{
    AftStream stream;
    aft_stream_init(&stream, 1, 0, scheduler, index);
    double weights[AFT_STATION_CLASSES], reservations[AFT_STATION_CLASSES],
        limits[AFT_STATION_CLASSES];
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        weights[i] = 1.0 + (double)aft_stream_below(&stream, 100);
        reservations[i] = 0.05 * (double)aft_stream_below(&stream, 5);
        gboolean limited = aft_stream_below(&stream, 2) == 0;
        limits[i] = limited
                        ? MAX(reservations[i], 0.05 * (double)(1 + aft_stream_below(&stream, 19)))
                        : NONE;
    }
    g_auto(Yard) yard;
    yard_init_with(&yard, &(AftStationSetup){.servers = 1 + (guint)aft_stream_below(&stream, 5),
                                             .scheduler = aft_scheduler_find(scheduler),
                                             .weights = weights,
                                             .reservations = reservations,
                                             .limits = limits,
                                             .spin = spin});
    for (guint step = 0; step < 200; step++) {
        if (step % 50 == 0) {
            send_some(&yard, &stream);
        }
        aft_station_throttle(yard.station, 0.05 * (double)(1 + aft_stream_below(&stream, 20)));
        aft_station_slow(yard.station, 0.5 + aft_stream_uniform(&stream));
        aft_engine_run(yard.engine,
                       aft_engine_now(yard.engine) + (gint64)aft_stream_below(&stream, 100));
        aft_station_audit(yard.station);
        if (aft_stream_below(&stream, 40) == 0) {
            yard_drop(&yard);
            aft_station_audit(yard.station);
        }
    }
    aft_engine_run(yard.engine, 100 * SECOND_NS);
    aft_station_audit(yard.station);
    assert_int_equal(yard.left->len + yard.thrown_out->len, yard.visits->len);
    assert_int_equal(aft_engine_pending(yard.engine), 0);
}

static void books_balance_whatever_is_reserved_and_limited(void **state)
{
    (void)state;
    for (guint i = 0; i < 100; i++) {
        expect_books("mclock", i, 0.0);
        expect_books("mclock", i, 0.4);
        expect_books("adaptive", i, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reservation_is_served_when_it_is_due),
        cmocka_unit_test(a_reservation_is_not_saved_up),
        cmocka_unit_test(who_is_at_its_limit_waits_for_the_clock),
        cmocka_unit_test(limits_are_shares_of_all_servers),
        cmocka_unit_test(the_scarcer_part_is_what_is_limited),
        cmocka_unit_test(the_first_that_may_be_served_wakes_the_station),
        cmocka_unit_test(a_job_counts_as_what_it_is_charged),
        cmocka_unit_test(servers_that_spin_serve_whom_they_wait_for),
        cmocka_unit_test(a_dropped_station_owes_and_holds_nothing),
        cmocka_unit_test(claims_do_not_outlive_a_drop),
        cmocka_unit_test(reservations_are_met),
        cmocka_unit_test(all_may_be_reserved),
        cmocka_unit_test(weights_hold_where_the_serial_part_is_scarce),
        cmocka_unit_test(limits_hold_over_any_second_and_are_reached),
        cmocka_unit_test(reservations_pass_no_limit),
        cmocka_unit_test(who_is_held_saves_nothing_for_others),
        cmocka_unit_test(who_comes_back_beside_a_reservation_saves_nothing),
        cmocka_unit_test(clients_of_dmclock_s_example_come_and_go),
        cmocka_unit_test(books_balance_whatever_is_reserved_and_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
