/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reading.h - keys and lines of a sheet while something is made of it, and what is wrong with them.
 */
#pragma once

#include "sheet.h"

enum { LONGEST_NAME = 200, LONGEST_TEXT = 1000, LONGEST_PATH = 4000 }; /* bytes */

typedef struct {
    const AftSheet *sheet;
    const char *name; /* of the text */
    GPtrArray *problems;
} AftReading;

/* A key that is being looked at. */
typedef struct {
    char *path;
    const char *text; /* (nullable) */
} AftReadKey;

void aft_reading_key_clear(AftReadKey *key);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftReadKey, aft_reading_key_clear)

/** The key @name of @item ("": of the whole), whether it is there or not. */
AftReadKey aft_reading_key(const AftReading *reading, const char *item, const char *name);

/** Tells of a problem with @key; @suggestion (nullable) is what was meant. */
#define AFT_REFUSE(reading, key, suggestion, ...) \
    aft_problems_add((reading)->problems, FALSE, (key)->path, suggestion, __VA_ARGS__)

/** Asks for @key if it is not there; what is wrong with it has been told. */
void aft_reading_demand(const AftReading *reading, const AftReadKey *key, const char *why);

/** Returns: (transfer full) (nullable): the text of the key @name of @item: one line of at most
 *  @longest bytes, not empty. */
char *aft_reading_line(const AftReading *reading, const char *item, const char *name,
                       guint longest);

/** The same of a key that must be there. */
char *aft_reading_needed(const AftReading *reading, const char *item, const char *name,
                         guint longest, const char *why);

/** Takes the whole number that @key says, in the range that the form gives it, into @ret_n; leaves
 *  it if the key is not there. */
void aft_reading_count(const AftReading *reading, const AftReadKey *key, guint *ret_n);

/** Asks for version 1 and @kind. */
void aft_reading_head(const AftReading *reading, const char *kind);
