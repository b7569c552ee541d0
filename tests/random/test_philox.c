/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"
#include <aftershock/random/philox.h>

/* The vectors that the authors publish with their library, Random123. */
static void published_answers_are_met(void **state)
{
    (void)state;
    static const struct {
        guint64 counter[4], key[2], block[4];
    } cases[] = {
        {{0, 0, 0, 0},
         {0, 0},
         {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
        {{G_MAXUINT64, G_MAXUINT64, G_MAXUINT64, G_MAXUINT64},
         {G_MAXUINT64, G_MAXUINT64},
         {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
        {{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
         {0x452821e638d01377, 0xbe5466cf34e90c6c},
         {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint64 block[4];
        aft_philox(cases[i].counter, cases[i].key, block);
        assert_memory_equal(block, cases[i].block, sizeof block);
    }
}

static void a_block_may_replace_its_counter(void **state)
{
    (void)state;
    guint64 counter[4] = {1, 2, 3, 4}, key[2] = {5, 6}, block[4];
    aft_philox(counter, key, block);
    aft_philox(counter, key, counter);
    assert_memory_equal(counter, block, sizeof block);
}

/* One flipped bit of counter or key flips half of the 256 bits: 128 on average, standard deviation
 * 8 each, 8 / sqrt(384) over all; 4.4 of those. */
static void every_bit_matters(void **state)
{
    (void)state;
    const guint64 input[6] = {1, 2, 3, 4, 5, 6};
    guint64 plain[4];
    aft_philox(input, input + 4, plain);
    int flips = 0;
    for (int bit = 0; bit < 384; bit++) {
        guint64 other[6] = {1, 2, 3, 4, 5, 6}, block[4];
        other[bit / 64] ^= G_GUINT64_CONSTANT(1) << bit % 64;
        aft_philox(other, other + 4, block);
        for (int word = 0; word < 4; word++) {
            flips += __builtin_popcountll(block[word] ^ plain[word]);
        }
    }
    assert_within(flips / 384.0, 128.0, 4.4 * 8.0 / sqrt(384.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_answers_are_met),
        cmocka_unit_test(a_block_may_replace_its_counter),
        cmocka_unit_test(every_bit_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
