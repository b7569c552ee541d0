/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parts differ by, beyond what chance makes of their means. */
#include "scatter.h"
#include "test.h"

#include <aftershock/random/stream.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

#define PARTS 5
#define TIMES 20

static double normal(AftStream *stream)
{
    return gsl_cdf_ugaussian_Pinv(aft_stream_uniform(stream));
}

/* Parts seen @TIMES times, part i around 1 + i @step, with a deviation of 0.1 each time, and one of
 * @lasting that all the times of a part share. Returns: what is their own. */
static double own_of(AftStream *stream, double step, double lasting)
{
    AftScatter scatter[PARTS] = {0};
    const AftScatter *list[PARTS];
    for (guint i = 0; i < PARTS; i++) {
        list[i] = &scatter[i];
        double mean = 1.0 + step * i + lasting * normal(stream);
        for (guint n = 0; n < TIMES; n++) {
            aft_scatter_add(&scatter[i], mean + 0.1 * normal(stream));
        }
    }
    return aft_scatter_own(list, PARTS, lasting * lasting);
}

/* Of parts that are alike, one set in a hundred seems not to be; four standard errors of 2,000. */
static void parts_that_are_alike_are_seldom_told_apart(void **state G_GNUC_UNUSED)
{
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "scatter", 0);
    guint apart = 0;
    for (guint i = 0; i < 2000; i++) {
        apart += own_of(&stream, 0.0, 0.0) > 0.0;
    }
    assert_within(apart / 2000.0, 0.01, 4.0 * sqrt(0.01 * 0.99 / 2000.0));
}

/* What is known of chance that lasts is sure, and so there are fewer still. */
static void chance_that_lasts_does_not_tell_parts_apart(void **state G_GNUC_UNUSED)
{
    AftStream stream;
    aft_stream_init(&stream, 2, 0, "scatter", 0);
    guint apart = 0;
    for (guint i = 0; i < 2000; i++) {
        apart += own_of(&stream, 0.0, 0.3) > 0.0;
    }
    assert_true(apart > 0);
    assert_true(apart / 2000.0 < 0.01 + 4.0 * sqrt(0.01 * 0.99 / 2000.0));
}

/* Means of 1, 1.1 .. 1.4 have a variance of 0.025, and that of chance is 0.01 / 20, one in a
 * hundred 3.5 times as much: 93 % is their own. */
static void parts_that_differ_are_told_apart(void **state G_GNUC_UNUSED)
{
    AftStream stream;
    aft_stream_init(&stream, 3, 0, "scatter", 0);
    double sum = 0.0;
    for (guint i = 0; i < 200; i++) {
        sum += own_of(&stream, 0.1, 0.0);
    }
    double most = gsl_cdf_fdist_Pinv(0.99, PARTS - 1, PARTS * (TIMES - 1)) * 0.01 / TIMES;
    assert_within(sum / 200.0, 1.0 - most / 0.025, 0.01);
}

static void what_was_seen_once_tells_nothing(void **state G_GNUC_UNUSED)
{
    AftScatter one = {0}, other = {0};
    const AftScatter *list[] = {&one, &other};
    assert_within(aft_scatter_own(list, 0, 0.0), 0.0, 0.0);
    assert_within(aft_scatter_own(list, 2, 0.0), 0.0, 0.0);
    aft_scatter_add(&one, 1.0);
    aft_scatter_add(&other, 2.0);
    assert_within(aft_scatter_own(list, 2, 0.0), 0.0, 0.0);
    aft_scatter_add(&one, 1.0); /* and does not differ from itself */
    aft_scatter_add(&other, 2.0);
    assert_within(aft_scatter_own(list, 2, 0.0), 1.0, 1e-12);
}

/* However many there are. */
static void thousands_are_no_trouble(void **state G_GNUC_UNUSED)
{
    const guint n = 10000;
    AftStream stream;
    aft_stream_init(&stream, 4, 0, "scatter", 0);
    g_autofree AftScatter *scatter = g_new0(AftScatter, n);
    g_autofree const AftScatter **list = g_new(const AftScatter *, n);
    for (guint i = 0; i < n; i++) {
        list[i] = &scatter[i];
        for (guint k = 0; k < 10; k++) {
            aft_scatter_add(&scatter[i], i % 2 == 0 ? 1.0 : 2.0 + 0.1 * normal(&stream));
        }
    }
    assert_true(aft_scatter_own(list, n, 0.0) > 0.99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_are_alike_are_seldom_told_apart),
        cmocka_unit_test(chance_that_lasts_does_not_tell_parts_apart),
        cmocka_unit_test(parts_that_differ_are_told_apart),
        cmocka_unit_test(what_was_seen_once_tells_nothing),
        cmocka_unit_test(thousands_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
