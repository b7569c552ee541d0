/* SPDX-License-Identifier: GPL-3.0-or-later */
/* motion_parts.h - what a motion is made of: motion.c measures it, motion_carry.c carries a model
 * on by it. */
#pragma once

#include "curator_parts.h"
#include "pace_parts.h"

#include <aftershock/model/motion.h>

/* One machine: what it does, a second. */
typedef struct {
    double served, shed, grown;
    gboolean owes;       /* in that state */
    gboolean serves_all; /* that comes by its clock */
} AftMachine;

typedef struct {
    double bytes, time_s; /* of the time in which there was work */
} AftMotionLane;

typedef struct {
    double grown, destaged, warmed;
    double fill; /* of the state */
    int bin;     /* where it was when what moves began to be counted */
    guint kind;  /* of its node */
} AftMotionBuffer;

typedef struct {
    double written, read;
} AftMotionPool;

struct AftMotion {
    gint64 began_ns;
    guint n_vms, n_nodes, n_buffers, n_pools;
    AftMachine *vms;
    AftMotionLane *lanes[AFT_TASKS];
    double mean[AFT_TASKS];       /* bytes a second of a lane that works */
    double seen_bytes[AFT_TASKS]; /* that windows see of a transfer: a node is on one at a time */
    AftMotionBuffer *buffers;
    AftMotionPool *pools;
};

/** Machine @i of @model, counted on from workload to workload. */
static inline const AftVm *aft_motion_vm(const AftModel *model, guint i)
{
    guint client = 0;
    while (i >= model->clients[client].n_vms) {
        i -= model->clients[client++].n_vms;
    }
    return &model->clients[client].vms[i];
}
