/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds `sampled` to `io` while eight hosts convert their data under load, eight times each with
 * the same seeds under both. */
#include "background.h"

static const char *const base[] = {
    EIGHT_HOSTS,
    "background.convert.unit=64 KiB",
    "timeline[0].at=30 s",
    NULL,
};

static const Case more_copies = {
    base,
    {"data.protection=rf2", "data.logical=40 GB", "data.placement_groups=32768",
     "timeline[0].set.data.protection=rf3"},
    "steady convert steady",
    0.02,
};
static const Case encode = {
    base,
    {"data.protection=rf3", "data.logical=40 GB", "data.placement_groups=32768",
     "timeline[0].set.data.protection.scheme=ec", "timeline[0].set.data.protection.data=4",
     "timeline[0].set.data.protection.parity=2"},
    "steady encode steady",
    0.02,
};
static const Case decode = {
    base,
    {"data.protection=raid5", "data.logical=25 GB", "data.placement_groups=8192",
     "timeline[0].set.data.protection=rf3"},
    "steady convert steady",
    0.02,
};

/* Whatever chance does, all of it is written, and takes the space it should. */
static void assert_same_bytes(const AftResult *io, const AftResult *sampled, guint phase)
{
    const AftPhaseRow *a = phase_row(io, phase), *b = phase_row(sampled, phase);
    assert_within(a->convert_bytes + a->encode_bytes, b->convert_bytes + b->encode_bytes,
                  0.002 * (a->convert_bytes + a->encode_bytes)); /* chunks that had to move */
    assert_within(io->space.stored_bytes, sampled->space.stored_bytes, 1.0);
}

static void conversions_agree(void **state)
{
    assert_work_agrees(*state, assert_same_bytes);
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(conversions_agree, more_copies),
                                       CASE(conversions_agree, encode),
                                       CASE(conversions_agree, decode)};
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
