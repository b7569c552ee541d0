/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "selector.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/arrivals.h>
#include <aftershock/scenario/keys.h>

#include <string.h>

/* Arrivals a second and virtual machine, at least: one in 12 days. */
#define LEAST_RATE 1e-6

enum { OPEN_OUTSTANDING = 65536 };

typedef enum { NOT, MAY, MUST } Rule;

static const char *const kind_names[] = {"closed", "open", "paced", "trace"};

static const struct {
    const char *key;
    Rule rule[G_N_ELEMENTS(kind_names)];
} rules[] = {
    /*                closed open  paced trace */
    {"rate", {NOT, MUST, MUST, NOT}},        {"pacing", {NOT, MAY, MAY, NOT}},
    {"outstanding", {MUST, MAY, MUST, MAY}}, {"think", {MAY, NOT, NOT, NOT}},
    {"owed_limit", {NOT, NOT, MAY, NOT}},    {"read_share", {MAY, MAY, MAY, NOT}},
    {"access", {MAY, MAY, MAY, NOT}},        {"streams", {MAY, MAY, MAY, NOT}},
    {"block", {MAY, MAY, MAY, NOT}},         {"skew", {MAY, MAY, MAY, NOT}},
    {"locality", {MAY, MAY, MAY, NOT}},      {"file", {NOT, NOT, NOT, MUST}},
    {"format", {NOT, NOT, NOT, MAY}},        {"burst.factor", {NOT, MAY, MAY, NOT}},
    {"burst.share", {NOT, MAY, MAY, NOT}},   {"burst.mean", {NOT, MAY, MAY, NOT}},
    {"day[0]", {NOT, MAY, MAY, NOT}},        {"day_start", {NOT, MAY, MAY, NOT}},
    {"speed", {NOT, NOT, NOT, MAY}},         {"repeat", {NOT, NOT, NOT, MAY}},
};

/* @what: "of kind open". */
static void ask_for(AftCheck *check, const char *item, const char *key, const char *what)
{
    AftKeyMatch match;
    g_autofree char *path = g_strdup_printf("%s.%s", item, key);
    gboolean found = aft_keys_find(path, &match);
    g_assert(found);
    g_autofree char *expected = aft_key_describe(match.key);
    aft_check_error(check, item, key, NULL, "missing, a workload %s needs %s", what, expected);
}

static void check_rules(AftCheck *check, const char *item, AftWorkloadKind kind)
{
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        gboolean written = aft_check_written(check, item, rules[i].key);
        if (written && rules[i].rule[kind] == NOT) {
            aft_check_error(check, item, rules[i].key, NULL, "a workload of kind %s has no %s",
                            kind_names[kind], rules[i].key);
        } else if (!written && rules[i].rule[kind] == MUST) {
            g_autofree char *what = g_strconcat("of kind ", kind_names[kind], NULL);
            ask_for(check, item, rules[i].key, what);
        }
    }
}

static void check_name(AftCheck *check, guint i, const char *item)
{
    AftScenario *scenario = check->scenario;
    AftWorkloadSpec *workload = &scenario->workloads[i];
    if (!aft_check_written(check, item, "name")) {
        g_free(workload->name);
        workload->name =
            scenario->n_workloads == 1 ? g_strdup("workload") : g_strdup_printf("workload-%u", i);
    }
    for (guint other = 0; other < i; other++) {
        if (strcmp(scenario->workloads[other].name, workload->name) == 0) {
            aft_check_error(check, item, "name", NULL, "there are two workloads \"%s\"",
                            workload->name);
            return;
        }
    }
}

/* Keeps the nodes of @workload that run virtual machines. @ret_other: the last that does not. */
static guint keep_compute(const AftClusterSpec *cluster, AftWorkloadSpec *workload,
                          guint *ret_other)
{
    guint n = 0;
    for (guint i = 0; i < workload->n_on_nodes; i++) {
        guint node = workload->on_nodes[i];
        if (cluster->sites[node].spec->compute) {
            workload->on_nodes[n++] = node;
        } else {
            *ret_other = node;
        }
    }
    return n;
}

/* All means all that may; who names nodes means each of them. */
static void check_compute(AftCheck *check, const char *item, AftWorkloadSpec *workload)
{
    guint other = 0, selected = workload->n_on_nodes;
    guint n = keep_compute(&check->scenario->cluster, workload, &other);
    if (n == 0) {
        aft_check_error(check, item, "on", NULL,
                        "no virtual machine may run on \"%s\": compute is off there", workload->on);
    } else if (n < selected && !aft_selector_is_all(workload->on)) {
        aft_check_error(check, item, "on", NULL,
                        "no virtual machine may run on node %u: compute is off there", other);
    }
    workload->n_on_nodes = n;
}

static void check_nodes(AftCheck *check, const char *item, AftWorkloadSpec *workload)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    if (cluster->n_sites == 0) {
        return;
    }
    g_free(workload->on_nodes);
    workload->on_nodes = aft_selector_expand(workload->on, cluster->nodes, &workload->n_on_nodes);
    if (workload->on_nodes == NULL) {
        workload->n_on_nodes = 0;
        aft_check_error(check, item, "on", NULL,
                        "\"%s\" selects no nodes or some that are not there: the cluster has %u, "
                        "counted from 0",
                        workload->on, cluster->nodes);
    } else {
        check_compute(check, item, workload);
    }
}

static void check_outstanding(AftCheck *check, const char *item, AftWorkloadSpec *workload)
{
    gboolean written = aft_check_written(check, item, "outstanding");
    gboolean sheds = workload->kind == AFT_WORKLOAD_OPEN || workload->kind == AFT_WORKLOAD_TRACE;
    if (!written && sheds) {
        workload->outstanding = MAX(OPEN_OUTSTANDING, workload->vms);
    } else if (written && workload->outstanding < workload->vms) {
        aft_check_error(check, item, "outstanding", NULL,
                        "expected at least one for each of %u VMs, got %u", workload->vms,
                        workload->outstanding);
    }
}

static void check_rate(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    double least_per_s = LEAST_RATE * workload->vms / aft_arrivals_least(workload);
    if (workload->kind != AFT_WORKLOAD_CLOSED && workload->rate_per_s > 0.0 &&
        workload->rate_per_s < least_per_s) {
        g_autofree char *least = aft_units_format(AFT_UNIT_RATE, least_per_s);
        g_autofree char *got = aft_units_format(AFT_UNIT_RATE, workload->rate_per_s);
        const char *with = aft_arrivals_least(workload) < 1.0 ? " with its day and bursts" : "";
        aft_check_error(check, item, "rate", NULL, "expected at least %s for %u VMs%s, got %s",
                        least, workload->vms, with, got);
    }
}

static void check_working_set(AftCheck *check, const char *item, const AftWorkloadSpec *workload,
                              const AftPoolSpec *pool)
{
    if (workload->working_set_bytes > pool->logical_bytes && pool->logical_bytes > 0) {
        g_autofree char *got = aft_check_bytes((double)workload->working_set_bytes);
        g_autofree char *all = aft_check_bytes((double)pool->logical_bytes);
        aft_check_error(check, item, "working_set", NULL,
                        "expected at most the pool's data (%s), got %s", all, got);
    }
}

static gboolean is_sound(const AftCheck *check, const char *item, const char *key)
{
    g_autofree char *path = g_strdup_printf("%s.%s", item, key);
    return aft_check_sound(check, path);
}

/* What a run would find out only later. */
static void check_file(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    if (workload->kind != AFT_WORKLOAD_TRACE || workload->file == NULL) {
        return;
    }
    aft_check_file(check, item, "file", workload->file);
    if (workload->n_blocks > 0) {
        aft_check_error(check, item, "blocks", NULL, "a workload of kind trace has no blocks");
    }
}

/* An exponent belongs to zipf, and zipf needs one; streams belong to what is sequential. */
static void check_access(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    gboolean written = aft_check_written(check, item, "theta");
    if (workload->skew == AFT_SKEW_ZIPF && !written) {
        ask_for(check, item, "theta", "with skew: zipf");
    } else if (workload->skew != AFT_SKEW_ZIPF && written) {
        aft_check_error(check, item, "theta", NULL, "only skew: zipf has one");
    }
    if (workload->skew == AFT_SKEW_ZIPF && workload->access == AFT_ACCESS_SEQUENTIAL) {
        aft_check_error(check, item, "skew", NULL, "what goes block after block has none");
    }
    if (workload->access == AFT_ACCESS_SEQUENTIAL && workload->locality > 0.0) {
        aft_check_error(check, item, "locality", NULL, "what goes block after block has none");
    }
    if (workload->access == AFT_ACCESS_RANDOM && aft_check_written(check, item, "streams")) {
        aft_check_error(check, item, "streams", NULL, "only access: sequential has some");
    }
}

/* What needs nothing but the workload's own keys. */
static void check_keys(AftCheck *check, const char *item, AftWorkloadSpec *workload)
{
    if (aft_check_written(check, item, "kind") && is_sound(check, item, "kind")) {
        check_rules(check, item, workload->kind);
    }
    if (is_sound(check, item, "outstanding") && is_sound(check, item, "vms")) {
        check_outstanding(check, item, workload);
    }
    if (is_sound(check, item, "rate") && is_sound(check, item, "vms") &&
        is_sound(check, item, "burst") && is_sound(check, item, "day")) {
        check_rate(check, item, workload);
    }
    if (is_sound(check, item, "skew") && is_sound(check, item, "theta") &&
        is_sound(check, item, "access") && is_sound(check, item, "streams")) {
        check_access(check, item, workload);
    }
    if (is_sound(check, item, "file") && is_sound(check, item, "kind")) {
        check_file(check, item, workload);
    }
}

static void check_workload(AftCheck *check, guint i)
{
    AftScenario *scenario = check->scenario;
    AftWorkloadSpec *workload = &scenario->workloads[i];
    g_autofree char *item = g_strdup_printf("workload[%u]", i);
    check_name(check, i, item);
    gboolean placed = aft_check_pool_name(check, item, workload->pool, &workload->pool_index) &&
                      aft_check_sound(check, "data");
    const AftPoolSpec *pool = placed ? &scenario->pools[workload->pool_index] : NULL;
    check_nodes(check, item, workload);
    check_keys(check, item, workload);
    aft_check_arrivals(check, i, item);
    aft_check_mix(check, i, item);
    if (pool != NULL) {
        aft_check_blocks(check, i, pool);
    }
    if (pool != NULL && is_sound(check, item, "working_set")) {
        check_working_set(check, item, workload, pool);
    }
}

void aft_check_workloads(AftCheck *check)
{
    for (guint i = 0; i < check->scenario->n_workloads; i++) {
        check_workload(check, i);
    }
}
