/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contest.h"

static void the_table_knows_every_scheduler_once(void **state)
{
    (void)state;
    guint n;
    const AftScheduler *const *all = aft_scheduler_all(&n);
    assert_int_equal(n, 6);
    for (guint i = 0; i < n; i++) {
        assert_ptr_equal(aft_scheduler_find(all[i]->name), all[i]);
        assert_true(strlen(all[i]->help) > 0);
        assert_non_null(all[i]->pick);
    }
    assert_non_null(aft_scheduler_find("fifo"));
    assert_non_null(aft_scheduler_find("strict"));
    assert_non_null(aft_scheduler_find("weighted"));
    assert_non_null(aft_scheduler_find("round-robin"));
    assert_non_null(aft_scheduler_find("mclock"));
    assert_non_null(aft_scheduler_find("adaptive"));
    assert_null(aft_scheduler_find("lottery"));
    assert_null(aft_scheduler_find(""));
    assert_null(aft_scheduler_find("FIFO"));
}

/* Returns: (transfer full): the classes of @visits. */
static char *order_of(const GPtrArray *visits)
{
    char *classes = g_malloc0(visits->len + 1);
    for (guint i = 0; i < visits->len; i++) {
        classes[i] = (char)('0' + ((Visit *)visits->pdata[i])->job.class);
    }
    return classes;
}

/* One server; all but the first wait for it to be free. Sends classes as in @arrivals, and expects
 * them to leave as in @departures; each service takes 10. */
static void assert_service_order(const char *scheduler, const double *by, const char *arrivals,
                                 const char *departures)
{
    g_auto(Yard) yard;
    yard_init(&yard, scheduler, 1, by);
    for (const char *at = arrivals; *at != '\0'; at++) {
        yard_send(&yard, 0, (guint)(*at - '0'), 0, 10);
    }
    aft_engine_run(yard.engine, 10000);
    g_autofree char *order = order_of(yard.left);
    assert_string_equal(order, departures);
    aft_station_audit(yard.station);
}

static void fifo_looks_at_no_class(void **state)
{
    (void)state;
    assert_service_order("fifo", NULL, "4302104", "4302104");
}

static void strict_interrupts_nobody_and_then_serves_the_most_urgent(void **state)
{
    (void)state;
    assert_service_order("strict", NULL, "4302104", "4001234");
}

/* Start tags: class 0 (weight 2) 0, 5, 10, 15, ..., class 1 (weight 1) 0, 10, 20, ...; of equal
 * ones, the more urgent is first. */
static void weighted_serves_by_start_tags(void **state)
{
    (void)state;
    const double double_first[AFT_STATION_CLASSES] = {2.0, 1.0, 1.0, 1.0, 1.0};
    assert_service_order("weighted", double_first, "000000111111", "010010010111");
    assert_service_order("weighted", double_first, "111111000000", "100010010111");
    assert_service_order("weighted", NULL, "00001111", "01010101");
}

/* 10 of a serial part and 10 more cost class 1 as much as two services of class 0. */
static void weighted_counts_the_serial_part(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "weighted", 1, NULL);
    for (guint i = 0; i < 6; i++) {
        yard_send(&yard, 0, i % 2, i % 2 * 10, 10);
    }
    aft_engine_run(yard.engine, 10000);
    g_autofree char *order = order_of(yard.left);
    assert_string_equal(order, "010011");
}

/* Services of class 1 take ten times as long, and it gets as many as class 0 with the same weight,
 * half as many with half of it. */
static void round_robin_counts_services(void **state)
{
    (void)state;
    static const struct {
        double weight;
        const char *order;
    } cases[] = {{1.0, "01010101"}, {2.0, "01001001011"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double by[AFT_STATION_CLASSES] = {cases[i].weight, 1.0, 1.0, 1.0, 1.0};
        g_auto(Yard) yard;
        yard_init(&yard, "round-robin", 1, by);
        for (const char *at = cases[i].order; *at != '\0'; at++) {
            yard_send(&yard, 0, (guint)(*at - '0'), 0, *at == '0' ? 10 : 100);
        }
        aft_engine_run(yard.engine, 10000);
        g_autofree char *order = order_of(yard.left);
        assert_string_equal(order, cases[i].order);
        aft_station_audit(yard.station);
    }
}

static const double weights[] = {80.0, 20.0, 20.0, 10.0, 5.0};

/* Of classes that wait all the time, none gets ahead of another, in service over weight, by more
 * than D + 1 of the longest services of both over their weights (Jin et al., 2004, theorem 1). */
static void assert_fair(const Contest *contest)
{
    double ahead[AFT_STATION_CLASSES], step[AFT_STATION_CLASSES];
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        ahead[i] = contest_got_ns(contest, i) / weights[i];
        step[i] = contest->longest_ns[i] / weights[i];
    }
    double depth = aft_station_servers(contest->yard.station) + 1.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        for (guint j = 0; j < AFT_STATION_CLASSES; j++) {
            gboolean compete = contest->takes_part[i] && contest->takes_part[j];
            assert_true(!compete || ahead[i] - ahead[j] <= depth * (step[i] + step[j]));
        }
    }
}

static void begin(Contest *contest, const char *scheduler, guint servers)
{
    contest_init(contest, &(AftStationSetup){.servers = servers,
                                             .scheduler = aft_scheduler_find(scheduler),
                                             .weights = weights});
    contest->served = assert_fair;
}

/* The time is so long that the fairness bound leaves less than a percent of any share. */
static void assert_shares(const Contest *contest)
{
    double sum = 0.0, total = 0.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        sum += contest->takes_part[i] ? weights[i] : 0.0;
    }
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        double share = contest->takes_part[i] ? weights[i] / sum : 0.0;
        assert_within(contest_share(contest, i), share, 0.01 * share);
        total += contest_got_ns(contest, i);
    }
    assert_within(total, contest_capacity_ns(contest), 0.0);
}

#define LONG_NS 100000000

static void expect_shares(const char *scheduler, guint servers)
{
    g_auto(Contest) contest;
    begin(&contest, scheduler, servers);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        contest_enter(&contest, i);
    }
    contest_run(&contest, 0);
    contest_open(&contest);
    contest_run(&contest, LONG_NS);
    assert_shares(&contest);
}

/* Those that share by weight alone, unless told more. */
static const char *const fair[] = {"weighted", "mclock", "adaptive"};

static void service_is_shared_by_weight(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(fair); i++) {
        expect_shares(fair[i], 1);
        expect_shares(fair[i], 2);
        expect_shares(fair[i], 8);
    }
}

/* Class 1 stays away for long: then nothing is left of what it might have had. */
static void expect_nothing_saved(const char *scheduler, guint servers)
{
    g_auto(Contest) contest;
    begin(&contest, scheduler, servers);
    contest_enter(&contest, 0);
    contest_enter(&contest, 1);
    contest_enter(&contest, 3);
    contest_run(&contest, LONG_NS / 10);
    contest.takes_part[1] = FALSE;
    contest_run(&contest, LONG_NS);
    contest_open(&contest);
    contest_run(&contest, LONG_NS);
    assert_shares(&contest); /* the others share what it leaves */
    contest_enter(&contest, 1);
    contest_open(&contest);
    contest_run(&contest, LONG_NS);
    assert_shares(&contest);
}

static void an_idle_class_saves_nothing(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(fair); i++) {
        expect_nothing_saved(fair[i], 1);
        expect_nothing_saved(fair[i], 4);
    }
}

/* One server is busy at the same times whoever is served first. */
static void no_scheduler_is_idle_in_vain(void **state)
{
    (void)state;
    static const char *const names[] = {"fifo", "strict", "weighted", "mclock", "adaptive"};
    Yard yards[G_N_ELEMENTS(names)];
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        yard_init(&yards[i], names[i], 1, NULL);
        AftStream stream;
        aft_stream_init(&stream, 1, 0, "no idling", 0); /* the same for all */
        gint64 at_ns = 0;
        for (guint k = 0; k < 5000; k++) {
            at_ns += (gint64)aft_stream_below(&stream, 100);
            guint class = (guint)aft_stream_below(&stream, AFT_STATION_CLASSES);
            yard_send(&yards[i], at_ns, class, 0, (gint64)aft_stream_below(&stream, 90));
        }
    }
    for (gint64 now_ns = 0; now_ns < 300000; now_ns += 37) {
        AftStationSums sums[G_N_ELEMENTS(names)];
        for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
            aft_engine_run(yards[i].engine, now_ns);
            aft_station_sums(yards[i].station, &sums[i]);
            assert_int_equal(sums[i].busy_ns, sums[0].busy_ns);
        }
    }
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        assert_int_equal(yards[i].left->len, 5000);
        yard_clear(&yards[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_knows_every_scheduler_once),
        cmocka_unit_test(fifo_looks_at_no_class),
        cmocka_unit_test(strict_interrupts_nobody_and_then_serves_the_most_urgent),
        cmocka_unit_test(weighted_serves_by_start_tags),
        cmocka_unit_test(weighted_counts_the_serial_part),
        cmocka_unit_test(round_robin_counts_services),
        cmocka_unit_test(service_is_shared_by_weight),
        cmocka_unit_test(an_idle_class_saves_nothing),
        cmocka_unit_test(no_scheduler_is_idle_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
