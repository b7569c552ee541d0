/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.h - writes to a log on two nodes, which are acknowledged before their plan is carried out.
 *
 * The log is the buffer in front of the member that is written; its partner is the cache device of
 * the same number on the next node that is alive, as pairs of array controllers mirror their
 * memory. A partner that dies is replaced at once.
 */
#pragma once

#include "request.h"

/** Makes @request, which has bytes and the rest, a write to the log in front of @device. */
void aft_log_plan(const AftTopology *topology, guint32 device, AftRequest *request);
