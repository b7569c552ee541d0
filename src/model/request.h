/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - one operation on its way through the cluster: a plan, run on stations.
 *
 * Each step of a plan is a sub-operation with a path of its own; a stage is complete when all its
 * sub-operations are, and only then does the next begin:
 *
 *     write   wire: coordinator to device's node -> controller -> device -> latency -> done
 *     read    controller -> device -> wire: device's node to coordinator -> latency -> done
 *
 * The coordinator is the node of the virtual machine, or the node that a background unit is
 * written on; inside one node there is no wire. A degraded plan also holds the coordinator's
 * controller for the time of a reconstruction, after its reads and before its writes.
 *
 * A sub-operation that meets a dead node fails, and with it the request, once the sub-operations
 * still on their way are home.
 */
#pragma once

#include "topology.h"

#include <aftershock/model/protection.h>

typedef struct AftRequest AftRequest;
typedef struct AftExecutor AftExecutor;

typedef enum {
    AFT_OUTCOME_DONE,
    AFT_OUTCOME_FAILED, /* it met a dead node; what it was for may be tried again */
    AFT_OUTCOME_ABORTED /* who asked for it died, see aft_executor_abort() */
} AftOutcome;

typedef struct {
    AftJob job; /* first: a job is its sub-operation */
    AftRequest *request;
    guint32 device;
    guint32 wire_bytes; /* of its message, still to be sent */
    gboolean write;
} AftSubop;

struct AftRequest {
    AftRequest *previous, *next; /* among all in flight, or on a list of the owner's when not */
    AftExecutor *executor;
    void (*done)(AftRequest *request, AftOutcome outcome, gint64 now_ns);
    void *owner;
    void *curator; /* in the background */

    const AftPlan *plan;
    guint32 coordinator; /* node */
    guint class;
    guint32 bytes;    /* of each step */
    gint64 decode_ns; /* mean extra controller time if the plan is degraded */
    guint stage;
    guint pending; /* sub-operations of the stage not yet home */
    gboolean decoded, failed, aborted;

    /* What a client's request is about; unused in the background. */
    gboolean write;
    guint32 group;
    guint32 first;     /* unit of the stripe it begins at */
    double position;   /* of its stripe in the group, 0 to 1 */
    gint64 started_ns; /* when it took its slot */
    gint64 waited_ns;  /* as owed work, before that */

    guint32 device[AFT_STEPS_MOST]; /* where each step of the plan goes */
    AftPlan own_plan;               /* for plans made for this request alone */
    AftSubop subop[];               /* as many as the widest stage has steps */
};

/** Runs requests on @topology (borrowed) whose stages have at most @steps_most steps.
 *  Returns: (transfer full). */
AftExecutor *aft_executor_new(AftTopology *topology, guint steps_most);

void aft_executor_free(AftExecutor *executor);

/** Returns: (transfer none): a request to be filled in, then started or given back. */
AftRequest *aft_request_new(AftExecutor *executor);

/** Gives @request back. */
void aft_request_free(AftRequest *request);

/** Begins the plan of @request, whose owner has filled in done, owner, plan, coordinator, class,
 *  bytes, decode_ns and device. Ends with a call of done, later or at once. */
void aft_request_start(AftRequest *request);

/** Drops what the stations of @node, stopped, still hold. Requests that lose a sub-operation
 *  fail. */
void aft_executor_drop_node(AftExecutor *executor, guint node);

/** Marks the requests in flight that @matches says TRUE of as nobody's any more: they end as
 *  AFT_OUTCOME_ABORTED. @matches is asked once for each. */
void aft_executor_abort(AftExecutor *executor, gboolean (*matches)(AftRequest *, void *),
                        void *context);

/** Requests in flight. */
guint aft_executor_in_flight(const AftExecutor *executor);
