/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_loader.h"

#include <aftershock/loader/loader.h>
#include <aftershock/loader/reference.h>
#include <aftershock/loader/sweep.h>
#include <aftershock/loader/yaml.h>

#include <string.h>

enum { MOST_MESSAGES = 1001 };

/* What sweeps vary, whatever they name. */
#define BASE                                                                              \
    "version: 1\n"                                                                        \
    "cluster: {nodes: 5, node: {disk_groups: {capacity: {device: hdd-7k2, count: 2}}}}\n" \
    "data: {logical: 1 GB, protection: rf2}\n"                                            \
    "workload: {kind: open, vms: 1, rate: 5 /s}\n"                                        \
    "timeline: {at: 1 h, fail: node 1}\n"

/* A message has a place at its start, and nothing that a terminal would take for a command. */
static void check_message(const char *message)
{
    g_assert_true(g_str_has_prefix(message, "fuzz:"));
    g_assert_true(g_utf8_validate(message, -1, NULL));
    for (const char *p = message; *p != '\0'; p++) {
        g_assert_true(*p == '\n' || !g_ascii_iscntrl(*p));
    }
}

static char *load(const guint8 *data, gsize bytes)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario =
        aft_loader_load_text("fuzz", (const char *)data, bytes, NULL, messages, &error);
    g_assert_true((scenario == NULL) == (error != NULL));
    g_assert_true(scenario != NULL || messages->len > 0);
    g_assert_cmpuint(messages->len, <=, MOST_MESSAGES);
    g_ptr_array_foreach(messages, (GFunc)(void (*)(void))check_message, NULL);
    if (scenario != NULL) {
        return aft_scenario_digest(scenario);
    }
    g_ptr_array_add(messages, NULL);
    return g_strjoinv("\n", (char **)messages->pdata);
}

/* What it says of it, and how much of it there is. */
static char *load_reference(const guint8 *data, gsize bytes)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(AftReference) reference =
        aft_loader_load_reference_text("fuzz", (const char *)data, bytes, messages, &error);
    g_assert_true((reference == NULL) == (error != NULL));
    g_assert_true(reference == NULL || reference->cells->len > 0);
    g_assert_cmpuint(messages->len, <=, MOST_MESSAGES);
    g_ptr_array_foreach(messages, (GFunc)(void (*)(void))check_message, NULL);
    g_ptr_array_add(messages, reference == NULL ? NULL : g_strdup(reference->name));
    g_ptr_array_add(messages, NULL);
    return g_strjoinv("\n", (char **)messages->pdata);
}

static char *load_sweep(const guint8 *data, gsize bytes)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(AftSweep) sweep =
        aft_loader_load_sweep_text("fuzz", (const char *)data, bytes, BASE, messages, &error);
    g_assert_true((sweep == NULL) == (error != NULL));
    g_assert_cmpuint(messages->len, <=, MOST_MESSAGES);
    g_ptr_array_foreach(messages, (GFunc)(void (*)(void))check_message, NULL);
    g_ptr_array_add(messages, sweep == NULL ? NULL : aft_sweep_digest(sweep));
    g_ptr_array_add(messages, NULL);
    return g_strjoinv("\n", (char **)messages->pdata);
}

/* How many keys and values @yaml has. */
static guint count(const AftYaml *yaml)
{
    guint n = 1;
    for (guint i = 0; yaml->items != NULL && i < yaml->items->len; i++) {
        n += count(g_ptr_array_index(yaml->items, i)) + (yaml->keys != NULL ? 1 : 0);
    }
    return n;
}

static char *load_tree(const guint8 *data, gsize bytes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftYaml) yaml = aft_yaml_read("fuzz", (const char *)data, bytes, &error);
    g_assert_true((yaml == NULL) == (error != NULL));
    if (yaml == NULL) {
        check_message(error->message);
        return g_strdup(error->message);
    }
    g_assert_cmpuint(count(yaml), <=, AFT_YAML_MOST_PARTS);
    return g_strdup_printf("%u", count(yaml));
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize bytes)
{
    g_autofree char *tree = load_tree(data, bytes), *tree_again = load_tree(data, bytes);
    g_assert_cmpstr(tree, ==, tree_again);
    g_autofree char *said = load_reference(data, bytes), *said_again = load_reference(data, bytes);
    g_assert_cmpstr(said, ==, said_again);
    g_autofree char *swept = load_sweep(data, bytes), *swept_again = load_sweep(data, bytes);
    g_assert_cmpstr(swept, ==, swept_again);
    g_autofree char *once = load(data, bytes), *again = load(data, bytes);
    g_assert_cmpstr(once, ==, again);
    return 0;
}
