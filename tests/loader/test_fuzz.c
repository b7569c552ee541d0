/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_loader.h"
#include "load.h"

enum { MUTATIONS = 1500, LARGE = 64 * 1024 };

static void try_text(const GString *text)
{
    /* A copy of just this size, so that reading behind its end is found. */
    g_autofree guint8 *copy = g_memdup2(text->str, MAX(text->len, 1));
    LLVMFuzzerTestOneInput(copy, text->len);
}

static void try_repeated(const char *start, const char *piece, gsize bytes, const char *end)
{
    g_autoptr(GString) text = g_string_new(start);
    while (text->len < bytes) {
        g_string_append(text, piece);
    }
    g_string_append(text, end);
    try_text(text);
}

static void large_texts_are_answered(void **state)
{
    (void)state;
    static const char *const texts[][3] = {
        {"", "[", ""},
        {"", "{", ""},
        {"", "{a: ", ""},
        {"", "- ", ""},
        {"", "? ", ""},
        {"", "a:\n", ""},
        {"", "---\n", ""},
        {"", "\n", ""},
        {"", "\t", ""},
        {"", "\"", ""},
        {"", "&a ", ""},
        {"", "!", ""},
        {"name: ", "x", "\n"},
        {"name: \"", "\\", "\"\n"},
        {"name: |\n", " x\n", ""},
        {"", "x", ": 1\n"},
        {"? ", "x", "\n: 1\n"},
        {"a: &a [x]\nb: [", "*a,", "]\n"},
        {"timeline: [", "{},", "]\n"},
        {"timeline:\n", "- {at: 1 s, fail: node 0}\n", ""},
        {SMALLEST "timeline:\n", "- {at: 100 d, fail: node 0}\n", ""},
        {SMALLEST "timeline:\n", "- {at: 1 s, fail: device 0.0.0}\n", ""},
        {SMALLEST "timeline:\n", "- {at: 1 s, slow: {link: 0, factor: 2, for: 1 s}}\n", ""},
        {SMALLEST "timeline:\n", "- {at: 1 s, add: {nodes: 100000}}\n", ""},
        {SMALLEST "timeline:\n", "- {at: 1 s, stop: scrub}\n", ""},
        {SMALLEST "faults:\n", "- {every: 1 d, repair: 1 s}\n", ""},
        {"cluster:\n  groups:\n", "  - {nodes: 100000, node: {compute: off}}\n", ""},
        {"timeline:\n", "- {fial: node 0}\n", ""},
        {"timeline:\n", "- {set: {data.protection: rf2}}\n", ""},
        {SMALLEST "timeline:\n", "- {at: 1 s, set: {data.protection: rf2}}\n", ""},
        {"timeline: {set: {", "data.", ": rf2}}\n"},
        {"data:\n", "- {services: {compression: on}}\n", ""},
        {"timeline:\n", "- x\n", ""},
        {"timeline:\n", "-\n", ""},
        {"workload:\n", "- {kind: closed}\n", ""},
        {"data:\n", "- {logical: 1 B}\n", ""},
        {"devices: {a: {spread: {values: [", "1,", "]}}}\n"},
        {"devices: {", "hdd-7k2: {read: 1 ms}, ", "}\n"},
        {"unknown: [", "1,", "]\n"},
        {"kind: reference\ncells:\n", "- {}\n", ""},
        {"kind: reference\nconfigurations: [{set: {", "a: 1, ", "}}]\n"},
        {"kind: reference\nconfigurations:\n", "- {label: a, scenario: b}\n", ""},
        {"kind: sweep\naxes: {workload.rate: [", "1 /s, ", "]}\n"},
        {"kind: sweep\naxes: {workload.rate: {uniform: [", "1 /s, ", "]}}\n"},
        {"kind: sweep\naxes: {data.protection: [", "{scheme: rf2}, ", "]}\n"},
        {"kind: sweep\naxes:\n", "  cluster.nodes: 5\n", ""},
        {"version: 1\nkind: sweep\nbase: a\ndesign: list\npoints:\n", "- {cluster.nodes: 3}\n", ""},
        {"workload: {on: '", "0,", "0'}\n"},
        {"run: {seed: ", "9", "}\n"},
        {"run: {seed: 0.", "0", "1}\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        try_repeated(texts[i][0], texts[i][1], LARGE, texts[i][2]);
    }
}

static void laughing_aliases_are_answered(void **state)
{
    (void)state;
    g_autoptr(GString) text = g_string_new("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (guint i = 1; i < 20; i++) {
        g_string_append_printf(text, "a%u: &a%u [*a%u, *a%u, *a%u, *a%u, *a%u, *a%u]\n", i, i,
                               i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    try_text(text);
}

/* What tends to be special to someone on the way. */
static const char *const tokens[] = {
    "[",
    "]",
    "{",
    "}",
    ":",
    ": ",
    ",",
    "- ",
    "\n",
    "\n  ",
    "\t",
    "#",
    "&a ",
    "*a",
    "!!int ",
    "? ",
    "<<: ",
    "---\n",
    "...\n",
    "|",
    "'",
    "\"",
    "\\",
    "%",
    "\r",
    "\xef\xbb\xbf",
    "\xff",
    "\xc3",
    "nan",
    "inf",
    "-1",
    "0",
    "1e999",
    "1e-999",
    "0x10",
    "9999999999999999999",
    "node 4294967296",
    "~",
    "null",
    "raid6",
    "ec",
    "all",
    "unlimited",
    "none",
    "rf-then-encode",
    "on",
    "off",
    "destage",
    "workload: ",
    "spread: ",
    "set: ",
    "data.protection",
    "uniform: ",
    "sobol",
    "[0]",
    ".",
};

static gsize position(GRand *random, const GString *text)
{
    return (gsize)g_rand_int_range(random, 0, (gint32)text->len + 1);
}

static void mutate(GRand *random, GString *text)
{
    gsize at = position(random, text), other = position(random, text);
    gsize most = (gsize)g_rand_int_range(random, 1, 40), length = MIN(most, text->len - at);
    guint token = (guint)g_rand_int_range(random, 0, G_N_ELEMENTS(tokens));
    switch (g_rand_int_range(random, 0, 6)) {
    case 0:
        g_string_erase(text, (gssize)at, (gssize)length);
        break;
    case 1: {
        g_autofree char *piece = g_strndup(text->str + at, length);
        g_string_insert_len(text, (gssize)other, piece, (gssize)length);
        break;
    }
    case 2:
        if (at < text->len) {
            text->str[at] = (char)g_rand_int_range(random, 0, 256);
        }
        break;
    case 3:
        g_string_overwrite_len(text, at, tokens[token], (gssize)strlen(tokens[token]));
        break;
    default:
        g_string_insert(text, (gssize)at, tokens[token]);
        break;
    }
}

static void mutated_files_are_answered(void **state)
{
    (void)state;
    GRand *random = g_rand_new_with_seed(20240229);
    for (guint i = 0; i < MUTATIONS; i++) {
        static const char *const seeds[] = {SHOWN, SMALLEST, VARIED, REFERENCE, SWEEP, LISTED};
        g_autoptr(GString) text = g_string_new(seeds[i % G_N_ELEMENTS(seeds)]);
        gint times = g_rand_int_range(random, 1, 5);
        for (gint j = 0; j < times; j++) {
            mutate(random, text);
        }
        try_text(text);
    }
    g_rand_free(random);
}

static void starts_of_files_are_answered(void **state)
{
    (void)state;
    static const char *const files[] = {SHOWN, REFERENCE, VARIED, SWEEP, LISTED};
    for (guint file = 0; file < G_N_ELEMENTS(files); file++) {
        for (gsize i = 0; i <= strlen(files[file]); i += 5) {
            g_autoptr(GString) text = g_string_new_len(files[file], (gssize)i);
            try_text(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_texts_are_answered),
        cmocka_unit_test(laughing_aliases_are_answered),
        cmocka_unit_test(mutated_files_are_answered),
        cmocka_unit_test(starts_of_files_are_answered),
    };
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
