/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/random/philox.h>
#include <aftershock/random/stream.h>
#include <limits.h>

G_STATIC_ASSERT(sizeof(unsigned long) == sizeof(guint64)); /* what GSL calls a draw */

/* FNV-1a: the same number for the same text on every machine, for ever. */
static guint64 hash(const char *text)
{
    guint64 value = G_GUINT64_CONSTANT(0xCBF29CE484222325);
    for (; *text != '\0'; text++) {
        value = (value ^ (guchar)*text) * G_GUINT64_CONSTANT(0x100000001B3);
    }
    return value;
}

void aft_stream_init(AftStream *stream, guint64 seed, guint32 replication, const char *purpose,
                     guint32 index)
{
    g_assert(stream != NULL && purpose != NULL);
    /* Under one key no two blocks are equal, so no two indices or replications share a start.
     * All words are zero once in 2^256 names. */
    guint64 key[2] = {seed, hash(purpose)};
    guint64 counter[4] = {replication, index, 0, 0};
    aft_philox(counter, key, stream->word);
}

/* Throws a point into the height of @layer. Returns: whether it is under the curve, which has
 * height @density at the place in question. */
static gboolean under(const AftZiggurat *ziggurat, guint layer, double density, AftStream *stream)
{
    double low = ziggurat->height[layer], high = ziggurat->height[layer + 1];
    return low + aft_stream_uniform(stream) * (high - low) < density;
}

double aft_stream_exponential_corner(AftStream *stream, guint layer, double x)
{
    if (layer == 0) { /* the tail forgets how far it has come */
        return aft_ziggurat_exponential.edge[1] + aft_stream_exponential(stream);
    }
    gboolean kept = under(&aft_ziggurat_exponential, layer, exp(-x), stream);
    return kept ? x : aft_stream_exponential(stream);
}

/* Marsaglia's tail: an exponential at the slope of @from, thinned to the curve. */
static double normal_tail(AftStream *stream, double from)
{
    double beyond, room;
    do {
        beyond = aft_stream_exponential(stream) / from;
        room = aft_stream_exponential(stream);
    } while (2.0 * room < beyond * beyond);
    return from + beyond;
}

double aft_stream_normal_corner(AftStream *stream, guint layer, double x)
{
    if (layer == 0) {
        return copysign(normal_tail(stream, aft_ziggurat_normal.edge[1]), x);
    }
    gboolean kept = under(&aft_ziggurat_normal, layer, exp(-0.5 * x * x), stream);
    return kept ? x : aft_stream_normal(stream);
}

static void gsl_set(void *state, unsigned long seed)
{
    aft_stream_init(state, seed, 0, "gsl", 0);
}

static unsigned long gsl_get(void *state)
{
    return aft_stream_bits(state);
}

static double gsl_get_double(void *state)
{
    return aft_stream_uniform(state);
}

static const gsl_rng_type gsl_type = {
    .name = "aftershock-xoshiro256++",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(AftStream),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

const gsl_rng_type *const aft_stream_gsl_type = &gsl_type;
