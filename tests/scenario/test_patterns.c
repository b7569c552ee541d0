/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/parts.h>

#include <math.h>

/* The pattern of @key for GLib's expressions, which write \u0000 as \x{0000}. */
static char *pattern_of(const AftKey *key)
{
    g_autofree char *pattern = aft_key_pattern(key);
    g_autoptr(GRegex) escapes = g_regex_new("\\\\u([0-9a-f]{4})", 0, 0, NULL);
    return g_regex_replace(escapes, pattern, -1, 0, "\\\\x{\\1}", 0, NULL);
}

static gboolean fits(const AftKey *key, const char *text)
{
    g_autofree char *pattern = pattern_of(key);
    return g_regex_match_simple(pattern, text, G_REGEX_DOLLAR_ENDONLY, 0);
}

/* The path of the only item of every list. */
static char *path_of(const AftKey *key)
{
    g_auto(GStrv) devices = g_strsplit(key->path, "devices.*", 2);
    g_autofree char *named = g_strjoinv("devices.own", devices);
    g_auto(GStrv) lists = g_strsplit(named, "[*]", -1);
    return g_strjoinv("[0]", lists);
}

/* What a key takes does not depend on what @scenario holds. */
static gboolean is_taken(AftScenario *scenario, const AftKey *key, const char *text)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autofree char *path = path_of(key);
    return aft_scenario_set(scenario, path, text, problems);
}

static const char *const texts[] = {
    "0",      "-0",    "1",        "-1",        "0.5",       "-0 s",         "-1 s",
    "0 s",    "1 ms",  "5 min",    "0 B",       "1 TB",      "4 KiB",        "1 B/s",
    "5k/s",   "5 /s",  "1 Gbit/s", "-5 /s",     "20 %",      "0 %",          "-1 %",
    "none",   "all",   "never",    "unlimited", "destage",   "1,3",          "2:5",
    "-1,0:2", "2:",    "12345678", "on",        "node",      "node 2",       "device 0.1.2",
    "rack 1", "0.1.2", "node 2.1", "group 0.0", "cache 1.0", "controller 3", "device 1",
    "",       "1 2",   "x y",      "a\tb",
};

/* What is taken fits; what does not fit is not taken. */
static void nothing_that_is_taken_is_refused(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *pattern = aft_key_pattern(&keys[i]);
        for (guint j = 0; j < G_N_ELEMENTS(texts) && pattern != NULL; j++) {
            if (is_taken(scenario, &keys[i], texts[j]) && !fits(&keys[i], texts[j])) {
                fail_msg("%s takes \"%s\", not so %s", keys[i].path, texts[j], pattern);
            }
        }
    }
}

/* Whether @key, as a number, would take @value. */
static gboolean is_inside(const AftKey *key, double value)
{
    return value >= key->minimum && !(key->above && value == key->minimum) &&
           value <= key->maximum && (value == floor(value) || !aft_key_is_whole(key));
}

static void assert_taken_if_inside(AftScenario *scenario, const AftKey *key, const char *text)
{
    double value = 0.0;
    gboolean number = key->type >= AFT_KEY_COUNT && key->type <= AFT_KEY_SHARE;
    gboolean read = number && aft_units_parse(aft_key_unit(key), text, &value, NULL);
    if ((!read || is_inside(key, value)) && fits(key, text) && !is_taken(scenario, key, text)) {
        fail_msg("%s does not take \"%s\", but its pattern does", key->path, text);
    }
}

/* What fits and is not taken is a number, and out of range or not whole. */
static void only_ranges_are_not_in_patterns(void **state)
{
    (void)state;
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *pattern = aft_key_pattern(&keys[i]);
        for (guint j = 0; j < G_N_ELEMENTS(texts) && pattern != NULL; j++) {
            assert_taken_if_inside(scenario, &keys[i], texts[j]);
        }
    }
}

static void defaults_and_words_fit(void **state)
{
    (void)state;
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *pattern = aft_key_pattern(&keys[i]);
        if (pattern != NULL) {
            assert_true(keys[i].fallback == NULL || fits(&keys[i], keys[i].fallback));
            assert_true(keys[i].word == NULL || fits(&keys[i], keys[i].word));
        }
    }
}

static const AftKey *key_at(const char *path)
{
    AftKeyMatch match = {0};
    assert_true(aft_keys_find(path, &match));
    return match.key;
}

static void assert_range(const char *path, const char *expected)
{
    g_autofree char *range = aft_key_range(key_at(path));
    assert_string_equal(range != NULL ? range : "none", expected);
}

static void ranges_are_told_in_units(void **state)
{
    (void)state;
    assert_range("version", "1");
    assert_range("cluster.nodes", "1 to 100000");
    assert_range("run.precision", "above 0 %, at most 100 %");
    assert_range("tiers.delay_max", "0 s to 1 h");
    assert_range("workload.name", "none");
}

static void numbers_without_a_unit_are_known(void **state)
{
    (void)state;
    double low = NAN, high = NAN;
    gboolean above = FALSE;
    assert_true(aft_key_plain_range(key_at("tiers.delay_max"), &low, &high, &above));
    assert_within(high, 0.0, 0.0); /* only nothing needs no unit */
    assert_false(aft_key_plain_range(key_at("workload.rate"), &low, &high, &above));
    assert_true(aft_key_plain_range(key_at("requirement.iops"), &low, &high, &above));
    assert_within(high, 1e9, 0.0);
    assert_true(above);
    assert_true(aft_key_plain_range(key_at("workload.on"), &low, &high, &above));
    assert_within(low, -9999999.0, 0.0);
    assert_true(aft_key_plain_range(key_at("timeline.slow.link"), &low, &high, &above));
    assert_false(aft_key_plain_range(key_at("timeline.slow.device"), &low, &high, &above));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_is_taken_is_refused),
        cmocka_unit_test(only_ranges_are_not_in_patterns),
        cmocka_unit_test(defaults_and_words_fit),
        cmocka_unit_test(ranges_are_told_in_units),
        cmocka_unit_test(numbers_without_a_unit_are_known),
    };
    return cmocka_run_group_tests_name("patterns", tests, NULL, NULL);
}
