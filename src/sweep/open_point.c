/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open_point.h"

#include <aftershock/base/error.h>
#include <aftershock/run/run.h>

/* Keeps what @row yields for the quota. */
static gboolean learn(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    AftOpenPoint *point = data;
    if (row->failure == NULL) {
        double *value = g_new(double, 1);
        *value = aft_quota_value(&point->quota, row);
        g_hash_table_insert(point->there, GUINT_TO_POINTER(row->replication), value);
    }
    return TRUE;
}

/* With @more (nullable) as the last setting. */
static AftScenario *make(const AftOpenPoint *point, guint replication, const char *more,
                         GError **error)
{
    const AftSweepSetup *setup = point->setup;
    g_auto(GStrv) settings =
        aft_points_settings(setup->points, point->index, setup->seed, replication);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (char **setting = settings; *setting != NULL; setting++) {
        g_ptr_array_add(all, *setting);
    }
    g_ptr_array_add(all, (gpointer)more);
    g_ptr_array_add(all, NULL);
    return setup->make((const char *const *)all->pdata, setup->context, error);
}

/* Who has drawn what rates depend on would fill memory with rates that nobody asks for again. */
static char *digest_of_the_first(const AftOpenPoint *point)
{
    g_autoptr(AftScenario) first = make(point, 0, NULL, NULL);
    return first != NULL ? aft_rates_digest(first) : g_strdup("");
}

AftStorePoint *aft_open_point_describe(const AftOpenPoint *point)
{
    const AftPoints *points = point->setup->points;
    g_autoptr(GPtrArray) texts = g_ptr_array_new();
    for (guint axis = 0; axis < aft_points_axes(points); axis++) {
        g_autofree char *text = aft_points_text(points, point->index, axis);
        g_ptr_array_add(texts, g_strdup_printf("%s=%s", aft_points_axis(points, axis), text));
    }
    g_ptr_array_add(texts, NULL);
    AftStorePoint *described = g_new0(AftStorePoint, 1);
    *described = (AftStorePoint){
        .point = point->index,
        .settings = (char **)g_ptr_array_free(g_steal_pointer(&texts), FALSE),
        .scenario_sha256 =
            point->scenario != NULL ? aft_scenario_digest(point->scenario) : g_strdup(""),
    };
    return described;
}

AftOpenPoint *aft_open_point_new(const AftSweepSetup *setup, guint index, GError **error)
{
    g_autoptr(AftOpenPoint) point = g_new0(AftOpenPoint, 1);
    point->setup = setup;
    point->index = index;
    point->there = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    point->rates = aft_rates_new();
    aft_quota_init(&point->quota, &setup->sweep->replications);
    if (aft_points_are_drawn(setup->points)) {
        point->alike = digest_of_the_first(point);
    } else {
        point->scenario = make(point, 0, NULL, NULL); /* why not, every replication will tell */
    }
    gboolean fine = aft_store_each(setup->store, index, learn, point, error);
    return fine ? g_steal_pointer(&point) : NULL;
}

void aft_open_point_free(AftOpenPoint *point)
{
    aft_quota_clear(&point->quota);
    g_hash_table_unref(point->there);
    aft_scenario_free(point->scenario);
    aft_rates_free(point->rates);
    g_free(point->alike);
    g_free(point);
}

gboolean aft_open_point_take(AftOpenPoint *point, guint *ret_replication)
{
    AftQuota *quota = &point->quota;
    while (quota->begun < quota->until) {
        guint replication = quota->begun++;
        const double *value = g_hash_table_lookup(point->there, GUINT_TO_POINTER(replication));
        if (value == NULL) {
            *ret_replication = replication;
            return TRUE;
        }
        aft_quota_end(quota, replication, *value);
    }
    return FALSE;
}

static AftReplication *failed(const AftOpenPoint *point, guint replication,
                              const AftScenario *scenario, const GError *error)
{
    g_autofree char *digest = scenario != NULL ? aft_scenario_digest(scenario) : g_strdup("");
    return aft_replication_new_failed(point->index, replication, point->setup->seed, digest,
                                      error->message);
}

/* Returns: (nullable): NULL: its own. */
static AftRates *rates_for(const AftOpenPoint *point, const AftScenario *scenario)
{
    g_autofree char *digest = point->alike != NULL ? aft_rates_digest(scenario) : NULL;
    return digest == NULL || g_str_equal(digest, point->alike) ? point->rates : NULL;
}

static AftReplication *run(const AftOpenPoint *point, guint replication,
                           const AftScenario *scenario, GError **error)
{
    AftRunOptions options = {.replication = replication,
                             .interrupted = point->setup->interrupted,
                             .rates = rates_for(point, scenario)};
    g_autoptr(AftResult) result = aft_run(scenario, &options, error);
    if (result == NULL) {
        return failed(point, replication, scenario, *error);
    }
    return result->interrupted
               ? NULL
               : aft_replication_new(point->index, replication, g_steal_pointer(&result));
}

static AftReplication *run_otherwise(const AftOpenPoint *point, guint replication)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario = make(point, replication, point->setup->otherwise, &error);
    return scenario != NULL ? run(point, replication, scenario, &error)
                            : failed(point, replication, NULL, error);
}

AftReplication *aft_open_point_run(const AftOpenPoint *point, guint replication, GError **ret_why)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) own =
        point->scenario == NULL ? make(point, replication, NULL, &error) : NULL;
    const AftScenario *scenario = point->scenario != NULL ? point->scenario : own;
    if (scenario == NULL) {
        return failed(point, replication, NULL, error);
    }
    g_autoptr(AftReplication) row = run(point, replication, scenario, &error);
    if (point->setup->otherwise == NULL || !g_error_matches(error, AFT_ERROR, AFT_ERROR_CONFLICT)) {
        return g_steal_pointer(&row);
    }
    g_propagate_error(ret_why, g_steal_pointer(&error));
    return run_otherwise(point, replication);
}
