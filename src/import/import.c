/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"

#include <aftershock/base/error.h>

static const AftImportKind kinds[] = {
    {"fio-json", "results of fio (--output-format=json): a reference",
     "fio-json result.json -o measured.yaml", FALSE, TRUE, aft_import_fio_json},
    {"fio-job", "a job file of fio: a list of workloads", "fio-job randrw.fio", TRUE, FALSE,
     aft_import_fio_job},
    {"hcibench", "res.txt of HCIBench: a reference", "hcibench vdb-*/res.txt --phase failed", FALSE,
     TRUE, aft_import_hcibench},
    {"vdbench", "flatfile.html of vdbench: a reference", "vdbench output/flatfile.html", FALSE,
     TRUE, aft_import_vdbench},
    {"backblaze", "drive statistics of Backblaze: devices and how they fail",
     "backblaze data_Q1_2024/*.csv --label ST12000NM0008", FALSE, TRUE, aft_import_backblaze},
    {"prometheus", "an answer to a range query of Prometheus: a reference, or all samples as CSV",
     "prometheus answer.json --metric read_mean --label two", FALSE, TRUE, aft_import_prometheus},
    {"ceph", "ceph osd tree and ceph osd df (-f json): a cluster", "ceph tree.json df.json", FALSE,
     FALSE, aft_import_ceph},
};

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

char *aft_import(const AftImportKind *kind, const char *const *files,
                 const AftImportOptions *options, GPtrArray *remarks, GError **error)
{
    g_assert(files[0] != NULL);
    if (kind->single && files[1] != NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT, "%s takes one file at a time",
                    kind->name);
        return NULL;
    }
    if (options->csv && !kind->csv) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT, "%s is not written as CSV", kind->name);
        return NULL;
    }
    return kind->read(files, options, remarks, error);
}
