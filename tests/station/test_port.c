/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "visit.h"
#include <aftershock/station/port.h>

/* Sends @n messages through both. Times are small and often equal: several come at once, take no
 * time, or come at the very moment at which the one before leaves.
 * Returns: when the last one arrives. */
static gint64 send_both(Yard *yard, AftPort *port, AftStream *stream, gint64 *departures, guint n)
{
    gint64 at_ns = aft_engine_now(yard->engine);
    for (guint i = 0; i < n; i++) {
        at_ns += (gint64)aft_stream_below(stream, 8);
        gint64 service_ns = (gint64)aft_stream_below(stream, 7);
        yard_send(yard, at_ns, (guint)aft_stream_below(stream, AFT_STATION_CLASSES), 0, service_ns);
        departures[i] = aft_port_send(port, at_ns, service_ns);
    }
    return at_ns;
}

static void a_port_is_a_station_with_one_server_and_fifo(void **state)
{
    (void)state;
    enum { N = 5000 };
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 1, NULL);
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "port", 0);
    AftPort port = {0};
    gint64 departures[N];
    send_both(&yard, &port, &stream, departures, N);
    aft_engine_run(yard.engine, 1000000);
    assert_int_equal(yard.left->len, N);
    for (guint i = 0; i < N; i++) {
        const Visit *visit = yard.left->pdata[i];
        assert_ptr_equal(visit, yard.visits->pdata[i]);
        assert_int_equal(visit->left_ns, departures[i]);
    }

    AftStationSums sums;
    aft_station_sums(yard.station, &sums);
    guint64 residence_ns = 0, served = 0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        residence_ns += sums.class[i].residence_ns;
        served += sums.class[i].served;
    }
    assert_int_equal(port.residence_ns, residence_ns);
    assert_int_equal(port.sent, served);
    assert_int_equal(aft_port_busy(&port, 1000000), sums.busy_ns);
}

/* The host dies now and then, with what has not left by then. */
static void a_port_is_busy_and_dies_like_a_station(void **state)
{
    (void)state;
    enum { N = 50 };
    g_auto(Yard) yard;
    yard_init(&yard, "fifo", 1, NULL);
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "port", 1);
    AftPort port = {0};
    for (guint life = 0; life < 200; life++) {
        gint64 departures[N];
        gint64 now_ns = send_both(&yard, &port, &stream, departures, N);
        now_ns += (gint64)aft_stream_below(&stream, 10);
        aft_engine_run(yard.engine, now_ns);
        AftStationSums sums;
        aft_station_sums(yard.station, &sums);
        assert_int_equal(aft_port_busy(&port, now_ns), sums.busy_ns);
        yard_drop(&yard);
        aft_port_drop(&port, now_ns);
        assert_int_equal(aft_port_busy(&port, now_ns), sums.busy_ns);
    }
    assert_true(yard.thrown_out->len > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_port_is_a_station_with_one_server_and_fifo),
        cmocka_unit_test(a_port_is_busy_and_dies_like_a_station),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
