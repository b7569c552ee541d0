/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "value.h"

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

static void update_key(const AftKey *key, const char *path, void *field, gpointer data)
{
    if (key->by_meaning || key->list == AFT_LIST_DEVICES || key->list == AFT_LIST_DEVICE_VALUES ||
        is_off(key, field)) {
        return;
    }
    g_autofree char *value = aft_value_write_bits(key, field);
    update(data, path);
    update(data, value);
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
    for (guint i = 0; i < scenario->n_timeline; i++) {
        update_numbers(checksum, &scenario->timeline[i].pool_index, 1);
        update_protection(checksum, &scenario->timeline[i].protection);
    }
}

typedef struct {
    GChecksum *checksum;
    const char *prefix; /* "devices.sata-ssd." */
} DeviceUpdate;

static void update_device_key(const AftKey *key, const char *path, void *field, gpointer data)
{
    const DeviceUpdate *device = data;
    if (g_str_has_prefix(path, device->prefix)) {
        g_autofree char *value = aft_value_write_bits(key, field);
        update(device->checksum, path);
        update(device->checksum, value);
    }
}

static void update_device(GChecksum *checksum, const AftScenario *scenario, const char *name)
{
    if (name != NULL) {
        g_autofree char *prefix = g_strdup_printf("devices.%s.", name);
        DeviceUpdate device = {checksum, prefix};
        aft_keys_visit(scenario, update_device_key, &device);
    }
}

char *aft_scenario_digest(const AftScenario *scenario)
{
    g_assert(scenario->resolved);
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    aft_keys_visit(scenario, update_key, checksum);
    update_meanings(checksum, scenario);
    for (guint i = 0; i < scenario->cluster.node.n_disk_groups; i++) {
        const AftDiskGroupSpec *group = &scenario->cluster.node.disk_groups[i];
        update_device(checksum, scenario, group->cache.device);
        update_device(checksum, scenario, group->capacity.device);
    }
    return g_strdup(g_checksum_get_string(checksum));
}
