/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inputs.h"
#include "load.h"
#include "options.h"
#include "terminal.h"

#include <aftershock/result/files.h>
#include <aftershock/scenario/nearest.h>

#include <string.h>

static void add(GPtrArray *jobs, const AftJob *like)
{
    AftJob *job = g_new(AftJob, 1);
    *job = *like;
    g_ptr_array_add(jobs, job);
}

/* Whether a terminal shows @label as what it is: it comes from a file. */
static gboolean is_shown(const char *label)
{
    gboolean fine = g_utf8_validate(label, -1, NULL);
    for (const char *p = label; fine && *p != '\0'; p = g_utf8_next_char(p)) {
        fine = !g_unichar_iscntrl(g_utf8_get_char(p));
    }
    return fine;
}

static gboolean add_result(GPtrArray *jobs, const char *label, const char *directory)
{
    g_autoptr(GError) error = NULL;
    AftResult *result = aft_result_read(directory, &error);
    if (result == NULL) {
        aft_say("aftershock: %s\n", error->message);
        return FALSE;
    }
    if (label != NULL) {
        g_free(result->label);
        result->label = g_strdup(label);
    } else if (!is_shown(result->label)) {
        aft_say("aftershock: %s has a label that cannot be shown; give another, LABEL=%s\n",
                directory, directory);
        aft_result_free(result);
        return FALSE;
    }
    add(jobs, &(AftJob){.label = g_strdup(result->label), .result = result});
    return TRUE;
}

static gboolean add_scenario(GPtrArray *jobs, char *label, const char *file, char **settings)
{
    AftScenario *scenario = aft_load_scenario(file, (const char *const *)settings);
    if (scenario == NULL) {
        g_free(label);
        return FALSE;
    }
    add(jobs, &(AftJob){.label = label,
                        .file = g_strdup(file),
                        .settings = g_strdupv(settings),
                        .scenario = scenario});
    return TRUE;
}

/* Its own settings, then @settings. */
static gboolean add_configuration(GPtrArray *jobs, const AftConfiguration *configuration,
                                  const char *label, char **settings)
{
    g_autoptr(GPtrArray) all =
        aft_options_join(configuration->settings, (const char *const *)settings);
    return add_scenario(jobs, g_strdup(label != NULL ? label : configuration->label),
                        configuration->scenario, (char **)all->pdata);
}

gboolean aft_inputs_add(GPtrArray *jobs, const AftReference *reference, const char *word,
                        char **settings)
{
    gboolean whole = g_file_test(word, G_FILE_TEST_EXISTS) ||
                     (reference != NULL && aft_reference_configuration(reference, word) != NULL);
    const char *equals = whole ? NULL : strchr(word, '=');
    gboolean labelled = equals != NULL && equals != word;
    g_autofree char *label = labelled ? g_strndup(word, (gsize)(equals - word)) : NULL;
    const char *what = labelled ? equals + 1 : word;
    if (g_file_test(what, G_FILE_TEST_IS_DIR)) {
        return add_result(jobs, label, what);
    }
    const AftConfiguration *configuration =
        reference != NULL && !g_file_test(what, G_FILE_TEST_EXISTS)
            ? aft_reference_configuration(reference, what)
            : NULL;
    if (configuration != NULL) {
        return add_configuration(jobs, configuration, label, settings);
    }
    g_autofree char *file = aft_find_scenario(what);
    return file != NULL &&
           add_scenario(jobs, label != NULL ? g_strdup(label) : aft_file_label(file), file,
                        settings);
}

gboolean aft_inputs_add_all(GPtrArray *jobs, const AftReference *reference, char **settings)
{
    gboolean fine = TRUE;
    for (guint i = 0; i < reference->configurations->len; i++) {
        fine = add_configuration(jobs, g_ptr_array_index(reference->configurations, i), NULL,
                                 settings) &&
               fine;
    }
    return fine;
}

/* Whether one of @jobs before @index is called the same. */
static gboolean is_taken(const GPtrArray *jobs, guint index)
{
    const char *label = ((const AftJob *)g_ptr_array_index(jobs, index))->label;
    for (guint i = 0; i < index; i++) {
        if (g_str_equal(((const AftJob *)g_ptr_array_index(jobs, i))->label, label)) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean aft_inputs_differ(const AftCommand *command, const GPtrArray *jobs)
{
    for (guint i = 0; i < jobs->len; i++) {
        if (is_taken(jobs, i)) {
            aft_options_complain(command, "there are two configurations called %s",
                                 ((const AftJob *)g_ptr_array_index(jobs, i))->label);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean is_about(const AftReference *reference, const char *label)
{
    for (guint i = 0; i < reference->cells->len; i++) {
        const AftReferenceCell *cell = g_ptr_array_index(reference->cells, i);
        if (g_strcmp0(cell->label, label) == 0 || g_strcmp0(cell->over, label) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean aft_inputs_known(const AftReference *reference, const char *label)
{
    if (is_about(reference, label)) {
        return TRUE;
    }
    g_autoptr(GPtrArray) labels = g_ptr_array_new();
    for (guint i = 0; i < reference->cells->len; i++) {
        g_ptr_array_add(labels,
                        ((AftReferenceCell *)g_ptr_array_index(reference->cells, i))->label);
    }
    const char *nearest = aft_nearest(label, (const char *const *)labels->pdata, labels->len);
    const char *example = nearest != NULL ? nearest : g_ptr_array_index(labels, 0);
    aft_say("aftershock: %s has no cell labelled \"%s\"; say which it is, like %s=WHAT\n",
            reference->name, label, example);
    return FALSE;
}
