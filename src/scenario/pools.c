/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

static void check_name(AftCheck *check, guint i, const char *item)
{
    AftScenario *scenario = check->scenario;
    AftPoolSpec *pool = &scenario->pools[i];
    if (!aft_check_written(check, item, "name")) {
        g_clear_pointer(&pool->name, g_free);
        if (scenario->n_pools > 1) {
            aft_check_error(check, item, "name", NULL, "missing, several pools need names");
            return;
        }
        pool->name = g_strdup("data");
    }
    for (guint other = 0; other < i && pool->name != NULL; other++) {
        if (g_strcmp0(scenario->pools[other].name, pool->name) == 0) {
            aft_check_error(check, item, "name", NULL, "there are two pools \"%s\"", pool->name);
            return;
        }
    }
}

gboolean aft_check_pool_name(AftCheck *check, const char *item, const char *name, guint *ret_index)
{
    const AftScenario *scenario = check->scenario;
    g_autofree const char **names = g_new(const char *, scenario->n_pools);
    *ret_index = 0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        names[i] = scenario->pools[i].name;
        if (name != NULL && g_strcmp0(names[i], name) == 0) {
            *ret_index = i;
            return TRUE;
        }
    }
    if (name != NULL) {
        aft_check_error(check, item, "pool", aft_nearest(name, names, scenario->n_pools),
                        "there is no pool \"%s\"", name);
    }
    return name == NULL && scenario->n_pools > 0;
}

/* A service is on when any of its keys is written, unless it is said to be off. */
static void check_service(AftCheck *check, guint pool, guint index, AftServiceSpec *service)
{
    const char *name = aft_service_name((AftServiceKind)index);
    g_autofree char *item = g_strdup_printf("data[%u].services.%s", pool, name);
    g_autofree char *pattern = g_strdup_printf("data[*].services.%s", name);
    gboolean said = aft_check_written(check, item, "enabled");
    guint written = aft_check_written_below(check, pattern, pool);
    if (!said) {
        service->enabled = written > 0 ? 1 : 0;
    }
    if (!aft_check_sound(check, item) || !aft_check_sound(check, "cluster")) {
        return;
    }
    if (!service->enabled && written > 1) {
        aft_check_warning(check, item, "enabled", "off: the other keys of %s have no effect", name);
    } else if (service->enabled && service->when == AFT_WHEN_DESTAGE &&
               aft_check_caching(check) != AFT_CACHES_EVERYWHERE) {
        aft_check_error(check, item, "when", NULL,
                        "nothing is destaged where a disk group has no cache device");
    }
}

/* What the groups of a pool begin as, and what they come to. */
static void derive_layouts(AftPoolSpec *pool)
{
    pool->initial = pool->encoded = pool->protection;
    if (pool->protection.kind != AFT_SCHEME_ENCODE_LATER) {
        pool->encoded.data = pool->encoded.local = pool->encoded.parity = 0;
        return;
    }
    pool->initial.kind = AFT_SCHEME_REPLICATION;
    pool->initial.data = 1;
    pool->initial.parity = pool->protection.copies - 1;
    pool->encoded.kind = AFT_SCHEME_PARITY;
    pool->encoded.copies = 0;
}

gboolean aft_check_regrouping(AftCheck *check, const char *item, const AftPoolSpec *pool,
                              const AftProtectionSpec *code)
{
    guint groups = pool->placement_groups, before = check->problems->len;
    if (pool->initial.kind == AFT_SCHEME_REPLICATION && groups % code->data != 0) {
        aft_check_error(check, item, "data", NULL,
                        "%u placement groups do not make stripes of %u data units, %u would",
                        groups, code->data, MAX(groups / code->data, 1) * code->data);
    } else if (pool->initial.kind == AFT_SCHEME_PARITY && pool->initial.data != code->data) {
        aft_check_error(check, item, "data", NULL,
                        "the pool began with stripes of %u data units, it cannot get others of %u",
                        pool->initial.data, code->data);
    }
    return check->problems->len == before;
}

gboolean aft_check_convertible(AftCheck *check, const char *item, const char *key,
                               const AftPoolSpec *pool)
{
    if (pool->domain == AFT_DOMAIN_DEVICE) {
        aft_check_error(check, item, key, NULL,
                        "a pool of domain device keeps its layout: use node or rack");
    }
    return pool->domain != AFT_DOMAIN_DEVICE;
}

static void check_protection(AftCheck *check, const char *pool_item, AftPoolSpec *pool)
{
    AftProtectionSpec *protection = &pool->protection;
    g_autofree char *item = g_strdup_printf("%s.protection", pool_item);
    pool->initial = pool->encoded = (AftProtectionSpec){0};
    if (!aft_check_protection(check, item, protection, pool->domain)) {
        return;
    }
    derive_layouts(pool);
    if (protection->kind == AFT_SCHEME_ENCODE_LATER) {
        aft_check_convertible(check, pool_item, "domain", pool);
        if (aft_check_sound(check, pool_item)) {
            aft_check_regrouping(check, item, pool, &pool->encoded);
        }
    } else if (aft_check_written(check, item, "rewrite")) {
        aft_check_error(check, item, "rewrite", NULL,
                        "the data begins as %s: nothing is rewritten for that", protection->scheme);
    }
}

static void check_pool(AftCheck *check, guint i)
{
    AftPoolSpec *pool = &check->scenario->pools[i];
    g_autofree char *item = g_strdup_printf("data[%u]", i);
    check_name(check, i, item);
    check_protection(check, item, pool);
    for (guint s = 0; s < AFT_SERVICES; s++) {
        check_service(check, i, s, &pool->services[s]);
    }
}

static void check_groups(AftCheck *check)
{
    double groups = 0.0;
    for (guint i = 0; i < check->scenario->n_pools; i++) {
        groups += check->scenario->pools[i].placement_groups;
    }
    if (groups > AFT_MOST_PLACEMENT_GROUPS) {
        aft_check_error(check, "data[0]", "placement_groups", NULL,
                        "expected at most %u over all pools, got %.0f", AFT_MOST_PLACEMENT_GROUPS,
                        groups);
    }
}

void aft_check_pools(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    g_autofree const AftProtectionSpec **layouts =
        g_new(const AftProtectionSpec *, scenario->n_pools);
    for (guint i = 0; i < scenario->n_pools; i++) {
        check_pool(check, i);
        layouts[i] = aft_check_largest(&scenario->pools[i]);
    }
    check_groups(check);
    /* Space is a sum over everything: one wrong part of it says nothing about the whole. */
    if (!check->failed && scenario->n_pools > 0) {
        aft_check_space(check, "data[0]", "logical", layouts);
    }
}
