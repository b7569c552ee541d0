/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_json.h - the JSON of a page: it stands in its HTML, and is as short as a screen allows. */
#pragma once

#include <glib.h>

enum {
    AFT_PAGE_EXACT = 9, /* digits, as CSV files have them */
    AFT_PAGE_FEW = 5    /* of what is one of many: more than a screen shows */
};

/** Appends @text (nullable), of which @most characters count, in quotes, with nothing in it that
 *  could end the block it stands in. */
void aft_page_json_text(GString *json, const char *text, guint most);

/** Appends @value with @digits; null if it is not finite. */
void aft_page_json_number(GString *json, double value, guint digits);

/** Appends a comma, @name and @value. */
void aft_page_json_member(GString *json, const char *name, double value);

/** Appends @n @values as an array. */
void aft_page_json_numbers(GString *json, const double *values, guint n, guint digits);
