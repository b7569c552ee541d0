/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/model/placement.h>
#include <gsl/gsl_cdf.h>

#define GROUPS 100000u
#define MOST   16u

/* Fails when the counts are further from what was expected than chance allows one time in ten
 * thousand: the seeds are fixed, so it does so never or always. */
static void assert_as_expected(const double *count, const double *expected, guint n)
{
    double sum = 0.0;
    for (guint i = 0; i < n; i++) {
        sum += (count[i] - expected[i]) * (count[i] - expected[i]) / expected[i];
    }
    assert_within(sum, 0.0, gsl_cdf_chisq_Qinv(1e-4, n - 1.0));
}

static gboolean contains(const guint32 *places, guint n, guint32 place)
{
    for (guint i = 0; i < n; i++) {
        if (places[i] == place) {
            return TRUE;
        }
    }
    return FALSE;
}

static void every_place_wins_alike(void **state)
{
    (void)state;
    for (guint64 seed = 1; seed <= 4; seed++) {
        AftPlaces places = {.seed = seed, .n = 11};
        double count[11] = {0}, expected[11];
        for (guint64 group = 0; group < GROUPS; group++) {
            guint32 best;
            assert_int_equal(aft_placement_rank(&places, group, 1, &best), 1);
            count[best]++;
        }
        for (guint i = 0; i < 11; i++) {
            expected[i] = GROUPS / 11.0;
        }
        assert_as_expected(count, expected, 11);
    }
}

/* Which pair is best is uniform too: members are independent of one another. */
static void every_pair_wins_alike(void **state)
{
    (void)state;
    AftPlaces places = {.seed = 9, .n = 6};
    double count[36] = {0}, pairs[30], expected[30];
    for (guint64 group = 0; group < GROUPS; group++) {
        guint32 best[2];
        aft_placement_rank(&places, group, 2, best);
        count[best[0] * 6 + best[1]]++;
    }
    for (guint i = 0, n = 0; i < 36; i++) {
        if (i % 7 == 0) {
            assert_within(count[i], 0.0, 0.0);
        } else {
            pairs[n] = count[i];
            expected[n++] = GROUPS / 30.0;
        }
    }
    assert_as_expected(pairs, expected, 30);
}

static void neighbouring_seeds_and_groups_have_nothing_in_common(void **state)
{
    (void)state;
    double same_seed = 0.0, same_group = 0.0;
    AftPlaces places = {.seed = 1, .n = 10}, next = {.seed = 2, .n = 10};
    for (guint64 group = 0; group < GROUPS; group++) {
        guint32 best, of_next_seed, of_next_group;
        aft_placement_rank(&places, group, 1, &best);
        aft_placement_rank(&next, group, 1, &of_next_seed);
        aft_placement_rank(&places, group + 1, 1, &of_next_group);
        same_seed += best == of_next_seed;
        same_group += best == of_next_group;
    }
    /* Binomial with p = 0.1, 4 standard errors. */
    assert_within(same_seed, 0.1 * GROUPS, 4.0 * sqrt(0.09 * GROUPS));
    assert_within(same_group, 0.1 * GROUPS, 4.0 * sqrt(0.09 * GROUPS));
}

static void places_are_distinct_and_in_order_of_score(void **state)
{
    (void)state;
    double weight[MOST];
    for (guint i = 0; i < MOST; i++) {
        weight[i] = 1.0 + i;
    }
    for (guint weighted = 0; weighted < 2; weighted++) {
        AftPlaces places = {.seed = 3, .n = MOST, .weight = weighted ? weight : NULL};
        for (guint64 group = 0; group < 2000; group++) {
            guint32 best[MOST];
            guint wanted = 1 + (guint)(group % MOST);
            assert_int_equal(aft_placement_rank(&places, group, wanted, best), wanted);
            for (guint i = 1; i < wanted; i++) {
                assert_true(aft_placement_score(&places, group, best[i - 1]) <=
                            aft_placement_score(&places, group, best[i]));
                assert_false(contains(best, i, best[i]));
            }
            for (guint32 place = 0; place < MOST; place++) {
                assert_true(contains(best, wanted, place) ||
                            aft_placement_score(&places, group, place) >=
                                aft_placement_score(&places, group, best[wanted - 1]));
            }
        }
    }
}

/* More wanted does not change who comes first. */
static void a_longer_rank_begins_with_the_shorter_one(void **state)
{
    (void)state;
    AftPlaces places = {.seed = 4, .n = 12};
    for (guint64 group = 0; group < 1000; group++) {
        guint32 few[4], many[9];
        aft_placement_rank(&places, group, 4, few);
        aft_placement_rank(&places, group, 9, many);
        assert_memory_equal(few, many, sizeof(few));
    }
}

static void only_places_that_are_allowed_win(void **state)
{
    (void)state;
    const guint8 allowed[6] = {0, 1, 0, 1, 1, 0}, none[6] = {0};
    AftPlaces places = {.seed = 5, .n = 6, .allowed = allowed};
    for (guint64 group = 0; group < 1000; group++) {
        guint32 best[4];
        assert_int_equal(aft_placement_rank(&places, group, 4, best), 3);
        for (guint i = 0; i < 3; i++) {
            assert_true(allowed[best[i]]);
        }
    }
    places.allowed = none;
    guint32 nobody;
    assert_int_equal(aft_placement_rank(&places, 7, 1, &nobody), 0);
}

/* A node that goes gives its places to others, and nobody else moves. */
static void only_the_places_of_a_lost_node_are_won_by_others(void **state)
{
    (void)state;
    guint8 allowed[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    AftPlaces all = {.seed = 6, .n = 9}, fewer = {.seed = 6, .n = 9, .allowed = allowed};
    allowed[4] = 0;
    double moves = 0.0, won[9] = {0}, gains[8], expected[8];
    for (guint64 group = 0; group < GROUPS; group++) {
        guint32 before[3], after[3];
        aft_placement_rank(&all, group, 3, before);
        aft_placement_rank(&fewer, group, 3, after);
        for (guint i = 0; i < 3; i++) {
            assert_true(before[i] == 4 || contains(after, 3, before[i]));
            if (!contains(before, 3, after[i])) {
                assert_true(contains(before, 3, 4));
                won[after[i]]++;
                moves++;
            }
        }
    }
    /* A ninth of all members; binomial, 4 standard errors. */
    assert_within(moves, GROUPS / 3.0, 4.0 * sqrt(GROUPS * 2.0 / 9.0));
    for (guint i = 0, n = 0; i < 9; i++) {
        if (i != 4) {
            gains[n] = won[i];
            expected[n++] = moves / 8.0;
        }
    }
    assert_as_expected(gains, expected, 8);
}

static void a_place_added_takes_its_share_and_nothing_else_moves(void **state)
{
    (void)state;
    AftPlaces five = {.seed = 7, .n = 5}, six = {.seed = 7, .n = 6};
    double moves = 0.0;
    for (guint64 group = 0; group < GROUPS; group++) {
        guint32 before, after;
        aft_placement_rank(&five, group, 1, &before);
        aft_placement_rank(&six, group, 1, &after);
        assert_true(after == before || after == 5);
        moves += after == 5;
    }
    assert_within(moves, GROUPS / 6.0, 4.0 * sqrt(GROUPS * 5.0 / 36.0));
}

static void what_comes_back_wins_exactly_the_old_places(void **state)
{
    (void)state;
    guint8 allowed[7] = {1, 1, 1, 1, 1, 1, 1};
    AftPlaces places = {.seed = 8, .n = 7, .allowed = allowed};
    for (guint64 group = 0; group < 2000; group++) {
        guint32 before[4], after[4];
        aft_placement_rank(&places, group, 4, before);
        allowed[group % 7] = 0;
        aft_placement_rank(&places, group, 4, after);
        allowed[group % 7] = 1;
        aft_placement_rank(&places, group, 4, after);
        assert_memory_equal(before, after, sizeof(before));
    }
}

static void places_win_in_proportion_to_their_weight(void **state)
{
    (void)state;
    const double weight[5] = {1.0, 2.0, 0.5, 4.0, 0.01};
    AftPlaces places = {.seed = 10, .n = 5, .weight = weight};
    double count[5] = {0}, expected[5];
    for (guint64 group = 0; group < GROUPS; group++) {
        guint32 best;
        aft_placement_rank(&places, group, 1, &best);
        count[best]++;
    }
    for (guint i = 0; i < 5; i++) {
        expected[i] = GROUPS * weight[i] / 7.51;
    }
    assert_as_expected(count, expected, 5);
}

/* The second best among weights is drawn from what the best leaves. */
static void runners_up_win_in_proportion_to_what_is_left(void **state)
{
    (void)state;
    const double weight[3] = {1.0, 2.0, 3.0};
    AftPlaces places = {.seed = 11, .n = 3, .weight = weight};
    double count[6] = {0}, expected[6];
    for (guint64 group = 0; group < GROUPS; group++) {
        guint32 best[2];
        aft_placement_rank(&places, group, 2, best);
        count[best[0] * 2 + (best[1] > best[0] ? best[1] - 1 : best[1])]++;
    }
    for (guint i = 0; i < 6; i++) {
        guint first = i / 2, second = i % 2 + (i % 2 >= first);
        expected[i] = GROUPS * weight[first] / 6.0 * weight[second] / (6.0 - weight[first]);
    }
    assert_as_expected(count, expected, 6);
}

static void equal_weights_order_as_no_weights_do(void **state)
{
    (void)state;
    const double weight[8] = {2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5};
    AftPlaces plain = {.seed = 12, .n = 8}, weighted = {.seed = 12, .n = 8, .weight = weight};
    for (guint64 group = 0; group < 2000; group++) {
        guint32 one[8], other[8];
        aft_placement_rank(&plain, group, 8, one);
        aft_placement_rank(&weighted, group, 8, other);
        assert_memory_equal(one, other, sizeof(one));
    }
}

/* A place whose weight grows only ever wins more. */
static void a_heavier_place_takes_and_never_gives(void **state)
{
    (void)state;
    const double light[4] = {1.0, 1.0, 1.0, 1.0}, heavy[4] = {1.0, 1.5, 1.0, 1.0};
    AftPlaces before = {.seed = 13, .n = 4, .weight = light};
    AftPlaces after = {.seed = 13, .n = 4, .weight = heavy};
    for (guint64 group = 0; group < 20000; group++) {
        guint32 old, new;
        aft_placement_rank(&before, group, 1, &old);
        aft_placement_rank(&after, group, 1, &new);
        assert_true(new == old || new == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_wins_alike),
        cmocka_unit_test(every_pair_wins_alike),
        cmocka_unit_test(neighbouring_seeds_and_groups_have_nothing_in_common),
        cmocka_unit_test(places_are_distinct_and_in_order_of_score),
        cmocka_unit_test(a_longer_rank_begins_with_the_shorter_one),
        cmocka_unit_test(only_places_that_are_allowed_win),
        cmocka_unit_test(only_the_places_of_a_lost_node_are_won_by_others),
        cmocka_unit_test(a_place_added_takes_its_share_and_nothing_else_moves),
        cmocka_unit_test(what_comes_back_wins_exactly_the_old_places),
        cmocka_unit_test(places_win_in_proportion_to_their_weight),
        cmocka_unit_test(runners_up_win_in_proportion_to_what_is_left),
        cmocka_unit_test(equal_weights_order_as_no_weights_do),
        cmocka_unit_test(a_heavier_place_takes_and_never_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
