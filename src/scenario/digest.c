/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "value.h"

#include <aftershock/scenario/schedulers.h>
#include <stdio.h>
#include <string.h>

static void update(GChecksum *checksum, const char *text)
{
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1); /* with its end */
}

/* Whether @key, at @field, is of a service that is off. */
static gboolean is_off(const AftKey *key, const void *field)
{
    const gsize start = offsetof(AftPoolSpec, services);
    const gsize end = start + G_SIZEOF_MEMBER(AftPoolSpec, services);
    if (key->list != AFT_LIST_POOLS || key->offset < start || key->offset >= end) {
        return FALSE;
    }
    const AftPoolSpec *pool = (const void *)((const char *)field - key->offset);
    return !pool->services[(key->offset - start) / sizeof(AftServiceSpec)].enabled;
}

/* Whether @key is a figure that the scheduler does not look at. */
static gboolean is_not_taken(const AftKey *key, const AftScenario *scenario)
{
    return g_str_has_prefix(key->path, "background.scheduler.") &&
           !aft_scheduler_takes(&scenario->background.scheduler, key);
}

/* What is digested apart, to be taken up by whatever uses it. */
typedef struct {
    const AftScenario *scenario;
    GChecksum *whole;
    GPtrArray *kinds;    /* GChecksum elements, of nodes: one, or one for each group */
    GHashTable *devices; /* GChecksum by name */
    gboolean mixed;      /* there are groups */
} Digests;

/* The digest that the key at @path goes to. @ret_rest is the path within what is digested. */
static GChecksum *digest_of(const Digests *digests, const AftKey *key, const char *path,
                            const char **ret_rest)
{
    static const char *const node = "cluster.node.", *const groups = "cluster.groups[",
                             *const devices = "devices.";
    *ret_rest = path;
    if (key->by_meaning) {
        return NULL;
    }
    if (g_str_has_prefix(path, devices)) {
        const char *name = path + strlen(devices), *rest = strchr(name, '.');
        g_autofree char *alone = g_strndup(name, (gsize)(rest - name));
        *ret_rest = rest;
        return g_hash_table_lookup(digests->devices, alone);
    }
    if (g_str_has_prefix(path, node)) {
        *ret_rest = path + strlen(node);
        return digests->mixed ? NULL : digests->kinds->pdata[0];
    }
    if (g_str_has_prefix(path, groups)) {
        guint group = (guint)g_ascii_strtoull(path + strlen(groups), NULL, 10);
        *ret_rest = strstr(path, ".node.");
        if (*ret_rest == NULL) {
            return NULL; /* the sites tell it */
        }
        *ret_rest += strlen(".node.");
        return digests->kinds->pdata[group];
    }
    return digests->whole;
}

static void update_key(const AftKey *key, const char *path, void *field, gpointer data)
{
    const char *rest = NULL;
    const Digests *digests = data;
    GChecksum *checksum = digest_of(digests, key, path, &rest);
    if (checksum != NULL && !is_off(key, field) && !is_not_taken(key, digests->scenario)) {
        g_autofree char *value = aft_value_write_bits(key, field);
        update(checksum, rest);
        update(checksum, value);
    }
}

static void update_numbers(GChecksum *checksum, const guint *numbers, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_autofree char *text = g_strdup_printf("%u", numbers[i]);
        update(checksum, text);
    }
    update(checksum, "");
}

/* Copies beyond the first are the parity of replication; of what is encoded later they are not. */
static void update_protection(GChecksum *checksum, const AftProtectionSpec *protection)
{
    guint copies = protection->kind == AFT_SCHEME_ENCODE_LATER ? protection->copies : 0;
    const guint numbers[] = {protection->kind, copies};
    update_numbers(checksum, numbers, G_N_ELEMENTS(numbers));
    if (protection->updates > 0 || protection->update_ns > 0) {
        g_autofree char *text =
            g_strdup_printf("%u %" G_GINT64_FORMAT, protection->updates, protection->update_ns);
        update(checksum, text);
    }
}

static void update_working_set(GChecksum *checksum, const AftWorkloadSpec *workload,
                               const AftPoolSpec *pool)
{
    guint64 bytes = workload->working_set_bytes;
    g_autofree char *text =
        g_strdup_printf("%" G_GUINT64_FORMAT, bytes > 0 ? bytes : pool->logical_bytes);
    update(checksum, text);
}

/* What a trace holds is what counts, wherever it is; a file that cannot be read is its name. */
static void update_file(GChecksum *checksum, const char *path)
{
    guchar buffer[65536];
    FILE *file = path == NULL ? NULL : fopen(path, "re");
    gsize n = 0;
    while (file != NULL && (n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        g_checksum_update(checksum, buffer, (gssize)n);
    }
    if (file != NULL) {
        fclose(file);
    }
    update(checksum, file == NULL && path != NULL ? path : "");
}

/* What the texts of keys "by meaning" came to. */
static void update_meanings(GChecksum *checksum, const AftScenario *scenario)
{
    update(checksum, scenario->background.scheduler.policy);
    for (guint i = 0; i < scenario->n_pools; i++) {
        update_protection(checksum, &scenario->pools[i].protection);
    }
    for (guint i = 0; i < scenario->n_workloads; i++) {
        const AftWorkloadSpec *workload = &scenario->workloads[i];
        update_numbers(checksum, &workload->pool_index, 1);
        update_numbers(checksum, workload->on_nodes, workload->n_on_nodes);
        update_working_set(checksum, workload, &scenario->pools[workload->pool_index]);
        update_file(checksum, workload->file);
    }
    for (guint i = 0; i < scenario->n_faults; i++) {
        const AftFaultSpec *fault = &scenario->faults[i];
        update_numbers(checksum, fault->on_nodes, fault->n_on_nodes);
        update_file(checksum, fault->trace);
    }
    for (guint i = 0; i < scenario->n_timeline; i++) {
        update_numbers(checksum, &scenario->timeline[i].pool_index, 1);
        update_protection(checksum, &scenario->timeline[i].protection);
    }
}

static void update_device(const Digests *digests, GChecksum *kind, const AftDiskSpec *disk)
{
    GChecksum *device =
        disk->device == NULL ? NULL : g_hash_table_lookup(digests->devices, disk->device);
    update(kind, device == NULL ? "" : g_checksum_get_string(device));
}

static void update_kind(const Digests *digests, GChecksum *kind, const AftNodeSpec *node)
{
    for (guint i = 0; i < node->n_disk_groups; i++) {
        update_device(digests, kind, &node->disk_groups[i].cache);
        update_device(digests, kind, &node->disk_groups[i].capacity);
    }
}

/* The digest of what a site is made of. */
static const char *kind_of(const Digests *digests, const AftClusterSpec *cluster,
                           const AftSite *site)
{
    guint kind = 0;
    while (digests->mixed && site->spec != &cluster->groups[kind].node) {
        kind++;
    }
    return g_checksum_get_string(digests->kinds->pdata[kind]);
}

static void update_run(GChecksum *checksum, const char *kind, const AftSite *site, guint n)
{
    const guint numbers[] = {n, site->rack, (guint)site->later};
    update(checksum, kind);
    update_numbers(checksum, numbers, G_N_ELEMENTS(numbers));
}

/* Sites in a row that are alike count together, however they were grouped. */
static void update_sites(const Digests *digests, const AftClusterSpec *cluster)
{
    guint first = 0;
    const char *kind = cluster->n_sites > 0 ? kind_of(digests, cluster, cluster->sites) : "";
    for (guint i = 1; i <= cluster->n_sites; i++) {
        const AftSite *site = &cluster->sites[i - 1],
                      *next = i < cluster->n_sites ? site + 1 : NULL;
        const char *other = next == NULL               ? ""
                            : next->spec == site->spec ? kind
                                                       : kind_of(digests, cluster, next);
        if (strcmp(kind, other) != 0 || site->rack != next->rack || site->later != next->later) {
            update_run(digests->whole, kind, site, i - first);
            kind = other;
            first = i;
        }
    }
}

static void free_checksum(gpointer checksum)
{
    g_checksum_free(checksum);
}

static void update_nodes(const Digests *digests, const AftClusterSpec *cluster)
{
    for (guint i = 0; i < digests->kinds->len; i++) {
        update_kind(digests, digests->kinds->pdata[i],
                    digests->mixed ? &cluster->groups[i].node : &cluster->node);
    }
    update_sites(digests, cluster);
}

char *aft_scenario_digest(const AftScenario *scenario)
{
    g_assert(scenario->resolved);
    g_autoptr(GChecksum) whole = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GPtrArray) kinds = g_ptr_array_new_with_free_func(free_checksum);
    g_autoptr(GHashTable) devices =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_checksum);
    for (guint i = 0; i < MAX(scenario->cluster.n_groups, 1); i++) {
        g_ptr_array_add(kinds, g_checksum_new(G_CHECKSUM_SHA256));
    }
    for (guint i = 0; i < scenario->n_devices; i++) {
        g_hash_table_insert(devices, scenario->devices[i].name, g_checksum_new(G_CHECKSUM_SHA256));
    }
    Digests digests = {scenario, whole, kinds, devices, scenario->cluster.n_groups > 0};
    aft_keys_visit(scenario, update_key, &digests);
    update_meanings(whole, scenario);
    update_nodes(&digests, &scenario->cluster);
    return g_strdup(g_checksum_get_string(whole));
}
