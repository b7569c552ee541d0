/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/scenario/nearest.h>

static void edits_are_counted(void **state)
{
    (void)state;
    assert_int_equal(aft_nearest_distance("rate", "rate"), 0);
    assert_int_equal(aft_nearest_distance("", "rate"), 4);
    assert_int_equal(aft_nearest_distance("rate", ""), 4);
    assert_int_equal(aft_nearest_distance("kitten", "sitting"), 3);
    assert_int_equal(aft_nearest_distance("nods", "nodes"), 1);
    assert_int_equal(aft_nearest_distance("noeds", "nodes"), 1); /* two neighbours swapped */
    assert_int_equal(aft_nearest_distance("Read-Share", "read_share"), 0);
}

static void long_names_are_near_nothing(void **state)
{
    (void)state;
    g_autofree char *longest = g_strnfill(63, 'a'), *longer = g_strnfill(64, 'a');
    assert_int_equal(aft_nearest_distance(longest, longest), 0);
    assert_int_equal(aft_nearest_distance(longer, longer), G_MAXUINT);
    assert_int_equal(aft_nearest_distance("a", longer), G_MAXUINT);
}

static void one_edit_in_three_characters_is_near(void **state)
{
    (void)state;
    const char *const names[] = {"raid5", NULL, "raid6", "replication"};
    assert_string_equal(aft_nearest("raid55", names, 4), "raid5");
    assert_string_equal(aft_nearest("raid", names, 4), "raid5"); /* the first of equals */
    assert_string_equal(aft_nearest("raid-6", names, 4), "raid6");
    assert_string_equal(aft_nearest("replicaton", names, 4), "replication");
    assert_null(aft_nearest("mirror", names, 4));
    assert_null(aft_nearest("", names, 4));
    assert_null(aft_nearest("raid5", names, 0));
}

static void a_name_is_not_all_edits(void **state)
{
    (void)state;
    const char *const names[] = {"a"};
    assert_null(aft_nearest("b", names, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(long_names_are_near_nothing),
        cmocka_unit_test(one_edit_in_three_characters_is_near),
        cmocka_unit_test(a_name_is_not_all_edits),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
