/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_file.h - job files of fio, section by section, and what their values mean.
 *
 * [global] holds for the sections behind it, and there may be several of it. An option is KEY=VALUE
 * or just KEY; of one that is there twice the last counts.
 */
#pragma once

#include <glib.h>

enum { AFT_JOB_MOST_OPTIONS = 5000, AFT_JOB_MOST_SECTIONS = 1000 };

typedef struct {
    char *key;   /* in lower case */
    char *value; /* "" of a key alone */
    guint64 line;
} AftJobOption;

typedef struct {
    const char *path;
    char *name; /* of the section */
    guint64 line;
    GPtrArray *globals; /* AftJobOption, in order */
    GPtrArray *own;     /* AftJobOption */
} AftJobSection;

/** Reads the file at @path and calls @take for each section but [global], with @data.
 *  Returns: FALSE with AFT_ERROR_FILE, AFT_ERROR_SYNTAX or AFT_ERROR_LIMIT, or when @take does. */
gboolean aft_job_file_read(const char *path,
                           gboolean (*take)(const AftJobSection *section, gpointer data,
                                            GError **error),
                           gpointer data, GError **error);

/** The option @key that counts. Returns: (transfer none) (nullable). */
const AftJobOption *aft_job_option(const AftJobSection *section, const char *key);

/** Sets @error to the place of @option and a message that begins with its key. Returns: FALSE. */
gboolean aft_job_fail(const AftJobSection *section, const AftJobOption *option, GError **error,
                      const char *expected);

/** Reads "4k", "4KiB", "1.5g" as fio does, of which a k is @base (1000 or 1024), and a Ki the other
 *  one. Returns: whether it is a number of 0 to 1e18. */
gboolean aft_job_size(const char *text, double base, double *ret_value);

/** Reads "60", "2m", "500us" as seconds; a plain number counts @unit_s.
 *  Returns: whether it is a time of 0 to 1e18 s. */
gboolean aft_job_time(const char *text, double unit_s, double *ret_s);
