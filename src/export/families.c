/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "openmetrics_parts.h"

#include <math.h>

guint aft_family_columns(const AftMetricFamily *family)
{
    guint n = 0;
    while (n < AFT_FAMILY_COLUMNS && family->columns[n].offset != 0) {
        n++;
    }
    return n;
}

double aft_family_cell(const AftMetricFamily *family, const AftFamilyColumn *column,
                       gconstpointer row)
{
    return G_STRUCT_MEMBER(double, row, column->offset) * family->scale;
}

gboolean aft_family_occur(const AftMetricFamily *family, const AftFamilyColumn *column,
                          const GArray *rows)
{
    guint row_bytes = g_array_get_element_size((GArray *)rows);
    for (guint i = 0; i < rows->len; i++) {
        if (isfinite(aft_family_cell(family, column, rows->data + (gsize)i * row_bytes))) {
            return TRUE;
        }
    }
    return FALSE;
}

void aft_family_label(const AftFamilyColumn *column, GString *labels)
{
    if (column->label != NULL) {
        aft_label_add(labels, column->label, column->text);
    }
    if (column->quantile != NULL) {
        aft_label_add(labels, "quantile", column->quantile);
    }
}

gint64 aft_openmetrics_ms(const AftExport *export, double time_s)
{
    return export->start_ms + llround(time_s * 1e3);
}

GString *aft_openmetrics_labels(const AftExport *export)
{
    GString *labels = g_string_new(NULL);
    aft_label_add(labels, "scenario", export->result->scenario);
    aft_label_add(labels, "label", export->result->label);
    return labels;
}
