/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h - what other tools write, made into files that this program reads.
 *
 * Every kind of file is a row of one table. What comes out is text: a reference to compare with, or
 * a part of a scenario, as YAML that the loader takes, or CSV. Names in foreign files are put in
 * quotes and rid of what is no text; numbers are checked before they are believed.
 *
 *     const AftImportKind *kind = aft_import_find("fio-json");
 *     g_autofree char *yaml = aft_import(kind, files, &options, remarks, &error);
 */
#pragma once

#include <aftershock/scenario/phase.h>

typedef struct {
    const char *label;  /* of what was measured, or the one model to look at; NULL: as files say */
    AftPhase phase;     /* that figures are of */
    const char *metric; /* that series are, by its name; NULL: none was told */
    guint nodes;        /* of the cluster that it is for; 0: none were told */
    gboolean csv;       /* rather than YAML */
} AftImportOptions;

/** Options that not every kind takes. */
typedef enum {
    AFT_IMPORT_LABEL = 1 << 0,
    AFT_IMPORT_PHASE = 1 << 1,
    AFT_IMPORT_METRIC = 1 << 2,
    AFT_IMPORT_NODES = 1 << 3,
    AFT_IMPORT_CSV = 1 << 4
} AftImportTakes;

typedef struct AftImportKind {
    const char *name;
    const char *help;    /* one line: what is read, and what it is made into */
    const char *example; /* arguments of a call */
    gboolean single;     /* takes one file */
    guint takes;         /* AftImportTakes */
    char *(*read)(const char *const *files, const AftImportOptions *options, GPtrArray *remarks,
                  GError **error);
} AftImportKind;

/** All kinds there are. Returns: (transfer none), for ever. */
const AftImportKind *aft_import_kinds(guint *ret_n);

/** The kind called @name. Returns: (transfer none) (nullable). */
const AftImportKind *aft_import_find(const char *name);

/** Reads @files (NULL-terminated, one or more) as @kind says. @remarks takes texts to free with
 *  g_free(): what was left out, and why. Returns: (transfer full) (nullable): NULL with
 *  AFT_ERROR_FILE when one cannot be read, AFT_ERROR_CONFLICT when @kind cannot do what @options
 *  ask for, else with what is wrong with which file: "path:line: ..." where there is a line. */
char *aft_import(const AftImportKind *kind, const char *const *files,
                 const AftImportOptions *options, GPtrArray *remarks, GError **error);
