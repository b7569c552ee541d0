/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shares.h"

#include <aftershock/scenario/nodes.h>
#include <math.h>
#include <string.h>

enum {
    STEPS = 1024, /* of Simpson's rule; smooth as they are, errors are far below 1e-6 */
    MANY = 1000   /* clocks, half of which are more than any width */
};

typedef struct {
    const double *size;
    const guint *count;
    guint n, width;
    double *before, *behind; /* (n + 1) x width: counts of the first sizes, of the last ones */
} Clocks;

/* The chances of 0 to @width - 1 of @count clocks of @size having rung by @t. It begins where the
 * chance is not too small for a double. */
static void binomial(guint count, double size, double t, guint width, double *ret_chances)
{
    double rung = -expm1(-size * t), quiet = exp(-size * t);
    memset(ret_chances, 0, width * sizeof(double));
    if (rung <= 0.5) {
        double chance = pow(quiet, count);
        for (guint i = 0; i < width && i <= count; i++) {
            ret_chances[i] = chance;
            chance *= rung / quiet * (count - i) / (i + 1.0);
        }
    } else if (count <= MANY) {
        double chance = pow(rung, count);
        for (guint i = count + 1; i-- > 0;) {
            if (i < width) {
                ret_chances[i] = chance;
            }
            chance *= quiet / rung * i / (count - i + 1.0);
        }
    }
}

static void convolve(const double *a, const double *b, guint width, double *ret_sum)
{
    for (guint i = 0; i < width; i++) {
        ret_sum[i] = 0.0;
        for (guint j = 0; j <= i; j++) {
            ret_sum[i] += a[j] * b[i - j];
        }
    }
}

/* Counts of clocks that have rung by time @t, over the first sizes and over the last ones. */
static void fill_counts(const Clocks *clocks, double t)
{
    guint width = clocks->width, n = clocks->n;
    double one[AFT_WIDTH_MOST];
    for (guint i = 0; i < width; i++) {
        clocks->before[i] = clocks->behind[n * width + i] = i == 0 ? 1.0 : 0.0;
    }
    for (guint i = 0; i < n; i++) {
        binomial(clocks->count[i], clocks->size[i], t, width, one);
        convolve(&clocks->before[i * width], one, width, &clocks->before[(i + 1) * width]);
    }
    for (guint i = n; i-- > 0;) {
        binomial(clocks->count[i], clocks->size[i], t, width, one);
        convolve(&clocks->behind[(i + 1) * width], one, width, &clocks->behind[i * width]);
    }
}

/* The density of a clock of size @i ringing at @t, one of the first `width`. */
static double density(const Clocks *clocks, guint i, double t)
{
    guint width = clocks->width;
    double one[AFT_WIDTH_MOST], others[AFT_WIDTH_MOST], sum[AFT_WIDTH_MOST], chance = 0.0;
    binomial(clocks->count[i] - 1, clocks->size[i], t, width, one);
    convolve(&clocks->before[i * width], one, width, others);
    convolve(others, &clocks->behind[(i + 1) * width], width, sum);
    for (guint j = 0; j < width; j++) {
        chance += sum[j];
    }
    return clocks->size[i] * exp(-clocks->size[i] * t) * chance;
}

/* A time by which more than are wanted have rung, in the mean, but not many times more. */
static double scale(const Clocks *clocks, guint domains)
{
    double rung = 0.0, t = 0.0;
    for (double next = 0.5 * clocks->width / domains; rung <= clocks->width; next *= 2.0) {
        t = next;
        rung = 0.0;
        for (guint i = 0; i < clocks->n; i++) {
            rung -= clocks->count[i] * expm1(-clocks->size[i] * t);
        }
    }
    return t;
}

/* Adds up densities over all times, t = s / (1 - s) of the usual one; at the end they are 0. */
static void integrate(const Clocks *clocks, double usual, double *chances)
{
    for (guint step = 0; step < STEPS; step++) {
        double s = (double)step / STEPS, weight = step == 0 ? 1.0 : step % 2 == 1 ? 4.0 : 2.0;
        double t = usual * s / (1.0 - s), stretch = usual / ((1.0 - s) * (1.0 - s));
        fill_counts(clocks, t);
        for (guint i = 0; i < clocks->n; i++) {
            chances[i] += weight / (3.0 * STEPS) * stretch * density(clocks, i, t);
        }
    }
}

/* What is left of rounding and of the rule goes to all alike: a stripe has all of its members. */
static void settle(const Clocks *clocks, double *chances)
{
    double sum = 0.0;
    for (guint i = 0; i < clocks->n; i++) {
        sum += clocks->count[i] * chances[i];
    }
    for (guint i = 0; i < clocks->n; i++) {
        chances[i] *= clocks->width / sum;
    }
}

double *aft_shares_chances(const double *size, const guint *count, guint n, guint width)
{
    double *chances = g_new0(double, n), mean = 0.0;
    g_autofree double *relative = g_new(double, n);
    g_autofree double *before = g_new(double, (n + 1) * width);
    g_autofree double *behind = g_new(double, (n + 1) * width);
    guint domains = 0;
    for (guint i = 0; i < n; i++) {
        domains += count[i];
        mean += count[i] * size[i];
    }
    g_assert(width <= domains && width <= AFT_WIDTH_MOST);
    for (guint i = 0; i < n; i++) {
        relative[i] = size[i] / mean * domains;
        chances[i] = n == 1 || width == domains ? (double)width / domains : 0.0;
    }
    if (n > 1 && width < domains) {
        Clocks clocks = {relative, count, n, width, before, behind};
        integrate(&clocks, scale(&clocks, domains), chances);
        settle(&clocks, chances);
    }
    return chances;
}

/* Sizes of domains, each once. */
typedef struct {
    GArray *size;  /* double */
    GArray *count; /* guint */
} Sizes;

static guint find_size(const Sizes *sizes, double bytes)
{
    guint i = 0;
    while (i < sizes->size->len && g_array_index(sizes->size, double, i) != bytes) {
        i++;
    }
    return i;
}

static void add_size(Sizes *sizes, double bytes, guint n)
{
    guint i = find_size(sizes, bytes), none = 0;
    if (bytes <= 0.0 || n == 0) {
        return;
    }
    if (i == sizes->size->len) {
        g_array_append_val(sizes->size, bytes);
        g_array_append_val(sizes->count, none);
    }
    g_array_index(sizes->count, guint, i) += n;
}

static double *rack_bytes(const AftClusterSpec *cluster)
{
    double *bytes = g_new0(double, cluster->racks);
    for (guint node = 0; node < cluster->nodes; node++) {
        const AftSite *site = &cluster->sites[node];
        bytes[site->rack] += aft_node_capacity_bytes(site->spec);
    }
    return bytes;
}

static void add_sizes(const AftClusterSpec *cluster, AftDomain domain, const double *racks,
                      Sizes *sizes)
{
    for (guint rack = 0; rack < cluster->racks && domain == AFT_DOMAIN_RACK; rack++) {
        add_size(sizes, racks[rack], 1);
    }
    for (guint node = 0; node < cluster->nodes && domain != AFT_DOMAIN_RACK; node++) {
        const AftNodeSpec *spec = cluster->sites[node].spec;
        for (guint g = 0; g < spec->n_disk_groups && domain == AFT_DOMAIN_DEVICE; g++) {
            const AftDiskGroupSpec *group = &spec->disk_groups[g];
            add_size(sizes, (double)group->capacity.size_bytes,
                     group->count * group->capacity.count);
        }
        if (domain == AFT_DOMAIN_NODE) {
            add_size(sizes, aft_node_capacity_bytes(spec), 1);
        }
    }
}

/* How many members a stripe has on @site, in the mean. */
static double members_at(const AftSite *site, AftDomain domain, const double *racks,
                         const Sizes *sizes, const double *chances)
{
    double bytes = aft_node_capacity_bytes(site->spec), members = 0.0;
    if (bytes <= 0.0) {
        return 0.0;
    }
    if (domain == AFT_DOMAIN_NODE) {
        return chances[find_size(sizes, bytes)];
    }
    if (domain == AFT_DOMAIN_RACK) {
        return chances[find_size(sizes, racks[site->rack])] * bytes / racks[site->rack];
    }
    for (guint g = 0; g < site->spec->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &site->spec->disk_groups[g];
        members += (double)group->count * group->capacity.count *
                   chances[find_size(sizes, (double)group->capacity.size_bytes)];
    }
    return members;
}

double *aft_shares_of_nodes(const AftScenario *scenario, const AftPoolSpec *pool)
{
    const AftClusterSpec *cluster = &scenario->cluster;
    guint width = aft_protection_width(&pool->initial);
    double *shares = g_new(double, cluster->nodes);
    g_autofree double *racks = rack_bytes(cluster);
    g_autoptr(GArray) size = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) count = g_array_new(FALSE, FALSE, sizeof(guint));
    Sizes sizes = {size, count};
    add_sizes(cluster, pool->domain, racks, &sizes);
    g_autofree double *chances =
        aft_shares_chances((const double *)(gpointer)size->data,
                           (const guint *)(gpointer)count->data, size->len, width);
    for (guint node = 0; node < cluster->nodes; node++) {
        shares[node] =
            members_at(&cluster->sites[node], pool->domain, racks, &sizes, chances) / width;
    }
    return shares;
}
