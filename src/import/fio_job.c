/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_job.h"

#include "fio_workload.h"
#include "kinds.h"
#include "text.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>

#include <math.h>

enum { DIGITS = 9, INDENT = 4, MOST_WORKLOADS = 1000 /* of a scenario */ };

typedef struct {
    const AftFioUse *use;
    AftFioJobs *jobs;
} Writing;

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

static void append_blocks(GString *yaml, const AftFioWorkload *workload)
{
    if (workload->n_blocks == 1) {
        append_quantity(yaml, "block", AFT_UNIT_BYTES, workload->blocks[0].bytes);
        return;
    }
    g_string_append_printf(yaml, "%*sblocks:\n", INDENT, "");
    for (guint i = 0; i < workload->n_blocks; i++) {
        const AftFioBlock *block = &workload->blocks[i];
        g_autofree char *bytes = aft_units_format_exact(AFT_UNIT_BYTES, block->bytes);
        g_string_append_printf(yaml, "%*s- {block: %s, ", INDENT + 2, "", bytes);
        append_percent(yaml, "share", block->share);
        if (!isnan(block->read_share)) {
            append_percent(yaml, ", read_share", block->read_share);
        }
        g_string_append(yaml, "}\n");
    }
}

static void append_kind(GString *yaml, const AftFioWorkload *workload)
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

static void append_places(GString *yaml, const AftFioWorkload *workload)
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
static const char *unique_name(AftFioJobs *jobs, const char *wanted)
{
    g_autofree char *base = aft_text_clean(wanted, AFT_TEXT_LONGEST_NAME / 2);
    char *name = g_strdup(base);
    for (guint i = 2; g_hash_table_contains(jobs->names, name); i++) {
        g_free(name);
        name = g_strdup_printf("%s-%u", base, i);
    }
    g_hash_table_add(jobs->names, name);
    g_ptr_array_add(jobs->ordered, name);
    return name;
}

/* As @use wants it: its name, that and the section's, or the section's alone. */
static char *wanted_name(const AftFioUse *use, const char *section)
{
    return use->name == NULL ? g_strdup(section)
           : use->sections   ? g_strconcat(use->name, " ", section, NULL)
                             : g_strdup(use->name);
}

static void append_item(const Writing *writing, const AftFioJob *job,
                        const AftFioWorkload *workload)
{
    GString *yaml = writing->jobs->yaml;
    g_autofree char *wanted = wanted_name(writing->use, job->section->name);
    g_string_append(yaml, job->notes->str);
    g_string_append(yaml, "  - name: ");
    aft_text_quote(yaml, unique_name(writing->jobs, wanted), AFT_TEXT_LONGEST_NAME);
    g_string_append_c(yaml, '\n');
    append_kind(yaml, workload);
    if (writing->use->on != NULL) {
        g_string_append_printf(yaml, "%*son: \"%s\"\n", INDENT, "", writing->use->on);
    }
    g_string_append_printf(yaml, "%*s", INDENT, "");
    append_percent(yaml, "read_share", workload->read_share);
    g_string_append_c(yaml, '\n');
    append_blocks(yaml, workload);
    append_places(yaml, workload);
}

/* Each of the machines runs all of it. */
static gboolean multiply(const AftFioJob *job, guint times, AftFioWorkload *workload,
                         GError **error)
{
    if ((double)workload->machines * times > AFT_FIO_MOST_MACHINES ||
        (double)workload->outstanding * times > AFT_FIO_MOST_FLIGHT ||
        workload->rate * times > AFT_FIO_MOST_RATE ||
        workload->working_set * times > AFT_FIO_MOST_SPACE) {
        return aft_text_fail(error, job->section->path, job->section->line,
                             "[%s] of %u machines is more than can be simulated",
                             job->section->name, times);
    }
    workload->machines *= times;
    workload->outstanding *= times;
    workload->rate *= times;
    workload->working_set *= times;
    return TRUE;
}

static gboolean note_runtime(const AftFioJob *job, AftFioJobs *jobs, GError **error)
{
    const AftJobOption *option = aft_job_option(job->section, "runtime");
    double runtime_s = 0.0;
    if (option != NULL && !aft_job_time(option->value, 1.0, &runtime_s)) {
        return aft_job_fail(job->section, option, error, "a time, like 600 or 10m");
    }
    jobs->runtime_s = MAX(jobs->runtime_s, runtime_s);
    return TRUE;
}

static gboolean take_section(const AftJobSection *section, gpointer data, GError **error)
{
    const Writing *writing = data;
    AftFioJobs *jobs = writing->jobs;
    g_autoptr(GString) notes = g_string_new(NULL);
    AftFioJob job = {section, notes, jobs->remarks, 1024.0};
    AftFioWorkload workload = {0};
    gboolean known = FALSE;
    aft_text_comment(notes, INDENT - 2, "[%s], line %" G_GUINT64_FORMAT, section->name,
                     section->line);
    if (!aft_fio_read_workload(&job, &workload, &known, error)) {
        return FALSE;
    }
    if (!known) {
        aft_fio_note(&job, "is left out: nothing here is like trims");
        g_string_append(jobs->yaml, notes->str);
        return TRUE;
    }
    if (!note_runtime(&job, jobs, error) ||
        !multiply(&job, writing->use->times, &workload, error)) {
        return FALSE;
    }
    aft_fio_tell_options(&job);
    append_item(writing, &job, &workload);
    return TRUE;
}

AftFioJobs *aft_fio_jobs_new(GString *yaml, GPtrArray *remarks)
{
    AftFioJobs *jobs = g_new0(AftFioJobs, 1);
    jobs->yaml = yaml;
    jobs->remarks = remarks;
    jobs->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    jobs->ordered = g_ptr_array_new();
    return jobs;
}

void aft_fio_jobs_free(AftFioJobs *jobs)
{
    if (jobs != NULL) {
        g_hash_table_unref(jobs->names);
        g_ptr_array_unref(jobs->ordered);
        g_free(jobs);
    }
}

gboolean aft_fio_jobs_add(AftFioJobs *jobs, const char *path, const AftFioUse *use, GError **error)
{
    Writing writing = {use, jobs};
    guint before = jobs->ordered->len;
    jobs->runtime_s = 0.0;
    if (!aft_job_file_read(path, take_section, &writing, error)) {
        return FALSE;
    }
    if (jobs->ordered->len > MOST_WORKLOADS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most %d workloads in all",
                    path, MOST_WORKLOADS);
        return FALSE;
    }
    return jobs->ordered->len > before ||
           aft_text_fail(error, path, 0, "has no job, a section [NAME], that reads or writes");
}

char *aft_import_fio_job(const char *const *files, const AftImportOptions *options,
                         GPtrArray *remarks, GError **error)
{
    g_autoptr(GString) yaml = g_string_new(NULL);
    g_autoptr(AftFioJobs) jobs = aft_fio_jobs_new(yaml, remarks);
    g_autofree char *name = g_path_get_basename(files[0]);
    AftFioUse use = {.name = options->label, .times = 1};
    aft_text_comment(yaml, 0, "From %s, a job file of fio: put this into a scenario.", name);
    g_string_append(yaml, "workload:\n");
    if (!aft_fio_jobs_add(jobs, files[0], &use, error)) {
        return NULL;
    }
    return g_string_free(g_steal_pointer(&yaml), FALSE);
}
