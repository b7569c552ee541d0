/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load.h"
#include "shipped.h"
#include "terminal.h"

#include <aftershock/loader/loader.h>
#include <aftershock/loader/reference.h>
#include <aftershock/loader/sweep.h>
#include <aftershock/scenario/nearest.h>

#include <string.h>

/* Returns: (transfer full) (nullable): the shipped file @name was meant to be. */
static char *nearest_shipped(AftShipped kind, const char *name)
{
    g_autoptr(GPtrArray) names = aft_shipped_names(kind);
    return g_strdup(aft_nearest(name, (const char *const *)names->pdata, names->len));
}

/* @noun is what the @kind is called. */
static char *find_file(AftShipped kind, const char *noun, const char *name)
{
    if (g_file_test(name, G_FILE_TEST_EXISTS)) {
        return g_strdup(name);
    }
    g_autofree char *shipped = aft_shipped_path(kind, name);
    if (shipped != NULL) {
        return g_steal_pointer(&shipped);
    }
    g_autofree char *meant = nearest_shipped(kind, name);
    aft_say("aftershock: there is no file \"%s\", nor a %s of that name", name, noun);
    if (meant != NULL) {
        aft_say("; did you mean %s?", meant);
    }
    aft_say("\nTry \"aftershock list %ss\".\n", noun);
    return NULL;
}

char *aft_find_scenario(const char *name)
{
    return find_file(AFT_SHIPPED_SCENARIO, "scenario", name);
}

char *aft_find_reference(const char *name)
{
    return find_file(AFT_SHIPPED_REFERENCE, "reference", name);
}

char *aft_find_sweep(const char *name)
{
    return find_file(AFT_SHIPPED_SWEEP, "sweep", name);
}

/* @error (nullable) comes last. */
static void tell(const GPtrArray *messages, const GError *error)
{
    for (guint i = 0; i < messages->len; i++) {
        aft_say("%s\n", (const char *)g_ptr_array_index(messages, i));
    }
    if (error != NULL) {
        aft_say("%s\n", error->message);
    }
}

AftScenario *aft_load_scenario(const char *file, const char *const *settings)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftScenario *scenario = aft_loader_load_file(file, settings, messages, &error);
    tell(messages, error);
    return scenario;
}

/* The first of @messages that is an error, without place and excerpt: "path: what is wrong".
 * Returns: (transfer full) (nullable). */
static char *first_error(const GPtrArray *messages)
{
    static const char mark[] = ": error: ";
    for (guint i = 0; i < messages->len; i++) {
        const char *found = strstr(g_ptr_array_index(messages, i), mark);
        if (found != NULL) {
            found += strlen(mark);
            return g_strndup(found, strcspn(found, "\n"));
        }
    }
    return NULL;
}

AftScenario *aft_make_scenario(const char *file, const char *const *settings, GError **error)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) reason = NULL;
    AftScenario *scenario = aft_loader_load_file(file, settings, messages, &reason);
    if (scenario == NULL) {
        g_autofree char *first = first_error(messages);
        g_set_error_literal(error, reason->domain, reason->code,
                            first != NULL ? first : reason->message);
    }
    return scenario;
}

AftReference *aft_load_reference(const char *file)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftReference *reference = aft_loader_load_reference(file, messages, &error);
    tell(messages, error);
    return reference;
}

AftSweep *aft_load_sweep(const char *file)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftSweep *sweep = aft_loader_load_sweep(file, messages, &error);
    tell(messages, error);
    return sweep;
}

char *aft_file_label(const char *file)
{
    g_autofree char *name = g_path_get_basename(file);
    char *suffix = strrchr(name, '.');
    if (suffix != NULL && suffix != name) {
        *suffix = '\0';
    }
    return g_steal_pointer(&name);
}
