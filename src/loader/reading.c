/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reading.h"

#include <aftershock/base/units.h>

#include <math.h>
#include <string.h>

void aft_reading_key_clear(AftReadKey *key)
{
    g_free(key->path);
}

AftReadKey aft_reading_key(const AftReading *reading, const char *item, const char *name)
{
    char *path = g_strconcat(item, *item == '\0' ? "" : ".", name, NULL);
    return (AftReadKey){path, aft_sheet_text(reading->sheet, path)};
}

void aft_reading_demand(const AftReading *reading, const AftReadKey *key, const char *why)
{
    if (!aft_sheet_has(reading->sheet, key->path)) {
        AFT_REFUSE(reading, key, NULL, "missing, %s", why);
    }
}

/* One line, not empty. */
static gboolean is_line(const char *text, gsize longest)
{
    gboolean fine = *text != '\0' && strlen(text) <= longest;
    for (const char *p = text; fine && *p != '\0'; p = g_utf8_next_char(p)) {
        fine = !g_unichar_iscntrl(g_utf8_get_char(p));
    }
    return fine;
}

char *aft_reading_line(const AftReading *reading, const char *item, const char *name, guint longest)
{
    g_auto(AftReadKey) key = aft_reading_key(reading, item, name);
    if (key.text == NULL) {
        return NULL;
    }
    if (!is_line(key.text, longest)) {
        AFT_REFUSE(reading, &key, NULL, "expected one line of at most %u bytes, got \"%s\"",
                   longest, key.text);
        return NULL;
    }
    return g_strdup(key.text);
}

char *aft_reading_needed(const AftReading *reading, const char *item, const char *name,
                         guint longest, const char *why)
{
    g_auto(AftReadKey) key = aft_reading_key(reading, item, name);
    aft_reading_demand(reading, &key, why);
    return aft_reading_line(reading, item, name, longest);
}

void aft_reading_count(const AftReading *reading, const AftReadKey *key, guint *ret_n)
{
    const AftKey *row = &aft_sheet_key(reading->sheet->form, key->path)->value;
    double value = NAN;
    if (key->text == NULL) {
        return;
    }
    if (aft_units_parse(AFT_UNIT_COUNT, key->text, &value, NULL) && value == floor(value) &&
        value >= row->minimum && value <= row->maximum) {
        *ret_n = (guint)value;
    } else {
        AFT_REFUSE(reading, key, NULL, "expected a whole number of %.0f to %.0f, got \"%s\"",
                   row->minimum, row->maximum, key->text);
    }
}

void aft_reading_head(const AftReading *reading, const char *kind)
{
    g_auto(AftReadKey) version = aft_reading_key(reading, "", "version");
    aft_reading_demand(reading, &version, "expected version: 1");
    if (version.text != NULL && strcmp(version.text, "1") != 0) {
        AFT_REFUSE(reading, &version, NULL, "expected 1, got %s", version.text);
    }
    g_auto(AftReadKey) key = aft_reading_key(reading, "", "kind");
    if (key.text != NULL && strcmp(key.text, kind) != 0) {
        AFT_REFUSE(reading, &key, NULL, "expected %s, got \"%s\"", kind, key.text);
    }
}
