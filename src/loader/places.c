/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "places.h"

#include <string.h>

typedef struct {
    AftPlace key, value;
} Entry;

struct AftPlaces {
    GHashTable *entries; /* full path to Entry */
    AftPlace start;
    char *(*full)(const char *path); /* (nullable) */
};

AftPlaces *aft_places_new(char *(*full)(const char *path))
{
    AftPlaces *places = g_new(AftPlaces, 1);
    places->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    places->start = (AftPlace){1, 1, NULL};
    places->full = full;
    return places;
}

void aft_places_free(AftPlaces *places)
{
    if (places != NULL) {
        g_hash_table_unref(places->entries);
        g_free(places);
    }
}

gboolean aft_places_add(AftPlaces *places, const char *path, const AftPlace *key,
                        const AftPlace *value)
{
    if (g_hash_table_contains(places->entries, path)) {
        return FALSE;
    }
    Entry *entry = g_new(Entry, 1);
    *entry = (Entry){*key, *value};
    return g_hash_table_insert(places->entries, g_strdup(path), entry);
}

static char *full_path(const AftPlaces *places, const char *path)
{
    return places->full != NULL ? places->full(path) : g_strdup(path);
}

static gboolean is_below(gpointer path, gpointer value, gpointer above)
{
    (void)value;
    gsize n = strlen(above);
    return strncmp(path, above, n) == 0 &&
           (((char *)path)[n] == '\0' || ((char *)path)[n] == '.' || ((char *)path)[n] == '[');
}

void aft_places_replace(AftPlaces *places, const char *path, const char *override)
{
    AftPlace place = {0, 0, override};
    g_autofree char *full = full_path(places, path);
    g_hash_table_foreach_remove(places->entries, is_below, full);
    aft_places_add(places, full, &place, &place);
}

/* Cuts the last name or index off @path. Returns: FALSE when nothing is left. */
static gboolean go_up(char *path)
{
    char *dot = strrchr(path, '.'), *bracket = strrchr(path, '[');
    char *cut = dot > bracket ? dot : bracket;
    if (cut == NULL) {
        return FALSE;
    }
    *cut = '\0';
    return TRUE;
}

static const Entry *entry_of(const AftPlaces *places, const char *path)
{
    g_autofree char *full = full_path(places, path);
    return g_hash_table_lookup(places->entries, full);
}

const AftPlace *aft_places_value(const AftPlaces *places, const char *path)
{
    const Entry *entry = entry_of(places, path);
    return entry != NULL ? &entry->value : NULL;
}

const AftPlace *aft_places_key(const AftPlaces *places, const char *path)
{
    const Entry *entry = entry_of(places, path);
    return entry != NULL ? &entry->key : NULL;
}

const AftPlace *aft_places_find(const AftPlaces *places, const char *path)
{
    g_autofree char *full = full_path(places, path);
    const Entry *entry = g_hash_table_lookup(places->entries, full);
    if (entry != NULL) {
        return &entry->value;
    }
    while (entry == NULL && go_up(full)) {
        entry = g_hash_table_lookup(places->entries, full);
    }
    return entry == NULL ? &places->start : &entry->key;
}
