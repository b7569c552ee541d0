/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.h - what is away while a part of the cluster is: its nodes and devices, and whether with
 * them the machines that run there, or the data that they hold.
 */
#pragma once

#include "pool.h"
#include "topology.h"

typedef struct {
    AftTopology *topology; /* borrowed */
    AftPart part;
    GArray *nodes;   /* guint32: their storage is away */
    GArray *devices; /* guint32: these are away, beside those of the nodes */
    gboolean hosts;  /* machines on the nodes stop */
    gboolean media;  /* what the devices held is lost */
    AftMarks marks;  /* all that is away */
} AftScope;

/** Fills @scope with what goes away with @part of @topology (borrowed), without nodes that are not
 *  there yet. Clear with aft_scope_clear(). */
void aft_scope_init(AftScope *scope, AftTopology *topology, const AftPart *part);

void aft_scope_clear(AftScope *scope);

/** Whether @node, there or not, goes away with the part as a whole. */
gboolean aft_scope_covers(const AftScope *scope, guint node);

/** Adds @node and all of its devices, unless it is not there yet. */
void aft_scope_add_node(AftScope *scope, guint32 node);

/** Holds all of it in one way more (@on), or lets go of it once. */
void aft_scope_hold(const AftScope *scope, AftHold hold, gboolean on);
