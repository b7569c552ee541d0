/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

const AftProtectionSpec *aft_check_largest(const AftPoolSpec *pool)
{
    gboolean grows =
        aft_scheme_width(&pool->encoded) > 0 &&
        aft_services_stored_as(pool, &pool->encoded) > aft_services_stored_as(pool, &pool->initial);
    return grows ? &pool->encoded : &pool->initial;
}

static double raw_bytes(AftCheck *check)
{
    const GArray *nodes = aft_check_domains(check, AFT_DOMAIN_NODE);
    double bytes = 0.0;
    for (guint i = 0; i < nodes->len; i++) {
        bytes += g_array_index(nodes, double, i);
    }
    return bytes;
}

/* Bytes of all pools, and how full they make the fullest devices: all of them alike, or the smaller
 * ones first, since no domain holds two members of a stripe. */
typedef struct {
    double used_bytes;
    double largest_bytes; /* of one domain, which is to be stored elsewhere when it is down */
    double fill, fill_down;
    AftDomain down;
} Need;

static void add_pool(AftCheck *check, const AftPoolSpec *pool, const AftProtectionSpec *layout,
                     Need *need)
{
    const GArray *domains = aft_check_domains(check, pool->domain);
    guint width = aft_scheme_width(layout);
    double used = aft_services_stored_as(pool, layout);
    need->used_bytes += used;
    need->fill = MAX(need->fill, used / aft_check_room(domains, width, 0));
    if (layout->parity > 0 && domains->len > width) {
        double fill = used / aft_check_room(domains, width, 1);
        double largest = g_array_index(domains, double, 0);
        need->down = largest > need->largest_bytes ? pool->domain : need->down;
        need->largest_bytes = MAX(need->largest_bytes, largest);
        need->fill_down = MAX(need->fill_down, fill);
    }
}

/* Of unlike nodes, large ones may have more room than stripes can use. */
static gboolean check_room(AftCheck *check, const char *item, const char *key,
                           const AftPoolSpec *pool, const AftProtectionSpec *layout)
{
    double used = aft_services_stored_as(pool, layout);
    double room =
        aft_check_room(aft_check_domains(check, pool->domain), aft_scheme_width(layout), 0);
    if (used > room * (1.0 + 1e-12)) { /* rounding */
        g_autofree char *needed = aft_check_bytes(used), *there = aft_check_bytes(room);
        g_autofree char *scheme = aft_scheme_format(layout);
        aft_check_error(check, item, key, NULL,
                        "takes %s with protection, %s has room for %s: no %s holds two members of "
                        "a stripe",
                        needed, scheme, there, aft_check_domain_name(pool->domain));
        return FALSE;
    }
    return TRUE;
}

static void warn_full(AftCheck *check, const char *item, const char *key, const Need *need)
{
    double full = check->scenario->cluster.full;
    g_autofree char *limit = aft_units_format(AFT_UNIT_SHARE, full);
    if (need->fill > full) {
        aft_check_warning(check, item, key, "fills devices to %.1f %%, above cluster.full (%s)",
                          100.0 * need->fill, limit);
    } else if (need->fill_down > full) {
        aft_check_warning(check, item, key,
                          "with one %s down it would fill devices to %.1f %%, above "
                          "cluster.full (%s): a rebuild could not finish",
                          aft_check_domain_name(need->down), 100.0 * need->fill_down, limit);
    }
}

void aft_check_space(AftCheck *check, const char *item, const char *key,
                     const AftProtectionSpec *const *layouts)
{
    const AftScenario *scenario = check->scenario;
    Need need = {0};
    double raw = raw_bytes(check);
    for (guint i = 0; i < scenario->n_pools; i++) {
        add_pool(check, &scenario->pools[i], layouts[i], &need);
    }
    if (need.used_bytes > raw) {
        g_autofree char *needed = aft_check_bytes(need.used_bytes), *there = aft_check_bytes(raw);
        aft_check_error(check, item, key, NULL, "takes %s with protection, the cluster has %s",
                        needed, there);
        return;
    }
    for (guint i = 0; i < scenario->n_pools; i++) {
        if (!check_room(check, item, key, &scenario->pools[i], layouts[i])) {
            return;
        }
    }
    need.fill = MAX(need.fill, need.used_bytes / raw);
    if (need.largest_bytes > 0.0) {
        need.fill_down = MAX(need.fill_down, need.used_bytes / (raw - need.largest_bytes));
    }
    warn_full(check, item, key, &need);
}
