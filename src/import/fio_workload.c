/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_workload.h"

#include "text.h"

#include <math.h>
#include <string.h>

#define LEAST_BLOCK (512.0)
#define MOST_BLOCK  (1073741824.0)
#define LEAST_RATE  (1e-6)

enum { READ, WRITE, BOTH };

/* Engines that have one I/O at a time, whatever iodepth says; psync is what fio takes by itself. */
static const char *const one_at_a_time[] = {"sync",    "psync", "vsync", "pvsync",
                                            "pvsync2", "mmap",  NULL};

static gboolean read_count(const AftFioJob *job, const char *key, guint most, guint *ret_n,
                           GError **error)
{
    const AftJobOption *option = aft_fio_option(job, key, NULL);
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

static gboolean read_percent(const AftFioJob *job, const AftJobOption *option, double *ret_share,
                             GError **error)
{
    double value = 0.0;
    if (!aft_text_parse(option->value, FALSE, &value) || value > 100.0) {
        return aft_job_fail(job->section, option, error, "a percentage of 0 to 100");
    }
    *ret_share = value / 100.0;
    return TRUE;
}

static gboolean read_mix(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    const AftJobOption *reads = aft_fio_option(job, "rwmixread", NULL);
    const AftJobOption *writes = aft_fio_option(job, "rwmixwrite", NULL);
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
static gboolean read_direction(const AftFioJob *job, AftFioWorkload *workload, gboolean *ret_known,
                               GError **error)
{
    const AftJobOption *option = aft_fio_option(job, "rw", "readwrite");
    const char *value = option != NULL ? option->value : "read"; /* as fio does */
    g_autofree char *name = g_strndup(value, strcspn(value, ":"));
    const char *rest = g_str_has_prefix(name, "rand") ? name + 4 : name;
    workload->random = rest != name;
    *ret_known = TRUE;
    if (value[strlen(name)] != '\0') {
        aft_fio_note(job, "%s=%s: what follows the : has no counterpart", option->key, value);
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
static double share_of(const AftFioWorkload *workload, guint direction)
{
    return direction == BOTH   ? 1.0
           : direction == READ ? workload->read_share
                               : 1.0 - workload->read_share;
}

static gboolean add_block(const AftFioJob *job, const AftJobOption *option,
                          AftFioWorkload *workload, guint direction, double bytes, double share,
                          GError **error)
{
    if (!is_block(bytes)) {
        return aft_job_fail(job->section, option, error, "sizes of 512 B to 1 GiB");
    }
    if (share <= 0.0 || share_of(workload, direction) <= 0.0) {
        return TRUE;
    }
    if (workload->n_blocks == G_N_ELEMENTS(workload->blocks)) {
        return aft_job_fail(job->section, option, error, "at most 64 sizes");
    }
    double read_share = direction == BOTH ? (double)NAN : direction == READ ? 1.0 : 0.0;
    workload->blocks[workload->n_blocks++] = (AftFioBlock){bytes, share, read_share};
    return TRUE;
}

/* "4k/60:64k/40" of @direction; sizes without a share get what is left of them evenly. */
static gboolean read_split(const AftFioJob *job, const AftJobOption *option, const char *text,
                           guint direction, AftFioWorkload *workload, GError **error)
{
    static const char expected[] = "sizes and shares of 100 % in all, like 4k/60:64k/40";
    double bytes[AFT_FIO_MOST_BLOCKS], shares[AFT_FIO_MOST_BLOCKS], told = 0.0;
    guint n = 0, open = 0;
    g_auto(GStrv) pieces = g_strsplit(text, ":", AFT_FIO_MOST_BLOCKS + 1);
    for (; pieces[n] != NULL; n++) {
        g_auto(GStrv) halves = g_strsplit(pieces[n], "/", 2);
        gboolean with_share = halves[0] != NULL && halves[1] != NULL && *halves[1] != '\0';
        shares[n == AFT_FIO_MOST_BLOCKS ? 0 : n] = NAN;
        if (n == AFT_FIO_MOST_BLOCKS || halves[0] == NULL ||
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
static gboolean read_pair(const AftFioJob *job, const AftJobOption *option,
                          AftFioWorkload *workload,
                          gboolean (*read_one)(const AftFioJob *job, const AftJobOption *option,
                                               const char *text, guint direction,
                                               AftFioWorkload *workload, GError **error),
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

static gboolean read_block(const AftFioJob *job, const AftJobOption *option, const char *text,
                           guint direction, AftFioWorkload *workload, GError **error)
{
    double bytes = 4096.0; /* as fio does where there is nothing: "bs=,8k" */
    if (*text != '\0' && !aft_job_size(text, job->kilo, &bytes)) {
        return aft_job_fail(job->section, option, error, "a size, like 4k");
    }
    return add_block(job, option, workload, direction, bytes, 1.0, error);
}

static gboolean read_blocks(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    const AftJobOption *split = aft_fio_option(job, "bssplit", NULL);
    const AftJobOption *size = aft_fio_option(job, "bs", "blocksize");
    if (split != NULL) {
        return read_pair(job, split, workload, read_split, error);
    }
    if (size != NULL) {
        return read_pair(job, size, workload, read_block, error);
    }
    workload->blocks[workload->n_blocks++] = (AftFioBlock){4096.0, 1.0, NAN};
    return TRUE;
}

/* Whether @block is one of those of @direction. */
static gboolean is_of(const AftFioBlock *block, guint direction)
{
    return isnan(block->read_share) || block->read_share == (direction == READ ? 1.0 : 0.0);
}

static double mean_block(const AftFioWorkload *workload, guint direction)
{
    double sum = 0.0;
    for (guint i = 0; i < workload->n_blocks; i++) {
        const AftFioBlock *block = &workload->blocks[i];
        sum += is_of(block, direction) ? block->share * block->bytes : 0.0;
    }
    return sum;
}

/* From shares of a direction to shares of all I/Os. */
static void weigh_blocks(AftFioWorkload *workload)
{
    for (guint i = 0; i < workload->n_blocks; i++) {
        AftFioBlock *block = &workload->blocks[i];
        if (!isnan(block->read_share)) {
            block->share *= share_of(workload, block->read_share > 0.0 ? READ : WRITE);
        }
    }
}

static void lower(double *limit, double other)
{
    *limit = *limit == 0.0 ? other : MIN(*limit, other);
}

static gboolean read_limit(const AftFioJob *job, const AftJobOption *option, const char *text,
                           guint direction, AftFioWorkload *workload, GError **error)
{
    double limit = 0.0;
    if (*text == '\0') {
        return TRUE;
    }
    if (!aft_job_size(text, job->kilo, &limit) || limit <= 0.0) {
        return aft_job_fail(job->section, option, error, "a rate above 0");
    }
    for (guint i = READ; i <= WRITE; i++) {
        if ((direction == BOTH || direction == i) && share_of(workload, i) > 0.0) {
            gboolean bytes = g_str_equal(option->key, "rate");
            lower(&workload->limits[i], limit / (bytes ? mean_block(workload, i) : 1.0));
        }
    }
    return TRUE;
}

/* fio holds reads and writes to a limit each, whatever the mix. */
static void take_limits(const AftFioJob *job, AftFioWorkload *workload)
{
    double reads = workload->limits[READ], writes = workload->limits[WRITE];
    if (workload->read_share == 1.0 || workload->read_share == 0.0) {
        workload->rate = MAX(reads, writes);
    } else if (reads > 0.0 && writes > 0.0) {
        workload->rate = reads + writes;
        workload->read_share = reads / workload->rate;
    } else if (reads > 0.0 || writes > 0.0) {
        workload->rate = reads / workload->read_share + writes / (1.0 - workload->read_share);
        aft_fio_note(job, "only %s have a limit: here the mix holds the others to one, too",
                     reads > 0.0 ? "reads" : "writes");
    }
}

static gboolean read_rate(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    static const char *const keys[] = {"rate_iops", "rate"};
    const AftJobOption *last = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        const AftJobOption *option = aft_fio_option(job, keys[i], NULL);
        if (option != NULL && !read_pair(job, option, workload, read_limit, error)) {
            return FALSE;
        }
        last = option != NULL ? option : last;
    }
    take_limits(job, workload);
    weigh_blocks(workload);
    workload->rate *= workload->machines;
    if (workload->rate > AFT_FIO_MOST_RATE ||
        (workload->rate > 0.0 && workload->rate < LEAST_RATE)) {
        return aft_job_fail(job->section, last, error, "1e-6 to 1e9 I/Os a second in all");
    }
    const AftJobOption *process = aft_fio_option(job, "rate_process", NULL);
    workload->poisson = process != NULL && g_str_equal(process->value, "poisson");
    return TRUE;
}

static gboolean read_depth(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    guint depth = 1;
    const AftJobOption *engine = aft_fio_option(job, "ioengine", NULL);
    workload->machines = 1;
    if (!read_count(job, "numjobs", AFT_FIO_MOST_MACHINES, &workload->machines, error) ||
        !read_count(job, "iodepth", AFT_FIO_MOST_FLIGHT, &depth, error)) {
        return FALSE;
    }
    if (depth > 1 && (engine == NULL || g_strv_contains(one_at_a_time, engine->value))) {
        aft_fio_note(job, "iodepth=%u: ioengine %s has one I/O at a time", depth,
                     engine != NULL ? engine->value : "psync");
        depth = 1;
    }
    if ((double)depth * workload->machines > AFT_FIO_MOST_FLIGHT) {
        return aft_job_fail(job->section, aft_job_option(job->section, "iodepth"), error,
                            "at most 10,000,000 I/Os in flight in all");
    }
    workload->outstanding = depth * workload->machines;
    return TRUE;
}

/* Each job has files of its own, unless they are named. */
static gboolean read_space(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    const AftJobOption *option = aft_fio_option(job, "size", "filesize");
    double bytes = 0.0;
    if (option == NULL) {
        return TRUE;
    }
    if (strchr(option->value, '%') != NULL) {
        aft_fio_note(job, "%s=%s: of what, only fio knows: give the working_set", option->key,
                     option->value);
        return TRUE;
    }
    if (!aft_job_size(option->value, job->kilo, &bytes)) {
        return aft_job_fail(job->section, option, error, "a size, like 10g");
    }
    gboolean shared = aft_job_option(job->section, "filename") != NULL;
    workload->working_set = bytes * (shared ? 1.0 : workload->machines);
    if (workload->working_set > AFT_FIO_MOST_SPACE) {
        return aft_job_fail(job->section, option, error, "at most 1 EB in all");
    }
    return TRUE;
}

static gboolean read_think(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    const AftJobOption *option = aft_fio_option(job, "thinktime", NULL);
    if (option == NULL) {
        return TRUE;
    }
    if (!aft_job_time(option->value, 1e-6, &workload->think_s) || workload->think_s > 86400.0) {
        return aft_job_fail(job->section, option, error, "a time, like 500us, of at most a day");
    }
    if (workload->rate > 0.0) {
        aft_fio_note(job, "thinktime=%s: a rate has its own pauses", option->value);
        workload->think_s = 0.0;
    } else if (workload->think_s > 0.0) {
        aft_fio_note(
            job, "thinktime=%s: here each I/O in flight pauses by itself, for a time that varies",
            option->value);
    }
    return TRUE;
}

static gboolean read_skew(const AftFioJob *job, AftFioWorkload *workload, GError **error)
{
    const AftJobOption *option = aft_fio_option(job, "random_distribution", NULL);
    if (option == NULL || !workload->random || g_str_has_prefix(option->value, "random")) {
        return TRUE;
    }
    if (!g_str_has_prefix(option->value, "zipf")) {
        aft_fio_note(job, "%s=%s: has no counterpart; uniform", option->key, option->value);
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

static gboolean read_kilo(AftFioJob *job, GError **error)
{
    const AftJobOption *option = aft_fio_option(job, "kb_base", NULL);
    if (option != NULL && !g_str_equal(option->value, "1000") &&
        !g_str_equal(option->value, "1024")) {
        return aft_job_fail(job->section, option, error, "1000 or 1024");
    }
    job->kilo = option != NULL && g_str_equal(option->value, "1000") ? 1000.0 : 1024.0;
    return TRUE;
}

gboolean aft_fio_read_workload(AftFioJob *job, AftFioWorkload *workload, gboolean *ret_known,
                               GError **error)
{
    if (!read_kilo(job, error) || !read_direction(job, workload, ret_known, error)) {
        return FALSE;
    }
    return !*ret_known || (read_depth(job, workload, error) && read_blocks(job, workload, error) &&
                           read_rate(job, workload, error) && read_space(job, workload, error) &&
                           read_think(job, workload, error) && read_skew(job, workload, error));
}
