/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheet.h - the texts of a file by their paths, "cells[3].metric", before they mean anything.
 *
 * It takes what document.h reads, knows by its form which keys there are, and keeps their values;
 * what these mean often depends on each other, so it is looked at when all are there.
 */
#pragma once

#include "document.h"

/** A key of a form. */
typedef struct {
    /* "cells[*].unit": an index is "[*]", a path in brackets "[@]"; "**" at the end stands for any
     * names below. The first that fits counts. */
    const char *pattern;
    AftKeyShape shape;
    guint most; /* items of a list; 0: no limit but that of the file */
    /* What one value is, as of a scenario's keys; of maps and lists, what they are and whether they
     * must be there. Only what readers and schema ask for is filled in. */
    AftKey value;
    void (*names)(GPtrArray *names); /* (nullable): adds the choices, which are told elsewhere */
    const char *form;                /* (nullable): regular expression, in place of the type's */
    gboolean open;                   /* nothing may stand there */
} AftSheetKey;

/** What a kind of file may hold. */
typedef struct {
    const AftSheetKey *keys;
    guint n_keys;
} AftSheetForm;

typedef struct {
    char *path;
    char *text;   /* "" of a map or list; NULL: there is something wrong with it */
    gboolean map; /* or a list */
} AftSheetEntry;

typedef struct {
    const AftSheetForm *form;
    GHashTable *by_path; /* to AftSheetEntry */
    GPtrArray *entries;  /* in the order of the file */
    GHashTable *items;   /* path of a list to how many items it has */
} AftSheet;

/** The key of @form that @path is of. Returns: (transfer none) (nullable). */
const AftSheetKey *aft_sheet_key(const AftSheetForm *form, const char *path);

/** An empty sheet of @form (borrowed). */
void aft_sheet_init(AftSheet *sheet, const AftSheetForm *form);

void aft_sheet_clear(AftSheet *sheet);

/** Members of a target (document.h) whose data is an AftSheet; those that have no data take the
 *  form. */
AftKeyShape aft_sheet_shape(const AftSheetForm *form, const char *path);
gboolean aft_sheet_holds_paths(const AftSheetForm *form, const char *path);
gboolean aft_sheet_open(gpointer sheet, const char *path, gboolean list, GPtrArray *problems);
void aft_sheet_set(gpointer sheet, const char *path, const char *text, GPtrArray *problems);

/** The bytes that "[...]" at @text takes, brackets in it among them. */
gsize aft_sheet_bracket(const char *text);

/** Whether there is something at @path, right or wrong. */
gboolean aft_sheet_has(const AftSheet *sheet, const char *path);

/** The text at @path without blanks around it; "" for a map.
 *  Returns: (transfer none) (nullable): NULL: nothing, or nothing to go on with. */
const char *aft_sheet_text(const AftSheet *sheet, const char *path);

/** How many items the list at @path has. */
guint aft_sheet_items(const AftSheet *sheet, const char *path);
