/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "goodness.h"
#include <aftershock/random/stream.h>

#define LAYERS AFT_ZIGGURAT_LAYERS

typedef struct {
    const AftZiggurat *table;
    double (*density)(double x); /* up to a factor, 1 at 0 */
    double (*beyond)(double x);  /* its integral from x on */
    double (*corner)(AftStream *stream, guint layer, double x);
} Curve;

static double exponential_density(double x)
{
    return exp(-x);
}

static double normal_density(double x)
{
    return exp(-0.5 * x * x);
}

static double normal_beyond(double x)
{
    return sqrt(0.5 * G_PI) * erfc(x * G_SQRT2 / 2.0);
}

static const Curve curves[] = {
    {&aft_ziggurat_exponential, exponential_density, exponential_density,
     aft_stream_exponential_corner},
    {&aft_ziggurat_normal, normal_density, normal_beyond, aft_stream_normal_corner},
};

/* Numbers of the table are rounded once each, to 2^-53 of themselves; a difference of heights near
 * 1 is known to 2^-53 at best, which edges below 10 turn into areas. */
static void layers_have_the_same_area(void **state)
{
    (void)state;
    for (gsize c = 0; c < G_N_ELEMENTS(curves); c++) {
        const double *edge = curves[c].table->edge, *height = curves[c].table->height;
        double area = edge[1] * height[1] + curves[c].beyond(edge[1]);
        assert_within(edge[0] * height[1], area, 1e-15);
        for (guint i = 1; i < LAYERS; i++) {
            assert_within(edge[i] * (height[i + 1] - height[i]), area, 1e-15);
        }
    }
}

static void heights_are_the_curve_at_the_edges(void **state)
{
    (void)state;
    for (gsize c = 0; c < G_N_ELEMENTS(curves); c++) {
        const double *edge = curves[c].table->edge, *height = curves[c].table->height;
        assert_true(height[0] == 0.0 && height[LAYERS] == 1.0 && edge[LAYERS] == 0.0);
        for (guint i = 1; i <= LAYERS; i++) {
            assert_true(edge[i] < edge[i - 1] && height[i] > height[i - 1]);
            assert_within(height[i], curves[c].density(edge[i]), 2e-15);
        }
    }
}

/* How often a point at @x in the corner of @layer is kept, of @n trials. */
static double kept(const Curve *curve, guint layer, double x, int n, AftStream *stream)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += curve->corner(stream, layer, x) == x; /* otherwise another draw, never equal */
    }
    return count;
}

/* A point in the corner is kept as often as the curve rises above the floor of the layer there.
 * The squares of 255 standardised counts add up to a chi-square of 255 degrees; one in a thousand
 * is beyond. */
static void corners_are_cut_along_the_curve(void **state)
{
    (void)state;
    const int n = 1000;
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.corners", 0);
    for (gsize c = 0; c < G_N_ELEMENTS(curves); c++) {
        const double *edge = curves[c].table->edge, *height = curves[c].table->height;
        double sum = 0.0;
        for (guint layer = 1; layer < LAYERS; layer++) {
            double x = 0.5 * (edge[layer] + edge[layer + 1]);
            double p = (curves[c].density(x) - height[layer]) / (height[layer + 1] - height[layer]);
            double off = kept(&curves[c], layer, x, n, &stream) - n * p;
            sum += off * off / (n * p * (1.0 - p));
        }
        assert_within(sum, 0.0, gsl_cdf_chisq_Qinv(0.001, LAYERS - 1.0));
    }
}

static void tails_follow_the_curve(void **state)
{
    (void)state;
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.tails", 0);
    for (gsize c = 0; c < G_N_ELEMENTS(curves); c++) {
        double from = curves[c].table->edge[1];
        Goodness goodness = {0};
        for (int i = 0; i < 500000; i++) {
            double x = curves[c].corner(&stream, 0, from + 0.1);
            assert_true(x >= from);
            goodness_count(&goodness, 1.0 - curves[c].beyond(x) / curves[c].beyond(from));
        }
        assert_good(&goodness);
    }
}

static void the_left_tail_of_a_normal_is_on_the_left(void **state)
{
    (void)state;
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.tails", 0);
    double from = aft_ziggurat_normal.edge[1];
    assert_true(aft_stream_normal_corner(&stream, 0, -from - 0.1) <= -from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_have_the_same_area),
        cmocka_unit_test(heights_are_the_curve_at_the_edges),
        cmocka_unit_test(corners_are_cut_along_the_curve),
        cmocka_unit_test(tails_follow_the_curve),
        cmocka_unit_test(the_left_tail_of_a_normal_is_on_the_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
