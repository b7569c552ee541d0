/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sequential.h"

#include <aftershock/sweep/size.h>

#include <string.h>

#define COLUMN(kind, member)                                                           \
    {                                                                                  \
        G_STRINGIFY(member), AFT_CELL_##kind, G_STRUCT_OFFSET(AftSized, member), FALSE \
    }

static const AftColumn columns[] = {
    COLUMN(MEASURE, price), COLUMN(WHOLE, nodes),        COLUMN(WHOLE, devices),
    COLUMN(TEXT, verdict),  COLUMN(COUNT, replications), COLUMN(COUNT, met),
    COLUMN(TEXT, phase),    COLUMN(TEXT, figure),        COLUMN(MEASURE, share),
    COLUMN(MEASURE, slack), COLUMN(TEXT, reason),
};

/* A table and its columns, in one piece of memory. */
typedef struct {
    AftTable table;
    AftColumn columns[AFT_SIZE_MOST_AXES + G_N_ELEMENTS(columns)];
} OwnTable;

AftTable *aft_sized_table(char **axes)
{
    guint n = g_strv_length(axes);
    g_assert(n <= AFT_SIZE_MOST_AXES);
    OwnTable *own = g_new0(OwnTable, 1);
    for (guint i = 0; i < n; i++) {
        own->columns[i] = (AftColumn){axes[i], AFT_CELL_TEXT,
                                      G_STRUCT_OFFSET(AftSized, value) + i * sizeof(char *), FALSE};
    }
    memcpy(own->columns + n, columns, sizeof columns);
    own->table = (AftTable){own->columns, n + G_N_ELEMENTS(columns), sizeof(AftSized)};
    return &own->table;
}

void aft_sizing_free(AftSizing *sizing)
{
    if (sizing != NULL) {
        g_strfreev(sizing->axes);
        g_ptr_array_unref(sizing->rows);
        g_free(sizing);
    }
}

guint aft_size_fewest(double confidence)
{
    return aft_sequential_fewest(confidence);
}
