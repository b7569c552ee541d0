/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms.h - the forms of the kinds of files that are read into sheets. */
#pragma once

#include "sheet.h"

/** Returns: (transfer none). */
const AftSheetForm *aft_sweep_form(void);
const AftSheetForm *aft_reference_form(void);
