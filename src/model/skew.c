/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "skew.h"

#include <math.h>

#define TRIES 64 /* that find something nearly always, unless most of what was hot is lost */

struct AftSkew {
    const AftWorkingSet *set;
    double *weight; /* a chunk */
    double sum;
    AftDiscrete *all;
    AftDiscrete *rest; /* (nullable): of what was not lost once, until something is found again */
    guint found;       /* the set's, when that was made */
};

/* Shuffled after Fisher and Yates. */
static guint32 *draw_ranks(guint n, AftStream *stream)
{
    guint32 *rank = g_new(guint32, n);
    for (guint i = 0; i < n; i++) {
        guint j = (guint)aft_stream_below(stream, i + 1);
        rank[i] = rank[j];
        rank[j] = i;
    }
    return rank;
}

AftSkew *aft_skew_new(const AftWorkingSet *set, double theta, AftStream *ranks)
{
    AftSkew *skew = g_new0(AftSkew, 1);
    g_autofree guint32 *rank = draw_ranks(set->n_chunks, ranks);
    skew->set = set;
    skew->weight = g_new(double, set->n_chunks);
    for (guint chunk = 0; chunk < set->n_chunks; chunk++) {
        skew->weight[chunk] = pow(rank[chunk] + 1.0, -theta);
        skew->sum += skew->weight[chunk];
    }
    skew->all = aft_discrete_new(skew->weight, set->n_chunks);
    return skew;
}

void aft_skew_free(AftSkew *skew)
{
    if (skew != NULL) {
        aft_discrete_free(skew->all);
        aft_discrete_free(skew->rest);
        g_free(skew->weight);
        g_free(skew);
    }
}

static void make_rest(AftSkew *skew)
{
    g_autofree double *weight = g_new(double, skew->set->n_chunks);
    for (guint chunk = 0; chunk < skew->set->n_chunks; chunk++) {
        weight[chunk] = aft_working_set_has(skew->set, chunk) ? skew->weight[chunk] : 0.0;
    }
    aft_discrete_free(skew->rest);
    skew->rest = aft_discrete_new(weight, skew->set->n_chunks);
    skew->found = skew->set->found;
}

guint32 aft_skew_draw(AftSkew *skew, AftStream *stream)
{
    g_assert(skew->set->n_live > 0);
    if (skew->rest != NULL && skew->found != skew->set->found) {
        g_clear_pointer(&skew->rest, aft_discrete_free);
    }
    for (guint tries = 1;; tries++) {
        guint32 chunk = aft_discrete_draw(skew->rest != NULL ? skew->rest : skew->all, stream);
        if (aft_working_set_has(skew->set, chunk)) {
            return chunk;
        }
        if (tries % TRIES == 0) {
            make_rest(skew);
        }
    }
}

double aft_skew_chance(const AftSkew *skew, guint32 chunk)
{
    return skew->weight[chunk] / skew->sum;
}
