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

/* What all pools take, and the most that must be stored elsewhere when one domain is down. */
typedef struct {
    double used_bytes;
    double largest_bytes;
    AftDomain largest; /* what they are the bytes of */
} Need;

static void add_pool(AftCheck *check, const AftPoolSpec *pool, const AftProtectionSpec *layout,
                     Need *need)
{
    const GArray *domains = aft_check_domains(check, pool->domain);
    need->used_bytes += aft_services_stored_as(pool, layout);
    if (layout->parity > 0 && domains->len > aft_scheme_width(layout) &&
        g_array_index(domains, double, 0) > need->largest_bytes) {
        need->largest_bytes = g_array_index(domains, double, 0);
        need->largest = pool->domain;
    }
}

/* Of unlike nodes, large ones may have more room than stripes can use. */
static gboolean check_room(AftCheck *check, const char *item, const char *key,
                           const AftPoolSpec *pool, const AftProtectionSpec *layout)
{
    double used = aft_services_stored_as(pool, layout);
    double room = aft_check_room(aft_check_domains(check, pool->domain), aft_scheme_width(layout));
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

static void warn_full(AftCheck *check, const char *item, const char *key, const Need *need,
                      double raw)
{
    double full = check->scenario->cluster.full, left = raw - need->largest_bytes;
    g_autofree char *limit = aft_units_format(AFT_UNIT_SHARE, full);
    if (need->used_bytes > full * raw) {
        aft_check_warning(check, item, key, "fills devices to %.1f %%, above cluster.full (%s)",
                          100.0 * need->used_bytes / raw, limit);
    } else if (need->largest_bytes > 0.0 && need->used_bytes > full * left) {
        aft_check_warning(check, item, key,
                          "with one %s down it would fill devices to %.1f %%, above "
                          "cluster.full (%s): a rebuild could not finish",
                          aft_check_domain_name(need->largest), 100.0 * need->used_bytes / left,
                          limit);
    }
}

void aft_check_space(AftCheck *check, const char *item, const char *key,
                     const AftProtectionSpec *const *layouts)
{
    const AftScenario *scenario = check->scenario;
    Need need = {0};
    gboolean room = TRUE;
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
    for (guint i = 0; i < scenario->n_pools && room; i++) {
        room = check_room(check, item, key, &scenario->pools[i], layouts[i]);
    }
    if (room) {
        warn_full(check, item, key, &need, raw);
    }
}
