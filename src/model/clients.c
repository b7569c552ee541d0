/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clients.h"

#include "access.h"
#include "address.h"
#include "log.h"
#include "machines.h"
#include "rhythm.h"
#include "sequence.h"
#include "updates.h"

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
        .share_per_s = spec->rate_per_s / spec->vms,
        .owed_most = owed_most(spec, spec->rate_per_s / spec->vms),
    };
    vm->node = vm->home;
    aft_owed_init(&vm->owed);
    aft_stream_init(&vm->arrivals, seed, replication, "vm.arrivals", stream);
    aft_stream_init(&vm->addresses, seed, replication, "vm.addresses", stream);
    aft_sequence_begin(vm);
    aft_updates_init(vm);
}

/* As many as there are units in a stripe of the pool. */
static void init_trace_kinds(AftClients *clients)
{
    clients->n_kinds = 1;
    for (guint i = 0; i < clients->pool->n_layouts; i++) {
        clients->n_kinds = MAX(clients->n_kinds, clients->pool->layouts[i].spec.data);
    }
    clients->kinds = g_new0(AftBlockKind, clients->n_kinds);
}

static void init_kinds(AftClients *clients)
{
    const AftWorkloadSpec *spec = clients->spec;
    g_autofree double *shares = g_new(double, spec->n_mix);
    clients->n_kinds = spec->n_mix;
    clients->kinds = g_new(AftBlockKind, spec->n_mix);
    for (guint i = 0; i < spec->n_mix; i++) {
        guint64 bytes = spec->mix[i].block_bytes;
        shares[i] = spec->mix[i].share;
        clients->kinds[i] = (AftBlockKind){
            .block_bytes = (guint32)bytes,
            .read_share = spec->mix[i].read_share,
            .read_work_ns = aft_access_work_ns(clients->pool, FALSE, bytes),
            .write_work_ns = aft_access_work_ns(clients->pool, TRUE, bytes),
        };
    }
    clients->mix = spec->n_mix > 1 ? aft_discrete_new(shares, spec->n_mix) : NULL;
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
    if (spec->kind == AFT_WORKLOAD_TRACE) {
        init_trace_kinds(clients);
    } else {
        init_kinds(clients);
    }
    aft_address_init(clients);
    aft_access_init(clients, scenario, replication);
    for (guint i = 0; i < spec->vms; i++) {
        init_vm(clients, i, scenario->run.seed, replication);
    }
    aft_machines_init(clients);
    aft_rhythm_init(clients, scenario->run.seed, replication);
}

void aft_clients_log_to(AftClients *clients, AftDestager *destager)
{
    clients->destager = destager;
}

void aft_clients_clear(AftClients *clients)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        aft_owed_clear(&clients->vms[i].owed);
        aft_updates_clear(&clients->vms[i]);
        g_free(clients->vms[i].spots);
    }
    for (AftRequest *request; (request = aft_request_queue_take(&clients->stalled)) != NULL;) {
        aft_request_free(request);
    }
    aft_access_clear(clients);
    g_clear_error(&clients->error);
    aft_address_clear(clients);
    aft_discrete_free(clients->mix);
    g_free(clients->kinds);
    aft_machines_clear(clients);
    g_free(clients->vms);
}

void aft_clients_start(AftClients *clients)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        clients->policy->start(&clients->vms[i]);
        aft_vm_take_slots(&clients->vms[i]);
    }
    aft_rhythm_start_fast(clients);
}

void aft_clients_tell_other_load(const AftClients *clients)
{
    if (clients->watch.load_changed != NULL) {
        clients->watch.load_changed(clients->watch.context);
    }
}

void aft_clients_pause(AftClients *clients, gboolean paused)
{
    if (clients->paused != paused) {
        clients->paused = paused;
        clients->policy->paused(clients);
    }
}

void aft_clients_change_owed(AftClients *clients, gint64 by)
{
    clients->owed += by;
    clients->owed_changed(clients->model);
}

static void begin(AftVm *vm, AftRequest *request);

/* The data is lost: the I/O gives its slot back and is shed. */
static void give_up(AftVm *vm, AftRequest *request)
{
    g_assert(request->updates == NULL); /* only what has a plan gets a place */
    aft_request_free(request);
    vm->in_flight--;
    aft_owed_withdraw(&vm->owed);
    vm->shed++;
    vm->shed_lost++;
    aft_vm_take_slots(vm);
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
        .bytes = request->block_bytes,
        .latency_ns = now_ns - request->started_ns,
        .waited_ns = request->waited_ns,
    };
    if (clients->watch.completed != NULL) {
        clients->watch.completed(clients->watch.context, &completion);
    }
}

/* Whoever waited for the place of an update goes on. */
static void leave_place(AftVm *vm, AftUpdates *updates)
{
    AftRequest *next;
    updates->running--;
    while ((next = aft_updates_next(updates)) != NULL) {
        begin(vm, next);
    }
}

static void complete(AftVm *vm, AftRequest *request, gint64 now_ns)
{
    tell_completed(vm, request, now_ns);
    aft_request_free(request);
    vm->in_flight--;
    vm->served++;
    aft_vm_take_slots(vm);
    if (vm->clients->policy->served != NULL) {
        vm->clients->policy->served(vm);
    }
}

static void ended(AftRequest *request, AftOutcome outcome, gint64 now_ns)
{
    AftVm *vm = request->owner;
    AftUpdates *updates = request->updates;
    if (outcome == AFT_OUTCOME_ABORTED) {
        /* Its slot and its place were accounted for when its machine stopped. */
        aft_request_free(request);
        return;
    }
    if (outcome == AFT_OUTCOME_FAILED) {
        request->updates = NULL;
        begin(vm, request);
    } else {
        complete(vm, request, now_ns);
    }
    if (updates != NULL) { /* after what its end made the machine ask for */
        leave_place(vm, updates);
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
    guint units = (request->block_bytes + request->bytes - 1) / request->bytes;
    guint data = aft_pool_layout(clients->pool, request->group)->spec.data;
    request->bytes = request->block_bytes;
    request->decode_ns = request->update_ns = 0;
    aft_log_plan(clients->topology, device, request);
    /* Who writes block after block has filled the stripe before its turn comes. */
    aft_destager_logged(clients->destager, clients->topology->devices[device].buffer, request,
                        clients->spec->access == AFT_ACCESS_SEQUENTIAL ? data : units);
}

/* Through which node it goes, that of its machine if its storage works. Returns: whether there is
 * one. */
static gboolean choose_coordinator(const AftVm *vm, AftRequest *request)
{
    guint32 coordinator = aft_vm_coordinator(vm);
    request->coordinator = coordinator;
    request->host = coordinator == vm->node ? AFT_NOWHERE : vm->node;
    return coordinator != AFT_NOWHERE;
}

/* Whether @request has to wait: it is not known who is there, or there is no room for what it
 * writes. */
static gboolean must_wait(const AftVm *vm, AftRequest *request)
{
    const AftPool *pool = vm->clients->pool;
    gboolean full = request->write && pool->topology->n_full > 0 &&
                    !aft_pool_takes_writes(pool, request->group);
    return full || pool->groups[request->group].blocked > 0 || !choose_coordinator(vm, request);
}

/* Sends a request, new or failed, on its way by what is known of its group now. */
static void begin(AftVm *vm, AftRequest *request)
{
    AftClients *clients = vm->clients;
    const AftPool *pool = clients->pool;
    if (!pool->groups[request->group].used) {
        aft_address_follow(clients, request);
    }
    if (must_wait(vm, request)) {
        aft_request_queue_add(&clients->stalled, request);
        return;
    }
    if (vm->updates != NULL && !aft_updates_enter(vm, request)) {
        return;
    }
    if (!aft_address_plan(clients, request)) {
        give_up(vm, request);
        return;
    }
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
    request->heat = clients->heat;
    request->started_ns = aft_engine_now(clients->topology->engine);
    request->waited_ns = waited_ns;
    if (G_LIKELY(clients->plain)) {
        aft_address_choose(clients, &vm->addresses, request);
    } else {
        aft_access_choose(vm, request);
    }
    vm->in_flight++;
    clients->writes += request->write;
    begin(vm, request);
}

/* Where all data is lost there is nothing to address. */
static gboolean can_begin(const AftVm *vm)
{
    return vm->running && vm->in_flight < vm->slots && vm->clients->set->n_live > 0 &&
           !vm->clients->quiet;
}

void aft_vm_take_slots(AftVm *vm)
{
    while (vm->owed.count > 0 && can_begin(vm)) {
        gint64 waited_ns = aft_owed_take(&vm->owed, aft_vm_now_ns(vm));
        aft_clients_change_owed(vm->clients, -1);
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
        aft_owed_add(&vm->owed, aft_vm_now_ns(vm));
        aft_clients_change_owed(vm->clients, 1);
    }
}

/* The node that dies, and whose machines with it. */
typedef struct {
    const AftClients *clients;
    guint node;
} Death;

static gboolean is_orphaned(AftRequest *request, void *context)
{
    const Death *death = context;
    return request->done == ended && ((AftVm *)request->owner)->clients == death->clients &&
           aft_vm_runs_on(request->owner, death->node);
}

static void forget_stalled(AftClients *clients, const Death *death)
{
    AftRequestQueue stalled = clients->stalled;
    clients->stalled = (AftRequestQueue){0};
    for (AftRequest *request; (request = aft_request_queue_take(&stalled)) != NULL;) {
        if (aft_vm_runs_on(request->owner, death->node)) {
            aft_request_free(request);
        } else {
            aft_request_queue_add(&clients->stalled, request);
        }
    }
}

void aft_clients_abort(AftClients *clients, guint node)
{
    Death death = {clients, node};
    aft_executor_abort(clients->executor, is_orphaned, &death);
    forget_stalled(clients, &death);
    for (guint i = 0; i < clients->n_vms; i++) {
        if (aft_vm_runs_on(&clients->vms[i], node)) {
            aft_updates_forget(&clients->vms[i]);
        }
    }
}

void aft_clients_retry_stalled(AftClients *clients)
{
    AftRequestQueue stalled = clients->stalled;
    clients->stalled = (AftRequestQueue){0};
    for (AftRequest *request; (request = aft_request_queue_take(&stalled)) != NULL;) {
        begin(request->owner, request);
    }
    for (guint i = 0; i < clients->n_vms; i++) {
        aft_vm_take_slots(&clients->vms[i]);
    }
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
        aft_updates_audit(vm);
        owed += vm->owed.count;
    }
    g_assert(owed == clients->owed);
}
