/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault_replay.h"

#include "model_parts.h"
#include "outage.h"

#include <aftershock/trace/failure_trace.h>

struct AftFaultReplay {
    AftModel *model;
    AftFailureTrace *trace; /* (nullable): it is over */
    AftFailureRow row;
    GError *error;
};

static void take_row(void *context, gint64 now_ns);

/* Whether the cluster has such a part, now or later. */
static gboolean exists(const AftModel *model, const AftPart *part)
{
    const AftTopology *topology = &model->topology;
    if (part->kind == AFT_PART_RACK) {
        return part->node < model->scenario->cluster.racks;
    }
    if (part->node >= topology->n_nodes) {
        return FALSE;
    }
    gboolean inside = part->kind == AFT_PART_DEVICE || part->kind == AFT_PART_CACHE ||
                      part->kind == AFT_PART_GROUP;
    return !inside ||
           aft_topology_find_device(topology, part->node, part->group, part->device) != AFT_NOWHERE;
}

static void stop(AftFaultReplay *replay)
{
    g_clear_pointer(&replay->trace, aft_failure_trace_free);
}

static void read_next(AftFaultReplay *replay)
{
    AftEngine *engine = replay->model->engine;
    if (!aft_failure_trace_next(replay->trace, &replay->row, &replay->error)) {
        stop(replay);
        return;
    }
    if (!exists(replay->model, &replay->row.part)) {
        aft_failure_trace_fail(replay->trace, &replay->error,
                               "subject: the cluster has no such part");
        stop(replay);
        return;
    }
    gint64 at_ns = MAX(replay->row.time_ns, aft_engine_scenario_now(engine));
    aft_engine_schedule_slow(engine, at_ns, take_row, replay);
}

static void take_row(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftFaultReplay *replay = context;
    AftFailureRow row = replay->row;
    read_next(replay);
    if (row.restore) {
        aft_outage_restore(replay->model, &row.part);
    } else if (aft_outage_find(replay->model, &row.part) == NULL) {
        aft_outage_begin(replay->model, &row.part, FALSE);
    }
    if (replay->error != NULL) {
        aft_model_changed(replay->model); /* whoever runs it looks */
    }
}

AftFaultReplay *aft_fault_replay_new(AftModel *model, const char *path)
{
    AftFaultReplay *replay = g_new0(AftFaultReplay, 1);
    replay->model = model;
    replay->trace = aft_failure_trace_open(path, &replay->error);
    if (replay->trace != NULL) {
        read_next(replay);
    }
    return replay;
}

void aft_fault_replay_free(AftFaultReplay *replay)
{
    if (replay != NULL) {
        aft_failure_trace_free(replay->trace);
        g_clear_error(&replay->error);
        g_free(replay);
    }
}

gboolean aft_fault_replay_waits(const AftFaultReplay *replay)
{
    return replay->trace != NULL;
}

const GError *aft_fault_replay_error(const AftFaultReplay *replay)
{
    return replay->error;
}
