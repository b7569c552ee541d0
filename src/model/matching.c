/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "matching.h"

typedef struct {
    const AftCopies *chunks;
    guint n;
    guint32 *chosen;
    gboolean tried[AFT_WIDTH_MOST]; /* chunks asked to make room, on this path */
} Search;

/* The chunk that holds @domain, or AFT_NO_COPY. */
static guint32 holder_of(const Search *search, guint32 domain)
{
    for (guint i = 0; i < search->n; i++) {
        guint32 copy = search->chosen[i];
        if (copy != AFT_NO_COPY && search->chunks[i].domain[copy] == domain) {
            return i;
        }
    }
    return AFT_NO_COPY;
}

/* Lets @chunk choose another copy than it has: a free one, or one whose holder can choose again. */
static gboolean choose(Search *search, guint chunk)
{
    search->tried[chunk] = TRUE;
    for (guint copy = 0; copy < search->chunks[chunk].n; copy++) {
        guint32 holder = holder_of(search, search->chunks[chunk].domain[copy]);
        if (holder == AFT_NO_COPY || (!search->tried[holder] && choose(search, holder))) {
            search->chosen[chunk] = copy;
            return TRUE;
        }
    }
    return FALSE;
}

guint aft_matching_find(const AftCopies *chunks, guint n, guint32 *ret_chosen)
{
    guint matched = 0;
    for (guint i = 0; i < n; i++) {
        ret_chosen[i] = AFT_NO_COPY;
    }
    for (guint i = 0; i < n; i++) {
        Search search = {.chunks = chunks, .n = n, .chosen = ret_chosen};
        matched += choose(&search, i) ? 1 : 0;
    }
    return matched;
}
