/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reading.h"

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

static void read_side(const AftReading *reading, const AftReadKey *key, AftUnit unit, AftSide *side)
{
    g_autoptr(GError) error = NULL;
    if (key->text != NULL && !aft_side_parse(key->text, unit, side, &error)) {
        AFT_REFUSE(reading, key, NULL, "%s", error->message);
    }
}

void aft_reading_tolerance(const AftReading *reading, const char *item, AftUnit unit,
                           AftTolerance *tolerance)
{
    g_auto(AftReadKey) both = aft_reading_key(reading, item, "tolerance");
    if (both.text == NULL) {
        return;
    }
    g_auto(AftReadKey) below = aft_reading_key(reading, both.path, "below");
    g_auto(AftReadKey) above = aft_reading_key(reading, both.path, "above");
    *tolerance = (AftTolerance){0};
    gboolean map =
        aft_sheet_has(reading->sheet, below.path) || aft_sheet_has(reading->sheet, above.path);
    if (!map) { /* whose own text would be empty */
        read_side(reading, &both, unit, &tolerance->below);
    }
    tolerance->above = tolerance->below;
    read_side(reading, &below, unit, &tolerance->below);
    read_side(reading, &above, unit, &tolerance->above);
}
