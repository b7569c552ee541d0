/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout.h"

static gboolean is_same(const AftProtectionSpec *a, const AftProtectionSpec *b)
{
    return a->kind == b->kind && a->data == b->data && a->local == b->local &&
           a->parity == b->parity && a->degraded_ns == b->degraded_ns && a->updates == b->updates &&
           a->update_ns == b->update_ns && a->stripe_unit_bytes == b->stripe_unit_bytes &&
           a->rewrite == b->rewrite;
}

/* Returns: its index, or @n. */
static guint find(const AftLayout *layouts, guint n, const AftProtectionSpec *spec)
{
    guint i = 0;
    while (i < n && !is_same(&layouts[i].spec, spec)) {
        i++;
    }
    return i;
}

static void add(GArray *layouts, const AftProtectionSpec *spec)
{
    AftLayout layout = {
        .spec = *spec,
        .width = aft_protection_width(spec),
        .everyone = aft_protection_everyone(spec),
        .coded = spec->kind != AFT_SCHEME_REPLICATION && spec->kind != AFT_SCHEME_NONE,
    };
    if (find((const AftLayout *)layouts->data, layouts->len, spec) == layouts->len) {
        g_array_append_val(layouts, layout);
    }
}

AftLayout *aft_layouts_new(const AftScenario *scenario, guint index, guint *ret_n)
{
    const AftPoolSpec *pool = &scenario->pools[index];
    GArray *layouts = g_array_new(FALSE, FALSE, sizeof(AftLayout));
    add(layouts, &pool->initial);
    if (aft_protection_width(&pool->encoded) > 0) {
        add(layouts, &pool->encoded);
    }
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        if (action->kind == AFT_ACTION_CONVERT && action->pool_index == index) {
            add(layouts, &action->protection);
        }
    }
    *ret_n = layouts->len;
    return (AftLayout *)(gpointer)g_array_free(layouts, FALSE);
}

guint aft_layout_find(const AftLayout *layouts, guint n, const AftProtectionSpec *spec)
{
    guint i = find(layouts, n, spec);
    g_assert(i < n);
    return i;
}
