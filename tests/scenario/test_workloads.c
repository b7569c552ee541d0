/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What workloads may be, beyond their kinds. */
#include "answers.h"

#include <glib/gstdio.h>

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

static void streams_belong_to_what_is_sequential(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"workload.access=sequential"}, ""},
        {{"workload.access=sequential", "workload.streams=4"}, ""},
        {{"workload.streams=4"}, "workload.streams: only access: sequential has some"},
        {{"workload.streams=0"}, "workload.streams: expected 1 or more, got 0"},
        {{"workload.access=sequential", "workload.locality=50 %"},
         "workload.locality: what goes block after block has none"},
        {{"workload.access=sequential", "workload.skew=zipf", "workload.theta=1"},
         "workload.skew: what goes block after block has none"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

#define BURST "workload.burst.factor=5", "workload.burst.share=20 %", "workload.burst.mean=1 s"

static void bursts_have_three_figures_and_a_poisson_clock(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{BURST}, ""},
        {{"workload.burst.factor=5", "workload.burst.mean=1 s"},
         "workload.burst.share: missing, bursts have a factor, a share and a mean"},
        {{BURST, "workload.pacing=even"}, "workload.pacing: bursts need poisson, got even"},
        {{"workload.burst.factor=1"}, "workload.burst.factor: expected more than 1, got 1"},
        {{BURST, "workload.kind=closed", "workload[1].kind=open", "workload[1].vms=1",
          "workload[1].rate=1 /s"},
         "workload[0].rate: a workload of kind closed has no rate\n"
         "workload[0].burst.factor: a workload of kind closed has no burst.factor\n"
         "workload[0].burst.share: a workload of kind closed has no burst.share\n"
         "workload[0].burst.mean: a workload of kind closed has no burst.mean"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void days_have_two_parts_or_more(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"workload.day[0]=0", "workload.day[1]=2", "workload.day_start=23 h"}, ""},
        {{"workload.day[0]=1"}, "workload.day: expected 2 to 288 rates, got 1"},
        {{"workload.day[0]=0", "workload.day[1]=0"},
         "workload.day: expected a rate above 0 among them"},
        {{"workload.day[0]=-1", "workload.day[1]=0"},
         "workload.day[0]: expected 0 or more, got -1"},
        {{"workload.day_start=8 h"}, "(workload.day_start: has no effect without day"},
        {{"workload.day_start=25 h"}, "workload.day_start: expected at most 1 d, got 25 h"},
        {{"workload.day[0]=0.000000001", "workload.day[1]=1", "workload.rate=0.02 /s"},
         "workload.rate: expected at least 10k/s for 20 VMs with its day and bursts, got 0.02 /s"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static const char *const traced[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=2",
    "data.logical=6 TB",
    "data.protection=raid5",
    "workload.kind=trace",
    "workload.vms=20",
    NULL,
};

static char *traced_problems(const char *const *settings)
{
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    set_all(scenario, traced, problems);
    set_all(scenario, settings, problems);
    aft_scenario_resolve(scenario, problems);
    return problems_text(problems);
}

static void a_trace_has_a_file_and_nothing_that_the_file_says(void **state)
{
    (void)state;
    static const struct {
        const char *settings[4], *problems;
    } cases[] = {
        {{"workload.file=" TRACES "/msr.csv"}, ""},
        {{NULL}, "workload.file: missing, a workload of kind trace needs the path of a file"},
        {{"workload.file=nowhere.csv"}, "workload.file: there is no file \"nowhere.csv\""},
        {{"workload.file=/"}, "workload.file: \"/\" is a folder, not a file"},
        {{"workload.file=" TRACES "/msr.csv", "workload.rate=5 /s"},
         "workload.rate: a workload of kind trace has no rate"},
        {{"workload.file=" TRACES "/msr.csv", "workload.block=8 KiB"},
         "workload.block: a workload of kind trace has no block"},
        {{"workload.file=" TRACES "/msr.csv", "workload.speed=0"},
         "workload.speed: expected 0.000001 or more, got 0"},
        {{"workload.kind=open", "workload.rate=5 /s", "workload.repeat=on"},
         "workload.repeat: a workload of kind open has no repeat"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *problems = traced_problems(cases[i].settings);
        assert_string_equal(problems, cases[i].problems);
    }
}

static char *digest_with_file(const char *path)
{
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autofree char *file = g_strconcat("workload.file=", path, NULL);
    set_all(scenario, traced, problems);
    set_text(scenario, file, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    return aft_scenario_digest(scenario);
}

static void a_trace_is_what_is_in_its_file(void **state)
{
    (void)state;
    g_autofree char *text = NULL;
    gsize bytes;
    assert_true(g_file_get_contents(TRACES "/msr.csv", &text, &bytes, NULL));
    g_autofree char *folder = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    g_autofree char *copy = g_build_filename(folder, "copy.csv", NULL);
    g_autofree char *other = g_build_filename(folder, "other.csv", NULL);
    assert_true(g_file_set_contents(copy, text, (gssize)bytes, NULL));
    assert_true(g_file_set_contents(other, text, (gssize)bytes - 1, NULL));
    g_autofree char *digest = digest_with_file(TRACES "/msr.csv");
    g_autofree char *of_copy = digest_with_file(copy), *of_other = digest_with_file(other);
    assert_string_equal(of_copy, digest);
    assert_string_not_equal(of_other, digest);
    g_unlink(copy);
    g_unlink(other);
    g_rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_a_mix_make_all),
        cmocka_unit_test(every_block_of_a_mix_fits_the_stripes),
        cmocka_unit_test(a_mix_reads_what_the_workload_reads_unless_said_otherwise),
        cmocka_unit_test(one_block_is_a_mix_of_one),
        cmocka_unit_test(an_exponent_belongs_to_zipf),
        cmocka_unit_test(streams_belong_to_what_is_sequential),
        cmocka_unit_test(bursts_have_three_figures_and_a_poisson_clock),
        cmocka_unit_test(days_have_two_parts_or_more),
        cmocka_unit_test(a_trace_has_a_file_and_nothing_that_the_file_says),
        cmocka_unit_test(a_trace_is_what_is_in_its_file),
    };
    return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
