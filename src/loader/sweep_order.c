/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a point sets is there when it runs: nothing is set twice, or forgotten. The points of a list
 * come first, then axes in their order; what is set for the whole of a map forgets what was set in
 * it before. Tables would otherwise tell of values that no run had. */
#include "scenario_target.h"
#include "sweep_reading.h"

#include <string.h>

/* What was set by others before. */
typedef struct {
    GHashTable *owners; /* full path of a key -> who set it */
    const char *full;   /* of the key that is set now */
    const char *owner;  /* who does */
} Order;

gboolean aft_sweep_takes_away(const char *full, const char *path)
{
    const char *tail = g_str_has_prefix(path, full) ? path + strlen(full) : NULL;
    gboolean whole = aft_sweep_main_key(full) != NULL;
    return tail != NULL && (*tail == '\0' || (whole && (*tail == '.' || *tail == '[')));
}

/* What @it forgets, or sets again: the first by name. Returns: (transfer none) (nullable): its full
 * path. */
static const char *clash_with(const Order *it)
{
    const char *first = NULL;
    GHashTableIter all;
    gpointer path, owner;
    g_hash_table_iter_init(&all, it->owners);
    while (g_hash_table_iter_next(&all, &path, &owner)) {
        if (aft_sweep_takes_away(it->full, path) && strcmp(owner, it->owner) != 0 &&
            (first == NULL || strcmp(path, first) < 0)) {
            first = path;
        }
    }
    return first;
}

/* Returns: whether @it goes together with what was set before; else it is told at @place. */
static gboolean check(const AftSweepReading *reading, const Order *it, const AftPlace *place,
                      const char *path)
{
    const char *clash = clash_with(it);
    if (strcmp(it->full, "run.seed") == 0) {
        aft_sweep_refuse(reading, place, path, NULL, "sets run.seed, but " AFT_SWEEP_SEEDS);
        return FALSE;
    }
    if (clash == NULL) {
        return TRUE;
    }
    const char *owner = g_hash_table_lookup(it->owners, clash);
    if (strcmp(clash, it->full) == 0) {
        aft_sweep_refuse(reading, place, path, NULL, "sets %s, which %s sets as well", clash,
                         owner);
    } else {
        aft_sweep_refuse(reading, place, path, NULL,
                         "comes after %s and forgets what that sets, %s", owner, clash);
    }
    return FALSE;
}

static char *path_of(const char *setting)
{
    g_autofree char *path = g_strndup(setting, strcspn(setting, "="));
    return aft_scenario_full_path(path);
}

/* Of a point, whose keys have an order as well. */
static gboolean check_point(const AftSweepReading *reading, guint point)
{
    const AftAxisValue *listed = g_ptr_array_index(reading->sweep->points, point);
    g_autoptr(GHashTable) owners = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *where = g_strdup_printf("points[%u]", point);
    gboolean fine = TRUE;
    for (char **setting = listed->settings; fine && *setting != NULL; setting++) {
        char *full = path_of(*setting);
        const Order it = {owners, full, full};
        fine = check(reading, &it, aft_sweep_place(reading, where), where);
        g_hash_table_insert(owners, full, g_strdup(full));
    }
    return fine;
}

static void take_settings(GHashTable *owners, char *const *settings, const char *owner)
{
    for (char *const *setting = settings; *setting != NULL; setting++) {
        g_hash_table_insert(owners, path_of(*setting), g_strdup(owner));
    }
}

/* What @axis sets where it has its @i-th value; a distribution sets its key. @number has room for
 * that. */
static char *const *settings_at(const AftAxis *axis, guint i, char **number)
{
    if (axis->values->len > 0) {
        return ((const AftAxisValue *)g_ptr_array_index(axis->values, i))->settings;
    }
    number[0] = axis->path;
    number[1] = NULL;
    return number;
}

static gboolean check_value(const AftSweepReading *reading, const AftAxis *axis,
                            char *const *settings, GHashTable *owners)
{
    g_autofree char *where = g_strdup_printf("axes[%s]", axis->path);
    gboolean fine = TRUE;
    for (; fine && *settings != NULL; settings++) {
        g_autofree char *full = path_of(*settings);
        const Order it = {owners, full, axis->path};
        fine = check(reading, &it, aft_places_key(reading->source->places, where), axis->path);
    }
    return fine;
}

static void check_axis(const AftSweepReading *reading, const AftAxis *axis, GHashTable *owners)
{
    char *number[2];
    guint n = MAX(axis->values->len, 1);
    for (guint i = 0; i < n && check_value(reading, axis, settings_at(axis, i, number), owners);
         i++) {
        take_settings(owners, settings_at(axis, i, number), axis->path);
    }
}

void aft_sweep_check_order(const AftSweepReading *reading)
{
    g_autoptr(GHashTable) owners = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    const AftSweep *sweep = reading->sweep;
    for (guint i = 0; i < sweep->points->len && check_point(reading, i); i++) {
        const AftAxisValue *listed = g_ptr_array_index(sweep->points, i);
        take_settings(owners, listed->settings, "a point");
    }
    for (guint i = 0; i < sweep->axes->len; i++) {
        check_axis(reading, g_ptr_array_index(sweep->axes, i), owners);
    }
}
