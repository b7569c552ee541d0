/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "visit.h"

static void one_server_serves_in_order_of_arrival(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 1, NULL);
    Visit *visits[] = {
        yard_send(&yard, 0, 2, 0, 10),
        yard_send(&yard, 3, 0, 0, 5),
        yard_send(&yard, 3, 2, 0, 1), /* an equal time: sent later */
        yard_send(&yard, 40, 1, 0, 7),
    };
    aft_engine_run(yard.engine, 100);
    assert_visits(yard.left, visits, 4);
    assert_int_equal(visits[0]->left_ns, 10);
    assert_int_equal(visits[1]->left_ns, 15);
    assert_int_equal(visits[2]->left_ns, 16);
    assert_int_equal(visits[3]->left_ns, 47);
    aft_station_audit(yard.station);
}

static void several_servers_serve_at_once(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 2, NULL);
    assert_int_equal(aft_station_servers(yard.station), 2);
    Visit *first = yard_send(&yard, 0, 0, 0, 10);
    Visit *second = yard_send(&yard, 0, 0, 0, 4);
    Visit *third = yard_send(&yard, 1, 0, 0, 4);
    Visit *fourth = yard_send(&yard, 2, 0, 0, 1);
    aft_engine_run(yard.engine, 2);
    assert_int_equal(aft_station_jobs(yard.station), 4);
    aft_engine_run(yard.engine, 100);
    Visit *visits[] = {second, third, fourth, first};
    assert_int_equal(aft_station_jobs(yard.station), 0);
    assert_int_equal(second->left_ns, 4);
    assert_int_equal(third->left_ns, 8);
    assert_int_equal(fourth->left_ns, 9);
    assert_int_equal(first->left_ns, 10);
    assert_visits(yard.left, visits, 4);
    aft_station_audit(yard.station);
}

/* Serial part, then access: | 3 | 10 | on four servers; what follows starts 3 later each. */
static void serial_parts_are_one_at_a_time(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 4, NULL);
    Visit *visits[5];
    for (guint i = 0; i < 5; i++) {
        visits[i] = yard_send(&yard, 0, 0, 3, 10);
    }
    aft_engine_run(yard.engine, 8);
    AftStationSums sums;
    aft_station_sums(yard.station, &sums);
    assert_int_equal(sums.serial_ns, 8); /* the third is at 6 to 9 */
    assert_int_equal(sums.busy_ns, 8 + 5 + 2);
    aft_engine_run(yard.engine, 100);
    aft_station_sums(yard.station, &sums);
    assert_visits(yard.left, visits, 5);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(visits[i]->job.started_ns, 3 * i);
        assert_int_equal(visits[i]->left_ns, 3 * i + 13);
    }
    assert_int_equal(visits[4]->job.started_ns, 13); /* for want of a server */
    assert_int_equal(sums.serial_ns, 5 * 3);
    assert_int_equal(sums.busy_ns, 5 * 13);
    aft_station_audit(yard.station);
}

/* One comes at the very moment at which the serial part is free, and before the station is woken:
 * it stands behind the one that has been waiting. */
static void nobody_overtakes_at_the_serial_part(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "strict", 4, NULL);
    Visit *late = yard_send(&yard, 5, 0, 5, 1);
    Visit *first = yard_send(&yard, 0, 0, 5, 1);
    Visit *second = yard_send(&yard, 1, 0, 5, 1);
    Visit *third = yard_send(&yard, 1, 1, 5, 1);
    aft_engine_run(yard.engine, 100);
    Visit *visits[] = {first, second, late, third};
    assert_visits(yard.left, visits, 4);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(visits[i]->job.started_ns, 5 * i);
    }
    aft_station_audit(yard.station);
}

static void comes_again(AftJob *job, gint64 now_ns)
{
    visit_leaves(job, now_ns);
    job->done = visit_leaves;
    aft_station_arrive(job->station, job);
}

/* However urgent it is: the server is taken before its sender hears of it. */
static void who_comes_back_at_once_finds_the_server_taken(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "strict", 1, NULL);
    Visit *first = yard_send(&yard, 0, 0, 0, 10);
    Visit *second = yard_send(&yard, 1, 1, 0, 10);
    first->job.done = comes_again;
    aft_engine_run(yard.engine, 100);
    Visit *visits[] = {first, second, first};
    assert_visits(yard.left, visits, 3);
    assert_int_equal(first->left_ns, 30);
    aft_station_audit(yard.station);
}

static void a_service_that_takes_no_time_ends_at_once(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 1, NULL);
    Visit *visits[] = {yard_send(&yard, 7, 0, 0, 0), yard_send(&yard, 7, 0, 0, 0)};
    aft_engine_run(yard.engine, 7);
    assert_visits(yard.left, visits, 2);
    assert_int_equal(visits[1]->left_ns, 7);
    aft_station_audit(yard.station);
}

static void slowness_is_for_services_that_begin_later(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 1, NULL);
    Visit *before = yard_send(&yard, 0, 0, 4, 10);
    Visit *during = yard_send(&yard, 1, 0, 3, 9);
    Visit *after = yard_send(&yard, 40, 0, 3, 9);
    aft_engine_run(yard.engine, 2);
    aft_station_slow(yard.station, 1.5);
    aft_engine_run(yard.engine, 39);
    aft_station_slow(yard.station, 1.0);
    aft_engine_run(yard.engine, 100);
    AftStationSums sums;
    aft_station_sums(yard.station, &sums);
    assert_int_equal(before->left_ns, 14);
    assert_int_equal(during->left_ns, 14 + 5 + 14); /* 4.5 and 13.5, to the next whole one */
    assert_int_equal(after->left_ns, 40 + 12);
    assert_int_equal(sums.serial_ns, 4 + 5 + 3);
    aft_station_audit(yard.station);
}

/* Both parts would take 10^21 ns, more than the clock can tell: each ends at 10^18. */
static void no_service_leaves_the_clock(void **state)
{
    (void)state;
    const gint64 longest_ns = G_GINT64_CONSTANT(1000000000000000000);
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 1, NULL);
    aft_station_slow(yard.station, 1e9);
    Visit *visit = yard_send(&yard, 5, 0, 1000000000000, 1000000000000);
    aft_engine_run(yard.engine, 3 * longest_ns);
    assert_true(visit->left_ns == 5 + 2 * longest_ns);
    aft_station_audit(yard.station);
}

static void drop_all_hands_everybody_back_in_order_of_arrival(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    yard_init(&yard, "strict", 2, NULL);
    Visit *gone = yard_send(&yard, 0, 3, 0, 5);
    Visit *visits[] = {
        yard_send(&yard, 0, 3, 0, 50), yard_send(&yard, 1, 3, 0, 50), yard_send(&yard, 2, 1, 0, 50),
        yard_send(&yard, 3, 3, 0, 50), yard_send(&yard, 4, 0, 0, 50),
    };
    aft_engine_run(yard.engine, 10); /* classes 3 and 0 are served, the others wait */
    yard_drop(&yard);
    assert_visits(yard.thrown_out, visits, 5);
    assert_visits(yard.left, &gone, 1);
    assert_int_equal(aft_station_jobs(yard.station), 0);
    assert_int_equal(aft_engine_pending(yard.engine), 0);
    aft_station_audit(yard.station);

    aft_engine_run(yard.engine, 30);
    AftStationSums sums;
    aft_station_sums(yard.station, &sums);
    assert_int_equal(sums.class[3].arrived, 4);
    assert_int_equal(sums.class[3].served, 1);
    assert_int_equal(sums.class[3].dropped, 3);
    assert_int_equal(sums.class[3].service_ns, 5 + 10);
    assert_int_equal(sums.class[3].residence_ns, 5 + 10 + 9 + 7);
    assert_int_equal(sums.class[0].service_ns, 5);
    assert_int_equal(sums.class[0].residence_ns, 6);
    assert_int_equal(sums.class[1].residence_ns, 8);
    assert_int_equal(sums.busy_ns, 5 + 10 + 5);
    aft_station_audit(yard.station);
}

static void a_station_begins_afresh_after_drop_all(void **state)
{
    (void)state;
    g_auto(Yard) yard;
    const double weights[AFT_STATION_CLASSES] = {1.0, 1.0, 1.0, 1.0, 1.0};
    yard_init(&yard, "weighted", 3, weights);
    yard_send(&yard, 0, 0, 20, 1000);
    yard_send(&yard, 0, 0, 20, 1000);
    aft_engine_run(yard.engine, 10);
    yard_drop(&yard);
    AftStationSums sums;
    aft_station_sums(yard.station, &sums);
    assert_int_equal(sums.serial_ns, 10);
    assert_int_equal(aft_engine_pending(yard.engine), 0); /* nor is it still to be woken */

    Visit *blocker = yard_send(&yard, 12, 2, 3, 5); /* the serial part is free again */
    Visit *debtor = yard_send(&yard, 13, 0, 3, 5);  /* and what was cut short is not held */
    Visit *other = yard_send(&yard, 13, 1, 3, 5);   /* against anybody */
    aft_engine_run(yard.engine, 100);
    assert_int_equal(blocker->job.started_ns, 12);
    assert_int_equal(debtor->job.started_ns, 15);
    assert_int_equal(other->job.started_ns, 18);
    aft_station_audit(yard.station);
    yard_drop(&yard); /* nobody is here */
    assert_int_equal(yard.thrown_out->len, 2);
    aft_station_free(NULL);
}

/* What the sums must be at @now_ns, from what each visit went through. */
static void sums_by_hand(const Yard *yard, gint64 now_ns, AftStationSums *ret_sums)
{
    *ret_sums = (AftStationSums){0};
    for (guint i = 0; i < yard->visits->len; i++) {
        const Visit *visit = yard->visits->pdata[i];
        const AftJob *job = &visit->job;
        AftClassSums *of = &ret_sums->class[job->class];
        if (job->station == NULL) {
            continue; /* is to come */
        }
        gint64 end_ns = visit->left_ns >= 0 ? visit->left_ns : now_ns;
        gint64 service_ns = job->started_ns >= 0 ? end_ns - job->started_ns : 0;
        of->arrived++;
        of->residence_ns += (guint64)(end_ns - job->arrived_ns);
        of->number_ns += (guint64)(end_ns - job->arrived_ns);
        of->service_ns += service_ns;
        ret_sums->busy_ns += service_ns;
        ret_sums->serial_ns += MIN(service_ns, job->serial_ns);
    }
    for (guint i = 0; i < yard->left->len; i++) {
        ret_sums->class[((Visit *)yard->left->pdata[i])->job.class].served++;
    }
    for (guint i = 0; i < yard->thrown_out->len; i++) {
        ret_sums->class[((Visit *)yard->thrown_out->pdata[i])->job.class].dropped++;
    }
}

static void assert_sums(const Yard *yard)
{
    AftStationSums actual, expected;
    aft_station_audit(yard->station);
    aft_station_sums(yard->station, &actual);
    sums_by_hand(yard, aft_engine_now(yard->engine), &expected);
    assert_memory_equal(&actual, &expected, sizeof actual);
}

/* Of a class, who came first begins first; and no two serial parts overlap. */
static void assert_order(const Yard *yard)
{
    const AftJob *last[AFT_STATION_CLASSES] = {NULL};
    for (guint i = 0; i < yard->visits->len; i++) {
        const AftJob *job = &((Visit *)yard->visits->pdata[i])->job;
        const AftJob **before = &last[job->class];
        if (*before != NULL) {
            assert_true(job->number > (*before)->number);
            assert_true(job->started_ns < 0 || job->started_ns >= (*before)->started_ns);
        }
        *before = job;
    }
}

static gboolean is_inside_serial_part(const Visit *of, gint64 at_ns)
{
    return of->job.started_ns >= 0 && at_ns >= of->job.started_ns &&
           at_ns < MIN(of->job.started_ns + of->job.serial_ns, of->left_ns);
}

static void assert_gate(const Yard *yard)
{
    for (guint i = 0; i < yard->visits->len; i++) {
        const Visit *one = yard->visits->pdata[i];
        for (guint k = 0; k < yard->visits->len; k++) {
            const Visit *other = yard->visits->pdata[k];
            gboolean may_be_first = other->job.started_ns == one->job.started_ns &&
                                    other->job.serial_ns == 0; /* then nobody else begins */
            assert_false(other != one && !may_be_first &&
                         is_inside_serial_part(one, other->job.started_ns));
        }
    }
}

/* Whoever waits, waits for a reason: in the nanosecond before it begins, all servers are busy or a
 * serial part is going on. */
static void assert_nobody_waits_in_vain(const Yard *yard, guint servers)
{
    for (guint i = 0; i < yard->visits->len; i++) {
        const Visit *one = yard->visits->pdata[i];
        gint64 moment_ns = one->job.started_ns - 1;
        if (one->job.started_ns <= one->job.arrived_ns) {
            continue;
        }
        guint busy = 0;
        gboolean serial = FALSE;
        for (guint k = 0; k < yard->visits->len; k++) {
            const Visit *other = yard->visits->pdata[k];
            busy += other->job.started_ns >= 0 && other->job.started_ns <= moment_ns &&
                    other->left_ns > moment_ns;
            serial = serial || is_inside_serial_part(other, moment_ns);
        }
        assert_true(busy == servers || serial);
    }
}

static void send_some(Yard *yard, AftStream *stream, gint64 serial_below)
{
    gint64 at_ns = aft_engine_now(yard->engine);
    for (guint i = 0; i < 200; i++) {
        at_ns += (gint64)aft_stream_below(stream, 12); /* often none: ties */
        gint64 serial_ns = (gint64)aft_stream_below(stream, (guint64)serial_below);
        Visit *visit = yard_send(yard, at_ns, (guint)aft_stream_below(stream, AFT_STATION_CLASSES),
                                 serial_ns, (gint64)aft_stream_below(stream, 40));
        visit->job.started_ns = -1;
    }
}

static void expect_books(const char *scheduler, guint servers, gint64 serial_below)
{
    g_auto(Yard) yard;
    const double weights[AFT_STATION_CLASSES] = {80.0, 20.0, 20.0, 10.0, 5.0};
    yard_init(&yard, scheduler, servers, weights);
    AftStream stream;
    aft_stream_init(&stream, 1, 0, scheduler, servers);
    for (guint round = 0; round < 3; round++) {
        send_some(&yard, &stream, serial_below);
        for (guint step = 0; step < 60; step++) {
            aft_engine_run(yard.engine,
                           aft_engine_now(yard.engine) + (gint64)aft_stream_below(&stream, 40));
            assert_sums(&yard);
            if (step == 30) {
                yard_drop(&yard);
                assert_sums(&yard);
            }
        }
        aft_engine_run(yard.engine, aft_engine_now(yard.engine) + 100000);
        assert_sums(&yard);
    }
    assert_int_equal(yard.left->len + yard.thrown_out->len, yard.visits->len);
    assert_true(yard.thrown_out->len > 0);
    assert_order(&yard);
    assert_gate(&yard);
    assert_nobody_waits_in_vain(&yard, servers);
}

static void books_balance_whatever_comes(void **state)
{
    (void)state;
    for (guint servers = 1; servers <= 5; servers += 2) {
        expect_books("fifo", servers, 10);
        expect_books("strict", servers, 1);
        expect_books("strict", servers, 10);
        expect_books("weighted", servers, 1);
        expect_books("weighted", servers, 10);
        expect_books("mclock", servers, 1);
        expect_books("mclock", servers, 10);
        expect_books("adaptive", servers, 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server_serves_in_order_of_arrival),
        cmocka_unit_test(several_servers_serve_at_once),
        cmocka_unit_test(serial_parts_are_one_at_a_time),
        cmocka_unit_test(nobody_overtakes_at_the_serial_part),
        cmocka_unit_test(who_comes_back_at_once_finds_the_server_taken),
        cmocka_unit_test(a_service_that_takes_no_time_ends_at_once),
        cmocka_unit_test(slowness_is_for_services_that_begin_later),
        cmocka_unit_test(no_service_leaves_the_clock),
        cmocka_unit_test(drop_all_hands_everybody_back_in_order_of_arrival),
        cmocka_unit_test(a_station_begins_afresh_after_drop_all),
        cmocka_unit_test(books_balance_whatever_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
