/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

#define FIO "[j]\nioengine=libaio\niodepth=4\nrw=randread\nbs=8k\n"
#define HEAD                                                                                    \
    "name: n\nvms:\n  - G: {count_per_node: 2}\nworkloads:\n  - W: {vm_group: G, config_file: " \
    "w.fio}\nrun:\n"

/* Imports a folder with @yml and a job file. Returns: (transfer full) (nullable). */
static char *import_test(const char *yml, guint nodes, char **ret_remarks, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("aft-import-XXXXXX", NULL);
    g_autofree char *test = g_build_filename(folder, "test.yml", NULL);
    g_autofree char *fio = g_build_filename(folder, "w.fio", NULL);
    const char *paths[] = {folder, NULL};
    AftImportOptions options = usual();
    options.nodes = nodes;
    assert_true(g_file_set_contents(test, yml, -1, NULL));
    assert_true(g_file_set_contents(fio, FIO, -1, NULL));
    char *text = import_files("xray", paths, &options, ret_remarks, error);
    g_unlink(test);
    g_unlink(fio);
    g_rmdir(folder);
    return text;
}

/* The scenario of a test whose steps are @steps, on four nodes. */
static AftScenario *walk(const char *steps)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *yml = g_strconcat(HEAD, steps, NULL);
    g_autofree char *yaml = import_test(yml, 4, NULL, &error);
    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(yaml);
    return scenario_with(yaml, "sata-ssd");
}

static void assert_action(const AftScenario *scenario, guint i, double at_s, AftActionKind kind)
{
    assert_true(i < scenario->n_timeline);
    assert_within((double)scenario->timeline[i].at_ns / 1e9, at_s, 1e-6);
    assert_int_equal(scenario->timeline[i].kind, kind);
}

static void a_folder_is_workloads_and_a_timeline(void **state)
{
    (void)state;
    const char *paths[] = {FILES "/xray", NULL};
    AftImportOptions options = usual();
    g_autofree char *remarks = NULL;
    g_autofree char *yaml = import_files("xray", paths, &options, &remarks, NULL);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "sata-ssd");
    assert_int_equal(scenario->n_workloads, 3);
    const AftWorkloadSpec *data = &scenario->workloads[0];
    assert_string_equal(data->name, "Database data");
    assert_int_equal(data->vms, 2);
    assert_int_equal(data->outstanding, 16);
    assert_within(data->rate_per_s, 1600.0, 1e-9);
    assert_within(data->mean_read_share, 0.625, 1e-9);
    assert_int_equal(data->working_set_bytes, 56ull << 30);
    assert_string_equal(data->on, "0,1");
    assert_int_equal(scenario->workloads[2].vms, 30);
    assert_int_equal(scenario->n_timeline, 5);
    assert_action(scenario, 0, 0.0, AFT_ACTION_STOP); /* what begins later */
    assert_action(scenario, 1, 300.0, AFT_ACTION_FAIL);
    assert_action(scenario, 2, 300.0, AFT_ACTION_START);
    assert_action(scenario, 3, 900.0, AFT_ACTION_STOP);
    assert_action(scenario, 4, 900.0, AFT_ACTION_RESTORE);
    assert_within((double)scenario->run.duration_ns / 1e9, 7200.0, 1e-6);
    assert_non_null(strstr(remarks, "test.yml:73: experimental.Shell: has no counterpart"));
    assert_non_null(strstr(remarks, "test.yml:66: vm_group.WaitForPowerOn: "));
    assert_non_null(strstr(remarks, "setup: is before the run: cluster.CleanUp, workload.Prefill"));
    assert_non_null(strstr(remarks, "taken to be for 4 nodes"));
    assert_non_null(strstr(yaml, "# percentage_random=10: has no counterpart"));
}

static void workloads_end_when_they_are_waited_for(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario =
        walk("  - test.Wait: {duration_secs: 10}\n"
             "  - workload.Start: {workload_name: W, runtime_secs: 100, async: yes}\n"
             "  - test.Wait: {duration_secs: 30}\n"
             "  - workload.Wait: {workload_name: W}\n"
             "  - workload.Start: {workload_name: W, runtime_secs: 100, async: True}\n"
             "  - test.Wait: {duration_secs: 5}\n"
             "  - workload.Stop: {workload_name: W}\n"
             "  - test.Wait: {duration_secs: 1}\n");
    assert_int_equal(scenario->n_timeline, 5);
    assert_action(scenario, 0, 0.0, AFT_ACTION_STOP);
    assert_action(scenario, 1, 10.0, AFT_ACTION_START);
    assert_action(scenario, 2, 110.0, AFT_ACTION_STOP);
    assert_action(scenario, 3, 110.0, AFT_ACTION_START);
    assert_action(scenario, 4, 115.0, AFT_ACTION_STOP);
    assert_within((double)scenario->run.duration_ns / 1e9, 116.0, 1e-6);
    assert_int_equal(scenario->workloads[0].vms, 8);
    assert_int_equal(scenario->workloads[0].outstanding, 32);
}

/* Off and on again at once: a boot takes its time. */
static void nodes_do_not_fail_and_return_at_one_time(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = walk("  - nodes.PowerOff: {nodes: 1}\n"
                                           "  - nodes.PowerOn: {nodes: all}\n"
                                           "  - nodes.Shutdown: {nodes: 1}\n"
                                           "  - test.Wait: {duration_secs: 60}\n"
                                           "  - nodes.PowerOn: {nodes: 1}\n"
                                           "  - test.Wait: {duration_secs: 60}\n");
    assert_int_equal(scenario->n_timeline, 4);
    assert_action(scenario, 0, 0.0, AFT_ACTION_FAIL);
    assert_action(scenario, 1, 300.0, AFT_ACTION_RESTORE);
    assert_action(scenario, 2, 600.0, AFT_ACTION_FAIL);
    assert_action(scenario, 3, 660.0, AFT_ACTION_RESTORE);
}

static void nodes_are_written_as_slices(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *failed;
    } cases[] = {
        {"0", "0"},         {"-1", "3"},     {"'0, 2'", "0 2"}, {"'1:3'", "1 2"},
        {"':n/2'", "0 1"},  {"'n-1:'", "3"}, {"'n/2-1'", "1"},  {"'-2:'", "2 3"},
        {"all", "0 1 2 3"}, {"'3:99'", "3"}, {"'n*2-5'", "3"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *steps =
            g_strdup_printf("  - nodes.PowerOff: {nodes: %s}\n  - test.Wait: {duration_secs: 1}\n",
                            cases[i].nodes);
        g_autoptr(AftScenario) scenario = walk(steps);
        g_autoptr(GString) failed = g_string_new(NULL);
        for (guint k = 0; k < scenario->n_timeline; k++) {
            g_string_append_printf(failed, "%s%u", k > 0 ? " " : "",
                                   scenario->timeline[k].part.node);
        }
        assert_string_equal(failed->str, cases[i].failed);
    }
}

static void templates_are_filled_in(void **state)
{
    (void)state;
    static const struct {
        const char *template;
        double seconds;
    } cases[] = {
        {"{{ a }}", 90.0},
        {"{{a}}", 90.0},
        {"'{{ b }}0'", 50.0},
        {"\"{{ a|default(7) }}\"", 90.0},
        {"{{ c | default('7') }}", 7.0},
        {"{{ d | int }}", 2.0},
        {"{{ 2 * (a + b) / 10 - 1 }}", 18.0},
        {"{{ 5 }}", 5.0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *steps = g_strdup_printf(
            "  - test.Wait:\n      duration_secs: %s\nvars: {a: {default: 90}, b: 5, d: 2.7}\n",
            cases[i].template);
        g_autoptr(AftScenario) scenario = walk(steps);
        assert_within((double)scenario->run.duration_ns / 1e9, cases[i].seconds, 1e-6);
    }
}

static void what_is_not_simple_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *steps, *message;
    } cases[] = {
        {"  - test.Wait: {duration_secs: {{ x }}}\n",
         "test.yml:7:32: {{ x }}: vars has no default"},
        {"  - test.Wait: {duration_secs: '{{ 2 ** 2 }}'}\n", "7:32: {{ 2 ** 2 }}: only names"},
        {"  - test.Wait: {duration_secs: '{{ 1.2.3 }}'}\n", "only names, numbers"},
        {"  - test.Wait: {duration_secs: '{{ 1 / 0 }}'}\n", "comes to no number"},
        {"  - test.Wait: {duration_secs: '{{ 1'}\n", "test.yml:7: a template, {{ ... }}, does not"},
        {"  - test.Wait: {duration_secs: '{{ }}'}\n", "7:32: {{ }}: only names"},
        {"{% for i in x %}\n", "test.yml:7: statements of templates"},
        {"  - test.Wait: {duration_secs: -5}\n", "7:32: duration_secs: expected a number of 0"},
        {"  - test.Wait: {duration_secs: 1e99}\n", "7:32: duration_secs: expected a number"},
        {"  - test.Wait: {duration_secs: .nan}\n", "7:32: duration_secs: expected a number"},
        {"  - test.Wait: {duration_secs: [1]}\n", "7:32: duration_secs: expected one value"},
        {"  - test.Wait: {}\n", "7:5: test.Wait: expected duration_secs"},
        {"  - test.Wait: 5\n", "7:16: expected what the step takes"},
        {"  - {a: b, c: d}\n", "7:5: expected a step"},
        {"  - {a: b, a: d}\n", "7:12: this key is there twice"},
        {"  -\n", "7:4: expected a step"},
        {"  - nodes.PowerOff: {nodes: 4}\n",
         "7:29: nodes.PowerOff: nodes: there is no node 4 of 4"},
        {"  - nodes.PowerOff: {nodes: x}\n", "nodes: expected nodes, like 0"},
        {"  - nodes.PowerOff: {nodes: '0:4:2'}\n", "nodes: expected nodes, like 0"},
        {"  - nodes.PowerOff: {nodes: 'n/0'}\n", "nodes: expected nodes, like 0"},
        {"  - nodes.PowerOff: {}\n", "expected nodes"},
        {"  - workload.Start: {workload_name: w1}\n", "7:5: there is no \"w1\" in workloads"},
        {"  - workload.Start: {}\n", "expected a workload_name"},
        {"  - workload.Start: &a {}\n  - test.Wait: *a\n", "8:16: aliases are not read"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *yml = g_strconcat(HEAD, cases[i].steps, NULL);
        g_autofree char *yaml = import_test(yml, 4, NULL, &error);
        assert_null(yaml);
        assert_error(error, AFT_ERROR_SYNTAX, cases[i].message);
    }
}

static void wrong_files_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *yml, *message;
    } cases[] = {
        {"", "test.yml:1:1: the file is empty"},
        {"a: [1, 2", "test.yml:2:1: not YAML"},
        {"a: 1\n", "expected a name: is this a test of X-Ray?"},
        {"name: n\n", "expected run, a list of steps"},
        {"name: n\nrun: 5\n", "2:6: expected run, a list of steps"},
        {"name: n\nrun:\n  - workload.Start: {workload_name: W}\nworkloads:\n  - V: {}\n",
         "3:5: there is no \"W\" in workloads"},
        {"name: n\nrun:\n  - workload.Start: {workload_name: W}\nworkloads:\n  - W: {}\n",
         "5:8: expected a vm_group"},
        {"name: n\nrun:\n  - workload.Start: {workload_name: W}\nworkloads:\n"
         "  - W: {vm_group: Grop}\nvms:\n  - Group: {}\n",
         "5:8: there is no \"Grop\" in vms; did you mean Group?"},
        {"name: n\nrun:\n  - workload.Start: {workload_name: W}\nworkloads:\n"
         "  - W: {vm_group: G}\nvms:\n  - G: {}\n",
         "7:8: expected a whole count_per_node"},
        {"name: n\nrun:\n  - workload.Start: {workload_name: W}\nworkloads:\n"
         "  - W: {vm_group: G, config_file: ../w.fio}\nvms:\n  - G: {count_per_node: 1}\n",
         "5:35: config_file: expected a file in the folder"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *yaml = import_test(cases[i].yml, 4, NULL, &error);
        assert_null(yaml);
        assert_error(error, AFT_ERROR_SYNTAX, cases[i].message);
    }
}

static void too_much_is_refused(void **state)
{
    (void)state;
    static const char *const starts[] = {"name: [", "name: {a: ", "- ", "{{a}} "};
    for (guint i = 0; i < G_N_ELEMENTS(starts); i++) {
        g_autoptr(GString) yml = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        while (yml->len < 200000) {
            g_string_append(yml, starts[i] + (i < 1 ? 6 : 0));
        }
        g_autofree char *yaml = import_test(yml->str, 4, NULL, &error);
        assert_null(yaml);
        assert_non_null(error);
    }
    g_autoptr(GString) many = g_string_new(HEAD);
    for (guint i = 0; i < 6000; i++) {
        g_string_append(many,
                        "  - nodes.PowerOff: {nodes: all}\n  - nodes.PowerOn: {nodes: all}\n");
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_test(many->str, 1000, NULL, &error);
    assert_null(yaml);
    assert_error(error, AFT_ERROR_LIMIT, "expected at most 20000 events");
}

/* A value may come to far more than the file has. */
static void templates_do_not_grow_without_end(void **state)
{
    (void)state;
    g_autofree char *long_value = g_strnfill(1000, 'x');
    g_autoptr(GString) name = g_string_new(NULL);
    for (guint i = 0; i < 100; i++) {
        g_string_append(name, "{{ a }}");
    }
    g_autofree char *yml = g_strdup_printf(HEAD "  - nodes.PowerOff: {nodes: '%s'}\n"
                                                "vars: {a: {default: %s}}\n",
                                           name->str, long_value);
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_test(yml, 4, NULL, &error);
    assert_null(yaml);
    assert_error(error, AFT_ERROR_SYNTAX, "7:29: comes to more than 65536 bytes");
}

static void workloads_are_as_many_as_scenarios_take(void **state)
{
    (void)state;
    g_autoptr(GString) yml =
        g_string_new("name: n\nvms:\n  - G: {count_per_node: 1}\nworkloads:\n");
    for (guint i = 0; i <= 1000; i++) {
        g_string_append_printf(yml, "  - W%u: {vm_group: G, config_file: w.fio}\n", i);
    }
    g_string_append(yml, "run:\n");
    for (guint i = 0; i <= 1000; i++) {
        g_string_append_printf(yml, "  - workload.Start: {workload_name: W%u, async: on}\n", i);
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_test(yml->str, 4, NULL, &error);
    assert_null(yaml);
    assert_error(error, AFT_ERROR_LIMIT, "w.fio: expected at most 1000 workloads in all");
}

static void names_stay_names(void **state)
{
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_test(
        "name: \"a\\n- {b: c}\\e[31m\"\nvms:\n  - \"G\\n# \\\" \": {count_per_node: 1}\n"
        "workloads:\n  - \"\\\" }\\n- x: &a '\": {vm_group: \"G\\n# \\\" \", config_file: w.fio}\n"
        "run:\n  - test.Wait: {duration_secs: 1}\n"
        "  - workload.Start: {workload_name: \"\\\" }\\n- x: &a '\", runtime_secs: 5}\n"
        "  - \"x\\n- {at: 0 s, fail: node 1}\": {}\n",
        4, NULL, &error);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "sata-ssd");
    assert_int_equal(scenario->n_workloads, 1);
    assert_int_equal(scenario->n_timeline, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_workloads_and_a_timeline),
        cmocka_unit_test(workloads_end_when_they_are_waited_for),
        cmocka_unit_test(nodes_do_not_fail_and_return_at_one_time),
        cmocka_unit_test(nodes_are_written_as_slices),
        cmocka_unit_test(templates_are_filled_in),
        cmocka_unit_test(what_is_not_simple_is_told_with_its_place),
        cmocka_unit_test(wrong_files_are_told),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(templates_do_not_grow_without_end),
        cmocka_unit_test(workloads_are_as_many_as_scenarios_take),
        cmocka_unit_test(names_stay_names),
    };
    return cmocka_run_group_tests_name("import/xray", tests, NULL, NULL);
}
