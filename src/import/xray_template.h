/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xray_template.h - what a template of an X-Ray scenario comes to, if it is a simple one.
 *
 *     name    name | default(5)    2 * (hours + 1) * 3600
 *
 * A variable has the value it has by default; a name or number alone may be piped through default,
 * int, float and round.
 */
#pragma once

#include <aftershock/loader/yaml.h>

/** Appends what @template comes to with @variables (nullable), the map "vars".
 *  Returns: (transfer full) (nullable): what is wrong with it. */
char *aft_xray_template_append(const char *template, const AftYaml *variables, GString *text);
