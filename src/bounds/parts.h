/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - how long the parts of a node take for a visit, on average, when nobody waits. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** At the controller, s; 0 without one. */
double aft_parts_controller_s(const AftNodeSpec *node, double bytes);

/** Work of @io_ns and @per_mib_ns for @bytes there, s; 0 without one. */
double aft_parts_work_s(const AftNodeSpec *node, gint64 io_ns, gint64 per_mib_ns, double bytes);

/** A client's operation as a whole where it is coordinated, s; 0 without one. */
double aft_parts_request_s(const AftNodeSpec *node);

/** More than that for a degraded one to @pool, s. */
double aft_parts_decode_s(const AftPoolSpec *pool);

/** On one direction of the NIC, s; 0 without one. */
double aft_parts_wire_s(const AftNodeSpec *node, double bytes);

/** On a device of @disk, transfer and access, s; @follows: the access before. */
double aft_parts_disk_s(const AftDiskSpec *disk, gboolean write, gboolean follows, double bytes);

/** What keeps one device busy, s. */
typedef struct {
    double access_s;   /* of all its servers */
    double transfer_s; /* of what serves one at a time */
} AftLoad;

/** Adds @visits of @bytes to the load of one device of @disk. */
void aft_load_add(AftLoad *load, const AftDiskSpec *disk, gboolean write, gboolean follows,
                  double bytes, double visits);
