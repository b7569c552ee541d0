/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "working_set.h"

void aft_working_set_init(AftWorkingSet *set, guint n_chunks)
{
    *set = (AftWorkingSet){
        .n_chunks = n_chunks,
        .live = g_new(guint32, n_chunks),
        .at = g_new(guint32, n_chunks),
        .n_live = n_chunks,
    };
    for (guint chunk = 0; chunk < n_chunks; chunk++) {
        set->live[chunk] = set->at[chunk] = chunk;
    }
}

void aft_working_set_clear(AftWorkingSet *set)
{
    g_clear_pointer(&set->live, g_free);
    g_clear_pointer(&set->at, g_free);
}

void aft_working_set_lose(AftWorkingSet *set, guint32 chunk)
{
    if (chunk < set->n_chunks) {
        guint32 last = set->live[--set->n_live];
        set->live[set->at[chunk]] = last;
        set->at[last] = set->at[chunk];
    }
}

void aft_working_set_find(AftWorkingSet *set, guint32 chunk)
{
    if (chunk < set->n_chunks) {
        set->at[chunk] = set->n_live;
        set->live[set->n_live++] = chunk;
        set->found++;
    }
}
