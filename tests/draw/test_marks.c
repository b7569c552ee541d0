/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <marks.h>
#include <test.h>

static void a_text_begins_at_its_mark_where_there_is_room(void **state)
{
    (void)state;
    AftMarkPlace places[] = {{.x = 10.0, .length = 40.0}, {.x = 60.0, .length = 40.0}};
    assert_int_equal(aft_marks_place(places, 2, 200.0, 3), 1);
    assert_int_equal(places[0].lane, 0);
    assert_false(places[0].left);
    assert_int_equal(places[1].lane, 0);
}

static void at_the_right_end_it_ends_there(void **state)
{
    (void)state;
    AftMarkPlace places[] = {{.x = 190.0, .length = 40.0}};
    assert_int_equal(aft_marks_place(places, 1, 200.0, 3), 1);
    assert_true(places[0].left);
}

static void texts_at_one_moment_go_below_each_other(void **state)
{
    (void)state;
    AftMarkPlace places[] = {{.x = 10.0, .length = 40.0, .weight = 1},
                             {.x = 10.0, .length = 40.0, .weight = 0},
                             {.x = 10.0, .length = 40.0, .weight = 1}};
    assert_int_equal(aft_marks_place(places, 3, 200.0, 3), 3);
    assert_int_equal(places[1].lane, 0); /* matters most */
    assert_int_equal(places[0].lane, 1);
    assert_int_equal(places[2].lane, 2);
}

static void without_room_there_is_no_text(void **state)
{
    (void)state;
    AftMarkPlace places[] = {{.x = 10.0, .length = 40.0},
                             {.x = 12.0, .length = 40.0},
                             {.x = 14.0, .length = 500.0}};
    assert_int_equal(aft_marks_place(places, 3, 60.0, 1), 1);
    assert_int_equal(places[0].lane, 0);
    assert_int_equal(places[1].lane, AFT_MARK_LANES);
    assert_int_equal(places[2].lane, AFT_MARK_LANES);
    assert_int_equal(aft_marks_place(NULL, 0, 60.0, 3), 0);
}

/* Of many marks anywhere, no text overlaps another of its lane. */
static void texts_never_overlap(void **state)
{
    (void)state;
    enum { N = 200 };
    AftMarkPlace places[N];
    for (guint i = 0; i < N; i++) {
        places[i] =
            (AftMarkPlace){.x = (i * 7919) % 1000, .length = 30.0 + i % 50, .weight = i % 3};
    }
    assert_int_equal(aft_marks_place(places, N, 1000.0, 3), 3);
    for (guint i = 0; i < N; i++) {
        for (guint j = i + 1; j < N; j++) {
            const AftMarkPlace *a = &places[i], *b = &places[j];
            double a_from = a->x - (a->left ? a->length : 0.0);
            double b_from = b->x - (b->left ? b->length : 0.0);
            gboolean apart = a_from + a->length <= b_from || b_from + b->length <= a_from;
            assert_true(a->lane != b->lane || a->lane == AFT_MARK_LANES || apart);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_begins_at_its_mark_where_there_is_room),
        cmocka_unit_test(at_the_right_end_it_ends_there),
        cmocka_unit_test(texts_at_one_moment_go_below_each_other),
        cmocka_unit_test(without_room_there_is_no_text),
        cmocka_unit_test(texts_never_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
