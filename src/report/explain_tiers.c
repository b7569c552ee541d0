/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include "human.h"

#include <math.h>

/* "5.9 kB of each write, 126 MB/s at 107,676 IOPS, alone at most 3.2 GB/s (capacity transfer)". */
static void append_destage(GString *out, const AftWorkloadBounds *workload, const char *label,
                           AftClusterState state, const AftTextStyle *style)
{
    const AftWorkloadState *it = &workload->state[state];
    const AftDestageCost *destage = &it->destage;
    g_autofree char *each = aft_human_bytes(destage->per_write * destage->bytes);
    g_autofree char *inflow = aft_human_bytes(it->buffer.inflow);
    g_autofree char *iops = aft_explain_figure(it->buffer.iops);
    g_autoptr(GString) text = g_string_new(aft_cluster_state_name(state));
    g_string_append_printf(text, ": %s of each write", each);
    if (isfinite(it->buffer.iops)) {
        g_string_append_printf(text, ", %s/s at %s IOPS", inflow, iops);
    }
    if (isfinite(destage->bytes_per_s)) {
        g_autofree char *most = aft_human_bytes(destage->bytes_per_s);
        g_string_append_printf(text, ", alone at most %s/s (%s)", most,
                               aft_explain_limit_name(destage->limit, destage->bottleneck));
    }
    aft_lines_append(out, label, text->str, AFT_TINT_NONE, style);
}

/* "5.6 TB of 8 TB free, 27 % of reads hit, 27 % of writes meet what is dirty, the destage keeps
 * up"; or "full in 12 min 03 s at the earliest: ...". */
static void append_room(GString *out, const AftWorkloadBounds *workload, const char *label,
                        AftClusterState state, const AftTextStyle *style)
{
    const AftWorkloadState *it = &workload->state[state];
    const AftBufferBounds *buffer = &it->buffer;
    gboolean fills = isfinite(buffer->fill_s);
    g_autofree char *room = aft_human_bytes(buffer->room_bytes);
    g_autofree char *all = aft_human_bytes(buffer->bytes);
    g_autofree char *hits = aft_human_share(it->read.hits);
    g_autofree char *overwritten = aft_human_share(buffer->overwritten);
    g_autoptr(GString) text = g_string_new(aft_cluster_state_name(state));
    g_string_append_printf(text,
                           ": %s of %s free, %s of reads hit, %s of writes meet what is dirty",
                           room, all, hits, overwritten);
    if (fills) {
        g_autofree char *after = aft_human_duration(buffer->fill_s);
        g_autofree char *inflow = aft_human_bytes(buffer->inflow);
        g_autofree char *outflow = aft_human_bytes(buffer->outflow);
        g_string_append_printf(text, ", full in %s at the earliest: %s/s in, %s/s out", after,
                               inflow, outflow);
    } else if (buffer->inflow > 0.0) {
        g_string_append(text, ", the destage keeps up");
    }
    aft_lines_append(out, label, text->str, fills ? AFT_TINT_NOTICE : AFT_TINT_NONE, style);
}

void aft_explain_append_buffers(GString *out, const AftWorkloadBounds *workload,
                                const AftTextStyle *style)
{
    for (guint state = 0; state < AFT_STATES; state++) {
        if (workload->state[state].destage.per_write > 0.0) {
            append_destage(out, workload, state == AFT_STATE_HEALTHY ? "destage" : "",
                           (AftClusterState)state, style);
        }
    }
    for (guint state = 0; state < AFT_STATES; state++) {
        if (workload->state[state].destage.per_write > 0.0) {
            append_room(out, workload, state == AFT_STATE_HEALTHY ? "buffers" : "",
                        (AftClusterState)state, style);
        }
    }
}
