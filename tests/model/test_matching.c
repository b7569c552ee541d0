/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which copies stay, against trying all choices. */
#include "matching.h"
#include "test.h"

#include <aftershock/random/stream.h>

static void chunks_of_three_nodes_find_three(void **state)
{
    (void)state;
    /* The first takes node 0 until the second, which has nothing else, needs it. */
    AftCopies chunks[] = {{{0, 1}, 2}, {{0}, 1}, {{1, 2}, 2}};
    guint32 chosen[3];
    assert_int_equal(aft_matching_find(chunks, 3, chosen), 3);
    assert_int_equal(chosen[0], 1);
    assert_int_equal(chosen[1], 0);
    assert_int_equal(chosen[2], 1);
}

static void what_has_no_node_left_keeps_none(void **state)
{
    (void)state;
    AftCopies chunks[] = {{{4, 7}, 2}, {{7, 4}, 2}, {{4, 7}, 2}};
    guint32 chosen[3];
    assert_int_equal(aft_matching_find(chunks, 3, chosen), 2);
    assert_int_equal(chosen[2], AFT_NO_COPY);
}

/* The most chunks that can keep a copy, by trying every choice of chunks from @i on. */
static guint most_kept(const AftCopies *chunks, guint n, guint i, guint32 taken)
{
    if (i == n) {
        return 0;
    }
    guint most = most_kept(chunks, n, i + 1, taken);
    for (guint copy = 0; copy < chunks[i].n; copy++) {
        guint32 bit = (guint32)1 << chunks[i].domain[copy];
        if ((taken & bit) == 0) {
            most = MAX(most, 1 + most_kept(chunks, n, i + 1, taken | bit));
        }
    }
    return most;
}

static void draw_chunk(AftStream *stream, guint nodes, AftCopies *chunk)
{
    chunk->n = 1 + (guint)aft_stream_below(stream, 3);
    for (guint copy = 0; copy < chunk->n;) {
        guint32 node = (guint32)aft_stream_below(stream, nodes);
        gboolean taken = FALSE;
        for (guint other = 0; other < copy; other++) {
            taken |= chunk->domain[other] == node;
        }
        chunk->domain[copy] = node;
        copy += taken ? 0 : 1;
    }
}

static void as_many_keep_a_copy_as_can(void **state)
{
    (void)state;
    AftStream stream;
    guint short_of = 0;
    aft_stream_init(&stream, 1, 0, "test.matching", 0);
    for (guint trial = 0; trial < 3000; trial++) {
        AftCopies chunks[6];
        guint32 chosen[6], taken = 0;
        guint n = 1 + (guint)aft_stream_below(&stream, 6);
        guint nodes = 3 + (guint)aft_stream_below(&stream, 6);
        for (guint i = 0; i < n; i++) {
            draw_chunk(&stream, nodes, &chunks[i]);
        }
        guint kept = aft_matching_find(chunks, n, chosen), counted = 0;
        for (guint i = 0; i < n; i++) {
            if (chosen[i] != AFT_NO_COPY) {
                guint32 bit = (guint32)1 << chunks[i].domain[chosen[i]];
                assert_true(chosen[i] < chunks[i].n);
                assert_int_equal(taken & bit, 0);
                taken |= bit;
                counted++;
            }
        }
        assert_int_equal(kept, counted);
        assert_int_equal(kept, most_kept(chunks, n, 0, 0));
        short_of += kept < n ? 1 : 0;
    }
    assert_true(short_of > 100); /* it was not always easy */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_of_three_nodes_find_three),
        cmocka_unit_test(what_has_no_node_left_keeps_none),
        cmocka_unit_test(as_many_keep_a_copy_as_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
