/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rebuild.h - how fast the members of a lost node can be made again, with nothing else going on. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** Fills @ret_rebuild for @pool, whose spec and protected_bytes are there. */
void aft_rebuild_fill(const AftScenario *scenario, const AftPoolBounds *pool,
                      AftRebuildBounds *ret_rebuild);
