/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What layout the chunks of each pool should have: by commands of the timeline, and by age. The
 * curator does the rest. */
#include "model_parts.h"

#include <aftershock/scenario/schemes.h>

/* Copies are on the way from any code to another. */
static void set_goal(const AftModel *model, AftPool *pool, guint layout, guint from_chunk)
{
    if (!pool->layouts[pool->goal].coded) {
        pool->via = pool->goal;
    }
    pool->goal = layout;
    pool->goal_from = from_chunk;
    aft_curator_goal_changed(model->curator, pool);
}

static gint64 delay_ns(const AftModel *model, const AftLayout *layout)
{
    return model->scenario->background.task[layout->coded ? AFT_TASK_ENCODE : AFT_TASK_CONVERT]
        .delay_ns;
}

static AftPool *pool_of(const AftPlanned *planned)
{
    return planned->model->pools->pdata[planned->action->pool_index];
}

static guint layout_of(const AftPlanned *planned)
{
    const AftPool *pool = pool_of(planned);
    return aft_layout_find(pool->layouts, pool->n_layouts, &planned->action->protection);
}

static void begin(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftPlanned *planned = context;
    planned->model->n_waiting--;
    set_goal(planned->model, pool_of(planned), layout_of(planned), 0);
    aft_model_changed(planned->model);
}

static void tell(const AftPlanned *planned)
{
    const AftPool *pool = pool_of(planned);
    g_autofree char *from = aft_scheme_format(&pool->layouts[pool->goal].spec);
    g_autofree char *to = aft_scheme_format(&planned->action->protection);
    g_autofree char *subject = g_strdup_printf("pool %s", pool->spec->name);
    g_autofree char *detail = g_strdup_printf("%s to %s", from, to);
    aft_model_tell(planned->model, "convert", subject, detail);
}

void aft_goals_convert(AftPlanned *planned)
{
    AftEngine *engine = planned->model->engine;
    const AftLayout *layout = &pool_of(planned)->layouts[layout_of(planned)];
    gint64 wait_ns = delay_ns(planned->model, layout);
    tell(planned);
    if (wait_ns > 0) {
        aft_engine_schedule_slow(engine, aft_engine_scenario_now(engine) + wait_ns, begin, planned);
    } else {
        begin(planned, aft_engine_now(engine));
    }
}

/* The first strip that clients write nothing of. */
static guint first_cold_chunk(const AftPool *pool)
{
    guint k = pool->strip_chunks;
    return (pool->hot_chunks + k - 1) / k * k;
}

static void is_old(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftAgeing *ageing = context;
    AftPool *pool = ageing->pool;
    ageing->due = 0;
    set_goal(ageing->model, pool,
             aft_layout_find(pool->layouts, pool->n_layouts, &pool->spec->encoded),
             first_cold_chunk(pool));
    aft_model_changed(ageing->model);
}

void aft_goals_plan(AftModel *model)
{
    for (guint i = 0; i < model->pools->len; i++) {
        AftPool *pool = model->pools->pdata[i];
        const AftProtectionSpec *encoded = &pool->spec->encoded;
        model->ageing[i] = (AftAgeing){.model = model, .pool = pool};
        if (aft_protection_width(encoded) > 0 && first_cold_chunk(pool) < pool->n_chunks) {
            gint64 wait_ns = model->scenario->background.task[AFT_TASK_ENCODE].delay_ns;
            model->ageing[i].due =
                aft_engine_schedule_slow(model->engine, pool->spec->protection.age_ns + wait_ns,
                                         is_old, &model->ageing[i]);
        }
    }
}
