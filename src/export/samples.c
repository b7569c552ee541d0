/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "samples.h"

#include <math.h>

enum { DIGITS = 15 }; /* whole bytes stay whole */

/* As a label's value has it: a quote, a backslash and the end of a line are escaped. */
static void append_escaped(GString *labels, const char *text)
{
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++) {
        if (*c == '\n') {
            g_string_append(labels, "\\n");
        } else {
            g_string_append(labels, *c == '"' || *c == '\\' ? "\\" : "");
            g_string_append_c(labels, *c);
        }
    }
}

void aft_label_add(GString *labels, const char *name, const char *text)
{
    g_string_append_printf(labels, "%s%s=\"", labels->len > 0 ? "," : "", name);
    append_escaped(labels, text);
    g_string_append_c(labels, '"');
}

static void add_name(AftOut *out, const AftFamily *family)
{
    aft_out_format(out, "aftershock_%s%s%s", family->name, *family->unit != '\0' ? "_" : "",
                   family->unit);
}

void aft_family_begin(AftOut *out, const AftFamily *family)
{
    aft_out_add(out, "# TYPE ");
    add_name(out, family);
    aft_out_add(out, " gauge\n");
    if (*family->unit != '\0') {
        aft_out_add(out, "# UNIT ");
        add_name(out, family);
        aft_out_format(out, " %s\n", family->unit);
    }
    aft_out_add(out, "# HELP ");
    add_name(out, family);
    aft_out_format(out, " %s\n", family->help);
}

AftSeries aft_series(AftOut *out, const AftFamily *family, const char *labels)
{
    return (AftSeries){out, family, labels, -1};
}

void aft_series_add(AftSeries *series, gint64 ms, double value)
{
    if (!isfinite(value) || ms <= series->last_ms) {
        return;
    }
    series->last_ms = ms;
    add_name(series->out, series->family);
    aft_out_format(series->out, "{%s} ", series->labels);
    aft_out_number(series->out, value, DIGITS);
    aft_out_add(series->out, " ");
    aft_out_seconds(series->out, ms);
    aft_out_add(series->out, "\n");
}
