/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drives.h"
#include "kinds.h"
#include "text.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>
#include <aftershock/scenario/devices.h>

#include <math.h>
#include <string.h>

#define DAYS_OF_YEAR  (365.0)
#define HOURS_OF_YEAR (8760.0)
#define MOST_HOURS    (250.0 * 365.0 * 24.0) /* of a mean life, as scenarios take it */
#define MOST_BYTES    (1e18)
#define LIKE          "hdd-7k2" /* whose times devices get: statistics of failures have none */

enum { DIGITS = 6 };

/* What is known of a model. */
typedef struct {
    const AftDriveModel *model;
    double per_year; /* failures of a drive in a year */
    AftInterval per_year_interval;
    gboolean fitted;
    AftWeibull weibull; /* if @fitted */
    guint aged_failures;
} Estimate;

static guint count_failed(const GArray *lives)
{
    guint n = 0;
    for (guint i = 0; i < lives->len; i++) {
        n += g_array_index(lives, AftLife, i).failed ? 1 : 0;
    }
    return n;
}

static Estimate estimate(const AftDriveModel *model)
{
    Estimate it = {.model = model, .aged_failures = count_failed(model->lives)};
    it.per_year =
        aft_lives_rate(model->failures, (double)model->days / DAYS_OF_YEAR, &it.per_year_interval);
    it.fitted = aft_lives_fit((const AftLife *)(gconstpointer)model->lives->data, model->lives->len,
                              &it.weibull);
    return it;
}

/* The share of those alive at its start that do not see the end of a year. */
static double share_of_year(double per_year)
{
    return -expm1(-per_year);
}

static void append_number(GString *text, const char *before, double value)
{
    g_string_append(text, before);
    if (isfinite(value)) {
        aft_text_number(text, value, DIGITS);
    }
}

static void append_row(GString *csv, const Estimate *it)
{
    const AftWeibull none = {NAN, NAN, {NAN, NAN}, {NAN, NAN}};
    const AftWeibull *fit = it->fitted ? &it->weibull : &none;
    aft_text_cell(csv, it->model->name);
    g_string_append_printf(csv, ",%.0f,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
                           it->model->size_bytes, it->model->drives, it->model->days,
                           it->model->failures);
    append_number(csv, ",", it->per_year);
    append_number(csv, ",", it->per_year_interval.low);
    append_number(csv, ",", it->per_year_interval.high);
    g_string_append_printf(csv, ",%u,%u", it->model->lives->len, it->aged_failures);
    append_number(csv, ",", fit->shape);
    append_number(csv, ",", fit->shape_interval.low);
    append_number(csv, ",", fit->shape_interval.high);
    append_number(csv, ",", fit->mean_hours);
    append_number(csv, ",", fit->mean_hours_interval.low);
    append_number(csv, ",", fit->mean_hours_interval.high);
    g_string_append_c(csv, '\n');
}

static char *write_csv(const GArray *estimates)
{
    GString *csv = g_string_new(
        "model,size_bytes,drives,drive_days,failures,failures_per_year,failures_per_year_low,"
        "failures_per_year_high,aged_drives,aged_failures,shape,shape_low,shape_high,mean_life_h,"
        "mean_life_low_h,mean_life_high_h\n");
    for (guint i = 0; i < estimates->len; i++) {
        append_row(csv, &g_array_index(estimates, Estimate, i));
    }
    return g_string_free(csv, FALSE);
}

static const AftDeviceProfile *profile_like(void)
{
    guint n;
    const AftBuiltinDevice *devices = aft_devices_builtin(&n);
    guint i = 0;
    while (i + 1 < n && !g_str_equal(devices[i].profile.name, LIKE)) {
        i++;
    }
    return &devices[i].profile;
}

static void append_quantity(GString *yaml, const char *key, AftUnit unit, double value)
{
    g_autofree char *text = aft_units_format_exact(unit, value);
    g_string_append_printf(yaml, "    %s: %s\n", key, text);
}

static void append_times(GString *yaml)
{
    const AftDeviceProfile *like = profile_like();
    append_quantity(yaml, "read", AFT_UNIT_TIME, (double)like->read_ns / 1e9);
    append_quantity(yaml, "write", AFT_UNIT_TIME, (double)like->write_ns / 1e9);
    append_quantity(yaml, "read_bandwidth", AFT_UNIT_BYTES_PER_TIME,
                    (double)like->read_bytes_per_s);
    append_quantity(yaml, "write_bandwidth", AFT_UNIT_BYTES_PER_TIME,
                    (double)like->write_bytes_per_s);
    append_quantity(yaml, "sequential", AFT_UNIT_SHARE, like->sequential);
}

static void tell_rate(GString *yaml, const Estimate *it)
{
    const AftInterval *interval = &it->per_year_interval;
    aft_text_comment(yaml, 4,
                     "%s: %u drives, %" G_GUINT64_FORMAT " drive-days, %" G_GUINT64_FORMAT
                     " failures",
                     it->model->name, it->model->drives, it->model->days, it->model->failures);
    aft_text_comment(yaml, 4, "failures in 100 drive-years: %.3g (95 %%: %.3g to %.3g, Poisson)",
                     100.0 * it->per_year, 100.0 * interval->low, 100.0 * interval->high);
    if (it->model->unsound > 0) {
        aft_text_comment(yaml, 4,
                         "%u drives have ages that cannot be: left out of the fit of lives",
                         it->model->unsound);
    }
}

static void append_device(GString *yaml, const char *key, const Estimate *it)
{
    g_string_append_printf(yaml, "  %s:\n", key);
    tell_rate(yaml, it);
    g_string_append(yaml, "    afr: ");
    aft_text_number(yaml, 100.0 * share_of_year(it->per_year), DIGITS);
    g_string_append(yaml, " %\n");
    if (it->model->size_bytes >= 1.0 && it->model->size_bytes <= MOST_BYTES) {
        append_quantity(yaml, "size", AFT_UNIT_BYTES, it->model->size_bytes);
    }
    append_times(yaml);
}

/* A name that no device has yet. Returns: (transfer none): @keys has it. */
static const char *unique_key(GHashTable *keys, const char *model)
{
    char *base = aft_text_key(model);
    char *key = g_strdup(base);
    for (guint i = 2; g_hash_table_contains(keys, key); i++) {
        g_free(key);
        key = g_strdup_printf("%.50s-%u", base, i);
    }
    g_free(base);
    g_hash_table_add(keys, key);
    return key;
}

static void tell_fit(GString *yaml, const Estimate *it)
{
    const AftWeibull *fit = &it->weibull;
    aft_text_comment(yaml, 2,
                     "%s: Weibull lives of %u drives of known age, %u of which failed: shape %.3g "
                     "(95 %%: %.3g to %.3g)%s, mean %.3g h (95 %%: %.3g to %.3g)",
                     it->model->name, it->model->lives->len, it->aged_failures, fit->shape,
                     fit->shape_interval.low, fit->shape_interval.high,
                     fit->shape_interval.low <= 1.0 && fit->shape_interval.high >= 1.0
                         ? ", which 1, no ageing at all, is in"
                         : "",
                     fit->mean_hours, fit->mean_hours_interval.low, fit->mean_hours_interval.high);
}

static gboolean has_life(const Estimate *it)
{
    return it->fitted && it->weibull.mean_hours <= MOST_HOURS;
}

/* @active: else as a comment, for whoever has such devices. */
static void append_fault(GString *yaml, const Estimate *it, gboolean active)
{
    GString *item = g_string_new("- {part: device, ");
    if (it->fitted) {
        tell_fit(yaml, it);
    }
    if (has_life(it)) {
        append_number(item, "every: ", it->weibull.mean_hours);
        append_number(item, " h, life: {kind: weibull, shape: ", it->weibull.shape);
        g_string_append(item, "}, ");
    } else if (it->per_year > 0.0) { /* lives without memory; an afr of 100 % would have no mean */
        append_number(item, "every: ", HOURS_OF_YEAR / it->per_year);
        g_string_append(item, " h, ");
    }
    g_string_append(item, "repair: 24 h}");
    g_string_append_printf(yaml, "  %s%s\n", active ? "" : "# ", item->str);
    g_string_free(item, TRUE);
}

static void append_faults(GString *yaml, const GArray *estimates)
{
    const Estimate *first = &g_array_index(estimates, Estimate, 0);
    gboolean lives = has_life(first) || first->model->failures > 0;
    aft_text_comment(yaml, 0, "Every device of the nodes is taken for a %s here; lives begin new.",
                     first->model->name);
    aft_text_comment(yaml, 0, "How long until a failed one is replaced, no statistics tell: %s.",
                     "24 h for now");
    g_string_append(yaml, lives ? "faults:\n" : "# faults:\n");
    append_fault(yaml, first, lives);
    for (guint i = 1; i < estimates->len; i++) {
        const Estimate *it = &g_array_index(estimates, Estimate, i);
        if (has_life(it)) {
            append_fault(yaml, it, FALSE);
        }
    }
}

static char *write_yaml(const GArray *estimates, const AftDrives *drives)
{
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *first = aft_drives_first(drives), *last = aft_drives_last(drives);
    GString *yaml = g_string_new(NULL);
    aft_text_comment(yaml, 0, "From drive statistics of %s to %s: put this into a scenario.", first,
                     last);
    aft_text_comment(yaml, 0,
                     "afr is the share that fails within a year, 1 - exp(-failures in a "
                     "drive-year). Times are those of " LIKE ".");
    g_string_append(yaml, "devices:\n");
    for (guint i = 0; i < estimates->len; i++) {
        const Estimate *it = &g_array_index(estimates, Estimate, i);
        append_device(yaml, unique_key(keys, it->model->name), it);
    }
    append_faults(yaml, estimates);
    return g_string_free(yaml, FALSE);
}

/* Returns: FALSE with @error when @models are none, or rows were counted twice. */
static gboolean check_models(const GPtrArray *models, const char *path, const char *only,
                             GError **error)
{
    if (models->len == 0) {
        return aft_text_fail(error, path, 0,
                             only != NULL ? "has no drive of model %s" : "has no drives%s",
                             only != NULL ? only : "");
    }
    for (guint i = 0; i < models->len; i++) {
        const AftDriveModel *model = g_ptr_array_index(models, i);
        if (model->doubled > 0) {
            return aft_text_fail(error, path, 0,
                                 "%u drives of %s have more rows than days: is a file given twice?",
                                 model->doubled, model->name);
        }
    }
    return TRUE;
}

static void tell_of_ages(const GArray *estimates, GPtrArray *remarks)
{
    guint unsound = 0, short_of = 0;
    for (guint i = 0; i < estimates->len; i++) {
        const Estimate *it = &g_array_index(estimates, Estimate, i);
        unsound += it->model->unsound;
        short_of += it->fitted ? 0 : 1;
    }
    if (unsound > 0) {
        aft_text_remark(remarks, "%u drives have ages that cannot be: left out of fits of lives",
                        unsound);
    }
    if (short_of > 0) {
        aft_text_remark(remarks,
                        "%u of %u models have no fit of lives: that takes %d failures at known "
                        "ages, and a likeliest shape of %g to %g",
                        short_of, estimates->len, AFT_LIVES_LEAST_FAILURES, AFT_LIVES_LEAST_SHAPE,
                        AFT_LIVES_MOST_SHAPE);
    }
}

char *aft_import_backblaze(const char *const *files, const AftImportOptions *options,
                           GPtrArray *remarks, GError **error)
{
    g_autoptr(AftDrives) drives = aft_drives_new(options->label);
    for (guint i = 0; files[i] != NULL; i++) {
        if (!aft_drives_read(drives, files[i], error)) {
            return NULL;
        }
    }
    const GPtrArray *models = aft_drives_finish(drives);
    if (!check_models(models, files[0], options->label, error)) {
        return NULL;
    }
    g_autoptr(GArray) estimates = g_array_new(FALSE, FALSE, sizeof(Estimate));
    for (guint i = 0; i < models->len; i++) {
        Estimate it = estimate(g_ptr_array_index(models, i));
        g_array_append_val(estimates, it);
    }
    tell_of_ages(estimates, remarks);
    return options->csv ? write_csv(estimates) : write_yaml(estimates, drives);
}
