/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"
#include "terminal.h"

#include <aftershock/base/file.h>
#include <aftershock/scenario/nearest.h>

#include <locale.h>
#include <string.h>

enum { MOST_JOBS = 1024 };

AftExit aft_options_complain(const AftCommand *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    aft_say("aftershock %s: %s\nTry \"aftershock %s --help\".\n", command->name, message,
            command->name);
    return AFT_EXIT_USAGE;
}

/* The name of the option in GLib's "Unknown option --fromat". */
static const char *option_in(const char *message)
{
    const char *dashes = strstr(message, "--");
    return dashes != NULL ? dashes + 2 : "";
}

/* Returns: (transfer none) (nullable). */
static const char *nearest_option(const GOptionEntry *entries, const char *message)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++) {
        g_ptr_array_add(names, (gpointer)entry->long_name);
    }
    g_auto(GStrv) halves = g_strsplit(option_in(message), "=", 2);
    const char *name = halves[0] != NULL ? halves[0] : "";
    return aft_nearest(name, (const char *const *)names->pdata, names->len);
}

static AftExit complain_about(const AftCommand *command, const GOptionEntry *entries,
                              const GError *error)
{
    const char *meant = NULL;
    if (g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)) {
        meant = nearest_option(entries, error->message);
    }
    if (meant == NULL) {
        return aft_options_complain(command, "%s", error->message);
    }
    return aft_options_complain(command, "%s; did you mean --%s?", error->message, meant);
}

/* GLib takes words from the locale's characters to UTF-8. Where the locale has no more than ASCII
 * (cron, containers), they are UTF-8 already if they are anything. */
static gboolean parse_as_utf8(GOptionContext *context, int *argc, char ***argv, GError **error)
{
    g_autofree char *locale = g_strdup(setlocale(LC_CTYPE, NULL));
    gboolean ascii = g_str_equal(locale, "C") || g_str_equal(locale, "POSIX");
    if (ascii) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    gboolean fine = g_option_context_parse(context, argc, argv, error);
    if (ascii) {
        setlocale(LC_CTYPE, locale);
    }
    return fine;
}

AftExit aft_options_parse(const AftCommand *command, const GOptionEntry *entries, int *argc,
                          char ***argv)
{
    gboolean help = FALSE;
    const GOptionEntry help_entry[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL},
        G_OPTION_ENTRY_NULL,
    };
    g_autofree char *program = g_strconcat("aftershock ", command->name, NULL);
    g_set_prgname(program);
    g_autoptr(GOptionContext) context = g_option_context_new(command->arguments);
    g_option_context_set_summary(context, command->summary);
    g_option_context_set_description(context, command->more);
    g_option_context_set_help_enabled(context, FALSE); /* GLib's would end the process */
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, help_entry, NULL);
    g_autoptr(GError) error = NULL;
    if (!parse_as_utf8(context, argc, argv, &error)) {
        return complain_about(command, entries, error);
    }
    if (help) {
        g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
        return aft_print("%s", text);
    }
    return AFT_EXIT_NOT_YET;
}

AftExit aft_options_read_jobs(const AftCommand *command, const char *text, guint *ret_jobs)
{
    guint64 jobs = g_get_num_processors();
    if (text != NULL && !g_ascii_string_to_unsigned(text, 10, 1, MOST_JOBS, &jobs, NULL)) {
        return aft_options_complain(command, "--jobs %s: expected 1 to %d", text, MOST_JOBS);
    }
    *ret_jobs = (guint)MIN(jobs, MOST_JOBS);
    return AFT_EXIT_NOT_YET;
}

AftExit aft_options_check_settings(const AftCommand *command, char **settings)
{
    for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
        const char *equals = strchr(settings[i], '=');
        if (equals == NULL || equals == settings[i]) {
            return aft_options_complain(command, "--set %s: expected PATH=VALUE", settings[i]);
        }
    }
    return AFT_EXIT_NOT_YET;
}

AftExit aft_options_check_output(const AftCommand *command, const char *directory,
                                 const char *const *names)
{
    const char *const none[] = {NULL};
    g_autoptr(GError) error = NULL;
    if (!aft_files_placeable(directory, none, &error)) {
        return aft_options_complain(command, "%s", error->message);
    }
    if (!aft_files_placeable(directory, names, &error)) {
        aft_say("aftershock %s: %s\n", command->name, error->message);
        return AFT_EXIT_UNFINISHED;
    }
    return AFT_EXIT_NOT_YET;
}

GPtrArray *aft_options_settings(char **settings, const char *seed, const char *fidelity)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
        g_ptr_array_add(all, g_strdup(settings[i]));
    }
    if (seed != NULL) {
        g_ptr_array_add(all, g_strconcat("run.seed=", seed, NULL));
    }
    if (fidelity != NULL) {
        g_ptr_array_add(all, g_strconcat("run.fidelity=", fidelity, NULL));
    }
    g_ptr_array_add(all, NULL);
    return all;
}

GPtrArray *aft_options_join(char **first, const char *const *second)
{
    GPtrArray *all = g_ptr_array_new();
    for (guint i = 0; first[i] != NULL; i++) {
        g_ptr_array_add(all, first[i]);
    }
    for (guint i = 0; second[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)second[i]);
    }
    g_ptr_array_add(all, NULL);
    return all;
}
