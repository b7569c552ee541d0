/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - what somebody else measured, cell by cell, as plain values.
 *
 * A cell is one figure of one configuration in one phase: what it is called, its value in base
 * units, how sure it is, where it stands, and how far a simulation may be from it. A cell without
 * a value is one that the source leaves open; what is simulated for it is a prediction. Ratios of
 * two configurations are cells of their own.
 *
 * A reference also says how its configurations are simulated: a scenario, and what is set in it.
 * loader/reference.h reads references from files of `kind: reference`.
 */
#pragma once

#include <aftershock/result/metric.h>
#include <aftershock/scenario/phase.h>

/** How sure a value is. */
typedef enum {
    AFT_MARK_STATED,  /* the source says so */
    AFT_MARK_DERIVED, /* worked out from what it says, by a rule that the source text gives */
    AFT_MARK_SUSPECT, /* the source contradicts itself */
    AFT_MARKS
} AftMark;

/** "stated". Returns: (transfer none). */
const char *aft_mark_name(AftMark mark);

/** Finds a mark by its name. Returns: whether there is one. */
gboolean aft_mark_from_name(const char *name, AftMark *ret_mark);

/** How far the simulated value may be from the published one, to one side. */
typedef struct {
    gboolean bounded; /* else as far as it likes */
    gboolean
        relative;  /* amount is a share of the published value, else in the metric's base unit */
    double amount; /* 0 or more */
} AftSide;

/** "5 %" bounds both sides, "{below: 1 %}" the side below alone: a simulated value may be less by
 *  1 %, and more by anything. All zero, it bounds nothing. */
typedef struct {
    AftSide below, above;
} AftTolerance;

/** Reads one side as people write it: "5 %" is a share of the published value, anything else a
 *  quantity of @unit, and "none" no bound.
 *  Returns: FALSE with AFT_ERROR_SYNTAX or AFT_ERROR_RANGE when @text is none of them, or below
 *  0. */
gboolean aft_side_parse(const char *text, AftUnit unit, AftSide *ret_side, GError **error);

typedef struct {
    char *label; /* of the configuration */
    const AftMetric *metric;
    AftPhase phase;
    gboolean last;    /* that phase as it occurred last, else first */
    char *over;       /* (nullable): label of the configuration it is a ratio over */
    double value;     /* published, in base units; NaN: open */
    char *unit;       /* that it is written in, and shown in; "1": none */
    double unit_base; /* 1 of it in base units */
    AftMark mark;     /* of an open cell: AFT_MARK_STATED, without meaning */
    AftTolerance tolerance;
    char *source;    /* where it stands: "Part III, table 2" */
    char *note;      /* (nullable): what to know about it */
    gboolean fitted; /* the configuration's scenario was fitted to it: no prediction */
} AftReferenceCell;

/** How a configuration is simulated. */
typedef struct {
    char *label;
    char *scenario;  /* path of its file */
    char **settings; /* NULL-terminated "path=value" */
} AftConfiguration;

typedef struct {
    char *name;
    char *source;              /* title, author, year, place */
    char **fitted;             /* (nullable): patterns of cells that scenarios were fitted to */
    GPtrArray *configurations; /* AftConfiguration */
    GPtrArray *cells;          /* AftReferenceCell, in the order of the file */
} AftReference;

/** Returns: (transfer full): one without cells. */
AftReference *aft_reference_new(void);

void aft_reference_free(AftReference *reference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftReference, aft_reference_free)

/** Returns: (transfer full): an open cell without tolerance, to be filled in. */
AftReferenceCell *aft_reference_cell_new(void);

/** Returns: (transfer none) (nullable): the configuration called @label. */
const AftConfiguration *aft_reference_configuration(const AftReference *reference,
                                                    const char *label);

/** What the figures of @cell are: that of its metric; of a ratio AFT_UNIT_COUNT. */
AftUnit aft_reference_cell_unit(const AftReferenceCell *cell);

/** "rf2 rebuild read_mean", "raid5/rf2 steady iops", "rf2 last rebalance iops".
 *  Returns: (transfer full). */
char *aft_reference_cell_name(const AftReferenceCell *cell);

/** Whether @cell is one of those that @pattern is about: "label/phase/metric" with * and ?, where
 *  what is left off at the end may be anything; a figure of the whole has the phase "-". */
gboolean aft_reference_cell_matches(const AftReferenceCell *cell, const char *pattern);

/** Whether @cell has a tolerance, to either side. */
gboolean aft_reference_cell_bounded(const AftReferenceCell *cell);

/** Whether @simulated (base units) is within the tolerance of @cell, which has a value. What is
 *  just at its border is within. */
gboolean aft_reference_cell_allows(const AftReferenceCell *cell, double simulated);
