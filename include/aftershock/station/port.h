/* SPDX-License-Identifier: GPL-3.0-or-later */
/* port.h - a first-in first-out server folded into one number: when it is free again.
 *
 * Where order of arrival is order of service and the service time is known on arrival, the
 * departure is known on arrival too and no event needs to wait in a queue (the "timeline
 * reservation" of FEMU and SimpleSSD). One direction of a network link is such a server. It gives
 * the departures and sums of a station with one server and scheduler fifo, which a test holds it
 * to.
 */
#pragma once

#include <glib.h>

typedef struct {
    gint64 free_ns;      /* when what was sent so far has left */
    gint64 sent_ns;      /* service of everything sent, less what was dropped of it */
    gint64 residence_ns; /* from arrival to departure, of everything sent; a drop ends none */
    guint64 sent;
} AftPort;

/** Sends something that arrives at @at_ns, not before what was sent last arrived, and takes
 *  @service_ns. Returns: when it has left. */
static inline gint64 aft_port_send(AftPort *port, gint64 at_ns, gint64 service_ns)
{
    port->free_ns = MAX(port->free_ns, at_ns) + service_ns;
    port->sent_ns += service_ns;
    port->residence_ns += port->free_ns - at_ns;
    port->sent++;
    return port->free_ns;
}

/** Busy time up to @now_ns: what was sent less what is still to go. Exact when nothing sent
 *  arrives after @now_ns. */
static inline gint64 aft_port_busy(const AftPort *port, gint64 now_ns)
{
    return port->sent_ns - MAX(port->free_ns - now_ns, 0);
}

/** Forgets what has not left at @now_ns: the host has died. */
static inline void aft_port_drop(AftPort *port, gint64 now_ns)
{
    if (port->free_ns > now_ns) {
        port->sent_ns -= port->free_ns - now_ns;
        port->free_ns = now_ns;
    }
}
