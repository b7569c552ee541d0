/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "sweep_reading.h"

#include <aftershock/loader/sweep.h>
#include <aftershock/scenario/nearest.h>

#include <math.h>
#include <string.h>

#define DISTRIBUTION(name)                                                   \
    {"axes[@][*]." name, AFT_SHAPE_VALUE | AFT_SHAPE_LIST, PARAMETERS_MOST}, \
    {                                                                        \
        "axes[@][*]." name "[*]", AFT_SHAPE_VALUE, 0                         \
    }

enum { PARAMETERS_MOST = 8 };

static const AftSheetKey known[] = {
    {"version", AFT_SHAPE_VALUE, 0},
    {"kind", AFT_SHAPE_VALUE, 0},
    {"name", AFT_SHAPE_VALUE, 0},
    {"base", AFT_SHAPE_VALUE, 0},
    {"design", AFT_SHAPE_VALUE, 0},
    {"points", AFT_SHAPE_VALUE | AFT_SHAPE_LIST | AFT_SHAPE_MAP, AFT_SWEEP_MOST_POINTS},
    {"points[*]", AFT_SHAPE_MAP, 0},
    {"points[*][@]", AFT_SHAPE_VALUE | AFT_SHAPE_MAP, 0},
    {"points[*][@].**", AFT_SHAPE_VALUE | AFT_SHAPE_MAP, 0},
    {"axes", AFT_SHAPE_MAP, 0},
    {"axes[@]", AFT_SHAPE_VALUE | AFT_SHAPE_LIST | AFT_SHAPE_MAP, AFT_SWEEP_MOST_VALUES},
    {"axes[@][*]", AFT_SHAPE_VALUE | AFT_SHAPE_MAP, 0},
    DISTRIBUTION("uniform"),
    DISTRIBUTION("log-uniform"),
    DISTRIBUTION("normal"),
    DISTRIBUTION("lognormal"),
    DISTRIBUTION("exponential"),
    DISTRIBUTION("weibull"),
    {"axes[@][*].**", AFT_SHAPE_VALUE | AFT_SHAPE_MAP, 0},
    {"replications", AFT_SHAPE_VALUE | AFT_SHAPE_MAP, 0},
    {"replications.until", AFT_SHAPE_MAP, 0},
    {"replications.until.metric", AFT_SHAPE_VALUE, 0},
    {"replications.until.within", AFT_SHAPE_VALUE, 0},
    {"replications.min", AFT_SHAPE_VALUE, 0},
    {"replications.max", AFT_SHAPE_VALUE, 0},
    {"seed", AFT_SHAPE_VALUE, 0},
    {"fidelity", AFT_SHAPE_VALUE, 0},
};

static const AftSheetForm form = {known, G_N_ELEMENTS(known)};

static AftKeyShape shape_of(const char *path)
{
    return aft_sheet_shape(&form, path);
}

static gboolean holds_paths(const char *path)
{
    return aft_sheet_holds_paths(&form, path);
}

static const AftDocumentTarget target = {"sweep", shape_of, aft_sheet_open, aft_sheet_set,
                                         holds_paths};

static void read_design(const AftSweepReading *reading)
{
    const char *names[AFT_DESIGNS];
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "design");
    for (guint i = 0; i < AFT_DESIGNS; i++) {
        names[i] = aft_design_name((AftDesign)i);
    }
    if (key.text != NULL && !aft_design_find(key.text, &reading->sweep->design)) {
        AFT_REFUSE(&reading->keys, &key, aft_nearest(key.text, names, AFT_DESIGNS),
                   "expected grid, list, latin-hypercube or sobol, got \"%s\"", key.text);
    }
}

static void read_seed(const AftSweepReading *reading)
{
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "seed");
    double value = NAN;
    if (key.text == NULL) {
        return;
    }
    if (aft_units_parse(AFT_UNIT_COUNT, key.text, &value, NULL) && value == floor(value) &&
        value >= 0.0 && value <= 0x1.0p53) {
        reading->sweep->seed = (guint64)value;
        reading->sweep->seeded = TRUE;
    } else {
        AFT_REFUSE(&reading->keys, &key, NULL, "expected a whole number of 0 to 2^53, got \"%s\"",
                   key.text);
    }
}

/* One that run.fidelity can be. */
static void read_fidelity(const AftSweepReading *reading)
{
    AftKeyMatch match;
    gboolean found = aft_keys_find("run.fidelity", &match);
    g_assert(found);
    const char *const *choices = match.key->choices;
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "fidelity");
    if (key.text != NULL && !g_strv_contains(choices, key.text)) {
        g_autofree char *expected = aft_key_describe(match.key);
        AFT_REFUSE(&reading->keys, &key,
                   aft_nearest(key.text, choices, g_strv_length((char **)choices)),
                   "expected %s, got \"%s\"", expected, key.text);
    } else if (key.text != NULL) {
        reading->sweep->fidelity = g_strdup(key.text);
    }
}

static void read_sweep(AftSweepReading *reading, const char *base, GPtrArray *messages)
{
    aft_reading_head(&reading->keys, target.kind);
    char *name = aft_reading_line(&reading->keys, "", "name", LONGEST_NAME);
    reading->sweep->name = name != NULL ? name : g_path_get_basename(reading->keys.name);
    aft_sweep_base_read(reading, base, messages);
    read_design(reading);
    aft_sweep_read_axes(reading);
    aft_sweep_read_points(reading);
    aft_sweep_read_replications(reading);
    read_seed(reading);
    read_fidelity(reading);
}

static void fill(AftSweep *sweep, AftSource *source, const char *base, GPtrArray *messages)
{
    AftSheet sheet;
    aft_sheet_init(&sheet, &form);
    if (aft_source_read(source, &target, &sheet)) {
        AftSweepReading reading = {
            .keys = {&sheet, source->diagnostics.name, source->problems},
            .source = source,
            .sweep = sweep,
            .paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        };
        read_sweep(&reading, base, messages);
        aft_source_tell(source);
        if (source->diagnostics.errors == 0) {
            aft_sweep_check_points(&reading);
            aft_source_tell(source);
        }
        g_hash_table_unref(reading.paths);
        aft_sweep_base_clear(&reading.base);
    }
    aft_sheet_clear(&sheet);
}

AftSweep *aft_loader_load_sweep_text(const char *name, const char *text, gsize bytes,
                                     const char *base, GPtrArray *messages, GError **error)
{
    AftSource source;
    if (!aft_source_init(&source, name, text, bytes, NULL, error)) {
        return NULL;
    }
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    fill(sweep, &source, base, messages);
    return aft_source_finish(&source, messages, error) ? g_steal_pointer(&sweep) : NULL;
}

AftSweep *aft_loader_load_sweep(const char *path, GPtrArray *messages, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *text = aft_file_read(path, bytes, error);
    return text != NULL ? aft_loader_load_sweep_text(path, text, bytes->len, NULL, messages, error)
                        : NULL;
}
