/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.h - the smallest, or cheapest, configuration that holds what a scenario requires.
 *
 * A configuration is one value of each axis. It holds when the requirement is met in every phase,
 * no data is lost and nothing planned is refused or unfinished, in a share of its replications of
 * at least `confidence`, as the sequential test of src/sweep/sequential.h finds: a configuration
 * for which that share is not reached is taken for one that holds in 5 % of cases at most.
 * Replication r has the same chance at every configuration.
 *
 * Along the longest range of whole numbers it is taken that more of it never hurts, and the search
 * halves; all combinations of the other axes' values are gone through. Then the neighbours of the
 * answer are looked at, two below and one above; the highest when the lowest holds, the lowest when
 * nothing does; and where they contradict, all of that range. Of what holds the cheapest is the
 * answer; of equal prices, or without any, that with the fewest nodes, then devices, then the one
 * that comes first.
 *
 * What is run and told depends on the axes and the seed alone, not on the number of jobs: outcomes
 * count in the order of replications, and what ran ahead of a verdict is dropped.
 */
#pragma once

#include <aftershock/result/columns.h>
#include <aftershock/scenario/price.h>

enum {
    AFT_SIZE_MOST_AXES = 8,
    AFT_SIZE_MOST_VALUES = 10000,       /* of an axis */
    AFT_SIZE_MOST_COMBINATIONS = 10000, /* of all axes but the longest range */
    AFT_SIZE_REPLICATIONS = 200         /* most of a configuration, unless said otherwise */
};

/** What one key is varied over. */
typedef struct {
    char *path;
    gboolean range;   /* of whole numbers: more never hurts */
    GPtrArray *texts; /* values */
} AftSizeAxis;

/** Reads "PATH=3:32", whole numbers from 3 to 32, or "PATH=V1,V2,...".
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_SYNTAX, AFT_ERROR_RANGE,
 *  AFT_ERROR_LIMIT or AFT_ERROR_UNKNOWN (no such key). */
AftSizeAxis *aft_size_axis_parse(const char *text, GError **error);

void aft_size_axis_free(AftSizeAxis *axis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftSizeAxis, aft_size_axis_free)

/** One configuration that was looked at. */
typedef struct {
    char *value[AFT_SIZE_MOST_AXES]; /* of each axis */
    double price;                    /* NaN: it cannot be made */
    double nodes, devices;
    guint64 replications, met; /* up to the verdict; of these, that held */
    char *verdict;             /* "holds", "fails", "undecided" at the ceiling, "interrupted";
                                  "impossible": no scenario; "broken": its runs end in an error */
    char *phase;               /* where it fails most often, or comes nearest to that */
    char *figure;              /* "iops", "read", "write"; "loss" or "refused" in no phase */
    double share;              /* of the replications, that fail so */
    double slack; /* of that figure to its bound, at the worst, as a share of it; what chance may
                     explain is granted, so that below 0 is missed */
    char *reason; /* of "impossible" and "broken" */
    guint combination, step; /* which it is, of the other axes' values; along the longest range */
} AftSized;

typedef struct {
    char **axes;               /* paths, NULL-terminated */
    GPtrArray *rows;           /* AftSized, in the order in which they would be preferred */
    const AftSized *best;      /* (nullable): in rows, as are the next */
    const AftSized *runner_up; /* the next that holds */
    const AftSized *below;     /* the next smaller than the best that does not hold: what binds */
    guint64 replications;      /* all together */
    gboolean priced;           /* something has a price */
    gboolean uneven;           /* somewhere more did hurt, and all of the range was looked at */
    gboolean interrupted;
} AftSizing;

/** Columns of AftSized, of @axes (NULL-terminated, borrowed) first. Returns: (transfer full), to
 *  be freed with g_free(). */
AftTable *aft_sized_table(char **axes);

void aft_sizing_free(AftSizing *sizing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftSizing, aft_sizing_free)

/** How many replications a configuration that holds takes at least. */
guint aft_size_fewest(double confidence);

typedef struct {
    const GPtrArray *axes; /* AftSizeAxis, 1 to AFT_SIZE_MOST_AXES */
    double confidence;     /* above 0, below 1 */
    guint most;            /* replications of a configuration, aft_size_fewest() or more */
    guint jobs;            /* at once, 1 or more */
    gint *interrupted;     /* (nullable): set to non-zero, atomically, it ends early */

    /** The scenario (transfer full, resolved) with @settings, NULL-terminated "path=value"; NULL
     *  with @error. */
    AftScenario *(*make)(const char *const *settings, void *context, GError **error);
    /** (nullable): @settings are looked at, @ended replications have ended; threads take turns. */
    void (*progress)(const char *const *settings, guint ended, guint most, void *context);
    void *context;
} AftSizeSetup;

/** Searches. Interrupted, it tells what was found until then.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_LIMIT when there are too many
 *  combinations, AFT_ERROR_RANGE when nothing is required, or what make() said when no
 *  configuration is possible. */
AftSizing *aft_size(const AftSizeSetup *setup, GError **error);
