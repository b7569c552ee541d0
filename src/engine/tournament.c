/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tournament.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST   16
#define CACHE_LINE 64

/* Entries survive, keys do not. */
static void shape(AftTournament *tournament, guint n_leaves)
{
    g_assert(n_leaves <= AFT_KEY_TAIL_MASK + 1);
    tournament->n_leaves = n_leaves;
    tournament->first_leaf = 4;
    while (tournament->first_leaf < n_leaves) {
        tournament->first_leaf *= 4;
    }
    if (n_leaves > tournament->room) {
        gsize n_nodes = (gsize)tournament->first_leaf + n_leaves;
        free(tournament->nodes);
        tournament->nodes = aligned_alloc(CACHE_LINE, n_nodes * sizeof(AftKey));
        if (tournament->nodes == NULL) {
            g_error("no memory for %u pending events", n_leaves);
        }
        tournament->entries = g_renew(AftEntry, tournament->entries, n_leaves);
        tournament->room = n_leaves;
    }
}

static void forget_leaves_from(AftTournament *tournament, guint leaf)
{
    for (; leaf < tournament->n_leaves; leaf++) {
        *aft_tournament_leaf(tournament, leaf) = AFT_KEY_NEVER;
    }
}

static guint power_of_two_above(guint n)
{
    guint power = SMALLEST;
    while (power < n) {
        power *= 2;
    }
    return power;
}

void aft_tournament_init(AftTournament *tournament)
{
    memset(tournament, 0, sizeof *tournament);
    aft_tournament_reset(tournament, 0);
}

void aft_tournament_clear(AftTournament *tournament)
{
    free(tournament->nodes);
    g_free(tournament->entries);
    memset(tournament, 0, sizeof *tournament);
}

void aft_tournament_reset(AftTournament *tournament, guint n_leaves)
{
    shape(tournament, power_of_two_above(MIN(n_leaves + n_leaves / 4, AFT_KEY_TAIL_MASK + 1)));
    tournament->n_touched = 0;
    tournament->free_leaf = AFT_LEAF_NONE;
    tournament->count = 0;
    forget_leaves_from(tournament, 0);
    aft_tournament_replay(tournament);
}

static void grow(AftTournament *tournament)
{
    guint n_old = tournament->n_leaves;
    AftKey *old = g_memdup2(aft_tournament_leaf(tournament, 0), n_old * sizeof(AftKey));
    shape(tournament, 2 * n_old);
    memcpy(aft_tournament_leaf(tournament, 0), old, n_old * sizeof(AftKey));
    g_free(old);
    forget_leaves_from(tournament, n_old);
    aft_tournament_replay(tournament);
}

guint aft_tournament_take(AftTournament *tournament)
{
    guint leaf = tournament->free_leaf;
    if (leaf != AFT_LEAF_NONE) {
        tournament->free_leaf = (guint)tournament->entries[leaf].name;
    } else {
        if (tournament->n_touched == tournament->n_leaves) {
            grow(tournament);
        }
        leaf = tournament->n_touched++;
    }
    tournament->count++;
    return leaf;
}

/* Fills the level above the @n nodes from @level on, and rounds it up to whole matches. */
static guint replay_level(AftKey *nodes, gsize level, guint n)
{
    guint n_above = (n + 3) / 4;
    for (guint i = 0; i < n_above; i++) {
        const AftKey *children = &nodes[level + 4 * (gsize)i];
        nodes[level / 4 + i] = aft_key_min(aft_key_min(children[0], children[1]),
                                           aft_key_min(children[2], children[3]));
    }
    for (; n_above % 4 != 0 && level > 4; n_above++) {
        nodes[level / 4 + n_above] = AFT_KEY_NEVER;
    }
    return n_above;
}

void aft_tournament_replay(AftTournament *tournament)
{
    guint n = tournament->n_leaves;
    for (gsize level = tournament->first_leaf; level > 1; level /= 4) {
        n = replay_level(tournament->nodes, level, n);
    }
}
