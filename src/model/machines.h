/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machines.h - where the virtual machines of a workload run: on the nodes it names, in turn; and
 * when a host dies, elsewhere after a while, until their home is back. */
#pragma once

#include "clients.h"

/** Puts the machines of @clients, which have their homes, there. Clear with aft_machines_clear().
 */
void aft_machines_init(AftClients *clients);

void aft_machines_clear(AftClients *clients);

/** The host @node dies: machines there stop, and go on elsewhere after `restart`. Call before
 *  aft_executor_drop_node(). */
void aft_clients_stop_node(AftClients *clients, guint node);

/** The host @node will not run machines any more: those there go on elsewhere at once, without
 *  stopping, as far as there are other hosts. */
void aft_clients_leave_node(AftClients *clients, guint node);

/** The host @node is back: its machines come home after `return`, those without a host at once. */
void aft_clients_node_returned(AftClients *clients, guint node);

/** The node whose storage serves @vm, which runs: its own; while that is away and the cluster
 * knows, one of the others that hold data, another for each machine in turn. Returns: AFT_NOWHERE:
 * there is none now. */
guint32 aft_vm_coordinator(const AftVm *vm);

/** Puts @vm, of clients that are quiet, on @node, running or not, to stay there. */
void aft_machines_place(AftVm *vm, guint node, gboolean running);

/** Whether every machine runs on its home. */
gboolean aft_clients_are_home(const AftClients *clients);
