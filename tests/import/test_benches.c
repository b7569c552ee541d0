/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HCIBench and vdbench. */
#include "import.h"

#define MIB    (1048576.0)
#define FIRST  "vdb-8vmdk-100ws-4k-70rdpct-100randompct-4threads"
#define SECOND "vdb-8vmdk-100ws-256k-0rdpct-0randompct-1threads"
#define TITLES "tod Run Interval reqrate rate MB/sec read% resp\n"

static void hcibench_cases_become_labels(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *yaml = import_file("hcibench", "res.txt", &options, NULL);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, FIRST, "iops"), 118373.84, 1e-4);
    assert_within(cell_of(reference, FIRST, "mb_per_s"), 462.40 * MIB, 1.0);
    assert_within(cell_of(reference, FIRST, "mean"), 3.24e-3, 1e-12);
    assert_within(cell_of(reference, FIRST, "read_mean"), 2.92e-3, 1e-12);
    assert_within(cell_of(reference, FIRST, "write_mean"), 3.99e-3, 1e-12);
    assert_within(cell_of(reference, SECOND, "iops"), 8000.0, 1e-9);
    assert_true(isnan(cell_of(reference, SECOND, "read_mean")));
    assert_non_null(strstr(yaml, "# reads and writes together, no figure here: 95 % took 7.94 ms"));
    assert_non_null(strstr(yaml, "# virtual machines: 12"));
}

static void hcibench_percentiles_of_directions_are_derived(void **state)
{
    (void)state;
    AftImportOptions options = {.label = "x", .phase = AFT_PHASE_STEADY};
    g_autoptr(GError) error = NULL;
    g_autofree char *yaml = import_bytes("hcibench", "95%tile_R_LAT = 2 ms\n95%tile_W_LAT = 3 ms\n",
                                         -1, &options, &error);
    assert_non_null(yaml);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "x", "read_p95"), 2e-3, 1e-12);
    const AftReferenceCell *cell = g_ptr_array_index(reference->cells, 0);
    assert_int_equal(cell->mark, AFT_MARK_DERIVED);
}

static void hcibench_mistakes_have_a_line(void **state)
{
    (void)state;
    assert_refused("hcibench", "Case Name: x\nIOPS = -5 io/s\n", AFT_ERROR_SYNTAX, "f:2: expected");
    assert_refused("hcibench", "IOPS = 5 furlongs\n", AFT_ERROR_SYNTAX, "f:1: the unit \"furlongs");
    assert_refused("hcibench", "IOPS = nan io/s\n", AFT_ERROR_SYNTAX, "f:1:");
    assert_refused("hcibench", "LATENCY = 9e17 GB/s\n", AFT_ERROR_RANGE, "f:1:");
    assert_refused("hcibench", "<html>\n", AFT_ERROR_SYNTAX, "has no figures");
}

static void vdbench_takes_rows_of_means(void **state)
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

static void vdbench_rows_of_nothing_come_to_an_end(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new(TITLES);
    for (guint i = 0; i <= 10000; i++) {
        g_string_append(text, "10:15 rd1 avg_2-3 max 0 0 0 0\n");
    }
    assert_refused("vdbench", text->str, AFT_ERROR_LIMIT, "f:10002: expected at most 10000 rows");
}

static void vdbench_mistakes_have_a_line(void **state)
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
        cmocka_unit_test(hcibench_cases_become_labels),
        cmocka_unit_test(hcibench_percentiles_of_directions_are_derived),
        cmocka_unit_test(hcibench_mistakes_have_a_line),
        cmocka_unit_test(vdbench_takes_rows_of_means),
        cmocka_unit_test(vdbench_rows_of_nothing_come_to_an_end),
        cmocka_unit_test(vdbench_mistakes_have_a_line),
    };
    return cmocka_run_group_tests_name("import/benches", tests, NULL, NULL);
}
