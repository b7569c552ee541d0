/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model_parts.h"

#define PAUSE_NS 1000000000 /* between two times that buffers are told to be full, or not */

static guint full_level(const AftModel *model)
{
    guint full = aft_destager_full(model->destager);
    return full > 0 ? g_bit_storage(full) : 0;
}

/* Buffers that are hardly full become so and stop being so again and again: that is one way to go
 * on, and is told less and less often. */
static gboolean tells_again(const AftFullness *fullness, gint64 now_ns)
{
    gint64 since_first_ns = now_ns - fullness->first_ns, since_last_ns = now_ns - fullness->last_ns;
    return fullness->first_ns < 0 || since_last_ns > MAX(since_first_ns / 2, PAUSE_NS);
}

static void tell_full(AftModel *model, guint before)
{
    gboolean full = model->fullness.level > 0;
    if (full != (before > 0)) {
        aft_model_tell(model, full ? "buffers-full" : "buffers-free", "cluster",
                       full ? "writes wait for the destage" : "");
    }
}

/* Where writes begin to wait, all goes on in another way; where they already do in some places, as
 * many more make that difference. */
static void full_changed(void *context)
{
    AftModel *model = context;
    AftFullness *fullness = &model->fullness;
    gint64 now_ns = aft_engine_scenario_now(model->engine);
    guint before = fullness->level, level = full_level(model);
    if (level != before && tells_again(fullness, now_ns)) {
        fullness->level = level;
        fullness->turned = TRUE;
        fullness->last_ns = now_ns;
        fullness->first_ns = fullness->first_ns < 0 ? now_ns : fullness->first_ns;
        tell_full(model, before);
    }
}

void aft_fullness_start(AftModel *model)
{
    model->fullness = (AftFullness){.level = full_level(model), .first_ns = -1};
    aft_destager_watch(model->destager, full_changed, model);
}

gboolean aft_model_buffers_turned(AftModel *model)
{
    gboolean turned = model->fullness.turned;
    model->fullness.turned = FALSE;
    return turned;
}
