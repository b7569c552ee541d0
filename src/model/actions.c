/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "actions.h"

#include "model_parts.h"

#include <aftershock/scenario/parts.h>

static void set_task(AftModel *model, const AftAction *action, gboolean running)
{
    aft_curator_set_task(model->curator, (AftTaskKind)action->target_index, running);
    aft_model_tell(model, running ? "start" : "stop", action->target, "");
}

static void set_maintenance(AftModel *model, gboolean on)
{
    aft_curator_set_maintenance(model->curator, on);
    aft_model_tell(model, on ? "maintenance-start" : "maintenance-end", "curator",
                   on ? "limits on background work are lifted" : "");
}

static void set_workload(AftModel *model, const AftAction *action, gboolean running)
{
    aft_clients_pause(&model->clients[action->target_index], !running);
    aft_model_tell(model, running ? "start" : "stop", action->target, "");
}

static void set(AftModel *model, const AftAction *action, gboolean running)
{
    switch (action->target_kind) {
    case AFT_TARGET_WORKLOAD:
        set_workload(model, action, running);
        break;
    case AFT_TARGET_TASK:
        set_task(model, action, running);
        break;
    case AFT_TARGET_MAINTENANCE:
        set_maintenance(model, running);
        break;
    }
    aft_model_changed(model);
}

void aft_action_start(AftModel *model, const AftAction *action)
{
    set(model, action, TRUE);
}

void aft_action_stop(AftModel *model, const AftAction *action)
{
    set(model, action, FALSE);
}

/* Nobody knows, so nothing works in another way. */
void aft_action_corrupt(AftModel *model, const AftAction *action)
{
    const AftPart *part = &action->part;
    guint32 device =
        aft_topology_find_device(&model->topology, part->node, part->group, part->device);
    g_autofree char *subject = aft_part_format(part);
    g_autofree char *detail = g_strdup_printf("%" G_GUINT64_FORMAT " sectors", action->sectors);
    aft_curator_corrupt(model->curator, device, action->sectors);
    aft_model_tell(model, "corrupt", subject, detail);
}
