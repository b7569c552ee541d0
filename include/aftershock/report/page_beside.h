/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_beside.h - the page of results, with what others measured. */
#pragma once

#include <aftershock/reference/compare.h>
#include <aftershock/report/page.h>

/** As aft_page_new(), with a bar for each figure of @comparison, in which the results are set
 * beside
 *  @reference; both are NULL where there is none. */
char *aft_page_new_beside(const AftResult *const *results, guint n, const AftReference *reference,
                          const AftComparison *comparison, GError **error);
