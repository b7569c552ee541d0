/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who wants to know less precisely waits less. */
#include "fidelity.h"

/* All five phases, with slots that are all taken for an hour. */
static const char *const walk[] = {
    FIVE_HOSTS,
    "cluster.detect=1 s",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "workload.read_share=80 %",
    "workload.restart=20 s",
    "workload.return=30 s",
    "background.rebuild.delay=1 min",
    "data.protection=raid5",
    "data.protection.degraded=3 ms",
    "data.logical=55 GB",
    "workload.rate=2500 /s",
    UNTIL_STEADY,
    "timeline[0].fail=node 2",
    "timeline[1].restore=node 2",
    "timeline[1].at=55 min",
    "run.fidelity=sampled",
    NULL,
};

static AftResult *run_at(const char *precision)
{
    AftResult *result = run_with(walk, (const char *const[]){precision, NULL});
    assert_phases(result, WALK);
    print_message("# %s: %.2f million I/Os\n", precision, (double)result->simulated_ios / 1e6);
    return result;
}

/* Of each phase, IOPS and means are within the precision that is wanted, and so is how long it
 * takes to move data. */
static void a_loose_precision_costs_less_and_is_kept(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) usual = run_at("run.precision=2 %"), loose = run_at("run.precision=10 %");
    assert_true(2 * loose->simulated_ios <= usual->simulated_ios);
    for (guint phase = 0; phase < usual->phases->len; phase++) {
        const AftPhaseRow *row = phase_row(usual, phase);
        for (guint i = 0; i < N_MEANS; i++) {
            double expected = G_STRUCT_MEMBER(double, row, figures[i].offset);
            double seen = G_STRUCT_MEMBER(double, phase_row(loose, phase), figures[i].offset);
            print_message("# %-9s %-10s %+.1f %%\n", aft_phase_name(row->phase), figures[i].name,
                          100.0 * (seen / expected - 1.0));
            if (!figures[i].moves || moves_data(row)) {
                assert_within(seen, expected, 0.10 * expected);
            }
        }
    }
}

/* Each step to something looser may save, and none costs more than what chance makes of it. */
static void the_looser_the_less_is_simulated(void **state G_GNUC_UNUSED)
{
    static const char *const precisions[] = {"run.precision=2 %", "run.precision=4 %",
                                             "run.precision=10 %"};
    guint64 before = G_MAXUINT64;
    for (guint i = 0; i < G_N_ELEMENTS(precisions); i++) {
        g_autoptr(AftResult) result = run_at(precisions[i]);
        assert_true(result->simulated_ios < before);
        before = result->simulated_ios;
    }
    g_autoptr(AftResult) loosest = run_at("run.precision=40 %"); /* as coarse as it may be */
    assert_true(2 * loosest->simulated_ios > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loose_precision_costs_less_and_is_kept),
        cmocka_unit_test(the_looser_the_less_is_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
