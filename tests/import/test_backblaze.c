/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

#define TITLES "date,serial_number,model,capacity_bytes,failure,smart_9_raw\n"

static char *import_both(const AftImportOptions *options, GError **error)
{
    const char *paths[] = {FILES "/drives-1.csv", FILES "/drives-2.csv", NULL};
    return import_files("backblaze", paths, options, NULL, error);
}

/* Four drive-days and one failure: 91.25 a year, and 1 - exp(-91.25) of a share. */
static void columns_are_found_by_name_in_each_file(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    options.csv = TRUE;
    g_autoptr(GError) error = NULL;
    g_autofree char *csv = import_both(&options, &error);
    assert_non_null(csv);
    assert_non_null(
        strstr(csv, "\nACME X-1,4000787030016,2,4,1,91.25,2.31025,508.412,2,1,,,,,,\n"));
    assert_non_null(strstr(csv, "\n'=cmd|' /C calc'!A0,0,1,1,0,0,0,1346.44,0,0,,,,,,\n"));
}

static void devices_and_faults_are_part_of_a_scenario(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_both(&options, &error);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "ACME-X-1");
    assert_int_equal(scenario->n_faults, 1);
    assert_within((double)scenario->faults[0].every_ns, 8760.0 * 3600e9 / 91.25, 1e9);
    assert_non_null(strstr(yaml, "\n  cmd----C-calc--A0:\n"));
    options.label = "=cmd|' /C calc'!A0";
    g_autofree char *one = import_both(&options, &error);
    assert_non_null(one);
    assert_null(strstr(one, "size:"));
    assert_non_null(strstr(one, "\n# faults:\n"));
}

/* 100 drives of 5 to 29 thousand hours for 10 days each, of which 8 fail. */
static char *fleet(void)
{
    GString *csv = g_string_new(TITLES);
    for (guint day = 0; day < 10; day++) {
        for (guint i = 0; i < 100; i++) {
            gboolean fails = i % 12 == 11;
            if (fails && day > i / 12) {
                continue;
            }
            g_string_append_printf(csv,
                                   "2024-02-%02u,S%u,\"X, \"\"Y\"\": # 1\",8000000000000,%d,%u\n",
                                   day + 1, i, fails && day == i / 12,
                                   5000 + 240 * ((i * 37) % 100) + 24 * (day + 1));
        }
    }
    return g_string_free(csv, FALSE);
}

static void lives_come_out_as_a_scenario_has_them(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autoptr(GError) error = NULL;
    g_autofree char *csv = fleet();
    g_autofree char *yaml = import_bytes("backblaze", csv, -1, &options, &error);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "X---Y-----1");
    assert_int_equal(scenario->n_faults, 1);
    assert_int_equal(scenario->faults[0].part, AFT_PART_DEVICE);
    assert_int_equal(scenario->faults[0].life.kind, AFT_SPREAD_WEIBULL);
    assert_true(scenario->faults[0].every_ns > 0);
    assert_int_equal(scenario->n_devices > 0, TRUE);
    assert_non_null(strstr(yaml, "100 drives, 956 drive-days, 8 failures"));
}

static void without_ages_failures_have_no_memory(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) csv = g_string_new("date,serial_number,model,capacity_bytes,failure\n");
    for (guint i = 0; i < 365; i++) {
        g_string_append_printf(csv, "2024-01-01,S%u,M1,8000000000000,%d\n", i, i == 7);
    }
    g_autofree char *yaml = import_bytes("backblaze", csv->str, -1, &options, &error);
    assert_non_null(yaml);
    g_autoptr(AftScenario) scenario = scenario_with(yaml, "M1");
    assert_int_equal(scenario->faults[0].life.kind, AFT_SPREAD_EXPONENTIAL);
    assert_non_null(strstr(yaml, "afr: 63.2121 %")); /* one a drive-year: 1 - 1/e */
}

static void mistakes_have_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *message;
    } cases[] = {
        {"", "is empty"},
        {"a,b\n", "f:1: expected a line of titles with date"},
        {TITLES, "has no drives"},
        {TITLES "2024-01-01,S,M,1\n", "f:2: expected 6 cells, got 4"},
        {TITLES "2024-13-01,S,M,1,0,1\n", "f:2: date: expected a day"},
        {TITLES "yesterday,S,M,1,0,1\n", "f:2: date: expected a day"},
        {TITLES "2024-01-01,S,M,1,2,1\n", "f:2: failure: expected 0 or 1"},
        {TITLES "2024-01-01,,M,1,0,1\n", "f:2: serial_number: expected a text"},
        {TITLES "2024-01-01,S,M,1,0,1\n2024-01-01,S,M,1,0,1\n", "f:3: drive S has a row of"},
        {TITLES "2024-01-01,S,M,1,0,1\n2024-01-02,S,M,1,0,1\n2024-01-01,S,M,1,0,1\n",
         "is a file given twice?"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_refused("backblaze", cases[i].csv, AFT_ERROR_SYNTAX, cases[i].message);
    }
    g_autofree char *longest = g_strnfill(70000, 'x');
    g_autofree char *csv = g_strconcat(TITLES, longest, NULL);
    assert_refused("backblaze", csv, AFT_ERROR_SYNTAX, "f:2: expected rows of text of at most");
}

static void ages_that_cannot_be_are_no_lives(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    options.csv = TRUE;
    g_autoptr(GError) error = NULL;
    g_autofree char *csv = import_bytes("backblaze",
                                        TITLES "2024-01-01,A,M,1,0,100\n2024-01-01,B,M,1,0,5000\n"
                                               "2024-01-01,C,M,1,0,99999999999\n"
                                               "2024-01-01,D,M,1,0,-3\n"
                                               "2024-01-02,A,M,1,0,9000\n2024-01-02,B,M,1,0,10\n",
                                        -1, &options, &error);
    assert_non_null(csv);
    assert_non_null(strstr(csv, "\nM,1,4,6,0,0,0,")); /* their days count all the same */
    assert_non_null(strstr(csv, ",0,0,,,,,,\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name_in_each_file),
        cmocka_unit_test(devices_and_faults_are_part_of_a_scenario),
        cmocka_unit_test(lives_come_out_as_a_scenario_has_them),
        cmocka_unit_test(without_ages_failures_have_no_memory),
        cmocka_unit_test(mistakes_have_a_line),
        cmocka_unit_test(ages_that_cannot_be_are_no_lives),
    };
    return cmocka_run_group_tests_name("import/backblaze", tests, NULL, NULL);
}
