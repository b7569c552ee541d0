/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - the parts of a cluster: nodes, each with a controller, a NIC and devices.
 *
 * Parts know how to serve and how to die; of data they know only how much of it they hold. A
 * cache device has a buffer, in front of the capacity devices behind it.
 */
#pragma once

#include "buffer.h"

#include <aftershock/model/model.h>
#include <aftershock/scenario/scenario.h>
#include <aftershock/station/port.h>
#include <aftershock/station/station.h>

#define AFT_NOWHERE G_MAXUINT32

typedef struct {
    AftStation *station;
    guint64 reached; /* the place behind the access that came last; 0: nobody knows */
    const AftDeviceProfile *profile; /* borrowed from the scenario */
    guint32 node;
    gboolean cache;    /* a cache device holds no members */
    AftBuffer *buffer; /* (nullable): that of a cache device, or the one a device stands behind */
    guint behind;      /* its number among those behind */
    guint64 size_bytes;
    double used_bytes; /* stored, of members that live here or are on their way */
} AftDevice;

typedef struct {
    gboolean alive;
    gboolean known;         /* whether the cluster knows if it is alive */
    AftStation *controller; /* (nullable): its work costs nothing */
    AftPort sending, receiving;
    guint32 first_device, n_devices;
    guint32 first_buffer, n_buffers;
    gint64 alive_since_ns; /* engine time */
    gint64 alive_ns;       /* before that */
} AftNode;

typedef struct {
    AftEngine *engine;           /* borrowed */
    const AftScenario *scenario; /* borrowed */
    AftNode *nodes;
    guint n_nodes;
    AftDevice *devices;
    guint n_devices;
    AftBuffer *buffers; /* in the order of their nodes */
    guint n_buffers;
    guint8 *in;          /* a node's `in`, side by side for placement */
    GPtrArray *variates; /* the spreads of stations */
} AftTopology;

/** Builds the cluster of @scenario, all alive, on @engine. Clear with aft_topology_clear(). */
void aft_topology_init(AftTopology *topology, const AftScenario *scenario, AftEngine *engine,
                       guint32 replication);

void aft_topology_clear(AftTopology *topology);

/** Adds @bytes, which may be negative, to what @device stores, @working_bytes of which (as a cache
 *  device has them) clients read and write. */
void aft_topology_store(AftTopology *topology, guint32 device, double bytes, double working_bytes);

/** Stops @node, which the cluster does not know yet. What its stations hold stays there until
 *  aft_topology_drop(). */
void aft_topology_stop(AftTopology *topology, guint node);

/** Hands everything that the stations of @node, stopped, still hold to @dropped, in order. */
void aft_topology_drop(AftTopology *topology, guint node,
                       void (*dropped)(AftJob *job, void *context), void *context);

/** Starts @node again, idle, and known to be alive. */
void aft_topology_start(AftTopology *topology, guint node);

/** Mean service time, ns, of @bytes at the controller of @node. */
gint64 aft_topology_controller_ns(const AftTopology *topology, guint node, guint64 bytes);

/** Time, ns, that @bytes take on one direction of a NIC of @node; 0 without one. */
gint64 aft_topology_wire_ns(const AftTopology *topology, guint node, guint64 bytes);

/** What the parts of @kind have done so far. */
AftUse aft_topology_use(const AftTopology *topology, AftUseKind kind);

/** Audits every station and buffer. */
void aft_topology_audit(const AftTopology *topology);
