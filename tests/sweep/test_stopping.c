/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often intervals hold the truth when a series ends because its interval is narrow. */
#include "quota.h"
#include "test.h"

#include <aftershock/random/stream.h>
#include <aftershock/sweep/tables.h>

enum { REPEATS = 10000, MOST = 1000, FEWEST = 3 };

#define WITHIN 0.3 /* of the mean, in these tests the deviation: 1.96^2 / 0.3^2 = 43 */

/* Both with mean 1 and standard deviation 1. */
typedef enum { NORMAL, EXPONENTIAL } Shape;

/* What series come to: how many replications in the mean, and the share of intervals with the
 * truth in them. */
typedef struct {
    double n, covered;
} Stopped;

static double draw(AftStream *stream, Shape shape)
{
    return shape == NORMAL ? 1.0 + aft_stream_normal(stream) : aft_stream_exponential(stream);
}

/* Adds one series of @wanted replications, whose interval is the one that tables show. */
static void run_one(const AftReplications *wanted, Shape shape, guint32 repeat, Stopped *stopped)
{
    AftStream stream;
    aft_stream_init(&stream, 1, repeat, "test.stopping", shape);
    g_auto(AftQuota) quota;
    aft_quota_init(&quota, wanted);
    double values[MOST];
    while (!aft_quota_is_met(&quota)) {
        values[quota.ended] = draw(&stream, shape);
        aft_quota_end(&quota, quota.ended, values[quota.ended]);
    }
    AftSpreadOf spread = aft_spread_of(values, quota.until);
    stopped->n += (double)quota.until / REPEATS;
    stopped->covered += fabs(spread.mean - 1.0) <= spread.ci ? 1.0 / REPEATS : 0.0;
}

static Stopped run_all(const AftReplications *wanted, Shape shape)
{
    Stopped stopped = {0};
    for (guint32 i = 0; i < REPEATS; i++) {
        run_one(wanted, shape, i, &stopped);
    }
    return stopped;
}

static Stopped run_until_narrow(guint least, Shape shape)
{
    char metric[] = "all/iops";
    const AftReplications wanted = {.n = least, .most = MOST, .metric = metric, .within = WITHIN};
    Stopped stopped = run_all(&wanted, shape);
    print_message("# from %u on: %.1f %%, n = %.1f\n", least, 100.0 * stopped.covered, stopped.n);
    return stopped;
}

/* The share of intervals with the truth in them when @n is settled beforehand. */
static double covered_by_fixed(double n, Shape shape)
{
    const AftReplications wanted = {.n = (guint)lround(n), .most = (guint)lround(n)};
    double covered = run_all(&wanted, shape).covered;
    print_message("# fixed: %.1f %%\n", 100.0 * covered);
    return covered;
}

/* Three standard errors of 10,000 repeats are 0.65 points. Looking after each replication instead
 * of each block, from the third on, would cost 4 points. */
static void looking_at_blocks_costs_a_point_of_normal_figures(void **state G_GNUC_UNUSED)
{
    Stopped stopped = run_until_narrow(AFT_SWEEP_BLOCK, NORMAL);
    double fixed = covered_by_fixed(stopped.n, NORMAL);
    assert_within(fixed, 0.95, 0.0065);
    assert_true(stopped.covered >= 0.935);
    assert_within(fixed - stopped.covered, 0.006, 0.0065);
    assert_in_range(stopped.n, 43 + AFT_SWEEP_BLOCK / 2, 43 + AFT_SWEEP_BLOCK);
}

/* Which are skewed, so that Student's t holds less than it says even of a fixed number. */
static void it_costs_as_little_of_exponential_ones(void **state G_GNUC_UNUSED)
{
    Stopped stopped = run_until_narrow(AFT_SWEEP_BLOCK, EXPONENTIAL);
    double fixed = covered_by_fixed(stopped.n, EXPONENTIAL);
    assert_in_range(1000.0 * fixed, 925, 950);
    assert_within(fixed - stopped.covered, 0.007, 0.0065);
    assert_in_range(stopped.n, 43, 43 + AFT_SWEEP_BLOCK);
}

static void a_small_least_number_costs_more(void **state G_GNUC_UNUSED)
{
    Stopped early = run_until_narrow(FEWEST, NORMAL);
    Stopped usual = run_until_narrow(AFT_SWEEP_BLOCK, NORMAL);
    assert_true(early.covered < usual.covered);
    assert_true(early.covered >= 0.925);
}

/* What ends with its first look is a fixed number. */
static void a_large_least_number_costs_nothing(void **state G_GNUC_UNUSED)
{
    Stopped stopped = run_until_narrow(6 * AFT_SWEEP_BLOCK, NORMAL);
    assert_within(stopped.covered, 0.95, 0.0065);
    assert_within(stopped.n, 6 * AFT_SWEEP_BLOCK, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_at_blocks_costs_a_point_of_normal_figures),
        cmocka_unit_test(it_costs_as_little_of_exponential_ones),
        cmocka_unit_test(a_small_least_number_costs_more),
        cmocka_unit_test(a_large_least_number_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
