/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.h - for how long the requirement was missed.
 *
 * Time is judged by intervals of the trace, or by equal parts of these of a minute at most: an
 * outage of five minutes counts as that, also where a row of the trace is a day. Spans come as they
 * are measured; how many there are, and not how much time they cover, is what judging costs.
 */
#pragma once

#include "span.h"

#include <aftershock/result/result.h>

typedef struct AftJudge AftJudge;

/** Returns: (transfer full): of @scenario (borrowed). */
AftJudge *aft_judge_new(const AftScenario *scenario);

void aft_judge_free(AftJudge *judge);

/** Takes @span, which begins where the last one ended, if there was one. */
void aft_judge_add(AftJudge *judge, const AftSpan *span);

/** Judges what has begun, and adds up in each phase row of @result the time that was missed.
 *  Returns: the sum, s; NaN when nothing is required. */
double aft_judge_finish(AftJudge *judge, AftResult *result);
