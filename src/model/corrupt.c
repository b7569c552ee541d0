/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latent errors come about: where on a device, chance decides. */
#include "curator_parts.h"

/* What lives on a device. */
typedef struct {
    guint pool, group;
    double end_bytes; /* of this member and those before it */
} Resident;

static void add_pool(const AftCurator *curator, guint p, guint32 device, GArray *residents)
{
    const AftPool *pool = curator->pools->pdata[p];
    double bytes =
        residents->len > 0 ? g_array_index(residents, Resident, residents->len - 1).end_bytes : 0.0;
    for (guint group = 0; group < pool->n_groups; group++) {
        for (guint m = 0; pool->groups[group].used && m < aft_pool_layout(pool, group)->width;
             m++) {
            if (aft_pool_member(pool, group, m)->device == device) {
                Resident resident = {p, group, bytes += pool->member_bytes};
                g_array_append_val(residents, resident);
            }
        }
    }
}

/* The member that byte @at of all is in: the first that ends behind it. */
static const Resident *resident_at(const GArray *residents, double at)
{
    guint low = 0, high = residents->len - 1;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (at < g_array_index(residents, Resident, middle).end_bytes) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return &g_array_index(residents, Resident, low);
}

static void spoil_one(AftCurator *curator, const GArray *residents, guint32 device)
{
    double all = g_array_index(residents, Resident, residents->len - 1).end_bytes;
    double at = aft_stream_uniform(&curator->chance) * all;
    const Resident *resident = resident_at(residents, at);
    const AftPool *pool = curator->pools->pdata[resident->pool];
    double offset = MAX(at - (resident->end_bytes - pool->member_bytes), 0.0);
    aft_sectors_spoil(pool->sectors, resident->group, device, (guint64)offset / AFT_SECTOR_BYTES);
}

void aft_curator_corrupt(AftCurator *curator, guint32 device, guint64 sectors)
{
    g_autoptr(GArray) residents = g_array_new(FALSE, FALSE, sizeof(Resident));
    for (guint p = 0; p < curator->pools->len; p++) {
        add_pool(curator, p, device, residents);
    }
    for (guint64 i = 0; i < sectors && residents->len > 0; i++) {
        spoil_one(curator, residents, device);
    }
}
