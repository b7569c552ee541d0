/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of KEY = VALUE UNIT or KEY: VALUE; a line that names a job of fio, or a run of vdbench,
 * begins the next one. What HCIBench calls MB/s is MiB/s. Of fio, its 95th percentile is the mean
 * of those of its machines; of vdbench, whose results have none, the mean and 1.645 deviations. */
#include "cells.h"
#include "kinds.h"
#include "text.h"

#include <math.h>
#include <string.h>

#define MIB (1048576.0)

typedef enum { CASE, STORE, JOB, RUN, MACHINES, FIGURE, NOTE } Role;

/* Keys in lower case, with _ for each blank. */
static const struct {
    const char *key;
    Role role;
    const char *metric;     /* of FIGURE */
    const char *derivation; /* (nullable) */
} keys[] = {
    {"case_name", CASE, NULL, NULL},
    {"datastore", STORE, NULL, NULL},
    {"job_name", JOB, NULL, NULL},
    {"run_def", RUN, NULL, NULL},
    {"vms", MACHINES, NULL, NULL},
    {"number_of_vms", MACHINES, NULL, NULL},
    {"iops", FIGURE, "iops", NULL},
    {"throughput", FIGURE, "mb_per_s", NULL},
    {"latency", FIGURE, "mean", NULL},
    {"r_latency", FIGURE, "read_mean", NULL},
    {"read_latency", FIGURE, "read_mean", NULL},
    {"w_latency", FIGURE, "write_mean", NULL},
    {"write_latency", FIGURE, "write_mean", NULL},
    {"95%tile_r_lat", FIGURE, "read_p95", "mean of the 95th percentiles of the machines"},
    {"95%tile_w_lat", FIGURE, "write_p95", "mean of the 95th percentiles of the machines"},
    {"95%tile_lat", NOTE, NULL, NULL},
};

/* In lower case; what a figure of that unit is multiplied by. */
static const struct {
    const char *name;
    double factor;
} units[] = {
    {"io/s", 1.0}, {"iops", 1.0}, {"", 1.0},      {"ms", 1e-3},     {"us", 1e-6},
    {"s", 1.0},    {"mb/s", MIB}, {"mib/s", MIB}, {"kb/s", 1024.0}, {"gb/s", 1024.0 * MIB},
};

typedef struct {
    const char *path;
    guint64 line;
    AftCells *cells;
    const AftImportOptions *options;
    GPtrArray *remarks;
    char *name;       /* of the case */
    char *job;        /* of fio (nullable) */
    char *store;      /* (nullable) */
    char *label;      /* of its cells; NULL: it has none yet */
    GPtrArray *notes; /* texts, told before its first cell */
} Reading;

static void begin_case(Reading *reading)
{
    g_clear_pointer(&reading->label, g_free);
    g_ptr_array_set_size(reading->notes, 0);
}

/* The label of the case at hand; its comments come before its first cell. */
static const char *label_of(Reading *reading)
{
    if (reading->label != NULL) {
        return reading->label;
    }
    const char *told = reading->options->label, *job = reading->job;
    g_autofree char *wanted = g_strconcat(told != NULL ? told : reading->name,
                                          job != NULL ? " " : "", job != NULL ? job : "", NULL);
    reading->label = aft_cells_label(reading->cells, wanted);
    if (told != NULL) {
        aft_cells_comment(reading->cells, "%s", reading->name);
    }
    if (reading->store != NULL) {
        aft_cells_comment(reading->cells, "datastore: %s", reading->store);
    }
    for (guint i = 0; i < reading->notes->len; i++) {
        aft_cells_comment(reading->cells, "%s", (const char *)reading->notes->pdata[i]);
    }
    return reading->label;
}

/* Reads "1.2 ms". @ret_value is NaN where there is none. */
static gboolean read_quantity(const Reading *reading, const char *text, double *ret_value,
                              GError **error)
{
    gsize digits = strspn(text, "0123456789.,eE+-");
    g_autofree char *number = g_strndup(text, digits);
    g_autofree char *unit = g_strstrip(g_ascii_strdown(text + digits, -1));
    *ret_value = NAN;
    if (g_ascii_strcasecmp(text, "n/a") == 0) {
        return TRUE;
    }
    if (!aft_text_parse(number, TRUE, ret_value)) {
        return aft_text_fail(error, reading->path, reading->line,
                             "expected a number of 0 or more and a unit, got \"%s\"", text);
    }
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        if (g_str_equal(unit, units[i].name)) {
            *ret_value *= units[i].factor;
            return TRUE;
        }
    }
    return aft_text_fail(error, reading->path, reading->line,
                         "the unit \"%s\" is unknown: expected io/s, MB/s, ms or us", unit);
}

static gboolean take_figure(Reading *reading, guint key, const char *text, GError **error)
{
    double value = NAN;
    if (!read_quantity(reading, text, &value, error)) {
        return FALSE;
    }
    if (isnan(value) || value == 0.0) {
        return TRUE;
    }
    g_autofree char *where = g_strdup_printf("%s:%" G_GUINT64_FORMAT, reading->path, reading->line);
    return aft_cells_add(reading->cells, where, label_of(reading), keys[key].metric, value,
                         keys[key].derivation, error);
}

static void take_note(Reading *reading, char *note)
{
    if (reading->label != NULL) {
        aft_cells_comment(reading->cells, "%s", note);
        g_free(note);
    } else {
        g_ptr_array_add(reading->notes, note);
    }
}

static void replace(char **text, const char *other)
{
    g_free(*text);
    *text = g_strdup(other);
}

static gboolean take(Reading *reading, guint key, const char *text, GError **error)
{
    switch (keys[key].role) {
    case CASE:
        begin_case(reading);
        replace(&reading->name, text);
        return TRUE;
    case STORE:
        begin_case(reading);
        replace(&reading->store, text);
        return TRUE;
    case JOB:
        begin_case(reading);
        replace(&reading->job, text);
        return TRUE;
    case RUN:
        if (reading->label != NULL) {
            begin_case(reading);
        }
        take_note(reading, g_strdup(text));
        return TRUE;
    case MACHINES:
        take_note(reading, g_strconcat("virtual machines: ", text, NULL));
        return TRUE;
    case NOTE:
        take_note(reading, g_strconcat("no figure here, as it is no percentile: mean latency and "
                                       "1.645 deviations are ",
                                       text, NULL));
        return TRUE;
    case FIGURE:
    default:
        return take_figure(reading, key, text, error);
    }
}

static guint find_key(const char *line, gsize length)
{
    g_autofree char *copy = g_strstrip(g_strndup(line, length));
    g_autofree char *name = g_strdelimit(g_ascii_strdown(copy, -1), " \t", '_');
    guint i = 0;
    while (i < G_N_ELEMENTS(keys) && !g_str_equal(keys[i].key, name)) {
        i++;
    }
    return i;
}

/* "There are 2 VMs finished testing early, ...", "Testing is done, 14 out of 16 VMs finished ...".
 */
static gboolean tells_of_machines(const char *line)
{
    return strstr(line, "VMs finished") != NULL;
}

static gboolean read_line(Reading *reading, const char *line, GError **error)
{
    if (tells_of_machines(line)) {
        aft_text_remark(reading->remarks, "%s:%" G_GUINT64_FORMAT ": %s", reading->path,
                        reading->line, line);
        return TRUE;
    }
    gsize length = strcspn(line, "=:");
    guint key = line[length] != '\0' ? find_key(line, length) : G_N_ELEMENTS(keys);
    if (key == G_N_ELEMENTS(keys)) {
        return TRUE;
    }
    g_autofree char *text = g_strstrip(g_strdup(line + length + 1));
    return *text == '\0' || take(reading, key, text, error);
}

/* "randread-4k" of "randread-4k-res.txt"; what is just called res.txt is of the folder it is in. */
static char *name_of(const char *path)
{
    static const char *const ends[] = {"res.txt", ".txt"};
    g_autofree char *base = g_path_get_basename(path);
    g_autofree char *folder = g_path_get_dirname(path);
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        if (g_str_has_suffix(base, ends[i])) {
            base[strlen(base) - strlen(ends[i])] = '\0';
        }
    }
    if (g_str_has_suffix(base, "-")) {
        base[strlen(base) - 1] = '\0';
    }
    if (*base != '\0') {
        return g_steal_pointer(&base);
    }
    return g_str_equal(folder, ".") ? g_strdup("hcibench") : g_path_get_basename(folder);
}

/* Whether any figure was found tells aft_cells_write(). */
static gboolean read_file(const char *path, AftCells *cells, const AftImportOptions *options,
                          GPtrArray *remarks, GError **error)
{
    g_autofree char *text = aft_text_read(path, error);
    if (text == NULL) {
        return FALSE;
    }
    Reading reading = {.path = path, .cells = cells, .options = options, .remarks = remarks};
    reading.name = name_of(path);
    reading.notes = g_ptr_array_new_with_free_func(g_free);
    gboolean fine = TRUE;
    for (char *line = text, *next = NULL; line != NULL && fine; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        reading.line++;
        fine = read_line(&reading, line, error);
    }
    g_free(reading.name);
    g_free(reading.job);
    g_free(reading.store);
    g_free(reading.label);
    g_ptr_array_unref(reading.notes);
    return fine;
}

char *aft_import_hcibench(const char *const *files, const AftImportOptions *options,
                          GPtrArray *remarks, GError **error)
{
    g_autoptr(AftCells) cells = aft_cells_new(options);
    aft_cells_tool(cells, "HCIBench");
    for (guint i = 0; files[i] != NULL; i++) {
        if (!read_file(files[i], cells, options, remarks, error)) {
            return NULL;
        }
    }
    return aft_cells_write(cells, files, error);
}
