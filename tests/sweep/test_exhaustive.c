/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search for a size against running all there is. */
#include "small_sizes.h"

#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>

/* Every replication of every number of nodes. */
typedef struct {
    guint low, n;
    gint *met; /* replications of each, atomic */
} Exhaustive;

static void run_one(guint index, gpointer data)
{
    const Exhaustive *all = data;
    g_autofree char *nodes = g_strdup_printf("cluster.nodes=%u", all->low + index % all->n);
    const char *const settings[] = {nodes, NULL};
    Context context = {nothing, 0};
    g_autoptr(AftScenario) scenario = make(settings, &context, NULL);
    AftRunOptions options = {.replication = index / all->n};
    g_autoptr(AftResult) result = aft_run(scenario, &options, NULL);
    if (g_str_equal(result->requirement, "met")) {
        g_atomic_int_inc(&all->met[index % all->n]);
    }
}

static guint smallest_of_all(guint low, guint high, guint replications)
{
    guint n = high - low + 1, first = 0;
    g_autofree gint *met = g_new0(gint, n);
    Exhaustive all = {low, n, met};
    aft_workers_run(n * replications, 2, run_one, &all);
    while (first < n && met[first] < 0.95 * replications) {
        first++;
    }
    return low + first;
}

static void it_finds_what_an_exhaustive_search_does_in_a_tenth_of_the_runs(
    void **state G_GNUC_UNUSED)
{
    static const char *const texts[] = {"cluster.nodes=3:32", NULL};
    g_autoptr(GPtrArray) axes = axes_of(texts);
    Context context = {nothing, 0};
    AftSizeSetup setup = setup_of(axes, &context);
    setup.confidence = 0.95;
    g_autoptr(AftSizing) sizing = aft_size(&setup, NULL);
    guint exhaustive = 30 * AFT_SIZE_REPLICATIONS;
    guint smallest = smallest_of_all(3, 32, AFT_SIZE_REPLICATIONS);
    print_message("# %u replications instead of %u\n", (guint)sizing->replications, exhaustive);
    assert_non_null(sizing->best);
    assert_within(sizing->best->nodes, smallest, 0.0);
    assert_int_equal(smallest, 6);
    assert_true(sizing->replications <= exhaustive / 10);
    assert_false(sizing->uneven);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_what_an_exhaustive_search_does_in_a_tenth_of_the_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
