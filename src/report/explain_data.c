/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include "human.h"

#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

#include <math.h>

/* ", 8.8 TB less than two copies (67 %)". */
static void append_saved(GString *text, const AftBounds *bounds)
{
    double saved = bounds->saved_bytes, copies = 2.0 * bounds->logical_bytes;
    if (fabs(saved) > 1e-9 * copies) { /* more than rounding */
        g_autofree char *bytes = aft_human_bytes(fabs(saved));
        g_autofree char *share = aft_human_share(fabs(saved) / copies);
        g_string_append_printf(text, ", %s %s than two copies (%s)", bytes,
                               saved > 0.0 ? "less" : "more", share);
    }
}

static void append_space(GString *out, const AftBounds *bounds, const AftTextStyle *style)
{
    g_autofree char *logical = aft_human_bytes(bounds->logical_bytes);
    g_autofree char *protected = aft_human_bytes(bounds->protected_bytes);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%s stored by clients, %s with its protection", logical, protected);
    if (bounds->stored_bytes != bounds->protected_bytes) {
        g_autofree char *stored = aft_human_bytes(bounds->stored_bytes);
        g_string_append_printf(text, ", %s after data services", stored);
    }
    append_saved(text, bounds);
    for (guint state = 0; state < AFT_STATES; state++) {
        double raw_bytes = bounds->cluster[state].raw_bytes;
        if (raw_bytes > 0.0) {
            g_autofree char *raw = aft_human_bytes(raw_bytes);
            g_autofree char *share = aft_human_share(bounds->stored_bytes / raw_bytes);
            g_string_append_printf(text, "%s %s raw (%s full)",
                                   state == AFT_STATE_HEALTHY ? ";" : "; one node down:", raw,
                                   share);
        }
    }
    g_string_append(text, bounds->fits ? "" : ": it does not fit then");
    aft_lines_append(out, "space", text->str, bounds->fits ? AFT_TINT_NONE : AFT_TINT_BAD, style);
}

static void append_time(GString *text, const char *before, gint64 ns, const char *after)
{
    if (ns > 0) {
        g_autofree char *time = aft_human_duration((double)ns / 1e9);
        g_string_append_printf(text, "%s%s%s", before, time, after);
    }
}

static void append_number(GString *text, const char *before, double number, const char *after)
{
    if (number > 0.0) {
        g_autofree char *figure = aft_explain_figure(number);
        g_string_append_printf(text, "%s%s%s", before, figure, after);
    }
}

/* What @service of @pool costs, and what it saves of what those before it have left. */
static void append_service(GString *out, const AftPoolBounds *pool, AftServiceKind kind,
                           double bytes, guint n_pools, const char *label,
                           const AftTextStyle *style)
{
    const AftServiceSpec *service = &pool->spec->services[kind];
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *saved = aft_human_bytes(fabs(bytes * (1.0 - service->ratio)));
    g_string_printf(text, "%s%s%s %s", n_pools > 1 ? pool->spec->name : "", n_pools > 1 ? ": " : "",
                    aft_service_name(kind),
                    service->when == AFT_WHEN_INLINE ? "inline" : "at destage");
    g_string_append_printf(text, " %s %s", service->ratio <= 1.0 ? "saves" : "adds", saved);
    append_time(text, ", reads + ", service->read_delay_ns, "");
    append_time(text, ", writes + ", service->write_delay_ns, "");
    append_time(text, ", controller ", service->io_ns, "");
    append_time(text, service->io_ns > 0 ? " + " : ", controller ", service->per_mib_ns,
                " per MiB");
    append_time(text, ", degraded + ", service->degraded_ns, "");
    append_number(text, ", map reads ", service->metadata_reads, "");
    append_number(text, ", map writes ", service->metadata_writes, "");
    if (service->background_factor != 1.0) {
        append_number(text, ", background x ", service->background_factor, "");
    }
    append_number(text, ", moves x ", service->move_factor, "");
    aft_lines_append(out, label, text->str, AFT_TINT_NONE, style);
}

static void append_services(GString *out, const AftBounds *bounds, const AftTextStyle *style)
{
    const char *label = "services";
    for (guint i = 0; i < bounds->scenario->n_pools; i++) {
        const AftPoolBounds *pool = &bounds->pool[i];
        double bytes = pool->protected_bytes;
        for (guint kind = 0; kind < AFT_SERVICES; kind++) {
            if (pool->spec->services[kind].enabled) {
                append_service(out, pool, (AftServiceKind)kind, bytes, bounds->scenario->n_pools,
                               label, style);
                bytes *= pool->spec->services[kind].ratio;
                label = "";
            }
        }
    }
}

/* ", alone 15 min 17 s or more, at 1.92 GB/s (controller)". */
static void append_pace(GString *text, const AftPace *pace)
{
    if (isfinite(pace->bytes_per_s) && pace->bytes_per_s > 0.0) {
        g_autofree char *speed = aft_human_bytes(pace->bytes_per_s);
        g_autofree char *duration = aft_human_duration(pace->duration_s);
        g_string_append_printf(text, ", alone %s or more, at %s/s (%s)", duration, speed,
                               aft_explain_limit_name(pace->limit, pace->bottleneck));
    }
}

static void append_name(GString *text, const AftPoolSpec *pool, guint n_pools)
{
    if (n_pools > 1) {
        g_string_append_printf(text, "%s: ", pool->name);
    }
}

/* Why no time is told, if none is. */
static void append_untold(GString *text, const AftPoolBounds *pool)
{
    static const char *const domains[] = {
        [AFT_DOMAIN_DEVICE] = "device", [AFT_DOMAIN_NODE] = "node", [AFT_DOMAIN_RACK] = "rack"};
    if (!pool->rebuild.target) {
        g_string_append_printf(text, ", but there is no %s left to put it on",
                               domains[pool->spec->domain]);
    } else if (!pool->rebuild.told) {
        g_string_append(text, ", in a time that is not told");
    }
}

static void append_rebuild(GString *out, const AftPoolBounds *pool, guint n_pools, gboolean unlike,
                           const char *label, const AftTextStyle *style)
{
    const AftRebuildBounds *rebuild = &pool->rebuild;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *bytes = aft_human_bytes(rebuild->bytes);
    append_name(text, pool->spec, n_pools);
    g_string_append_printf(text, "%s node holds %s", unlike ? "the largest" : "a", bytes);
    if (!rebuild->possible) {
        g_string_append(text, ", which nothing can make again");
    } else {
        g_autofree char *read = aft_explain_figure(rebuild->read_per_byte);
        g_autofree char *sent = aft_explain_figure(rebuild->network_per_byte);
        g_string_append_printf(text, ", per byte written %s read and %s sent", read, sent);
        append_pace(text, &rebuild->pace);
        append_untold(text, pool);
    }
    aft_lines_append(out, label, text->str,
                     rebuild->possible && rebuild->target ? AFT_TINT_NONE : AFT_TINT_NOTICE, style);
}

/* Where a device is all that its node has, that is told already. */
static void append_device_loss(GString *out, const AftPoolBounds *pool, guint n_pools,
                               const AftTextStyle *style)
{
    const AftDeviceLoss *device = &pool->device;
    gboolean group = device->domain == AFT_FAILURE_GROUP;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *bytes = aft_human_bytes(device->bytes);
    if (device->bytes <= 0.0 || device->bytes >= pool->rebuild.bytes * (1.0 - 1e-9)) {
        return;
    }
    append_name(text, pool->spec, n_pools);
    g_string_append_printf(text, "with a capacity device %s%s",
                           group ? "its whole disk group is lost, " : "", bytes);
    g_string_append(text, group ? "" : " are lost");
    append_pace(text, &device->pace);
    aft_lines_append(out, "", text->str, AFT_TINT_NONE, style);
}

static void append_moves(GString *text, const AftConversionBounds *it)
{
    g_autofree char *before = aft_human_bytes(it->stored_before);
    g_autofree char *after = aft_human_bytes(it->stored_after);
    g_string_append_printf(text, ": %s become %s", before, after);
    if (it->written_bytes > 0.0) {
        g_autofree char *read = aft_human_bytes(it->read_bytes);
        g_autofree char *written = aft_human_bytes(it->written_bytes);
        g_autofree char *sent = aft_human_bytes(it->network_bytes);
        g_string_append_printf(text, ", %s read, %s written, %s sent", read, written, sent);
        append_pace(text, &it->pace);
    } else {
        g_string_append(text, ", at once");
    }
}

/* "at 30 min rf2 to rf3: ..."; "3 copies to ec 4+2 ...". */
static void append_conversion(GString *out, const AftConversionBounds *it, guint n_pools,
                              const char *label, const AftTextStyle *style)
{
    g_autoptr(GString) text = g_string_new(NULL);
    append_name(text, it->pool, n_pools);
    if (it->action != NULL) {
        g_autofree char *at = aft_human_duration((double)it->action->at_ns / 1e9);
        g_autofree char *from = aft_scheme_format(it->from), *to = aft_scheme_format(it->to);
        g_string_append_printf(text, "at %s %s to %s", at, from, to);
    } else {
        g_autofree char *age = aft_human_duration((double)it->pool->protection.age_ns / 1e9);
        g_string_append_printf(text, "%u copies to %u+%u when not written for %s, in all",
                               aft_scheme_width(it->from), it->to->data, it->to->parity, age);
    }
    append_moves(text, it);
    aft_lines_append(out, label, text->str, AFT_TINT_NONE, style);
}

static void append_conversions(GString *out, const AftBounds *bounds, const AftTextStyle *style)
{
    const char *before = "";
    for (guint i = 0; i < bounds->conversions->len; i++) {
        const AftConversionBounds *it = &g_array_index(bounds->conversions, AftConversionBounds, i);
        const char *label = it->task == AFT_TASK_ENCODE ? "encode" : "convert";
        append_conversion(out, it, bounds->scenario->n_pools,
                          g_str_equal(label, before) ? "" : label, style);
        before = label;
    }
}

void aft_explain_append_data(GString *out, const AftBounds *bounds, const AftTextStyle *style)
{
    guint n_pools = bounds->scenario->n_pools;
    append_space(out, bounds, style);
    append_services(out, bounds, style);
    for (guint i = 0; i < n_pools; i++) {
        append_rebuild(out, &bounds->pool[i], n_pools, bounds->unlike, i == 0 ? "rebuild" : "",
                       style);
        append_device_loss(out, &bounds->pool[i], n_pools, style);
    }
    append_conversions(out, bounds, style);
}
