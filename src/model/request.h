/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - one operation on its way through the cluster: a plan, run on stations.
 *
 * Each step of a plan is a sub-operation with a path of its own; a stage is complete when all its
 * sub-operations are, and only then does the next begin:
 *
 *     write   wire: coordinator to device's node -> controller -> room -> device -> delay -> done
 *     read    controller -> device -> wire: device's node to coordinator -> delay -> done
 *
 * The coordinator is the node of the virtual machine, or the node that a background unit is
 * written on; inside one node there is no wire. A degraded plan also holds the coordinator's
 * controller for the time of a reconstruction, after its reads and before its writes; data
 * services do the same.
 *
 * A virtual machine whose own controller is away works through another node: what it writes goes to
 * that coordinator first, and what it reads comes from there at the end.
 *
 * Behind a cache device, writes go into its buffer, as soon as there is room, and a client's reads
 * are served by it if what they want is there. Requests that go directly pass by both, and those
 * to a log name the cache devices themselves.
 *
 * A sub-operation that meets a dead node fails, and with it the request, once the sub-operations
 * still on their way are home.
 */
#pragma once

#include "charge.h"
#include "topology.h"

#include <aftershock/model/heat.h>
#include <aftershock/model/protection.h>

typedef struct AftRequest AftRequest;
typedef struct AftExecutor AftExecutor;
typedef struct AftUpdates AftUpdates;

typedef enum {
    AFT_OUTCOME_DONE,
    AFT_OUTCOME_FAILED, /* it met a dead node; what it was for may be tried again */
    AFT_OUTCOME_ABORTED /* who asked for it died, see aft_executor_abort() */
} AftOutcome;

typedef enum {
    AFT_ROUTE_CACHED, /* through the cache devices, where there are any */
    AFT_ROUTE_DIRECT, /* to the devices of the steps, whatever stands in front */
    AFT_ROUTE_LOG     /* writes to cache devices; the buffer of the first takes them */
} AftRoute;

typedef struct AftSubop AftSubop;

struct AftSubop {
    AftJob job; /* first: a job is its sub-operation */
    AftRequest *request;
    guint32 device;
    guint32 from, to;                                /* nodes, of its message */
    guint32 wire_bytes;                              /* of it, still to be sent */
    void (*arrived)(AftSubop *subop, gint64 now_ns); /* (nullable): it goes home */
    gboolean write;
    guint metadata;    /* map I/Os still to be done at the device */
    AftBuffer *buffer; /* (nullable): takes what is written */
    guint behind;      /* the capacity device behind it that this is for */
};

struct AftRequest {
    AftRequest *previous, *next; /* among all in flight, or on a list of the owner's when not */
    AftExecutor *executor;
    void (*done)(AftRequest *request, AftOutcome outcome, gint64 now_ns);
    void *owner;
    void *curator; /* in the background */

    const AftPlan *plan;
    guint32 coordinator; /* node */
    guint32 host;        /* node that asks, if it is another; else AFT_NOWHERE */
    guint class;
    guint32 bytes; /* of each step */
    AftRoute route;
    guint pool;              /* whose data it is */
    const AftCharge *charge; /* borrowed from the pool */
    guint behind;            /* of a log's write: the capacity device behind the first buffer */
    gint64 decode_ns;        /* mean extra time at the coordinator if the plan is degraded */
    gint64 work_ns;          /* the same whatever the plan: data services */
    AftUpdates *updates;     /* (nullable): where it holds a place */
    gint64 update_ns;        /* mean time at the coordinator, of an update of parity */
    guint stage;
    guint pending; /* sub-operations of the stage not yet home */
    gboolean worked, relayed, failed, aborted;

    /* What a client's request is about; unused in the background. */
    gboolean write;
    const AftHeat *heat; /* (nullable): of what it may be about, for caches */
    guint kind;          /* of the workload's */
    guint32 block_bytes; /* of all of it */
    guint32 group;
    guint32 first;     /* unit of the stripe it begins at */
    guint64 place;     /* of what its steps are about, in bytes, on each of their devices; 0: any */
    double position;   /* of its stripe in the group, 0 to 1 */
    gint64 started_ns; /* when it took its slot */
    gint64 waited_ns;  /* as owed work, before that */

    guint32 device[AFT_STEPS_MOST]; /* where each step of the plan goes */
    AftPlan own_plan;               /* for plans made for this request alone */
    AftSubop subop[];               /* as many as the widest stage has steps */
};

/** Runs requests on @topology (borrowed) whose stages have at most @steps_most steps, with the
 *  chance of @replication. Returns: (transfer full). */
AftExecutor *aft_executor_new(AftTopology *topology, guint steps_most, guint32 replication);

/** Lets @filled know whenever something came into a buffer, and may have to be destaged. */
void aft_executor_watch(AftExecutor *executor, void (*filled)(void *context, AftBuffer *buffer),
                        void *context);

/** Lets those that wait for room in @buffer have what there is now. */
void aft_executor_admit(AftExecutor *executor, AftBuffer *buffer);

void aft_executor_free(AftExecutor *executor);

/** Requests of their owner's, in order, by next. */
typedef struct {
    AftRequest *first, *last;
} AftRequestQueue;

static inline void aft_request_queue_add(AftRequestQueue *queue, AftRequest *request)
{
    request->next = NULL;
    if (queue->first == NULL) {
        queue->first = request;
    } else {
        queue->last->next = request;
    }
    queue->last = request;
}

/** Returns: the first, which is in it no longer; NULL if there is none. */
static inline AftRequest *aft_request_queue_take(AftRequestQueue *queue)
{
    AftRequest *request = queue->first;
    if (request != NULL) {
        queue->first = request->next;
    }
    return request;
}

/** Returns: (transfer none): a request to be filled in, then started or given back. */
AftRequest *aft_request_new(AftExecutor *executor);

/** Gives @request back. */
void aft_request_free(AftRequest *request);

/** Begins the plan of @request, whose owner has filled in done, owner, plan, coordinator, class,
 *  bytes, charge, pool and device; the rest is as aft_request_new() left it unless he has set it.
 *  Ends with a call of done, later or at once. */
void aft_request_start(AftRequest *request);

/** Drops what the stations of @node, or of @device, down, still hold. Requests that lose a
 *  sub-operation fail. */
void aft_executor_drop_node(AftExecutor *executor, guint node);
void aft_executor_drop_device(AftExecutor *executor, guint32 device);

/** Marks the requests in flight that @matches says TRUE of as nobody's any more: they end as
 *  AFT_OUTCOME_ABORTED. @matches is asked once for each. */
void aft_executor_abort(AftExecutor *executor, gboolean (*matches)(AftRequest *, void *),
                        void *context);

/** Bytes that clients have written to buffers so far. */
double aft_executor_buffered_bytes(const AftExecutor *executor);

/** Requests in flight. */
guint aft_executor_in_flight(const AftExecutor *executor);
