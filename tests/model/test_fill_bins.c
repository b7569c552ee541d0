/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of buffers: each has its middle in itself, and is left only into a neighbour. */
#include "fill_bins.h"
#include "test.h"

#define N_BINS 15
#define AT_LOW 4
#define FULL   14

static const AftTierSpec spec = {.low = 0.3, .high = 0.9, .begin = 0.3, .unit_bytes = 1};

static int bin_at(double fill, int was)
{
    AftBuffer buffer = {.spec = &spec, .size_bytes = 1e9, .dirty_bytes = fill * 1e9};
    return aft_fill_bin(&buffer, was);
}

static void the_middle_of_a_bin_is_in_it(void **state G_GNUC_UNUSED)
{
    for (int bin = 0; bin < N_BINS; bin++) {
        assert_int_equal(bin_at(aft_fill_middle(&spec, bin), -1), bin);
    }
}

static void middles_grow_with_bins(void **state G_GNUC_UNUSED)
{
    for (int bin = 1; bin < N_BINS; bin++) {
        assert_true(aft_fill_middle(&spec, bin) > aft_fill_middle(&spec, bin - 1));
    }
}

static void destage_holds_at_low_and_writes_wait_when_full(void **state G_GNUC_UNUSED)
{
    assert_true(aft_fill_middle(&spec, AT_LOW) == spec.low);
    assert_true(aft_fill_middle(&spec, FULL) == 1.0);
    assert_int_equal(bin_at(0.3, -1), AT_LOW);
    assert_int_equal(bin_at(1.0, -1), FULL);
}

/* Between its edges it stays, wherever else it might belong. */
static void a_bin_is_left_beyond_its_edges_only(void **state G_GNUC_UNUSED)
{
    const double little = 1e-6;
    for (int bin = 0; bin < N_BINS; bin++) {
        double up = aft_fill_edge(&spec, bin, TRUE), down = aft_fill_edge(&spec, bin, FALSE);
        if (up <= 1.0) {
            assert_int_equal(bin_at(up - little, bin), bin);
            assert_true(bin_at(up + little, bin) > bin);
        }
        if (down >= 0.0) {
            assert_int_equal(bin_at(down + little, bin), bin);
            assert_true(bin_at(down - little, bin) < bin);
        }
    }
}

/* What goes up through all bins comes back through all, and never jumps to and fro at one fill. */
static void the_way_up_is_not_the_way_down(void **state G_GNUC_UNUSED)
{
    for (int bin = AT_LOW + 1; bin < FULL - 1; bin++) {
        double up = aft_fill_edge(&spec, bin, TRUE);
        int next = bin_at(up + 1e-6, bin);
        assert_true(aft_fill_edge(&spec, next, FALSE) < up - 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_of_a_bin_is_in_it),
        cmocka_unit_test(middles_grow_with_bins),
        cmocka_unit_test(destage_holds_at_low_and_writes_wait_when_full),
        cmocka_unit_test(a_bin_is_left_beyond_its_edges_only),
        cmocka_unit_test(the_way_up_is_not_the_way_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
