/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

#define MIB    (1048576.0)
#define TITLES "tod Run Interval reqrate rate MB/sec read% resp\n"

static void takes_rows_of_means(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_file("vdbench", "flatfile.html", &options, NULL);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "rd1", "iops"), 1010.0, 1e-9);
    assert_within(cell_of(reference, "rd1", "read_iops"), 757.5, 1e-9);
    assert_within(cell_of(reference, "rd1", "write_iops"), 252.5, 1e-9);
    assert_within(cell_of(reference, "rd1", "mb_per_s"), 4.0 * MIB, 1e-2);
    assert_within(cell_of(reference, "rd1", "read_mb_per_s"), 3.0 * MIB, 1e-2);
    assert_within(cell_of(reference, "rd1", "mean"), 2.01e-3, 1e-12);
    assert_within(cell_of(reference, "rd1", "write_mean"), 2.71e-3, 1e-12);
    assert_within(cell_of(reference, "rd1-2", "iops"), 500.0, 1e-9);
    assert_true(isnan(cell_of(reference, "rd1-2", "write_mean")));
    assert_non_null(strstr(yaml, "# run rd1, avg_2-3, threads 8, wanted rate 500"));
}

static void rows_of_nothing_come_to_an_end(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new(TITLES);
    for (guint i = 0; i <= 10000; i++) {
        g_string_append(text, "10:15 rd1 avg_2-3 max 0 0 0 0\n");
    }
    assert_refused("vdbench", text->str, AFT_ERROR_LIMIT, "f:10002: expected at most 10000 rows");
}

static void mistakes_have_a_line(void **state)
{
    (void)state;
    assert_refused("vdbench", "1 2 3\n", AFT_ERROR_SYNTAX, "f:1: expected the line of titles");
    assert_refused("vdbench", "tod Run rate\n", AFT_ERROR_SYNTAX, "f:1: there is no column Inter");
    assert_refused("vdbench", TITLES "10:15 rd1 avg_2-3 max 5\n", AFT_ERROR_SYNTAX,
                   "f:2: expected 8 columns, got 5");
    assert_refused("vdbench", TITLES "10:15 rd1 avg_2-3 max -5 1 50 1\n", AFT_ERROR_SYNTAX,
                   "f:2: rate: expected a number");
    assert_refused("vdbench", TITLES "10:15 rd1 avg_2-3 max 5 1 101 1\n", AFT_ERROR_SYNTAX,
                   "f:2: read%: expected 0 to 100");
    assert_refused("vdbench", TITLES "10:15 rd1 1 max 5 1 50 1\n", AFT_ERROR_SYNTAX,
                   "has no means");
    assert_refused("vdbench", "", AFT_ERROR_SYNTAX, "has no means");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_rows_of_means),
        cmocka_unit_test(rows_of_nothing_come_to_an_end),
        cmocka_unit_test(mistakes_have_a_line),
    };
    return cmocka_run_group_tests_name("import/vdbench", tests, NULL, NULL);
}
