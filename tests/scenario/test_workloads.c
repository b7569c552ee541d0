/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What workloads may be, beyond their kinds. */
#include "answers.h"

#define SMALL "workload.blocks[0].block=4 KiB"
#define LARGE "workload.blocks[1].block=64 KiB"

static void shares_of_a_mix_make_all(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{SMALL, "workload.blocks[0].share=60 %", LARGE, "workload.blocks[1].share=40 %"}, ""},
        {{SMALL, "workload.blocks[0].share=100 %"}, ""},
        {{SMALL, "workload.blocks[0].share=60 %", LARGE, "workload.blocks[1].share=30 %"},
         "workload.blocks: expected shares that make 100 %, got 90 %"},
        {{SMALL, "workload.blocks[0].share=60 %", LARGE},
         "workload.blocks[1].share: missing, expected a share, like 0.2 or 20 %"},
        {{SMALL, "workload.blocks[0].share=0 %"},
         "workload.blocks[0].share: expected more than 0 %, got 0 %"},
        {{SMALL, "workload.blocks[0].share=100 %", "workload.block=8 KiB"},
         "workload.block: there are blocks too: one or the other"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void every_block_of_a_mix_fits_the_stripes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{SMALL, "workload.blocks[0].share=50 %", "workload.blocks[1].block=3 KiB",
          "workload.blocks[1].share=50 %"},
         "workload.blocks[1].block: expected a whole part of a stripe unit (1 MiB), whole units of "
         "a stripe (3 MiB) or whole stripes, got 3 KiB"},
        {{SMALL, "workload.blocks[0].share=50 %", "workload.blocks[1].block=6 MiB",
          "workload.blocks[1].share=50 %"},
         ""},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void a_mix_reads_what_the_workload_reads_unless_said_otherwise(void **state)
{
    (void)state;
    const char *const settings[] = {SMALL,
                                    "workload.blocks[0].share=75 %",
                                    LARGE,
                                    "workload.blocks[1].share=25 %",
                                    "workload.blocks[1].read_share=0 %",
                                    "workload.read_share=80 %",
                                    NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftWorkloadSpec *workload = &scenario->workloads[0];
    assert_int_equal(workload->n_mix, 2);
    assert_within(workload->mix[0].read_share, 0.8, 0.0);
    assert_within(workload->mix[1].read_share, 0.0, 0.0);
    assert_within(workload->mean_read_share, 0.6, 1e-12);
}

static void one_block_is_a_mix_of_one(void **state)
{
    (void)state;
    const char *const settings[] = {"workload.block=16 KiB", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftWorkloadSpec *workload = &scenario->workloads[0];
    assert_int_equal(workload->n_mix, 1);
    assert_int_equal(workload->mix[0].block_bytes, 16384);
    assert_within(workload->mix[0].share, 1.0, 0.0);
    assert_within(workload->mean_read_share, 0.7, 0.0);
}

static void an_exponent_belongs_to_zipf(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"workload.skew=zipf", "workload.theta=0.99"}, ""},
        {{"workload.skew=zipf", "workload.theta=1"}, ""},
        {{"workload.skew=zipf"},
         "workload.theta: missing, a workload with skew: zipf needs a number"},
        {{"workload.theta=1"}, "workload.theta: only skew: zipf has one"},
        {{"workload.skew=zipf", "workload.theta=0"}, "workload.theta: expected more than 0, got 0"},
        {{"workload.skew=zipf", "workload.theta=2.1"},
         "workload.theta: expected at most 2, got 2.1"},
        {{"workload.skew=sipf", "workload.theta=1"},
         "workload.skew: expected uniform or zipf, got \"sipf\"; did you mean zipf?"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_a_mix_make_all),
        cmocka_unit_test(every_block_of_a_mix_fits_the_stripes),
        cmocka_unit_test(a_mix_reads_what_the_workload_reads_unless_said_otherwise),
        cmocka_unit_test(one_block_is_a_mix_of_one),
        cmocka_unit_test(an_exponent_belongs_to_zipf),
    };
    return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
