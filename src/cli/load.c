/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load.h"
#include "shipped.h"
#include "stdin.h"
#include "terminal.h"

#include <aftershock/loader/edit.h>
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

static gboolean is_stdin(const char *file)
{
    return g_str_equal(file, AFT_STDIN_NAME);
}

/* Returns: (transfer full) (nullable): what stands for standard input, once it is kept. */
static char *find_stdin(void)
{
    g_autoptr(GError) error = NULL;
    if (aft_terminal_is(stdin)) {
        aft_say("Reading from the terminal; Ctrl-D ends it\n");
    }
    if (!aft_stdin_keep(&error)) {
        aft_say("aftershock: %s\n", error->message);
        return NULL;
    }
    return g_strdup(AFT_STDIN_NAME);
}

/* @noun is what the @kind is called. */
static char *find_file(AftShipped kind, const char *noun, const char *name)
{
    if (g_str_equal(name, "-")) {
        return find_stdin();
    }
    if (g_file_test(name, G_FILE_TEST_EXISTS)) {
        return g_strconcat(is_stdin(name) ? "./" : "", name, NULL); /* a file called so */
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

gboolean aft_file_is_kind(const char *file, const char *kind)
{
    gsize bytes = 0;
    g_autofree char *text = is_stdin(file) ? aft_stdin_read(&bytes, NULL) : NULL;
    return text != NULL ? aft_loader_text_is_kind(text, bytes, kind)
                        : aft_loader_is_kind(file, kind);
}

AftScenario *aft_read_scenario(const char *file, const char *const *settings, GPtrArray *messages,
                               GError **error)
{
    if (!is_stdin(file)) {
        return aft_loader_load_file(file, settings, messages, error);
    }
    gsize bytes = 0;
    g_autofree char *text = aft_stdin_read(&bytes, error);
    return text != NULL ? aft_loader_load_text(file, text, bytes, settings, messages, error) : NULL;
}

char *aft_edit_scenario(const char *file, const char *const *settings, GPtrArray *unwritten,
                        GError **error)
{
    if (!is_stdin(file)) {
        return aft_loader_edit_file(file, settings, unwritten, error);
    }
    gsize bytes = 0;
    g_autofree char *text = aft_stdin_read(&bytes, error);
    return text != NULL ? aft_loader_edit_text(file, text, bytes, settings, unwritten, error)
                        : NULL;
}

AftScenario *aft_load_scenario(const char *file, const char *const *settings)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftScenario *scenario = aft_read_scenario(file, settings, messages, &error);
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
    AftScenario *scenario = aft_read_scenario(file, settings, messages, &reason);
    if (scenario == NULL) {
        g_autofree char *first = first_error(messages);
        g_set_error_literal(error, reason->domain, reason->code,
                            first != NULL ? first : reason->message);
    }
    return scenario;
}

static AftReference *read_reference(const char *file, GPtrArray *messages, GError **error)
{
    if (!is_stdin(file)) {
        return aft_loader_load_reference(file, messages, error);
    }
    gsize bytes = 0;
    g_autofree char *text = aft_stdin_read(&bytes, error);
    return text != NULL ? aft_loader_load_reference_text(file, text, bytes, messages, error) : NULL;
}

AftReference *aft_load_reference(const char *file)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftReference *reference = read_reference(file, messages, &error);
    tell(messages, error);
    return reference;
}

static AftSweep *read_sweep(const char *file, GPtrArray *messages, GError **error)
{
    if (!is_stdin(file)) {
        return aft_loader_load_sweep(file, messages, error);
    }
    gsize bytes = 0;
    g_autofree char *text = aft_stdin_read(&bytes, error);
    return text != NULL ? aft_loader_load_sweep_text(file, text, bytes, NULL, messages, error)
                        : NULL;
}

AftSweep *aft_load_sweep(const char *file)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftSweep *sweep = read_sweep(file, messages, &error);
    tell(messages, error);
    return sweep;
}

char *aft_file_label(const char *file)
{
    if (is_stdin(file)) {
        return g_strdup("stdin");
    }
    g_autofree char *name = g_path_get_basename(file);
    char *suffix = strrchr(name, '.');
    if (suffix != NULL && suffix != name) {
        *suffix = '\0';
    }
    return g_steal_pointer(&name);
}
