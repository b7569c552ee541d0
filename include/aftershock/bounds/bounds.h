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
 * Writes that cache devices absorb have to be destaged, but not at once. So there are two bounds:
 * in a *burst*, while the write buffers have room, a client's I/O demands only what its own path
 * does; *sustained*, D has its destage too, as what comes into the buffers must go out.
 *
 *     AftBounds *bounds = aft_bounds_new(scenario);
 *     double most = bounds->workload[0].state[AFT_STATE_HEALTHY].sustained.iops;
 */
#pragma once

#include <aftershock/model/protection.h>

/** What the cluster is like. Of unlike nodes, the one that is down is the first of those with the
 *  most capacity. */
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
    guint units;       /* of a stripe that it covers */
    guint n_stages;
    guint reads[AFT_STAGES_MOST]; /* of members, in each stage */
    guint writes[AFT_STAGES_MOST];
    guint cache_reads;  /* in the first stage as well: what a destage takes from a cache */
    guint cache_writes; /* the same: the logs that a write goes to instead of members */
} AftCourse;

typedef struct {
    GArray *courses;      /* AftCourse, the most frequent first, then with fewer missing */
    double bytes;         /* that the operation itself reads or writes, mean */
    double reads, writes; /* sub-operations, that is device I/Os, per operation */
    double map_ios;       /* device I/Os for the map of data services, beside those */
    double hits;          /* share of the reads that cache devices serve */
    double degraded;      /* share of the operations */
    double updates;       /* share that update parity: of writes, those that read before */
    double held_s;        /* for how long one holds a place for updates, mean, without waiting */
    double response_s;    /* R0: without waiting, at least */

    /* Bytes per operation; of devices with those of the map. */
    double controller_bytes;
    double network_bytes; /* sent from node to node */
    double cache_read_bytes, cache_written_bytes;
    double capacity_read_bytes, capacity_written_bytes;
} AftOperationCost;

typedef enum {
    AFT_LIMIT_SCARCE,
    AFT_LIMIT_OUTSTANDING,
    AFT_LIMIT_BANDWIDTH,
    AFT_LIMIT_DESTAGE,   /* what is destaged at once: tiers.in_flight */
    AFT_LIMIT_SCHEDULER, /* what the scheduler lets its class have of a station */
    AFT_LIMIT_UPDATES    /* of parity, at once: data.protection.updates */
} AftLimitKind;

/** Carrying on to capacity devices what writes have left in the buffers of caches. */
typedef struct {
    double per_write;      /* destages per client write; 0: writes leave nothing, the rest is 0 */
    double bytes;          /* of a buffer that one frees, mean */
    double units;          /* of a stripe that one covers, mean */
    AftOperationCost cost; /* of one; NULL courses without any */
    double bytes_per_s;    /* from all buffers, at most, with nothing else going on */
    AftLimitKind limit;    /* what bounds that */
    AftScarce bottleneck;  /* with AFT_LIMIT_SCARCE */
} AftDestageCost;

/** How many I/Os a second a workload can do, alone. */
typedef struct {
    AftScarce bottleneck;    /* where most is demanded */
    double capacity_iops;    /* 1 / Dmax; INFINITY when nothing costs anything. Of closed machines
                                that are unlike, the most when those that wait less do more */
    double outstanding_iops; /* N / (R0 + Z); INFINITY the same */
    double destage_iops;     /* what so many destages at once keep up with; INFINITY: any */
    double updates_iops;     /* what so many updates at once allow all machines; INFINITY: any */
    double iops;             /* the smallest of them: the bound */
    AftLimitKind limit;      /* which of them it is */
} AftThroughput;

/** How long write buffers last. */
typedef struct {
    double bytes;       /* of all on live nodes; 0: there are none, the rest is 0 too */
    double room_bytes;  /* of those, free at the start */
    double overwritten; /* share of writes that meet what is dirty, and add nothing */
    double iops;        /* I/Os a second that fill them: those asked for, or of a burst */
    double inflow;      /* bytes a second then */
    double outflow;     /* destaged at most meanwhile, bytes a second */
    double fill_s;      /* until they are full; INFINITY: the destage keeps up */
} AftBufferBounds;

/** What a workload can do in one state of the cluster, alone.
 *
 *  What is dirty and warm in caches decides what they serve and what writes add to them. All this
 *  is for the fill that buffers start with, at which a destage that keeps up holds them; only
 *  `full` is for full ones, which serve and save most. So at no fill is more sustained than the
 *  larger of both bounds, unless caches themselves are scarce. */
typedef struct {
    gboolean told;          /* FALSE: a node may hold several members of a stripe, or none is
                               left to run its machines; the rest is 0 then */
    gboolean possible;      /* FALSE: there is no data left to read; the rest is 0 then */
    double lost;            /* share of the data that cannot be read in this state */
    AftOperationCost read;  /* of a block, the mean over those of a mix */
    AftOperationCost write; /* the same, until it is acknowledged */
    AftDestageCost destage;
    double device_ios;             /* per client I/O, by the share of reads; destage apart */
    double response_s;             /* R0, by the share of reads */
    AftDemand own[AFT_SCARCES];    /* of a client I/O's own path, by the share of reads */
    AftDemand demand[AFT_SCARCES]; /* with its destage */
    double own_iops, demand_iops;  /* that parts allow by those, the capacity_iops of these: */
    AftThroughput burst;           /* while buffers have room */
    AftThroughput sustained;
    AftThroughput full; /* the same with full buffers */
    AftBufferBounds buffer;
} AftWorkloadState;

/** I/Os of one size. */
typedef struct {
    const AftBlockSpec *spec; /* borrowed from the scenario */
    guint units;              /* of a stripe that a block covers */
    guint32 step_bytes;       /* of one sub-operation */
} AftBlockBounds;

typedef struct {
    const AftWorkloadSpec *spec; /* borrowed from the scenario, as is the pool */
    const AftPoolSpec *pool;
    AftBlockBounds *block; /* as many as the workload has in its mix */
    guint outstanding;     /* N: what its machines can have in flight */
    double asked_iops;     /* 0: closed, as many as it gets */
    double most_iops;      /* the same, in a burst at the busiest time of day */
    AftWorkloadState state[AFT_STATES];
} AftWorkloadBounds;

/** How fast background work can go with nothing else going on. Of what it writes into buffers,
 *  only what they have no room for has to be destaged within its time. */
typedef struct {
    double bytes_per_s;   /* written, at most; INFINITY when nothing costs anything */
    double duration_s;    /* at least */
    AftLimitKind limit;   /* what bounds it */
    AftScarce bottleneck; /* with AFT_LIMIT_SCARCE */
} AftPace;

/** Making a lost node's members again elsewhere. */
typedef struct {
    gboolean told;           /* FALSE: a node may hold several members of a stripe; no pace then */
    gboolean possible;       /* there are enough members to make one again from */
    gboolean target;         /* there is a node that has no member of the stripe yet */
    double bytes;            /* to be written for the node that is down */
    double read_per_byte;    /* bytes of members read per byte written */
    double network_per_byte; /* bytes sent from node to node per byte written */
    AftPace pace;            /* 0 without a target */
} AftRebuildBounds;

/** Losing one capacity device, and what goes with it. */
typedef struct {
    AftFailureDomain domain; /* what goes with it */
    double bytes;            /* of members, to be made again: where devices are largest */
    AftPace pace;            /* of that, if it is possible at all */
} AftDeviceLoss;

/** Bringing a pool under another protection: what a conversion does, or the encoding of data that
 *  is no longer written. */
typedef struct {
    const AftPoolSpec *pool; /* borrowed, as are the next */
    const AftAction *action; /* (nullable): NULL: of all data, once it is old */
    AftTaskKind task;        /* that does it */
    const AftProtectionSpec *from, *to;
    double read_bytes, written_bytes;   /* of members */
    double network_bytes;               /* sent from node to node */
    double stored_before, stored_after; /* bytes on devices, with protection and services */
    AftPace pace;                       /* 0 when nothing is written */
} AftConversionBounds;

typedef struct {
    const AftPoolSpec *spec;  /* borrowed */
    double protected_bytes;   /* with copies and parity */
    double stored_bytes;      /* of those, what data services leave */
    AftRebuildBounds rebuild; /* if this pool alone is rebuilt */
    AftDeviceLoss device;     /* the same for a device; 0 when there is none */
} AftPoolBounds;

/** All that is asked of the cluster, and its space. */
typedef struct {
    guint nodes;   /* live ones */
    gboolean told; /* FALSE: some workload's figures are not told, so what rests on all is not */
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
    GArray *conversions;         /* AftConversionBounds, of pools, then of the timeline */
    double asked_iops;           /* of all workloads */
    double logical_bytes, protected_bytes, stored_bytes;
    double saved_bytes; /* against two copies of all: may be negative */
    gboolean unlike; /* nodes, or their shares of the data, are not all alike: members are counted
                        where they are placed, but data and parity, and what a rebuild writes,
                        are taken to spread alike, which they do only nearly */
    gboolean fits;   /* with one node down, what can be rebuilt elsewhere finds room for it */
    AftClusterBounds cluster[AFT_STATES]; /* one node down: nodes may be 0, the rest is 0 then */
} AftBounds;

/** Bounds for @scenario (resolved; borrowed). Returns: (transfer full). */
AftBounds *aft_bounds_new(const AftScenario *scenario);

void aft_bounds_free(AftBounds *bounds);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftBounds, aft_bounds_free)
