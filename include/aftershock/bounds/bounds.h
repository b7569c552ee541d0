/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.h - what a scenario can do at most, by arithmetic alone: operational analysis.
 *
 * Plans say which members an operation reads and writes. Averaged over all places of a stripe on
 * the nodes, and over which node is down, that gives visits, and visits times service times give
 * the demand D of an I/O on every kind of station, whatever order things happen in. With N I/Os
 * outstanding that take R0 when nobody waits, and Z of thinking between them,
 *
 *     utilisation = IOPS x D          IOPS <= min( 1 / Dmax,  N / (R0 + Z) )
 *
 * (Denning and Buzen 1978). No chance, no queues and no clock are involved, so simulation can come
 * close to these figures but not beyond.
 *
 *     AftBounds *bounds = aft_bounds_new(scenario);
 *     double most = bounds->workload[0].state[AFT_STATE_HEALTHY].iops;
 */
#pragma once

#include <aftershock/model/protection.h>

/** What the cluster is like. */
typedef enum { AFT_STATE_HEALTHY, AFT_STATE_NODE_DOWN, AFT_STATES } AftClusterState;

/** "healthy", "one node down". Returns: (transfer none). */
const char *aft_cluster_state_name(AftClusterState state);

/** What can be scarce: servers of stations, and what serves one at a time. */
typedef enum {
    AFT_SCARCE_CONTROLLER,
    AFT_SCARCE_NIC_OUT,
    AFT_SCARCE_NIC_IN,
    AFT_SCARCE_CACHE_ACCESS,
    AFT_SCARCE_CACHE_TRANSFER,
    AFT_SCARCE_CAPACITY_ACCESS,
    AFT_SCARCE_CAPACITY_TRANSFER,
    AFT_SCARCES
} AftScarce;

/** "controller", "capacity transfer". Returns: (transfer none). */
const char *aft_scarce_name(AftScarce scarce);

/** Whether the scenario's nodes have it. */
gboolean aft_scarce_exists(const AftScenario *scenario, AftScarce scarce);

/** Seconds for which an I/O, or a byte, keeps one station busy. A station with several servers
 *  that is held for t by one of them is busy for t / servers. */
typedef struct {
    double mean_s; /* over the live stations of the kind */
    double most_s; /* at the one that has most; the smallest, over which node is down */
} AftDemand;

/** One way an operation can go, and how often it does. */
typedef struct {
    double share;      /* of the operations of this kind and state, 0 to 1 */
    gboolean degraded; /* it also holds the coordinator's controller, to reconstruct */
    guint n_stages;
    guint reads[AFT_STAGES_MOST]; /* of each stage */
    guint writes[AFT_STAGES_MOST];
} AftCourse;

typedef struct {
    GArray *courses;      /* AftCourse, the most frequent first, then with fewer missing */
    double reads, writes; /* sub-operations, that is device I/Os, per operation */
    double degraded;      /* share of the operations */
    double response_s;    /* R0: without waiting, at least */

    /* Bytes per operation. */
    double controller_bytes;
    double network_bytes; /* sent from node to node */
    double cache_written_bytes;
    double capacity_read_bytes, capacity_written_bytes;
} AftOperationCost;

typedef enum { AFT_LIMIT_SCARCE, AFT_LIMIT_OUTSTANDING, AFT_LIMIT_BANDWIDTH } AftLimitKind;

/** What a workload can do in one state of the cluster, alone. */
typedef struct {
    gboolean possible;             /* FALSE: there is no data left to read; the rest is 0 then */
    double lost;                   /* share of the data that cannot be read in this state */
    AftOperationCost read;         /* of a block */
    AftOperationCost write;        /* of a block */
    double device_ios;             /* per client I/O, by the share of reads */
    double response_s;             /* R0, by the share of reads */
    AftDemand demand[AFT_SCARCES]; /* of a client I/O, by the share of reads */
    AftScarce bottleneck;          /* where most is demanded */
    double capacity_iops;          /* 1 / Dmax; INFINITY when nothing costs anything */
    double outstanding_iops;       /* N / (R0 + Z); INFINITY the same */
    double iops;                   /* the smaller of both: the bound */
    AftLimitKind limit;            /* which of both it is */
} AftWorkloadState;

typedef struct {
    const AftWorkloadSpec *spec; /* borrowed from the scenario, as is the pool */
    const AftPoolSpec *pool;
    guint units;        /* of a stripe that a block covers */
    guint32 step_bytes; /* of one sub-operation */
    guint outstanding;  /* N: what its machines can have in flight */
    double asked_iops;  /* 0: closed, as many as it gets */
    AftWorkloadState state[AFT_STATES];
} AftWorkloadBounds;

/** Making a lost node's members again elsewhere. */
typedef struct {
    gboolean possible;       /* there are enough members to make one again from */
    gboolean target;         /* there is a node that has no member of the stripe yet */
    double bytes;            /* to be written for one node: the mean over nodes */
    double read_per_byte;    /* device bytes read per byte written */
    double network_per_byte; /* bytes sent from node to node per byte written */
    double bytes_per_s;      /* written, at most, with nothing else going on */
    double duration_s;       /* bytes / bytes_per_s */
    AftLimitKind limit;      /* what bounds it */
    AftScarce bottleneck;    /* with AFT_LIMIT_SCARCE */
} AftRebuildBounds;

typedef struct {
    const AftPoolSpec *spec; /* borrowed */
    double protected_bytes;
    AftRebuildBounds rebuild; /* if this pool alone is rebuilt */
} AftPoolBounds;

/** All that is asked of the cluster, and its space. */
typedef struct {
    guint nodes; /* live ones */
    /* All open and paced workloads at their rates: the demand of a second, so above 1 it is too
     * much. Of several workloads the most of each is added up: none has more than that. */
    AftDemand utilisation[AFT_SCARCES];
    AftScarce bottleneck;
    guint cache_devices, capacity_devices;                /* there are */
    double cache_devices_needed, capacity_devices_needed; /* for the rates, at 100 % */
    double raw_bytes;                                     /* of capacity devices */
} AftClusterBounds;

typedef struct {
    const AftScenario *scenario; /* borrowed */
    AftWorkloadBounds *workload; /* as many as the scenario has */
    AftPoolBounds *pool;         /* the same */
    double asked_iops;           /* of all workloads */
    double logical_bytes, protected_bytes;
    gboolean fits; /* with one node down, what can be rebuilt elsewhere finds room for it */
    AftClusterBounds cluster[AFT_STATES]; /* one node down: nodes may be 0, the rest is 0 then */
} AftBounds;

/** Bounds for @scenario (resolved; borrowed). Returns: (transfer full). */
AftBounds *aft_bounds_new(const AftScenario *scenario);

void aft_bounds_free(AftBounds *bounds);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftBounds, aft_bounds_free)
