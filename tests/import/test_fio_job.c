/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

static AftScenario *scenario_of(const char *job)
{
    g_autoptr(GError) error = NULL;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_bytes("fio-job", job, -1, &options, &error);
    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(yaml);
    return scenario_with(yaml, "sata-ssd");
}

static void sections_become_workloads(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_file("fio-job", "mixed.fio", &options, NULL);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "sata-ssd");
    assert_int_equal(scenario->n_workloads, 3);
    const AftWorkloadSpec *mix = &scenario->workloads[0];
    assert_string_equal(mix->name, "mix");
    assert_int_equal(mix->kind, AFT_WORKLOAD_CLOSED);
    assert_int_equal(mix->vms, 4);
    assert_int_equal(mix->outstanding, 64);
    assert_within(mix->read_share, 0.7, 1e-12);
    assert_within(mix->theta, 1.2, 1e-12);
    assert_int_equal(mix->working_set_bytes, 40ull << 30); /* a file for each of four jobs */
}

/* Reads may do 300 a job, and writes 100; there are two. */
static void rates_of_directions_add_up(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_file("fio-job", "mixed.fio", &options, NULL);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "sata-ssd");
    const AftWorkloadSpec *paced = &scenario->workloads[1];
    assert_int_equal(paced->kind, AFT_WORKLOAD_PACED);
    assert_within(paced->rate_per_s, 800.0, 1e-9);
    assert_int_equal(paced->n_blocks, 3);
    assert_within(paced->mean_read_share, 0.75, 1e-9);
    assert_int_equal(paced->working_set_bytes, 10ull << 30); /* one file for both */
}

/* As fio 3.33 did: 199 reads and 199 writes of rate_iops=200, with rwmixread=70 as without. */
static void rates_hold_whatever_the_mix(void **state)
{
    (void)state;
    static const struct {
        const char *job;
        double rate, read_share;
    } cases[] = {
        {"[j]\nrw=randrw\nrwmixread=70\nrate_iops=200\n", 400.0, 0.5},
        {"[j]\nrw=randrw\nrate_iops=300,100\n", 400.0, 0.75},
        {"[j]\nrw=randrw\nrate=800k\nbs=4k,8k\n", 300.0, 2.0 / 3.0},
        {"[j]\nrw=randrw\nrwmixread=75\nrate_iops=300,\n", 400.0, 0.75},
        {"[j]\nrw=randread\nrate_iops=200,5\n", 200.0, 1.0},
        {"[j]\nrw=randwrite\nrate_iops=200\nrate=400k\n", 100.0, 0.0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = scenario_of(cases[i].job);
        assert_within(scenario->workloads[0].rate_per_s, cases[i].rate, 1e-6);
        assert_within(scenario->workloads[0].mean_read_share, cases[i].read_share, 1e-8);
    }
}

static void synchronous_engines_have_one_at_a_time(void **state)
{
    (void)state;
    g_autoptr(AftScenario) plain = scenario_of("[j]\nrw=randread\niodepth=32\nnumjobs=3\n");
    assert_int_equal(plain->workloads[0].outstanding, 3);
    g_autoptr(AftScenario) deep =
        scenario_of("[j]\nrw=randread\niodepth=32\nnumjobs=3\nioengine=io_uring\n");
    assert_int_equal(deep->workloads[0].outstanding, 96);
}

/* fio's k is 1024 and its Ki 1000, unless kb_base is 1000. */
static void prefixes_are_those_of_fio(void **state)
{
    (void)state;
    static const struct {
        const char *job, *block;
    } cases[] = {
        {"[j]\nbs=8k\n", "8 KiB"},
        {"[j]\nbs=8KiB\n", "8 kB"},
        {"[j]\nbs=8kb\n", "8 KiB"},
        {"[global]\nkb_base=1000\n[j]\nbs=8k\n", "8 kB"},
        {"[global]\nkb_base=1000\n[j]\nbs=8Ki\n", "8 KiB"},
        {"[j]\nblocksize=1m\n", "1 MiB"},
        {"[j]\nbs=4096\n", "4 KiB"},
        {"[j]\n", "4 KiB"},
        {"[j]\nrw=write\nbs=4k,64k\n", "64 KiB"},
        {"[j]\nrw=write\nbs=,64k\n", "64 KiB"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        AftImportOptions options = usual();
        g_autofree char *yaml = import_bytes("fio-job", cases[i].job, -1, &options, NULL);
        g_autofree char *line = g_strconcat("\n    block: ", cases[i].block, "\n", NULL);
        assert_non_null(yaml);
        assert_non_null(strstr(yaml, line));
    }
}

static void later_options_win_and_globals_follow(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario =
        scenario_of("[global]\nbs=4k\n[a]\n[global]\nbs=16k\n[b]\n[b]\nbs=1k\nbs=32k\n");
    assert_int_equal(scenario->workloads[0].block_bytes, 4096);
    assert_int_equal(scenario->workloads[1].block_bytes, 16384);
    assert_int_equal(scenario->workloads[2].block_bytes, 32768);
    assert_string_equal(scenario->workloads[2].name, "b-2");
}

static void split_sizes_share_what_is_left(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = scenario_of("[j]\nrw=randread\nbssplit=4k/40:8k:16k/\n");
    assert_int_equal(scenario->workloads[0].n_blocks, 3);
    assert_within(scenario->workloads[0].blocks[1].share, 0.3, 1e-9);
}

static void what_has_no_counterpart_is_told(void **state)
{
    (void)state;
    g_autofree char *remarks = NULL;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_file("fio-job", "mixed.fio", &options, &remarks);
    const char *told[] = {"# fdatasync=1: has no counterpart", "# stonewall: ", "# runtime=10m: ",
                          "# nice=${NICE}: ", "# iodepth=8: ioengine psync"};
    for (guint i = 0; i < G_N_ELEMENTS(told); i++) {
        assert_non_null(strstr(yaml, told[i]));
        assert_non_null(strstr(remarks, told[i] + 2));
    }
    assert_null(strstr(yaml, "group_reporting"));
}

static void names_cannot_break_out(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario =
        scenario_of("[a\": {}} # \\ ' \x01\xc2\x85\xe2\x80\xa8 b: c\xff]\nsome=\xc2\x85 x: y\n");
    assert_int_equal(scenario->n_workloads, 1);
    assert_true(g_str_has_prefix(scenario->workloads[0].name, "a\": {}} # \\ ' "));
}

static void mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *job, *message;
    } cases[] = {
        {"", "has no job"},
        {"[global]\nbs=4k\n", "has no job"},
        {"bs=4k\n", "f:1: expected a section first"},
        {"[j\n", "f:1: a section is [NAME]"},
        {"[j]\n\nbs=4q\n", "f:3: bs: expected a size"},
        {"[j]\nbs=1\n", "f:2: bs: expected sizes of 512 B"},
        {"[j]\nbs=99999999999999999999g\n", "f:2: bs"},
        {"[j]\nrw=sideways\n", "f:2: rw: expected read, write"},
        {"[j]\niodepth=-1\n", "f:2: iodepth: expected a whole number"},
        {"[j]\niodepth=nan\n", "f:2: iodepth"},
        {"[j]\nnumjobs=1000000\niodepth=100\nioengine=libaio\n", "f:3: iodepth: expected at most"},
        {"[j]\nrw=rw\nrwmixread=101\n", "f:3: rwmixread: expected a percentage"},
        {"[j]\nbssplit=4k/60:8k/60\n", "f:2: bssplit: expected sizes and shares"},
        {"[j]\nbssplit=\n", "f:2: bssplit"},
        {"[j]\nrate_iops=0\n", "f:2: rate_iops: expected a rate above 0"},
        {"[j]\nrw=randtrim\n", "has no job"},
        {"[j]\nrandom_distribution=zipf:9\nrw=randread\n", "f:2: random_distribution"},
        {"[j]\nkb_base=7\n", "f:2: kb_base"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_refused("fio-job", cases[i].job, AFT_ERROR_SYNTAX, cases[i].message);
    }
}

static void there_is_an_end_to_sections_and_options(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < 1001; i++) {
        g_string_append(text, "[j]\n");
    }
    assert_refused("fio-job", text->str, AFT_ERROR_LIMIT, "f:1001: expected at most 1000 jobs");
    g_string_assign(text, "[global]\n");
    for (guint i = 0; i < 5001; i++) {
        g_string_append(text, "x=1\n");
    }
    assert_refused("fio-job", text->str, AFT_ERROR_LIMIT, "f:5002: expected at most 5000 options");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_become_workloads),
        cmocka_unit_test(rates_of_directions_add_up),
        cmocka_unit_test(rates_hold_whatever_the_mix),
        cmocka_unit_test(synchronous_engines_have_one_at_a_time),
        cmocka_unit_test(prefixes_are_those_of_fio),
        cmocka_unit_test(later_options_win_and_globals_follow),
        cmocka_unit_test(split_sizes_share_what_is_left),
        cmocka_unit_test(what_has_no_counterpart_is_told),
        cmocka_unit_test(names_cannot_break_out),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(there_is_an_end_to_sections_and_options),
    };
    return cmocka_run_group_tests_name("import/fio_job", tests, NULL, NULL);
}
