/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the shipped scenarios of failures, maintenance and growth to what their comments promise.
 * What is placed and what arrives is chance: tolerances without another reason are 3.3 standard
 * deviations of that, which one figure in a thousand would miss. Sampled phases have windows of
 * too few I/Os to tell how many arrived by more than some percent, so bytes are counted from what
 * a phase says that it has written. */
#include "shipped.h"

#include <aftershock/result/gather.h>

#include <gsl/gsl_cdf.h>

#define CHANCE  3.3
#define KIB     (1024.0)
#define MIB     (1048576.0)
#define WIRE    (1.25e9) /* bytes a second of 10 Gbit/s */
#define READ_S  (530e6)  /* of a SATA SSD */
#define WRITE_S (500e6)

/* Of @n draws, each with chance @p. */
static double spread_of(double n, double p)
{
    return CHANCE * sqrt(n * p * (1.0 - p));
}

#define OF(member) G_STRUCT_OFFSET(AftTraceRow, member)

static double at(const AftTraceRow *row, gsize offset)
{
    return G_STRUCT_MEMBER(double, row, offset);
}

/* Over the rows of the trace that begin in [from_s, to_s). */
static double mean_of(const AftResult *result, gsize offset, double from_s, double to_s)
{
    double mean = 0.0;
    guint n = 0;
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *row = trace_row(result, i);
        if (row->time_s >= from_s && row->time_s < to_s) {
            mean += (at(row, offset) - mean) / ++n;
        }
    }
    assert_true(n > 0);
    return mean;
}

/* At the end of the row of the trace that begins at @time_s. */
static double value_at(const AftResult *result, gsize offset, double time_s)
{
    return mean_of(result, offset, time_s, time_s + 1e-6);
}

static double most_owed(const AftResult *result)
{
    double most = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        most = MAX(most, trace_row(result, i)->owed_ios);
    }
    return most;
}

/* When @event first happened to @subject. */
static double time_of(const AftResult *result, const char *event, const char *subject)
{
    for (guint i = 0; i < result->timeline->len; i++) {
        const AftEventRow *row = &g_array_index(result->timeline, AftEventRow, i);
        if (g_str_equal(row->event, event) && g_str_equal(row->subject, subject)) {
            return row->time_s;
        }
    }
    fail_msg("nothing like %s of %s", event, subject);
    return NAN;
}

static void assert_nothing_lost(const AftResult *result)
{
    assert_within(result->loss.lost_pgs, 0.0, 0.0);
}

/* Bytes of @set that are written in phase @i, each once however often it was, and on average in
 * half of the rebuild that follows: a member misses what is written until its turn comes. */
static double touched_bytes(const AftResult *result, guint i, double block, double set)
{
    const AftPhaseRow *away = phase_row(result, i), *back = phase_row(result, i + 1);
    double writes = away->write_iops * away->duration_s + back->write_iops * back->duration_s / 2.0;
    return set * (1.0 - exp(-writes * block / set));
}

static double pace(const AftPhaseRow *row, double bytes)
{
    return bytes / row->duration_s;
}

/* -- maintenance */

#define KEPT_BYTES (1.2e12 / 1536) /* of a member */

static void assert_evacuated(const AftResult *result, double per_s, double tolerance)
{
    const AftPhaseRow *row = first_of(result, AFT_PHASE_EVACUATE);
    assert_within(row->rebalance_bytes / KEPT_BYTES, 512.0, spread_of(1536, 1.0 / 3.0));
    assert_within(pace(row, row->rebalance_bytes), per_s, tolerance * per_s);
    assert_within(row->start_s, 4200.0, 0.0);
    assert_within(row->start_s + row->duration_s, time_of(result, "evacuate-end", "cluster"), 1e-6);
}

/* Of a host that was down without being evacuated. */
static void assert_brought_back(const AftResult *result)
{
    const AftPhaseRow *failed = phase_row(result, 1), *rebuild = phase_row(result, 2);
    assert_within(failed->start_s, 540.0, 0.0);
    assert_within(failed->duration_s, 1800.0, 0.0);
    assert_within(value_at(result, OF(degraded_pgs), 1200.0), 512.0, spread_of(1536, 1.0 / 3.0));
    /* The working set lies in 77 groups; how many of them are on the host is chance. */
    double missed = touched_bytes(result, 1, 4.0 * KIB, 60e9) / 3.0;
    assert_within(rebuild->rebuild_bytes / missed, 1.0, spread_of(77, 1.0 / 3.0) / (77.0 / 3.0));
    /* One SSD, less what users write there, 1/24 of 2 x 14.7 MB/s, and the end of the last group.
     */
    assert_within(pace(rebuild, rebuild->rebuild_bytes), WRITE_S, 0.06 * WRITE_S);
}

static void data_may_stay_or_leave_for_maintenance(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("maintenance.yaml", NULL);
    assert_phases(result, "steady failed rebuild steady evacuate catchup rebalance steady");
    assert_nothing_lost(result);
    assert_string_equal(result->requirement, "met");
    assert_brought_back(result);
    /* Users' reads go over the same wire, a sixth of 34 MB/s at most, and the last group alone. */
    assert_evacuated(result, WIRE, 0.02);
    assert_within(phase_row(result, 5)->duration_s, 1800.0, 0.0);
    const AftPhaseRow *back = phase_row(result, 6);
    assert_within(back->rebalance_bytes, phase_row(result, 4)->rebalance_bytes, 1.0);
    assert_within(pace(back, back->rebalance_bytes), WRITE_S, 0.02 * WRITE_S);
    assert_within(back->write_mean_ms / phase_row(result, 0)->write_mean_ms, 1.6, 0.2);
}

static void evacuation_can_be_gentle(void **state G_GNUC_UNUSED)
{
    static const char *const gentle[] = {"background.evacuate.bandwidth=100 MB/s", NULL};
    g_autoptr(AftResult) result = run_shipped("maintenance.yaml", gentle);
    /* A window of 1,000 I/Os sees eight units, give or take half a one; there are twelve and more.
     */
    assert_evacuated(result, 100e6, CHANCE * 0.5 / 8.0 / sqrt(12.0));
}

/* With a warning, which load_shipped() would not have. */
static void evacuation_needs_another_place(void **state G_GNUC_UNUSED)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(AftScenario) scenario =
        aft_loader_load_file(SCENARIOS "/maintenance.yaml",
                             (const char *const[]){"cluster.nodes=2", NULL}, messages, NULL);
    assert_non_null(scenario);
    assert_int_equal(messages->len, 1);
    g_autoptr(AftResult) result = run_scenario(scenario);
    assert_phases(result, "steady failed rebuild steady");
    assert_within(time_of(result, "maintenance-refused", "node 1"), 4200.0, 0.0);
    assert_nothing_lost(result);
}

/* -- double-failure */

#define STRIPES      (1024.0)
#define MEMBER_BYTES (6e12 / 1024 / 4)

/* Until two thirds of those that have nothing to spare are made whole in one of their members, no
 * stripe is made whole in all. Hosts do not end with them at the same time. */
static void assert_most_at_risk_first(const AftResult *result, double at_risk)
{
    double degraded = value_at(result, OF(degraded_pgs), 1500.0), made = 0.0;
    for (double time_s = 1500.0; made < 2.0 / 3.0 * at_risk; time_s += 10.0) {
        assert_within(value_at(result, OF(degraded_pgs), time_s), degraded, 0.0);
        made += value_at(result, OF(rebuild_mb_per_s), time_s) * 1e7 / MEMBER_BYTES;
    }
}

static void a_second_failure_finds_some_stripes_bare(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("double-failure.yaml", NULL);
    assert_phases(result, "steady failed rebuild catchup");
    assert_nothing_lost(result);
    double first = value_at(result, OF(degraded_pgs), 900.0);
    double left = value_at(result, OF(degraded_pgs), 1490.0);
    double degraded = value_at(result, OF(degraded_pgs), 1500.0);
    double at_risk = left * 5.0 / 7.0;
    print_message("# %.0f stripes, %.0f left, %.0f after the second\n", first, left, degraded);
    assert_within(first, 0.75 * STRIPES, spread_of(STRIPES, 0.75));
    assert_within(first - left, 250.0, 15.0); /* a pace that was measured */
    assert_true(first - left < 300.0 * 7.0 * WIRE / 4.0 / MEMBER_BYTES);
    assert_most_at_risk_first(result, at_risk);
    /* All that was on either, and up to a group a host that was half done at the failure. */
    const AftPhaseRow *rebuild = phase_row(result, 2);
    double members = first + (degraded - left) + at_risk;
    assert_within(rebuild->rebuild_bytes / MEMBER_BYTES, members, spread_of(left, 5.0 / 7.0) + 7.0);
    assert_true(rebuild->start_s + rebuild->duration_s < 3600.0);
    /* What four machines owe, less what they had in flight. */
    assert_within(most_owed(result), 120000.0, CHANCE * sqrt(120000.0) + 64.0);
}

static void one_parity_is_too_little_for_two_failures(void **state G_GNUC_UNUSED)
{
    static const char *const thin[] = {"data.protection.parity=1", NULL};
    g_autoptr(AftResult) result = run_shipped("double-failure.yaml", thin);
    double first = value_at(result, OF(degraded_pgs), 900.0);
    double left = value_at(result, OF(degraded_pgs), 1490.0);
    print_message("# %.0f stripes, %.0f left, %.0f lost\n", first, left, result->loss.lost_pgs);
    assert_within(first, 640.0, spread_of(STRIPES, 5.0 / 8.0));
    assert_within(result->loss.lost_pgs, left * 4.0 / 7.0, spread_of(left, 4.0 / 7.0));
    assert_within(result->loss.lost_bytes, result->loss.lost_pgs * 4.0 * MEMBER_BYTES, 1e4);
    assert_within(result->loss.first_s, 1506.0, 0.0); /* when it was noticed */
    assert_within(value_at(result, OF(lost_pgs), 7200.0), result->loss.lost_pgs, 0.0);
}

/* -- fail-slow */

#define SLOW_READ_MS  (0.110 + 4096.0 / 530e3) /* at its usual pace */
#define SLOW_WRITE_MS (0.130 + 4096.0 / 500e3)

/* What a share @above of accesses take longer than, that are slow @factor times. */
static double slow_ms(double access_ms, double transfer_ms, double factor, double above)
{
    double variance = log(1.0 + 0.6 * 0.6);
    double z = gsl_cdf_ugaussian_Qinv(above);
    return factor * (access_ms * exp(z * sqrt(variance) - variance / 2.0) + transfer_ms);
}

static double slow_mean(const AftResult *result, gsize offset)
{
    return mean_of(result, offset, 600.0, 1200.0);
}

static double usual_mean(const AftResult *result, gsize offset)
{
    return mean_of(result, offset, 0.0, 600.0);
}

/* Of all reads, how many go to the slow SSD: those that made the mean what it is. */
static double share_of_slow(const AftResult *result)
{
    return (slow_mean(result, OF(read_mean_ms)) - usual_mean(result, OF(read_mean_ms))) /
           (29.0 * SLOW_READ_MS);
}

/* What is left of the way: the controller, and the wire for four of five. */
#define WAY_MS (0.048 + 0.003)

static void assert_tails_show_it(const AftResult *result, double share)
{
    double read_p95 = slow_mean(result, OF(read_p95_ms)) / usual_mean(result, OF(read_p95_ms));
    assert_true(read_p95 > 1.0 && read_p95 < 1.25);
    assert_true(slow_mean(result, OF(read_p99_ms)) > 8.0 * usual_mean(result, OF(read_p99_ms)));
    /* 3 %: the way is not a constant, and rows of 10 s have few I/Os that are slower than p99. */
    double read = slow_ms(0.110, 4096.0 / 530e3, 30.0, 0.01 / share) + WAY_MS;
    assert_within(slow_mean(result, OF(read_p99_ms)), read, 0.03 * read);
    double write = slow_ms(0.130, 4096.0 / 500e3, 30.0, 0.01 / (2.0 * share)) + WAY_MS;
    assert_within(slow_mean(result, OF(write_p99_ms)), write, 0.03 * write);
}

static void one_slow_device_shows_in_tails_only(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("fail-slow.yaml", NULL);
    double share = share_of_slow(result);
    print_message("# %.2f %% of reads\n", 100.0 * share);
    steady_state(result);
    assert_within(share * 8192.0, 8192.0 / 40.0, spread_of(8192, 1.0 / 40.0));
    assert_true(slow_mean(result, OF(read_mean_ms)) < 1.7 * usual_mean(result, OF(read_mean_ms)));
    /* A write waits for the slower of two: for the slow SSD with twice the chance. */
    double more = slow_mean(result, OF(write_mean_ms)) - usual_mean(result, OF(write_mean_ms));
    assert_within(more, 2.0 * share * 29.0 * SLOW_WRITE_MS, 0.05 * more);
    assert_tails_show_it(result, share);
    assert_true(slow_mean(result, OF(capacity_util)) < 0.005);
}

static void a_device_slow_enough_slows_all(void **state G_GNUC_UNUSED)
{
    static const char *const stuck[] = {"timeline[0].slow.factor=1000", NULL};
    static const char *const sampled[] = {"timeline[0].slow.factor=1000", "run.fidelity=sampled",
                                          NULL};
    g_autoptr(AftResult) usual = run_shipped("fail-slow.yaml", NULL);
    double share = share_of_slow(usual);
    double most = 10.0 / (share * (0.8 * SLOW_READ_MS + 0.4 * SLOW_WRITE_MS));
    for (guint i = 0; i < 2; i++) {
        g_autoptr(AftResult) result = run_shipped("fail-slow.yaml", i == 0 ? stuck : sampled);
        assert_phases(result, "steady catchup steady");
        double iops = 5000.0 - most_owed(result) / 600.0;
        print_message("# %.0f IOPS of %.0f\n", iops, most);
        /* A transfer of 8 ms keeps accesses waiting that could begin, more than half of the time;
         * the share is a draw of 300,000 reads with a spread of ten times their mean. */
        assert_true(iops < 1.02 * most && iops > 0.93 * most);
    }
}

/* -- rack-outage */

static void a_rack_has_no_more_than_one_copy(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("rack-outage.yaml", NULL);
    assert_phases(result, "steady failed rebuild steady");
    assert_nothing_lost(result);
    const AftPhaseRow *failed = phase_row(result, 1), *rebuild = phase_row(result, 2);
    assert_within(failed->duration_s, 1200.0, 0.0);
    assert_non_null(strstr(failed->flags, "stall"));
    assert_within(failed->missed_s, 120.0, 10.0); /* a row of the trace */
    assert_within(most_owed(result), 480000.0, CHANCE * sqrt(480000.0) + 256.0);
    assert_within(value_at(result, OF(owed_ios), 730.0), 0.0, 100.0);
    double degraded = value_at(result, OF(degraded_pgs), 1200.0);
    assert_within(degraded, 2048.0, spread_of(3072, 2.0 / 3.0));
    /* What was written before it was noticed, up to 6 s of 1,200, is missing nowhere. */
    double missed = touched_bytes(result, 1, 4.0 * KIB, 6e12) * degraded / 3072.0;
    assert_within(rebuild->rebuild_bytes, missed, 0.006 * missed);
    assert_true(rebuild->duration_s < 60.0);
    assert_within(rebuild->rebalance_bytes, 0.0, 0.0);
}

static void hosts_of_one_rack_may_have_both_copies(void **state G_GNUC_UNUSED)
{
    static const char *const careless[] = {"data.domain=node", NULL};
    g_autoptr(AftResult) result = run_shipped("rack-outage.yaml", careless);
    double share = 6.0 / 66.0;
    assert_within(result->loss.lost_pgs, 3072.0 * share, spread_of(3072, share));
    assert_within(result->loss.lost_bytes, result->loss.lost_pgs * 6e12 / 3072.0, 1e4);
    assert_within(value_at(result, OF(lost_pgs), 1200.0), result->loss.lost_pgs, 0.0);
    assert_within(value_at(result, OF(lost_pgs), 1800.0), 0.0, 0.0); /* it is back */
}

/* -- cache-device */

#define COPY_BYTES (3e12 / 1536)

/* Of @parts like it that hold all copies, one is lost and comes back empty. */
static void assert_made_again_twice(const AftResult *result, double parts)
{
    assert_phases(result, "steady failed rebuild catchup rebalance steady");
    assert_nothing_lost(result);
    const AftPhaseRow *rebuild = phase_row(result, 2), *back = phase_row(result, 4);
    assert_within(phase_row(result, 1)->duration_s, 6.0, 0.0);
    assert_within(rebuild->rebuild_bytes / COPY_BYTES, 3072.0 / parts,
                  spread_of(1536, 2.0 / parts));
    assert_within(back->rebalance_bytes, rebuild->rebuild_bytes, 1.0);
    assert_within(back->start_s, 7200.0, 0.0);
    /* Six hosts share in the one, and a single one writes the other: from one SSD, less 5 % for
     * users and for the time between groups. */
    assert_true(pace(rebuild, rebuild->rebuild_bytes) < 6.0 * READ_S);
    assert_true(pace(rebuild, rebuild->rebuild_bytes) > 2.0 * READ_S);
    assert_true(pace(back, back->rebalance_bytes) < READ_S);
    assert_true(pace(back, back->rebalance_bytes) > 0.95 * READ_S);
}

static void a_cache_device_takes_its_group(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("cache-device.yaml", NULL);
    assert_made_again_twice(result, 12.0);
}

#define ONE_SSD "timeline[0].fail=device 0.0.1", "timeline[1].restore=device 0.0.1"

static void a_capacity_device_takes_a_quarter_of_it(void **state G_GNUC_UNUSED)
{
    static const char *const one[] = {ONE_SSD, NULL};
    g_autoptr(AftResult) result = run_shipped("cache-device.yaml", one);
    assert_made_again_twice(result, 48.0);
}

static void unless_the_group_is_deduplicated_as_one(void **state G_GNUC_UNUSED)
{
    static const char *const one[] = {ONE_SSD, "data.services.dedupe=on", NULL};
    g_autoptr(AftResult) result = run_shipped("cache-device.yaml", one);
    assert_made_again_twice(result, 12.0);
}

/* -- controller-crash */

#define SLOW_WIRE (125e6)

/* A hop for a fifth, a shorter way for the others: 3/4 of what they ask for instead of 4/5 is on
 * another host. 0.01 ms are 1.5 % of the mean. */
static void assert_one_more_hop(const AftResult *result)
{
    double hop_ms = 16.0 * KIB / SLOW_WIRE * 1e3;
    double read_ms = mean_of(result, OF(read_mean_ms), 630.0, 890.0);
    assert_within(read_ms - phase_row(result, 0)->read_mean_ms,
                  hop_ms * (0.2 * 1.75 + 0.8 * 0.75 - 0.8), 0.01);
}

static void a_controller_is_missed_less_than_a_host(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("controller-crash.yaml", NULL);
    assert_phases(result, "steady failed rebuild steady");
    assert_nothing_lost(result);
    const AftPhaseRow *steady = phase_row(result, 0), *rebuild = phase_row(result, 2);
    /* After 5 of 6 s, less what is in flight. */
    assert_within(most_owed(result), 25000.0 - 320.0, CHANCE * sqrt(25000.0) + 100.0);
    assert_one_more_hop(result);
    double degraded = value_at(result, OF(degraded_pgs), 700.0);
    double missed = touched_bytes(result, 1, 16.0 * KIB, 2e12) * degraded / 1024.0;
    assert_within(degraded, 409.6, spread_of(1024, 0.4));
    assert_within(rebuild->rebuild_bytes, missed, 0.02 * missed); /* 6 s of 300: see rack-outage */
    /* Its machines read 4 x 250 x 0.7 x 0.8, others write 1,500 x 2/5 x 0.8 blocks there. */
    double left = SLOW_WIRE - (560.0 + 480.0) * 16.0 * KIB;
    assert_within(pace(rebuild, rebuild->rebuild_bytes), left, 0.05 * left);
    /* Eight segments, and what a read takes else. */
    assert_true(rebuild->read_p95_ms < 8.0 * 65536.0 / SLOW_WIRE * 1e3 + steady->read_p95_ms);
    assert_true(rebuild->read_p95_ms > 3.0 * steady->read_p95_ms);
}

static void a_host_takes_its_machines_along(void **state G_GNUC_UNUSED)
{
    static const char *const host[] = {"timeline[0].fail=node 3", "timeline[1].restore=node 3",
                                       NULL};
    g_autoptr(AftResult) result = run_shipped("controller-crash.yaml", host);
    assert_phases(result, "steady failed rebuild steady");
    assert_within(most_owed(result), 120000.0, CHANCE * sqrt(120000.0) + 64.0);
    const AftPhaseRow *last = phase_row(result, 3);
    /* Home again 300 s after the host, and 300 s more of steady. */
    assert_within(last->start_s + last->duration_s, 900.0 + 300.0 + 300.0, 1e-6);
}

/* -- rolling-upgrade */

/* Rounds of failed and rebuild; returns what they took, and what was brought back. */
static double assert_rounds(const AftResult *result, double *ret_bytes)
{
    double took_s = 0.0;
    *ret_bytes = 0.0;
    for (guint i = 1; i < 13; i += 2) {
        const AftPhaseRow *down = phase_row(result, i), *back = phase_row(result, i + 1);
        assert_within(down->duration_s, 600.0, 1e-6);
        took_s += down->duration_s + back->duration_s;
        *ret_bytes += back->rebuild_bytes;
    }
    return took_s;
}

#define ROUNDS                                                                                  \
    "steady failed rebuild failed rebuild failed rebuild failed rebuild failed rebuild failed " \
    "rebuild steady"

/* Over all six, each of @copies has been away once, and missed what one round writes. */
static void check_upgrade(const char *scheme, double copies)
{
    g_autofree char *protection = g_strdup_printf("data.protection=%s", scheme);
    const char *changes[] = {protection, NULL};
    g_autoptr(AftResult) result = run_shipped("rolling-upgrade.yaml", changes);
    double bytes, took_s = assert_rounds(result, &bytes);
    assert_phases(result, ROUNDS);
    assert_nothing_lost(result);
    assert_string_equal(result->requirement, "met");
    assert_within(time_of(result, "upgrade-end", "cluster"), 600.0 + took_s, 1e-3);
    double written = 3600.0 * 600.0 * 4.0 * KIB;
    /* 12 windows of 300 writes and more a round are right to 1.7 % each, half of that over all. */
    double missed = copies * 200e9 * (1.0 - exp(-written / 200e9));
    assert_within(bytes, missed, CHANCE * 0.009 * missed);
    /* One SSD at a time, where several hosts have something to send; see maintenance. */
    assert_within(bytes / (took_s - 3600.0), WRITE_S, 0.06 * WRITE_S);
    for (double time_s = 700.0; time_s < 1190.0; time_s += 10.0) {
        assert_within(value_at(result, OF(degraded_pgs), time_s), 1536.0 * copies / 6.0,
                      spread_of(1536, copies / 6.0));
    }
}

static void an_upgrade_takes_six_rounds(void **state G_GNUC_UNUSED)
{
    check_upgrade("rf2", 2.0);
    check_upgrade("rf3", 3.0);
}

/* -- scale-out */

#define VISITS_S (1.3 * (540e-6 + 4e-3 / 256.0)) /* of an I/O */

static void new_hosts_hurt_before_they_help(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("scale-out.yaml", NULL);
    assert_phases(result, "steady rebalance steady");
    const AftPhaseRow *before = phase_row(result, 0), *move = phase_row(result, 1);
    const AftPhaseRow *after = phase_row(result, 2);
    assert_within(before->controller_util, 20000.0 * VISITS_S / 16.0, 0.01);
    assert_within(after->controller_util, 20000.0 * VISITS_S / 24.0, 0.01);
    assert_within(move->rebalance_bytes, 2e12, CHANCE * 33.0 * 3e12 / 3072);
    /* What 80/90 of the old hosts can do is less than what is asked for. */
    assert_true(16.0 * 80.0 / 90.0 / VISITS_S < 20000.0);
    assert_within(mean_of(result, OF(read_mean_ms), 600.0, 1200.0), 21.0, 1.5);
    assert_true(most_owed(result) > 100e3 && most_owed(result) < 300e3);
    assert_within(value_at(result, OF(owed_ios), 2100.0), 0.0, 200.0);
    static const double from_s[] = {600.0, 1800.0, 3000.0};
    double last = INFINITY;
    for (guint i = 0; i < G_N_ELEMENTS(from_s); i++) {
        double write_ms = mean_of(result, OF(write_mean_ms), from_s[i], from_s[i] + 600.0);
        assert_true(write_ms < 0.8 * last);
        last = write_ms;
    }
    assert_within(before->write_mean_ms, 2.6, 0.26);
    assert_within(after->write_mean_ms, 1.12, 0.06);
    assert_within(move->duration_s, 70.0 * 60.0, 10.0 * 60.0); /* paces of few groups at once */
}

static void a_slow_move_owes_nothing(void **state G_GNUC_UNUSED)
{
    static const char *const slow[] = {"background.rebalance.bandwidth=100 MB/s", NULL};
    g_autoptr(AftResult) result = run_shipped("scale-out.yaml", slow);
    const AftPhaseRow *move = first_of(result, AFT_PHASE_REBALANCE);
    assert_within(pace(move, move->rebalance_bytes), 100e6, 2e6); /* see maintenance */
    assert_string_equal(move->flags, "");
    assert_true(mean_of(result, OF(write_mean_ms), 600.0, 4200.0) <
                1.5 * phase_row(result, 0)->write_mean_ms);
}

/* -- five years */

/* Each of six hosts is there for 2,880 h of 2,888, whatever the others do. Ninety failures or so
 * are known to a ninth, each lasts 8 h +- 8: all together to 15 %. */
static void hosts_are_away_as_often_as_they_should_be(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("five-years.yaml", NULL);
    double away = 1.0 - pow(2880.0 / 2888.0, 6.0);
    AftGathered steady = aft_gather(result->phases, AFT_PHASE_STEADY);
    AftGathered rebalance = aft_gather(result->phases, AFT_PHASE_REBALANCE);
    assert_within(1.0 - steady.share - rebalance.share, away, CHANCE * 0.15 * away);
    AftGathered all = aft_gather(result->phases, AFT_WHOLE_RUN);
    AftGathered failed = aft_gather(result->phases, AFT_PHASE_FAILED);
    AftGathered rebuild = aft_gather(result->phases, AFT_PHASE_REBUILD);
    assert_within(all.row.missed_s, result->missed_s, 1e-3);
    assert_true(failed.met_share < 0.001 && rebuild.met_share < 0.001);
    assert_true(steady.met_share > 0.9999);
    assert_within(1.0 - all.met_share, 0.0006, 0.0004);
}

/* -- backfill of an OSD */

/* Of 128 groups 96 have a copy on the OSD, give or take 5: twice that is 10 %. */
#define PLACED 0.10

static double objects_per_s(const AftResult *result)
{
    const AftPhaseRow *row = first_of(result, AFT_PHASE_REBUILD);
    return row->rebuild_bytes / row->duration_s / (4.0 * MIB);
}

#define HIGH_CLIENT                                                                           \
    "background.scheduler.reservations.client=50 %", "background.scheduler.weights.client=2", \
        "background.scheduler.reservations.p1=25 %", "background.scheduler.limits.p1=100 %",  \
        "background.scheduler.limits.client=none"
#define HIGH_RECOVERY                                                                           \
    "background.scheduler.reservations.client=30 %", "background.scheduler.limits.client=80 %", \
        "background.scheduler.reservations.p1=60 %", "background.scheduler.weights.p1=2",       \
        "background.scheduler.reservations.p3=0 %", "background.scheduler.limits.p1=200 %"

/* Recovery is at its @limit, of objects that count as @counted_s; three of four writes of clients
 * go to the OSD, which has @osd_per_s for them. */
static void check_backfill(const char *name, const char *const *changes, double limit,
                           double counted_s, double osd_per_s)
{
    g_autoptr(AftResult) result = run_shipped(name, changes);
    const AftPhaseRow *row = first_of(result, AFT_PHASE_REBUILD);
    double expected = osd_per_s / 0.75;
    assert_phases(result, "steady failed rebuild steady");
    assert_nothing_lost(result);
    print_message("# %.0f IOPS, expected %.0f; %.1f objects a second, expected %.1f\n", row->iops,
                  expected, objects_per_s(result), limit / counted_s);
    assert_within(row->iops, expected, PLACED * expected);
    assert_within(row->iops * row->write_mean_ms / 1e3, 64.0, 0.64);
    assert_within(objects_per_s(result), limit / counted_s, 0.02 * limit / counted_s);
}

#define OP_S     (924e-6 + 0.285e-3 / 256.0)
#define OBJECT_S (15.5e-6 + 3.113e-3 * 4.0)

/* Clients have half of the op threads, whatever recovery gets. */
static void recovery_has_what_its_limit_says_and_clients_half(void **state G_GNUC_UNUSED)
{
    static const char *const client[] = {HIGH_CLIENT, NULL}, *const recovery[] = {HIGH_RECOVERY,
                                                                                  NULL};
    const char *name = "ceph-backfill-nvme.yaml";
    check_backfill(name, NULL, 1.5, OBJECT_S, 0.5 * 16.0 / OP_S);
    check_backfill(name, client, 1.0, OBJECT_S, 0.5 * 16.0 / OP_S);
    check_backfill(name, recovery, 2.0, OBJECT_S, 0.5 * 16.0 / OP_S);
}

static void backfill_on_nvme_is_as_in_the_study(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) balanced = run_shipped("ceph-backfill-nvme.yaml", NULL);
    const AftPhaseRow *row = first_of(balanced, AFT_PHASE_REBUILD);
    assert_within(phase_row(balanced, 0)->iops, 21500.0, 0.02 * 21500.0);
    assert_within(row->iops, 11017.0, 0.05 * 11017.0);
    assert_within(row->write_mean_ms, 5.789, 0.05 * 5.789);
    assert_within(objects_per_s(balanced), 479.7 / 4.0, 0.05 * 479.7 / 4.0);
    assert_within(row->rebuild_bytes, 325e9 + 0.75e9, spread_of(512, 0.75) / 384.0 * 325e9);
}

/* Behind the op threads nobody is preferred: the disk is busy, and has 14 objects and the writes of
 * clients in turn. */
static void under_wpq_the_disk_serves_in_order_of_arrival(void **state G_GNUC_UNUSED)
{
    static const char *const wpq[] = {"background.scheduler=wpq",
                                      "background.scheduler.at=controllers", NULL};
    g_autoptr(AftResult) result = run_shipped("ceph-backfill-nvme.yaml", wpq);
    double writes_per_s = 0.75 * first_of(result, AFT_PHASE_REBUILD)->iops;
    double busy = writes_per_s * (53e-6 + 4096.0 / 1.71e9) +
                  objects_per_s(result) * (53e-6 + 4.0 * MIB / 1.71e9);
    print_message("# %.1f %% of the disk's time\n", 100.0 * busy);
    assert_within(busy, 1.0, 0.03);
}

#define DISK_WRITE_S   (3.8e-3 + 4096.0 / 120e6)
#define DISK_OBJECT_S  (3.8e-3 + 4.0 * MIB / 120e6)
#define DISK_COUNTED_S (0.98e-3 + 90.9e-3 * 4.0)

static void clients_have_what_objects_leave_of_a_hard_disk(void **state G_GNUC_UNUSED)
{
    const char *name = "ceph-backfill-hdd-wal.yaml";
    double left = 1.0 - 1.5 / DISK_COUNTED_S * DISK_OBJECT_S;
    check_backfill(name, NULL, 1.5, DISK_COUNTED_S, left / DISK_WRITE_S);
    g_autoptr(AftResult) result = run_shipped(name, NULL);
    assert_within(first_of(result, AFT_PHASE_REBUILD)->rebuild_bytes, 16.2e9 + 0.15e9,
                  spread_of(512, 0.75) / 384.0 * 16.2e9);
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_may_stay_or_leave_for_maintenance),
        cmocka_unit_test(evacuation_can_be_gentle),
        cmocka_unit_test(evacuation_needs_another_place),
        cmocka_unit_test(a_second_failure_finds_some_stripes_bare),
        cmocka_unit_test(one_parity_is_too_little_for_two_failures),
        cmocka_unit_test(one_slow_device_shows_in_tails_only),
        cmocka_unit_test(a_device_slow_enough_slows_all),
        cmocka_unit_test(a_rack_has_no_more_than_one_copy),
        cmocka_unit_test(hosts_of_one_rack_may_have_both_copies),
        cmocka_unit_test(a_cache_device_takes_its_group),
        cmocka_unit_test(a_capacity_device_takes_a_quarter_of_it),
        cmocka_unit_test(unless_the_group_is_deduplicated_as_one),
        cmocka_unit_test(a_controller_is_missed_less_than_a_host),
        cmocka_unit_test(a_host_takes_its_machines_along),
        cmocka_unit_test(an_upgrade_takes_six_rounds),
        cmocka_unit_test(new_hosts_hurt_before_they_help),
        cmocka_unit_test(a_slow_move_owes_nothing),
        cmocka_unit_test(hosts_are_away_as_often_as_they_should_be),
        cmocka_unit_test(recovery_has_what_its_limit_says_and_clients_half),
        cmocka_unit_test(backfill_on_nvme_is_as_in_the_study),
        cmocka_unit_test(under_wpq_the_disk_serves_in_order_of_arrival),
        cmocka_unit_test(clients_have_what_objects_leave_of_a_hard_disk),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
