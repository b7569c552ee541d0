/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has happened to a cluster since it was looked at, as steps. */
#include "state_parts.h"

#include <math.h>

#define WRITTEN_MOST (3 * AFT_STATE_OCTAVE)
#define FEW_UNITS    16.0 /* of a rebuild */

static void add_step(AftState *state, AftStepKind kind, const AftPart *part)
{
    AftStateStep step = {.kind = kind, .part = *part};
    g_array_append_val(state->steps, step);
}

/* Where it is a few units of a rebuild, how many they are tells how long that takes. */
static void add_written(AftState *state, guint i)
{
    const AftPool *pool = state->model->pools->pdata[i];
    double unit_bytes =
        (double)state->model->scenario->background.task[AFT_TASK_REBUILD].unit_bytes;
    double bytes = state->written[i] * pool->member_bytes, octaves = log2(state->written[i]);
    gboolean few = bytes > unit_bytes / FEW_UNITS && bytes < unit_bytes * FEW_UNITS;
    int power =
        few ? (int)lround(AFT_STATE_OCTAVE * octaves) : AFT_STATE_OCTAVE * (int)lround(octaves);
    AftStateStep step = {
        .kind = AFT_STEP_WRITTEN,
        .index = i,
        .amount = CLAMP(power, AFT_STATE_WRITTEN_LEAST, WRITTEN_MOST),
        .members = state->written[i],
    };
    g_array_append_val(state->steps, step);
}

static void add_left(AftState *state, guint task)
{
    double left = state->left[task];
    int eighths = (int)lround(AFT_STATE_PARTS * left);
    AftStateStep step = {
        .kind = AFT_STEP_LEFT,
        .index = task,
        .amount = left > 0.0 ? MAX(eighths, 1) : 0,
        .at_node = g_memdup2(state->at_node[task], state->model->topology.n_nodes * sizeof(double)),
    };
    g_array_append_val(state->steps, step);
}

void aft_state_add_amounts(AftState *state)
{
    for (guint i = 0; i < state->n_pools && state->known->len > 0; i++) {
        if (state->written[i] > 0.0) {
            add_written(state, i);
        }
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (state->left[task] < 1.0) {
            add_left(state, task);
        }
    }
}

void aft_state_step_clear(gpointer step)
{
    g_free(((AftStateStep *)step)->at_node);
}

gboolean aft_state_counts(const AftState *state, const AftStateStep *step)
{
    gboolean slight = (step->kind == AFT_STEP_WRITTEN && step->amount <= AFT_STATE_WRITTEN_LEAST) ||
                      (step->kind == AFT_STEP_LEFT && step->amount == AFT_STATE_PARTS);
    return state->exact || !slight;
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

void aft_state_add_news(AftState *state)
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

gboolean aft_state_has_news(const AftState *state)
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
