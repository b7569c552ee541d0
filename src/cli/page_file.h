/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_file.h - the page of results as a file. */
#pragma once

#include "command.h"

#include <aftershock/report/page.h>

#define AFT_PAGE_NAME "report.html"

/** Writes the page of the @n results (1 to AFT_PAGE_MOST) to @path: whole, or not at all, and then
 *  what was there stays. Says so on stderr, for the command called @command, either way.
 *  Returns: whether it is there. */
gboolean aft_page_save(const char *command, const AftResult *const *results, guint n,
                       const char *path);
