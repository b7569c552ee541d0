/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outline.h - a table of keys as a tree of maps, lists and values.
 *
 * "workload[*].rate" is a child "workload", a list with one child "[*]", its item, a map with a
 * child "rate". The key of a node says what one value there is; where none can be, what it is for.
 */
#pragma once

#include "sheet.h"

#include <aftershock/loader/schema.h>

typedef struct AftOutline AftOutline;
struct AftOutline {
    const AftOutline *above; /* (nullable): of the root */
    char *name;              /* "rate"; "[*]" item of a list, "*" any name, "[@]" any path */
    char *path;              /* "workload[*].rate", "" of the root */
    AftKeyShape shape;
    const AftKey *key;        /* (nullable) */
    const AftSheetKey *sheet; /* (nullable): row it comes from, if of a sheet */
    guint most;               /* items; 0: any number */
    gboolean required;        /* in the map above */
    GPtrArray *below;         /* AftOutline */
};

/** The outline of files of @kind. Returns: (transfer full). */
AftOutline *aft_outline_of(AftSchemaKind kind);

void aft_outline_free(AftOutline *outline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftOutline, aft_outline_free)

/** What is called @name in @outline. Returns: (transfer none) (nullable). */
const AftOutline *aft_outline_child(const AftOutline *outline, const char *name);

/** The items of the list @outline. Returns: (transfer none) (nullable): NULL: it is none. */
const AftOutline *aft_outline_item(const AftOutline *outline);

/** Whether it is a name in a map: no item, no placeholder. */
gboolean aft_outline_is_named(const AftOutline *outline);
