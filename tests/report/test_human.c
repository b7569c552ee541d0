/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"

#include <test.h>

typedef struct {
    double value;
    const char *text;
} Case;

static void durations_have_two_units_at_most(void **state)
{
    (void)state;
    static const Case cases[] = {
        {0.0, "0 s"},           {0.004, "4.00 ms"},     {0.25, "250 ms"},
        {0.9996, "1.0 s"},      {59.9, "59.9 s"},       {59.96, "1 min"},
        {65.0, "1 min 05 s"},   {1800.0, "30 min"},     {3599.4, "59 min 59 s"},
        {3599.6, "1 h"},        {4980.0, "1 h 23 min"}, {86399.0, "1 d"},
        {100000.0, "1 d 04 h"}, {(double)NAN, ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_human_duration(cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

static void clock_times_are_hours_minutes_seconds(void **state)
{
    (void)state;
    static const Case cases[] = {{0.0, "0 s"},
                                 {59.96, "0:01:00"},
                                 {4985.4, "1:23:05"},
                                 {360000.0, "100:00:00"},
                                 {(double)NAN, ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_human_clock(cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

static void thousands_are_set_apart(void **state)
{
    (void)state;
    static const Case cases[] = {{0.0, "0"},
                                 {999.4, "999"},
                                 {999.5, "1,000"},
                                 {107676.0, "107,676"},
                                 {1234567.0, "1,234,567"},
                                 {-1234.0, "-1,234"},
                                 {-0.2, "0"},
                                 {(double)NAN, ""},
                                 {(double)INFINITY, ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_human_number(cases[i].value, 0);
        assert_string_equal(text, cases[i].text);
    }
    g_autofree char *decimals = aft_human_number(1234.567, 2);
    assert_string_equal(decimals, "1,234.57");
}

static void shares_have_two_digits(void **state)
{
    (void)state;
    static const Case cases[] = {{0.02, "2 %"},   {0.0234, "2.3 %"},  {0.95, "95 %"},
                                 {0.114, "11 %"}, {0.0012, "0.12 %"}, {(double)NAN, ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_human_share(cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

static void changes_have_signs(void **state)
{
    (void)state;
    static const Case cases[] = {{0.0234, "+2.3 %"}, {-0.45, "-45 %"},  {0.0, "0 %"},
                                 {-0.00001, "0 %"},  {(double)NAN, ""}, {3.41, "+341 %"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_human_change(cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

static void three_digits_are_shown(void **state)
{
    (void)state;
    static const struct {
        double value;
        guint decimals;
    } cases[] = {{90372.0, 0}, {999.0, 0}, {66.0, 1}, {2.95, 2},
                 {0.356, 3},   {1e-9, 6},  {0.0, 0},  {(double)NAN, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_int_equal(aft_human_decimals(cases[i].value), cases[i].decimals);
    }
}

static void tiny_intervals_are_told_to_be_so(void **state)
{
    (void)state;
    g_autofree char *plain = aft_human_interval(0.016, 2), *tiny = aft_human_interval(0.004, 2);
    g_autofree char *none = aft_human_interval((double)NAN, 2);
    assert_string_equal(plain, "± 0.02");
    assert_string_equal(tiny, "± <0.01");
    assert_string_equal(none, "");
}

static void bytes_go_by_thousands(void **state)
{
    (void)state;
    static const Case cases[] = {{0.0, "0 B"},         {999.4, "999 B"},       {999.6, "1 kB"},
                                 {1.536e14, "154 TB"}, {1.7206e12, "1.72 TB"}, {6.6e12, "6.6 TB"},
                                 {9.996e10, "100 GB"}, {99.96e9, "100 GB"},    {5e21, "5000 EB"},
                                 {(double)NAN, ""}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_human_bytes(cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_have_two_units_at_most),
        cmocka_unit_test(clock_times_are_hours_minutes_seconds),
        cmocka_unit_test(thousands_are_set_apart),
        cmocka_unit_test(shares_have_two_digits),
        cmocka_unit_test(bytes_go_by_thousands),
        cmocka_unit_test(changes_have_signs),
        cmocka_unit_test(three_digits_are_shown),
        cmocka_unit_test(tiny_intervals_are_told_to_be_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
