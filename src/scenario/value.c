/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "value.h"

#include "selector.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/parts.h>

#include <math.h>
#include <string.h>

#define NS_PER_S (1e9)

/* What a reader has to go on with. */
typedef struct {
    const AftKey *key;
    const char *text;
    const char *path;
    GPtrArray *problems;
} Reading;

static gboolean refuse(const Reading *reading)
{
    g_autofree char *expected = aft_key_describe(reading->key);
    aft_problems_add(reading->problems, FALSE, reading->path, NULL, "expected %s, got \"%s\"",
                     expected, reading->text);
    return FALSE;
}

static gboolean refuse_name(const Reading *reading)
{
    const char *const *choices = reading->key->choices;
    guint n = g_strv_length((char **)choices);
    g_autofree char *expected = aft_key_describe(reading->key);
    aft_problems_add(reading->problems, FALSE, reading->path,
                     aft_nearest(reading->text, choices, n), "expected %s, got \"%s\"", expected,
                     reading->text);
    return FALSE;
}

gboolean aft_value_is_whole(AftKeyType type)
{
    return type == AFT_KEY_COUNT || type == AFT_KEY_INTEGER;
}

char *aft_value_bound(const AftKey *key, double bound)
{
    if (aft_value_is_whole(key->type)) {
        return g_strdup_printf("%.0f", bound);
    }
    return aft_units_format(aft_key_unit(key), bound);
}

static gboolean refuse_range(const Reading *reading, gboolean too_small)
{
    const AftKey *key = reading->key;
    g_autofree char *bound = aft_value_bound(key, too_small ? key->minimum : key->maximum);
    const char *text = reading->text;
    if (key->minimum == key->maximum) {
        aft_problems_add(reading->problems, FALSE, reading->path, NULL, "expected %s, got %s",
                         bound, text);
    } else if (too_small) {
        aft_problems_add(reading->problems, FALSE, reading->path, NULL,
                         key->above ? "expected more than %s, got %s"
                                    : "expected %s or more, got %s",
                         bound, text);
    } else {
        aft_problems_add(reading->problems, FALSE, reading->path, NULL,
                         "expected at most %s, got %s", bound, text);
    }
    return FALSE;
}

static gboolean in_range(const Reading *reading, double value)
{
    const AftKey *key = reading->key;
    if (value < key->minimum || (key->above && value == key->minimum)) {
        return refuse_range(reading, TRUE);
    }
    if (value > key->maximum) {
        return refuse_range(reading, FALSE);
    }
    return TRUE;
}

static gboolean parse(const Reading *reading, double *ret_value)
{
    g_autoptr(GError) error = NULL;
    if (aft_units_parse(aft_key_unit(reading->key), reading->text, ret_value, &error) ||
        (reading->key->bare_number &&
         aft_units_parse(AFT_UNIT_COUNT, reading->text, ret_value, NULL))) {
        return TRUE;
    }
    aft_problems_add(reading->problems, FALSE, reading->path, NULL, "%s", error->message);
    return FALSE;
}

static gboolean read_number(const Reading *reading, double *ret_value)
{
    if (reading->key->word != NULL && strcmp(reading->text, reading->key->word) == 0) {
        *ret_value = reading->key->word_value;
        return TRUE;
    }
    double value = 0.0;
    if (!parse(reading, &value)) {
        return FALSE;
    }
    if (aft_value_is_whole(reading->key->type) && value != floor(value)) {
        aft_problems_add(reading->problems, FALSE, reading->path, NULL,
                         "expected a whole number, got %s", reading->text);
        return FALSE;
    }
    if (!in_range(reading, value)) {
        return FALSE;
    }
    *ret_value = value;
    return TRUE;
}

static void store_number(AftKeyType type, double value, void *field)
{
    switch (type) {
    case AFT_KEY_COUNT:
        *(guint *)field = (guint)value;
        break;
    case AFT_KEY_INTEGER:
        *(guint64 *)field = (guint64)value;
        break;
    case AFT_KEY_BYTES:
        *(guint64 *)field = (guint64)round(value);
        break;
    case AFT_KEY_TIME:
        *(gint64 *)field = isinf(value) ? G_MAXINT64 : (gint64)round(value * NS_PER_S);
        break;
    default:
        *(double *)field = value;
        break;
    }
}

static double load_number(AftKeyType type, const void *field)
{
    switch (type) {
    case AFT_KEY_COUNT:
        return *(const guint *)field;
    case AFT_KEY_INTEGER:
    case AFT_KEY_BYTES:
        return (double)*(const guint64 *)field;
    case AFT_KEY_TIME: {
        gint64 ns = *(const gint64 *)field;
        return ns == G_MAXINT64 ? (double)INFINITY : (double)ns / NS_PER_S;
    }
    default:
        return *(const double *)field;
    }
}

/* The index of @text in @choices; -1: not among them. */
static gint index_of(const char *const *choices, const char *text)
{
    for (gint i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], text) == 0) {
            return i;
        }
    }
    return -1;
}

static gboolean read_choice(const Reading *reading, void *field)
{
    gint index = index_of(reading->key->choices, reading->text);
    if (index < 0) {
        return refuse_name(reading);
    }
    *(guint *)field = (guint)index;
    return TRUE;
}

static void store_text(const char *text, void *field)
{
    g_free(*(char **)field);
    *(char **)field = g_strdup(text);
}

/* One line of text, not empty. */
static gboolean is_name(const char *text, gsize longest)
{
    if (*text == '\0' || strlen(text) > longest || !g_utf8_validate(text, -1, NULL)) {
        return FALSE;
    }
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        if (g_unichar_iscntrl(g_utf8_get_char(p))) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_text(const Reading *reading, void *field)
{
    switch (reading->key->type) {
    case AFT_KEY_WORD:
        if (index_of(reading->key->choices, reading->text) < 0) {
            return refuse_name(reading);
        }
        break;
    case AFT_KEY_SELECTOR:
        if (!aft_selector_is_valid(reading->text)) {
            return refuse(reading);
        }
        break;
    default:
        if (!is_name(reading->text, reading->key->type == AFT_KEY_FILE ? AFT_VALUE_LONGEST_PATH
                                                                       : AFT_VALUE_LONGEST_NAME)) {
            return refuse(reading);
        }
        break;
    }
    store_text(reading->text, field);
    return TRUE;
}

static gboolean read_part(const Reading *reading, AftPart *part)
{
    const AftKey *key = reading->key;
    if (aft_part_parse(reading->text, key->parts, key->bare_number, part)) {
        return TRUE;
    }
    g_autofree char *expected = aft_key_describe(key);
    g_autofree char *meant = aft_part_suggest(reading->text, key->parts);
    aft_problems_add(reading->problems, FALSE, reading->path, meant, "expected %s, got \"%s\"",
                     expected, reading->text);
    return FALSE;
}

static gboolean read_trimmed(const Reading *reading, void *field)
{
    double value = 0.0;
    switch (reading->key->type) {
    case AFT_KEY_TEXT:
    case AFT_KEY_FILE:
    case AFT_KEY_WORD:
    case AFT_KEY_SELECTOR:
        return read_text(reading, field);
    case AFT_KEY_CHOICE:
        return read_choice(reading, field);
    case AFT_KEY_PART:
        return read_part(reading, field);
    default:
        if (!read_number(reading, &value)) {
            return FALSE;
        }
        store_number(reading->key->type, value, field);
        return TRUE;
    }
}

static gboolean read_value(const AftKey *key, const char *text, void *field, const char *path,
                           GPtrArray *problems)
{
    g_assert(key->type != AFT_KEY_BARE);
    g_autofree char *trimmed = g_strstrip(g_strdup(text));
    Reading reading = {key, trimmed, path, problems};
    return read_trimmed(&reading, field);
}

/* The action that @field is a member of, where @key belongs to actions of one kind. */
static AftActionKind *kind_of_action(const AftKey *key, void *field)
{
    AftAction *action = (void *)((char *)field - key->offset);
    return &action->kind;
}

gboolean aft_value_read(const AftKey *key, const char *text, void *field, const char *path,
                        GPtrArray *problems)
{
    gboolean fine = read_value(key, text, field, path, problems);
    if (fine && key->action != AFT_ACTION_NONE) {
        *kind_of_action(key, field) = key->action;
    }
    return fine;
}

gboolean aft_value_there(const AftKey *key, const void *field)
{
    return key->action == AFT_ACTION_NONE ||
           *kind_of_action(key, (void *)(gsize)field) == key->action;
}

static gboolean holds_text(AftKeyType type)
{
    return type == AFT_KEY_TEXT || type == AFT_KEY_FILE || type == AFT_KEY_WORD ||
           type == AFT_KEY_SELECTOR;
}

static char *write_number(const AftKey *key, double value)
{
    if (key->word != NULL && value == key->word_value) {
        return g_strdup(key->word);
    }
    if (value < key->minimum || (key->above && value == key->minimum)) {
        return NULL; /* the zero of what was never set */
    }
    if (aft_value_is_whole(key->type)) {
        return g_strdup_printf("%.0f", value);
    }
    return aft_units_format_exact(aft_key_unit(key), value);
}

char *aft_value_write(const AftKey *key, const void *field)
{
    if (!aft_value_there(key, field)) {
        return NULL;
    }
    if (holds_text(key->type)) {
        return g_strdup(*(char *const *)field);
    }
    if (key->type == AFT_KEY_CHOICE) {
        return g_strdup(key->choices[*(const guint *)field]);
    }
    if (key->type == AFT_KEY_PART) {
        return aft_part_format(field);
    }
    return write_number(key, load_number(key->type, field));
}

static char *write_bits(const AftKey *key, const void *field)
{
    switch (key->type) {
    case AFT_KEY_COUNT:
        return g_strdup_printf("%u", *(const guint *)field);
    case AFT_KEY_INTEGER:
    case AFT_KEY_BYTES:
    case AFT_KEY_TIME:
        return g_strdup_printf("%" G_GUINT64_FORMAT, *(const guint64 *)field);
    case AFT_KEY_NUMBER:
    case AFT_KEY_BANDWIDTH:
    case AFT_KEY_RATE:
    case AFT_KEY_SHARE:
        return g_strdup_printf("%a", *(const double *)field);
    default:
        return aft_value_write(key, field);
    }
}

char *aft_value_write_bits(const AftKey *key, const void *field)
{
    char *text = aft_value_there(key, field) ? write_bits(key, field) : NULL;
    return text == NULL ? g_strdup("") : text;
}

static gsize field_bytes(AftKeyType type)
{
    switch (type) {
    case AFT_KEY_COUNT:
    case AFT_KEY_CHOICE:
        return sizeof(guint);
    case AFT_KEY_PART:
        return sizeof(AftPart);
    default:
        return sizeof(guint64); /* as large as a double, a time, a pointer */
    }
}

void aft_value_clear(const AftKey *key, void *field)
{
    if (holds_text(key->type)) {
        g_clear_pointer((char **)field, g_free);
    }
}

void aft_value_reset(const AftKey *key, void *field)
{
    aft_value_clear(key, field);
    memset(field, 0, field_bytes(key->type));
    if (key->fallback != NULL) {
        gboolean fine = read_value(key, key->fallback, field, key->path, NULL);
        g_assert(fine); /* tests hold every default to its own row */
    }
}
