/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include <aftershock/report/explain.h>
#include <aftershock/scenario/schemes.h>

#include <json-glib/json-glib.h>
#include <math.h>

static void add_text(JsonBuilder *json, const char *name, const char *text)
{
    json_builder_set_member_name(json, name);
    if (text != NULL) {
        json_builder_add_string_value(json, text);
    } else {
        json_builder_add_null_value(json);
    }
}

static void add_number(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    if (isfinite(value)) {
        json_builder_add_double_value(json, value);
    } else {
        json_builder_add_null_value(json);
    }
}

static void add_count(JsonBuilder *json, const char *name, guint64 value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_int_value(json, (gint64)value);
}

static void add_truth(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

static void begin_object(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
}

static void begin_array(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
}

/* "capacity_transfer". Returns: (transfer full). */
static char *key_of(const char *name)
{
    g_autofree char *lower = g_ascii_strdown(name, -1);
    return g_strdelimit(g_steal_pointer(&lower), " ", '_');
}

static void add_course(JsonBuilder *json, const AftCourse *course)
{
    json_builder_begin_object(json);
    add_number(json, "share", course->share);
    add_truth(json, "degraded", course->degraded);
    begin_array(json, "stages");
    for (guint stage = 0; stage < course->n_stages; stage++) {
        json_builder_begin_object(json);
        add_count(json, "reads", course->reads[stage]);
        add_count(json, "writes", course->writes[stage]);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void add_operation(JsonBuilder *json, const char *name, const char *what,
                          const AftOperationCost *cost)
{
    begin_object(json, name);
    add_text(json, "operation", what);
    add_number(json, "device_reads", cost->reads);
    add_number(json, "device_writes", cost->writes);
    add_number(json, "degraded", cost->degraded);
    add_number(json, "response_s", cost->response_s);
    add_number(json, "controller_bytes", cost->controller_bytes);
    add_number(json, "network_bytes", cost->network_bytes);
    add_number(json, "cache_written_bytes", cost->cache_written_bytes);
    add_number(json, "capacity_read_bytes", cost->capacity_read_bytes);
    add_number(json, "capacity_written_bytes", cost->capacity_written_bytes);
    begin_array(json, "courses");
    for (guint i = 0; i < cost->courses->len; i++) {
        add_course(json, &g_array_index(cost->courses, AftCourse, i));
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

/* One member per station there is: its mean and its most. */
static void add_demands(JsonBuilder *json, const char *name, const AftScenario *scenario,
                        const AftDemand *demand, const char *mean, const char *most)
{
    begin_object(json, name);
    for (guint scarce = 0; scarce < AFT_SCARCES; scarce++) {
        if (aft_scarce_exists(scenario, (AftScarce)scarce)) {
            g_autofree char *key = key_of(aft_scarce_name((AftScarce)scarce));
            begin_object(json, key);
            add_number(json, mean, demand[scarce].mean_s);
            add_number(json, most, demand[scarce].most_s);
            json_builder_end_object(json);
        }
    }
    json_builder_end_object(json);
}

static void add_bottleneck(JsonBuilder *json, const AftDemand *demand, AftScarce bottleneck)
{
    g_autofree char *key = key_of(aft_scarce_name(bottleneck));
    add_text(json, "bottleneck", demand[bottleneck].most_s > 0.0 ? key : NULL);
}

static void add_state(JsonBuilder *json, const AftBounds *bounds, const AftWorkloadBounds *workload,
                      AftClusterState state)
{
    const AftWorkloadState *it = &workload->state[state];
    g_autofree char *key = key_of(aft_cluster_state_name(state));
    begin_object(json, key);
    add_truth(json, "possible", it->possible);
    add_number(json, "lost", it->lost);
    if (it->possible) {
        g_autofree char *penalty = aft_explain_penalty(workload, state);
        add_operation(json, "read", "read", &it->read);
        add_operation(json, "write", aft_explain_write_name(workload), &it->write);
        add_number(json, "device_ios", it->device_ios);
        add_text(json, "penalty", penalty);
        add_demands(json, "demand", bounds->scenario, it->demand, "mean_s", "most_s");
        add_bottleneck(json, it->demand, it->sustained.bottleneck);
        add_number(json, "response_s", it->response_s);
        add_number(json, "capacity_iops", it->sustained.capacity_iops);
        add_number(json, "outstanding_iops", it->sustained.outstanding_iops);
        add_number(json, "iops", it->sustained.iops);
        add_text(json, "limit",
                 it->sustained.limit == AFT_LIMIT_SCARCE ? "station" : "outstanding");
    }
    json_builder_end_object(json);
}

static void add_workload(JsonBuilder *json, const AftBounds *bounds,
                         const AftWorkloadBounds *workload)
{
    const AftWorkloadSpec *spec = workload->spec;
    json_builder_begin_object(json);
    add_text(json, "name", spec->name);
    add_text(json, "pool", workload->pool->name);
    add_count(json, "block_bytes", spec->block_bytes);
    add_count(json, "stripe_units", workload->units);
    add_number(json, "read_share", spec->read_share);
    add_count(json, "outstanding", workload->outstanding);
    add_number(json, "asked_iops", workload->asked_iops > 0.0 ? workload->asked_iops : (double)NAN);
    for (guint state = 0; state < AFT_STATES; state++) {
        add_state(json, bounds, workload, (AftClusterState)state);
    }
    json_builder_end_object(json);
}

static void add_rebuild(JsonBuilder *json, const AftRebuildBounds *rebuild)
{
    static const char *const limits[] = {"station", "in_flight", "bandwidth"};
    gboolean goes = rebuild->possible && rebuild->target && isfinite(rebuild->pace.bytes_per_s);
    g_autofree char *key = key_of(aft_scarce_name(rebuild->pace.bottleneck));
    begin_object(json, "rebuild");
    add_truth(json, "possible", rebuild->possible);
    add_truth(json, "target", rebuild->target);
    add_number(json, "bytes", rebuild->bytes);
    add_number(json, "read_per_byte", rebuild->read_per_byte);
    add_number(json, "network_per_byte", rebuild->network_per_byte);
    add_number(json, "bytes_per_s", goes ? rebuild->pace.bytes_per_s : (double)NAN);
    add_number(json, "duration_s", goes ? rebuild->pace.duration_s : (double)NAN);
    add_text(json, "limit", goes ? limits[rebuild->pace.limit] : NULL);
    add_text(json, "bottleneck", goes ? key : NULL);
    json_builder_end_object(json);
}

static void add_pool(JsonBuilder *json, const AftPoolBounds *pool)
{
    g_autofree char *scheme = aft_scheme_format(&pool->spec->protection);
    json_builder_begin_object(json);
    add_text(json, "name", pool->spec->name);
    add_text(json, "scheme", scheme);
    add_count(json, "logical_bytes", pool->spec->logical_bytes);
    add_number(json, "protected_bytes", pool->protected_bytes);
    add_rebuild(json, &pool->rebuild);
    json_builder_end_object(json);
}

static void add_cluster(JsonBuilder *json, const AftBounds *bounds, AftClusterState state)
{
    const AftClusterBounds *cluster = &bounds->cluster[state];
    g_autofree char *key = key_of(aft_cluster_state_name(state));
    begin_object(json, key);
    add_count(json, "nodes", cluster->nodes);
    add_demands(json, "utilisation", bounds->scenario, cluster->utilisation, "mean", "most");
    add_bottleneck(json, cluster->utilisation, cluster->bottleneck);
    add_count(json, "cache_devices", cluster->cache_devices);
    add_number(json, "cache_devices_needed", cluster->cache_devices_needed);
    add_count(json, "capacity_devices", cluster->capacity_devices);
    add_number(json, "capacity_devices_needed", cluster->capacity_devices_needed);
    add_number(json, "raw_bytes", cluster->raw_bytes);
    json_builder_end_object(json);
}

static void add_space(JsonBuilder *json, const AftBounds *bounds)
{
    begin_object(json, "space");
    add_number(json, "logical_bytes", bounds->logical_bytes);
    add_number(json, "protected_bytes", bounds->protected_bytes);
    add_truth(json, "fits_with_one_node_down", bounds->fits);
    json_builder_end_object(json);
}

static void add_all(JsonBuilder *json, const AftBounds *bounds, const char *label)
{
    const AftScenario *scenario = bounds->scenario;
    add_text(json, "scenario", scenario->name);
    add_text(json, "label", label);
    begin_array(json, "workloads");
    for (guint i = 0; i < scenario->n_workloads; i++) {
        add_workload(json, bounds, &bounds->workload[i]);
    }
    json_builder_end_array(json);
    begin_array(json, "pools");
    for (guint i = 0; i < scenario->n_pools; i++) {
        add_pool(json, &bounds->pool[i]);
    }
    json_builder_end_array(json);
    begin_object(json, "cluster");
    for (guint state = 0; state < AFT_STATES; state++) {
        add_cluster(json, bounds, (AftClusterState)state);
    }
    json_builder_end_object(json);
    add_space(json, bounds);
}

char *aft_explain_json(const AftBounds *bounds, const char *label)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    add_all(json, bounds, label);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_to_string(root, TRUE);
    return g_strconcat(text, "\n", NULL);
}
