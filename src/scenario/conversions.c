/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

static gboolean is_copies(const AftProtectionSpec *protection)
{
    return protection->kind == AFT_SCHEME_REPLICATION;
}

static gboolean is_code(const AftProtectionSpec *protection)
{
    return protection->kind == AFT_SCHEME_PARITY && protection->parity > 0;
}

/* From copies to a code, groups are taken together; back from it they are taken apart. */
static gboolean check_groups(AftCheck *check, const char *item, const AftPoolSpec *pool,
                             const AftProtectionSpec *to)
{
    double groups = (double)pool->placement_groups * pool->initial.data;
    if (is_code(to)) {
        return aft_check_regrouping(check, item, pool, to);
    }
    if (groups > AFT_MOST_PLACEMENT_GROUPS) {
        aft_check_error(check, item, "scheme", NULL,
                        "%u stripes of %u data units become %.0f placement groups, at most %u are "
                        "possible",
                        pool->placement_groups, pool->initial.data, groups,
                        AFT_MOST_PLACEMENT_GROUPS);
    }
    return groups <= AFT_MOST_PLACEMENT_GROUPS;
}

/* Returns: whether @from can become @to. */
static gboolean check_change(AftCheck *check, const char *item, const AftPoolSpec *pool,
                             const AftProtectionSpec *from, const AftProtectionSpec *to)
{
    gboolean copies = is_copies(from) && is_copies(to);
    g_autofree char *before = aft_scheme_format(from), *after = aft_scheme_format(to);
    if (!copies && !(is_copies(from) && is_code(to)) && !(is_code(from) && is_copies(to))) {
        aft_check_error(check, item, "scheme", NULL,
                        "%s cannot become %s: copies become other copies or data with parity, and "
                        "data with parity becomes copies",
                        before, after);
        return FALSE;
    }
    if (copies && from->parity == to->parity) {
        aft_check_warning(check, item, "scheme", "changes nothing, the pool has %s then", before);
    }
    return check_groups(check, item, pool, to);
}

/* What each pool has come to as the timeline goes on. */
typedef struct {
    const AftProtectionSpec **now; /* (nullable): NULL: not what could be right */
    const AftAction **last;        /* (nullable): conversion */
    const AftAction **code;        /* (nullable): the first conversion to a code */
} Course;

/* A pool is divided into strips once for all: every code it comes to has as many data units. */
static gboolean check_strips(AftCheck *check, const char *item, const Course *course,
                             const AftAction *action)
{
    const AftAction *code = course->code[action->pool_index];
    guint data = action->protection.data;
    gboolean fine = code == NULL || !is_code(&action->protection) || code->protection.data == data;
    if (!fine) {
        aft_check_error(check, item, "data", NULL,
                        "the pool gets stripes of %u data units by timeline[%u], it cannot get "
                        "others of %u",
                        code->protection.data, code->index, data);
    }
    return fine;
}

/* Returns: whether the pool of @action, whose protection stands at @item, can be converted. */
static gboolean check_conversion(AftCheck *check, const char *item, const Course *course,
                                 AftAction *action)
{
    const AftPoolSpec *pool = &check->scenario->pools[action->pool_index];
    const AftAction *last = course->last[action->pool_index];
    const AftProtectionSpec *from = pool->protection.kind == AFT_SCHEME_ENCODE_LATER
                                        ? &pool->protection
                                        : course->now[action->pool_index];
    if (!aft_check_written(check, item, "scheme")) {
        aft_check_error(check, item, "scheme", NULL, "missing, a conversion needs it");
        return FALSE;
    }
    if (last != NULL && last->at_ns == action->at_ns) {
        g_autofree char *at = aft_check_time(action->at_ns);
        aft_check_error(check, item, "scheme", NULL,
                        "pool \"%s\" has two conversions at one time, %s", pool->name, at);
        return FALSE;
    }
    return aft_check_convertible(check, item, "", pool) &&
           aft_check_protection(check, item, &action->protection, pool->domain) && from != NULL &&
           check_change(check, item, pool, from, &action->protection) &&
           check_strips(check, item, course, action);
}

/* Groups are converted one by one, so that both layouts are there for few of them at a time: what
 * is larger, before or after, is the most. */
static void check_space(AftCheck *check, const char *item, const Course *course,
                        const AftAction *action, const AftProtectionSpec *before)
{
    const AftPoolSpec *pool = &check->scenario->pools[action->pool_index];
    if (aft_services_stored_as(pool, &action->protection) > aft_services_stored_as(pool, before)) {
        aft_check_space(check, item, "scheme", course->now);
    }
}

static void check_blocks(AftCheck *check, const AftAction *action)
{
    for (guint i = 0; i < check->scenario->n_workloads; i++) {
        if (check->scenario->workloads[i].pool_index == action->pool_index) {
            aft_check_block(check, i, &action->protection, (gint)action->index);
        }
    }
}

static void check_action(AftCheck *check, const Course *course, AftAction *action)
{
    g_autofree char *item = g_strdup_printf("timeline[%u]", action->index);
    g_autofree char *set = g_strdup_printf("%s.set.data.protection", item);
    if (!aft_check_pool_name(check, item, action->pool, &action->pool_index)) {
        return;
    }
    guint pool = action->pool_index;
    const AftProtectionSpec *before = course->now[pool];
    gboolean fine = check_conversion(check, set, course, action);
    course->now[pool] = fine ? &action->protection : NULL;
    course->last[pool] = action;
    if (fine && is_code(&action->protection) && course->code[pool] == NULL) {
        course->code[pool] = action;
    }
    if (!check->failed) { /* both rest on everything else */
        check_space(check, set, course, action, before);
        check_blocks(check, action);
    }
}

void aft_check_conversions(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    g_autofree const AftProtectionSpec **now = g_new(const AftProtectionSpec *, scenario->n_pools);
    g_autofree const AftAction **last = g_new0(const AftAction *, scenario->n_pools);
    g_autofree const AftAction **code = g_new0(const AftAction *, scenario->n_pools);
    const Course course = {now, last, code};
    for (guint i = 0; i < scenario->n_pools; i++) {
        const AftPoolSpec *pool = &scenario->pools[i];
        now[i] = aft_scheme_width(&pool->initial) > 0 ? aft_check_largest(pool) : NULL;
    }
    for (guint i = 0; i < scenario->n_timeline; i++) {
        if (scenario->timeline[i].kind == AFT_ACTION_CONVERT) {
            check_action(check, &course, &scenario->timeline[i]);
        }
    }
}
