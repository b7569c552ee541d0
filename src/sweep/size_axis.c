/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/size.h>

#include <aftershock/base/error.h>
#include <aftershock/scenario/keys.h>

#include <string.h>

/* Whether @text is "3:32" and @path that of a key that takes whole numbers. */
static gboolean is_range(const char *path, const char *text, guint64 *ret_low, guint64 *ret_high)
{
    AftKeyMatch match;
    g_auto(GStrv) sides = g_strsplit(text, ":", 3);
    gboolean whole = aft_keys_find(path, &match) &&
                     (match.key->type == AFT_KEY_COUNT || match.key->type == AFT_KEY_INTEGER);
    return whole && g_strv_length(sides) == 2 &&
           g_ascii_string_to_unsigned(g_strstrip(sides[0]), 10, 0, G_MAXUINT32, ret_low, NULL) &&
           g_ascii_string_to_unsigned(g_strstrip(sides[1]), 10, 0, G_MAXUINT32, ret_high, NULL);
}

static gboolean too_many(const char *path, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most %d values", path,
                AFT_SIZE_MOST_VALUES);
    return FALSE;
}

static gboolean fill_range(AftSizeAxis *axis, guint64 low, guint64 high, GError **error)
{
    if (low > high) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE,
                    "%s: expected LOW:HIGH, got %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                    axis->path, low, high);
        return FALSE;
    }
    if (high - low >= AFT_SIZE_MOST_VALUES) {
        return too_many(axis->path, error);
    }
    axis->range = TRUE;
    for (guint64 value = low; value <= high; value++) {
        g_ptr_array_add(axis->texts, g_strdup_printf("%" G_GUINT64_FORMAT, value));
    }
    return TRUE;
}

static gboolean fill_list(AftSizeAxis *axis, const char *text, GError **error)
{
    g_auto(GStrv) values = g_strsplit(text, ",", AFT_SIZE_MOST_VALUES + 1);
    if (g_strv_length(values) > AFT_SIZE_MOST_VALUES) {
        return too_many(axis->path, error);
    }
    for (guint i = 0; i == 0 || values[i] != NULL; i++) {
        const char *value = values[i] != NULL ? g_strstrip(values[i]) : "";
        if (*value == '\0') {
            g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: a value is missing in \"%s\"",
                        axis->path, text);
            return FALSE;
        }
        g_ptr_array_add(axis->texts, g_strdup(value));
    }
    return TRUE;
}

static gboolean check_key(const char *path, GError **error)
{
    AftKeyMatch match;
    if (aft_keys_find(path, &match)) {
        return TRUE;
    }
    g_autofree char *meant = aft_keys_suggest(path);
    g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN, "%s: is no key with a value%s%s%s", path,
                meant != NULL ? "; did you mean " : "", meant != NULL ? meant : "",
                meant != NULL ? "?" : "");
    return FALSE;
}

AftSizeAxis *aft_size_axis_parse(const char *text, GError **error)
{
    guint64 low = 0, high = 0;
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX,
                    "%s: expected PATH=LOW:HIGH or PATH=VALUE,VALUE,...", text);
        return NULL;
    }
    g_autoptr(AftSizeAxis) axis = g_new0(AftSizeAxis, 1);
    axis->path = g_strstrip(g_strndup(text, (gsize)(equals - text)));
    axis->texts = g_ptr_array_new_with_free_func(g_free);
    gboolean fine = check_key(axis->path, error) && (is_range(axis->path, equals + 1, &low, &high)
                                                         ? fill_range(axis, low, high, error)
                                                         : fill_list(axis, equals + 1, error));
    return fine ? g_steal_pointer(&axis) : NULL;
}

void aft_size_axis_free(AftSizeAxis *axis)
{
    if (axis != NULL) {
        g_free(axis->path);
        g_ptr_array_unref(axis->texts);
        g_free(axis);
    }
}
