/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "selector.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/schemes.h>

#include <string.h>

/* Arrivals a second and virtual machine, at least: one in 12 days. */
#define LEAST_RATE 1e-6

enum { OPEN_OUTSTANDING = 65536 };

typedef enum { NOT, MAY, MUST } Rule;

static const char *const kind_names[] = {"closed", "open", "paced"};

static const struct {
    const char *key;
    Rule rule[G_N_ELEMENTS(kind_names)];
} rules[] = {
    /*               closed open  paced */
    {"rate", {NOT, MUST, MUST}},        {"pacing", {NOT, MAY, MAY}},
    {"outstanding", {MUST, MAY, MUST}}, {"think", {MAY, NOT, NOT}},
    {"owed_limit", {NOT, NOT, MAY}},
};

static void ask_for(AftCheck *check, const char *item, const char *key, const char *kind)
{
    AftKeyMatch match;
    g_autofree char *path = g_strdup_printf("%s.%s", item, key);
    gboolean found = aft_keys_find(path, &match);
    g_assert(found);
    g_autofree char *expected = aft_key_describe(match.key);
    aft_check_error(check, item, key, NULL, "missing, a workload of kind %s needs %s", kind,
                    expected);
}

static void check_rules(AftCheck *check, const char *item, AftWorkloadKind kind)
{
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        gboolean written = aft_check_written(check, item, rules[i].key);
        if (written && rules[i].rule[kind] == NOT) {
            aft_check_error(check, item, rules[i].key, NULL, "a workload of kind %s has no %s",
                            kind_names[kind], rules[i].key);
        } else if (!written && rules[i].rule[kind] == MUST) {
            ask_for(check, item, rules[i].key, kind_names[kind]);
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
    if (!written && workload->kind == AFT_WORKLOAD_OPEN) {
        workload->outstanding = MAX(OPEN_OUTSTANDING, workload->vms);
    } else if (written && workload->outstanding < workload->vms) {
        aft_check_error(check, item, "outstanding", NULL,
                        "expected at least one for each of %u VMs, got %u", workload->vms,
                        workload->outstanding);
    }
}

static void check_rate(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    double least_per_s = LEAST_RATE * workload->vms;
    if (workload->kind != AFT_WORKLOAD_CLOSED && workload->rate_per_s > 0.0 &&
        workload->rate_per_s < least_per_s) {
        g_autofree char *least = aft_units_format(AFT_UNIT_RATE, least_per_s);
        g_autofree char *got = aft_units_format(AFT_UNIT_RATE, workload->rate_per_s);
        aft_check_error(check, item, "rate", NULL, "expected at least %s for %u VMs, got %s", least,
                        workload->vms, got);
    }
}

/* A block is a whole part of a stripe unit, some whole units of a stripe, or whole stripes: what
 * else could be written would be several operations on stripes. */
static gboolean fits(guint64 block, const AftProtectionSpec *protection)
{
    guint64 unit = protection->stripe_unit_bytes, stripe = unit * protection->data;
    return block <= unit     ? unit % block == 0
           : block <= stripe ? block % unit == 0
                             : block % stripe == 0;
}

void aft_check_block(AftCheck *check, guint index, const AftProtectionSpec *protection, gint action)
{
    guint64 block = check->scenario->workloads[index].block_bytes;
    guint64 unit = protection->stripe_unit_bytes;
    if (fits(block, protection)) {
        return;
    }
    g_autofree char *item = g_strdup_printf("workload[%u]", index);
    g_autofree char *from =
        action < 0 ? g_strdup("") : g_strdup_printf(" from timeline[%d] on", action);
    g_autofree char *got = aft_check_bytes((double)block);
    g_autofree char *one = aft_check_bytes((double)unit);
    g_autofree char *all = aft_check_bytes((double)unit * protection->data);
    aft_check_error(check, item, "block", NULL,
                    "expected a whole part of a stripe unit (%s), whole units of a stripe (%s) or "
                    "whole stripes%s, got %s",
                    one, all, from, got);
}

/* The layouts that a pool has without being converted; width 0: it has no such. */
static void check_blocks(AftCheck *check, guint i, const AftPoolSpec *pool)
{
    const AftProtectionSpec *layouts[] = {&pool->initial, &pool->encoded};
    for (guint n = 0; n < G_N_ELEMENTS(layouts); n++) {
        if (aft_scheme_width(layouts[n]) > 0) {
            aft_check_block(check, i, layouts[n], -1);
        }
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
    if (aft_check_written(check, item, "kind") && is_sound(check, item, "kind")) {
        check_rules(check, item, workload->kind);
    }
    if (is_sound(check, item, "outstanding") && is_sound(check, item, "vms")) {
        check_outstanding(check, item, workload);
    }
    if (is_sound(check, item, "rate") && is_sound(check, item, "vms")) {
        check_rate(check, item, workload);
    }
    if (pool != NULL && is_sound(check, item, "block")) {
        check_blocks(check, i, pool);
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
