/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clients.h"

#include "address.h"
#include "log.h"

#include <aftershock/scenario/services.h>

/* How many of @total fall to part @i of @n, as even as whole numbers allow. */
static guint share_of(guint total, guint i, guint n)
{
    return total / n + (i < total % n);
}

static gint64 owed_most(const AftWorkloadSpec *spec, double rate_per_s)
{
    double most = rate_per_s * (double)spec->owed_limit_ns / 1e9;
    return most < 9e18 && spec->owed_limit_ns != G_MAXINT64 ? (gint64)most : G_MAXINT64;
}

static void init_vm(AftClients *clients, guint index, guint64 seed, guint32 replication)
{
    const AftWorkloadSpec *spec = clients->spec;
    AftVm *vm = &clients->vms[index];
    guint32 stream = clients->index << 20 | index;
    *vm = (AftVm){
        .clients = clients,
        .index = index,
        .home = spec->on_nodes[index % spec->n_on_nodes],
        .running = TRUE,
        .home_ns = G_MAXINT64,
        .slots = MAX(share_of(spec->outstanding, index, spec->vms), 1),
        .rate_per_s = spec->rate_per_s / spec->vms,
        .owed_most = owed_most(spec, spec->rate_per_s / spec->vms),
    };
    vm->node = vm->home;
    aft_owed_init(&vm->owed);
    aft_stream_init(&vm->arrivals, seed, replication, "vm.arrivals", stream);
    aft_stream_init(&vm->addresses, seed, replication, "vm.addresses", stream);
}

static gint64 work_ns(const AftWorkloadSpec *spec, AftServiceCost cost)
{
    return cost.io_ns + (gint64)((double)cost.per_mib_ns * (double)spec->block_bytes / 1048576.0);
}

static void init_hosts(AftClients *clients)
{
    clients->hosts = g_new0(AftHost, clients->topology->n_nodes);
    for (guint i = 0; i < clients->spec->n_on_nodes; i++) {
        clients->hosts[clients->spec->on_nodes[i]].named = TRUE;
    }
    for (guint i = 0; i < clients->n_vms; i++) {
        clients->hosts[clients->vms[i].node].machines++;
    }
}

void aft_clients_init(AftClients *clients, const AftScenario *scenario, guint index, AftPool *pool,
                      AftExecutor *executor, guint32 replication)
{
    const AftWorkloadSpec *spec = &scenario->workloads[index];
    *clients = (AftClients){
        .spec = spec,
        .policy = aft_workload_policy(spec->kind),
        .index = index,
        .pool = pool,
        .executor = executor,
        .topology = pool->topology,
        .vms = g_new0(AftVm, spec->vms),
        .n_vms = spec->vms,
    };
    aft_address_init(clients);
    clients->read_work_ns = work_ns(spec, aft_services_read(pool->spec));
    clients->write_work_ns = work_ns(spec, aft_services_write(pool->spec));
    for (guint i = 0; i < spec->vms; i++) {
        init_vm(clients, i, scenario->run.seed, replication);
    }
    init_hosts(clients);
}

void aft_clients_log_to(AftClients *clients, AftDestager *destager)
{
    clients->destager = destager;
}

void aft_clients_clear(AftClients *clients)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        aft_owed_clear(&clients->vms[i].owed);
    }
    while (clients->stalled != NULL) {
        AftRequest *request = clients->stalled;
        clients->stalled = request->next;
        aft_request_free(request);
    }
    aft_address_clear(clients);
    g_free(clients->hosts);
    g_free(clients->vms);
}

void aft_clients_start(AftClients *clients)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        clients->policy->start(&clients->vms[i]);
    }
}

static gint64 scenario_now(const AftVm *vm)
{
    return aft_engine_scenario_now(vm->clients->topology->engine);
}

static void change_owed(AftClients *clients, gint64 by)
{
    clients->owed += by;
    clients->owed_changed(clients->model);
}

static void begin(AftVm *vm, AftRequest *request);

static void stall(AftClients *clients, AftRequest *request)
{
    request->next = NULL;
    if (clients->stalled == NULL) {
        clients->stalled = request;
    } else {
        clients->last_stalled->next = request;
    }
    clients->last_stalled = request;
}

static void take_slots(AftVm *vm);

/* The data is lost: the I/O gives its slot back and is shed. */
static void give_up(AftVm *vm, AftRequest *request)
{
    aft_request_free(request);
    vm->in_flight--;
    aft_owed_withdraw(&vm->owed);
    vm->shed++;
    take_slots(vm);
    if (vm->clients->policy->served != NULL) {
        vm->clients->policy->served(vm);
    }
}

static void tell_completed(const AftVm *vm, const AftRequest *request, gint64 now_ns)
{
    const AftClients *clients = vm->clients;
    AftCompletion completion = {
        .workload = clients->index,
        .write = request->write,
        .bytes = clients->spec->block_bytes,
        .latency_ns = now_ns - request->started_ns,
        .waited_ns = request->waited_ns,
    };
    if (clients->watch.completed != NULL) {
        clients->watch.completed(clients->watch.context, &completion);
    }
}

static void ended(AftRequest *request, AftOutcome outcome, gint64 now_ns)
{
    AftVm *vm = request->owner;
    if (outcome == AFT_OUTCOME_ABORTED) {
        aft_request_free(request); /* its slot was accounted for when its machine stopped */
        return;
    }
    if (outcome == AFT_OUTCOME_FAILED) {
        begin(vm, request);
        return;
    }
    tell_completed(vm, request, now_ns);
    aft_request_free(request);
    vm->in_flight--;
    vm->served++;
    take_slots(vm);
    if (vm->clients->policy->served != NULL) {
        vm->clients->policy->served(vm);
    }
}

/* The device that is written first, of a plan that writes. */
static guint32 first_written(const AftRequest *request)
{
    guint i = 0;
    while (!request->plan->step[i].write) {
        i++;
    }
    return request->device[i];
}

/* The log is in front of that, and holds what the whole plan is to write. */
static void write_to_log(const AftClients *clients, AftRequest *request)
{
    guint32 device = first_written(request);
    guint units = (guint)(clients->spec->block_bytes / request->bytes);
    request->bytes = (guint32)clients->spec->block_bytes;
    request->decode_ns = 0;
    aft_log_plan(clients->topology, device, request);
    aft_destager_logged(clients->destager, clients->topology->devices[device].buffer,
                        clients->pool->index, request->group, request->first, units);
}

/* Sends a request, new or failed, on its way by what is known of its group now. */
static void begin(AftVm *vm, AftRequest *request)
{
    AftClients *clients = vm->clients;
    const AftPool *pool = clients->pool;
    if (!pool->groups[request->group].used) {
        aft_address_follow(clients, request);
    }
    if (pool->groups[request->group].blocked > 0) {
        stall(clients, request);
        return;
    }
    if (!aft_address_plan(clients, request)) {
        give_up(vm, request);
        return;
    }
    request->coordinator = vm->node;
    if (request->write && clients->destager != NULL) {
        write_to_log(clients, request);
    }
    aft_request_start(request);
}

static void issue(AftVm *vm, gint64 waited_ns)
{
    AftClients *clients = vm->clients;
    AftRequest *request = aft_request_new(clients->executor);
    request->done = ended;
    request->owner = vm;
    request->class = AFT_CLASS_CLIENT;
    request->pool = clients->pool->index;
    request->charge = &clients->pool->client;
    request->started_ns = aft_engine_now(clients->topology->engine);
    request->waited_ns = waited_ns;
    aft_address_choose(clients, &vm->addresses, request);
    request->work_ns = request->write ? clients->write_work_ns : clients->read_work_ns;
    vm->in_flight++;
    clients->writes += request->write;
    begin(vm, request);
}

/* Where all data is lost there is nothing to address. */
static gboolean can_begin(const AftVm *vm)
{
    return vm->running && vm->in_flight < vm->slots && vm->clients->set->n_live > 0;
}

/* Owed I/O takes the slots that are free. */
static void take_slots(AftVm *vm)
{
    while (vm->owed.count > 0 && can_begin(vm)) {
        gint64 waited_ns = aft_owed_take(&vm->owed, scenario_now(vm));
        change_owed(vm->clients, -1);
        issue(vm, waited_ns);
    }
}

void aft_vm_arrive(AftVm *vm)
{
    if (vm->owed.count == 0 && can_begin(vm)) {
        vm->owed.arrived++;
        issue(vm, 0);
    } else if (vm->clients->policy->sheds || vm->owed.count >= vm->owed_most) {
        vm->shed++;
    } else {
        aft_owed_add(&vm->owed, scenario_now(vm));
        change_owed(vm->clients, 1);
    }
}

/* The node that dies, and whose machines with it. */
typedef struct {
    const AftClients *clients;
    guint node;
} Death;

static gboolean dies(const AftVm *vm, const Death *death)
{
    return vm->running && vm->node == death->node;
}

static gboolean is_orphaned(AftRequest *request, void *context)
{
    const Death *death = context;
    return request->done == ended && ((AftVm *)request->owner)->clients == death->clients &&
           dies(request->owner, death);
}

static void forget_stalled(AftClients *clients, const Death *death)
{
    AftRequest *request = clients->stalled;
    clients->stalled = clients->last_stalled = NULL;
    while (request != NULL) {
        AftRequest *next = request->next;
        if (dies(request->owner, death)) {
            aft_request_free(request);
        } else {
            stall(clients, request);
        }
        request = next;
    }
}

/* The host for a machine that lost its own: home if it is back, else the one with the fewest
 * machines, hosts named by the workload before all others, lower numbers first. */
static guint32 choose_host(const AftVm *vm)
{
    const AftClients *clients = vm->clients;
    guint32 best = AFT_NOWHERE;
    guint best_rank = G_MAXUINT;
    if (clients->topology->nodes[vm->home].alive) {
        return vm->home;
    }
    for (guint node = 0; node < clients->topology->n_nodes; node++) {
        const AftHost *host = &clients->hosts[node];
        guint rank = host->machines + (host->named ? 0 : clients->n_vms + 1);
        if (clients->topology->nodes[node].alive && rank < best_rank) {
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
    take_slots(vm);
    return TRUE;
}

static void restart(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftClients *clients = context;
    gboolean restarted = FALSE;
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        if (!vm->running && vm->restart_ns <= scenario_now(vm)) {
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
    vm->restart_ns = scenario_now(vm) + clients->spec->restart_ns;
    clients->hosts[vm->node].machines--;
    if (clients->policy->sheds) {
        vm->owed.arrived -= vm->in_flight;
        vm->shed += vm->in_flight;
    } else {
        aft_owed_give_back(&vm->owed, vm->in_flight, scenario_now(vm));
        change_owed(clients, vm->in_flight);
    }
    vm->in_flight = 0;
}

void aft_clients_stop_node(AftClients *clients, guint node)
{
    AftEngine *engine = clients->topology->engine;
    Death death = {clients, node};
    aft_executor_abort(clients->executor, is_orphaned, &death);
    forget_stalled(clients, &death);
    for (guint i = 0; i < clients->n_vms; i++) {
        if (dies(&clients->vms[i], &death)) {
            stop_vm(&clients->vms[i]);
        }
    }
    aft_engine_schedule_slow(engine, aft_engine_scenario_now(engine) + clients->spec->restart_ns,
                             restart, clients);
}

static gboolean go_home(AftVm *vm)
{
    vm->home_ns = G_MAXINT64;
    if (!vm->running || vm->node == vm->home || !vm->clients->topology->nodes[vm->home].alive) {
        return FALSE;
    }
    vm->clients->hosts[vm->node].machines--;
    vm->clients->hosts[vm->home].machines++;
    vm->node = vm->home;
    return TRUE;
}

static void come_home(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftClients *clients = context;
    gboolean moved = FALSE;
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        if (vm->home_ns <= scenario_now(vm)) {
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

void aft_clients_retry_stalled(AftClients *clients)
{
    AftRequest *request = clients->stalled;
    clients->stalled = clients->last_stalled = NULL;
    while (request != NULL) {
        AftRequest *next = request->next;
        begin(request->owner, request);
        request = next;
    }
    for (guint i = 0; i < clients->n_vms; i++) {
        take_slots(&clients->vms[i]);
    }
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

guint aft_clients_in_flight(const AftClients *clients)
{
    guint in_flight = 0;
    for (guint i = 0; i < clients->n_vms; i++) {
        in_flight += clients->vms[i].in_flight;
    }
    return in_flight;
}

void aft_clients_audit(const AftClients *clients)
{
    gint64 owed = 0;
    for (guint i = 0; i < clients->n_vms; i++) {
        const AftVm *vm = &clients->vms[i];
        g_assert(vm->owed.arrived == vm->served + vm->in_flight + vm->owed.count);
        g_assert(vm->owed.count >= 0 && vm->in_flight <= vm->slots);
        owed += vm->owed.count;
    }
    g_assert(owed == clients->owed);
}
