/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_reading.h"

#include <aftershock/scenario/nearest.h>

#include <math.h>
#include <string.h>

static const char *const range_names[] = {"from", "to", "step", NULL};

/* What numbers are read with: the key that they are of, and where. */
typedef struct {
    const AftSweepReading *reading;
    const AftSweepItem *item;
    AftAxis *axis;
    const AftKey *key;
} Numbers;

gboolean aft_sweep_is_number(const AftSweepItem *item)
{
    AftDistributionKind kind;
    for (guint i = 0; i < item->below->len; i++) {
        const char *name = aft_sweep_name_below(item, g_ptr_array_index(item->below, i));
        if (name != NULL && (aft_distribution_find(name, &kind) || strcmp(name, "from") == 0 ||
                             strcmp(name, "to") == 0)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The entry called @name in the map; NULL: none. */
static const AftSheetEntry *find(const Numbers *numbers, const char *name)
{
    for (guint i = 0; i < numbers->item->below->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(numbers->item->below, i);
        if (g_strcmp0(aft_sweep_name_below(numbers->item, entry), name) == 0) {
            return entry;
        }
    }
    return NULL;
}

static const AftPlace *place_of(const Numbers *numbers, const AftSheetEntry *entry)
{
    return aft_sweep_place(numbers->reading, entry->path);
}

static gboolean parse(const Numbers *numbers, const AftSheetEntry *entry, AftUnit unit,
                      double *ret_value)
{
    g_autoptr(GError) error = NULL;
    if (entry->text == NULL) { /* as told */
        return FALSE;
    }
    if (aft_units_parse(unit, entry->text, ret_value, &error) ||
        (numbers->key->bare_number &&
         aft_units_parse(AFT_UNIT_COUNT, entry->text, ret_value, NULL))) {
        return TRUE;
    }
    aft_sweep_refuse(numbers->reading, place_of(numbers, entry), numbers->axis->path, NULL, "%s",
                     error->message);
    return FALSE;
}

/* A number that the key must take as it is. */
static gboolean parse_bound(const Numbers *numbers, const AftSheetEntry *entry, double *ret_value)
{
    return parse(numbers, entry, numbers->axis->unit, ret_value) &&
           aft_sweep_try(numbers->reading, place_of(numbers, entry), numbers->axis->path,
                         entry->text);
}

/* Takes parameter @index of the distribution, which @entry says. */
static gboolean read_parameter(const Numbers *numbers, const AftSheetEntry *entry, guint index)
{
    AftDistribution *distribution = &numbers->axis->distribution;
    double *value = &distribution->parameter[index];
    switch (distribution->kind) {
    case AFT_DISTRIBUTION_UNIFORM:
    case AFT_DISTRIBUTION_LOG_UNIFORM:
        return parse_bound(numbers, entry, value);
    case AFT_DISTRIBUTION_WEIBULL:
        return parse(numbers, entry, index == 1 ? AFT_UNIT_COUNT : numbers->axis->unit, value);
    default:
        return parse(numbers, entry, numbers->axis->unit, value);
    }
}

/* The entries of the parameters of the distribution at @entry: itself, or the items of its list.
 * Returns: (transfer full). */
static GPtrArray *parameters_of(const Numbers *numbers, const AftSheetEntry *entry)
{
    GPtrArray *parameters = g_ptr_array_new();
    gsize n = strlen(entry->path);
    if (!entry->map) {
        g_ptr_array_add(parameters, (gpointer)entry);
    }
    for (guint i = 0; i < numbers->item->below->len; i++) {
        const AftSheetEntry *below = g_ptr_array_index(numbers->item->below, i);
        if (strncmp(below->path, entry->path, n) == 0 && below->path[n] == '[') {
            g_ptr_array_add(parameters, (gpointer)below);
        }
    }
    return parameters;
}

static void read_distribution(const Numbers *numbers, const AftSheetEntry *entry,
                              AftDistributionKind kind)
{
    AftDistribution *distribution = &numbers->axis->distribution;
    g_autoptr(GPtrArray) parameters = parameters_of(numbers, entry);
    guint n = aft_distribution_parameters(kind);
    distribution->kind = kind;
    if (parameters->len != n) {
        aft_sweep_refuse(numbers->reading, place_of(numbers, entry), numbers->axis->path, NULL,
                         "%s takes %s", aft_distribution_name(kind), aft_distribution_help(kind));
        return;
    }
    gboolean fine = TRUE;
    for (guint i = 0; i < n; i++) {
        fine = read_parameter(numbers, g_ptr_array_index(parameters, i), i) && fine;
    }
    g_autoptr(GError) error = NULL;
    if (fine && !aft_distribution_check(distribution, &error)) {
        aft_sweep_refuse(numbers->reading, place_of(numbers, entry), numbers->axis->path, NULL,
                         "%s", error->message);
    }
}

/* Steps add up to what is written, not to what lies a rounding beside it. */
static double neat(double value)
{
    g_autofree char *text = g_strdup_printf("%.12g", value);
    return g_ascii_strtod(text, NULL);
}

static void add_step(AftAxis *axis, double number)
{
    g_autofree char *text =
        axis->whole ? g_strdup_printf("%.0f", number) : aft_units_format_exact(axis->unit, number);
    AftAxisValue *value = aft_axis_value_new(text);
    value->settings = g_renew(char *, value->settings, 2);
    value->settings[0] = g_strconcat(axis->path, "=", text, NULL);
    value->settings[1] = NULL;
    g_ptr_array_add(axis->values, value);
}

static void add_steps(const Numbers *numbers, const AftSheetEntry *entry, double from, double to,
                      double step)
{
    const AftPlace *place = place_of(numbers, entry);
    const char *path = numbers->axis->path;
    double n = floor((to - from) / step + 1e-9) + 1.0;
    if (!(step > 0.0)) {
        aft_sweep_refuse(numbers->reading, place, path, NULL, "expected a step above 0");
    } else if (from > to) {
        aft_sweep_refuse(numbers->reading, place, path, NULL,
                         "expected what it comes to to be at least what it begins from");
    } else if (!(n <= AFT_SWEEP_MOST_VALUES)) {
        aft_sweep_refuse(numbers->reading, place, path, NULL, "expected at most %d values",
                         AFT_SWEEP_MOST_VALUES);
    } else if (numbers->axis->whole && step != floor(step)) {
        aft_sweep_refuse(numbers->reading, place, path, NULL, "expected a whole step");
    } else {
        for (guint i = 0; i < (guint)n; i++) {
            add_step(numbers->axis, neat(from + i * step));
        }
    }
}

static void read_range(const Numbers *numbers)
{
    const AftSheetEntry *from = find(numbers, "from"), *to = find(numbers, "to");
    const AftSheetEntry *step = find(numbers, "step");
    double first = 0.0, last = 0.0, by = 1.0;
    if (from == NULL && to == NULL) {
        return; /* other names have been refused */
    }
    if (from == NULL || to == NULL || (step == NULL && !numbers->axis->whole)) {
        aft_sweep_refuse(numbers->reading, place_of(numbers, from != NULL ? from : to),
                         numbers->axis->path, NULL, "a range has from, to and step");
        return;
    }
    gboolean fine = parse_bound(numbers, from, &first);
    fine = parse_bound(numbers, to, &last) && fine;
    if (step != NULL) {
        fine = parse(numbers, step, numbers->axis->unit, &by) && fine;
    }
    if (fine) {
        add_steps(numbers, step != NULL ? step : to, first, last, by);
    }
}

/* What is there besides what is read. */
static void refuse_others(const Numbers *numbers, const AftSheetEntry *distribution)
{
    const char *names[AFT_DISTRIBUTIONS + G_N_ELEMENTS(range_names)] = {"from", "to", "step"};
    for (guint i = 0; i < AFT_DISTRIBUTIONS; i++) {
        names[i + 3] = aft_distribution_name((AftDistributionKind)i);
    }
    for (guint i = 0; i < numbers->item->below->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(numbers->item->below, i);
        const char *name = aft_sweep_name_below(numbers->item, entry);
        gboolean range = distribution == NULL && name != NULL && g_strv_contains(range_names, name);
        if (name != NULL && entry != distribution && !range) {
            AftDistributionKind kind;
            gboolean known =
                g_strv_contains(range_names, name) || aft_distribution_find(name, &kind);
            const char *meant = known ? NULL : aft_nearest(name, names, G_N_ELEMENTS(names));
            aft_sweep_refuse(numbers->reading,
                             aft_places_key(numbers->reading->source->places, entry->path),
                             numbers->axis->path, meant,
                             "%s: expected one distribution, or a range", name);
        }
    }
}

/* The first distribution in the map; NULL: none. */
static const AftSheetEntry *find_distribution(const Numbers *numbers, AftDistributionKind *ret_kind)
{
    for (guint i = 0; i < numbers->item->below->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(numbers->item->below, i);
        const char *name = aft_sweep_name_below(numbers->item, entry);
        if (name != NULL && aft_distribution_find(name, ret_kind)) {
            return entry;
        }
    }
    return NULL;
}

/* Takes what @key allows. A minimum that is not allowed itself is the least number above it that
 * a time can be told apart by. */
static void take_key(AftAxis *axis, const AftKey *key)
{
    axis->unit = aft_key_unit(key);
    axis->whole = key->type == AFT_KEY_COUNT || key->type == AFT_KEY_INTEGER;
    axis->minimum = key->above ? key->minimum + 1e-9 : key->minimum;
    axis->maximum = key->maximum;
}

void aft_sweep_read_number(const AftSweepReading *reading, const AftSweepItem *item, AftAxis *axis)
{
    AftKeyMatch match;
    gboolean number = aft_keys_find(axis->path, &match) && match.key->type >= AFT_KEY_COUNT &&
                      match.key->type <= AFT_KEY_SHARE;
    if (!number) {
        aft_sweep_refuse(reading, aft_sweep_place(reading, item->entry->path), axis->path, NULL,
                         "takes no numbers, so that it has no range or distribution");
        return;
    }
    AftDistributionKind kind;
    Numbers numbers = {reading, item, axis, match.key};
    take_key(axis, match.key);
    const AftSheetEntry *distribution = find_distribution(&numbers, &kind);
    refuse_others(&numbers, distribution);
    if (distribution != NULL) {
        read_distribution(&numbers, distribution, kind);
    } else {
        read_range(&numbers);
    }
}
