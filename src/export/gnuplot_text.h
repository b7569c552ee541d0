/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot_text.h - texts of a result where gnuplot reads them. */
#pragma once

#include "out.h"

/** Adds @text (nullable) as a string of a script, in quotes: whatever is not a letter or a blank is
 * written as its number, so that nothing in it is a command, a macro or a substitution. What does
 * not print is left out. */
void aft_gnuplot_string(AftOut *out, const char *text);

/** Adds @text (nullable) as the last cell of a line of data: what prints of it, without quotes. */
void aft_gnuplot_cell(AftOut *out, const char *text);

/** How many characters of @text (nullable) print. */
guint aft_gnuplot_length(const char *text);
