/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.h - where each key of a file was written. */
#pragma once

#include "diagnostics.h"

typedef struct AftPlaces AftPlaces;

/** No places but the start of the text. @full (nullable) gives the path of a key as it stands in
 *  the text, (transfer full), where it may be written with less. Returns: (transfer full). */
AftPlaces *aft_places_new(char *(*full)(const char *path));

void aft_places_free(AftPlaces *places);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftPlaces, aft_places_free)

/** Remembers that the key (or item) @path stands at @key and its value at @value.
 *  Returns: FALSE when @path was there before, and stays as it was. */
gboolean aft_places_add(AftPlaces *places, const char *path, const AftPlace *key,
                        const AftPlace *value);

/** Remembers that @override took the place of @path and of everything below it. */
void aft_places_replace(AftPlaces *places, const char *path, const char *override);

/** Where the value of the key at @path stands in the text. Returns: (transfer none) (nullable):
 *  NULL when the key does not. */
const AftPlace *aft_places_value(const AftPlaces *places, const char *path);

/** Where the key at @path stands in the text. Returns: (transfer none) (nullable). */
const AftPlace *aft_places_key(const AftPlaces *places, const char *path);

/** Where to point at for the key at @path, written with or without the index of a list of one:
 *  its value, else the nearest map or list around it. Returns: (transfer none). */
const AftPlace *aft_places_find(const AftPlaces *places, const char *path);
