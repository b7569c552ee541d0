/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "skew.h"
#include "test.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { CHUNKS = 256, DRAWS = 1000000 };

typedef struct {
    AftWorkingSet set;
    AftSkew *skew;
    AftStream stream;
} Fixture;

static void begin(Fixture *it, double theta)
{
    aft_stream_init(&it->stream, 1, 0, "test.skew", 0);
    aft_working_set_init(&it->set, CHUNKS);
    it->skew = aft_skew_new(&it->set, theta, &it->stream);
}

static void end(Fixture *it)
{
    aft_skew_free(it->skew);
    aft_working_set_clear(&it->set);
}

/* Draws fall on what is live by its chances among that. */
static void assert_draws(Fixture *it)
{
    double drawn[CHUNKS] = {0}, live = 0.0, sum = 0.0;
    for (guint i = 0; i < it->set.n_live; i++) {
        live += aft_skew_chance(it->skew, it->set.live[i]);
    }
    for (guint i = 0; i < DRAWS; i++) {
        drawn[aft_skew_draw(it->skew, &it->stream)] += 1.0;
    }
    for (guint chunk = 0; chunk < CHUNKS; chunk++) {
        double expected = DRAWS * aft_skew_chance(it->skew, chunk) / live;
        if (aft_working_set_has(&it->set, chunk)) {
            sum += (drawn[chunk] - expected) * (drawn[chunk] - expected) / expected;
        } else {
            assert_within(drawn[chunk], 0.0, 0.0);
        }
    }
    /* Pearson's sum is above this for one sound generator in a thousand. */
    assert_true(it->set.n_live == 1 || sum < gsl_cdf_chisq_Qinv(0.001, it->set.n_live - 1.0));
}

/* Chances, sorted, against r^-theta over its sum. */
static void check_law(double theta)
{
    Fixture it;
    begin(&it, theta);
    double sum = 0.0;
    for (guint rank = 1; rank <= CHUNKS; rank++) {
        sum += pow(rank, -theta);
    }
    for (guint rank = 1; rank <= CHUNKS; rank++) {
        guint as_hot = 0;
        for (guint chunk = 0; chunk < CHUNKS; chunk++) {
            as_hot += fabs(aft_skew_chance(it.skew, chunk) - pow(rank, -theta) / sum) < 1e-12;
        }
        assert_int_equal(as_hot, 1);
    }
    assert_draws(&it);
    end(&it);
}

static void ranks_have_the_chances_of_zipf(void **state)
{
    (void)state;
    check_law(0.5);
    check_law(0.99);
    check_law(1.0);
    check_law(2.0);
}

static guint32 hottest(const Fixture *it)
{
    guint32 best = it->set.live[0];
    for (guint i = 1; i < it->set.n_live; i++) {
        guint32 chunk = it->set.live[i];
        best = aft_skew_chance(it->skew, chunk) > aft_skew_chance(it->skew, best) ? chunk : best;
    }
    return best;
}

/* Chunks go, the hottest first, until one is left; then all come back. */
static void what_is_lost_is_left_out_and_comes_back(void **state)
{
    (void)state;
    Fixture it;
    begin(&it, 1.0);
    static const guint lost[] = {3, 100, 250, CHUNKS - 1};
    for (guint i = 0; i < G_N_ELEMENTS(lost); i++) {
        while (CHUNKS - it.set.n_live < lost[i]) {
            aft_working_set_lose(&it.set, hottest(&it));
        }
        assert_draws(&it);
    }
    for (guint chunk = 0; chunk < CHUNKS; chunk++) {
        if (!aft_working_set_has(&it.set, chunk)) {
            aft_working_set_find(&it.set, chunk);
        }
    }
    assert_draws(&it);
    end(&it);
}

/* The hottest chunks of two workloads are not the same. */
static void hot_chunks_are_anywhere(void **state)
{
    (void)state;
    Fixture it;
    guint first[8];
    for (guint i = 0; i < 8; i++) {
        begin(&it, 1.0);
        for (guint more = 0; more < i; more++) { /* further ones of the same stream */
            aft_skew_free(it.skew);
            it.skew = aft_skew_new(&it.set, 1.0, &it.stream);
        }
        first[i] = hottest(&it);
        for (guint other = 0; other < i; other++) {
            assert_int_not_equal(first[i], first[other]);
        }
        end(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_have_the_chances_of_zipf),
        cmocka_unit_test(what_is_lost_is_left_out_and_comes_back),
        cmocka_unit_test(hot_chunks_are_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
