/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <path.h>
#include <test.h>

static const AftScale across = {0.0, 10.0, 100.0, 200.0, FALSE};
static const AftScale up = {0.0, 50.0, 500.0, -100.0, FALSE};

/* The path of @values at 0, 1, 2, ...: "M100,500 L120,490 ". Returns: (transfer full). */
static char *path_of(double *values, guint n)
{
    double time_s[16];
    for (guint i = 0; i < n; i++) {
        time_s[i] = i;
    }
    const AftPictureLine line = {.n = n, .time_s = time_s, .values = values};
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_t *cairo = cairo_create(surface);
    aft_path_add(cairo, &line, &across, &up, 4.0);
    cairo_path_t *path = cairo_copy_path(cairo);
    GString *text = g_string_new(NULL);
    for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
        const cairo_path_data_t *data = &path->data[i];
        g_string_append_printf(text, "%c%g,%g ",
                               data->header.type == CAIRO_PATH_MOVE_TO ? 'M' : 'L',
                               round(data[1].point.x), round(data[1].point.y));
    }
    cairo_path_destroy(path);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return g_string_free(text, FALSE);
}

static void values_are_joined_in_their_places(void **state)
{
    (void)state;
    g_autofree char *path = path_of((double[]){0.0, 25.0, 10.0}, 3);
    assert_string_equal(path, "M100,500 L120,450 L140,480 ");
}

static void gaps_stay_gaps(void **state)
{
    (void)state;
    const double gap = (double)NAN;
    g_autofree char *path = path_of((double[]){gap, 5.0, 5.0, gap, gap, 10.0, 15.0, gap}, 8);
    assert_string_equal(path, "M120,490 L140,490 M200,480 L220,470 ");
}

static void a_value_alone_is_a_dot(void **state)
{
    (void)state;
    const double gap = (double)NAN;
    g_autofree char *path = path_of((double[]){gap, 5.0, gap}, 3);
    assert_string_equal(path, "M118,490 L122,490 ");
    g_autofree char *nothing = path_of((double[]){gap, (double)INFINITY}, 2);
    assert_string_equal(nothing, "");
}

static void nothing_is_drawn_beyond_the_ends(void **state)
{
    (void)state;
    g_autofree char *path = path_of((double[]){-10.0, 1e300, 20.0}, 3);
    assert_string_equal(path, "M100,500 L120,400 L140,460 ");
}

static void logarithms_are_even(void **state)
{
    (void)state;
    const AftScale log = {1.0, 100.0, 0.0, 10.0, TRUE};
    assert_within(aft_scale_place(&log, 10.0), 5.0, 1e-12);
    assert_within(aft_scale_place(&log, 0.0), 0.0, 0.0); /* what has no logarithm is at the end */
    assert_within(aft_scale_place(&log, -3.0), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_joined_in_their_places),
        cmocka_unit_test(gaps_stay_gaps),
        cmocka_unit_test(a_value_alone_is_a_dot),
        cmocka_unit_test(nothing_is_drawn_beyond_the_ends),
        cmocka_unit_test(logarithms_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
