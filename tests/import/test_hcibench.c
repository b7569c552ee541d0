/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import.h"

#define MIB    (1048576.0)
#define FIRST  "vdb-8vmdk-100ws-4k-70rdpct-100randompct-4threads"
#define SECOND "vdb-8vmdk-100ws-256k-0rdpct-0randompct-1threads"

static void cases_become_labels(void **state)
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
    assert_non_null(strstr(yaml, "mean latency and 1.645 deviations are 7.94 ms"));
    assert_non_null(strstr(yaml, "# virtual machines: 12"));
}

static void percentiles_of_directions_are_derived(void **state)
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

static void mistakes_have_a_line(void **state)
{
    (void)state;
    assert_refused("hcibench", "Case Name: x\nIOPS = -5 io/s\n", AFT_ERROR_SYNTAX, "f:2: expected");
    assert_refused("hcibench", "IOPS = 5 furlongs\n", AFT_ERROR_SYNTAX, "f:1: the unit \"furlongs");
    assert_refused("hcibench", "IOPS = nan io/s\n", AFT_ERROR_SYNTAX, "f:1:");
    assert_refused("hcibench", "LATENCY = 9e17 GB/s\n", AFT_ERROR_RANGE, "f:1:");
    assert_refused("hcibench", "<html>\n", AFT_ERROR_SYNTAX, "has no figures");
}

/* As HCIBench with fio writes it: a block for each job, and one more datastore. */
static void jobs_of_fio_become_labels(void **state)
{
    (void)state;
    AftImportOptions options = usual();
    g_autofree char *remarks = NULL;
    g_autofree char *yaml = import_file("hcibench", "fio-4k-res.txt", &options, &remarks);
    g_autoptr(AftReference) reference = reference_of(yaml);
    assert_within(cell_of(reference, "fio-4k job0", "iops"), 26833.38, 1e-6);
    assert_true(isnan(cell_of(reference, "fio-4k job0", "read_mean")));
    assert_within(cell_of(reference, "fio-4k job0", "write_mean"), 11.28e-3, 1e-12);
    assert_within(cell_of(reference, "fio-4k job0", "write_p95"), 42e-3, 1e-12);
    assert_within(cell_of(reference, "fio-4k job1", "iops"), 5440.17, 1e-6);
    assert_within(cell_of(reference, "fio-4k job0-2", "iops"), 100.0, 1e-6);
    assert_non_null(strstr(yaml, "# datastore: second"));
    assert_non_null(strstr(remarks, "2 VMs finished testing early"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_become_labels),
        cmocka_unit_test(percentiles_of_directions_are_derived),
        cmocka_unit_test(mistakes_have_a_line),
        cmocka_unit_test(jobs_of_fio_become_labels),
    };
    return cmocka_run_group_tests_name("import/hcibench", tests, NULL, NULL);
}
