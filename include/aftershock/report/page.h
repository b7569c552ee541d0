/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - results as one HTML page that needs nothing else.
 *
 * The verdict comes first, then charts on one time axis, the table of phases, and what was stored
 * and moved. Several results are laid over each other, a line each, and their tables side by side.
 *
 * The page loads nothing: its script and its style are in it, and its content security policy
 * names the two by their SHA-256 and forbids all else. Names and labels are text, never markup.
 * Long traces are thinned (thin.c), so that a page stays below 2 MB.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/result/result.h>

AFT_BEGIN_DECLS

/** Results that a page can hold, each with a line that can be told from the others. */
#define AFT_PAGE_MOST 8u

/** The page of the @n results, told apart by their labels.
 *  Returns: (transfer full) (nullable): UTF-8; NULL with AFT_ERROR_RANGE unless @n is 1 to
 *  AFT_PAGE_MOST. */
char *aft_page_new(const AftResult *const *results, guint n, GError **error);

AFT_END_DECLS
