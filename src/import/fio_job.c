/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job_file.h"
#include "kinds.h"
#include "text.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>

#include <math.h>
#include <string.h>

#define LEAST_BLOCK (512.0)
#define MOST_BLOCK  (1073741824.0)
#define MOST_RATE   (1e9)

enum { MOST_BLOCKS = 32, DIGITS = 9, INDENT = 4, MOST_MACHINES = 1000000, MOST_FLIGHT = 10000000 };
enum { READ, WRITE, BOTH };

typedef enum { SILENT, TOLD } Without;

/* Options that no key of a workload stands for. What is in neither this nor `used` is told too. */
static const struct {
    const char *key;
    Without how;
    const char *why;
} without[] = {
    {"name", SILENT, NULL},
    {"description", SILENT, NULL},
    {"filename", SILENT, NULL},
    {"directory", SILENT, NULL},
    {"direct", SILENT, NULL},
    {"group_reporting", SILENT, NULL},
    {"thread", SILENT, NULL},
    {"randrepeat", SILENT, NULL},
    {"norandommap", SILENT, NULL},
    {"invalidate", SILENT, NULL},
    {"refill_buffers", SILENT, NULL},
    {"time_based", SILENT, NULL},
    {"kb_base", SILENT, NULL},
    {"runtime", TOLD, "a run lasts as long as run: {until: duration, duration: ...} says"},
    {"ramp_time", TOLD, "what to leave out is up to who compares"},
    {"stonewall", TOLD, "here all workloads run at the same time: use start and stop of timeline"},
    {"wait_for", TOLD, "here all workloads run at the same time: use start and stop of timeline"},
    {"startdelay", TOLD, "a workload begins with the run: use start and stop of timeline"},
    {"io_size", TOLD, "a workload does not end by itself"},
    {"number_ios", TOLD, "a workload does not end by itself"},
};

/* Options that are looked at. */
static const char *const used[] = {"rw",          "readwrite", "bs",         "blocksize",
                                   "bssplit",     "rwmixread", "rwmixwrite", "size",
                                   "filesize",    "iodepth",   "numjobs",    "rate_iops",
                                   "rate",        "ioengine",  "thinktime",  "random_distribution",
                                   "rate_process"};

/* Engines that have one I/O at a time, whatever iodepth says; psync is what fio takes by itself. */
static const char *const one_at_a_time[] = {"sync",    "psync", "vsync", "pvsync",
                                            "pvsync2", "mmap",  NULL};

typedef struct {
    double bytes;
    double share;      /* of all I/Os */
    double read_share; /* NaN: as of the workload */
} Block;

typedef struct {
    guint machines, outstanding;
    gboolean random;
    double read_share;
    Block blocks[2 * MOST_BLOCKS];
    guint n_blocks;
    double rate;        /* a second, in total; 0: as fast as it goes */
    double working_set; /* bytes; 0: not told */
    double think_s;
    double theta; /* of zipf; 0: none */
    gboolean poisson;
} Workload;

typedef struct {
    GString *yaml;
    GPtrArray *remarks;
    GHashTable *names;
    guint n;
    const AftImportOptions *options;
} Writing;

/* One section on its way. */
typedef struct {
    const AftJobSection *section;
    GString *notes;
    GPtrArray *remarks;
    double kilo; /* what a k is */
} Job;

G_GNUC_PRINTF(2, 3)
static void note(const Job *job, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    aft_text_comment(job->notes, INDENT - 2, "%s", message);
    aft_text_remark(job->remarks, "%s: [%s] %s", job->section->path, job->section->name, message);
}

/* What can only be known where fio runs: variables and keywords. */
static gboolean is_open(const char *value)
{
    return strchr(value, '$') != NULL;
}

/* The option @key, or the same by its other name (nullable), when its value is one. (nullable) */
static const AftJobOption *find(const Job *job, const char *key, const char *other)
{
    const AftJobOption *option = aft_job_option(job->section, key);
    if (option == NULL && other != NULL) {
        option = aft_job_option(job->section, other);
    }
    if (option != NULL && is_open(option->value)) {
        note(job, "%s=%s: is known only where fio runs; left as it would be without", option->key,
             option->value);
        return NULL;
    }
    return option;
}

static gboolean read_count(const Job *job, const char *key, guint most, guint *ret_n,
                           GError **error)
{
    const AftJobOption *option = find(job, key, NULL);
    double value = 0.0;
    if (option == NULL) {
        return TRUE;
    }
    if (!aft_job_size(option->value, job->kilo, &value) || value != floor(value) || value < 1.0 ||
        value > most) {
        g_autofree char *expected = g_strdup_printf("a whole number of 1 to %u", most);
        return aft_job_fail(job->section, option, error, expected);
    }
    *ret_n = (guint)value;
    return TRUE;
}

static gboolean read_percent(const Job *job, const AftJobOption *option, double *ret_share,
                             GError **error)
{
    double value = 0.0;
    if (!aft_text_parse(option->value, FALSE, &value) || value > 100.0) {
        return aft_job_fail(job->section, option, error, "a percentage of 0 to 100");
    }
    *ret_share = value / 100.0;
    return TRUE;
}

static gboolean read_mix(const Job *job, Workload *workload, GError **error)
{
    const AftJobOption *reads = find(job, "rwmixread", NULL);
    const AftJobOption *writes = find(job, "rwmixwrite", NULL);
    double share = 0.5;
    if (reads != NULL && !read_percent(job, reads, &share, error)) {
        return FALSE;
    }
    if (reads == NULL && writes != NULL) {
        if (!read_percent(job, writes, &share, error)) {
            return FALSE;
        }
        share = 1.0 - share;
    }
    workload->read_share = share;
    return TRUE;
}

/* @ret_known: whether there is anything like it here. */
static gboolean read_direction(const Job *job, Workload *workload, gboolean *ret_known,
                               GError **error)
{
    const AftJobOption *option = find(job, "rw", "readwrite");
    const char *value = option != NULL ? option->value : "read"; /* as fio does */
    g_autofree char *name = g_strndup(value, strcspn(value, ":"));
    const char *rest = g_str_has_prefix(name, "rand") ? name + 4 : name;
    workload->random = rest != name;
    *ret_known = TRUE;
    if (value[strlen(name)] != '\0') {
        note(job, "%s=%s: what follows the : has no counterpart", option->key, value);
    }
    if (g_str_equal(rest, "read") || g_str_equal(rest, "write")) {
        workload->read_share = *rest == 'r' ? 1.0 : 0.0;
        return TRUE;
    }
    if (g_str_equal(rest, "rw") || g_str_equal(name, "readwrite")) {
        return read_mix(job, workload, error);
    }
    *ret_known = FALSE;
    return strstr(rest, "trim") != NULL ||
           aft_job_fail(job->section, option, error,
                        "read, write, rw, randread, randwrite or randrw");
}

static gboolean is_block(double bytes)
{
    return bytes >= LEAST_BLOCK && bytes <= MOST_BLOCK;
}

/* The share of the I/Os that are of @direction. */
static double share_of(const Workload *workload, guint direction)
{
    return direction == BOTH   ? 1.0
           : direction == READ ? workload->read_share
                               : 1.0 - workload->read_share;
}

static gboolean add_block(const Job *job, const AftJobOption *option, Workload *workload,
                          guint direction, double bytes, double share, GError **error)
{
    double of_all = share * share_of(workload, direction);
    if (!is_block(bytes)) {
        return aft_job_fail(job->section, option, error, "sizes of 512 B to 1 GiB");
    }
    if (of_all <= 0.0) {
        return TRUE;
    }
    if (workload->n_blocks == G_N_ELEMENTS(workload->blocks)) {
        return aft_job_fail(job->section, option, error, "at most 64 sizes");
    }
    double read_share = direction == BOTH ? (double)NAN : direction == READ ? 1.0 : 0.0;
    workload->blocks[workload->n_blocks++] = (Block){bytes, of_all, read_share};
    return TRUE;
}

/* "4k/60:64k/40" of @direction; sizes without a share get what is left of them evenly. */
static gboolean read_split(const Job *job, const AftJobOption *option, const char *text,
                           guint direction, Workload *workload, GError **error)
{
    static const char expected[] = "sizes and shares of 100 % in all, like 4k/60:64k/40";
    double bytes[MOST_BLOCKS], shares[MOST_BLOCKS], told = 0.0;
    guint n = 0, open = 0;
    g_auto(GStrv) pieces = g_strsplit(text, ":", MOST_BLOCKS + 1);
    for (; pieces[n] != NULL; n++) {
        g_auto(GStrv) halves = g_strsplit(pieces[n], "/", 2);
        gboolean with_share = halves[0] != NULL && halves[1] != NULL && *halves[1] != '\0';
        shares[n == MOST_BLOCKS ? 0 : n] = NAN;
        if (n == MOST_BLOCKS || halves[0] == NULL ||
            !aft_job_size(halves[0], job->kilo, &bytes[n]) ||
            (with_share && !aft_text_parse(halves[1], FALSE, &shares[n]))) {
            return aft_job_fail(job->section, option, error, expected);
        }
        told += with_share ? shares[n] : 0.0;
        open += with_share ? 0 : 1;
    }
    gboolean whole = open > 0 ? told < 100.0 : fabs(told - 100.0) < 1e-6;
    if (n == 0 || !whole) {
        return aft_job_fail(job->section, option, error, expected);
    }
    for (guint i = 0; i < n; i++) {
        double share = isnan(shares[i]) ? (100.0 - told) / open : shares[i];
        if (!add_block(job, option, workload, direction, bytes[i], share / 100.0, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* "8k" or "8k,32k", as @read_one takes one of them: the second is of writes. */
static gboolean read_pair(const Job *job, const AftJobOption *option, Workload *workload,
                          gboolean (*read_one)(const Job *job, const AftJobOption *option,
                                               const char *text, guint direction,
                                               Workload *workload, GError **error),
                          GError **error)
{
    g_auto(GStrv) parts = g_strsplit(option->value, ",", 3);
    guint n = g_strv_length(parts);
    if (n < 2) {
        return read_one(job, option, option->value, BOTH, workload, error);
    }
    return read_one(job, option, parts[READ], READ, workload, error) &&
           read_one(job, option, parts[WRITE], WRITE, workload, error);
}

static gboolean read_block(const Job *job, const AftJobOption *option, const char *text,
                           guint direction, Workload *workload, GError **error)
{
    double bytes = 4096.0; /* as fio does where there is nothing: "bs=,8k" */
    if (*text != '\0' && !aft_job_size(text, job->kilo, &bytes)) {
        return aft_job_fail(job->section, option, error, "a size, like 4k");
    }
    return add_block(job, option, workload, direction, bytes, 1.0, error);
}

static gboolean read_blocks(const Job *job, Workload *workload, GError **error)
{
    const AftJobOption *split = find(job, "bssplit", NULL);
    const AftJobOption *size = find(job, "bs", "blocksize");
    if (split != NULL) {
        return read_pair(job, split, workload, read_split, error);
    }
    if (size != NULL) {
        return read_pair(job, size, workload, read_block, error);
    }
    workload->blocks[workload->n_blocks++] = (Block){4096.0, 1.0, NAN};
    return TRUE;
}

static double mean_block(const Workload *workload)
{
    double sum = 0.0;
    for (guint i = 0; i < workload->n_blocks; i++) {
        sum += workload->blocks[i].share * workload->blocks[i].bytes;
    }
    return sum;
}

/* fio holds reads and writes to a limit each; the mix then bounds both. */
static gboolean read_limit(const Job *job, const AftJobOption *option, const char *text,
                           guint direction, Workload *workload, GError **error)
{
    double limit = 0.0;
    if (*text == '\0') {
        return TRUE;
    }
    if (!aft_job_size(text, job->kilo, &limit) || limit <= 0.0) {
        return aft_job_fail(job->section, option, error, "a rate above 0");
    }
    if (g_str_equal(option->key, "rate")) {
        limit /= mean_block(workload);
    }
    double share = direction == BOTH ? MAX(workload->read_share, 1.0 - workload->read_share)
                                     : share_of(workload, direction);
    double total = share > 0.0 ? limit / share : 0.0;
    if (total > 0.0 && (workload->rate == 0.0 || total < workload->rate)) {
        workload->rate = total;
    }
    return TRUE;
}

static gboolean read_rate(const Job *job, Workload *workload, GError **error)
{
    static const char *const keys[] = {"rate_iops", "rate"};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        const AftJobOption *option = find(job, keys[i], NULL);
        if (option != NULL && !read_pair(job, option, workload, read_limit, error)) {
            return FALSE;
        }
        if (option != NULL && workload->rate * workload->machines > MOST_RATE) {
            return aft_job_fail(job->section, option, error, "at most 1e9 I/Os a second in all");
        }
    }
    const AftJobOption *process = find(job, "rate_process", NULL);
    workload->poisson = process != NULL && g_str_equal(process->value, "poisson");
    workload->rate *= workload->machines;
    return TRUE;
}

static gboolean read_depth(const Job *job, Workload *workload, GError **error)
{
    guint depth = 1;
    const AftJobOption *engine = find(job, "ioengine", NULL);
    workload->machines = 1;
    if (!read_count(job, "numjobs", MOST_MACHINES, &workload->machines, error) ||
        !read_count(job, "iodepth", MOST_FLIGHT, &depth, error)) {
        return FALSE;
    }
    if (depth > 1 && (engine == NULL || g_strv_contains(one_at_a_time, engine->value))) {
        note(job, "iodepth=%u: ioengine %s has one I/O at a time", depth,
             engine != NULL ? engine->value : "psync");
        depth = 1;
    }
    if ((double)depth * workload->machines > MOST_FLIGHT) {
        return aft_job_fail(job->section, aft_job_option(job->section, "iodepth"), error,
                            "at most 10,000,000 I/Os in flight in all");
    }
    workload->outstanding = depth * workload->machines;
    return TRUE;
}

/* Each job has files of its own, unless they are named. */
static gboolean read_space(const Job *job, Workload *workload, GError **error)
{
    const AftJobOption *option = find(job, "size", "filesize");
    double bytes = 0.0;
    if (option == NULL) {
        return TRUE;
    }
    if (strchr(option->value, '%') != NULL) {
        note(job, "%s=%s: of what, only fio knows: give the working_set", option->key,
             option->value);
        return TRUE;
    }
    if (!aft_job_size(option->value, job->kilo, &bytes)) {
        return aft_job_fail(job->section, option, error, "a size, like 10g");
    }
    gboolean shared = aft_job_option(job->section, "filename") != NULL;
    workload->working_set = bytes * (shared ? 1.0 : workload->machines);
    if (workload->working_set > 1e18) {
        return aft_job_fail(job->section, option, error, "at most 1 EB in all");
    }
    return TRUE;
}

static gboolean read_think(const Job *job, Workload *workload, GError **error)
{
    const AftJobOption *option = find(job, "thinktime", NULL);
    if (option == NULL) {
        return TRUE;
    }
    if (!aft_job_time(option->value, 1e-6, &workload->think_s) || workload->think_s > 86400.0) {
        return aft_job_fail(job->section, option, error, "a time, like 500us, of at most a day");
    }
    if (workload->rate > 0.0) {
        note(job, "thinktime=%s: a rate has its own pauses", option->value);
        workload->think_s = 0.0;
    } else if (workload->think_s > 0.0) {
        note(job, "thinktime=%s: here each I/O in flight pauses by itself, for a time that varies",
             option->value);
    }
    return TRUE;
}

static gboolean read_skew(const Job *job, Workload *workload, GError **error)
{
    const AftJobOption *option = find(job, "random_distribution", NULL);
    if (option == NULL || !workload->random || g_str_has_prefix(option->value, "random")) {
        return TRUE;
    }
    if (!g_str_has_prefix(option->value, "zipf")) {
        note(job, "%s=%s: has no counterpart; uniform", option->key, option->value);
        return TRUE;
    }
    const char *colon = strchr(option->value, ':');
    g_autofree char *theta = colon != NULL ? g_strndup(colon + 1, strcspn(colon + 1, ":/,"))
                                           : g_strdup("1.1"); /* as fio does */
    if (!aft_text_parse(theta, FALSE, &workload->theta) || workload->theta <= 0.0 ||
        workload->theta > 2.0) {
        return aft_job_fail(job->section, option, error, "zipf:THETA of more than 0 to 2");
    }
    return TRUE;
}

static gboolean is_used(const char *key)
{
    for (guint i = 0; i < G_N_ELEMENTS(used); i++) {
        if (g_str_equal(used[i], key)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void tell_option(const Job *job, const AftJobOption *option)
{
    gboolean bare = *option->value == '\0';
    for (guint i = 0; i < G_N_ELEMENTS(without); i++) {
        if (!g_str_equal(without[i].key, option->key)) {
            continue;
        }
        if (without[i].how == TOLD) {
            note(job, "%s%s%s: %s", option->key, bare ? "" : "=", option->value, without[i].why);
        }
        return;
    }
    note(job, "%s%s%s: has no counterpart", option->key, bare ? "" : "=", option->value);
}

/* Each option once, by what counts of it. */
static void tell_options(const Job *job)
{
    const GPtrArray *lists[] = {job->section->globals, job->section->own};
    for (guint l = 0; l < G_N_ELEMENTS(lists); l++) {
        for (guint i = 0; i < lists[l]->len; i++) {
            const AftJobOption *option = g_ptr_array_index(lists[l], i);
            gboolean counts = aft_job_option(job->section, option->key) == option;
            if (counts && !is_used(option->key)) {
                tell_option(job, option);
            }
        }
    }
}

static gboolean read_kilo(Job *job, GError **error)
{
    const AftJobOption *option = find(job, "kb_base", NULL);
    if (option != NULL && !g_str_equal(option->value, "1000") &&
        !g_str_equal(option->value, "1024")) {
        return aft_job_fail(job->section, option, error, "1000 or 1024");
    }
    job->kilo = option != NULL && g_str_equal(option->value, "1000") ? 1000.0 : 1024.0;
    return TRUE;
}

static gboolean read_workload(Job *job, Workload *workload, gboolean *ret_known, GError **error)
{
    if (!read_kilo(job, error) || !read_direction(job, workload, ret_known, error)) {
        return FALSE;
    }
    return !*ret_known || (read_depth(job, workload, error) && read_blocks(job, workload, error) &&
                           read_rate(job, workload, error) && read_space(job, workload, error) &&
                           read_think(job, workload, error) && read_skew(job, workload, error));
}

static void append_quantity(GString *yaml, const char *key, AftUnit unit, double value)
{
    g_autofree char *text = aft_units_format_exact(unit, value);
    g_string_append_printf(yaml, "%*s%s: %s\n", INDENT, "", key, text);
}

static void append_percent(GString *yaml, const char *key, double share)
{
    g_string_append_printf(yaml, "%s: ", key);
    aft_text_number(yaml, 100.0 * share, DIGITS);
    g_string_append(yaml, " %");
}

static void append_blocks(GString *yaml, const Workload *workload)
{
    if (workload->n_blocks == 1) {
        append_quantity(yaml, "block", AFT_UNIT_BYTES, workload->blocks[0].bytes);
        return;
    }
    g_string_append_printf(yaml, "%*sblocks:\n", INDENT, "");
    for (guint i = 0; i < workload->n_blocks; i++) {
        const Block *block = &workload->blocks[i];
        g_autofree char *bytes = aft_units_format_exact(AFT_UNIT_BYTES, block->bytes);
        g_string_append_printf(yaml, "%*s- {block: %s, ", INDENT + 2, "", bytes);
        append_percent(yaml, "share", block->share);
        if (!isnan(block->read_share)) {
            append_percent(yaml, ", read_share", block->read_share);
        }
        g_string_append(yaml, "}\n");
    }
}

static void append_kind(GString *yaml, const Workload *workload)
{
    g_string_append_printf(yaml, "%*skind: %s\n", INDENT, "",
                           workload->rate > 0.0 ? "paced" : "closed");
    g_string_append_printf(yaml, "%*svms: %u\n", INDENT, "", workload->machines);
    g_string_append_printf(yaml, "%*soutstanding: %u\n", INDENT, "", workload->outstanding);
    if (workload->rate > 0.0) {
        append_quantity(yaml, "rate", AFT_UNIT_RATE, workload->rate);
        g_string_append_printf(yaml, "%*spacing: %s\n", INDENT, "",
                               workload->poisson ? "poisson" : "even");
    }
    if (workload->think_s > 0.0) {
        append_quantity(yaml, "think", AFT_UNIT_TIME, workload->think_s);
    }
}

static void append_places(GString *yaml, const Workload *workload)
{
    if (workload->working_set > 0.0) {
        append_quantity(yaml, "working_set", AFT_UNIT_BYTES, workload->working_set);
    }
    g_string_append_printf(yaml, "%*saccess: %s\n", INDENT, "",
                           workload->random ? "random" : "sequential");
    if (workload->theta > 0.0) {
        g_string_append_printf(yaml, "%*sskew: zipf\n%*stheta: ", INDENT, "", INDENT, "");
        aft_text_number(yaml, workload->theta, DIGITS);
        g_string_append_c(yaml, '\n');
    }
}

/* A name that no workload has yet. Returns: (transfer none). */
static const char *unique_name(Writing *writing, const char *wanted)
{
    g_autofree char *base = aft_text_clean(wanted, AFT_TEXT_LONGEST_NAME / 2);
    char *name = g_strdup(base);
    for (guint i = 2; g_hash_table_contains(writing->names, name); i++) {
        g_free(name);
        name = g_strdup_printf("%s-%u", base, i);
    }
    g_hash_table_add(writing->names, name);
    return name;
}

static void append_item(Writing *writing, const Job *job, const Workload *workload)
{
    const char *wanted =
        writing->options->label != NULL ? writing->options->label : job->section->name;
    g_string_append(writing->yaml, job->notes->str);
    g_string_append(writing->yaml, "  - name: ");
    aft_text_quote(writing->yaml, unique_name(writing, wanted), AFT_TEXT_LONGEST_NAME);
    g_string_append_c(writing->yaml, '\n');
    append_kind(writing->yaml, workload);
    g_string_append_printf(writing->yaml, "%*s", INDENT, "");
    append_percent(writing->yaml, "read_share", workload->read_share);
    g_string_append_c(writing->yaml, '\n');
    append_blocks(writing->yaml, workload);
    append_places(writing->yaml, workload);
    writing->n++;
}

static gboolean take_section(const AftJobSection *section, gpointer data, GError **error)
{
    Writing *writing = data;
    g_autoptr(GString) notes = g_string_new(NULL);
    Job job = {section, notes, writing->remarks, 1024.0};
    Workload workload = {0};
    gboolean known = FALSE;
    aft_text_comment(notes, INDENT - 2, "[%s], line %" G_GUINT64_FORMAT, section->name,
                     section->line);
    if (!read_workload(&job, &workload, &known, error)) {
        return FALSE;
    }
    if (!known) {
        note(&job, "is left out: nothing here is like trims");
        g_string_append(writing->yaml, notes->str);
        return TRUE;
    }
    tell_options(&job);
    append_item(writing, &job, &workload);
    return TRUE;
}

char *aft_import_fio_job(const char *const *files, const AftImportOptions *options,
                         GPtrArray *remarks, GError **error)
{
    g_autoptr(GString) yaml = g_string_new(NULL);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Writing writing = {yaml, remarks, names, 0, options};
    g_autofree char *name = g_path_get_basename(files[0]);
    aft_text_comment(yaml, 0, "From %s, a job file of fio: put this into a scenario.", name);
    g_string_append(yaml, "workload:\n");
    if (!aft_job_file_read(files[0], take_section, &writing, error)) {
        return NULL;
    }
    if (writing.n == 0) {
        aft_text_fail(error, files[0], 0, "has no job, a section [NAME], that reads or writes");
        return NULL;
    }
    return g_string_free(g_steal_pointer(&yaml), FALSE);
}
