/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/random/philox.h>
#include <string.h>

#define ROUNDS 10

/* The multipliers are the authors'; the key steps are the golden ratio and sqrt(3) - 1. */
static const guint64 multiplier[2] = {G_GUINT64_CONSTANT(0xD2E7470EE14C6C93),
                                      G_GUINT64_CONSTANT(0xCA5A826395121157)};
static const guint64 key_step[2] = {G_GUINT64_CONSTANT(0x9E3779B97F4A7C15),
                                    G_GUINT64_CONSTANT(0xBB67AE8584CAA73B)};

static void one_round(guint64 block[4], const guint64 key[2])
{
    AftProduct first = (AftProduct)multiplier[0] * block[0];
    AftProduct second = (AftProduct)multiplier[1] * block[2];
    block[0] = (guint64)(second >> 64) ^ block[1] ^ key[0];
    block[1] = (guint64)second;
    block[2] = (guint64)(first >> 64) ^ block[3] ^ key[1];
    block[3] = (guint64)first;
}

void aft_philox(const guint64 counter[4], const guint64 key[2], guint64 ret_block[4])
{
    guint64 round_key[2] = {key[0], key[1]};
    memmove(ret_block, counter, 4 * sizeof *counter);
    for (int i = 0; i < ROUNDS; i++) {
        one_round(ret_block, round_key);
        round_key[0] += key_step[0];
        round_key[1] += key_step[1];
    }
}
