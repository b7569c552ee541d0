/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "forms.h"
#include "sweep_reading.h"

#include <aftershock/loader/sweep.h>
#include <aftershock/scenario/nearest.h>
#include <aftershock/sweep/yields.h>

#include <math.h>
#include <string.h>

/* clang-format off */
#define VALUE AFT_SHAPE_VALUE
#define MAP   AFT_SHAPE_MAP
#define LIST  AFT_SHAPE_LIST
#define WHAT(text) {.help = (text)}
#define COUNT(low, high, text) {.type = AFT_KEY_COUNT, .minimum = (low), .maximum = (high), .help = (text)}
#define DISTRIBUTION(name) \
    {"axes[@][*]." name, VALUE | LIST, .most = PARAMETERS_MOST}, \
    {"axes[@][*]." name "[*]", VALUE, .most = 0}

enum { PARAMETERS_MOST = 8 };

static void add_designs(GPtrArray *names)
{
    for (guint i = 0; i < AFT_DESIGNS; i++) {
        g_ptr_array_add(names, (gpointer)aft_design_name((AftDesign)i));
    }
}

static const AftKey *fidelity_key(void)
{
    AftKeyMatch match;
    gboolean found = aft_keys_find("run.fidelity", &match);
    g_assert(found);
    return match.key;
}

static void add_fidelities(GPtrArray *names)
{
    for (const char *const *choice = fidelity_key()->choices; *choice != NULL; choice++) {
        g_ptr_array_add(names, (gpointer)*choice);
    }
}

/* "rebuild/minutes" and so on. */
static void add_metrics(GPtrArray *names)
{
    for (guint phase = 0; phase < AFT_YIELD_PHASES; phase++) {
        for (guint yield = 0; yield < aft_yields_n(); yield++) {
            g_autofree char *name =
                g_strconcat(aft_yield_phase_name(phase), "/", aft_yield_name(yield), NULL);
            g_ptr_array_add(names, (gpointer)g_intern_string(name));
        }
    }
}

static const char *const kinds[] = {"sweep", NULL};

static const AftSheetKey known[] = {
    {"version", VALUE, .value = {.type = AFT_KEY_COUNT, .minimum = 1.0, .maximum = 1.0, .required = TRUE, .help = "Version of the file format."}},
    {"kind", VALUE, .value = {.type = AFT_KEY_WORD, .required = TRUE, .choices = kinds, .help = "What the file describes."}},
    {"name", VALUE, .value = {.type = AFT_KEY_TEXT, .help = "What the sweep is called; the file's name unless said otherwise."}},
    {"base", VALUE, .value = {.type = AFT_KEY_FILE, .required = TRUE, .help = "Path of the scenario that is varied, from the folder of this file on."}},
    {"design", VALUE, .value = {.type = AFT_KEY_WORD, .fallback = "grid", .help = "Which points between the axes are run."}, .names = add_designs},
    {"points", VALUE | LIST | MAP, .most = AFT_SWEEP_MOST_POINTS, .value = COUNT(1.0, AFT_SWEEP_MOST_POINTS, "Of latin-hypercube and sobol: how many points. Of list: the points, each a map of paths of scenario keys to what they are set to, and perhaps a name.")},
    {"points[*]", MAP, .value = WHAT("A point: paths of scenario keys, and what they are set to there.")},
    {"points[*][@]", VALUE | MAP, .most = 0},
    {"points[*][@].**", VALUE | MAP, .most = 0},
    {"axes", MAP, .value = WHAT("What is varied: paths of scenario keys, each with its values, a range or a distribution.")},
    {"axes[@]", VALUE | LIST | MAP, .most = AFT_SWEEP_MOST_VALUES, .value = WHAT("Values of the key; or a range, {from, to, step}; or a distribution.")},
    {"axes[@][*]", VALUE | MAP, .most = 0},
    DISTRIBUTION("uniform"),
    DISTRIBUTION("log-uniform"),
    DISTRIBUTION("normal"),
    DISTRIBUTION("lognormal"),
    DISTRIBUTION("exponential"),
    DISTRIBUTION("weibull"),
    {"axes[@][*].**", VALUE | MAP, .most = 0},
    {"replications", VALUE | MAP, .value = {.type = AFT_KEY_COUNT, .minimum = 1.0, .maximum = AFT_SWEEP_MOST_REPLICATIONS, .fallback = "1", .help = "Runs of each point, which differ in their seeds alone; or until when there are more."}},
    {"replications.until", MAP, .value = {.required = TRUE, .help = "What is enough: a 95 % interval that is so narrow."}},
    {"replications.until.metric", VALUE, .value = {.type = AFT_KEY_WORD, .required = TRUE, .help = "Whose interval, as PHASE/FIGURE."}, .names = add_metrics},
    {"replications.until.within", VALUE, .value = {.type = AFT_KEY_SHARE, .maximum = 1.0, .above = TRUE, .required = TRUE, .help = "Its half width over the mean, at most."}},
    {"replications.min", VALUE, .value = COUNT(2.0, AFT_SWEEP_MOST_REPLICATIONS, "Runs of a point at least; 16 unless said otherwise.")},
    {"replications.max", VALUE, .value = {.type = AFT_KEY_COUNT, .minimum = 2.0, .maximum = AFT_SWEEP_MOST_REPLICATIONS, .required = TRUE, .help = "Runs of a point at most."}},
    {"seed", VALUE, .value = {.type = AFT_KEY_INTEGER, .maximum = 0x1.0p53, .help = "Seed of all chance, over the scenario's."}},
    {"fidelity", VALUE, .value = {.type = AFT_KEY_WORD, .help = "Fidelity of all runs, over the scenario's."}, .names = add_fidelities},
};
/* clang-format on */

static const AftSheetForm form = {known, G_N_ELEMENTS(known)};

const AftSheetForm *aft_sweep_form(void)
{
    return &form;
}

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
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "design");
    add_designs(names);
    if (key.text != NULL && !aft_design_find(key.text, &reading->sweep->design)) {
        AFT_REFUSE(&reading->keys, &key,
                   aft_nearest(key.text, (const char *const *)names->pdata, names->len),
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
        value >= 0.0 && value <= aft_sheet_key(&form, key.path)->value.maximum) {
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
    const char *const *choices = fidelity_key()->choices;
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "fidelity");
    if (key.text != NULL && !g_strv_contains(choices, key.text)) {
        g_autofree char *expected = aft_key_describe(fidelity_key());
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
    aft_sweep_check_order(reading);
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
