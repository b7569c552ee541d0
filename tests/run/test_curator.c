/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds `sampled` to `io` while the curator of eight hosts scrubs their data, or encodes what scans
 * let it, eight times each with the same seeds under both. */
#include "background.h"

static const char *const base[] = {
    EIGHT_HOSTS,
    "data.protection=rf3",
    "data.placement_groups=32768",
    "background.encode.trigger=full-scan",
    "background.scan.full=3 h",
    "background.scrub.unit=64 KiB",
    "run.trace_interval=2 s",
    NULL,
};

#define ENCODE                                                         \
    "timeline[0].at=0 s", "timeline[0].set.data.protection.scheme=ec", \
        "timeline[0].set.data.protection.data=4", "timeline[0].set.data.protection.parity=2"

/* Encoding could go three times as fast as the scan does. */
static const Case encode_as_it_is_found = {
    base,
    {"data.logical=20 GB", "background.scan.length=8 min", ENCODE},
    "encode steady",
    0.02,
};
/* The scan is over long before the encoding is. */
static const Case encode_behind_a_scan = {
    base,
    {"data.logical=40 GB", "background.scan.length=2 min", ENCODE},
    "encode steady",
    0.02,
};
static const Case scrub = {
    base,
    {"data.logical=40 GB", "background.scrub.every=3 h", "background.scrub.delay=30 s",
     "background.scan.full=never", "background.encode.trigger=immediate"},
    "steady scrub steady",
    0.02,
};
static const Case scrub_under_a_cap = {
    base,
    {"data.logical=20 GB", "background.scrub.every=3 h", "background.scrub.delay=30 s",
     "background.scrub.bandwidth=60 MB/s", "background.scan.full=never",
     "background.encode.trigger=immediate"},
    "steady scrub steady",
    0.02,
};

/* How much of what the phase moves has been moved by its middle. */
static double share_at_half(const AftResult *result, const AftPhaseRow *row)
{
    double before = 0.0, all = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *at = trace_row(result, i);
        double mb_per_s =
            at->encode_mb_per_s + (isnan(at->scrub_mb_per_s) ? 0.0 : at->scrub_mb_per_s);
        before += at->time_s < row->start_s + row->duration_s / 2.0 ? mb_per_s : 0.0;
        all += mb_per_s;
    }
    return before / all;
}

static void assert_same_work(const AftResult *io, const AftResult *sampled, guint phase)
{
    const AftPhaseRow *a = phase_row(io, phase), *b = phase_row(sampled, phase);
    double bytes = a->phase == AFT_PHASE_SCRUB ? a->scrub_bytes : a->encode_bytes;
    double others = a->phase == AFT_PHASE_SCRUB ? b->scrub_bytes : b->encode_bytes;
    assert_within(bytes, others, 0.002 * bytes); /* chunks that had to move */
    assert_within(share_at_half(io, a), share_at_half(sampled, b), 0.03); /* a row is 1 % or so */
}

static void curators_agree(void **state)
{
    assert_work_agrees(*state, assert_same_work);
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(curators_agree, encode_as_it_is_found),
                                       CASE(curators_agree, encode_behind_a_scan),
                                       CASE(curators_agree, scrub),
                                       CASE(curators_agree, scrub_under_a_cap)};
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
