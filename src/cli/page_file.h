/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_file.h - the page of results, or of a sweep, as a file. */
#pragma once

#include "command.h"

#include <aftershock/report/page.h>

#define AFT_PAGE_NAME "report.html"

/** Writes @page (transfer full, nullable: @error (transfer full) says why it is not there) to
 *  @path: whole, or not at all, and then what was there stays. Says so on stderr, for the command
 *  called @command, either way. Returns: whether it is there. */
gboolean aft_page_keep(const char *command, char *page, GError *error, const char *path);

/** The same with the page of the @n results (1 to AFT_PAGE_MOST). */
gboolean aft_page_save(const char *command, const AftResult *const *results, guint n,
                       const char *path);
