/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_frame.h - what all pages have: one file, that loads nothing and is told so by its policy.
 *
 * Texts become HTML by aft_page_append_text() alone, or as cells of a grid. */
#pragma once

#include <glib.h>

typedef struct {
    const char *title;
    const char *kind;           /* of page: "what happened" */
    const char *version;        /* (nullable): of the program that made what it shows */
    const char *const *scripts; /* NULL-terminated names of files in page/, beside common.js */
    const char *body;           /* HTML */
    const char *data;           /* JSON in which no "<" stands, for the scripts */
} AftPageFrame;

/** Returns: (transfer full): the page, UTF-8. */
char *aft_page_frame(const AftPageFrame *frame);

/** Appends @text (nullable) escaped, as UTF-8 whatever it was, and cut where it is very long. */
void aft_page_append_text(GString *html, const char *text);
