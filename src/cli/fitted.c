/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fitted.h"
#include "load.h"
#include "options.h"
#include "same_file.h"
#include "terminal.h"

#include <aftershock/base/error.h>
#include <aftershock/base/file.h>
#include <aftershock/base/units.h>
#include <aftershock/report/calibration.h>
#include <aftershock/scenario/keys.h>

#include <string.h>

#define FIGURES_NAME "calibration.json"

static char *name_of(const AftJob *job)
{
    return g_strconcat(job->label, ".yaml", NULL);
}

static char *target_of(const AftJob *job, const char *directory)
{
    g_autofree char *name = name_of(job);
    return g_build_filename(directory, name, NULL);
}

gboolean aft_fitted_may_write(const GPtrArray *jobs, const char *reference, const char *directory,
                              GError **error)
{
    for (guint i = 0; i < jobs->len; i++) {
        const AftJob *job = g_ptr_array_index(jobs, i);
        g_autofree char *target = target_of(job, directory);
        if (strchr(job->label, G_DIR_SEPARATOR) != NULL) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: no file can be called that",
                        job->label);
            return FALSE;
        }
        if (aft_same_file(target, reference)) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                        "%s: is the reference, another directory would keep it", target);
            return FALSE;
        }
        for (guint other = 0; other < jobs->len; other++) {
            const AftJob *source = g_ptr_array_index(jobs, other);
            if (aft_same_file(target, source->file)) {
                g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                            "%s: is a scenario to be fitted, another directory would keep it",
                            target);
                return FALSE;
            }
        }
    }
    return TRUE;
}

GPtrArray *aft_fitted_names(const GPtrArray *jobs)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(names, g_strdup(FIGURES_NAME));
    for (guint i = 0; i < jobs->len; i++) {
        g_ptr_array_add(names, name_of(g_ptr_array_index(jobs, i)));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

/* "path=value" of each key. Returns: (transfer full). */
static char **fitted_settings(const AftCalibration *calibration)
{
    char **settings = g_new0(char *, calibration->n_keys + 1);
    for (guint i = 0; i < calibration->n_keys; i++) {
        const AftFittedKey *it = &calibration->keys[i];
        g_autofree char *value = aft_units_format(it->key.unit, it->value);
        settings[i] = g_strdup_printf("%s=%s", it->key.path, value);
    }
    return settings;
}

char **aft_fitted_settings_of(const AftJob *job, const char *const *settings)
{
    g_autoptr(GPtrArray) its = g_ptr_array_new();
    for (guint i = 0; settings[i] != NULL; i++) {
        g_autofree char *path = g_strndup(settings[i], strcspn(settings[i], "="));
        if (aft_free_key_is_of(job->scenario, path)) {
            g_ptr_array_add(its, g_strdup(settings[i]));
        }
    }
    g_ptr_array_add(its, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&its), FALSE);
}

/* Adds to @settings the file that each key of a file means, since paths count from where they
 * stand. */
static void add_file(const AftKey *key, const char *path, void *field, gpointer settings)
{
    const char *file = key->type == AFT_KEY_FILE ? *(char *const *)field : NULL;
    if (file != NULL && *file != '\0') {
        g_autofree char *whole = g_canonicalize_filename(file, NULL);
        g_ptr_array_add(settings, g_strdup_printf("%s=%s", path, whole));
    }
}

/* The file of @job with what was set for it, and then @fitted, in it. Returns: (transfer full)
 * (nullable): NULL after a complaint. */
static char *fitted_scenario(const AftJob *job, char **fitted, const char *target)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    aft_keys_visit(job->scenario, add_file, files);
    g_ptr_array_add(files, NULL);
    g_autoptr(GPtrArray) set = aft_options_join(job->settings, (const char *const *)files->pdata);
    g_auto(GStrv) its = aft_fitted_settings_of(job, (const char *const *)fitted);
    g_autoptr(GPtrArray) settings = aft_options_join((char **)set->pdata, (const char *const *)its);
    g_autoptr(GPtrArray) unwritten = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    char *text =
        aft_edit_scenario(job->file, (const char *const *)settings->pdata, unwritten, &error);
    if (text == NULL) {
        aft_say("aftershock calibrate: %s\n", error->message);
    }
    for (guint i = 0; i < unwritten->len; i++) {
        aft_say("%s has no place for %s; give it with --set\n", target,
                (const char *)g_ptr_array_index(unwritten, i));
    }
    return text;
}

/* Adds a file to @set that holds @text (transfer full, nullable). Returns: whether it does. */
static gboolean add_text(GArray *set, char *path, char *text)
{
    AftNewFile file = {path, aft_file_write_text, text};
    g_array_append_val(set, file);
    return text != NULL;
}

static void clear_text(gpointer data)
{
    AftNewFile *file = data;
    g_free((char *)file->path);
    g_free((gpointer)file->what);
}

/* Makes the files of a calibration; the first tells of all others. Returns: FALSE after a
 * complaint. */
static gboolean make_files(const AftCalibration *calibration, const GPtrArray *jobs,
                           const char *directory, GArray *set)
{
    g_auto(GStrv) settings = fitted_settings(calibration);
    gboolean fine = add_text(set, g_build_filename(directory, FIGURES_NAME, NULL),
                             aft_calibration_json(calibration));
    for (guint i = 0; i < jobs->len; i++) {
        const AftJob *job = g_ptr_array_index(jobs, i);
        char *target = target_of(job, directory);
        fine = add_text(set, target, fitted_scenario(job, settings, target)) && fine;
    }
    return fine;
}

gboolean aft_fitted_write(const AftCalibration *calibration, const GPtrArray *jobs,
                          const char *directory)
{
    g_autoptr(GArray) set = g_array_new(FALSE, FALSE, sizeof(AftNewFile));
    g_array_set_clear_func(set, clear_text);
    if (!make_files(calibration, jobs, directory, set)) {
        return FALSE;
    }
    g_autoptr(GError) error = NULL;
    gboolean made = g_mkdir_with_parents(directory, 0777) == 0 ||
                    aft_file_failed(directory, "cannot make the directory", &error);
    if (!made || !aft_files_place((const AftNewFile *)(gpointer)set->data, set->len, &error)) {
        aft_say("aftershock calibrate: %s\n", error->message);
        return FALSE;
    }
    aft_say("Wrote %s\n", directory);
    return TRUE;
}
