/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.h - the parts of a cluster: nodes in racks, each with a controller, a NIC and devices.
 *
 * Parts know how to serve and how to die; of data they know only how much of it they hold. A
 * cache device has a buffer, in front of the capacity devices behind it.
 *
 * Faults overlap: a node may be down by itself and with its rack, and come back from one while the
 * other lasts. So what holds a part is counted, and it works when nothing does. A device works when
 * its node does too.
 */
#pragma once

#include "buffer.h"

#include <aftershock/model/model.h>
#include <aftershock/scenario/scenario.h>
#include <aftershock/station/port.h>
#include <aftershock/station/station.h>

#define AFT_NOWHERE G_MAXUINT32

/** Ways in which a part is held. */
typedef enum {
    AFT_HOLD_DOWN,      /* it does not serve */
    AFT_HOLD_UNNOTICED, /* of those, the cluster does not know of it yet */
    AFT_HOLD_OUT,       /* its data is to be elsewhere */
    AFT_HOLD_HOST,      /* of a node: no virtual machine runs on it */
    AFT_HOLDS
} AftHold;

/** How long something has been up. */
typedef struct {
    gint64 since_ns;  /* engine time; while it is up */
    gint64 before_ns; /* before that */
} AftUptime;

typedef struct {
    AftStation *station;
    guint64 reached; /* the place behind the access that came last; 0: nobody knows */
    const AftDeviceProfile *profile; /* borrowed from the scenario */
    guint32 node;
    guint group;       /* disk group of the node, like ones counted one by one */
    gboolean cache;    /* a cache device holds no members */
    AftBuffer *buffer; /* (nullable): that of a cache device, or the one a device stands behind */
    guint behind;      /* its number among those behind */
    guint64 size_bytes;
    double used_bytes; /* stored, of members that live here or are on their way */
    guint16 held[AFT_HOLDS];
    gboolean up, known, in; /* what follows from how it and its node are held */
    AftUptime uptime;
} AftDevice;

typedef struct {
    const AftNodeSpec *spec; /* borrowed from the scenario */
    guint rack;
    guint16 held[AFT_HOLDS];
    gboolean alive;         /* its storage serves */
    gboolean known;         /* whether the cluster knows if it does */
    gboolean hosting;       /* virtual machines run, or could run, on it */
    gboolean wired;         /* one of both: its NIC sends and receives */
    gboolean absent;        /* it is not there yet */
    gboolean leaving;       /* for maintenance: what moves away from it is evacuated */
    AftStation *controller; /* (nullable): its work costs nothing */
    AftPort sending, receiving;
    double wire_factor; /* times as long as normal its transfers take */
    guint32 first_device, n_devices;
    guint32 first_buffer, n_buffers;
    double capacity_bytes; /* of its capacity devices, as built */
    AftUptime uptime;      /* of its storage */
    AftUptime wired_time;  /* of its NIC */
} AftNode;

typedef struct {
    AftEngine *engine;           /* borrowed */
    const AftScenario *scenario; /* borrowed */
    gboolean counts;             /* the scenario says what schedulers count operations as */
    AftNode *nodes;
    guint n_nodes; /* those that come later included */
    AftDevice *devices;
    guint n_devices;
    AftBuffer *buffers; /* in the order of their nodes */
    guint n_buffers;
    guint8 *in;          /* a node: whether data may live there, for placement */
    guint8 *device_in;   /* a device: the same */
    double *weight;      /* (nullable): a node: its capacity, for placement; NULL: all alike */
    guint n_down;        /* nodes and devices that are down, each by itself */
    guint n_unnoticed;   /* of those, that the cluster does not know of */
    guint n_out;         /* devices that are out, each by itself */
    guint n_full;        /* devices filled above `full`: what is to be written there waits */
    GPtrArray *variates; /* the spreads of stations */
} AftTopology;

/** Builds the cluster of @scenario on @engine, all alive but for the nodes that come later. Clear
 *  with aft_topology_clear(). */
void aft_topology_init(AftTopology *topology, const AftScenario *scenario, AftEngine *engine,
                       guint32 replication);

void aft_topology_clear(AftTopology *topology);

/** Adds @bytes, which may be negative, to what @device stores, @working_bytes of which (as a cache
 *  device has them) clients read and write. */
void aft_topology_store(AftTopology *topology, guint32 device, double bytes, double working_bytes);

/** Whether @device is filled above the share up to which the cluster places and writes data. */
static inline gboolean aft_device_is_full(const AftTopology *topology, const AftDevice *device)
{
    return device->used_bytes > topology->scenario->cluster.full * (double)device->size_bytes;
}

/** Holds a part in one way more, or lets go of it once. What the stations of a part hold that goes
 *  down stays there until it is dropped. */
void aft_topology_hold_node(AftTopology *topology, guint node, AftHold hold);
void aft_topology_release_node(AftTopology *topology, guint node, AftHold hold);
void aft_topology_hold_device(AftTopology *topology, guint32 device, AftHold hold);
void aft_topology_release_device(AftTopology *topology, guint32 device, AftHold hold);

/** The node that was to come later is there: what held it lets go. */
void aft_topology_arrive(AftTopology *topology, guint node);

/** What @device, which is down, held is gone: all of its buffer, or what was to be destaged to it.
 *  What a log holds is for members anywhere, and stays. */
void aft_topology_wipe(AftTopology *topology, guint32 device);

/** Hands everything that the stations of @node, or of @device, down, still hold to @dropped, in
 *  order. */
void aft_topology_drop_node(AftTopology *topology, guint node,
                            void (*dropped)(AftJob *job, void *context), void *context);
void aft_topology_drop_device(AftTopology *topology, guint32 device,
                              void (*dropped)(AftJob *job, void *context), void *context);

/** The capacity device that what is @behind the cache device of @buffer goes to. */
static inline guint32 aft_topology_behind(const AftBuffer *buffer, guint behind)
{
    return buffer->first_behind + behind * buffer->stride;
}

/** Capacity device @device of disk group @group of @node, both counted from 0. */
guint32 aft_topology_find_device(const AftTopology *topology, guint node, guint group,
                                 guint device);

/** Sets the share of every station, of dead nodes too, that background work may have. */
void aft_topology_throttle(AftTopology *topology, double share);

/** Mean service time, ns, of @bytes at the controller of @node. */
gint64 aft_topology_controller_ns(const AftTopology *topology, guint node, guint64 bytes);

/** aft_topology_charge_ns() where the scenario says it. */
gint64 aft_topology_said_ns(const AftTopology *topology, guint64 bytes);

/** What schedulers count an operation of @bytes as, ns of all of a station; 0: what it
 *  takes, which where the scenario says costs none counts as, however small. */
static inline gint64 aft_topology_charge_ns(const AftTopology *topology, guint64 bytes)
{
    return G_LIKELY(!topology->counts) ? 0 : aft_topology_said_ns(topology, bytes);
}

/** Time, ns, that @bytes take on one direction of a NIC of @node; 0 without one. */
gint64 aft_topology_wire_ns(const AftTopology *topology, guint node, guint64 bytes);

/** What the parts of @kind have done so far. */
AftUse aft_topology_use(const AftTopology *topology, AftUseKind kind);

/** Audits every station and buffer. */
void aft_topology_audit(const AftTopology *topology);
