/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "state_parts.h"

#include "curator_parts.h"
#include "fill_bins.h"

#include <aftershock/model/kinds.h>
#include <aftershock/scenario/parts.h>
#include <math.h>
#include <string.h>

#define PARTS_MOST       8   /* of the work of a task */
#define ROUNDS_OF_A_PART 48  /* all units that may be in flight, so many times, at least */
#define LANES_EXACT      8   /* up to so many nodes that write, their number counts exactly */
#define OWES_FROM_S      0.5 /* of its load: from there on a machine owes, until it owes nothing */
#define WRITTEN_LEAST    (-24 * AFT_STATE_OCTAVE) /* parts of a member: written while some was away \
                                                   */
#define WRITTEN_MOST (3 * AFT_STATE_OCTAVE)
#define FEW_UNITS    16.0
#define ALL_WARM     0.995

static void present_init(const AftState *state, AftPresent *present)
{
    present->owes = g_new0(guint8, state->n_vms);
    present->nodes = g_new0(guint32, state->n_vms);
    present->loads = g_new0(AftLoad, state->n_clients);
    present->fills = g_new(int, state->n_buffers);
    present->warms = g_new0(int, state->n_buffers);
    for (guint i = 0; i < state->n_buffers; i++) {
        present->fills[i] = -1;
    }
}

static void present_clear(AftPresent *present)
{
    g_free(present->owes);
    g_free(present->nodes);
    g_free(present->loads);
    g_free(present->fills);
    g_free(present->warms);
}

static void present_copy(const AftState *state, AftPresent *to, const AftPresent *from)
{
    memcpy(to->work, from->work, sizeof to->work);
    memcpy(to->owes, from->owes, state->n_vms);
    memcpy(to->nodes, from->nodes, state->n_vms * sizeof(guint32));
    memcpy(to->loads, from->loads, state->n_clients * sizeof(AftLoad));
    memcpy(to->fills, from->fills, state->n_buffers * sizeof(int));
    memcpy(to->warms, from->warms, state->n_buffers * sizeof(int));
}

AftState *aft_state_new(AftModel *model)
{
    AftState *state = g_new0(AftState, 1);
    state->model = model;
    state->n_clients = model->n_clients;
    state->n_buffers = model->topology.n_buffers;
    state->n_pools = model->pools->len;
    for (guint i = 0; i < model->n_clients; i++) {
        state->n_vms += model->clients[i].n_vms;
    }
    state->known = g_array_new(FALSE, FALSE, sizeof(AftOutageLook));
    state->steps = g_array_new(FALSE, FALSE, sizeof(AftStateStep));
    present_init(state, &state->now);
    present_init(state, &state->calm);
    state->written_base = g_new0(double, state->n_pools);
    state->written = g_new0(int, state->n_pools);
    state->text = g_string_new(NULL);
    aft_state_look(state);
    return state;
}

void aft_state_free(AftState *state)
{
    if (state != NULL) {
        g_array_unref(state->known);
        g_array_unref(state->steps);
        present_clear(&state->now);
        present_clear(&state->calm);
        g_free(state->calm_text);
        g_free(state->written_base);
        g_free(state->written);
        g_string_free(state->text, TRUE);
        g_free(state);
    }
}

static double work_bytes(const AftModel *model, guint task)
{
    return MAX(aft_curator_waiting_bytes(model->curator, (AftTaskKind)task, AFT_NOWHERE), 0.0);
}

static gboolean works(const AftModel *model, guint task)
{
    return aft_curator_works(model->curator, (AftTaskKind)task);
}

static void add_step(AftState *state, AftStepKind kind, const AftPart *part)
{
    AftStateStep step = {.kind = kind, .part = *part};
    g_array_append_val(state->steps, step);
}

static void add_amount(AftState *state, AftStepKind kind, guint index, int amount)
{
    AftStateStep step = {.kind = kind, .index = index, .amount = amount};
    g_array_append_val(state->steps, step);
}

/* What time has done since the last step, which a step that comes now finds. */
static void add_amounts(AftState *state)
{
    for (guint i = 0; i < state->n_pools && state->known->len > 0; i++) {
        if (state->written[i] >= WRITTEN_LEAST) {
            add_amount(state, AFT_STEP_WRITTEN, i, state->written[i]);
        }
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (state->left[task] >= 0 && state->left[task] < AFT_STATE_PARTS) {
            add_amount(state, AFT_STEP_LEFT, task, state->left[task]);
        }
    }
}

static AftOutageLook *find_known(const AftState *state, guint64 number)
{
    for (guint i = 0; i < state->known->len; i++) {
        AftOutageLook *look = &g_array_index(state->known, AftOutageLook, i);
        if (look->number == number) {
            return look;
        }
    }
    return NULL;
}

static gboolean is_there(const AftModel *model, guint64 number)
{
    for (guint i = 0; i < model->outages->len; i++) {
        if (aft_outage_look(model->outages->pdata[i]).number == number) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Steps from how far an outage had come, @before, to where it is. */
static void add_progress(AftState *state, const AftOutageLook *before, const AftOutageLook *look)
{
    if (before->unnoticed && !look->unnoticed) {
        add_step(state, AFT_STEP_DETECT, &look->part);
    }
    if (!before->out && look->out) {
        add_step(state, AFT_STEP_OUT, &look->part);
    }
    if (!before->ended && look->ended) {
        add_step(state, AFT_STEP_RESTORE, &look->part);
    }
}

/* Those that are over leave nothing to look at. */
static void add_ends(AftState *state)
{
    for (guint i = 0; i < state->known->len; i++) {
        const AftOutageLook *look = &g_array_index(state->known, AftOutageLook, i);
        if (!is_there(state->model, look->number)) {
            add_step(state, look->ended ? AFT_STEP_IN : AFT_STEP_RESTORE, &look->part);
        }
    }
}

/* Adds what has happened to outages since they were looked at. */
static void add_news(AftState *state)
{
    const AftModel *model = state->model;
    for (guint i = 0; i < model->outages->len; i++) {
        AftOutageLook look = aft_outage_look(model->outages->pdata[i]);
        const AftOutageLook *before = find_known(state, look.number);
        AftOutageLook fresh = {.unnoticed = TRUE};
        if (before == NULL) {
            add_step(state, AFT_STEP_FAIL, &look.part);
        }
        add_progress(state, before != NULL ? before : &fresh, &look);
    }
    add_ends(state);
    g_array_set_size(state->known, 0);
    for (guint i = 0; i < model->outages->len; i++) {
        AftOutageLook look = aft_outage_look(model->outages->pdata[i]);
        g_array_append_val(state->known, look);
    }
}

static gboolean has_news(const AftState *state)
{
    const AftModel *model = state->model;
    if (model->outages->len != state->known->len) {
        return TRUE;
    }
    for (guint i = 0; i < model->outages->len; i++) {
        AftOutageLook look = aft_outage_look(model->outages->pdata[i]);
        const AftOutageLook *before = find_known(state, look.number);
        if (before == NULL || before->unnoticed != look.unnoticed || before->out != look.out ||
            before->ended != look.ended) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean is_whole(const AftModel *model)
{
    gboolean whole = model->outages->len == 0;
    for (guint i = 0; i < model->pools->len; i++) {
        const AftPool *pool = model->pools->pdata[i];
        whole &= pool->missing == 0 && pool->n_lost == 0;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        whole &= aft_curator_transfers(model->curator, (AftTaskKind)task) == 0;
    }
    return whole;
}

static gboolean stalls(const AftModel *model)
{
    return model->topology.n_unnoticed > 0;
}

static void take_bases(AftState *state)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        state->base_bytes[task] = work_bytes(state->model, task);
        state->parts[task] = 0;
    }
    for (guint i = 0; i < state->n_pools; i++) {
        state->written_base[i] = ((const AftPool *)state->model->pools->pdata[i])->written_bytes;
    }
}

static void follow_news(AftState *state)
{
    gboolean calm = !state->transient;
    guint n_calm = state->steps->len; /* it is where the present says, and not the amounts */
    if (calm) {
        add_amounts(state);
    }
    guint n_before = state->steps->len;
    add_news(state);
    if (calm && stalls(state->model)) {
        state->transient = TRUE;
        state->n_calm = n_calm;
        state->n_before = n_before;
        g_free(state->calm_text);
        state->calm_text = g_strdup(state->text->str);
        present_copy(state, &state->calm, &state->now);
    }
    take_bases(state);
}

guint aft_state_lanes(const AftModel *model, guint task)
{
    guint lanes = 0, n = model->topology.n_nodes;
    for (guint node = 0; node < n; node++) {
        lanes += aft_curator_waiting_bytes(model->curator, (AftTaskKind)task, node) > 0.0;
    }
    guint coarse = MAX(n / LANES_EXACT, 1);
    return (lanes + coarse - 1) / coarse * coarse;
}

/* Of little work there are few parts, or one would be over when its first units are home. */
static int parts_of(const AftModel *model, guint task)
{
    guint in_flight = aft_curator_in_flight_most(model->curator, (AftTaskKind)task);
    double unit_bytes = (double)model->scenario->background.task[task].unit_bytes;
    double transfers = aft_curator_transfers(model->curator, (AftTaskKind)task);
    double units = MAX(work_bytes(model, task) / unit_bytes, transfers);
    double rounds = units / ((double)in_flight * MAX(aft_state_lanes(model, task), 1));
    int parts = PARTS_MOST;
    while (parts > 1 && rounds < parts * ROUNDS_OF_A_PART) {
        parts /= 2;
    }
    return parts;
}

static void look_at_task(AftState *state, guint task)
{
    double bytes = work_bytes(state->model, task);
    AftWork *work = &state->now.work[task];
    if (state->parts[task] == 0 || bytes > state->base_bytes[task]) {
        state->base_bytes[task] = bytes;
        state->parts[task] = parts_of(state->model, task);
    }
    work->works = works(state->model, task);
    work->parts = state->parts[task];
    double done = bytes > 0.0 ? 1.0 - bytes / state->base_bytes[task] : 1.0;
    work->bin = work->works ? CLAMP((int)(work->parts * done), 0, work->parts - 1) : 0;
    work->lanes = work->works ? MAX(aft_state_lanes(state->model, task), 1) : 0;
    gboolean worked = state->base_bytes[task] > 0.0;
    int left = (int)lround(AFT_STATE_PARTS * (1.0 - done));
    state->left[task] = work->works ? MAX(left, 1) : worked ? 0 : -1;
}

/* Where it is a few units of a rebuild, how many they are tells how long that takes. */
static void look_at_pool(AftState *state, guint i)
{
    const AftPool *pool = state->model->pools->pdata[i];
    double unit_bytes =
        (double)state->model->scenario->background.task[AFT_TASK_REBUILD].unit_bytes;
    double bytes = pool->written_bytes - state->written_base[i];
    gboolean few = bytes > unit_bytes / FEW_UNITS && bytes < unit_bytes * FEW_UNITS;
    double octaves = bytes > 0.0 ? log2(bytes / pool->member_bytes) : 0.0;
    int power =
        few ? (int)lround(AFT_STATE_OCTAVE * octaves) : AFT_STATE_OCTAVE * (int)lround(octaves);
    state->written[i] = bytes > 0.0 ? MIN(power, WRITTEN_MOST) : WRITTEN_LEAST - 1;
}

static double owes_from(const AftVm *vm)
{
    return MAX(OWES_FROM_S * vm->mean_rate_per_s, 1.0);
}

static void look_at_machines(AftState *state)
{
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        const AftClients *clients = &state->model->clients[i];
        state->now.loads[i] = (AftLoad){clients->rhythm.day, clients->rhythm.burst};
        for (guint vm = 0; vm < clients->n_vms; vm++, n++) {
            const AftVm *it = &clients->vms[vm];
            gboolean may_owe = clients->spec->kind == AFT_WORKLOAD_PACED;
            gboolean goes_on = state->now.owes[n] && !state->transient;
            double from = goes_on ? 1.0 : owes_from(it);
            state->now.owes[n] = may_owe && (double)it->owed.count >= from;
            state->now.nodes[n] = it->running ? it->node : AFT_NOWHERE;
        }
    }
}

static double warm_share(const AftBuffer *buffer)
{
    double most = aft_buffer_warm_most(buffer);
    return most > 0.0 ? buffer->warm_bytes / most : 1.0;
}

static void look_at_buffers(AftState *state)
{
    for (guint i = 0; i < state->n_buffers; i++) {
        const AftBuffer *buffer = &state->model->topology.buffers[i];
        double warm = warm_share(buffer);
        state->now.fills[i] = buffer->n_behind > 0 ? aft_fill_bin(buffer, state->now.fills[i]) : -1;
        state->now.warms[i] = warm >= ALL_WARM ? AFT_STATE_PARTS : (int)(warm * AFT_STATE_PARTS);
    }
}

static void write_step(GString *text, const AftStateStep *step)
{
    static const char *const names[] = {"fail", "detect",  "out", "restore",
                                        "in",   "written", "left"};
    guint n;
    g_string_append(text, names[step->kind]);
    if (step->kind == AFT_STEP_LEFT) {
        g_string_append_printf(text, " %d/%d of %s", step->amount, AFT_STATE_PARTS,
                               aft_task_kinds(&n)[step->index].name);
    } else if (step->kind == AFT_STEP_WRITTEN) {
        g_string_append_printf(text, " 2^%g of %u", (double)step->amount / AFT_STATE_OCTAVE,
                               step->index);
    } else {
        g_autofree char *part = aft_part_format(&step->part);
        g_string_append_printf(text, " %s", part);
    }
    g_string_append(text, ", ");
}

/* Machines in a row that are in one way are one entry. */
static void write_machines(const AftState *state, GString *text)
{
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        const AftClients *clients = &state->model->clients[i];
        g_string_append_printf(text, "| load %g %g ", state->now.loads[i].day,
                               state->now.loads[i].burst);
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

static void write_text(AftState *state)
{
    GString *text = state->text;
    guint n, first = state->transient ? state->n_before : 0;
    g_string_assign(text, state->transient ? state->calm_text : "");
    g_string_append(text, state->transient ? " > " : "");
    for (guint i = first; i < state->steps->len; i++) {
        write_step(text, &g_array_index(state->steps, AftStateStep, i));
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

gboolean aft_state_look(AftState *state)
{
    if (has_news(state)) {
        follow_news(state);
    }
    if (!state->transient && is_whole(state->model)) {
        g_array_set_size(state->steps, 0);
        take_bases(state);
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        look_at_task(state, task);
    }
    for (guint i = 0; i < state->n_pools; i++) {
        look_at_pool(state, i);
    }
    look_at_machines(state);
    look_at_buffers(state);
    g_autofree char *before = g_strdup(state->text->str);
    write_text(state);
    return strcmp(before, state->text->str) != 0;
}

const char *aft_state_text(const AftState *state)
{
    return state->text->str;
}

gboolean aft_state_is_transient(const AftState *state)
{
    return state->transient;
}

void aft_state_settle(AftState *state)
{
    state->transient = FALSE;
    g_clear_pointer(&state->calm_text, g_free);
    aft_state_look(state);
}

gboolean aft_state_stands(const AftState *state, const AftMotion *motion)
{
    gboolean works = FALSE, moves = FALSE;
    for (guint task = 0; task < AFT_TASKS; task++) {
        works |= state->now.work[task].works && work_bytes(state->model, task) > 0.0;
        moves |= aft_motion_task_per_s(motion, state->model, (AftTaskKind)task) > 0.0;
    }
    return works && !moves;
}

static double tasks_edge_s(const AftState *state, const AftMotion *motion)
{
    double edge_s = INFINITY;
    for (guint task = 0; task < AFT_TASKS; task++) {
        const AftWork *work = &state->now.work[task];
        double per_s = aft_motion_task_per_s(motion, state->model, (AftTaskKind)task);
        double way = work_bytes(state->model, task) -
                     state->base_bytes[task] * (work->parts - 1 - work->bin) / work->parts;
        if (work->works && work->bin < work->parts - 1 && per_s > 0.0) {
            edge_s = MIN(edge_s, MAX(way, 0.0) / per_s);
        }
    }
    return edge_s;
}

static double machines_edge_s(const AftState *state, const AftMotion *motion)
{
    double edge_s = INFINITY;
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        const AftClients *clients = &state->model->clients[i];
        for (guint vm = 0; vm < clients->n_vms; vm++, n++) {
            double grown = aft_motion_owed_per_s(motion, n);
            double way = owes_from(&clients->vms[vm]) - (double)clients->vms[vm].owed.count;
            if (!state->now.owes[n] && grown > 0.0) {
                edge_s = MIN(edge_s, MAX(way, 0.0) / grown);
            }
        }
    }
    return edge_s;
}

static double buffers_edge_s(const AftState *state, const AftMotion *motion)
{
    double edge_s = INFINITY;
    for (guint i = 0; i < state->n_buffers; i++) {
        const AftBuffer *buffer = &state->model->topology.buffers[i];
        double grown = aft_motion_fill_per_s(motion, i), warmed = aft_motion_warm_per_s(motion, i);
        if (grown != 0.0 && state->now.fills[i] >= 0) {
            double edge = aft_fill_edge(buffer->spec, state->now.fills[i], grown > 0.0);
            double way = (edge - aft_buffer_fill(buffer)) * buffer->size_bytes;
            edge_s = edge >= 0.0 && edge <= 1.0 ? MIN(edge_s, MAX(way / grown, 0.0)) : edge_s;
        }
        if (warmed > 0.0 && state->now.warms[i] < AFT_STATE_PARTS) {
            double share = MIN((state->now.warms[i] + 1.0) / AFT_STATE_PARTS, ALL_WARM);
            double way = share * aft_buffer_warm_most(buffer) - buffer->warm_bytes;
            edge_s = MIN(edge_s, MAX(way, 0.0) / warmed);
        }
    }
    return edge_s;
}

gint64 aft_state_edge_ns(const AftState *state, const AftMotion *motion)
{
    if (state->transient) {
        return G_MAXINT64;
    }
    double edge_s = MIN(tasks_edge_s(state, motion), machines_edge_s(state, motion));
    edge_s = MIN(edge_s, buffers_edge_s(state, motion));
    return edge_s < 9e9 ? (gint64)(edge_s * 1e9) : G_MAXINT64;
}
