/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep sets at every point is known, however paths are spelt. */
#include "test.h"

#include <aftershock/loader/sweep.h>

static const char base[] = "version: 1\n"
                           "devices: {ssd: {read: 100 us, write: 100 us, size: 1 TB}}\n"
                           "cluster: {nodes: 8, node: {disk_groups: {capacity: {device: ssd}}}}\n"
                           "data: {logical: 1 GB, protection: rf2}\n"
                           "workload: {kind: open, vms: 1, rate: 100 /s}\n"
                           "timeline:\n"
                           "  - {at: 5 min, fail: node 1}\n"
                           "  - {at: 9 min, restore: node 1}\n";

/* Returns: (transfer full): a sweep of the base that has @more lines. */
static AftSweep *sweep_with(const char *more)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = g_strconcat("version: 1\nkind: sweep\nbase: b.yaml\n", more, NULL);
    AftSweep *sweep =
        aft_loader_load_sweep_text("s.yaml", text, strlen(text), base, messages, &error);
    for (guint i = 0; i < messages->len; i++) {
        print_message("%s\n", (const char *)messages->pdata[i]);
    }
    assert_null(error);
    return sweep;
}

static void axes_set_their_keys(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_with("axes:\n"
                                           "  workload.rate: [80 /s, 90 /s]\n"
                                           "  timeline[0].at: {uniform: [1 min, 2 min]}\n");
    assert_string_equal(aft_loader_sweep_setter(sweep, "workload.rate"), "workload.rate");
    assert_string_equal(aft_loader_sweep_setter(sweep, "workload[0].rate"), "workload.rate");
    assert_string_equal(aft_loader_sweep_setter(sweep, "timeline[0].at"), "timeline[0].at");
    assert_null(aft_loader_sweep_setter(sweep, "timeline[1].at"));
    assert_null(aft_loader_sweep_setter(sweep, "no.such.key"));
    assert_null(aft_loader_sweep_setter(sweep, "run.seed"));
    assert_null(aft_loader_sweep_setter(sweep, "run.fidelity"));
}

static void a_whole_map_forgets_what_is_in_it(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_with("axes: {data.protection: [rf2, raid5]}\n");
    assert_string_equal(aft_loader_sweep_setter(sweep, "data.protection.degraded"),
                        "data.protection");
    assert_string_equal(aft_loader_sweep_setter(sweep, "data.protection"), "data.protection");
    assert_null(aft_loader_sweep_setter(sweep, "data.logical"));
}

static void all_values_must_set_a_key(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_with("axes:\n"
                                           "  run:\n"
                                           "    - {name: a, duration: 1 h, settle: 1 min}\n"
                                           "    - {name: b, duration: 2 h}\n");
    assert_string_equal(aft_loader_sweep_setter(sweep, "run.duration"), "run");
    assert_null(aft_loader_sweep_setter(sweep, "run.settle"));
}

static void points_set_what_all_of_them_set(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_with("design: list\n"
                                           "points:\n"
                                           "  - {cluster.nodes: 5, run.duration: 1 h}\n"
                                           "  - {cluster.nodes: 6}\n");
    assert_string_equal(aft_loader_sweep_setter(sweep, "cluster.nodes"), "points");
    assert_null(aft_loader_sweep_setter(sweep, "run.duration"));
}

static void seed_and_fidelity_are_the_sweep_s(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = sweep_with("seed: 3\nfidelity: io\n");
    assert_string_equal(aft_loader_sweep_setter(sweep, "run.seed"), "seed");
    assert_string_equal(aft_loader_sweep_setter(sweep, "run.fidelity"), "fidelity");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_set_their_keys),
        cmocka_unit_test(a_whole_map_forgets_what_is_in_it),
        cmocka_unit_test(all_values_must_set_a_key),
        cmocka_unit_test(points_set_what_all_of_them_set),
        cmocka_unit_test(seed_and_fidelity_are_the_sweep_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
