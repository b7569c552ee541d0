/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tournament.h - who is earliest: a tree of winners over keys that may change at any time.
 *
 * Every leaf holds one key, every inner node the smallest key of its four children, node 1 the
 * smallest of all. The four children of a node fill one cache line. A change of one leaf replays
 * the matches on its way up and nothing else, without a branch that depends on keys:
 *
 *                 1                    level 0: the winner
 *          4   5   6   7               level 1
 *     16 17 18 19   ...                level 2: leaves when there are 5 to 16 of them
 *
 * A key is a time, a sequence number, and at its end the number of the leaf itself, so that the
 * winner tells where it stands. Whose key it is stands beside the tree, in @owner.
 */
#pragma once

#include <glib.h>

/* Time in ns (64 bits), sequence number (40), tail (24): as one number, it sorts by time and then
 * first in, first out. The tail names a leaf inside a tournament, a slot elsewhere. */
__extension__ typedef unsigned __int128 AftKey;

#define AFT_KEY_TAIL_BITS     24
#define AFT_KEY_SEQUENCE_BITS 40
#define AFT_KEY_TAIL_MASK     ((1u << AFT_KEY_TAIL_BITS) - 1)
#define AFT_KEY_NEVER         (~(AftKey)0) /* after every key */

static inline AftKey aft_key(guint64 time, guint64 sequence, guint tail)
{
    return (AftKey)time << 64 | (sequence << AFT_KEY_TAIL_BITS | tail);
}

static inline guint64 aft_key_time(AftKey key)
{
    return (guint64)(key >> 64);
}

static inline guint aft_key_tail(AftKey key)
{
    return (guint)key & AFT_KEY_TAIL_MASK;
}

static inline AftKey aft_key_with_tail(AftKey key, guint tail)
{
    return (key & ~(AftKey)AFT_KEY_TAIL_MASK) | tail;
}

/* Which of two keys is smaller is a coin toss that no processor predicts, and compilers make a
 * branch of a plain `?:` here; a mask leaves them no choice. */
static inline AftKey aft_key_min(AftKey a, AftKey b)
{
    guint64 mask = -(guint64)(a < b);
    guint64 high = (guint64)(b >> 64), low = (guint64)b;
    high ^= (high ^ (guint64)(a >> 64)) & mask;
    low ^= (low ^ (guint64)a) & mask;
    return (AftKey)high << 64 | low;
}

typedef struct {
    AftKey *nodes;    /* cache-line aligned; the children of node i are 4 i to 4 i + 3 */
    guint32 *owner;   /* the slot whose key a leaf holds; of a free leaf, the next free one */
    guint first_leaf; /* node of leaf 0, a power of 4 */
    guint n_leaves;   /* a power of 2, at least 4 */
    guint n_touched;  /* leaves from here on were never used since the last fill */
    guint free_leaf;  /* head of the list of free leaves below n_touched, or AFT_LEAF_NONE */
    guint count;      /* leaves in use */
    guint room;       /* leaves there is memory for */
} AftTournament;

#define AFT_LEAF_NONE G_MAXUINT

void aft_tournament_init(AftTournament *tournament);
void aft_tournament_clear(AftTournament *tournament);

/** Empties the tree and gives it room for @n_leaves and some more. */
void aft_tournament_reset(AftTournament *tournament, guint n_leaves);

/** Takes a leaf for @slot, whose key is still to be set. The tree may grow. */
guint aft_tournament_take(AftTournament *tournament, guint slot);

/** Replays all matches, after leaves were written by aft_tournament_leaf(). */
void aft_tournament_replay(AftTournament *tournament);

/** The smallest key, AFT_KEY_NEVER when there is none. */
static inline AftKey aft_tournament_first(const AftTournament *tournament)
{
    return tournament->nodes[1];
}

static inline AftKey *aft_tournament_leaf(const AftTournament *tournament, guint leaf)
{
    return &tournament->nodes[tournament->first_leaf + leaf];
}

/** Gives @leaf another key and replays its matches. The three others of each match are compared
 *  off the critical path, which is one comparison a level. */
static inline void aft_tournament_set(AftTournament *tournament, guint leaf, AftKey key)
{
    AftKey *nodes = tournament->nodes;
    gsize node = (gsize)tournament->first_leaf + leaf;
    do {
        nodes[node] = key;
        AftKey others = aft_key_min(aft_key_min(nodes[node ^ 1], nodes[node ^ 2]), nodes[node ^ 3]);
        key = aft_key_min(key, others);
        node >>= 2;
    } while (node > 1);
    nodes[1] = key;
}

/** Gives @leaf back; its key no longer takes part. */
static inline void aft_tournament_drop(AftTournament *tournament, guint leaf)
{
    aft_tournament_set(tournament, leaf, AFT_KEY_NEVER);
    tournament->owner[leaf] = tournament->free_leaf;
    tournament->free_leaf = leaf;
    tournament->count--;
}
