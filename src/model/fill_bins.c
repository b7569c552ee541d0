/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fill_bins.h"

#define BELOW  4 /* bins below low */
#define DELAY  8 /* bins between low and high */
#define NARROW 0.005
#define BEYOND 0.25 /* of a bin, that it is left beyond its edge */

enum { AT_LOW = BELOW, FIRST_DELAY = AT_LOW + 1, ABOVE = FIRST_DELAY + DELAY, FULL = ABOVE + 1 };

/* The @i-th mark between bins: of those that are no narrow ones. */
static double floor_of(const AftTierSpec *spec, int bin)
{
    if (bin <= BELOW) {
        return spec->low * bin / BELOW;
    }
    return bin < FULL ? spec->low + (spec->high - spec->low) * (bin - FIRST_DELAY) / DELAY : 1.0;
}

static double ceiling_of(const AftTierSpec *spec, int bin)
{
    return bin < BELOW ? floor_of(spec, bin + 1) : bin == ABOVE ? 1.0 : floor_of(spec, bin + 1);
}

static int bin_of(const AftTierSpec *spec, double fill)
{
    if (fill > 1.0 - NARROW) {
        return FULL;
    }
    if (fill > spec->low - NARROW && fill < spec->low + NARROW) {
        return AT_LOW;
    }
    int bin = fill < spec->low ? 0 : FIRST_DELAY;
    while (bin != AT_LOW - 1 && bin < ABOVE && fill >= ceiling_of(spec, bin)) {
        bin++;
    }
    return bin;
}

double aft_fill_middle(const AftTierSpec *spec, int bin)
{
    if (bin == AT_LOW || bin == FULL) {
        return bin == AT_LOW ? spec->low : 1.0;
    }
    return (floor_of(spec, bin) + ceiling_of(spec, bin)) / 2.0;
}

static double edge_up(const AftTierSpec *spec, int bin)
{
    double width = ceiling_of(spec, bin) - floor_of(spec, bin);
    switch (bin) {
    case AT_LOW: /* half-way through the next, which is left at its end */
        return spec->low + 0.5 * (spec->high - spec->low) / DELAY;
    case FULL:
        return 2.0;
    case ABOVE:
        return 1.0 - NARROW;
    case AT_LOW - 1:
        return spec->low - NARROW;
    default:
        return floor_of(spec, bin) + width * (1.0 + BEYOND);
    }
}

static double edge_down(const AftTierSpec *spec, int bin)
{
    double width = ceiling_of(spec, bin) - floor_of(spec, bin);
    switch (bin) {
    case 0:
        return -1.0;
    case AT_LOW:
        return spec->low * (1.0 - 0.5 / BELOW);
    case FULL:
        return 1.0 - 4.0 * NARROW;
    case FIRST_DELAY:
        return spec->low + NARROW;
    default:
        return floor_of(spec, bin) - width * BEYOND;
    }
}

double aft_fill_edge(const AftTierSpec *spec, int bin, gboolean up)
{
    return up ? edge_up(spec, bin) : edge_down(spec, bin);
}

int aft_fill_bin(const AftBuffer *buffer, int was)
{
    double fill = aft_buffer_fill(buffer);
    gboolean stays =
        was >= 0 && fill < edge_up(buffer->spec, was) && fill > edge_down(buffer->spec, was);
    return stays ? was : bin_of(buffer->spec, fill);
}
