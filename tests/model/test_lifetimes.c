/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that fail and return by chance: how long they live and are away, alone and in bursts. */
#include "cluster.h"

#define DAY_S  86400.0
#define YEAR_S (365.0 * DAY_S)

/* A hundred nodes of five devices, and hardly any data to place anew. */
static const char *const many_parts[] = {
    "version=1",
    "devices.disk.read=100 us",
    "devices.disk.write=200 us",
    "devices.disk.size=10 GB",
    "devices.disk.afr=50 %",
    "cluster.nodes=100",
    "cluster.node.disk_groups.capacity.device=disk",
    "cluster.node.disk_groups.capacity.count=5",
    "data.logical=1 MB",
    "data.placement_groups=1",
    NULL,
};

typedef struct {
    gint64 at_ns;
    gboolean fails;
    char *part;
} Moment;

typedef struct {
    AftEngine *engine;
    GArray *moments; /* Moment */
} History;

static void happened(void *context, const char *event, const char *subject, const char *detail)
{
    (void)detail;
    History *history = context;
    if (strcmp(event, "fail") == 0 || strcmp(event, "restore") == 0) {
        Moment moment = {aft_engine_scenario_now(history->engine), event[0] == 'f',
                         g_strdup(subject)};
        g_array_append_val(history->moments, moment);
    }
}

static void clear_moment(void *moment)
{
    g_free(((Moment *)moment)->part);
}

/* What happens in @until_s. Returns: (transfer full): Moment. */
static GArray *live(const char *const *settings, double until_s)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(AftEngine) engine = aft_engine_new();
    History history = {engine, g_array_new(FALSE, FALSE, sizeof(Moment))};
    g_array_set_clear_func(history.moments, clear_moment);
    cluster_set(scenario, many_parts, problems);
    cluster_set(scenario, settings, problems);
    assert_true(aft_scenario_resolve(scenario, problems));
    AftModelWatch watch = {.context = &history, .happened = happened};
    g_autoptr(AftModel) model = aft_model_new(scenario, engine, 0, &watch);
    aft_engine_run(engine, (gint64)(until_s * 1e9));
    aft_model_audit(model);
    return history.moments;
}

#define LIVE(until_s, ...) live((const char *const[]){__VA_ARGS__, NULL}, until_s)

static const Moment *moment_at(const GArray *moments, guint i)
{
    return &g_array_index(moments, Moment, i);
}

/* The lengths of lives, or of repairs, of parts called like @kind that ended, s; of each part the
 * first @most at most. Returns: (transfer full): double. */
static GArray *lengths(const GArray *moments, gboolean lives, const char *kind, guint most)
{
    g_autoptr(GHashTable) last = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < moments->len; i++) {
        const Moment *moment = moment_at(moments, i);
        const Moment *before = g_hash_table_lookup(last, moment->part);
        guint n = GPOINTER_TO_UINT(g_hash_table_lookup(seen, moment->part));
        assert_true(before == NULL ? moment->fails : before->fails != moment->fails);
        if (g_str_has_prefix(moment->part, kind) && moment->fails == lives && n < most) {
            double length = (double)(moment->at_ns - (before != NULL ? before->at_ns : 0)) / 1e9;
            g_array_append_val(all, length);
            g_hash_table_insert(seen, moment->part, GUINT_TO_POINTER(n + 1));
        }
        g_hash_table_insert(last, moment->part, (gpointer)(gsize)moment);
    }
    return all;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Kolmogorov and Smirnov: 1.95 / sqrt(n) is passed by chance once in a thousand. */
static void assert_exponential(GArray *lengths, double mean_s)
{
    double most = 0.0, n = lengths->len;
    g_array_sort(lengths, compare);
    for (guint i = 0; i < lengths->len; i++) {
        double share = -expm1(-g_array_index(lengths, double, i) / mean_s);
        most = MAX(most, MAX(share - i / n, (i + 1.0) / n - share));
    }
    assert_true(n >= 400.0);
    assert_true(most < 1.95 / sqrt(n));
}

static void lives_and_repairs_are_as_long_as_asked(void **state)
{
    (void)state;
    /* First lives alone, of which in 20 means hardly one does not end: else short ones count more.
     */
    g_autoptr(GArray) moments =
        LIVE(20000.0, "faults[0].part=device", "faults[0].every=1000 s", "faults[0].repair=100 s");
    g_autoptr(GArray) lives = lengths(moments, TRUE, "device", 1);
    g_autoptr(GArray) repairs = lengths(moments, FALSE, "device", 5);
    assert_int_equal(lives->len, 500);
    assert_exponential(lives, 1000.0);
    assert_exponential(repairs, 100.0);
}

static void a_life_has_the_spread_it_is_given(void **state)
{
    (void)state;
    g_autoptr(GArray) moments =
        LIVE(4000.0, "faults[0].part=node", "faults[0].every=1000 s", "faults[0].repair=100 s",
             "faults[0].life=deterministic", "faults[0].repair_spread=deterministic");
    assert_int_equal(moments->len, 600); /* fail at 1000, 2100, 3200, return at 1100, 2200, 3300 */
    for (guint i = 0; i < 100; i++) {
        assert_int_equal(moment_at(moments, i)->at_ns, 1000 * SECOND_NS);
        assert_int_equal(moment_at(moments, 100 + i)->at_ns, 1100 * SECOND_NS);
    }
}

static void devices_die_as_often_as_their_profile_says(void **state)
{
    (void)state;
    g_autoptr(GArray) moments = LIVE(YEAR_S, "faults[0].part=device", "faults[0].repair=1 h");
    g_autoptr(GArray) lives = lengths(moments, TRUE, "device", 1);
    assert_within(lives->len, 250.0, 3.0 * sqrt(500 * 0.5 * 0.5));
}

static void every_kind_of_part_fails(void **state)
{
    (void)state;
    static const struct {
        const char *part, *name;
        guint n;
    } kinds[] = {{"node", "node", 100},     {"controller", "controller", 100},
                 {"device", "device", 500}, {"cache", "cache", 100},
                 {"group", "group", 100},   {"rack", "rack", 4}};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autofree char *part = g_strdup_printf("faults[0].part=%s", kinds[i].part);
        g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
        g_autoptr(GArray) moments =
            LIVE(2000.0, part, "faults[0].every=100 s", "faults[0].repair=10 s", "cluster.racks=4",
                 "cluster.node.disk_groups.cache.device=disk");
        for (guint m = 0; m < moments->len; m++) {
            assert_true(g_str_has_prefix(moment_at(moments, m)->part, kinds[i].name));
            g_hash_table_add(seen, moment_at(moments, m)->part);
        }
        assert_int_equal(g_hash_table_size(seen), kinds[i].n);
    }
}

/* Failures no further apart than @within_s are one burst: single ones are far rarer. */
static void bursts_have_their_share_and_size(void **state)
{
    (void)state;
    const double within_s = 60.0;
    g_autoptr(GArray) moments =
        LIVE(3e8, "faults[0].part=device", "faults[0].every=100000000 s", "faults[0].repair=1 s",
             "faults[0].burst.share=0.4", "faults[0].burst.size=3", "faults[0].burst.within=1 min");
    guint first = 0, bursts = 0, others = 0;
    gint64 began_ns = G_MININT64 / 2;
    guint size = 0;
    for (guint i = 0; i < moments->len; i++) {
        const Moment *moment = moment_at(moments, i);
        if (!moment->fails) {
            continue;
        }
        if (moment->at_ns - began_ns > (gint64)(within_s * 1e9)) {
            began_ns = moment->at_ns;
            first++;
            size = 0;
        } else {
            bursts += size++ == 0 ? 1 : 0;
            others++;
        }
    }
    /* Geometric sizes of mean 3 have a variance of 6. 3 standard errors. */
    assert_true(first > 1000);
    assert_within((double)bursts / first, 0.4, 3.0 * sqrt(0.4 * 0.6 / first));
    assert_within((double)others / bursts, 3.0, 3.0 * sqrt(6.0 / bursts));
}

static void assert_same(const GArray *a, const GArray *b, const char *kind)
{
    guint j = 0;
    for (guint i = 0; i < a->len; i++) {
        const Moment *moment = moment_at(a, i);
        if (!g_str_has_prefix(moment->part, kind)) {
            continue;
        }
        while (!g_str_has_prefix(moment_at(b, j)->part, kind)) {
            j++;
        }
        assert_string_equal(moment->part, moment_at(b, j)->part);
        assert_int_equal(moment->at_ns, moment_at(b, j)->at_ns);
        j++;
    }
}

#define NODES   "faults[0].part=node", "faults[0].every=1000 s", "faults[0].repair=100 s"
#define DEVICES "faults[1].part=device", "faults[1].every=700 s", "faults[1].repair=70 s"

static void lives_follow_from_the_seed_and_from_no_other_lives(void **state)
{
    (void)state;
    g_autoptr(GArray) alone = LIVE(5000.0, NODES);
    g_autoptr(GArray) again = LIVE(5000.0, NODES);
    g_autoptr(GArray) both = LIVE(5000.0, NODES, DEVICES);
    g_autoptr(GArray) other = LIVE(5000.0, NODES, "run.seed=2");
    assert_int_equal(alone->len, again->len);
    assert_same(alone, again, "node");
    assert_same(alone, both, "node");
    assert_true(both->len > 2 * alone->len);
    assert_int_not_equal(moment_at(alone, 0)->at_ns, moment_at(other, 0)->at_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lives_and_repairs_are_as_long_as_asked),
        cmocka_unit_test(a_life_has_the_spread_it_is_given),
        cmocka_unit_test(devices_die_as_often_as_their_profile_says),
        cmocka_unit_test(every_kind_of_part_fails),
        cmocka_unit_test(bursts_have_their_share_and_size),
        cmocka_unit_test(lives_follow_from_the_seed_and_from_no_other_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
