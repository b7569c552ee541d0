/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "updates.h"

#include "address.h"

void aft_updates_init(AftVm *vm)
{
    const AftPool *pool = vm->clients->pool;
    guint limits = 0;
    for (guint i = 0; i < pool->n_layouts; i++) {
        limits += pool->layouts[i].spec.updates > 0;
    }
    if (limits == 0) {
        return;
    }
    vm->updates = g_new0(AftUpdates, pool->n_layouts);
    for (guint i = 0; i < pool->n_layouts; i++) {
        vm->updates[i].most = pool->layouts[i].spec.updates;
    }
}

static void drop(AftRequestQueue *queue)
{
    AftRequest *request;
    while ((request = aft_request_queue_take(queue)) != NULL) {
        aft_request_free(request);
    }
}

void aft_updates_forget(AftVm *vm)
{
    for (guint i = 0; vm->updates != NULL && i < vm->clients->pool->n_layouts; i++) {
        AftUpdates *updates = &vm->updates[i];
        updates->running = 0;
        drop(&updates->reads);
        drop(&updates->writes);
    }
}

void aft_updates_clear(AftVm *vm)
{
    aft_updates_forget(vm);
    g_free(vm->updates);
}

static gboolean is_full(const AftUpdates *updates)
{
    return updates->most > 0 && updates->running >= updates->most;
}

gboolean aft_updates_enter(AftVm *vm, AftRequest *request)
{
    const AftClients *clients = vm->clients;
    AftUpdates *updates = &vm->updates[clients->pool->groups[request->group].layout];
    gboolean update = request->write && aft_address_reads_first(clients, request);
    if (is_full(updates) && (update || !request->write)) {
        aft_request_queue_add(update ? &updates->writes : &updates->reads, request);
        return FALSE;
    }
    if (update) {
        request->updates = updates;
        updates->running++;
    }
    return TRUE;
}

AftRequest *aft_updates_next(AftUpdates *updates)
{
    if (is_full(updates)) {
        return NULL;
    }
    AftRequest *read = aft_request_queue_take(&updates->reads);
    return read != NULL ? read : aft_request_queue_take(&updates->writes);
}

void aft_updates_audit(const AftVm *vm)
{
    for (guint i = 0; vm->updates != NULL && i < vm->clients->pool->n_layouts; i++) {
        const AftUpdates *updates = &vm->updates[i];
        gboolean empty = updates->reads.first == NULL && updates->writes.first == NULL;
        g_assert(empty || is_full(updates));
        g_assert(updates->most == 0 || updates->running <= updates->most);
    }
}
