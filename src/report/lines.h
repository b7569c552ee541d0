/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.h - what stands above and below a table: a headline, and lines with a label. */
#pragma once

#include "grid.h"

/** Appends "name (label)" as a line, or one of them when they are the same or one is "". */
void aft_lines_append_headline(GString *out, const char *name, const char *label,
                               const AftTextStyle *style);

/** The same without a line. Returns: (transfer full). */
char *aft_lines_headline(const char *name, const char *label);

/** Appends @label, of at most 11 characters, and @text beside it, cut after a comma, semicolon or
 *  colon where it would become too long. @tint is that of the label; NONE: as all labels. */
void aft_lines_append(GString *out, const char *label, const char *text, AftTint tint,
                      const AftTextStyle *style);
