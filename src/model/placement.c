/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/model/placement.h>

#include <math.h>

/* The finisher of splitmix64: every input bit reaches every output bit (Steele et al. 2014). */
static guint64 mix(guint64 x)
{
    x ^= x >> 30;
    x *= G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static guint64 hash(guint64 seed, guint64 group, guint place)
{
    const guint64 golden = G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    return mix(mix(mix(seed + golden) + group * golden) + ((guint64)place + 1) * golden);
}

/* Uniform in (0, 1): 52 bits and a half, so that neither end is reached. */
static double uniform(guint64 bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1.0p-52;
}

static double score_of(const AftPlaces *places, guint place, double u)
{
    /* Alike weights need no logarithm: -ln is falling, so 1 - u orders the same way. */
    return places->weight == NULL ? 1.0 - u : -log(u) / places->weight[place];
}

double aft_placement_score(const AftPlaces *places, guint64 group, guint place)
{
    return score_of(places, place, uniform(hash(places->seed, group, place)));
}

/* Whether the score can only be @worst or more, told without a logarithm: -ln u >= 1 - u. Of many
 * places, few are left. */
static gboolean is_hopeless(const AftPlaces *places, guint place, double u, double worst)
{
    double weight = places->weight == NULL ? 1.0 : places->weight[place];
    return 1.0 - u >= worst * weight;
}

guint aft_placement_rank(const AftPlaces *places, guint64 group, guint wanted, guint32 *ret_places)
{
    double *best = g_newa(double, wanted);
    guint found = 0;
    for (guint place = 0; place < places->n; place++) {
        if (places->allowed != NULL && !places->allowed[place]) {
            continue;
        }
        double u = uniform(hash(places->seed, group, place));
        if (found == wanted && is_hopeless(places, place, u, best[found - 1])) {
            continue;
        }
        double score = score_of(places, place, u);
        if (found == wanted && score >= best[found - 1]) {
            continue;
        }
        guint at = found < wanted ? found++ : found - 1;
        for (; at > 0 && best[at - 1] > score; at--) {
            best[at] = best[at - 1];
            ret_places[at] = ret_places[at - 1];
        }
        best[at] = score;
        ret_places[at] = place;
    }
    return found;
}
