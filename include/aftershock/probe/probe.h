/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - watches a model and turns what it sees into a result.
 *
 * Time is cut into spans. Of each, a part is measured (all of it when every I/O is simulated, a
 * window when not), and stands for the whole:
 *
 *     scenario time   |--warm--|==window==|------------skip------------|
 *                     '---------------- one span ----------------------'
 *
 * Trace rows and phases are both sums over spans, weighted by what they stand for, so they agree
 * with each other whatever the fidelity. Every span is also a batch, from which the intervals come.
 *
 *     aft_probe_open(probe);                 begins a span, measuring
 *     aft_probe_restart(probe);              measures from here only (what was before: warm-up)
 *     aft_probe_stop(probe);                 stops measuring
 *     aft_probe_close(probe);                ends the span
 */
#pragma once

#include <aftershock/model/model.h>
#include <aftershock/result/result.h>

typedef struct AftProbe AftProbe;
typedef struct AftFigures AftFigures; /* figures.h */

/** How sure the phase under way is of its means so far. */
typedef struct {
    guint spans;  /* seen in it */
    double worst; /* the largest half-width over what precision asks: 1 is just enough; NaN:
                     not known yet */
    double simulated_s;
} AftPrecision;

/** How clients fare. */
typedef struct {
    double iops;                        /* NaN: nothing was measured yet */
    double read_mean_ms, write_mean_ms; /* NaN: no I/O */
} AftGlance;

/** Writes into @result (borrowed) what happens under @scenario (borrowed).
 *  Returns: (transfer full). */
AftProbe *aft_probe_new(const AftScenario *scenario, AftResult *result);

void aft_probe_free(AftProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftProbe, aft_probe_free)

/** For the model's watch: a client I/O was served, something happened. */
void aft_probe_completed(void *probe, const AftCompletion *completion);
void aft_probe_happened(void *probe, const char *event, const char *subject, const char *detail);

/** Begins with @model (borrowed), at time 0 unless it has been brought to a state. Call once,
 * before the rest. */
void aft_probe_begin(AftProbe *probe, AftModel *model, const AftEngine *engine);

/** A span begins. */
void aft_probe_open(AftProbe *probe);

/** What was measured in this span so far was only for warming up. */
void aft_probe_restart(AftProbe *probe);

/** @flag, one of AftFlags, holds in the open span. */
void aft_probe_flag(AftProbe *probe, guint flag);

/** Measuring ends; time may still be skipped before the span closes. */
void aft_probe_stop(AftProbe *probe);

/** The span ends at the present scenario time. A span of no length leaves no trace. */
void aft_probe_close(AftProbe *probe);

/** The open span has come to its end, and nothing has happened there yet. */
void aft_probe_reach(AftProbe *probe);

/** What is measured is added to @figures (borrowed; nullable: to none) as well, span by span. */
void aft_probe_gather(AftProbe *probe, AftFigures *figures);

/** The open span, of which nothing was simulated, ends at the present scenario time: @figures
 *  (borrowed until the probe is freed) stand for it. @waited_ns: how long each I/O had waited as
 *  owed work, in the mean; below 0: as long as those of the figures. */
void aft_probe_recall(AftProbe *probe, const AftFigures *figures, double waited_ns);

/** The phase of the spans so far is over; what follows belongs to the model's phase now. */
void aft_probe_next_phase(AftProbe *probe);

/** All is over: finishes the last phase and the summary. */
void aft_probe_finish(AftProbe *probe);

/** How sure the phase under way is. */
AftPrecision aft_probe_precision(const AftProbe *probe);

/** How clients fared in the span that was closed last, measured or recalled. */
AftGlance aft_probe_glance(const AftProbe *probe);

/** Client I/Os a second in what was measured of the span that is open or was closed last. */
double aft_probe_iops(const AftProbe *probe);

/** The largest mean utilisation of any kind of part in the same. */
double aft_probe_utilisation(const AftProbe *probe);
