/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xray_file.h - test.yml of an X-Ray scenario, whose values may be templates.
 *
 * Templates, {{ name }}, are filled in after the YAML is read and not before, as X-Ray does: so
 * lines and columns are those of the file, and what nobody asks for need not make sense.
 */
#pragma once

#include <aftershock/loader/yaml.h>

typedef struct {
    char *path;
    GPtrArray *templates; /* what stands between {{ and }}, each */
    AftYaml *top;
} AftXrayFile;

/** Reads the file at @path, which is taken over. Returns: FALSE with AFT_ERROR_FILE,
 *  AFT_ERROR_SYNTAX or AFT_ERROR_LIMIT. @ret_file is to be cleared in any case. */
gboolean aft_xray_file_read(AftXrayFile *ret_file, char *path, GError **error);

void aft_xray_file_clear(AftXrayFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftXrayFile, aft_xray_file_clear)

/** Sets @error to the place of @at and a message. Returns: FALSE. */
gboolean aft_xray_fail(const AftXrayFile *file, const AftYaml *at, GError **error,
                       const char *format, ...) G_GNUC_PRINTF(4, 5);

/** The value @key of @map with its templates filled in. Returns: FALSE with AFT_ERROR_SYNTAX when
 *  it is no single value, or a template in it is not simple. @ret_text is (transfer full)
 *  (nullable): NULL when there is none. */
gboolean aft_xray_text(const AftXrayFile *file, const AftYaml *map, const char *key,
                       char **ret_text, GError **error);

/** The same as a number of 0 to @most; NaN when there is none. */
gboolean aft_xray_number(const AftXrayFile *file, const AftYaml *map, const char *key, double most,
                         double *ret_value, GError **error);

/** Whether a template is hidden in @text, a value as it was read. */
gboolean aft_xray_has_template(const char *text);
