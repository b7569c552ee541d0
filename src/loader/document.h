/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - one YAML document, read event by event into a scenario. */
#pragma once

#include "diagnostics.h"
#include "places.h"

/** Sets in @scenario what the text of @diagnostics, valid UTF-8, says; what is wrong goes to
 *  @diagnostics, where things stand to @places.
 *  Returns: FALSE when it could not be read to its end, so that what is missing in @scenario may
 *  only not have been read. */
gboolean aft_document_read(AftScenario *scenario, AftDiagnostics *diagnostics, AftPlaces *places);
