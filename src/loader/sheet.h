/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheet.h - the texts of a reference by their paths, "cells[3].metric", before they mean anything.
 *
 * It takes what document.h reads, says which keys there are, and keeps their values; what these
 * mean often depends on each other, so it is looked at when all are there.
 */
#pragma once

#include "document.h"

typedef struct {
    guint item;
    char *text; /* "background.scheduler=wpq" */
} AftSheetSetting;

typedef struct {
    GHashTable *texts;           /* path to its text; NULL: there is something wrong with it */
    GArray *settings;            /* AftSheetSetting of `configurations`, in the order of the file */
    guint configurations, cells; /* items */
} AftSheet;

/** The keys of references; its data is an AftSheet. Returns: (transfer none). */
const AftDocumentTarget *aft_sheet_target(void);

void aft_sheet_init(AftSheet *sheet);

void aft_sheet_clear(AftSheet *sheet);

/** Whether there is something at @path, right or wrong. */
gboolean aft_sheet_has(const AftSheet *sheet, const char *path);

/** The text at @path without blanks around it; "" for a map.
 *  Returns: (transfer none) (nullable): NULL: nothing, or nothing to go on with. */
const char *aft_sheet_text(const AftSheet *sheet, const char *path);
