/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pen.h>
#include <test.h>

static cairo_surface_t *paper;
static AftPen pen;

static int begin(void **state)
{
    (void)state;
    paper = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    return aft_pen_init(&pen, paper, NULL) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    aft_pen_clear(&pen);
    cairo_surface_destroy(paper);
    return 0;
}

static const AftHand plain = {.size = 10.0};

static void a_text_is_cut_where_it_is_too_wide(void **state)
{
    (void)state;
    g_autofree char *text = g_strnfill(5000, 'w');
    AftHand narrow = {.size = 10.0, .most = 80.0};
    assert_true(aft_pen_width(&pen, text, &plain) > 10000.0);
    double width = aft_pen_write(&pen, text, 0.0, 0.0, &narrow);
    assert_true(width > 60.0 && width <= 80.0);
    assert_within(aft_pen_width(&pen, text, &narrow), width, 0.01);
    assert_within(aft_pen_width(&pen, "w", &narrow), aft_pen_width(&pen, "w", &plain), 0.01);
}

static void markup_is_text(void **state)
{
    (void)state;
    assert_true(aft_pen_width(&pen, "<b>w</b>", &plain) > aft_pen_width(&pen, "w", &plain) + 20.0);
    assert_true(aft_pen_width(&pen, "&lt;", &plain) > aft_pen_width(&pen, "<", &plain) + 5.0);
}

static void a_line_stays_a_line(void **state)
{
    (void)state;
    double both = aft_pen_width(&pen, "first\nsecond", &plain);
    assert_true(both >
                aft_pen_width(&pen, "first", &plain) + aft_pen_width(&pen, "second", &plain));
}

static void a_block_grows_with_its_lines_up_to_four(void **state)
{
    (void)state;
    g_autofree char *text = g_strnfill(5000, ' ');
    for (guint i = 0; i < 5000; i += 3) {
        text[i] = 'w';
    }
    double one = aft_pen_write_block(&pen, "w", 0.0, 0.0, 100.0, &plain);
    double four = aft_pen_write_block(&pen, text, 0.0, 0.0, 100.0, &plain);
    assert_true(one > 8.0);
    assert_within(four, 4.0 * one, one / 2.0);
}

/* The same layout at every size of a picture: widths do not depend on pixels. */
static void widths_scale_with_letters(void **state)
{
    (void)state;
    AftHand large = {.size = 100.0};
    double width = aft_pen_width(&pen, "catchup 107,676", &plain);
    assert_within(aft_pen_width(&pen, "catchup 107,676", &large), 10.0 * width, 0.02 * width);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_cut_where_it_is_too_wide),
        cmocka_unit_test(markup_is_text),
        cmocka_unit_test(a_line_stays_a_line),
        cmocka_unit_test(a_block_grows_with_its_lines_up_to_four),
        cmocka_unit_test(widths_scale_with_letters),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
