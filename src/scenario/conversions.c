/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/schemes.h>

#include <string.h>

/* Returns: whether there is a pool of the name. */
static gboolean find_pool(AftCheck *check, const char *item, AftAction *action)
{
    const AftScenario *scenario = check->scenario;
    g_autofree const char **names = g_new(const char *, scenario->n_pools);
    action->pool_index = 0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        names[i] = scenario->pools[i].name;
        if (action->pool != NULL && g_strcmp0(names[i], action->pool) == 0) {
            action->pool_index = i;
            return TRUE;
        }
    }
    if (action->pool != NULL) {
        aft_check_error(check, item, "pool", aft_nearest(action->pool, names, scenario->n_pools),
                        "there is no pool \"%s\"", action->pool);
    }
    return action->pool == NULL && scenario->n_pools > 0;
}

static gboolean is_copies(const AftProtectionSpec *protection)
{
    return protection->kind == AFT_SCHEME_REPLICATION;
}

static gboolean is_code(const AftProtectionSpec *protection)
{
    return protection->kind == AFT_SCHEME_PARITY && protection->parity > 0;
}

/* The groups of k data units are made of k groups of copies, and become as many again. */
static void check_groups(AftCheck *check, const char *item, const AftPoolSpec *pool,
                         const AftProtectionSpec *code)
{
    guint groups = pool->placement_groups;
    if (is_code(&pool->initial) && pool->initial.data != code->data) {
        aft_check_error(check, item, "data", NULL,
                        "the pool has stripes of %u data units, it cannot get others of %u",
                        pool->initial.data, code->data);
    } else if (is_copies(&pool->initial) && code->data > 0 && groups % code->data != 0) {
        aft_check_error(check, item, "data", NULL,
                        "%u placement groups do not make stripes of %u data units, %u would",
                        groups, code->data, MAX(groups / code->data, 1) * code->data);
    }
}

static void check_conversion(AftCheck *check, const char *item, const AftPoolSpec *pool,
                             const AftProtectionSpec *from, const AftProtectionSpec *to)
{
    gboolean possible = (is_copies(from) && is_copies(to)) || (is_copies(from) && is_code(to)) ||
                        (is_code(from) && is_copies(to));
    if (!possible) {
        g_autofree char *before = aft_scheme_format(from);
        g_autofree char *after = aft_scheme_format(to);
        aft_check_error(check, item, "scheme", NULL,
                        "%s cannot become %s: copies become other copies or data with parity, and "
                        "data with parity becomes copies",
                        before, after);
    } else if (is_code(to)) {
        check_groups(check, item, pool, to);
    }
}

/* What is encoded later is made of groups of copies just the same. */
static void check_encoded(AftCheck *check, guint i)
{
    const AftPoolSpec *pool = &check->scenario->pools[i];
    g_autofree char *item = g_strdup_printf("data[%u].protection", i);
    if (pool->protection.kind == AFT_SCHEME_ENCODE_LATER) {
        check_groups(check, item, pool, &pool->encoded);
    }
}

void aft_check_conversions(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    g_autofree const AftProtectionSpec **now = g_new(const AftProtectionSpec *, scenario->n_pools);
    for (guint i = 0; i < scenario->n_pools; i++) {
        now[i] = &scenario->pools[i].protection;
        check_encoded(check, i);
    }
    for (guint i = 0; i < scenario->n_timeline; i++) {
        AftAction *action = &scenario->timeline[i];
        g_autofree char *item = g_strdup_printf("timeline[%u]", action->index);
        g_autofree char *set = g_strdup_printf("%s.set.data.protection", item);
        if (action->kind != AFT_ACTION_CONVERT || !find_pool(check, item, action)) {
            continue;
        }
        const AftPoolSpec *pool = &scenario->pools[action->pool_index];
        guint before = check->problems->len;
        aft_check_protection(check, set, &action->protection);
        if (check->problems->len == before) {
            check_conversion(check, set, pool, now[action->pool_index], &action->protection);
        }
        now[action->pool_index] = &action->protection;
    }
}
