/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"
#include <aftershock/base/error.h>
#include <aftershock/base/units.h>
#include <string.h>

static const AftUnit every_unit[] = {
    AFT_UNIT_COUNT,          AFT_UNIT_TIME, AFT_UNIT_BYTES,
    AFT_UNIT_BYTES_PER_TIME, AFT_UNIT_RATE, AFT_UNIT_SHARE,
};

typedef struct {
    AftUnit unit;
    const char *text;
    double value;
} Case;

static void assert_reads(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autoptr(GError) error = NULL;
        double value = NAN;
        if (!aft_units_parse(cases[i].unit, cases[i].text, &value, &error)) {
            fail_msg("%s", error->message);
        }
        if (value != cases[i].value) {
            fail_msg("\"%s\" is %.17g, expected %.17g", cases[i].text, value, cases[i].value);
        }
    }
}

static void each_unit_reads_as_its_base_unit(void **state)
{
    (void)state;
    static const Case cases[] = {
        {AFT_UNIT_COUNT, "16", 16.0},
        {AFT_UNIT_COUNT, "107k", 107e3},
        {AFT_UNIT_COUNT, "1.5M", 1.5e6},
        {AFT_UNIT_COUNT, "2G", 2e9},
        {AFT_UNIT_TIME, "7 ns", 7e-9},
        {AFT_UNIT_TIME, "169 us", 169e-6},
        {AFT_UNIT_TIME, "169 \u00b5s", 169e-6},
        {AFT_UNIT_TIME, "169 \u03bcs", 169e-6},
        {AFT_UNIT_TIME, "4.2 ms", 4.2e-3},
        {AFT_UNIT_TIME, "90 s", 90.0},
        {AFT_UNIT_TIME, "30 min", 1800.0},
        {AFT_UNIT_TIME, "1.5 h", 5400.0},
        {AFT_UNIT_TIME, "365 d", 31536000.0},
        {AFT_UNIT_BYTES, "512 B", 512.0},
        {AFT_UNIT_BYTES, "4 kB", 4000.0},
        {AFT_UNIT_BYTES, "4 KiB", 4096.0},
        {AFT_UNIT_BYTES, "1 MB", 1e6},
        {AFT_UNIT_BYTES, "1 MiB", 1048576.0},
        {AFT_UNIT_BYTES, "800 GB", 800e9},
        {AFT_UNIT_BYTES, "153.6 TB", 153.6e12}, /* and not 150000000000 KiB */
        {AFT_UNIT_BYTES, "15.36 TB", 15.36e12},
        {AFT_UNIT_BYTES, "153.6 MB", 153.6e6}, /* 150000 KiB */
        {AFT_UNIT_BYTES, "640 kB", 640e3},     /* 625 KiB */
        {AFT_UNIT_BYTES, "150 GiB", 0x1p30 * 150.0},
        {AFT_UNIT_BYTES, "1000000 PB", 1e21},
        {AFT_UNIT_BYTES, "800 GiB", 858993459200.0},
        {AFT_UNIT_BYTES, "3.84 TB", 3.84e12},
        {AFT_UNIT_BYTES, "1 TiB", 1099511627776.0},
        {AFT_UNIT_BYTES, "2 PB", 2e15},
        {AFT_UNIT_BYTES, "1 PiB", 1125899906842624.0},
        {AFT_UNIT_BYTES_PER_TIME, "500 MB/s", 500e6},
        {AFT_UNIT_BYTES_PER_TIME, "1 MiB/s", 1048576.0},
        {AFT_UNIT_BYTES_PER_TIME, "25 Gbit/s", 3.125e9},
        {AFT_UNIT_BYTES_PER_TIME, "10 Gbit/s", 1.25e9},
        {AFT_UNIT_BYTES_PER_TIME, "1 bit/s", 0.125},
        {AFT_UNIT_BYTES_PER_TIME, "8 kbit/s", 1000.0},
        {AFT_UNIT_BYTES_PER_TIME, "100 Mbit/s", 12.5e6},
        {AFT_UNIT_BYTES_PER_TIME, "0.4 Tbit/s", 50e9},
        {AFT_UNIT_RATE, "107676 /s", 107676.0},
        {AFT_UNIT_RATE, "107k/s", 107e3},
        {AFT_UNIT_RATE, "6k/min", 100.0},
        {AFT_UNIT_RATE, "1 /min", 1.0 / 60.0},
        {AFT_UNIT_RATE, "7.2M/h", 2000.0},
        {AFT_UNIT_SHARE, "0.2", 0.2},
        {AFT_UNIT_SHARE, "20 %", 0.2},
        {AFT_UNIT_SHARE, "99.5%", 0.995},
    };
    assert_reads(cases, G_N_ELEMENTS(cases));
}

static void every_way_of_writing_a_number_is_read(void **state)
{
    (void)state;
    static const Case cases[] = {
        {AFT_UNIT_TIME, "1e3 s", 1000.0},    {AFT_UNIT_TIME, "1E+3 s", 1000.0},
        {AFT_UNIT_TIME, "2.5e-3ms", 2.5e-6}, {AFT_UNIT_TIME, ".5 h", 1800.0},
        {AFT_UNIT_TIME, "5. min", 300.0},    {AFT_UNIT_TIME, "+5 s", 5.0},
        {AFT_UNIT_TIME, "-5 s", -5.0},       {AFT_UNIT_TIME, "007 s", 7.0},
        {AFT_UNIT_COUNT, "5e2k", 500e3},     {AFT_UNIT_TIME, "1e-999999999999999999999 s", 0.0},
    };
    assert_reads(cases, G_N_ELEMENTS(cases));
}

static void blanks_do_not_matter(void **state)
{
    (void)state;
    static const Case cases[] = {
        {AFT_UNIT_TIME, "30min", 1800.0},      {AFT_UNIT_TIME, "  30\t min \n", 1800.0},
        {AFT_UNIT_RATE, "107k /s", 107e3},     {AFT_UNIT_RATE, "107 k / s", 107e3},
        {AFT_UNIT_RATE, "107676/s", 107676.0}, {AFT_UNIT_BYTES_PER_TIME, "25 Gbit / s", 3.125e9},
        {AFT_UNIT_SHARE, " 20  % ", 0.2},
    };
    assert_reads(cases, G_N_ELEMENTS(cases));
}

static void zero_needs_no_unit(void **state)
{
    (void)state;
    for (gsize i = 0; i < G_N_ELEMENTS(every_unit); i++) {
        Case cases[] = {{every_unit[i], "0", 0.0}, {every_unit[i], " 0.00 ", 0.0}};
        assert_reads(cases, G_N_ELEMENTS(cases));
    }
}

static void a_power_of_ten_for_a_unit_costs_no_rounding(void **state)
{
    (void)state;
    /* Each of these differs in the last bit when the number is rounded before it is scaled. */
    static const Case cases[] = {
        {AFT_UNIT_TIME, "2.1 ms", 0.0021},  {AFT_UNIT_TIME, "0.17 us", 0.17e-6},
        {AFT_UNIT_BYTES, "8.2 TB", 8.2e12}, {AFT_UNIT_SHARE, "0.7 %", 0.007},
        {AFT_UNIT_SHARE, "1.3 %", 0.013},
    };
    assert_reads(cases, G_N_ELEMENTS(cases));
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        AftUnit unit;
        const char *text;
        const char *message;
    } cases[] = {
        {AFT_UNIT_TIME, "30", "\"30\" has no unit: expected a time, like 30 min"},
        {AFT_UNIT_BYTES, "30", "\"30\" has no unit: expected a size, like 3.84 TB or 4 KiB"},
        {AFT_UNIT_BYTES_PER_TIME, "1e9",
         "\"1e9\" has no unit: expected a bandwidth, like 25 Gbit/s or 500 MB/s"},
        {AFT_UNIT_RATE, "107k",
         "\"107k\" has the unknown unit \"k\": expected a rate, like 107k/s "
         "(/h, k/h, M/h, G/h, /min, k/min, M/min, G/min, /s, k/s, M/s or "
         "G/s)"},
        {AFT_UNIT_TIME, "", "\"\" is empty: expected a time, like 30 min"},
        {AFT_UNIT_SHARE, " ", "\" \" is empty: expected a share, like 0.2 or 20 %"},
        {AFT_UNIT_COUNT, "many", "\"many\" is not a number: expected a number, like 16 or 107k"},
        {AFT_UNIT_TIME, "min", "\"min\" is not a number: expected a time, like 30 min"},
        {AFT_UNIT_TIME, ". s", "\". s\" is not a number: expected a time, like 30 min"},
        {AFT_UNIT_TIME, "nan s", "\"nan s\" is not a number: expected a time, like 30 min"},
        {AFT_UNIT_TIME, "inf s", "\"inf s\" is not a number: expected a time, like 30 min"},
        {AFT_UNIT_TIME, "- 5 s", "\"- 5 s\" is not a number: expected a time, like 30 min"},
        {AFT_UNIT_RATE, "1,000 /s", "\"1,000 /s\" is not a number: expected a rate, like 107k/s"},
        {AFT_UNIT_COUNT, "1_000", "\"1_000\" is not a number: expected a number, like 16 or 107k"},
        {AFT_UNIT_COUNT, "1.2.3", "\"1.2.3\" is not a number: expected a number, like 16 or 107k"},
        {AFT_UNIT_COUNT, "0x10",
         "\"0x10\" has the unknown unit \"x10\": expected a number, like "
         "16 or 107k (k, M, G or none)"},
        {AFT_UNIT_TIME, "5 mins",
         "\"5 mins\" has the unknown unit \"mins\": expected a time, like "
         "30 min (ns, us, ms, s, min, h or d)"},
        {AFT_UNIT_TIME, "5 m s",
         "\"5 m s\" has the unknown unit \"m s\": expected a time, like "
         "30 min (ns, us, ms, s, min, h or d)"},
        {AFT_UNIT_TIME, "5 S",
         "\"5 S\" has the unknown unit \"S\": expected a time, like "
         "30 min (ns, us, ms, s, min, h or d)"},
        {AFT_UNIT_BYTES, "5 EB",
         "\"5 EB\" has the unknown unit \"EB\": expected a size, like "
         "3.84 TB or 4 KiB (KiB, MiB, GiB, TiB, PiB, B, kB, MB, GB, TB or "
         "PB)"},
        {AFT_UNIT_SHARE, "5 percent",
         "\"5 percent\" has the unknown unit \"percent\": expected a "
         "share, like 0.2 or 20 % (% or none)"},
        {AFT_UNIT_BYTES_PER_TIME, "25 Gbit",
         "\"25 Gbit\" has the unknown unit \"Gbit\": expected a bandwidth, like 25 Gbit/s or 500 "
         "MB/s (bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, KiB/s, MiB/s, GiB/s, TiB/s, PiB/s, B/s, "
         "kB/s, MB/s, GB/s, TB/s or PB/s)"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value = 42.0;
        assert_false(aft_units_parse(cases[i].unit, cases[i].text, &value, &error));
        assert_non_null(error);
        assert_true(error->domain == AFT_ERROR);
        assert_int_equal(error->code, AFT_ERROR_SYNTAX);
        assert_string_equal(error->message, cases[i].message);
        assert_true(value == 42.0); /* untouched */
    }
}

static void more_than_a_double_holds_is_out_of_range(void **state)
{
    (void)state;
    static const struct {
        AftUnit unit;
        const char *text;
    } cases[] = {
        {AFT_UNIT_TIME, "1e309 s"},
        {AFT_UNIT_TIME, "1e308 d"}, /* the number fits, the seconds do not */
        {AFT_UNIT_BYTES, "-1e300 PB"},
        {AFT_UNIT_COUNT, "1e99999999999999999999999"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value = 42.0;
        assert_false(aft_units_parse(cases[i].unit, cases[i].text, &value, &error));
        assert_error(error, AFT_ERROR_RANGE, "\" is too large: expected a ");
        assert_true(value == 42.0);
    }
}

static void messages_stay_short_and_valid(void **state)
{
    (void)state;
    g_autofree char *text = g_strnfill(100000, 'x');
    memcpy(text, "5 \xff\xfe", 4); /* not UTF-8 */
    g_autoptr(GError) error = NULL;
    double value;
    assert_false(aft_units_parse(AFT_UNIT_TIME, text, &value, &error));
    assert_true(strlen(error->message) < 300);
    assert_true(g_utf8_validate(error->message, -1, NULL));
    assert_error(error, AFT_ERROR_SYNTAX, "xxx...\" has the unknown unit");
}

static void people_read_the_shortest_exact_text(void **state)
{
    (void)state;
    static const Case cases[] = {
        {AFT_UNIT_BYTES, "3.84 TB", 3.84e12},
        {AFT_UNIT_BYTES, "4 KiB", 4096.0},
        {AFT_UNIT_BYTES, "1 MiB", 1048576.0},
        {AFT_UNIT_BYTES, "6.6 TB", 6.6e12},
        {AFT_UNIT_BYTES, "800 GB", 800e9},
        {AFT_UNIT_BYTES, "153.6 TB", 153.6e12}, /* and not 150000000000 KiB */
        {AFT_UNIT_BYTES, "15.36 TB", 15.36e12},
        {AFT_UNIT_BYTES, "153.6 MB", 153.6e6}, /* 150000 KiB */
        {AFT_UNIT_BYTES, "640 kB", 640e3},     /* 625 KiB */
        {AFT_UNIT_BYTES, "150 GiB", 0x1p30 * 150.0},
        {AFT_UNIT_BYTES, "1000000 PB", 1e21},
        {AFT_UNIT_BYTES, "1 B", 1.0},
        {AFT_UNIT_BYTES, "0.5 B", 0.5},
        {AFT_UNIT_BYTES, "0 B", 0.0},
        {AFT_UNIT_TIME, "169 us", 169e-6},
        {AFT_UNIT_TIME, "4.2 ms", 4.2e-3},
        {AFT_UNIT_TIME, "100 s", 100.0},
        {AFT_UNIT_TIME, "-100 s", -100.0},
        {AFT_UNIT_TIME, "30 min", 1800.0},
        {AFT_UNIT_TIME, "1 h", 3600.0},
        {AFT_UNIT_TIME, "365 d", 365.0 * 86400.0},
        {AFT_UNIT_TIME, "0.25 ns", 0.25e-9},
        {AFT_UNIT_TIME, "0 s", 0.0},
        {AFT_UNIT_BYTES_PER_TIME, "25 Gbit/s", 3.125e9},
        {AFT_UNIT_BYTES_PER_TIME, "10 Gbit/s", 1.25e9},
        {AFT_UNIT_BYTES_PER_TIME, "500 MB/s", 500e6},
        {AFT_UNIT_RATE, "107676 /s", 107676.0},
        {AFT_UNIT_RATE, "107k/s", 107e3},
        {AFT_UNIT_RATE, "100 /h", 100.0 / 3600.0},
        {AFT_UNIT_RATE, "1.5 /s", 1.5},
        {AFT_UNIT_COUNT, "4096", 4096.0},
        {AFT_UNIT_COUNT, "560", 560.0},
        {AFT_UNIT_COUNT, "0.123456", 0.123456},
        {AFT_UNIT_COUNT, "0.00002", 2e-5},
        {AFT_UNIT_COUNT, "20000000000G", 2e19},
        {AFT_UNIT_SHARE, "80 %", 0.8},
        {AFT_UNIT_SHARE, "0.5 %", 0.005},
        {AFT_UNIT_SHARE, "100 %", 1.0},
        {AFT_UNIT_SHARE, "0 %", 0.0},
    };
    assert_reads(cases, G_N_ELEMENTS(cases));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_units_format(cases[i].unit, cases[i].value);
        assert_string_equal(text, cases[i].text);
        g_autofree char *exact = aft_units_format_exact(cases[i].unit, cases[i].value);
        assert_string_equal(exact, cases[i].text);
    }
}

static void other_values_are_told_to_three_digits(void **state)
{
    (void)state;
    static const Case cases[] = {
        {AFT_UNIT_TIME, "1.71 h", 6145.384123},
        {AFT_UNIT_TIME, "300 ms", 0.1 + 0.2},
        {AFT_UNIT_BYTES, "1 TB", 1000123456789.0}, /* 1.00, without its noughts */
        {AFT_UNIT_BYTES, "1000 GB", 999999999999.0},
        {AFT_UNIT_SHARE, "33.3 %", 1.0 / 3.0},
        {AFT_UNIT_RATE, "123M/s", 123456789.0},
        {AFT_UNIT_RATE, "0.00123 /s", 0.00123456789},
        {AFT_UNIT_RATE, "0.0000123 /s", 0.0000123456789},
        {AFT_UNIT_BYTES, "123000000 PB", 1.23456789e23},
        {AFT_UNIT_COUNT, "nan", NAN},
        {AFT_UNIT_TIME, "inf s", INFINITY},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = aft_units_format(cases[i].unit, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

/* A double of any sign, any exponent and any fraction. */
static double any_double(GRand *rand)
{
    for (;;) {
        guint64 bits = (guint64)g_rand_int(rand) << 32 | g_rand_int(rand);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            return value;
        }
    }
}

static void assert_same_bits_after_a_round_trip(AftUnit unit, double value)
{
    g_autofree char *text = aft_units_format_exact(unit, value);
    double back = NAN;
    assert_true(aft_units_parse(unit, text, &back, NULL));
    assert_memory_equal(&back, &value, sizeof value);
}

static void exact_text_reads_back_bit_for_bit(void **state)
{
    (void)state;
    static const double edges[] = {0.0,       -0.0,    5e-324, 0x1p-1022, 0x1.fffffffffffffp1023,
                                   0.1 + 0.2, 0x1p+53, 1e21,   1e22,      1e23};
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (gsize unit = 0; unit < G_N_ELEMENTS(every_unit); unit++) {
        for (gsize i = 0; i < G_N_ELEMENTS(edges); i++) {
            assert_same_bits_after_a_round_trip(every_unit[unit], edges[i]);
        }
        for (int i = 0; i < 1000; i++) {
            assert_same_bits_after_a_round_trip(every_unit[unit], any_double(rand));
            assert_same_bits_after_a_round_trip(every_unit[unit], exp(g_rand_double(rand) * 40.0));
        }
    }
}

static void text_for_people_is_near(void **state)
{
    (void)state;
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (gsize unit = 0; unit < G_N_ELEMENTS(every_unit); unit++) {
        for (int i = 0; i < 1000; i++) {
            double value = pow(10.0, g_rand_double_range(rand, -12.0, 18.0));
            g_autofree char *text = aft_units_format(every_unit[unit], value);
            double back = NAN;
            assert_null(strstr(text, "e-"));
            assert_null(strstr(text, "e+"));
            assert_true(aft_units_parse(every_unit[unit], text, &back, NULL));
            assert_within(back, value, 0.005 * value); /* half a unit of the third digit of 1.00 */
        }
    }
}

/* What all of a text of @unit is. */
static GRegex *pattern_of(AftUnit unit)
{
    g_autofree char *pattern = aft_units_pattern(unit);
    g_autofree char *whole = g_strdup_printf("^(?:%s)$", pattern);
    return g_regex_new(whole, G_REGEX_DOLLAR_ENDONLY, 0, NULL);
}

static void assert_read_as_patterns_say(AftUnit unit, const GRegex *pattern, const char *text)
{
    double value = 0.0;
    gboolean read = aft_units_parse(unit, text, &value, NULL);
    if (read != g_regex_match(pattern, text, 0, NULL)) {
        fail_msg("unit %u: \"%s\" is %s", unit, text, read ? "read" : "not read");
    }
}

static void patterns_are_what_is_read(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0",   "1",     "-0.0", "+.5", "5.",  "1e3", "2E-4",
                                          "",    "-",     ".",    "1,0", "0x1", "1e",  "e3",
                                          "--1", "1.2.3", "00.0", "0e5", "nan", "inf", "1 2"};
    static const char *const blanks[] = {"", " ", "\t \n"};
    static const char *const units[] = {
        "",    "k",     "M",     "G",    "K",     "ns",     "us",      "\u00b5s", "\u03bcs",
        "ms",  "s",     "min",   "h",    "d",     "m",      "B",       "kB",      "MB",
        "GB",  "TB",    "PB",    "EB",   "KiB",   "MiB",    "GiB",     "TiB",     "PiB",
        "B/s", "kB /s", "MiB/s", "b/s",  "bit/s", "kbit/s", "Gbit/ s", "Tbit/s",  "/s",
        "k/s", "M / s", "G/s",   "/min", "k/min", "/h",     "k/h",     "/d",      "%",
        "% %", "/",     "s/",    "//s",  "!",     "kk",     "k s",
    };
    for (guint unit = 0; unit < G_N_ELEMENTS(every_unit); unit++) {
        g_autoptr(GRegex) pattern = pattern_of(every_unit[unit]);
        guint texts = G_N_ELEMENTS(numbers) * G_N_ELEMENTS(blanks) * G_N_ELEMENTS(units);
        for (guint i = 0; i < texts; i++) {
            const char *number = numbers[i % G_N_ELEMENTS(numbers)];
            const char *blank = blanks[i / G_N_ELEMENTS(numbers) % G_N_ELEMENTS(blanks)];
            const char *name = units[i / G_N_ELEMENTS(numbers) / G_N_ELEMENTS(blanks)];
            g_autofree char *text = g_strconcat(blank, number, blank, name, blank, NULL);
            assert_read_as_patterns_say(every_unit[unit], pattern, text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_reads_as_its_base_unit),
        cmocka_unit_test(every_way_of_writing_a_number_is_read),
        cmocka_unit_test(blanks_do_not_matter),
        cmocka_unit_test(zero_needs_no_unit),
        cmocka_unit_test(a_power_of_ten_for_a_unit_costs_no_rounding),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(more_than_a_double_holds_is_out_of_range),
        cmocka_unit_test(messages_stay_short_and_valid),
        cmocka_unit_test(people_read_the_shortest_exact_text),
        cmocka_unit_test(other_values_are_told_to_three_digits),
        cmocka_unit_test(exact_text_reads_back_bit_for_bit),
        cmocka_unit_test(text_for_people_is_near),
        cmocka_unit_test(patterns_are_what_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
