/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_loader.h"

#include <aftershock/loader/loader.h>
#include <aftershock/loader/reference.h>

#include <string.h>

enum { MOST_MESSAGES = 1001 };

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

int LLVMFuzzerTestOneInput(const guint8 *data, gsize bytes)
{
    g_autofree char *said = load_reference(data, bytes), *said_again = load_reference(data, bytes);
    g_assert_cmpstr(said, ==, said_again);
    g_autofree char *once = load(data, bytes), *again = load(data, bytes);
    g_assert_cmpstr(once, ==, again);
    return 0;
}
