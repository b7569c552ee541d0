/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - many runs of one scenario, as a file of `kind: sweep` describes them.
 *
 * A sweep has a base scenario, axes along which it varies, and a design that says which points
 * between them are run:
 *
 *     grid              every value of each axis with every value of all others
 *     list              the points that are written, one after the other
 *     latin-hypercube   so many points, each axis cut into as many layers of equal chance, each
 *                       layer met once (McKay, Beckman, Conover 1979)
 *     sobol             so many points of Sobol's sequence (Bratley, Fox 1988; GSL), and those that
 *                       first-order and total indices take (points.h)
 *
 * An axis has values, or a distribution; beside a list, one value, which all points have. Under
 * grid and list a value of a distribution is drawn anew for every replication, the same for all
 * points, so that they can be compared; under the other designs the distribution is what the points
 * lie in.
 */
#pragma once

#include <aftershock/base/units.h>
#include <aftershock/scenario/scenario.h>

#include <glib.h>

typedef enum {
    AFT_DESIGN_GRID,
    AFT_DESIGN_LIST,
    AFT_DESIGN_LATIN_HYPERCUBE,
    AFT_DESIGN_SOBOL,
    AFT_DESIGNS
} AftDesign;

/** "grid", "latin-hypercube". Returns: (transfer none). */
const char *aft_design_name(AftDesign design);

/** One line on what it is. Returns: (transfer none). */
const char *aft_design_help(AftDesign design);

/** Returns: whether there is a design called @name. */
gboolean aft_design_find(const char *name, AftDesign *ret_design);

typedef enum {
    AFT_DISTRIBUTION_UNIFORM,     /* [low, high] */
    AFT_DISTRIBUTION_LOG_UNIFORM, /* [low, high], both above 0 */
    AFT_DISTRIBUTION_NORMAL,      /* [mean, standard deviation] */
    AFT_DISTRIBUTION_LOGNORMAL,   /* [mean, standard deviation] of the value itself */
    AFT_DISTRIBUTION_EXPONENTIAL, /* [mean] */
    AFT_DISTRIBUTION_WEIBULL,     /* [mean, shape] */
    AFT_DISTRIBUTIONS
} AftDistributionKind;

enum { AFT_DISTRIBUTION_PARAMETERS = 2 };

/** What an axis' values come from; in base units, a shape is a plain number. What falls outside the
 *  range of the key is taken to its bound. */
typedef struct {
    AftDistributionKind kind;
    double parameter[AFT_DISTRIBUTION_PARAMETERS];
} AftDistribution;

/** "log-uniform". Returns: (transfer none). */
const char *aft_distribution_name(AftDistributionKind kind);

/** One line on what it is, and its parameters in their order. Returns: (transfer none). */
const char *aft_distribution_help(AftDistributionKind kind);

/** Returns: whether there is a distribution called @name. */
gboolean aft_distribution_find(const char *name, AftDistributionKind *ret_kind);

/** How many parameters @kind takes. */
guint aft_distribution_parameters(AftDistributionKind kind);

/** Checks parameters: low below high, deviations and means above 0 (of normal, any mean), shapes
 *  0.1 to 100. Returns: FALSE with AFT_ERROR_RANGE. */
gboolean aft_distribution_check(const AftDistribution *distribution, GError **error);

/** The value below which a share @p of all is (0 to 1, both out). */
double aft_distribution_quantile(const AftDistribution *distribution, double p);

/** One value of an axis, or one point of a list: what is set, and what tables call it. */
typedef struct {
    char *text;      /* "raid5", or "raid5 4+1" for a map */
    char **settings; /* "path=value", NULL-terminated, in the order of the file */
} AftAxisValue;

typedef struct {
    char *path;        /* of a key, or of a map whose keys values set */
    GPtrArray *values; /* AftAxisValue; empty: the distribution */
    AftDistribution distribution;
    AftUnit unit;            /* of the distribution */
    gboolean whole;          /* its values are rounded: the key takes whole numbers */
    double minimum, maximum; /* that its values are taken to: of the key */
} AftAxis;

/** The value of @axis, which has a distribution, below which a share @p of all is (0 to 1, both
 *  out). Whole numbers between uniform bounds are equally likely, both bounds among them. */
double aft_axis_quantile(const AftAxis *axis, double p);

/** How many replications a point gets. */
typedef struct {
    guint n;       /* fixed: so many; else the least */
    guint most;    /* ceiling; the same as n when fixed */
    char *metric;  /* (nullable): "PHASE/FIGURE", as "rebuild/minutes", whose interval ends it */
    double within; /* half width of its 95 % interval over its mean that is enough */
} AftReplications;

enum {
    AFT_SWEEP_BLOCK = 16, /* replications between looks at whether they are enough */
    AFT_SWEEP_MOST_AXES = 20,
    AFT_SWEEP_MOST_VALUES = 10000,
    AFT_SWEEP_MOST_POINTS = 1000000,
    AFT_SWEEP_MOST_REPLICATIONS = 1000000
};

typedef struct {
    char *name;
    char *base; /* path of the scenario's file, from where the program is */
    AftDesign design;
    guint n_points;    /* of latin-hypercube and sobol: asked for */
    GPtrArray *axes;   /* AftAxis */
    GPtrArray *points; /* AftAxisValue, of a list: its points */
    AftReplications replications;
    gboolean seeded; /* the file has a seed; else the scenario's counts for runs and draws */
    guint64 seed;    /* at most 2^53; 1 unless seeded. A latin hypercube is made of it. */
    char *fidelity;  /* (nullable): over the scenario's */
} AftSweep;

/** Returns: (transfer full): a grid without axes, one replication. */
AftSweep *aft_sweep_new(void);

void aft_sweep_free(AftSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftSweep, aft_sweep_free)

AftAxis *aft_axis_new(const char *path);
AftAxisValue *aft_axis_value_new(const char *text);

/** SHA-256, as 64 hex digits, over all that says which runs there are: design, axes, points,
 *  replications, seed and fidelity; not names, nor where the base is, nor how paths and numbers
 *  were spelt. Returns: (transfer full). */
char *aft_sweep_digest(const AftSweep *sweep);
