/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test.h - CMocka with what it needs in front of it, and the assertions it lacks. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <aftershock/base/error.h>
#include <cmocka.h>
#include <glib.h>
#include <math.h>
#include <string.h>

/** Fails unless |@actual - @expected| <= @tolerance; NaN fails. Double precision, unlike CMocka's.
 */
#define assert_within(actual, expected, tolerance)                                               \
    do {                                                                                         \
        double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance);             \
        if (!(fabs(actual_ - expected_) <= tolerance_)) {                                        \
            print_error("%s = %.10g, expected %.10g within %.3g\n", #actual, actual_, expected_, \
                        tolerance_);                                                             \
            fail();                                                                              \
        }                                                                                        \
    } while (0)

/** Runs only those of @tests (an array) whose names fit the pattern @argv[1], if that is given;
 *  there must be some. */
#define choose_tests(tests, argc, argv)                                    \
    do {                                                                   \
        gboolean any = (argc) < 2;                                         \
        for (gsize test = 0; !any && test < G_N_ELEMENTS(tests); test++) { \
            any = g_pattern_match_simple((argv)[1], (tests)[test].name);   \
        }                                                                  \
        g_assert_true(any);                                                \
        cmocka_set_test_filter((argc) > 1 ? (argv)[1] : NULL);             \
    } while (0)

/** Fails unless @error is set, is of AFT_ERROR with @code_, and its message contains @part. */
#define assert_error(error, code_, part)                                             \
    do {                                                                             \
        assert_non_null(error);                                                      \
        assert_int_equal((error)->domain, AFT_ERROR);                                \
        assert_int_equal((error)->code, code_);                                      \
        if (strstr((error)->message, part) == NULL) {                                \
            print_error("\"%s\" does not contain \"%s\"\n", (error)->message, part); \
            fail();                                                                  \
        }                                                                            \
    } while (0)
