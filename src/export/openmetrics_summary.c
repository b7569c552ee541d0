/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "openmetrics_parts.h"

#define PLAIN(member)              AFT_FAMILY_PLAIN(AftPhaseRow, member)
#define NAMED(member, label, text) AFT_FAMILY_NAMED(AftPhaseRow, member, label, text)

static const AftMetricFamily summed[] = {
    {{"phase_duration", "seconds", "How long the phase lasted."}, 1.0, TRUE, {PLAIN(duration_s)}},
    {{"phase_missed", "seconds", "How long the requirement was missed in the phase."},
     1.0,
     TRUE,
     {PLAIN(missed_s)}},
    {{"phase_client", "ios_per_second", "Client I/Os completed, over the phase."},
     1.0,
     TRUE,
     {NAMED(read_iops, "op", "read"), NAMED(write_iops, "op", "write")}},
    {{"phase_client_latency_mean", "seconds", "Mean latency of client I/Os over the phase."},
     1e-3,
     TRUE,
     {NAMED(read_mean_ms, "op", "read"), NAMED(write_mean_ms, "op", "write")}},
    {{"phase_background", "bytes", "Bytes moved by background work in the phase."},
     1.0,
     TRUE,
     {NAMED(rebuild_bytes, "task", "rebuild"), NAMED(rebalance_bytes, "task", "rebalance"),
      NAMED(convert_bytes, "task", "convert"), NAMED(encode_bytes, "task", "encode"),
      NAMED(scrub_bytes, "task", "scrub"), NAMED(destage_bytes, "task", "destage")}},
};

/* Labels that tell each phase from all others. Returns: (transfer full): texts. */
static GPtrArray *phase_labels(const AftExport *export)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    guint occurred[AFT_PHASES] = {0};
    for (guint i = 0; i < export->result->phases->len; i++) {
        AftPhase phase = g_array_index(export->result->phases, AftPhaseRow, i).phase;
        GString *labels = aft_openmetrics_labels(export);
        aft_label_add(labels, "phase", aft_phase_name(phase));
        g_string_append_printf(labels, ",occurrence=\"%u\"", ++occurred[phase]);
        g_ptr_array_add(all, g_string_free(labels, FALSE));
    }
    return all;
}

static void write_cell(const AftExport *export, AftOut *out, const AftFamily *family,
                       const AftPhaseRow *row, const char *labels, double value)
{
    AftSeries series = aft_series(out, family, labels);
    aft_series_add(&series, aft_openmetrics_ms(export, row->start_s + row->duration_s), value);
}

static void write_summed(const AftExport *export, AftOut *out, const AftMetricFamily *family,
                         const GPtrArray *labels)
{
    const GArray *phases = export->result->phases;
    aft_family_begin(out, &family->family);
    for (guint i = 0; i < phases->len * aft_family_columns(family); i++) {
        guint at = i / aft_family_columns(family);
        const AftFamilyColumn *column = &family->columns[i % aft_family_columns(family)];
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, at);
        g_autoptr(GString) all = g_string_new(g_ptr_array_index(labels, at));
        aft_family_label(column, all);
        write_cell(export, out, &family->family, row, all->str,
                   aft_family_cell(family, column, row));
    }
}

/* Whether @figure is among those that @verdict ("met", "iops+write") says were missed. */
static gboolean is_missed(const char *verdict, const char *figure)
{
    g_auto(GStrv) missed = g_strsplit(verdict, "+", -1);
    return g_strv_contains((const char *const *)missed, figure);
}

static void write_verdict(const AftExport *export, AftOut *out, const AftFamily *family,
                          const AftPhaseRow *row, const char *labels)
{
    const AftResult *result = export->result;
    const struct {
        const char *name;
        double required;
    } figures[] = {{"iops", result->required_iops},
                   {"read", result->required_read_ms},
                   {"write", result->required_write_ms}};
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
        g_autoptr(GString) all = g_string_new(labels);
        aft_label_add(all, "figure", figures[i].name);
        if (figures[i].required > 0.0) {
            write_cell(export, out, family, row, all->str,
                       is_missed(row->requirement, figures[i].name) ? 0.0 : 1.0);
        }
    }
}

static void write_verdicts(const AftExport *export, AftOut *out, const GPtrArray *labels)
{
    static const AftFamily family = {
        "phase_met", "", "1 where the phase met what is required of the figure, else 0."};
    const GArray *phases = export->result->phases;
    aft_family_begin(out, &family);
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        if (row->requirement != NULL && *row->requirement != '\0') {
            write_verdict(export, out, &family, row, g_ptr_array_index(labels, i));
        }
    }
}

static void write_figure(const AftExport *export, AftOut *out, const AftFamily *family,
                         const char *labels, double value)
{
    AftSeries series = aft_series(out, family, labels);
    aft_family_begin(out, family);
    aft_series_add(&series, aft_openmetrics_ms(export, aft_result_end_s(export->result)), value);
}

static void write_run(const AftExport *export, AftOut *out)
{
    static const AftFamily missed = {"missed", "seconds", "How long the requirement was missed."};
    static const AftFamily lost = {"lost", "bytes", "Bytes of clients that were lost."};
    static const AftFamily run = {"run", "", "1: what was run, at its end."};
    const AftResult *result = export->result;
    g_autoptr(GString) labels = aft_openmetrics_labels(export);
    write_figure(export, out, &missed, labels->str, result->missed_s);
    write_figure(export, out, &lost, labels->str, result->loss.lost_bytes);
    g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, result->seed);
    aft_label_add(labels, "seed", seed);
    aft_label_add(labels, "fidelity", result->fidelity);
    aft_label_add(labels, "version", result->version);
    aft_label_add(labels, "scenario_sha256", result->scenario_sha256);
    aft_label_add(labels, "requirement", result->requirement);
    write_figure(export, out, &run, labels->str, 1.0);
}

void aft_openmetrics_summary(const AftExport *export, AftOut *out)
{
    if (export->result->phases->len > 0) {
        g_autoptr(GPtrArray) labels = phase_labels(export);
        for (guint i = 0; i < G_N_ELEMENTS(summed); i++) {
            write_summed(export, out, &summed[i], labels);
        }
        write_verdicts(export, out, labels);
    }
    write_run(export, out);
}
