/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.h - what a kind of export is made of. */
#pragma once

#include "out.h"

#include <aftershock/export/export.h>

typedef struct {
    const char *name; /* the file's */
    void (*write)(const AftExport *export, AftOut *out);
} AftExportFile;

struct AftExportKind {
    const char *name;
    gboolean has_start;   /* it tells absolute times */
    gboolean needs_trace; /* it has nothing to tell without rows */
    gboolean labelled;    /* the label stands before the names of its files */
    const AftExportFile *files;
    guint n_files;
};

extern const AftExportKind aft_export_openmetrics;
extern const AftExportKind aft_export_fio_logs;
extern const AftExportKind aft_export_gnuplot;
