/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rebuild.h - how fast the members of a lost node or device can be made again, with nothing else
 * going on. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** Fills the rebuild and device of @pool, whose spec, protected_bytes and stored_bytes are
 *  there. */
void aft_rebuild_fill(const AftScenario *scenario, AftPoolBounds *pool);
