/* SPDX-License-Identifier: GPL-3.0-or-later */
/* yaml.h - YAML of strangers as a tree, each part with its place.
 *
 * For files whose keys are not ours. Depth, length and number of parts are held to limits; what
 * YAML has to be short (aliases) is refused, since it is a way to be very long.
 *
 *     g_autoptr(AftYaml) top = aft_yaml_read("test.yml", text, bytes, &error);
 *     const AftYaml *steps = top != NULL ? aft_yaml_member(top, "run") : NULL;
 */
#pragma once

#include <glib.h>

enum { AFT_YAML_MOST_BYTES = 4 * 1024 * 1024, AFT_YAML_MOST_PARTS = 100000 };

typedef enum { AFT_YAML_VALUE, AFT_YAML_LIST, AFT_YAML_MAP } AftYamlKind;

typedef struct AftYaml AftYaml;
struct AftYaml {
    AftYamlKind kind;
    guint line, column; /* from 1 */
    char *text;         /* of a value, else NULL */
    gboolean nothing;   /* a value that is left out, or null */
    GPtrArray *keys;    /* AftYaml, values; of a map, else NULL */
    GPtrArray *items;   /* AftYaml; of a list, and of a map as @keys has them; else NULL */
};

/** Reads the one document in @text, called @name. Returns: (transfer full) (nullable): NULL with
 *  AFT_ERROR_SYNTAX or AFT_ERROR_LIMIT, and "name:line:column: ...". */
AftYaml *aft_yaml_read(const char *name, const char *text, gsize bytes, GError **error);

void aft_yaml_free(AftYaml *yaml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftYaml, aft_yaml_free)

/** What stands at @key of @yaml. Returns: (transfer none) (nullable): NULL when there is no such
 *  key, or @yaml is no map. */
const AftYaml *aft_yaml_member(const AftYaml *yaml, const char *key);
