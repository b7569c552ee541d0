/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "skew.h"
#include "test.h"

#include <aftershock/model/heat.h>
#include <math.h>

static void without_skew_caches_hold_what_they_have_room_for(void **state)
{
    (void)state;
    g_autoptr(AftHeat) flat = aft_heat_new(1000, 0.0);
    for (double x = 0.0; x <= 1.0; x += 0.05) {
        for (double y = 0.0; y <= 1.0; y += 0.05) {
            double hits = 1.0 - (1.0 - x) * (1.0 - y);
            assert_within(aft_heat_hits(NULL, x, y), hits, 1e-12);
            assert_within(aft_heat_hits(flat, x, y), hits, 1e-4); /* straight lines of a curve */
        }
    }
}

/* Two chunks at a ratio of 2 to 1: with q = exp(-2 t / 3), the mean of q^2 and q is not there. */
static void two_chunks_are_worked_out_by_hand(void **state)
{
    (void)state;
    g_autoptr(AftHeat) heat = aft_heat_new(2, 1.0);
    for (double x = 0.1; x < 1.0; x += 0.1) {
        double q = (sqrt(1.0 + 8.0 * (1.0 - x)) - 1.0) / 2.0;
        assert_within(aft_heat_hits(heat, x, 0.0), 1.0 - (2.0 * q * q + q) / 3.0, 1e-4);
        assert_within(aft_heat_hits(heat, x, x), 1.0 - (2.0 * pow(q, 4.0) + q * q) / 3.0, 1e-4);
    }
}

static void hotter_is_better_and_more_is_better(void **state)
{
    (void)state;
    static const double thetas[] = {0.5, 0.99, 1.0, 1.01, 1.5, 2.0};
    double before[] = {0.01, 0.1, 0.5};
    for (guint i = 0; i < G_N_ELEMENTS(thetas); i++) {
        g_autoptr(AftHeat) heat = aft_heat_new(4096, thetas[i]);
        assert_within(aft_heat_hits(heat, 0.0, 0.0), 0.0, 0.0);
        assert_within(aft_heat_hits(heat, 1.0, 0.0), 1.0, 0.0);
        for (guint j = 0; j < G_N_ELEMENTS(before); j++) {
            double hits = aft_heat_hits(heat, 0.01 * (1 << (3 * j)), 0.0);
            assert_true(j == 0 || hits > aft_heat_hits(heat, 0.01, 0.0));
            assert_true(i == 0 || hits > before[j]);
            before[j] = hits;
        }
    }
}

/* A real cache that drops what was used longest ago: a list, most recent first. */
typedef struct {
    guint32 *next, *previous; /* the last item is the head */
    guint8 *there;
    guint n, kept, room;
} Cache;

static void cache_link(Cache *cache, guint32 item)
{
    guint32 first = cache->next[cache->n];
    cache->next[item] = first;
    cache->previous[item] = cache->n;
    cache->previous[first] = item;
    cache->next[cache->n] = item;
    cache->there[item] = 1;
    cache->kept++;
}

static void cache_unlink(Cache *cache, guint32 item)
{
    cache->next[cache->previous[item]] = cache->next[item];
    cache->previous[cache->next[item]] = cache->previous[item];
    cache->there[item] = 0;
    cache->kept--;
}

static gboolean cache_use(Cache *cache, guint32 item)
{
    gboolean hit = cache->there[item];
    if (hit) {
        cache_unlink(cache, item);
    } else if (cache->kept == cache->room) {
        cache_unlink(cache, cache->previous[cache->n]);
    }
    cache_link(cache, item);
    return hit;
}

/* The share of hits of chunks of @blocks each, by Zipf's law, in a cache with room for @share. */
static double simulate(guint chunks, guint blocks, double theta, double share)
{
    enum { USES = 1000000 };
    AftWorkingSet set;
    AftStream stream;
    guint n = chunks * blocks, hits = 0;
    Cache cache = {g_new(guint32, n + 1), g_new(guint32, n + 1), g_new0(guint8, n), n, 0,
                   (guint)(share * n)};
    cache.next[n] = cache.previous[n] = n;
    aft_stream_init(&stream, 1, 0, "test.cache", 0);
    aft_working_set_init(&set, chunks);
    AftSkew *skew = aft_skew_new(&set, theta, &stream);
    for (guint i = 0; i < 2 * USES; i++) {
        guint chunk = aft_skew_draw(skew, &stream);
        gboolean hit = cache_use(&cache, chunk * blocks + (guint)aft_stream_below(&stream, blocks));
        hits += i >= USES && hit ? 1 : 0;
    }
    aft_skew_free(skew);
    aft_working_set_clear(&set);
    g_free(cache.next);
    g_free(cache.previous);
    g_free(cache.there);
    return (double)hits / USES;
}

/* Che's approximation is known to be right to a few thousandths for caches of hundreds of blocks
 * and more; the standard error of what is simulated is half of one. */
static void a_real_cache_hits_as_often(void **state)
{
    (void)state;
    static const struct {
        double theta, share;
    } cases[] = {{0.5, 0.1}, {0.99, 0.02}, {0.99, 0.1}, {0.99, 0.4}, {1.0, 0.1}, {1.5, 0.05}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftHeat) heat = aft_heat_new(500, cases[i].theta);
        double expected = aft_heat_hits(heat, cases[i].share, 0.0);
        assert_within(simulate(500, 40, cases[i].theta, cases[i].share), expected, 0.005);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_skew_caches_hold_what_they_have_room_for),
        cmocka_unit_test(two_chunks_are_worked_out_by_hand),
        cmocka_unit_test(hotter_is_better_and_more_is_better),
        cmocka_unit_test(a_real_cache_hits_as_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
