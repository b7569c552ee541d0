/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "free_keys.h"
#include "batch.h"
#include "options.h"

#include <aftershock/base/error.h>
#include <aftershock/calibrate/calibrate.h>
#include <aftershock/scenario/keys.h>

#include <math.h>
#include <string.h>

/* The bounds in @text, "low:high", of a quantity of @unit. */
static gboolean read_bounds(const char *text, AftUnit unit, double *ret_low, double *ret_high,
                            GError **error)
{
    g_auto(GStrv) sides = g_strsplit(text, ":", 3);
    if (g_strv_length(sides) != 2) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "\"%s\": expected LOW:HIGH", text);
        return FALSE;
    }
    return aft_units_parse(unit, sides[0], ret_low, error) &&
           aft_units_parse(unit, sides[1], ret_high, error);
}

/* "path" or "path=low:high". */
static gboolean read_key(const char *word, const AftScenario *scenario, AftFreeKey *ret_key,
                         GError **error)
{
    const char *equals = strchr(word, '=');
    g_autofree char *path =
        g_strstrip(equals != NULL ? g_strndup(word, (gsize)(equals - word)) : g_strdup(word));
    double low = NAN, high = NAN;
    AftKeyMatch match;
    if (equals != NULL && aft_keys_find(path, &match) &&
        !read_bounds(equals + 1, aft_key_unit(match.key), &low, &high, error)) {
        g_prefix_error(error, "%s: ", path);
        return FALSE;
    }
    return aft_free_key_init(ret_key, scenario, path, low, high, error);
}

static void clear_key(gpointer key)
{
    aft_free_key_clear(key);
}

static char *full_path(const char *path)
{
    AftKeyMatch match;
    return aft_keys_find(path, &match) ? aft_keys_path(match.key->path, match.step)
                                       : g_strdup(path);
}

/* Whether @key, maybe written in another way, is among @keys. */
static gboolean is_among(const GArray *keys, const AftFreeKey *key)
{
    g_autofree char *path = full_path(key->path);
    for (guint i = 0; i < keys->len; i++) {
        g_autofree char *other = full_path(g_array_index(keys, AftFreeKey, i).path);
        if (g_str_equal(path, other)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The first scenario that has the key that @word names, by which it begins; if none has it, the
 * first. */
static const AftScenario *first_with(const GPtrArray *jobs, const char *word)
{
    g_autofree char *path = g_strstrip(g_strndup(word, strcspn(word, "=")));
    for (guint i = 0; i < jobs->len; i++) {
        const AftJob *job = g_ptr_array_index(jobs, i);
        if (aft_free_key_is_of(job->scenario, path)) {
            return job->scenario;
        }
    }
    return ((const AftJob *)g_ptr_array_index(jobs, 0))->scenario;
}

/* Adds what @word says to @keys. Returns: FALSE after a complaint. */
static gboolean add_key(const AftCommand *command, GArray *keys, const char *word,
                        const GPtrArray *jobs)
{
    g_autoptr(GError) error = NULL;
    AftFreeKey key;
    if (!read_key(word, first_with(jobs, word), &key, &error)) {
        aft_options_complain(command, "--free %s", error->message);
        return FALSE;
    }
    gboolean again = is_among(keys, &key);
    if (again) {
        aft_options_complain(command, "--free %s: is free already", key.path);
    }
    g_array_append_val(keys, key); /* which frees it */
    return !again;
}

GArray *aft_free_keys_read(const AftCommand *command, char **texts, const GPtrArray *jobs)
{
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(AftFreeKey));
    g_array_set_clear_func(keys, clear_key);
    for (guint i = 0; texts[i] != NULL; i++) {
        g_auto(GStrv) words = g_strsplit(texts[i], ",", -1);
        for (guint word = 0; words[word] != NULL; word++) {
            if (!add_key(command, keys, words[word], jobs)) {
                return NULL;
            }
        }
    }
    if (keys->len < 1 || keys->len > AFT_CALIBRATION_MOST_KEYS) {
        aft_options_complain(command, "--free: expected 1 to %d keys, got %u",
                             AFT_CALIBRATION_MOST_KEYS, keys->len);
        return NULL;
    }
    return g_steal_pointer(&keys);
}
