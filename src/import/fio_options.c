/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_options.h"

#include "text.h"

#include <string.h>

enum { INDENT = 2 }; /* of comments */

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
    {"continue_on_error", SILENT, NULL},
    {"disk_util", SILENT, NULL},
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

void aft_fio_note(const AftFioJob *job, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    aft_text_comment(job->notes, INDENT, "%s", message);
    aft_text_remark(job->remarks, "%s: [%s] %s", job->section->path, job->section->name, message);
}

/* What can only be known where fio runs: variables, keywords, and templates of who calls it. */
static gboolean is_open(const char *value)
{
    return strchr(value, '$') != NULL || strstr(value, "{{") != NULL;
}

const AftJobOption *aft_fio_option(const AftFioJob *job, const char *key, const char *other)
{
    const AftJobOption *option = aft_job_option(job->section, key);
    if (option == NULL && other != NULL) {
        option = aft_job_option(job->section, other);
    }
    if (option != NULL && is_open(option->value)) {
        aft_fio_note(job, "%s=%s: is known only where fio runs; left as it would be without",
                     option->key, option->value);
        return NULL;
    }
    return option;
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

static void tell_option(const AftFioJob *job, const AftJobOption *option)
{
    gboolean bare = *option->value == '\0';
    for (guint i = 0; i < G_N_ELEMENTS(without); i++) {
        if (!g_str_equal(without[i].key, option->key)) {
            continue;
        }
        if (without[i].how == TOLD) {
            aft_fio_note(job, "%s%s%s: %s", option->key, bare ? "" : "=", option->value,
                         without[i].why);
        }
        return;
    }
    aft_fio_note(job, "%s%s%s: has no counterpart", option->key, bare ? "" : "=", option->value);
}

void aft_fio_tell_options(const AftFioJob *job)
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
