/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many replications are enough. */
#include "quota.h"
#include "test.h"

#include <aftershock/random/stream.h>

static void a_fixed_number_is_just_that(void **state G_GNUC_UNUSED)
{
    AftReplications wanted = {.n = 3, .most = 3};
    g_auto(AftQuota) quota;
    aft_quota_init(&quota, &wanted);
    for (guint i = 0; i < 3; i++) {
        assert_false(aft_quota_is_met(&quota));
        aft_quota_end(&quota, 2 - i, 1.0);
    }
    assert_true(aft_quota_is_met(&quota));
    assert_false(aft_quota_is_wide(&quota) || aft_quota_is_in_vain(&quota));
    assert_int_equal(quota.until, 3);
}

static double noise(guint index)
{
    AftStream stream;
    aft_stream_init(&stream, 1, index, "test.quota", 0);
    return aft_stream_normal(&stream);
}

/* Ends all that @quota wants, with values around 100 with deviation @deviation. */
static void fill(AftQuota *quota, double deviation, gboolean backwards)
{
    while (!aft_quota_is_met(quota)) {
        guint from = quota->ended, until = quota->until;
        for (guint i = from; i < until; i++) {
            guint index = backwards ? until - 1 - (i - from) : i;
            aft_quota_end(quota, index, 100.0 + deviation * noise(index));
        }
    }
}

/* Returns: how many replications it takes. */
static guint run_to_end(const AftReplications *wanted, double deviation, gboolean backwards)
{
    g_auto(AftQuota) quota;
    aft_quota_init(&quota, wanted);
    fill(&quota, deviation, backwards);
    assert_int_equal(aft_quota_is_wide(&quota), quota.until == wanted->most);
    assert_false(aft_quota_is_in_vain(&quota));
    return quota.until;
}

static void an_interval_that_is_narrow_enough_ends_it(void **state G_GNUC_UNUSED)
{
    char metric[] = "all/iops";
    AftReplications wanted = {.n = 16, .most = 10000, .metric = metric, .within = 0.01};
    assert_int_equal(run_to_end(&wanted, 0.5, FALSE), 16);
    /* 1.96 * 10 / sqrt(n) = 1: some 384 */
    guint n = run_to_end(&wanted, 10.0, FALSE);
    assert_in_range(n, 300, 480);
    assert_int_equal(n % 16, 0);
}

static void the_order_within_a_block_changes_nothing(void **state G_GNUC_UNUSED)
{
    char metric[] = "all/iops";
    AftReplications wanted = {.n = 16, .most = 10000, .metric = metric, .within = 0.01};
    assert_int_equal(run_to_end(&wanted, 7.0, FALSE), run_to_end(&wanted, 7.0, TRUE));
}

static void there_is_a_ceiling(void **state G_GNUC_UNUSED)
{
    char metric[] = "all/iops";
    AftReplications wanted = {.n = 16, .most = 40, .metric = metric, .within = 1e-6};
    assert_int_equal(run_to_end(&wanted, 10.0, FALSE), 40);
}

static void phases_that_never_come_go_on_to_the_ceiling(void **state G_GNUC_UNUSED)
{
    char metric[] = "rebuild/minutes";
    AftReplications wanted = {.n = 16, .most = 48, .metric = metric, .within = 0.5};
    g_auto(AftQuota) quota;
    aft_quota_init(&quota, &wanted);
    fill(&quota, (double)NAN, FALSE);
    assert_int_equal(quota.until, 48);
    assert_true(aft_quota_is_wide(&quota) && aft_quota_is_in_vain(&quota));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_number_is_just_that),
        cmocka_unit_test(an_interval_that_is_narrow_enough_ends_it),
        cmocka_unit_test(the_order_within_a_block_changes_nothing),
        cmocka_unit_test(there_is_a_ceiling),
        cmocka_unit_test(phases_that_never_come_go_on_to_the_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
