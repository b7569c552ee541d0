/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_workload.h"
#include "kinds.h"
#include "text.h"

#include <aftershock/base/units.h>

#include <math.h>

enum { DIGITS = 9, INDENT = 4 };

typedef struct {
    GString *yaml;
    GPtrArray *remarks;
    GHashTable *names;
    guint n;
    const AftImportOptions *options;
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

static void append_item(Writing *writing, const AftFioJob *job, const AftFioWorkload *workload)
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
    AftFioJob job = {section, notes, writing->remarks, 1024.0};
    AftFioWorkload workload = {0};
    gboolean known = FALSE;
    aft_text_comment(notes, INDENT - 2, "[%s], line %" G_GUINT64_FORMAT, section->name,
                     section->line);
    if (!aft_fio_read_workload(&job, &workload, &known, error)) {
        return FALSE;
    }
    if (!known) {
        aft_fio_note(&job, "is left out: nothing here is like trims");
        g_string_append(writing->yaml, notes->str);
        return TRUE;
    }
    aft_fio_tell_options(&job);
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
