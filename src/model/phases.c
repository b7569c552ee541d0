/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases are derived from state, by the order of AftPhase. Owed work has hysteresis: catchup
 * begins above one second of load and ends below a tenth of a second. */
#include "maintenance.h"
#include "model_parts.h"
#include "sectors.h"

#include <aftershock/model/kinds.h>

#include <math.h>

#define OWED_BEGINS_S 1.0
#define OWED_ENDS_S   0.1

gint64 aft_phases_owed(const AftModel *model)
{
    gint64 owed = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        if (model->clients[i].spec->kind == AFT_WORKLOAD_PACED) {
            owed += model->clients[i].owed;
        }
    }
    return owed;
}

typedef struct {
    guint missing, lost;
    guint harmed; /* groups with lost sectors */
} Counts;

static Counts count_pools(const AftModel *model)
{
    Counts counts = {0};
    for (guint i = 0; i < model->pools->len; i++) {
        const AftPool *pool = model->pools->pdata[i];
        counts.missing += pool->missing;
        counts.lost += pool->n_lost;
        counts.harmed += aft_sectors_lost(pool->sectors).groups;
    }
    return counts;
}

static gboolean owes_much(const AftModel *model)
{
    return model->rate_per_s > 0.0 && aft_phases_owed(model) > model->owed_high;
}

static gboolean still_owes(const AftModel *model)
{
    return model->rate_per_s > 0.0 && aft_phases_owed(model) >= model->owed_low;
}

/* What is done when nothing has failed and nobody waits. */
static AftPhase quiet_phase(const AftModel *model)
{
    static const struct {
        AftTaskKind task;
        AftPhase phase;
    } rows[] = {
        {AFT_TASK_EVACUATE, AFT_PHASE_EVACUATE},
        {AFT_TASK_CONVERT, AFT_PHASE_CONVERT},
        {AFT_TASK_ENCODE, AFT_PHASE_ENCODE},
        {AFT_TASK_SCRUB, AFT_PHASE_SCRUB},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (aft_curator_works(model->curator, rows[i].task)) {
            return rows[i].phase;
        }
    }
    /* All has left a node, which goes down at this very moment. */
    return model->phase == AFT_PHASE_EVACUATE && aft_maintenance_waits(model) ? AFT_PHASE_EVACUATE
                                                                              : AFT_PHASE_STEADY;
}

static AftPhase derive(const AftModel *model)
{
    if (aft_curator_works(model->curator, AFT_TASK_REBUILD)) {
        return AFT_PHASE_REBUILD;
    }
    if (count_pools(model).missing > 0) {
        return AFT_PHASE_FAILED;
    }
    if (aft_curator_works(model->curator, AFT_TASK_REBALANCE) ||
        (model->phase == AFT_PHASE_REBALANCE && still_owes(model))) {
        return AFT_PHASE_REBALANCE;
    }
    if (model->topology.n_down > 0 || owes_much(model) ||
        (model->phase == AFT_PHASE_CATCHUP && still_owes(model))) {
        return AFT_PHASE_CATCHUP;
    }
    return quiet_phase(model);
}

guint aft_phases_flags(const AftModel *model)
{
    Counts counts = count_pools(model);
    guint flags = 0;
    flags |= model->topology.n_unnoticed > 0 ? AFT_FLAG_STALL : 0;
    flags |= counts.lost > 0 || counts.harmed > 0 ? AFT_FLAG_LOSS : 0;
    flags |= model->topology.n_full > 0 ? AFT_FLAG_READ_ONLY : 0;
    flags |= owes_much(model) ? AFT_FLAG_OWED : 0;
    flags |= aft_destager_full(model->destager) > 0 ? AFT_FLAG_BUFFER_FULL : 0;
    flags |= aft_curator_lacks_room(model->curator) ? AFT_FLAG_NO_SPACE : 0;
    if (counts.missing > 0) {
        AftObstacles obstacles = {0};
        for (guint i = 0; i < model->pools->len; i++) {
            aft_pool_find_obstacles(model->pools->pdata[i], &obstacles);
        }
        flags |= obstacles.no_target ? AFT_FLAG_NO_TARGET : 0;
        flags |= obstacles.no_space ? AFT_FLAG_NO_SPACE : 0;
    }
    return flags;
}

static void tell_tasks(AftModel *model)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        guint works = aft_curator_works(model->curator, (AftTaskKind)task) ? 1 : 0;
        if (works != (model->working >> task & 1)) {
            model->working ^= 1u << task;
            guint n;
            g_autofree char *event =
                g_strdup_printf("%s-%s", aft_task_kinds(&n)[task].name, works ? "start" : "end");
            aft_model_tell(model, event, "cluster", "");
        }
    }
}

static void set_marks(AftModel *model)
{
    model->owed_low = (gint64)ceil(OWED_ENDS_S * model->rate_per_s);
    model->owed_high = (gint64)floor(OWED_BEGINS_S * model->rate_per_s);
}

/* Users who have caught up ask for less than before, though the phase may be the same: a rebuild
 * goes on while machines that were started elsewhere make good what they owed meanwhile. */
static void watch_backlog(AftModel *model)
{
    gboolean was_behind = model->behind;
    model->behind = was_behind ? still_owes(model) : owes_much(model);
    if (was_behind && !model->behind && model->watch.load_changed != NULL) {
        model->watch.load_changed(model->watch.context);
    }
}

void aft_phases_update(AftModel *model)
{
    set_marks(model);
    watch_backlog(model);
    tell_tasks(model);
    AftPhase phase = derive(model);
    if (phase != model->phase) {
        model->phase = phase;
        if (model->watch.phase_changed != NULL) {
            model->watch.phase_changed(model->watch.context);
        }
    }
}

void aft_phases_owed_changed(void *context)
{
    AftModel *model = context;
    gint64 owed = aft_phases_owed(model);
    watch_backlog(model);
    gboolean may_begin = model->phase > AFT_PHASE_CATCHUP && owed > model->owed_high;
    gboolean may_end = (model->phase == AFT_PHASE_CATCHUP || model->phase == AFT_PHASE_REBALANCE) &&
                       owed < model->owed_low;
    if (may_begin || may_end) {
        aft_phases_update(model);
    }
}
