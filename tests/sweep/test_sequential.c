/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on sources of known share. */
#include "test.h"

#include "sequential.h"

enum { REPEATS = 20000, MOST = 2000 };

/* What was said of REPEATS sources that come out well in a share of @p. */
typedef struct {
    double holds, fails, trials; /* shares; mean number */
} Said;

static Said judge(double share, double p)
{
    Said said = {0};
    g_autoptr(GRand) rand = g_rand_new_with_seed(20260601);
    for (guint i = 0; i < REPEATS; i++) {
        AftSequential test;
        AftVerdict verdict = AFT_VERDICT_OPEN;
        aft_sequential_init(&test, share);
        while (verdict == AFT_VERDICT_OPEN && test.n < MOST) {
            verdict = aft_sequential_add(&test, g_rand_double(rand) < p);
        }
        said.holds += verdict == AFT_VERDICT_HOLDS ? 1.0 / REPEATS : 0.0;
        said.fails += verdict == AFT_VERDICT_FAILS ? 1.0 / REPEATS : 0.0;
        said.trials += (double)test.n / REPEATS;
    }
    return said;
}

/* The promise is 5 % at most; three standard errors of 20,000 repeats are 0.5 %. A test that was
 * far stricter than it says would be at fault too: it would run too long. */
static void few_that_do_not_hold_are_taken_for_good(void **state G_GNUC_UNUSED)
{
    assert_true(judge(0.95, 0.95).holds < 0.055);
    assert_true(judge(0.95, 0.95).holds > 0.02);
    assert_true(judge(0.8, 0.8).holds < 0.055);
    assert_true(judge(0.95, 0.9).holds < 0.002);
}

static void few_that_plainly_hold_are_taken_for_bad(void **state G_GNUC_UNUSED)
{
    assert_true(judge(0.95, 0.99).fails < 0.055);
    assert_true(judge(0.95, 0.99).fails > 0.01);
    assert_true(judge(0.8, 0.96).fails < 0.055);
    assert_true(judge(0.95, 0.999).fails < 0.005);
}

/* Two in a row, or three later on, that come out badly are enough; ln 20 / ln(0.99 / 0.95) = 72.6
 * must come out well. */
static void what_is_plain_takes_few_trials(void **state G_GNUC_UNUSED)
{
    assert_within(judge(0.95, 0.0).trials, 2.0, 1e-9);
    assert_within(judge(0.95, 1.0).trials, 73.0, 1e-9);
    assert_true(judge(0.95, 0.5).trials < 6.0);
    assert_int_equal(aft_sequential_fewest(0.95), 73);
    assert_int_equal(aft_sequential_fewest(0.5), 6);
}

static void what_lies_between_stays_open_for_longest(void **state G_GNUC_UNUSED)
{
    double between = judge(0.95, 0.975).trials;
    assert_true(between > judge(0.95, 0.95).trials);
    assert_true(between > judge(0.95, 0.99).trials);
    assert_true(between < 200.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_that_do_not_hold_are_taken_for_good),
        cmocka_unit_test(few_that_plainly_hold_are_taken_for_bad),
        cmocka_unit_test(what_is_plain_takes_few_trials),
        cmocka_unit_test(what_lies_between_stays_open_for_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
