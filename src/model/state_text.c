/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that says which state it is, in writing. */
#include "state_parts.h"

#include <aftershock/model/kinds.h>
#include <aftershock/scenario/parts.h>

/* To the last bit: two values are never one text. */
static void write_exactly(GString *text, double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(digits, sizeof digits, "%g", value);
    if (g_ascii_strtod(digits, NULL) != value) {
        g_ascii_dtostr(digits, sizeof digits, value);
    }
    g_string_append_printf(text, "%s ", digits);
}

static void write_exact_amount(const AftState *state, GString *text, const AftStateStep *step)
{
    if (step->kind == AFT_STEP_WRITTEN) {
        write_exactly(text, step->members);
        return;
    }
    for (guint node = 0; node < state->model->topology.n_nodes; node++) {
        write_exactly(text, step->at_node[node]);
    }
}

static void write_coarse_amount(GString *text, const AftStateStep *step)
{
    if (step->kind == AFT_STEP_WRITTEN) {
        g_string_append(text, "2^");
        write_exactly(text, (double)step->amount / AFT_STATE_OCTAVE);
    } else {
        g_string_append_printf(text, "%d/%d ", step->amount, AFT_STATE_PARTS);
    }
}

static void write_amount(const AftState *state, GString *text, const AftStateStep *step)
{
    guint n;
    g_string_append_c(text, ' ');
    if (state->exact) {
        write_exact_amount(state, text, step);
    } else {
        write_coarse_amount(text, step);
    }
    if (step->kind == AFT_STEP_WRITTEN) {
        g_string_append_printf(text, "of %u", step->index);
    } else {
        g_string_append_printf(text, "of %s", aft_task_kinds(&n)[step->index].name);
    }
}

static void write_step(const AftState *state, GString *text, const AftStateStep *step)
{
    static const char *const names[] = {"fail", "detect",  "out", "restore",
                                        "in",   "written", "left"};
    if (!aft_state_counts(state, step)) {
        return;
    }
    g_string_append(text, names[step->kind]);
    if (step->kind >= AFT_STEP_WRITTEN) {
        write_amount(state, text, step);
    } else {
        g_autofree char *part = aft_part_format(&step->part);
        g_string_append_printf(text, " %s", part);
    }
    g_string_append(text, ", ");
}

static void write_losses(const AftState *state, GString *text)
{
    for (guint i = 0; i < state->lost->len; i++) {
        const AftLostGroup *lost = &g_array_index(state->lost, AftLostGroup, i);
        g_string_append_printf(text, "lost %u:%u, ", lost->pool, lost->group);
    }
}

/* Those that are at home and owe nothing are not told. */
static void write_machines(const AftState *state, GString *text)
{
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        const AftClients *clients = &state->model->clients[i];
        g_string_append(text, "| load ");
        write_exactly(text, state->now.loads[i].day);
        write_exactly(text, state->now.loads[i].burst);
        for (guint vm = 0; vm < clients->n_vms; vm++, n++) {
            gboolean home = state->now.nodes[n] == clients->vms[vm].home;
            if (!home || state->now.owes[n]) {
                g_string_append_printf(text, "%u", vm);
            }
            if (!home && state->now.nodes[n] == AFT_NOWHERE) {
                g_string_append(text, "-");
            } else if (!home) {
                g_string_append_printf(text, "@%u", state->now.nodes[n]);
            }
            if (!home || state->now.owes[n]) {
                g_string_append(text, state->now.owes[n] ? "! " : " ");
            }
        }
    }
}

void aft_state_write(AftState *state)
{
    GString *text = state->text;
    guint n, first = state->transient ? state->n_before : 0;
    g_string_assign(text, state->transient ? state->calm_text : "");
    g_string_append(text, state->transient ? " > " : "");
    if (!state->transient) {
        write_losses(state, text);
    }
    for (guint i = first; i < state->steps->len; i++) {
        write_step(state, text, &g_array_index(state->steps, AftStateStep, i));
    }
    if (state->transient) {
        return;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        const AftWork *work = &state->now.work[task];
        if (work->works) {
            g_string_append_printf(text, "| %s %d/%d to %u ", aft_task_kinds(&n)[task].name,
                                   work->bin, work->parts, work->lanes);
        }
    }
    write_machines(state, text);
    for (guint i = 0; i < state->n_buffers; i++) {
        g_string_append_printf(text, "%s%d:%d", i == 0 ? "| fill " : " ", state->now.fills[i],
                               state->now.warms[i]);
    }
}
