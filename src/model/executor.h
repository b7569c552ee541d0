/* SPDX-License-Identifier: GPL-3.0-or-later */
/* executor.h - what runs requests: the inside of request.h, for the files that make it work.
 * request.c walks through the stages of a plan, subop.c along the path of a sub-operation.
 */
#pragma once

#include "request.h"

struct AftExecutor {
    AftTopology *topology;
    guint steps_most;
    AftRequest *in_flight; /* newest first */
    guint n_in_flight;
    AftRequest *idle; /* given back, by next */
    AftStream chance; /* of hits, overwrites and map I/O */
    void (*filled)(void *context, AftBuffer *buffer);
    void *context;
    double buffered_bytes; /* from clients */
};

/** Sends the sub-operation of @step of the plan of @request on its path. */
void aft_subop_begin(AftRequest *request, AftSubop *subop, guint step);

/** Sends the message of the sub-operation, whose request, from, to, wire_bytes and arrived are set.
 */
void aft_subop_send(AftSubop *subop, gint64 now_ns);

/** The sub-operation is home. */
void aft_subop_home(AftSubop *subop, gint64 now_ns);

/** The sub-operation has met a dead node. */
void aft_subop_failed(AftSubop *subop, gint64 now_ns);
