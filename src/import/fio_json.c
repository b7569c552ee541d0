/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fio 3: times in ns (clat_ns, lat_ns) and bw_bytes; fio 2: times in us (clat, lat), bw in KiB/s.
 * Jobs of one group run at the same time and are one configuration: their rates add up, their means
 * are weighted by them, and their percentiles cannot be put together. */
#include "cells.h"
#include "kinds.h"
#include "text.h"
#include "tree.h"

#include <aftershock/base/error.h>

#include <math.h>

#define KIB (1024.0)

enum { READ, WRITE, MIXED, DIRECTIONS };
enum { PERCENTILES = 4, MOST_GROUPS = 5000 };

static const char *const directions[DIRECTIONS] = {"read", "write", "mixed"};
static const double shares[PERCENTILES] = {50.0, 95.0, 99.0, 99.5};
static const char *const share_names[PERCENTILES] = {"p50", "p95", "p99", "p995"};

/* How long I/O took, as one key of fio has it. NaN: it does not say. */
static const struct {
    const char *key;
    double unit_s;
    gboolean total; /* with the time of submission */
} clocks[] = {{"lat_ns", 1e-9, TRUE},
              {"lat", 1e-6, TRUE},
              {"clat_ns", 1e-9, FALSE},
              {"clat", 1e-6, FALSE}};

typedef struct {
    guint jobs; /* that have such I/O */
    double iops;
    double bytes_per_s;
    double mean_s;
    gboolean mean_total;
    double percentile_s[PERCENTILES]; /* NaN: none, or of several jobs */
    gboolean percentile_total;
} Figures;

/* Jobs that ran at the same time. */
typedef struct {
    gint64 id;
    char *name;
    guint jobs;
    Figures figures[DIRECTIONS];
} Group;

static void free_group(gpointer data)
{
    Group *group = data;
    g_free(group->name);
    g_free(group);
}

/* Where errors are, and what is made of a file. */
typedef struct {
    const char *path;
    GPtrArray *remarks;
    GPtrArray *groups; /* Group */
} Reading;

/* Which percentile "99.500000" is; PERCENTILES: one that nobody asks for. */
static guint find_share(const char *name)
{
    double share = g_ascii_strtod(name, NULL);
    guint i = 0;
    while (i < PERCENTILES && fabs(share - shares[i]) > 1e-6) {
        i++;
    }
    return i;
}

static gboolean read_percentiles(JsonObject *clock, const char *where, double unit_s,
                                 Figures *figures, GError **error)
{
    JsonObject *percentile = NULL;
    if (!aft_tree_object(clock, where, "percentile", &percentile, error)) {
        return FALSE;
    }
    g_autofree char *below = g_strconcat(where, ".percentile", NULL);
    g_autoptr(GList) names = percentile != NULL ? json_object_get_members(percentile) : NULL;
    for (GList *name = names; name != NULL; name = name->next) {
        double value = NAN;
        guint i = find_share(name->data);
        if (i < PERCENTILES && !aft_tree_number(percentile, below, name->data, &value, error)) {
            return FALSE;
        }
        if (i < PERCENTILES && value > 0.0) {
            figures->percentile_s[i] = value * unit_s;
        }
    }
    return TRUE;
}

static gboolean has_percentiles(const Figures *figures)
{
    for (guint i = 0; i < PERCENTILES; i++) {
        if (!isnan(figures->percentile_s[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Of the clocks that are there, the first that has a mean, and the first that has percentiles. */
static gboolean read_clocks(JsonObject *direction, const char *where, Figures *figures,
                            GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(clocks); i++) {
        JsonObject *clock = NULL;
        double mean = NAN;
        g_autofree char *below = g_strconcat(where, ".", clocks[i].key, NULL);
        if (!aft_tree_object(direction, where, clocks[i].key, &clock, error)) {
            return FALSE;
        }
        if (clock == NULL) {
            continue;
        }
        if (!aft_tree_number(clock, below, "mean", &mean, error)) {
            return FALSE;
        }
        if (isnan(figures->mean_s) && mean > 0.0) {
            figures->mean_s = mean * clocks[i].unit_s;
            figures->mean_total = clocks[i].total;
        }
        gboolean had = has_percentiles(figures);
        if (!had && !read_percentiles(clock, below, clocks[i].unit_s, figures, error)) {
            return FALSE;
        }
        figures->percentile_total = had ? figures->percentile_total : clocks[i].total;
    }
    return TRUE;
}

static gboolean read_bandwidth(JsonObject *direction, const char *where, double *ret_bytes_per_s,
                               GError **error)
{
    double kib = NAN;
    if (!aft_tree_number(direction, where, "bw_bytes", ret_bytes_per_s, error) ||
        !aft_tree_number(direction, where, "bw", &kib, error)) {
        return FALSE;
    }
    if (isnan(*ret_bytes_per_s)) {
        *ret_bytes_per_s = kib * KIB;
    }
    return TRUE;
}

static gboolean read_figures(JsonObject *direction, const char *where, Figures *figures,
                             GError **error)
{
    *figures = (Figures){.jobs = 1, .mean_s = NAN, .percentile_s = {NAN, NAN, NAN, NAN}};
    return aft_tree_number(direction, where, "iops", &figures->iops, error) &&
           read_bandwidth(direction, where, &figures->bytes_per_s, error) &&
           read_clocks(direction, where, figures, error);
}

/* The mean of both, by how many I/Os they are of. */
static double joined_mean(const Figures *one, const Figures *other)
{
    return (one->mean_s * one->iops + other->mean_s * other->iops) / (one->iops + other->iops);
}

static void join(Figures *sum, const Figures *one)
{
    if (sum->jobs == 0) {
        *sum = *one;
        return;
    }
    sum->mean_s = joined_mean(sum, one);
    sum->mean_total = sum->mean_total && one->mean_total;
    sum->iops += one->iops;
    sum->bytes_per_s += one->bytes_per_s;
    sum->jobs += one->jobs;
    for (guint i = 0; i < PERCENTILES; i++) {
        sum->percentile_s[i] = NAN;
    }
}

/* Looks from the end on: jobs of a group follow each other. Returns: (nullable): there are too
 * many. */
static Group *find_group(Reading *reading, gint64 id, const char *name, GError **error)
{
    for (guint i = reading->groups->len; i-- > 0;) {
        Group *group = g_ptr_array_index(reading->groups, i);
        if (group->id == id) {
            return group;
        }
    }
    if (reading->groups->len == MOST_GROUPS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most %d groups of jobs",
                    reading->path, MOST_GROUPS);
        return NULL;
    }
    Group *group = g_new0(Group, 1);
    *group = (Group){.id = id, .name = g_strdup(name)};
    g_ptr_array_add(reading->groups, group);
    return group;
}

static gboolean read_direction(JsonObject *job, const char *where, guint which, Group *group,
                               GError **error)
{
    JsonObject *direction = NULL;
    Figures figures;
    g_autofree char *below = g_strconcat(where, ".", directions[which], NULL);
    if (!aft_tree_object(job, where, directions[which], &direction, error)) {
        return FALSE;
    }
    if (direction != NULL && !read_figures(direction, below, &figures, error)) {
        return FALSE;
    }
    if (direction != NULL && figures.iops > 0.0) { /* what did not happen has zeros */
        join(&group->figures[which], &figures);
    }
    return TRUE;
}

/* Says so when @key, a number of @part, is above 0: there is no figure for that. */
static gboolean tell_of(const Reading *reading, JsonObject *job, const char *where,
                        const char *part, const char *key, GError **error)
{
    JsonObject *object = NULL;
    double number = NAN;
    g_autofree char *below = g_strconcat(where, ".", part, NULL);
    if (!aft_tree_object(job, where, part, &object, error) ||
        (object != NULL && !aft_tree_number(object, below, key, &number, error))) {
        return FALSE;
    }
    if (number > 0.0) {
        aft_text_remark(reading->remarks, "%s: left out: nothing here is like it", below);
    }
    return TRUE;
}

static gboolean read_job(Reading *reading, JsonObject *job, const char *where, GError **error)
{
    double id = NAN, failed = NAN;
    const char *name = aft_tree_text(job, "jobname");
    if (!aft_tree_number(job, where, "groupid", &id, error) ||
        !aft_tree_number(job, where, "error", &failed, error)) {
        return FALSE;
    }
    if (failed > 0.0) {
        aft_text_remark(reading->remarks,
                        "%s: %s ended with error %g: its figures may be of a part", where,
                        name != NULL ? name : "the job", failed);
    }
    gint64 number = isnan(id) ? 0 : (gint64)MIN(id, 1e9);
    Group *group = find_group(reading, number, name != NULL ? name : "fio", error);
    if (group == NULL) {
        return FALSE;
    }
    group->jobs++;
    for (guint i = 0; i < DIRECTIONS; i++) {
        if (!read_direction(job, where, i, group, error)) {
            return FALSE;
        }
    }
    return tell_of(reading, job, where, "trim", "iops", error) &&
           tell_of(reading, job, where, "sync", "total_ios", error);
}

/* Of several machines: the entry that sums them up, if there is one. Returns: its index, or
 * G_MAXUINT. */
static guint find_total(JsonArray *jobs)
{
    for (guint i = 0; i < json_array_get_length(jobs); i++) {
        JsonObject *job = aft_tree_item(jobs, i);
        if (job != NULL && g_strcmp0(aft_tree_text(job, "jobname"), "All clients") == 0) {
            return i;
        }
    }
    return G_MAXUINT;
}

static gboolean read_jobs(Reading *reading, JsonArray *jobs, const char *name, GError **error)
{
    guint total = find_total(jobs);
    for (guint i = 0; i < json_array_get_length(jobs); i++) {
        g_autofree char *where = g_strdup_printf("%s: %s[%u]", reading->path, name, i);
        JsonObject *job = aft_tree_item(jobs, i);
        if (total != G_MAXUINT && i != total) {
            continue;
        }
        if (job == NULL) {
            return aft_text_fail(error, reading->path, 0, "%s[%u]: expected an object, {...}", name,
                                 i);
        }
        if (!read_job(reading, job, where, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* "fio-3.33". */
static gboolean check_version(const char *path, JsonObject *top, const char **ret_version,
                              GError **error)
{
    const char *version = aft_tree_text(top, "fio version");
    if (version == NULL) {
        return aft_text_fail(error, path, 0,
                             "is no result of fio: it has no \"fio version\"; "
                             "expected what fio --output-format=json writes");
    }
    if (!g_str_has_prefix(version, "fio-2.") && !g_str_has_prefix(version, "fio-3.")) {
        return aft_text_fail(error, path, 0, "fio version: expected fio-2 or fio-3, got %s",
                             version);
    }
    *ret_version = version;
    return TRUE;
}

static gboolean read_document(Reading *reading, JsonObject *top, GError **error)
{
    static const char *const names[] = {"jobs", "client_stats"};
    gboolean any = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        JsonArray *jobs = NULL;
        if (!aft_tree_array(top, reading->path, names[i], &jobs, error)) {
            return FALSE;
        }
        if (jobs != NULL && !read_jobs(reading, jobs, names[i], error)) {
            return FALSE;
        }
        any = any || (jobs != NULL && json_array_get_length(jobs) > 0);
    }
    return any || aft_text_fail(error, reading->path, 0, "has no jobs");
}

static gboolean add_direction(AftCells *cells, const char *path, const char *label,
                              const char *name, const Figures *figures, GError **error)
{
    g_autofree char *iops = g_strconcat(name, "_iops", NULL);
    g_autofree char *mean = g_strconcat(name, "_mean", NULL);
    g_autofree char *bandwidth = g_strconcat(name, "_mb_per_s", NULL);
    const char *note = figures->mean_total ? NULL : "completion alone, without submission";
    gboolean fine =
        aft_cells_add(cells, path, label, iops, figures->iops, NULL, error) &&
        aft_cells_add(cells, path, label, bandwidth, figures->bytes_per_s, NULL, error) &&
        aft_cells_add(cells, path, label, mean, figures->mean_s, note, error);
    for (guint i = 0; i < PERCENTILES && fine; i++) {
        g_autofree char *metric = g_strconcat(name, "_", share_names[i], NULL);
        fine = aft_cells_add(cells, path, label, metric, figures->percentile_s[i], NULL, error);
    }
    return fine;
}

/* Reads and writes together, as fio has them (unified_rw_reporting) or summed up. */
static gboolean add_total(AftCells *cells, const char *path, const char *label, const Group *group,
                          GError **error)
{
    Figures sum = group->figures[READ];
    if (group->figures[WRITE].jobs > 0) {
        join(&sum, &group->figures[WRITE]);
    }
    gboolean split = sum.jobs > 0;
    if (!split) {
        sum = group->figures[MIXED];
    }
    return aft_cells_add(cells, path, label, "iops", sum.iops, NULL, error) &&
           aft_cells_add(cells, path, label, "mb_per_s", sum.bytes_per_s, NULL, error) &&
           (split || aft_cells_add(cells, path, label, "mean", sum.mean_s, NULL, error));
}

static void tell_of_percentiles(const Reading *reading, AftCells *cells, const Group *group)
{
    for (guint i = READ; i <= WRITE; i++) {
        const Figures *figures = &group->figures[i];
        if (figures->jobs > 1) {
            aft_cells_comment(cells, "%s percentiles of %u jobs cannot be put together",
                              directions[i], figures->jobs);
            aft_text_remark(reading->remarks,
                            "%s: %s: no %s percentiles: those of %u jobs cannot be put together; "
                            "fio does it with group_reporting",
                            reading->path, group->name, directions[i], figures->jobs);
        } else if (has_percentiles(figures) && figures->jobs > 0 && !figures->percentile_total) {
            aft_cells_comment(cells, "%s percentiles are of completion, without submission",
                              directions[i]);
        }
    }
}

static gboolean add_group(const Reading *reading, AftCells *cells, const Group *group,
                          const char *wanted, GError **error)
{
    g_autofree char *label = aft_cells_label(cells, wanted);
    if (group->jobs > 1) {
        aft_cells_comment(cells, "%u jobs at the same time: rates are sums, means weighted by them",
                          group->jobs);
    }
    tell_of_percentiles(reading, cells, group);
    gboolean fine = add_total(cells, reading->path, label, group, error);
    for (guint i = READ; i <= WRITE && fine; i++) {
        fine = group->figures[i].jobs == 0 ||
               add_direction(cells, reading->path, label, directions[i], &group->figures[i], error);
    }
    return fine;
}

static gboolean add_groups(const Reading *reading, AftCells *cells, const AftImportOptions *options,
                           GError **error)
{
    guint n = reading->groups->len;
    for (guint i = 0; i < n; i++) {
        const Group *group = g_ptr_array_index(reading->groups, i);
        g_autofree char *both = options->label != NULL && n > 1
                                    ? g_strconcat(options->label, "-", group->name, NULL)
                                    : NULL;
        const char *wanted = both != NULL             ? both
                             : options->label != NULL ? options->label
                                                      : group->name;
        if (!add_group(reading, cells, group, wanted, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_file(const char *path, AftCells *cells, const AftImportOptions *options,
                          GPtrArray *remarks, GError **error)
{
    g_autoptr(JsonNode) root = aft_tree_read(path, error);
    JsonObject *top = root != NULL ? aft_tree_top(root, path, error) : NULL;
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(free_group);
    Reading reading = {path, remarks, groups};
    const char *version = NULL;
    if (top == NULL || !check_version(path, top, &version, error) ||
        !read_document(&reading, top, error)) {
        return FALSE;
    }
    aft_cells_tool(cells, version);
    return add_groups(&reading, cells, options, error);
}

char *aft_import_fio_json(const char *const *files, const AftImportOptions *options,
                          GPtrArray *remarks, GError **error)
{
    g_autoptr(AftCells) cells = aft_cells_new(options);
    for (guint i = 0; files[i] != NULL; i++) {
        if (!read_file(files[i], cells, options, remarks, error)) {
            return NULL;
        }
    }
    return aft_cells_write(cells, files, error);
}
