/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/run/observer.h>

#include "walk.h"

void aft_run_observe(const AftWalk *walk, AftObservation *ret_seen)
{
    gint64 now_ns = aft_engine_scenario_now(walk->engine);
    AftGlance glance = aft_probe_glance(walk->probe);
    *ret_seen = (AftObservation){
        .phase = walk->phase,
        .scenario_s = (double)now_ns / 1e9,
        .done = (double)now_ns / (double)walk->scenario->run.duration_ns,
        .iops = glance.iops,
        .read_mean_ms = glance.read_mean_ms,
        .write_mean_ms = glance.write_mean_ms,
        .owed_ios = (double)aft_model_moment(walk->model).owed,
        .trace = walk->result->trace,
    };
    for (guint task = 0; task < AFT_TASKS; task++) {
        AftTaskKind kind = (AftTaskKind)task;
        ret_seen->moved_bytes[task] = aft_model_moved_bytes(walk->model, kind);
        ret_seen->waiting_bytes[task] = aft_model_waiting_bytes(walk->model, kind);
    }
}
