/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pace_parts.h"
#include "sectors.h"

#define USUAL_PRECISION 0.02
#define COARSEST        5.0 /* times as coarse as usual */

static guint count_vms(const AftModel *model)
{
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        n += model->clients[i].n_vms;
    }
    return n;
}

AftPace *aft_pace_new(AftModel *model)
{
    AftPace *pace = g_new0(AftPace, 1);
    pace->model = model;
    pace->n_vms = count_vms(model);
    pace->vms = g_new0(AftVmPace, pace->n_vms);
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++) {
            pace->vms[n++].vm = &model->clients[i].vms[vm];
        }
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        pace->task[task].lanes = g_new0(AftLanePace, model->topology.n_nodes);
    }
    pace->buffers = g_new0(AftBufferPace, model->topology.n_buffers);
    pace->written_before = g_new0(double, model->pools->len);
    pace->written_per_s = g_new0(double, model->pools->len);
    pace->read_before = g_new0(double, model->pools->len);
    pace->read_per_s = g_new0(double, model->pools->len);
    aft_pace_forget(pace);
    return pace;
}

void aft_pace_free(AftPace *pace)
{
    if (pace == NULL) {
        return;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        g_free(pace->task[task].lanes);
    }
    g_free(pace->vms);
    g_free(pace->buffers);
    g_free(pace->written_before);
    g_free(pace->written_per_s);
    g_free(pace->read_before);
    g_free(pace->read_per_s);
    g_free(pace);
}

double aft_pace_coarser(const AftPace *pace)
{
    return CLAMP(pace->model->scenario->run.precision / USUAL_PRECISION, 1.0, COARSEST);
}

void aft_pace_forget(AftPace *pace)
{
    pace->known = FALSE;
    pace->working = pace->model->working;
    aft_pace_forget_clients(pace);
    aft_pace_forget_tasks(pace);
    aft_pace_forget_tiers(pace);
}

/* A task that begins or ends changes what is left for all others. */
static gboolean forget_if_other_tasks_work(AftPace *pace)
{
    gboolean others = pace->working != pace->model->working;
    if (others) {
        aft_pace_forget(pace);
    }
    return others;
}

void aft_pace_begin(AftPace *pace)
{
    forget_if_other_tasks_work(pace);
    pace->began_ns = aft_engine_scenario_now(pace->model->engine);
    aft_pace_begin_clients(pace);
    aft_pace_begin_tasks(pace);
    aft_pace_begin_tiers(pace);
    for (guint i = 0; i < pace->model->pools->len; i++) {
        const AftPool *pool = pace->model->pools->pdata[i];
        pace->written_before[i] = pool->written_bytes;
        pace->read_before[i] = pool->read_bytes;
    }
}

void aft_pace_end(AftPace *pace)
{
    gint64 now_ns = aft_engine_scenario_now(pace->model->engine);
    pace->length_ns = now_ns - pace->began_ns;
    g_assert(pace->length_ns > 0);
    double length_s = (double)pace->length_ns / 1e9;
    if (forget_if_other_tasks_work(pace)) {
        return;
    }
    pace->known = TRUE;
    aft_pace_end_clients(pace, length_s);
    aft_pace_end_tasks(pace, length_s);
    aft_pace_end_tiers(pace, length_s);
    for (guint i = 0; i < pace->model->pools->len; i++) {
        const AftPool *pool = pace->model->pools->pdata[i];
        pace->written_per_s[i] = (pool->written_bytes - pace->written_before[i]) / length_s;
        pace->read_per_s[i] = (pool->read_bytes - pace->read_before[i]) / length_s;
    }
}

static gint64 to_ns(double time_s)
{
    return time_s < 9e9 ? (gint64)(time_s * 1e9) : G_MAXINT64;
}

gint64 aft_pace_limit_ns(const AftPace *pace)
{
    double work_s = MIN(aft_pace_clients_limit_s(pace), aft_pace_tasks_limit_s(pace));
    return pace->known ? to_ns(MIN(work_s, aft_pace_tiers_limit_s(pace))) : 0;
}

gint64 aft_pace_remaining_ns(const AftPace *pace)
{
    double tasks_s = aft_pace_tasks_remaining_s(pace);
    double remaining_s = tasks_s > 0.0 ? tasks_s : aft_pace_clients_remaining_s(pace);
    return remaining_s > 0.0 ? to_ns(remaining_s) : G_MAXINT64;
}

double aft_pace_doubt(const AftPace *pace)
{
    return MAX(aft_pace_tasks_doubt(pace), aft_pace_tiers_doubt(pace));
}

/* What clients do to a pool besides being served. */
static void advance_pool(AftPool *pool, double written_bytes, double read_bytes)
{
    pool->written_bytes += written_bytes;
    pool->read_bytes += read_bytes;
    aft_sectors_skip(pool->sectors, written_bytes, read_bytes);
}

void aft_pace_skip(AftPace *pace, gint64 by_ns)
{
    AftModel *model = pace->model;
    gint64 from_ns = aft_engine_scenario_now(model->engine);
    double by_s = (double)by_ns / 1e9;
    for (guint i = 0; i < model->pools->len; i++) {
        advance_pool(model->pools->pdata[i], pace->written_per_s[i] * by_s,
                     pace->read_per_s[i] * by_s);
    }
    aft_pace_advance_clients(pace, from_ns, by_ns);
    aft_engine_skip(model->engine, by_ns);
    aft_curator_catch_up(model->curator);
    aft_pace_advance_tasks(pace, from_ns, by_ns);
    aft_pace_advance_tiers(pace, from_ns, by_ns);
    aft_curator_pump(model->curator);
    aft_destager_pump_all(model->destager);
    aft_phases_update(model);
}
