/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.h - independent random streams, each found by its name.
 *
 * Every source of chance in a simulation owns a stream: the service times of one station, the
 * arrivals of one virtual machine. A stream's first state is one block of the Philox4x64 cipher,
 * keyed by the seed and by what the stream is for, so it costs nothing to make, depends on
 * nobody else, and a component that is added shifts nobody else's draws. After that it runs as
 * xoshiro256++ (Blackman and Vigna), four words of state, a nanosecond a draw.
 *
 *     AftStream stream;
 *     aft_stream_init(&stream, seed, replication, "station.service", station_index);
 *     double wait_s = mean_s * aft_stream_exponential(&stream);
 */
#pragma once

#include <aftershock/random/philox.h>
#include <aftershock/random/ziggurat.h>
#include <glib.h>
#include <gsl/gsl_rng.h>
#include <math.h>

typedef struct {
    guint64 word[4]; /* the state of xoshiro256++, never all zero */
} AftStream;

/** Puts @stream at the start of the stream named by its arguments: @seed and @replication of the
 *  run, @purpose ("vm.arrival"), and @index of the component that owns it. */
void aft_stream_init(AftStream *stream, guint64 seed, guint32 replication, const char *purpose,
                     guint32 index);

static inline guint64 aft_stream_rotate(guint64 x, int by)
{
    return (x << by) | (x >> (64 - by));
}

/** The next 64 random bits. */
static inline guint64 aft_stream_bits(AftStream *stream)
{
    guint64 *s = stream->word;
    guint64 result = aft_stream_rotate(s[0] + s[3], 23) + s[0];
    guint64 t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = aft_stream_rotate(s[3], 45);
    return result;
}

/** Uniform in [0, 1), a multiple of 2^-53. */
static inline double aft_stream_uniform(AftStream *stream)
{
    return (double)(aft_stream_bits(stream) >> 11) * 0x1.0p-53;
}

/** A whole number in [0, @n), @n at least 1. The bias is below n / 2^64. */
static inline guint64 aft_stream_below(AftStream *stream, guint64 n)
{
    return (guint64)(((AftProduct)aft_stream_bits(stream) * n) >> 64);
}

/** The one draw in a hundred that aft_stream_exponential() and aft_stream_normal() cannot decide
 *  by their tables: @x fell into the corner of @layer, or into the tail. */
double aft_stream_exponential_corner(AftStream *stream, guint layer, double x);
double aft_stream_normal_corner(AftStream *stream, guint layer, double x);

/** Exponential with mean 1, 0 or more, by a 256-layer ziggurat. */
static inline double aft_stream_exponential(AftStream *stream)
{
    /* Layer and place come from bits that do not overlap: 0 to 7, and 11 to 63. */
    guint64 bits = aft_stream_bits(stream);
    guint layer = bits % AFT_ZIGGURAT_LAYERS;
    const double *edge = &aft_ziggurat_exponential.edge[layer];
    double x = (double)(bits >> 11) * (edge[0] * 0x1.0p-53);
    return G_LIKELY(x < edge[1]) ? x : aft_stream_exponential_corner(stream, layer, x);
}

/** Normal with mean 0 and standard deviation 1, by a 256-layer ziggurat. */
static inline double aft_stream_normal(AftStream *stream)
{
    guint64 bits = aft_stream_bits(stream);
    guint layer = bits % AFT_ZIGGURAT_LAYERS;
    const double *edge = &aft_ziggurat_normal.edge[layer];
    double x = (double)((gint64)bits >> 11) * (edge[0] * 0x1.0p-52); /* the sign is bit 63 */
    return G_LIKELY(fabs(x) < edge[1]) ? x : aft_stream_normal_corner(stream, layer, x);
}

/** The generator as GSL knows them, so that every distribution of GSL works on our streams: a
 *  gsl_rng allocated with this type has an AftStream as its state (gsl_rng_state()), and
 *  gsl_rng_set(rng, seed) is the stream of that seed for purpose "gsl". Borrows nothing. */
extern const gsl_rng_type *const aft_stream_gsl_type;
