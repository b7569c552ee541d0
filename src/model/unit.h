/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h - what one unit of a transfer reads and writes, and the latent errors that it meets.
 */
#pragma once

#include "curator.h"

/** Plans the unit of @transfer at @offset, @bytes long: steps and devices of @request. Sources that
 *  turn out not to be readable there are repaired, or what they hold is lost; the others are read
 *  instead, if they suffice. */
void aft_unit_plan(const AftTransfer *transfer, guint64 offset, guint64 bytes, AftRequest *request);

/** Meets the errors that reading @bytes from @offset on, in units, would meet, with nothing
 *  simulated. */
void aft_unit_skip(const AftTransfer *transfer, guint64 offset, guint64 bytes);
