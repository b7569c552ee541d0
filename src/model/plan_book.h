/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_book.h - the plans of one workload on one scheme, each made once and kept.
 *
 * A workload's block covers a fixed number of stripe units, so its plans depend only on which
 * members are current and on the unit it begins at.
 */
#pragma once

#include <aftershock/model/protection.h>

typedef struct AftPlanBook AftPlanBook;

/** Plans for operations on @units units under @spec (borrowed). Returns: (transfer full). */
AftPlanBook *aft_plan_book_new(const AftProtectionSpec *spec, guint units);

void aft_plan_book_free(AftPlanBook *book);

/** The plan for a client's @operation that begins at unit @first, with the members of @current.
 *  Returns: (transfer none): valid as long as @book. */
const AftPlan *aft_plan_book_get(AftPlanBook *book, AftOperation operation, guint first,
                                 guint32 current);
