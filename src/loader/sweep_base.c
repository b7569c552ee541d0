/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "scenario_target.h"
#include "sweep_reading.h"

#include <aftershock/loader/loader.h>
#include <aftershock/sweep/points.h>

#include <math.h>
#include <string.h>

enum { MOST_TRIED = 256 };

#define GOLDEN (0.6180339887498949) /* its multiples are spread evenly over the circle */

/* The base as it is written, not resolved. Returns: (transfer full). */
static AftScenario *read_scenario(const AftSweepBase *base)
{
    AftScenario *scenario = aft_scenario_new();
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftSource source;
    if (base->text != NULL && aft_source_init(&source, base->name, base->text, base->bytes,
                                              aft_scenario_full_path, NULL)) {
        AftScenarioReading reading = {scenario, base->name};
        aft_source_read(&source, &aft_scenario_target, &reading);
        aft_source_finish(&source, messages, NULL); /* who loads it first has been told */
    }
    return scenario;
}

/* Whether the base can run as it is. */
static gboolean check_base(const AftSweepBase *base, GPtrArray *messages, GError **error)
{
    g_autoptr(GPtrArray) said = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(AftScenario) scenario =
        aft_loader_load_text(base->name, base->text, base->bytes, NULL, said, error);
    if (scenario == NULL) {
        g_ptr_array_extend_and_steal(messages, g_steal_pointer(&said));
    }
    return scenario != NULL;
}

static void take_text(AftSweepBase *base, const char *text, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *read = text != NULL ? text : aft_file_read(base->name, bytes, error);
    if (read != NULL) {
        base->bytes = text != NULL ? strlen(text) : bytes->len;
        base->text = g_strndup(read, base->bytes);
    }
}

void aft_sweep_base_read(AftSweepReading *reading, const char *text, GPtrArray *messages)
{
    AftSweepBase *base = &reading->base;
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "base");
    g_autofree char *path = aft_reading_needed(&reading->keys, "", "base", LONGEST_PATH,
                                               "expected the path of the scenario to vary");
    g_autoptr(GError) error = NULL;
    if (path != NULL) {
        base->name = aft_file_beside(reading->keys.name, path);
        reading->sweep->base = g_strdup(base->name);
        take_text(base, text, &error);
    }
    if (base->text != NULL && !check_base(base, messages, &error)) {
        g_clear_pointer(&base->text, g_free);
    }
    if (error != NULL) {
        AFT_REFUSE(&reading->keys, &key, NULL, "%s", error->message);
    }
    base->scratch = read_scenario(base);
}

void aft_sweep_base_clear(AftSweepBase *base)
{
    g_free(base->name);
    g_free(base->text);
    aft_scenario_free(base->scratch);
}

gboolean aft_sweep_try(const AftSweepReading *reading, const AftPlace *place, const char *path,
                       const char *text)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    gboolean fine = reading->base.text == NULL || /* which has been told */
                    aft_scenario_set(reading->base.scratch, path, text, problems);
    aft_sweep_tell(reading, place, problems);
    return fine;
}

/* Whether one of the paths is at or below the other. */
static gboolean are_related(const char *path, const char *other)
{
    g_autofree char *a = aft_scenario_full_path(path), *b = aft_scenario_full_path(other);
    gsize n = MIN(strlen(a), strlen(b));
    const char *longer = strlen(a) > n ? a : b;
    return strncmp(a, b, n) == 0 && (longer[n] == '\0' || longer[n] == '.' || longer[n] == '[');
}

/* Where the value of axis @axis at @point stands. */
static const AftPlace *place_of_level(const AftSweepReading *reading, const AftPoints *points,
                                      guint point, guint axis)
{
    const AftAxis *along = g_ptr_array_index(reading->sweep->axes, axis);
    guint level = aft_points_level(points, point, axis);
    g_autofree char *whole = g_strdup_printf("axes[%s]", along->path);
    g_autofree char *item = g_strdup_printf("%s[%u]", whole, level);
    const AftPlace *place = aft_places_value(reading->source->places, item);
    return place != NULL ? place : aft_sweep_place(reading, whole);
}

/* What @point of a list sets at, around or below @path. Returns: (nullable). */
static const AftPlace *place_in_list(const AftSweepReading *reading, guint point, const char *path)
{
    const AftAxisValue *listed = g_ptr_array_index(reading->sweep->points, point);
    for (char **setting = listed->settings; *setting != NULL; setting++) {
        g_autofree char *set = g_strndup(*setting, strcspn(*setting, "="));
        g_autofree char *item = g_strdup_printf("points[%u][%s]", point, set);
        const AftPlace *place = aft_places_value(reading->source->places, item);
        if (place != NULL && are_related(set, path)) {
            return place;
        }
    }
    return NULL;
}

/* Where to tell of a problem with @path at @point: at the value there, else at what differs from
 * the first point. */
static const AftPlace *place_of_cause(const AftSweepReading *reading, const AftPoints *points,
                                      guint point, const char *path)
{
    const GPtrArray *axes = reading->sweep->axes;
    gboolean list = reading->sweep->design == AFT_DESIGN_LIST;
    const AftPlace *listed = list ? place_in_list(reading, point, path) : NULL;
    guint cause = 0;
    for (guint i = 0; i < axes->len; i++) {
        const AftAxis *axis = g_ptr_array_index(axes, i);
        guint level = aft_points_level(points, point, i);
        if (listed == NULL && are_related(axis->path, path)) {
            return place_of_level(reading, points, point, i);
        }
        cause = level != 0 && level != G_MAXUINT ? i : cause;
    }
    g_autofree char *item = g_strdup_printf("points[%u]", point);
    return listed != NULL  ? listed
           : list          ? aft_sweep_place(reading, item)
           : axes->len > 0 ? place_of_level(reading, points, point, cause)
                           : aft_sweep_place(reading, "base");
}

/* What is wrong, and at which of the points. Returns: (transfer full). */
static char *message_at(const AftProblem *problem, const AftPoints *points, guint point)
{
    g_autofree char *name = aft_points_name(points, point);
    const char *meant = problem->suggestion != NULL ? problem->suggestion : "";
    return g_strdup_printf("%s%s%s (point %u%s%s)", problem->message, *meant != '\0' ? "; " : "",
                           meant, point, *name != '\0' ? ": " : "", name);
}

/* Tells what keeps @point from running, if it was not @told before. */
static void tell_of_point(const AftSweepReading *reading, const AftPoints *points, guint point,
                          const GPtrArray *problems, GHashTable *told)
{
    for (guint i = 0; i < problems->len; i++) {
        const AftProblem *problem = g_ptr_array_index(problems, i);
        const AftPlace *place = place_of_cause(reading, points, point, problem->path);
        char *place_and_problem =
            g_strdup_printf("%u:%u:%s", place->line, place->column, problem->message);
        gboolean first = g_hash_table_add(told, place_and_problem);
        if (first && !problem->warning) {
            g_autofree char *message = message_at(problem, points, point);
            aft_sweep_refuse(reading, place, problem->path, NULL, "%s", message);
        }
    }
}

static void try_point(const AftSweepReading *reading, const AftPoints *points, guint point,
                      GHashTable *told)
{
    g_autoptr(AftScenario) scenario = read_scenario(&reading->base);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_auto(GStrv) settings = aft_points_settings(points, point, reading->sweep->seed, 0);
    gboolean fine = TRUE;
    for (char **setting = settings; *setting != NULL; setting++) {
        g_autofree char *path = g_strndup(*setting, strcspn(*setting, "="));
        fine = aft_scenario_set(scenario, path, strchr(*setting, '=') + 1, problems) && fine;
    }
    if (fine) {
        aft_scenario_resolve(scenario, problems);
    }
    tell_of_point(reading, points, point, problems, told);
}

void aft_sweep_check_points(const AftSweepReading *reading)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftPoints) points = aft_points_new(reading->sweep, &error);
    if (points == NULL) {
        gboolean grid = reading->sweep->design == AFT_DESIGN_GRID;
        aft_problems_add(reading->keys.problems, FALSE, grid ? "axes" : "points", NULL, "%s",
                         error->message);
        return;
    }
    g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint n = aft_points_n(points);
    for (guint i = 0; i < MIN(n, MOST_TRIED); i++) {
        double way = i * GOLDEN;
        guint spread = (guint)((way - floor(way)) * n);
        try_point(reading, points, n <= MOST_TRIED ? i : spread, told);
    }
}
