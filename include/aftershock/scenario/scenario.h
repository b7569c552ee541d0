/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenario.h - the experiment as plain, validated values.
 *
 * A scenario says what the cluster is, what its users do, what breaks and when, and how long to
 * watch. It holds no behaviour: the model reads these values and never changes them. Every value
 * has one row in the key table (keys.h) with its path, unit, range, default and help; YAML, --set,
 * the schema and the manual all go through that table.
 *
 * Times are int64 nanoseconds, sizes bytes, rates per second, shares 0 to 1. Zero-based indices.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/random/spread.h>

#include <glib.h>

AFT_BEGIN_DECLS

typedef struct {
    char *name;               /* "sata-ssd" */
    gint64 read_ns;           /* mean access time of a read, apart from its transfer */
    gint64 write_ns;          /* the same of a write */
    AftSpread spread;         /* of the access times */
    guint parallel;           /* accesses in progress at once, 1 or more */
    double read_bytes_per_s;  /* transfers share this: one at a time; 0: a transfer takes none */
    double write_bytes_per_s; /* the same of writes */
    double sequential; /* share of the access time of what follows the one before; 1: all of it */
    guint64 size_bytes;
    double afr;   /* annual failure rate, share of devices a year */
    double price; /* of one, in whatever money; no run looks at it */
} AftDeviceProfile;

typedef struct {
    char *device; /* (nullable): name of a profile; NULL: there are none of these */
    guint count;
    guint64 size_bytes;              /* of one; the profile's unless said otherwise */
    const AftDeviceProfile *profile; /* set by aft_scenario_resolve() */
} AftDiskSpec;

typedef struct {
    guint count;       /* groups like this one in each node */
    AftDiskSpec cache; /* count 0: a flat group, every device serves */
    AftDiskSpec capacity;
} AftDiskGroupSpec;

typedef struct {
    guint slots;            /* 0: no controller, its work costs nothing */
    gint64 io_ns;           /* mean service time of one sub-operation */
    gint64 per_mib_ns;      /* added to the mean per MiB */
    gint64 request_ns;      /* mean service time of a client operation at its coordinator */
    gint64 read_latency_ns; /* pure delay per sub-operation: occupies nothing */
    gint64 write_latency_ns;
    AftSpread spread; /* of the service time */
} AftControllerSpec;

typedef struct {
    AftControllerSpec controller;
    double nic_bytes_per_s;        /* each direction; 0: no NIC, transfers cost nothing */
    AftDiskGroupSpec *disk_groups; /* none: it holds no data */
    guint n_disk_groups;
    guint compute; /* whether virtual machines may run here */
    double price;  /* without its devices, in whatever money; no run looks at it */
} AftNodeSpec;

#define AFT_RACK_ALL G_MAXUINT

/** Nodes that are alike, of a mixed cluster. */
typedef struct {
    guint nodes;
    AftNodeSpec node;
    guint rack; /* that all of them are in; AFT_RACK_ALL: they are in all racks, in blocks */
} AftNodeGroupSpec;

/** One node: where it is, and what it is made of. */
typedef struct {
    const AftNodeSpec *spec; /* borrowed from the scenario */
    guint rack;
    gboolean later; /* it is not there at the start: the timeline adds it */
} AftSite;

typedef struct {
    guint nodes;              /* at the start; of a mixed cluster set by aft_scenario_resolve() */
    AftNodeSpec node;         /* what they are made of, unless there are groups */
    AftNodeGroupSpec *groups; /* none or more, in the order in which nodes are counted */
    guint n_groups;
    guint racks;      /* 1 or more; nodes are in them in blocks, as even as whole numbers allow */
    gint64 detect_ns; /* from a failure until the cluster knows */
    double full;      /* background work places nothing on a device above this share; writes to
                         one wait */

    /* Set by aft_scenario_resolve(). */
    AftSite *sites; /* every node there ever is: those of the start, then those that are added */
    guint n_sites;
} AftClusterSpec;

#define AFT_WIDTH_MOST 32 /* members of a stripe, data and parity */

/** What a conversion from copies to a stripe of data and parity writes. */
typedef enum {
    AFT_REWRITE_PARITY, /* the parity alone: one copy of each data unit stays where it is */
    AFT_REWRITE_STRIP   /* all of the new stripe */
} AftRewrite;

typedef enum {
    AFT_SCHEME_NONE,
    AFT_SCHEME_REPLICATION,
    AFT_SCHEME_PARITY,
    AFT_SCHEME_LRC,
    AFT_SCHEME_ENCODE_LATER /* of a pool's protection as written only: it has no plans of its own */
} AftSchemeKind;

typedef struct {
    char *scheme;       /* as written: "raid5" */
    AftSchemeKind kind; /* what it means */
    guint data;         /* k: data units of a stripe; 1 under replication */
    guint local;        /* l: parity units for k / l data units each, of "lrc"; else 0 */
    guint parity;       /* m: (other) parity units, or copies beyond the first */
    guint copies;       /* of "replication", parity + 1; of "rf-then-encode"; else 0 */
    gint64 degraded_ns; /* mean extra controller time per degraded client operation */
    guint updates;      /* of parity, that a machine has in progress at once; 0: any number */
    gint64 update_ns;   /* mean controller time of each, at its coordinator */
    guint64 stripe_unit_bytes; /* contiguous bytes of one member */
    AftRewrite rewrite;        /* when data that was replicated comes under this code */
    gint64 age_ns;             /* of "rf-then-encode": data not written for so long is encoded */
} AftProtectionSpec;

/** Services that change what is stored of the data, in the order they are applied. */
typedef enum { AFT_SERVICE_DEDUPE, AFT_SERVICE_COMPRESSION, AFT_SERVICES } AftServiceKind;

typedef enum {
    AFT_WHEN_INLINE, /* before a write is acknowledged */
    AFT_WHEN_DESTAGE /* on the way from the cache to capacity */
} AftServiceWhen;

/** What is lost with one capacity device. */
typedef enum { AFT_FAILURE_DEVICE, AFT_FAILURE_GROUP } AftFailureDomain;

/** What a service costs and saves. Reads pay it always; writes pay it inline, or their destage
 *  does. Times are means. */
typedef struct {
    guint enabled;
    AftServiceWhen when;
    gint64 read_delay_ns;  /* pure delay of each sub-operation that reads for a client */
    gint64 write_delay_ns; /* the same of writes */
    gint64 io_ns;      /* controller time of a client operation, at its coordinator; of a destage */
    gint64 per_mib_ns; /* added per MiB */
    gint64 degraded_ns;       /* controller time that a degraded operation takes more */
    double metadata_reads;    /* I/Os of AFT_METADATA_BYTES on the device, for each it is read */
    double metadata_writes;   /* for each time it is written */
    double background_factor; /* on the controller time of background units */
    double move_factor;       /* the same of those that only move; 0: background_factor */
    double ratio;             /* bytes stored per byte */
    AftFailureDomain failure_domain;
} AftServiceSpec;

#define AFT_METADATA_BYTES 4096

/** What the members of a group never share. */
typedef enum { AFT_DOMAIN_DEVICE, AFT_DOMAIN_NODE, AFT_DOMAIN_RACK } AftDomain;

typedef struct {
    char *name;            /* "data" when there is one pool without a name */
    guint64 logical_bytes; /* what clients stored, before protection */
    guint placement_groups;
    AftDomain domain;
    AftProtectionSpec protection;
    AftServiceSpec services[AFT_SERVICES];

    /* Set by aft_scenario_resolve(). */
    AftProtectionSpec initial; /* what its groups begin as: the protection, or its copies */
    AftProtectionSpec encoded; /* what they come to when write-cold; width 0: they stay */
} AftPoolSpec;

typedef enum {
    AFT_PARITY_FRONT,  /* a write is acknowledged when all of its plan is in caches */
    AFT_PARITY_DESTAGE /* when it is in two logs; the plan is carried out by the destage */
} AftTierParity;

/** How cache devices absorb writes and serve reads. */
typedef struct {
    AftTierParity parity;
    double low, high; /* fill, share of the buffer: destage above low, most delay from high */
    double begin;     /* fill at which destage begins, to go on down to low; low unless said */
    guint priority;   /* 1 to 3: of the class that destages go in; 0: they have one of their own */
    gint64 delay_max_ns;  /* of a client's write at high; 0: none */
    guint64 unit_bytes;   /* of one destage */
    guint in_flight;      /* units, per cache device */
    double read_share;    /* of each cache device, for what has been read; the rest is buffer */
    guint64 buffer_bytes; /* of each cache device, at most; 0: no limit */
    double start;         /* fill at the start; low unless said otherwise */
} AftTierSpec;

typedef enum {
    AFT_WORKLOAD_CLOSED,
    AFT_WORKLOAD_OPEN,
    AFT_WORKLOAD_PACED,
    AFT_WORKLOAD_TRACE
} AftWorkloadKind;
typedef enum { AFT_TRACE_AUTO, AFT_TRACE_MSR, AFT_TRACE_ALIBABA } AftTraceFormat;
typedef enum { AFT_PACING_POISSON, AFT_PACING_EVEN } AftPacing;
typedef enum { AFT_ACCESS_RANDOM, AFT_ACCESS_SEQUENTIAL } AftAccessKind;
typedef enum { AFT_SKEW_UNIFORM, AFT_SKEW_ZIPF } AftSkewKind;

/** One size that I/Os of a workload have. */
typedef struct {
    guint64 block_bytes;
    double share;      /* of the workload's I/Os */
    double read_share; /* of those; the workload's unless said otherwise */
} AftBlockSpec;

/** Times at which more arrives. */
typedef struct {
    double factor;  /* the rate then over that between them; 0: there are none */
    double share;   /* of the time */
    gint64 mean_ns; /* that one lasts, exponential */
} AftBurstSpec;

typedef struct {
    char *name;
    AftWorkloadKind kind;
    char *pool;       /* (nullable): the first pool */
    guint pool_index; /* set by aft_scenario_resolve() */
    guint vms;
    char *on;        /* selector text: "all", "0", "1,3", "2:5", "-1" */
    guint *on_nodes; /* what it selects, ascending; set by aft_scenario_resolve() */
    guint n_on_nodes;
    double rate_per_s; /* total over the VMs; open and paced */
    AftPacing pacing;
    AftBurstSpec burst;
    double *day; /* rates of equal parts of a day against one another; none: always the same */
    guint n_day;
    gint64 day_start_ns; /* time of day at the start */
    guint outstanding;   /* total over the VMs; the limit is per VM */
    gint64 think_ns;     /* mean pause of a closed slot, exponential */
    double read_share;
    guint64 block_bytes;
    AftBlockSpec *blocks; /* a mix of sizes instead of that one; none or more */
    guint n_blocks;
    guint64 working_set_bytes; /* of the pool, that it reads and writes; 0: all */
    AftAccessKind access;
    guint streams;         /* of a VM, that are sequential each */
    AftSkewKind skew;      /* of I/Os over chunks of that */
    double theta;          /* exponent of zipf */
    double locality;       /* share of I/Os that go to data on the VM's own node */
    char *file;            /* (nullable): path of the trace that is replayed */
    AftTraceFormat format; /* of that */
    double speed;          /* its times are divided by this */
    guint repeat;          /* when it is over it begins again */
    gint64 owed_limit_ns;  /* owed work is at most rate x this; G_MAXINT64: unlimited */
    gint64 restart_ns;     /* from a host's death until its VMs run elsewhere */
    gint64 return_ns;      /* from the host's return until its VMs are home again */

    /* Set by aft_scenario_resolve(). */
    AftBlockSpec *mix; /* the blocks, or the one block alone */
    guint n_mix;
    double mean_read_share; /* of all I/Os */
} AftWorkloadSpec;

/** Classes of work that schedulers at stations tell apart, in order of their urgency. */
typedef enum {
    AFT_CLASS_CLIENT,
    AFT_CLASS_DESTAGE,
    AFT_CLASS_P1,
    AFT_CLASS_P2,
    AFT_CLASS_P3,
    AFT_CLASSES
} AftClass;

typedef struct {
    char *kind;                  /* as written: the name of a policy, or of a preset of one */
    const char *policy;          /* "mclock": what stations know; set by aft_scenario_resolve() */
    double weights[AFT_CLASSES]; /* above 0; only their ratios matter */
    double reservations[AFT_CLASSES];   /* shares of a station, at most 1 in all */
    double limits[AFT_CLASSES];         /* shares of a station, above 0; infinity: none */
    gint64 cost_io_ns, cost_per_mib_ns; /* what an operation counts as; both 0: what it takes */
    gboolean devices;       /* that it is at devices too, and not at controllers alone */
    double spin;            /* share of a controller's slots that waits with who is held */
    gint64 high_ns, low_ns; /* marks of mean latency of client I/O */
    double step, least;     /* of the share of background classes */
    gint64 period_ns;       /* between two looks at the latency */
} AftSchedulerSpec;

/** What lets background work of a kind begin. */
typedef enum {
    AFT_TRIGGER_IMMEDIATE, /* what causes it */
    AFT_TRIGGER_SCAN,      /* the next scan that passes it, full or partial */
    AFT_TRIGGER_FULL       /* the next full scan that passes it */
} AftTrigger;

typedef struct {
    guint priority;           /* 1 to 3: the class it runs in is P1 to P3 */
    AftTrigger trigger;       /* always immediate for a rebuild */
    gint64 delay_ns;          /* from what causes the task until it may start; 0: an evacuation */
    guint64 unit_bytes;       /* one unit of work; the last of a group may be smaller */
    guint in_flight_per_node; /* units, counted at the node that is written */
    guint groups_per_node;    /* groups worked on at once there; 0: one, all units for it; of a
                                 conversion, as many as units */
    double bytes_per_s;       /* cap on the cluster's rate of written bytes; 0: none */
} AftTaskSpec;

typedef enum {
    AFT_TASK_REBUILD,
    AFT_TASK_REBALANCE,
    AFT_TASK_EVACUATE,
    AFT_TASK_CONVERT,
    AFT_TASK_ENCODE,
    AFT_TASK_SCRUB,
    AFT_TASKS
} AftTaskKind;

/** Scans in which the curator looks for work. A full one passes every group, in `length`; a partial
 *  one, in as much less time as it passes fewer groups, those that changed since the last scan. */
typedef struct {
    gint64 full_ns;    /* from one start to the next; G_MAXINT64: never */
    gint64 partial_ns; /* the same of partial scans; those that meet a full one are left out */
    gint64 length_ns;
} AftScanSpec;

/** While it is on, caps on bandwidth do not hold, and nodes have more units in flight. */
typedef struct {
    guint enabled; /* at the start; the timeline starts and stops it */
    guint in_flight_per_node;
} AftMaintenanceModeSpec;

typedef struct {
    AftSchedulerSpec scheduler;
    AftScanSpec scan;
    AftMaintenanceModeSpec maintenance;
    gint64 device_delay_ns; /* from the death of a device or cache until a rebuild may start: it
                               will not come back with its data */
    gint64 scrub_every_ns;  /* from the start of one pass over all data to the next; G_MAXINT64:
                               never */
    AftTaskSpec task[AFT_TASKS];
} AftBackgroundSpec;

/** Parts of a cluster that can fail. Those that hold data themselves, a capacity device or a cache
 *  device, come back empty; the others come back with what is behind them. */
typedef enum {
    AFT_PART_NODE,
    AFT_PART_CONTROLLER, /* the node's storage; its virtual machines stay, and work remotely */
    AFT_PART_DEVICE,     /* capacity device `device` of disk group `group`, counted from 0 */
    AFT_PART_CACHE,      /* all cache devices of a disk group: its devices are lost with them */
    AFT_PART_GROUP,      /* a disk group: what connects it */
    AFT_PART_RACK,
    AFT_PART_LINK, /* the network of one node */
    AFT_PARTS
} AftPartKind;

typedef struct {
    AftPartKind kind;
    guint node; /* of a rack, its number */
    guint group, device;
} AftPart;

typedef enum {
    AFT_ACTION_NONE,
    AFT_ACTION_FAIL,
    AFT_ACTION_RESTORE,
    AFT_ACTION_SLOW,    /* `part` (device, link, rack: its nodes' links) by `factor` for `for` */
    AFT_ACTION_CORRUPT, /* `sectors` of a device cannot be read, and nobody knows yet */
    AFT_ACTION_MAINTENANCE, /* node `part` goes down for `for`, as `mode` says */
    AFT_ACTION_UPGRADE,     /* all nodes do, one after another, for `for` each, data accessible */
    AFT_ACTION_ADD,         /* `nodes` more nodes */
    AFT_ACTION_START,       /* the workload, task or mode `target` */
    AFT_ACTION_STOP,
    AFT_ACTION_CONVERT
} AftActionKind;

typedef enum {
    AFT_MAINTENANCE_ACCESSIBLE, /* only what could not be read otherwise moves away first */
    AFT_MAINTENANCE_EVACUATE    /* all data moves away first */
} AftMaintenanceMode;

typedef enum { AFT_TARGET_WORKLOAD, AFT_TARGET_TASK, AFT_TARGET_MAINTENANCE } AftTargetKind;

typedef struct {
    gint64 at_ns;
    AftActionKind kind;
    AftPart part;
    double factor;   /* times as long services take, of slow */
    gint64 for_ns;   /* of slow, maintenance, and each node of an upgrade */
    guint64 sectors; /* of corrupt */
    AftMaintenanceMode mode;
    guint nodes;                  /* of add */
    guint first_node;             /* of them; set by aft_scenario_resolve() */
    char *target;                 /* of start and stop, as written */
    AftTargetKind target_kind;    /* set by aft_scenario_resolve(), as is the next */
    guint target_index;           /* workload, or AftTaskKind */
    char *pool;                   /* (nullable): of a conversion; the first pool */
    guint pool_index;             /* set by aft_scenario_resolve() */
    AftProtectionSpec protection; /* what it converts to; what is not written has its default */
    guint index; /* its place in the timeline as written; set by aft_scenario_resolve() */
} AftAction;

/** Failures that are drawn: each part of one kind lives for a while, is down for a while, and so
 * on. Or those that a file tells of. */
typedef struct {
    AftPartKind part; /* node, controller, device, cache, group or rack */
    char *on;         /* selector of nodes, or racks */
    guint *on_nodes;  /* what it selects, ascending; set by aft_scenario_resolve() */
    guint n_on_nodes;
    gint64 every_ns;  /* mean life of one part; 0: of a device, from its profile's afr */
    AftSpread life;   /* of its lives */
    gint64 repair_ns; /* mean time it is down */
    AftSpread repair;
    double burst_share;     /* of failures that come with others, 0 to 1 */
    double burst_size;      /* mean number of those others, 1 or more */
    gint64 burst_within_ns; /* of the first */
    char *trace;            /* (nullable): a file that tells what fails and returns when */
} AftFaultSpec;

typedef struct {
    double iops;    /* 0: not required */
    gint64 read_ns; /* required mean; 0: not required */
    gint64 write_ns;
    double tolerance; /* share of iops that may be missing */
} AftRequirementSpec;

typedef enum { AFT_FIDELITY_IO, AFT_FIDELITY_SAMPLED, AFT_FIDELITY_FLOW } AftFidelity;
typedef enum { AFT_UNTIL_STEADY, AFT_UNTIL_DURATION } AftUntil;

typedef struct {
    AftUntil until;
    gint64 settle_ns;   /* steady for this long ends the run, once the timeline is over */
    gint64 duration_ns; /* the ceiling; with until: duration, the length */
    AftFidelity fidelity;
    guint64 seed; /* at most 2^53 */
    gint64 trace_interval_ns;
    double precision;        /* wanted half-width over mean, of mean latencies and IOPS */
    double confidence;       /* of every interval reported */
    gint64 max_simulated_ns; /* most I/O level time a phase should take under sampled */
} AftRunSpec;

typedef struct {
    guint version;
    char *kind; /* of the file: "scenario" */
    char *name;
    AftDeviceProfile *devices; /* built-ins first, then the scenario's own */
    guint n_devices;
    AftClusterSpec cluster;
    AftTierSpec tiers;
    AftPoolSpec *pools; /* one or more */
    guint n_pools;
    AftWorkloadSpec *workloads; /* none or more */
    guint n_workloads;
    AftBackgroundSpec background;
    AftAction *timeline; /* as written; aft_scenario_resolve() sorts it by time, stable */
    guint n_timeline;
    AftFaultSpec *faults; /* none or more */
    guint n_faults;
    AftRequirementSpec requirement;
    AftRunSpec run;
    GHashTable *written; /* full paths of the keys that were set, rightly or not */
    GHashTable *spoiled; /* those whose text was wrong: what depends on them is not checked */
    gboolean resolved;   /* the timeline is sorted and all that is derived is in place */
} AftScenario;

/** One thing wrong with a scenario, or worth a warning. */
typedef struct {
    char *path;       /* the key: "workload.rate" */
    char *message;    /* what is wrong and what was expected */
    char *suggestion; /* (nullable): "did you mean workload.rate?" */
    gboolean warning; /* TRUE: the scenario can run all the same */
} AftProblem;

/** Returns: (transfer full): a scenario in which every key has its default. */
AftScenario *aft_scenario_new(void);

void aft_scenario_free(AftScenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftScenario, aft_scenario_free)

/** Sets the key at @path to what @text says, growing lists by at most one item. @path may be
 *  written as in YAML ("workload.rate" is "workload[0].rate"). One value for what can be a map
 *  replaces the map: "data.protection" forgets "data.protection.parity". After the last of them,
 *  aft_scenario_resolve().
 *  Returns: FALSE after adding to @problems (AftProblem elements): unknown key with the nearest
 *  name as suggestion, wrong unit, out of range. */
gboolean aft_scenario_set(AftScenario *scenario, const char *path, const char *text,
                          GPtrArray *problems);

/** The value of the key at @path as text that aft_scenario_set() reads back to the same value.
 *  Returns: (transfer full) (nullable): NULL when there is no such key or item, or it has no
 *  value. */
char *aft_scenario_get(const AftScenario *scenario, const char *path);

/** Tells that a map (or a list) stands at @path, before its keys are set: an item of a list that
 *  has no key at all is an item too.
 *  Returns: FALSE after adding to @problems when nothing, or only a value, may stand there. */
gboolean aft_scenario_open(AftScenario *scenario, const char *path, gboolean list,
                           GPtrArray *problems);

/** Whether the key at the full @path ("workload[0].rate") was set, be its text right or wrong. */
gboolean aft_scenario_written(const AftScenario *scenario, const char *path);

/** Checks what no single key can: names that must exist, faults that contradict each other, data
 *  that does not fit; and fills what is derived (profiles, selectors, order of the timeline).
 *  Returns: FALSE when @problems (AftProblem elements) got an error; warnings do not count. */
gboolean aft_scenario_resolve(AftScenario *scenario, GPtrArray *problems);

/** SHA-256, as 64 hex digits, over every key's value of a resolved scenario: equal exactly when
 *  two mean the same experiment (name and seed included; device profiles that no disk uses,
 *  services that are off and figures that the scheduler does not look at do not count, nor how a
 *  scheme, a scheduler, a selection of nodes or a service that is on was spelt). Returns: (transfer
 * full). */
char *aft_scenario_digest(const AftScenario *scenario);

/** An array for problems that frees them. Returns: (transfer full). */
GPtrArray *aft_problems_new(void);

/** Adds a problem to @problems. @suggestion (nullable) becomes "did you mean ...?". */
void aft_problems_add(GPtrArray *problems, gboolean warning, const char *path,
                      const char *suggestion, const char *format, ...) G_GNUC_PRINTF(5, 6);

AFT_END_DECLS
