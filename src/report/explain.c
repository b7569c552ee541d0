/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include "human.h"

#include <aftershock/report/explain.h>

#include <math.h>

/* As many digits as @format, "%.3g" or the like, asks for; whole from 1,000 on. */
static char *figure_as(double value, const char *format)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    return fabs(value) < 999.5 ? g_strdup(g_ascii_formatd(digits, sizeof(digits), format, value))
                               : aft_human_number(value, 0);
}

char *aft_explain_figure(double value)
{
    return figure_as(value, "%.3g");
}

const char *aft_explain_write_name(const AftWorkloadBounds *workload)
{
    guint data = workload->pool->initial.data, units = workload->block[0].units;
    return data == 1 || workload->spec->n_mix > 1 ? "write"
           : units == data                        ? "full-stripe write"
           : units > 1                            ? "partial write"
                                                  : "small write";
}

const char *aft_explain_limit_name(AftLimitKind limit, AftScarce bottleneck)
{
    static const char *const names[] = {
        [AFT_LIMIT_OUTSTANDING] = "units in flight", [AFT_LIMIT_BANDWIDTH] = "bandwidth allowed",
        [AFT_LIMIT_DESTAGE] = "destages at once",    [AFT_LIMIT_SCHEDULER] = "limit of its class",
        [AFT_LIMIT_UPDATES] = "updates at once",
    };
    return limit == AFT_LIMIT_SCARCE ? aft_scarce_name(bottleneck) : names[limit];
}

static void append_term(GString *text, const char *rate, double share, double ios)
{
    if (share <= 0.0) {
        return;
    }
    g_autofree char *part = figure_as(share, "%.4g"), *each = figure_as(ios, "%.4g");
    g_string_append_printf(text, "%s%s%s%s", text->len > 0 ? " + " : "", rate,
                           *rate != '\0' ? " x " : "", part);
    if (ios != 1.0) {
        g_string_append_printf(text, " x %s", each);
    }
}

static double ios_of(const AftOperationCost *cost)
{
    return cost->reads + cost->writes + cost->map_ios;
}

char *aft_explain_penalty(const AftWorkloadBounds *workload, AftClusterState state)
{
    const AftWorkloadState *it = &workload->state[state];
    gboolean asked = workload->asked_iops > 0.0;
    double rate = asked ? workload->asked_iops : 1.0, share = workload->spec->mean_read_share;
    g_autofree char *number = asked ? aft_explain_figure(rate) : g_strdup("");
    g_autofree char *sum = aft_explain_figure(rate * it->device_ios);
    GString *text = g_string_new(NULL);
    append_term(text, number, share, ios_of(&it->read));
    append_term(text, number, 1.0 - share, ios_of(&it->write));
    g_string_append_printf(text, " = %s device I/Os %s", sum,
                           asked ? "a second" : "per client I/O");
    return g_string_free(text, FALSE);
}

static void append_penalty(GString *out, const AftWorkloadBounds *workload, AftClusterState state,
                           const AftTextStyle *style)
{
    if (workload->state[state].possible) {
        g_autofree char *text = aft_explain_penalty(workload, state);
        g_autofree char *whole = g_strdup_printf("%s: %s", aft_cluster_state_name(state), text);
        aft_lines_append(out, state == AFT_STATE_HEALTHY ? "penalty" : "", whole, AFT_TINT_NONE,
                         style);
    }
}

static char *iops_text(double iops)
{
    return isfinite(iops) ? aft_explain_figure(iops) : g_strdup("any number of");
}

/* "560 outstanding", or the station that is full first. Returns: (transfer full). */
static char *limit_text(const AftWorkloadBounds *workload, const AftThroughput *throughput,
                        AftLimitKind limit)
{
    g_autofree char *outstanding = aft_human_number(workload->outstanding, 0);
    return limit == AFT_LIMIT_OUTSTANDING
               ? g_strconcat(outstanding, " outstanding", NULL)
               : g_strdup(aft_explain_limit_name(limit, throughput->bottleneck));
}

static double iops_by(const AftThroughput *throughput, AftLimitKind limit)
{
    return limit == AFT_LIMIT_OUTSTANDING ? throughput->outstanding_iops
           : limit == AFT_LIMIT_DESTAGE   ? throughput->destage_iops
           : limit == AFT_LIMIT_UPDATES   ? throughput->updates_iops
                                          : throughput->capacity_iops;
}

/* What would be the limit without the one that is. */
static AftLimitKind next_limit(const AftThroughput *throughput)
{
    static const AftLimitKind kinds[] = {AFT_LIMIT_SCARCE, AFT_LIMIT_OUTSTANDING, AFT_LIMIT_DESTAGE,
                                         AFT_LIMIT_UPDATES};
    AftLimitKind next =
        throughput->limit == AFT_LIMIT_SCARCE ? AFT_LIMIT_OUTSTANDING : AFT_LIMIT_SCARCE;
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i] != throughput->limit &&
            iops_by(throughput, kinds[i]) < iops_by(throughput, next)) {
            next = kinds[i];
        }
    }
    return next;
}

/* "134,839 IOPS (controller), but for that 333,275 (560 outstanding)": the bound, then what comes
 * after it. */
static void append_limits(GString *text, const AftWorkloadBounds *workload,
                          const AftThroughput *throughput)
{
    AftLimitKind next = next_limit(throughput);
    g_autofree char *first = iops_text(throughput->iops);
    g_autofree char *by = limit_text(workload, throughput, throughput->limit);
    g_autofree char *other = iops_text(iops_by(throughput, next));
    g_autofree char *other_by = limit_text(workload, throughput, next);
    g_string_append_printf(text, ": %s IOPS (%s), but for that %s (%s)", first, by, other,
                           other_by);
}

/* ", asked for 119 % of it: too much". Returns: how that is. */
static AftTint append_asked(GString *text, double asked_iops, const AftWorkloadState *it)
{
    gboolean more = asked_iops > it->sustained.iops;
    gboolean too_much = more && asked_iops > it->full.iops;
    g_autofree char *share = aft_human_share(asked_iops / it->sustained.iops);
    g_string_append_printf(text, ", asked for %s of it%s", share,
                           too_much ? ": too much"
                           : more   ? ": buffers fill until it is less"
                                    : "");
    return too_much ? AFT_TINT_BAD : more ? AFT_TINT_NOTICE : AFT_TINT_NONE;
}

static void append_bound(GString *out, const AftWorkloadBounds *workload, AftClusterState state,
                         const AftTextStyle *style)
{
    const AftWorkloadState *it = &workload->state[state];
    const char *label = state == AFT_STATE_HEALTHY ? "at most" : "";
    AftTint tint = AFT_TINT_NONE;
    g_autoptr(GString) text = g_string_new(aft_cluster_state_name(state));
    if (!it->told) {
        g_string_append(text, workload->pool->domain == AFT_DOMAIN_DEVICE
                                  ? ": not told, a node may hold several members of a stripe"
                                  : ": not told, no node is left to run the machines");
        aft_lines_append(out, label, text->str, AFT_TINT_NOTICE, style);
        return;
    }
    if (!it->possible) {
        g_string_append(text, ": there is no data left");
        aft_lines_append(out, label, text->str, AFT_TINT_BAD, style);
        return;
    }
    append_limits(text, workload, &it->sustained);
    if (workload->asked_iops > 0.0) {
        tint = append_asked(text, workload->asked_iops, it);
    }
    if (it->lost > 1e-12) {
        g_autofree char *lost = aft_human_share(it->lost);
        g_string_append_printf(text, ", %s of the data lost", lost);
    }
    aft_lines_append(out, label, text->str, tint, style);
}

/* Other bounds than those sustained, where there is more than half a thousandth between them. */
static void append_others(GString *out, const AftWorkloadBounds *workload, const char *label,
                          glong offset, const AftTextStyle *style)
{
    for (guint state = 0; state < AFT_STATES; state++) {
        const AftWorkloadState *it = &workload->state[state];
        const AftThroughput *other = G_STRUCT_MEMBER_P(it, offset);
        if (it->possible && other->iops > it->sustained.iops * 1.0005) {
            g_autoptr(GString) text = g_string_new(aft_cluster_state_name((AftClusterState)state));
            append_limits(text, workload, other);
            aft_lines_append(out, label, text->str, AFT_TINT_NONE, style);
            label = "";
        }
    }
}

static void append_workload(GString *out, const AftBounds *bounds,
                            const AftWorkloadBounds *workload, const AftTextStyle *style)
{
    g_string_append_c(out, '\n');
    aft_explain_append_workload(out, workload, bounds->scenario->n_workloads, style);
    aft_explain_append_tables(out, bounds, workload, style);
    g_string_append_c(out, '\n');
    for (guint state = 0; state < AFT_STATES; state++) {
        append_penalty(out, workload, (AftClusterState)state, style);
    }
    for (guint state = 0; state < AFT_STATES; state++) {
        append_bound(out, workload, (AftClusterState)state, style);
    }
    append_others(out, workload, "in a burst", G_STRUCT_OFFSET(AftWorkloadState, burst), style);
    append_others(out, workload, "when full", G_STRUCT_OFFSET(AftWorkloadState, full), style);
    aft_explain_append_buffers(out, workload, style);
}

static void append_busy(GString *out, const AftBounds *bounds, AftClusterState state,
                        const AftTextStyle *style)
{
    const AftClusterBounds *cluster = &bounds->cluster[state];
    g_autofree char *busy = aft_human_share(cluster->utilisation[cluster->bottleneck].most_s);
    g_autofree char *text =
        g_strdup_printf("%s: %s %s busy with all workloads together", aft_cluster_state_name(state),
                        aft_scarce_name(cluster->bottleneck), busy);
    aft_lines_append(out, state == AFT_STATE_HEALTHY ? "together" : "", text, AFT_TINT_NONE, style);
}

/* ", 3 capacity devices (of 40)". */
static void append_needed(GString *text, double needed, guint there, const char *what)
{
    if (there > 0) {
        /* A whole number of devices stays one when rounding has made it a little more. */
        double devices = ceil(needed * (1.0 - 1e-12));
        g_string_append_printf(text, ", %.0f %s device%s (of %u)", devices, what,
                               devices == 1.0 ? "" : "s", there);
    }
}

static void append_devices(GString *out, const AftBounds *bounds, AftClusterState state,
                           const AftTextStyle *style)
{
    const AftClusterBounds *cluster = &bounds->cluster[state];
    g_autoptr(GString) text = g_string_new(NULL);
    append_needed(text, cluster->cache_devices_needed, cluster->cache_devices, "cache");
    append_needed(text, cluster->capacity_devices_needed, cluster->capacity_devices, "capacity");
    if (text->len > 0) {
        g_autofree char *whole = g_strdup_printf("%s: the rate takes at least%s",
                                                 aft_cluster_state_name(state), text->str + 1);
        aft_lines_append(out, state == AFT_STATE_HEALTHY ? "devices" : "", whole, AFT_TINT_NONE,
                         style);
    }
}

static gboolean is_told(const AftClusterBounds *cluster)
{
    return cluster->nodes > 0 && cluster->told;
}

char *aft_explain_text(const AftBounds *bounds, const char *label, const AftTextStyle *style)
{
    const AftScenario *scenario = bounds->scenario;
    GString *out = g_string_new(NULL);
    aft_lines_append_headline(out, scenario->name != NULL ? scenario->name : "", label, style);
    for (guint i = 0; i < scenario->n_workloads; i++) {
        append_workload(out, bounds, &bounds->workload[i], style);
    }
    g_string_append(out, scenario->n_workloads == 1 ? "" : "\n");
    for (guint state = 0; state < AFT_STATES && bounds->asked_iops > 0.0; state++) {
        if (is_told(&bounds->cluster[state]) && scenario->n_workloads > 1) {
            append_busy(out, bounds, (AftClusterState)state, style);
        }
    }
    for (guint state = 0; state < AFT_STATES && bounds->asked_iops > 0.0; state++) {
        if (is_told(&bounds->cluster[state])) {
            append_devices(out, bounds, (AftClusterState)state, style);
        }
    }
    aft_explain_append_data(out, bounds, style);
    if (bounds->unlike) {
        aft_lines_append(out, "nodes",
                         "unlike: the most loaded is the bound; down is one with most capacity; "
                         "data, parity and what rebuilds write are taken to spread alike",
                         AFT_TINT_NONE, style);
    }
    aft_lines_append(out, "idle",
                     "without waiting, at least: of parallel steps the slowest mean counts",
                     AFT_TINT_NONE, style);
    return g_string_free(out, FALSE);
}
