/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversion.h - what it costs to bring data under another protection. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** Adds to @conversions (AftConversionBounds) the encoding of pools that are encoded later, then
 *  the conversions of @scenario's timeline. */
void aft_conversion_add_all(const AftScenario *scenario, GArray *conversions);
