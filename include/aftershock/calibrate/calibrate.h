/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.h - which values of a scenario's keys bring simulation nearest to what was measured.
 *
 * A few keys are free, each between bounds, and shared by several configurations. A trial runs all
 * of them with the same seeds, so that what differs between trials differs by the keys and hardly
 * by chance. For each cell of the reference with a value v and a simulated s there is a residual
 *
 *     r = ln(s / v) / t       t: the share that its tolerance allows (10 % without one)
 *
 * and for one whose phase did not come about at all, that of twenty times v, which is the most. A
 * cell with a bound to one side counts from that bound on. The sum of squares is minimised by
 * Levenberg-Marquardt, by steps of bounded length, on free keys that are mapped to the whole line:
 *
 *     key = low (high / low)^w   (or low + (high - low) w, if low is 0)     w = 1 / (1 + exp(-u))
 *
 * Slopes are differences over steps that are wide beside chance, between trials that are coarse
 * where I/O is sampled (run.precision), one a key and all at once on as many threads as there are;
 * between two such looks they are brought up to date by what steps showed (Broyden 1965). Steps are
 * judged by trials that are as fine as the scenarios ask for. What a key does not change in a
 * configuration is not run again. A weak pull to where each key began keeps those in place that
 * the cells do not tell.
 *
 * Suspect and open cells are not fitted, nor is what is held out: those are predictions. How far
 * predictions are off is told by rotation: the fit is done again without each configuration in
 * turn, or each phase, from where the fit of all came to.
 */
#pragma once

#include <aftershock/reference/compare.h>
#include <aftershock/scenario/scenario.h>

/** As many keys as the sequence has dimensions that other starting points come from. */
enum { AFT_CALIBRATION_MOST_KEYS = 40 };

/** A key that is fitted. */
typedef struct {
    char *path;
    AftUnit unit;
    double start, low, high; /* base units; low <= start <= high */
} AftFreeKey;

/** Fills in @ret_key for the number at @path of @scenario, between @low and @high; NaN: a quarter
 *  and four times of what it is, as far as the key allows. @path is copied.
 *  Returns: FALSE with AFT_ERROR_UNKNOWN when there is no such key, AFT_ERROR_SYNTAX when it is no
 *  number or a whole one, and AFT_ERROR_RANGE when it is not between the bounds, or cannot be
 *  all that is between them. */
gboolean aft_free_key_init(AftFreeKey *ret_key, const AftScenario *scenario, const char *path,
                           double low, double high, GError **error);

void aft_free_key_clear(AftFreeKey *key);

/** Whether @path is a key that @scenario (resolved) has: not that of a device it does not know, nor
 *  of a data service that is off, which to set would be to switch on. */
gboolean aft_free_key_is_of(const AftScenario *scenario, const char *path);

/** How far a calibration has come. */
typedef struct {
    double done; /* share of the most that it may take, 0 to 1 */
    guint runs;  /* done so far, of all configurations */
    double best; /* root mean square of residuals, of the best trial; INFINITY: none yet */
} AftCalibrationProgress;

/** What is left out in turn. */
typedef enum { AFT_ROTATE_NOTHING, AFT_ROTATE_CONFIGURATION, AFT_ROTATE_PHASE } AftRotate;

typedef struct {
    const AftReference *reference;
    const char *const *labels; /* of the configurations that are run */
    guint n_labels;
    const AftFreeKey *keys;      /* each once */
    guint n_keys;                /* 1 to AFT_CALIBRATION_MOST_KEYS */
    const char *const *held_out; /* (nullable): NULL-terminated patterns, "label/phase/metric" with
                                  * and ?; what they leave off at the end may be anything */
    AftRotate rotate;
    guint starts;      /* points that are begun at: the keys' own, then quasi-random ones (Sobol) */
    guint iterations;  /* most steps from each */
    guint jobs;        /* runs at once; 0: as there are processors */
    gint *interrupted; /* (nullable): set to non-zero, atomically, it ends with the best so far */

    /** The scenario (transfer full, resolved) of configuration @index with @settings,
     *  NULL-terminated "path=value"; NULL with @error. */
    AftScenario *(*make)(guint index, const char *const *settings, void *context, GError **error);
    void (*progress)(const AftCalibrationProgress *progress, void *context); /* (nullable) */
    void *context;
} AftCalibrationSetup;

/** A key as fitted. */
typedef struct {
    AftFreeKey key;
    double value;
    double half_width; /* of the 95 % interval, by the slopes at the end; INFINITY: any value */
    gboolean at_bound; /* within a hundredth of the way */
    gboolean told;     /* the cells tell it: the interval is narrower than the bounds are apart */
} AftFittedKey;

/** A direction in which keys move together, and how much the cells feel it. */
typedef struct {
    double singular; /* change of the residuals when keys go all the way between their bounds */
    double *part;    /* of each key, -1 to 1; squares sum up to 1 */
} AftDirection;

typedef struct {
    guint n;                /* cells that have a simulated value */
    guint absent;           /* others: their phase did not come about */
    double median, largest; /* of absolute errors; NaN of none */
} AftErrors;

/** What was simulated for a cell, by whether the fit knew it. */
typedef enum {
    AFT_ROLE_FITTED,
    AFT_ROLE_HELD_OUT, /* of the fit, on demand: predicted */
    AFT_ROLE_SUSPECT,  /* not fitted */
    AFT_ROLE_OPEN      /* without a value */
} AftRole;

/** "fitted", "held out", "suspect", "open". Returns: (transfer none). */
const char *aft_role_name(AftRole role);

/** The same cells as they were fitted, and as they were predicted by a fit without them. */
typedef struct {
    AftErrors fitted, predicted;
} AftErrorPair;

/** A fit without one configuration or phase. */
typedef struct {
    char *left_out;            /* label of the configuration, or name of the phase */
    double *values;            /* of keys */
    AftComparison *comparison; /* with the whole reference */
    gboolean *left;            /* of each cell: it was left out, and is fitted otherwise */
    AftErrorPair errors;       /* of those */
} AftFold;

/** Cells of one kind of figure. */
typedef enum {
    AFT_FIGURES_IOPS,
    AFT_FIGURES_LATENCY,
    AFT_FIGURES_MINUTES,
    AFT_FIGURES_OTHER,
    AFT_FIGURES
} AftFigures;

/** "iops", "latencies", "minutes", "others". Returns: (transfer none). */
const char *aft_figures_name(AftFigures figures);

typedef struct {
    AftRotate by;
    GPtrArray *folds;               /* AftFold */
    AftErrorPair kind[AFT_FIGURES]; /* of what was left out, all folds together: a ratio counts
                                     * with both of its configurations */
    AftErrorPair all;
} AftRotation;

/** What a calibration took. */
typedef struct {
    guint runs;
    guint coarse; /* of those, coarse ones, for slopes */
    guint spared; /* others, whose scenario had been run before */
    guint64 ios;  /* client I/Os simulated */
} AftEffort;

typedef struct {
    AftFittedKey *keys;
    AftDirection *directions; /* as many, the best told first */
    guint n_keys;
    AftComparison *comparison; /* of the best trial with the whole reference */
    AftRole *roles;            /* of each of its cells */
    AftErrors fitted, held_out;
    double before, after;  /* root mean square of residuals, at the keys' own values and now */
    AftRotation *rotation; /* (nullable) */
    AftEffort effort;
    guint rejected; /* trials that could not be run, as not all between bounds may be a scenario */
    char *refusal;  /* (nullable): why the first of them could not */
    gboolean interrupted;
} AftCalibration;

/** Fits @setup. Returns: (transfer full) (nullable): NULL with an error of `make`, or
 *  AFT_ERROR_RANGE when no cell is left to be fitted, be it in a fold, or AFT_ERROR_LIMIT from a
 * run. */
AftCalibration *aft_calibrate(const AftCalibrationSetup *setup, GError **error);

void aft_calibration_free(AftCalibration *calibration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftCalibration, aft_calibration_free)
