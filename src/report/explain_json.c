/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"
#include "rows.h"

#include <aftershock/report/explain.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

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
    aft_rows_add_number(json, "share", course->share);
    add_truth(json, "degraded", course->degraded);
    add_count(json, "units", course->units);
    add_count(json, "cache_reads", course->cache_reads);
    add_count(json, "cache_writes", course->cache_writes);
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

static void add_cost(JsonBuilder *json, const AftOperationCost *cost)
{
    aft_rows_add_number(json, "device_reads", cost->reads);
    aft_rows_add_number(json, "device_writes", cost->writes);
    aft_rows_add_number(json, "map_ios", cost->map_ios);
    aft_rows_add_number(json, "hits", cost->hits);
    aft_rows_add_number(json, "degraded", cost->degraded);
    aft_rows_add_number(json, "response_s", cost->response_s);
    aft_rows_add_number(json, "controller_bytes", cost->controller_bytes);
    aft_rows_add_number(json, "network_bytes", cost->network_bytes);
    aft_rows_add_number(json, "cache_read_bytes", cost->cache_read_bytes);
    aft_rows_add_number(json, "cache_written_bytes", cost->cache_written_bytes);
    aft_rows_add_number(json, "capacity_read_bytes", cost->capacity_read_bytes);
    aft_rows_add_number(json, "capacity_written_bytes", cost->capacity_written_bytes);
    begin_array(json, "courses");
    for (guint i = 0; i < cost->courses->len; i++) {
        add_course(json, &g_array_index(cost->courses, AftCourse, i));
    }
    json_builder_end_array(json);
}

static void add_operation(JsonBuilder *json, const char *name, const char *what,
                          const AftOperationCost *cost)
{
    begin_object(json, name);
    add_text(json, "operation", what);
    add_cost(json, cost);
    json_builder_end_object(json);
}

/* "station", "outstanding". Returns: (transfer none). */
static const char *limit_key(AftLimitKind limit)
{
    static const char *const keys[] = {
        [AFT_LIMIT_SCARCE] = "station",      [AFT_LIMIT_OUTSTANDING] = "outstanding",
        [AFT_LIMIT_BANDWIDTH] = "bandwidth", [AFT_LIMIT_DESTAGE] = "destage",
        [AFT_LIMIT_SCHEDULER] = "scheduler", [AFT_LIMIT_UPDATES] = "updates",
    };
    return keys[limit];
}

static void add_scarce(JsonBuilder *json, const char *name, AftScarce scarce, gboolean is)
{
    g_autofree char *key = key_of(aft_scarce_name(scarce));
    add_text(json, name, is ? key : NULL);
}

/* What a client's write makes the destage do; null without any. */
static void add_destage(JsonBuilder *json, const AftDestageCost *destage)
{
    if (destage->per_write <= 0.0) {
        add_text(json, "destage", NULL);
        return;
    }
    begin_object(json, "destage");
    aft_rows_add_number(json, "per_write", destage->per_write);
    aft_rows_add_number(json, "bytes", destage->bytes);
    aft_rows_add_number(json, "units", destage->units);
    add_cost(json, &destage->cost);
    aft_rows_add_number(json, "bytes_per_s", destage->bytes_per_s);
    add_text(json, "limit", limit_key(destage->limit));
    add_scarce(json, "bottleneck", destage->bottleneck, destage->limit == AFT_LIMIT_SCARCE);
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
            aft_rows_add_number(json, mean, demand[scarce].mean_s);
            aft_rows_add_number(json, most, demand[scarce].most_s);
            json_builder_end_object(json);
        }
    }
    json_builder_end_object(json);
}

static void add_bottleneck(JsonBuilder *json, const AftDemand *demand, AftScarce bottleneck)
{
    add_scarce(json, "bottleneck", bottleneck, demand[bottleneck].most_s > 0.0);
}

static void add_limits(JsonBuilder *json, const AftThroughput *throughput)
{
    aft_rows_add_number(json, "capacity_iops", throughput->capacity_iops);
    aft_rows_add_number(json, "outstanding_iops", throughput->outstanding_iops);
    aft_rows_add_number(json, "destage_iops", throughput->destage_iops);
    if (isfinite(throughput->updates_iops)) {
        aft_rows_add_number(json, "updates_iops", throughput->updates_iops);
    }
    aft_rows_add_number(json, "iops", throughput->iops);
    add_text(json, "limit", limit_key(throughput->limit));
}

static void add_throughput(JsonBuilder *json, const char *name, const AftThroughput *throughput)
{
    begin_object(json, name);
    add_limits(json, throughput);
    add_scarce(json, "bottleneck", throughput->bottleneck, isfinite(throughput->capacity_iops));
    json_builder_end_object(json);
}

/* Null without any. */
static void add_buffer(JsonBuilder *json, const AftBufferBounds *buffer)
{
    if (buffer->bytes <= 0.0) {
        add_text(json, "buffer", NULL);
        return;
    }
    begin_object(json, "buffer");
    aft_rows_add_number(json, "bytes", buffer->bytes);
    aft_rows_add_number(json, "room_bytes", buffer->room_bytes);
    aft_rows_add_number(json, "overwritten", buffer->overwritten);
    aft_rows_add_number(json, "iops", buffer->iops);
    aft_rows_add_number(json, "inflow_bytes_per_s", buffer->inflow);
    aft_rows_add_number(json, "outflow_bytes_per_s", buffer->outflow);
    aft_rows_add_number(json, "fill_s", buffer->fill_s);
    json_builder_end_object(json);
}

static void add_state(JsonBuilder *json, const AftBounds *bounds, const AftWorkloadBounds *workload,
                      AftClusterState state)
{
    const AftWorkloadState *it = &workload->state[state];
    g_autofree char *key = key_of(aft_cluster_state_name(state));
    begin_object(json, key);
    add_truth(json, "told", it->told);
    add_truth(json, "possible", it->possible);
    aft_rows_add_number(json, "lost", it->lost);
    if (it->possible) {
        g_autofree char *penalty = aft_explain_penalty(workload, state);
        add_operation(json, "read", "read", &it->read);
        add_operation(json, "write", aft_explain_write_name(workload), &it->write);
        add_destage(json, &it->destage);
        aft_rows_add_number(json, "device_ios", it->device_ios);
        add_text(json, "penalty", penalty);
        add_demands(json, "own_demand", bounds->scenario, it->own, "mean_s", "most_s");
        add_demands(json, "demand", bounds->scenario, it->demand, "mean_s", "most_s");
        add_bottleneck(json, it->demand, it->sustained.bottleneck);
        aft_rows_add_number(json, "response_s", it->response_s);
        add_limits(json, &it->sustained);
        add_throughput(json, "burst", &it->burst);
        add_throughput(json, "full", &it->full);
        add_buffer(json, &it->buffer);
    }
    json_builder_end_object(json);
}

/* Of one size its bytes and units; of a mix all of them. */
static void add_blocks(JsonBuilder *json, const AftWorkloadBounds *workload)
{
    const AftBlockBounds *block = workload->block;
    if (workload->spec->n_mix == 1) {
        add_count(json, "block_bytes", block->spec->block_bytes);
        add_count(json, "stripe_units", block->units);
        return;
    }
    json_builder_set_member_name(json, "blocks");
    json_builder_begin_array(json);
    for (guint i = 0; i < workload->spec->n_mix; i++) {
        json_builder_begin_object(json);
        add_count(json, "block_bytes", block[i].spec->block_bytes);
        add_count(json, "stripe_units", block[i].units);
        aft_rows_add_number(json, "share", block[i].spec->share);
        aft_rows_add_number(json, "read_share", block[i].spec->read_share);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void add_workload(JsonBuilder *json, const AftBounds *bounds,
                         const AftWorkloadBounds *workload)
{
    const AftWorkloadSpec *spec = workload->spec;
    json_builder_begin_object(json);
    add_text(json, "name", spec->name);
    add_text(json, "pool", workload->pool->name);
    add_blocks(json, workload);
    aft_rows_add_number(json, "read_share", spec->mean_read_share);
    add_count(json, "outstanding", workload->outstanding);
    aft_rows_add_number(json, "asked_iops",
                        workload->asked_iops > 0.0 ? workload->asked_iops : (double)NAN);
    aft_rows_add_number(json, "most_iops",
                        workload->asked_iops > 0.0 ? workload->most_iops : (double)NAN);
    for (guint state = 0; state < AFT_STATES; state++) {
        add_state(json, bounds, workload, (AftClusterState)state);
    }
    json_builder_end_object(json);
}

/* What @pace is, if it @goes on at all. */
static void add_pace(JsonBuilder *json, const AftPace *pace, gboolean goes)
{
    gboolean known = goes && isfinite(pace->bytes_per_s) && pace->bytes_per_s > 0.0;
    const char *limit = pace->limit == AFT_LIMIT_OUTSTANDING ? "in_flight" : limit_key(pace->limit);
    aft_rows_add_number(json, "bytes_per_s", known ? pace->bytes_per_s : (double)NAN);
    aft_rows_add_number(json, "duration_s", known ? pace->duration_s : (double)NAN);
    add_text(json, "limit", known ? limit : NULL);
    add_scarce(json, "bottleneck", pace->bottleneck, known);
}

static void add_rebuild(JsonBuilder *json, const AftRebuildBounds *rebuild)
{
    begin_object(json, "rebuild");
    add_truth(json, "told", rebuild->told);
    add_truth(json, "possible", rebuild->possible);
    add_truth(json, "target", rebuild->target);
    aft_rows_add_number(json, "bytes", rebuild->bytes);
    aft_rows_add_number(json, "read_per_byte", rebuild->read_per_byte);
    aft_rows_add_number(json, "network_per_byte", rebuild->network_per_byte);
    add_pace(json, &rebuild->pace, rebuild->told && rebuild->possible && rebuild->target);
    json_builder_end_object(json);
}

static void add_device_loss(JsonBuilder *json, const AftDeviceLoss *device, gboolean possible)
{
    begin_object(json, "device_loss");
    add_text(json, "domain", device->domain == AFT_FAILURE_GROUP ? "group" : "device");
    aft_rows_add_number(json, "bytes", device->bytes);
    add_pace(json, &device->pace, possible);
    json_builder_end_object(json);
}

static void add_services(JsonBuilder *json, const AftPoolSpec *pool)
{
    begin_array(json, "services");
    for (guint kind = 0; kind < AFT_SERVICES; kind++) {
        const AftServiceSpec *service = &pool->services[kind];
        if (service->enabled) {
            json_builder_begin_object(json);
            add_text(json, "name", aft_service_name((AftServiceKind)kind));
            add_text(json, "when", service->when == AFT_WHEN_INLINE ? "inline" : "destage");
            aft_rows_add_number(json, "ratio", service->ratio);
            json_builder_end_object(json);
        }
    }
    json_builder_end_array(json);
}

static void add_pool(JsonBuilder *json, const AftPoolBounds *pool)
{
    g_autofree char *scheme = aft_scheme_format(&pool->spec->protection);
    json_builder_begin_object(json);
    add_text(json, "name", pool->spec->name);
    add_text(json, "scheme", scheme);
    add_count(json, "logical_bytes", pool->spec->logical_bytes);
    aft_rows_add_number(json, "protected_bytes", pool->protected_bytes);
    aft_rows_add_number(json, "stored_bytes", pool->stored_bytes);
    add_services(json, pool->spec);
    add_rebuild(json, &pool->rebuild);
    add_device_loss(json, &pool->device, pool->rebuild.possible);
    json_builder_end_object(json);
}

static void add_conversion(JsonBuilder *json, const AftConversionBounds *it)
{
    double at_s = it->action != NULL ? (double)it->action->at_ns / 1e9 : (double)NAN;
    json_builder_begin_object(json);
    add_text(json, "pool", it->pool->name);
    add_text(json, "task", it->task == AFT_TASK_ENCODE ? "encode" : "convert");
    aft_rows_add_number(json, "at_s", at_s);
    add_count(json, "data", it->to->data);
    add_count(json, "width", aft_protection_width(it->to));
    aft_rows_add_number(json, "read_bytes", it->read_bytes);
    aft_rows_add_number(json, "written_bytes", it->written_bytes);
    aft_rows_add_number(json, "network_bytes", it->network_bytes);
    aft_rows_add_number(json, "stored_bytes_before", it->stored_before);
    aft_rows_add_number(json, "stored_bytes_after", it->stored_after);
    add_pace(json, &it->pace, it->written_bytes > 0.0);
    json_builder_end_object(json);
}

static void add_cluster(JsonBuilder *json, const AftBounds *bounds, AftClusterState state)
{
    const AftClusterBounds *cluster = &bounds->cluster[state];
    g_autofree char *key = key_of(aft_cluster_state_name(state));
    begin_object(json, key);
    add_count(json, "nodes", cluster->nodes);
    add_truth(json, "told", cluster->told);
    if (cluster->told) {
        add_demands(json, "utilisation", bounds->scenario, cluster->utilisation, "mean", "most");
        add_bottleneck(json, cluster->utilisation, cluster->bottleneck);
        aft_rows_add_number(json, "cache_devices_needed", cluster->cache_devices_needed);
        aft_rows_add_number(json, "capacity_devices_needed", cluster->capacity_devices_needed);
    }
    add_count(json, "cache_devices", cluster->cache_devices);
    add_count(json, "capacity_devices", cluster->capacity_devices);
    aft_rows_add_number(json, "raw_bytes", cluster->raw_bytes);
    json_builder_end_object(json);
}

static void add_space(JsonBuilder *json, const AftBounds *bounds)
{
    begin_object(json, "space");
    aft_rows_add_number(json, "logical_bytes", bounds->logical_bytes);
    aft_rows_add_number(json, "protected_bytes", bounds->protected_bytes);
    aft_rows_add_number(json, "stored_bytes", bounds->stored_bytes);
    aft_rows_add_number(json, "saved_against_two_copies_bytes", bounds->saved_bytes);
    add_truth(json, "fits_with_one_node_down", bounds->fits);
    json_builder_end_object(json);
}

static void add_all(JsonBuilder *json, const AftBounds *bounds, const char *label)
{
    const AftScenario *scenario = bounds->scenario;
    add_text(json, "scenario", scenario->name);
    add_text(json, "label", label);
    add_truth(json, "unlike_nodes", bounds->unlike);
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
    begin_array(json, "conversions");
    for (guint i = 0; i < bounds->conversions->len; i++) {
        add_conversion(json, &g_array_index(bounds->conversions, AftConversionBounds, i));
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
