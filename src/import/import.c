/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"

#include <aftershock/base/error.h>

enum {
    CELLS =
        AFT_IMPORT_LABEL | AFT_IMPORT_PHASE | AFT_IMPORT_CSV /* what becomes a reference takes */
};

static const AftImportKind kinds[] = {
    {"fio-json", "results of fio (--output-format=json): a reference",
     "fio-json result.json -o measured.yaml", FALSE, CELLS, aft_import_fio_json},
    {"fio-job", "a job file of fio: a list of workloads", "fio-job randrw.fio", TRUE,
     AFT_IMPORT_LABEL, aft_import_fio_job},
    {"hcibench", "res.txt of HCIBench: a reference", "hcibench vdb-*/res.txt --phase failed", FALSE,
     CELLS, aft_import_hcibench},
    {"vdbench", "flatfile.html of vdbench: a reference", "vdbench output/flatfile.html", FALSE,
     CELLS, aft_import_vdbench},
    {"xray", "a scenario's folder of X-Ray (curie): workloads and a timeline",
     "xray extended_node_failure --nodes 4", TRUE, AFT_IMPORT_NODES, aft_import_xray},
    {"backblaze", "drive statistics of Backblaze: devices and how they fail",
     "backblaze data_Q1_2024/*.csv --label ST12000NM0008", FALSE, AFT_IMPORT_LABEL | AFT_IMPORT_CSV,
     aft_import_backblaze},
    {"prometheus", "an answer to a range query of Prometheus: a reference, or all samples as CSV",
     "prometheus answer.json --metric read_mean --label two", FALSE, CELLS | AFT_IMPORT_METRIC,
     aft_import_prometheus},
    {"ceph", "ceph osd tree and ceph osd df (-f json): a cluster", "ceph tree.json df.json", FALSE,
     0, aft_import_ceph},
};

/* @phase was told if it is not the one that there is by default. */
static guint options_told(const AftImportOptions *options)
{
    return (options->label != NULL ? AFT_IMPORT_LABEL : 0u) |
           (options->phase != AFT_PHASE_STEADY ? AFT_IMPORT_PHASE : 0u) |
           (options->metric != NULL ? AFT_IMPORT_METRIC : 0u) |
           (options->nodes > 0 ? AFT_IMPORT_NODES : 0u) | (options->csv ? AFT_IMPORT_CSV : 0u);
}

const AftImportKind *aft_import_kinds(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(kinds);
    return kinds;
}

const AftImportKind *aft_import_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_str_equal(kinds[i].name, name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

static gboolean check_options(const AftImportKind *kind, const AftImportOptions *options,
                              GError **error)
{
    static const char *const names[] = {"--label", "--phase", "--metric", "--nodes",
                                        "--format csv"};
    guint left = options_told(options) & ~kind->takes;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (left & 1u << i) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT, "%s takes no %s", kind->name,
                        names[i]);
            return FALSE;
        }
    }
    return TRUE;
}

char *aft_import(const AftImportKind *kind, const char *const *files,
                 const AftImportOptions *options, GPtrArray *remarks, GError **error)
{
    g_assert(files[0] != NULL);
    if (kind->single && files[1] != NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT, "%s takes one file at a time",
                    kind->name);
        return NULL;
    }
    return check_options(kind, options, error) ? kind->read(files, options, remarks, error) : NULL;
}
