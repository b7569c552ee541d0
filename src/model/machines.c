/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "machines.h"

void aft_machines_init(AftClients *clients)
{
    clients->hosts = g_new0(AftHost, clients->topology->n_nodes);
    for (guint i = 0; i < clients->spec->n_on_nodes; i++) {
        clients->hosts[clients->spec->on_nodes[i]].named = TRUE;
    }
    for (guint i = 0; i < clients->n_vms; i++) {
        clients->hosts[clients->vms[i].node].machines++;
    }
}

void aft_machines_clear(AftClients *clients)
{
    g_free(clients->hosts);
}

/* The host for a machine that lost its own: home if it is back, else the one with the fewest
 * machines, hosts named by the workload before all others, lower numbers first. */
static guint32 choose_host(const AftVm *vm)
{
    const AftClients *clients = vm->clients;
    guint32 best = AFT_NOWHERE;
    guint best_rank = G_MAXUINT;
    if (clients->topology->nodes[vm->home].hosting) {
        return vm->home;
    }
    for (guint node = 0; node < clients->topology->n_nodes; node++) {
        const AftHost *host = &clients->hosts[node];
        guint rank = host->machines + (host->named ? 0 : clients->n_vms + 1);
        if (clients->topology->nodes[node].hosting && rank < best_rank) {
            best = node;
            best_rank = rank;
        }
    }
    return best;
}

static void tell_disturbed(const AftClients *clients)
{
    if (clients->watch.disturbed != NULL) {
        clients->watch.disturbed(clients->watch.context);
    }
}

static gboolean run_elsewhere(AftVm *vm)
{
    guint32 host = choose_host(vm);
    if (host == AFT_NOWHERE) {
        return FALSE; /* it goes on with the first node that is back */
    }
    vm->node = host;
    vm->running = TRUE;
    vm->clients->hosts[host].machines++;
    aft_vm_take_slots(vm);
    return TRUE;
}

static void restart(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftClients *clients = context;
    gboolean restarted = FALSE;
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        if (!vm->running && vm->restart_ns <= aft_vm_now_ns(vm)) {
            restarted |= run_elsewhere(vm);
        }
    }
    if (restarted) {
        tell_disturbed(clients);
    }
}

static void stop_vm(AftVm *vm)
{
    AftClients *clients = vm->clients;
    vm->running = FALSE;
    vm->restart_ns = aft_vm_now_ns(vm) + clients->spec->restart_ns;
    clients->hosts[vm->node].machines--;
    if (clients->policy->sheds) {
        vm->owed.arrived -= vm->in_flight;
        vm->shed += vm->in_flight;
    } else {
        aft_owed_give_back(&vm->owed, vm->in_flight, aft_vm_now_ns(vm));
        aft_clients_change_owed(clients, vm->in_flight);
    }
    vm->in_flight = 0;
}

void aft_clients_stop_node(AftClients *clients, guint node)
{
    AftEngine *engine = clients->topology->engine;
    aft_clients_abort(clients, node);
    for (guint i = 0; i < clients->n_vms; i++) {
        if (aft_vm_runs_on(&clients->vms[i], node)) {
            stop_vm(&clients->vms[i]);
        }
    }
    aft_engine_schedule_slow(engine, aft_engine_scenario_now(engine) + clients->spec->restart_ns,
                             restart, clients);
}

static void move(AftVm *vm, guint32 host)
{
    vm->clients->hosts[vm->node].machines--;
    vm->clients->hosts[host].machines++;
    vm->node = host;
}

void aft_clients_leave_node(AftClients *clients, guint node)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        guint32 host = aft_vm_runs_on(vm, node) ? choose_host(vm) : AFT_NOWHERE;
        if (host != AFT_NOWHERE) {
            move(vm, host);
        }
    }
}

static gboolean go_home(AftVm *vm)
{
    vm->home_ns = G_MAXINT64;
    if (!vm->running || vm->node == vm->home || !vm->clients->topology->nodes[vm->home].hosting) {
        return FALSE;
    }
    move(vm, vm->home);
    return TRUE;
}

static void come_home(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftClients *clients = context;
    gboolean moved = FALSE;
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        if (vm->home_ns <= aft_vm_now_ns(vm)) {
            moved |= go_home(vm);
        }
    }
    if (moved) {
        tell_disturbed(clients);
    }
}

void aft_clients_node_returned(AftClients *clients, guint node)
{
    AftEngine *engine = clients->topology->engine;
    gint64 home_ns = aft_engine_scenario_now(engine) + clients->spec->return_ns;
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        if (vm->home == node && vm->node != node) {
            vm->home_ns = home_ns;
        }
    }
    aft_engine_schedule_slow(engine, home_ns, come_home, clients);
    restart(clients, aft_engine_now(engine)); /* those that found no host at all */
}

/* Machines are on nodes in turn, so those of one node have numbers that far apart. */
static guint32 remote_coordinator(const AftVm *vm)
{
    const AftTopology *topology = vm->clients->topology;
    guint turn = vm->index / vm->clients->spec->n_on_nodes;
    for (guint i = 1; topology->nodes[vm->node].known && i <= topology->n_nodes; i++) {
        guint32 node = (vm->node + turn + i) % topology->n_nodes;
        if (topology->nodes[node].alive && topology->nodes[node].capacity_bytes > 0.0) {
            return node;
        }
    }
    return AFT_NOWHERE;
}

guint32 aft_vm_coordinator(const AftVm *vm)
{
    return G_LIKELY(vm->clients->topology->nodes[vm->node].alive) ? vm->node
                                                                  : remote_coordinator(vm);
}

void aft_machines_place(AftVm *vm, guint node, gboolean running)
{
    AftHost *hosts = vm->clients->hosts;
    hosts[vm->node].machines -= vm->running ? 1 : 0;
    hosts[node].machines += running ? 1 : 0;
    vm->node = node;
    vm->running = running;
    vm->restart_ns = vm->home_ns = G_MAXINT64;
}

gboolean aft_clients_are_home(const AftClients *clients)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        const AftVm *vm = &clients->vms[i];
        if (!vm->running || vm->node != vm->home) {
            return FALSE;
        }
    }
    return TRUE;
}
