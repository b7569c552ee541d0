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
 * winner tells where it stands. What is to run stands beside the tree, in @entries.
 */
#pragma once

#include "entry.h"

/* Time in ns (64 bits), sequence number (40), tail (24): as one number, it sorts by time and then
 * first in, first out. The tail is the leaf inside a tournament, and means nothing elsewhere. */
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
 * branch of a plain `?:` here, one day or another. Where we know how, we ask for conditional
 * moves; elsewhere a mask leaves no choice either, at some 5 ns more a step. */
#ifdef __x86_64__
static inline AftKey aft_key_min(AftKey a, AftKey b)
{
    guint64 a_high = (guint64)(a >> 64), a_low = (guint64)a;
    guint64 b_high = (guint64)(b >> 64), b_low = (guint64)b, borrow = a_high;
    __asm__("cmp %[b_low], %[a_low]\n\t"
            "sbb %[b_high], %[borrow]\n\t"
            "cmovb %[a_low], %[b_low]\n\t"
            "cmovb %[a_high], %[b_high]"
            : [b_low] "+&r"(b_low), [b_high] "+&r"(b_high), [borrow] "+&r"(borrow)
            : [a_low] "r"(a_low), [a_high] "r"(a_high)
            : "cc");
    return (AftKey)b_high << 64 | b_low;
}
#else
static inline AftKey aft_key_min(AftKey a, AftKey b)
{
    guint64 mask = -(guint64)(a < b);
    guint64 high = (guint64)(b >> 64), low = (guint64)b;
    high ^= (high ^ (guint64)(a >> 64)) & mask;
    low ^= (low ^ (guint64)a) & mask;
    return (AftKey)high << 64 | low;
}
#endif

typedef struct {
    AftKey *nodes;     /* cache-line aligned; the children of node i are 4 i to 4 i + 3 */
    AftEntry *entries; /* one a leaf; in a free leaf, the name is the next free leaf */
    guint first_leaf;  /* node of leaf 0, a power of 4 */
    guint n_leaves;    /* a power of 2, at least 4 */
    guint n_touched;   /* leaves from here on were never used since the last fill */
    guint free_leaf;   /* head of the list of free leaves below n_touched, or AFT_LEAF_NONE */
    guint count;       /* leaves in use */
    guint room;        /* leaves there is memory for */
} AftTournament;

#define AFT_LEAF_NONE G_MAXUINT

void aft_tournament_init(AftTournament *tournament);
void aft_tournament_clear(AftTournament *tournament);

/** Empties the tree and gives it room for @n_leaves and some more. */
void aft_tournament_reset(AftTournament *tournament, guint n_leaves);

/** Takes a leaf, whose key and entry are still to be set. The tree may grow. */
guint aft_tournament_take(AftTournament *tournament);

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

static inline AftKey *aft_node_at(char *nodes, gsize offset)
{
    return (AftKey *)(nodes + offset);
}

/** Gives @leaf another key and replays its matches. The three others of each match are compared
 *  off the critical path, which is one comparison a level. */
static inline void aft_tournament_set(AftTournament *tournament, guint leaf, AftKey key)
{
    char *nodes = (char *)tournament->nodes;
    gsize offset = ((gsize)tournament->first_leaf + leaf) * sizeof(AftKey);
    do {
        AftKey one = *aft_node_at(nodes, offset ^ sizeof(AftKey));
        AftKey two = *aft_node_at(nodes, offset ^ 2 * sizeof(AftKey));
        AftKey three = *aft_node_at(nodes, offset ^ 3 * sizeof(AftKey));
        *aft_node_at(nodes, offset) = key;
        key = aft_key_min(key, aft_key_min(aft_key_min(one, two), three));
        offset = offset >> 2 & ~(sizeof(AftKey) - 1);
    } while (offset > sizeof(AftKey));
    *aft_node_at(nodes, sizeof(AftKey)) = key;
}

/** Gives @leaf back; its key no longer takes part. */
static inline void aft_tournament_drop(AftTournament *tournament, guint leaf)
{
    aft_tournament_set(tournament, leaf, AFT_KEY_NEVER);
    tournament->entries[leaf].name = tournament->free_leaf;
    tournament->free_leaf = leaf;
    tournament->count--;
}
