/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.h - the readers behind the table of kinds; each does as aft_import() says. */
#pragma once

#include <aftershock/import/import.h>

#define AFT_IMPORT_READER(name)                                                               \
    char *name(const char *const *files, const AftImportOptions *options, GPtrArray *remarks, \
               GError **error)

AFT_IMPORT_READER(aft_import_fio_json);
AFT_IMPORT_READER(aft_import_fio_job);
AFT_IMPORT_READER(aft_import_hcibench);
AFT_IMPORT_READER(aft_import_vdbench);
AFT_IMPORT_READER(aft_import_xray);
AFT_IMPORT_READER(aft_import_backblaze);
AFT_IMPORT_READER(aft_import_prometheus);
AFT_IMPORT_READER(aft_import_ceph);
