/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"
#include "human.h"
#include "lines.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schemes.h>

/* "4 KiB", or "4 KiB (60 %), 64 KiB (40 %)". Returns: (transfer full). */
static char *blocks_text(const AftWorkloadSpec *spec)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < spec->n_mix; i++) {
        g_autofree char *block = aft_units_format(AFT_UNIT_BYTES, (double)spec->mix[i].block_bytes);
        g_autofree char *share = aft_human_share(spec->mix[i].share);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", block);
        if (spec->n_mix > 1) {
            g_string_append_printf(text, " (%s)", share);
        }
    }
    return g_string_free(text, FALSE);
}

/* What makes up @text so far, and @more. */
static void append_part(GString *text, char *more)
{
    g_string_append_printf(text, "%s%s", text->len > 0 ? "; " : "", more);
    g_free(more);
}

static char *burst_part(const AftWorkloadBounds *workload)
{
    const AftBurstSpec *burst = &workload->spec->burst;
    g_autofree char *factor = aft_explain_figure(burst->factor);
    g_autofree char *share = aft_human_share(burst->share);
    return g_strdup_printf("bursts of %s times the rate between them, %s of the time", factor,
                           share);
}

/* What is beside blocks, reads and rate. Returns: (transfer full): empty when nothing is. */
static char *manner_text(const AftWorkloadBounds *workload)
{
    const AftWorkloadSpec *spec = workload->spec;
    GString *text = g_string_new(NULL);
    if (spec->access == AFT_ACCESS_SEQUENTIAL) {
        append_part(text, g_strdup("block after block, each taken to follow the one before"));
    }
    if (spec->skew == AFT_SKEW_ZIPF) {
        append_part(text, g_strdup_printf("zipf %g, hits counted, hot devices not", spec->theta));
    }
    if (spec->locality > 0.0) {
        g_autofree char *share = aft_human_share(spec->locality);
        append_part(text, g_strdup_printf("%s to data on the machine's own node", share));
    }
    if (spec->burst.factor > 0.0) {
        append_part(text, burst_part(workload));
    }
    if (workload->most_iops > workload->asked_iops) {
        g_autofree char *most = aft_human_number(workload->most_iops, 0);
        append_part(text, g_strdup_printf("up to %s IOPS at a time", most));
    }
    return g_string_free(text, FALSE);
}

/* "blocks of 4 KiB, 80 % reads, on data (raid5 3+1), 560 outstanding, 107,676 IOPS asked for". */
void aft_explain_append_workload(GString *out, const AftWorkloadBounds *workload, guint n_workloads,
                                 const AftTextStyle *style)
{
    const AftWorkloadSpec *spec = workload->spec;
    gboolean trace = spec->kind == AFT_WORKLOAD_TRACE;
    g_autofree char *block = blocks_text(spec);
    g_autofree char *reads = aft_human_share(spec->mean_read_share);
    g_autofree char *scheme = aft_scheme_format(&workload->pool->protection);
    g_autofree char *asked = aft_human_number(workload->asked_iops, 0);
    g_autofree char *outstanding = aft_human_number(workload->outstanding, 0);
    g_autofree char *text =
        g_strdup_printf("%s%s%sblocks of %s, %s reads, on %s (%s), %s outstanding, %s%s",
                        n_workloads > 1 ? spec->name : "", n_workloads > 1 ? ": " : "",
                        trace ? "a trace, taken to be " : "", block, reads, workload->pool->name,
                        scheme, outstanding,
                        workload->asked_iops > 0.0 ? asked
                        : trace                    ? "at its own times"
                                                   : "closed",
                        workload->asked_iops > 0.0 ? " IOPS asked for" : "");
    g_autofree char *manner = manner_text(workload);
    aft_lines_append(out, "workload", text, AFT_TINT_NONE, style);
    if (*manner != '\0') {
        aft_lines_append(out, "", manner, AFT_TINT_NONE, style);
    }
}
