/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/shown.h>

#include <test.h>

static void assert_shown(const char *text, const char *kept, const char *expected)
{
    g_autofree char *shown = aft_shown_text(text, kept);
    assert_string_equal(shown, expected);
}

static void what_moves_a_cursor_is_not_shown(void **state)
{
    (void)state;
    assert_shown("\033[2J\a\b\r\177", "", "?[2J????");
    assert_shown("\302\233"
                 "31m",
                 "", "?31m");                                 /* CSI in one character */
    assert_shown("a\342\200\256b\342\201\246c", "", "a?b?c"); /* marks of direction */
    assert_shown("a\342\200\250b\357\273\277", "", "a?b?");   /* another end of a line */
    assert_shown("one\ntwo\tthree", "", "one?two?three");
    assert_shown("one\ntwo\tthree", "\n", "one\ntwo?three");
    assert_shown("\377\300x", "", "\357\277\275\357\277\275x"); /* not UTF-8 */
}

static void what_people_write_is_shown(void **state)
{
    (void)state;
    const char *texts[] = {"", "five nodes",
                           "\303\244 \302\261 \342\200\246 \346\227\245\346\234\254", "e\314\201",
                           "\340\270\231\340\271\211\340\270\263"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_shown(texts[i], "", texts[i]);
    }
}

static void width_is_in_columns(void **state)
{
    (void)state;
    assert_int_equal(aft_shown_columns(""), 0);
    assert_int_equal(aft_shown_columns("\302\261 3"), 3);
    assert_int_equal(aft_shown_columns("\346\227\245\346\234\254"), 4);
    assert_int_equal(aft_shown_columns("e\314\201"), 1); /* e and an accent on it */
}

static void a_cut_splits_no_character(void **state)
{
    (void)state;
    const struct {
        guint columns;
        const char *expected;
    } cuts[] = {{0, ""},
                {1, "a"},
                {2, "a"}, /* half of the next does not fit */
                {3, "a\346\227\245"},
                {4, "a\346\227\245e\314\201"},
                {99, "a\346\227\245e\314\201!"}};
    for (guint i = 0; i < G_N_ELEMENTS(cuts); i++) {
        g_autofree char *cut = aft_shown_cut("a\346\227\245e\314\201!", cuts[i].columns);
        assert_string_equal(cut, cuts[i].expected);
    }
}

static void what_is_too_long_ends_in_dots(void **state)
{
    (void)state;
    const struct {
        const char *text, *expected;
        guint most;
    } starts[] = {{NULL, "", 3},
                  {"abc", "abc", 3},
                  {"a\346\227\245cd", "a\346\227\245c\342\200\246", 3},
                  {"a\377", "a\357\277\275", 3}};
    for (guint i = 0; i < G_N_ELEMENTS(starts); i++) {
        g_autofree char *start = aft_shown_start(starts[i].text, starts[i].most);
        assert_string_equal(start, starts[i].expected);
    }
}

static void ascii_comes_near(void **state)
{
    (void)state;
    const char *text =
        "\302\261 3 \303\227 \303\244 \342\200\223 \342\200\246 \342\200\234x\342\200\235";
    g_autofree char *ascii = aft_shown_ascii(text, FALSE);
    assert_string_equal(ascii, "+- 3 x a - ... \"x\"");
    g_autofree char *foreign = aft_shown_ascii("\346\227\245e\314\201", FALSE);
    assert_string_equal(foreign, "?e");
}

static void ascii_can_keep_columns(void **state)
{
    (void)state;
    const char *text = "\302\2613 \342\200\246 \346\227\245 e\314\201|";
    g_autofree char *ascii = aft_shown_ascii(text, TRUE);
    assert_string_equal(ascii, "+3 . ?? e|");
    assert_int_equal(aft_shown_columns(ascii), aft_shown_columns(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moves_a_cursor_is_not_shown),
        cmocka_unit_test(what_people_write_is_shown),
        cmocka_unit_test(width_is_in_columns),
        cmocka_unit_test(a_cut_splits_no_character),
        cmocka_unit_test(what_is_too_long_ends_in_dots),
        cmocka_unit_test(ascii_comes_near),
        cmocka_unit_test(ascii_can_keep_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
