/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "destage.h"

#include "schemes.h"

#include <aftershock/scenario/services.h>
#include <math.h>

/* A log is far too long to remember all that is in it. Which of its stripes is destaged next does
 * not matter, as long as it is one of those: the last ones of each buffer and pool stand for it. */
#define REMEMBERED 64

typedef struct {
    guint32 group;
    guint16 first, units; /* of the stripe, that were written at once */
    const AftHeat *heat;  /* (nullable): of who wrote them */
} Address;

typedef struct {
    Address address[REMEMBERED];
    guint n; /* so far */
} Log;

/* What a destage in flight is about. */
typedef struct {
    AftDestager *destager;
    AftBuffer *buffer;
    AftClaim claim;
} Destage;

struct AftDestager {
    const AftScenario *scenario;
    GPtrArray *pools;
    AftExecutor *executor;
    AftTopology *topology;
    Log *logs;      /* (nullable): buffer x pool */
    gboolean quiet; /* nothing is issued */
    AftStream chance;
    guint n_full;
    void (*full_changed)(void *context); /* (nullable) */
    void *context;
    GHashTable *in_flight; /* Destage: to be freed with the destager */
};

static void filled(void *context, AftBuffer *buffer)
{
    aft_destager_pump(context, buffer);
}

AftDestager *aft_destager_new(const AftScenario *scenario, GPtrArray *pools, AftExecutor *executor,
                              AftTopology *topology, guint32 replication)
{
    AftDestager *destager = g_new0(AftDestager, 1);
    destager->scenario = scenario;
    destager->pools = pools;
    destager->executor = executor;
    destager->topology = topology;
    destager->in_flight = g_hash_table_new_full(NULL, NULL, g_free, NULL);
    if (scenario->tiers.parity == AFT_PARITY_DESTAGE) {
        destager->logs = g_new0(Log, (gsize)topology->n_buffers * pools->len);
    }
    aft_stream_init(&destager->chance, scenario->run.seed, replication, "destage.chance", 0);
    aft_executor_watch(executor, filled, destager);
    return destager;
}

void aft_destager_free(AftDestager *destager)
{
    if (destager != NULL) {
        g_hash_table_unref(destager->in_flight);
        g_free(destager->logs);
        g_free(destager);
    }
}

void aft_destager_set_quiet(AftDestager *destager, gboolean quiet)
{
    destager->quiet = quiet;
}

void aft_destager_watch(AftDestager *destager, void (*full_changed)(void *context), void *context)
{
    destager->full_changed = full_changed;
    destager->context = context;
}

guint aft_destager_full(const AftDestager *destager)
{
    return destager->n_full;
}

static Log *log_of(const AftDestager *destager, const AftBuffer *buffer, guint pool)
{
    gsize index = (gsize)(buffer - destager->topology->buffers);
    return &destager->logs[index * destager->pools->len + pool];
}

void aft_destager_logged(AftDestager *destager, const AftBuffer *buffer, const AftRequest *request,
                         guint units)
{
    Log *log = log_of(destager, buffer, request->pool);
    log->address[log->n++ % REMEMBERED] =
        (Address){request->group, (guint16)request->first, (guint16)units, request->heat};
}

static guint pool_of(const Destage *destage)
{
    return destage->claim.cell / destage->buffer->n_behind;
}

static void finish(Destage *destage, AftClaimEnd end)
{
    AftDestager *destager = destage->destager;
    AftBuffer *buffer = destage->buffer;
    buffer->in_flight--;
    aft_buffer_settle(buffer, &destage->claim, end);
    g_hash_table_remove(destager->in_flight, destage);
    aft_executor_admit(destager->executor, buffer);
    aft_destager_pump(destager, buffer);
}

/* Whether the capacity device that it was to go to is lost, with the cache device still there. */
static gboolean has_no_target(const Destage *destage)
{
    const AftTopology *topology = destage->destager->topology;
    const AftBuffer *buffer = destage->buffer;
    guint32 target = aft_topology_behind(buffer, destage->claim.cell % buffer->n_behind);
    return destage->destager->logs == NULL && topology->devices[buffer->device].up &&
           !topology->devices[target].up;
}

static void ended(AftRequest *request, AftOutcome outcome, gint64 now_ns G_GNUC_UNUSED)
{
    Destage *destage = request->owner;
    aft_request_free(request);
    finish(destage, outcome == AFT_OUTCOME_DONE ? AFT_CLAIM_DESTAGED
                    : has_no_target(destage)    ? AFT_CLAIM_LOST
                                                : AFT_CLAIM_KEPT);
}

static void lost(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    finish(context, AFT_CLAIM_LOST);
}

static AftClass class_of(const AftTierSpec *tiers)
{
    return tiers->priority > 0 ? AFT_CLASS_P1 + tiers->priority - 1 : AFT_CLASS_DESTAGE;
}

static AftRequest *request_new(Destage *destage, guint units)
{
    AftRequest *request = aft_request_new(destage->destager->executor);
    const AftPool *pool = destage->destager->pools->pdata[pool_of(destage)];
    request->done = ended;
    request->owner = destage;
    request->plan = &request->own_plan;
    request->coordinator = destage->buffer->node;
    request->class = class_of(&destage->destager->scenario->tiers);
    request->bytes = (guint32)ceil(destage->claim.bytes / units);
    request->route = AFT_ROUTE_DIRECT;
    request->pool = pool_of(destage);
    request->charge = &pool->destage;
    return request;
}

static void add_step(AftRequest *request, guint member, guint32 device, gboolean write)
{
    AftPlan *plan = &request->own_plan;
    guint at = MAX(plan->stage_begin[plan->n_stages], plan->stage_begin[plan->n_stages + 1]);
    aft_plan_add(plan, aft_members(member, 1), write);
    request->device[at] = device;
}

/* A copy from the cache device to a capacity device behind it. */
static AftRequest *copy(Destage *destage)
{
    const AftBuffer *buffer = destage->buffer;
    AftRequest *request = request_new(destage, 1);
    guint behind = destage->claim.cell % buffer->n_behind;
    request->own_plan = (AftPlan){.possible = TRUE};
    add_step(request, 0, buffer->device, FALSE);
    aft_plan_end_stage(&request->own_plan);
    add_step(request, 0, aft_topology_behind(buffer, behind), TRUE);
    aft_plan_end_stage(&request->own_plan);
    return request;
}

/* Any data unit of the pool. */
static Address draw_any(AftDestager *destager, const AftPool *pool)
{
    guint chunk = (guint)aft_stream_below(&destager->chance, pool->n_chunks);
    guint32 group = aft_pool_group_of(pool, chunk);
    guint data = aft_pool_layout(pool, group)->spec.data;
    guint first = (guint)aft_stream_below(&destager->chance, data);
    return (Address){.group = group, .first = (guint16)first, .units = 1};
}

/* A stripe that the log holds; of one that only stands for what was there at the start, any. What
 * has been converted meanwhile is where it has come to. */
static Address draw_address(AftDestager *destager, const Destage *destage)
{
    const Log *log = log_of(destager, destage->buffer, pool_of(destage));
    const AftPool *pool = destager->pools->pdata[pool_of(destage)];
    guint n = MIN(log->n, REMEMBERED);
    if (n == 0) {
        return draw_any(destager, pool);
    }
    Address address = log->address[aft_stream_below(&destager->chance, n)];
    if (!pool->groups[address.group].used) {
        guint unit;
        address.group = aft_pool_follow(pool, address.group, address.first, &unit);
        address.first = (guint16)unit;
    }
    return address;
}

/* How many units of a stripe are dirty: those written at once, or by chance beside one. */
static guint draw_units(AftDestager *destager, const Destage *destage, guint data,
                        const Address *address)
{
    double chance = aft_buffer_overwrite_chance(destage->buffer, address->heat);
    guint units = 1;
    for (guint i = 1; i < data; i++) {
        units += aft_stream_uniform(&destager->chance) < chance;
    }
    return MAX(units, MIN(address->units, data));
}

/* Claims what has coalesced with what is claimed, in the stripe of @data units at @address.
 * Returns: the units of all. */
static guint claim_coalesced(AftDestager *destager, Destage *destage, guint data,
                             const Address *address)
{
    double unit_bytes = (double)destager->scenario->tiers.unit_bytes;
    guint units = draw_units(destager, destage, data, address);
    aft_buffer_claim_more(destage->buffer, &destage->claim, (units - 1) * unit_bytes);
    return (guint)CLAMP(destage->claim.bytes / unit_bytes, 1.0, units);
}

/* The steps of @plan, with the reads of the log before them. */
static void adopt(AftRequest *request, const AftPlan *plan, const Destage *destage, guint units,
                  const guint32 *devices)
{
    request->own_plan = (AftPlan){.possible = TRUE, .degraded = plan->degraded};
    for (guint i = 0; i < units; i++) {
        add_step(request, 0, destage->buffer->device, FALSE);
    }
    for (guint stage = 0; stage < plan->n_stages; stage++) {
        if (stage > 0 || plan->step[0].write) {
            aft_plan_end_stage(&request->own_plan);
        }
        for (guint i = plan->stage_begin[stage]; i < plan->stage_begin[stage + 1]; i++) {
            guint member = plan->step[i].member;
            add_step(request, member, devices[member], plan->step[i].write != 0);
        }
    }
    aft_plan_end_stage(&request->own_plan);
}

/* The plan of a write to a stripe that is in the log. Returns: (nullable): it is not known yet
 * which members there are, or the stripe is lost and so is what the log has of it. */
static AftRequest *carry_out(Destage *destage, gboolean *ret_lost)
{
    AftDestager *destager = destage->destager;
    const AftPool *pool = destager->pools->pdata[pool_of(destage)];
    Address address = draw_address(destager, destage);
    const AftGroup *group = &pool->groups[address.group];
    const AftProtectionSpec *spec = &aft_pool_layout(pool, address.group)->spec;
    guint units = claim_coalesced(destager, destage, spec->data, &address);
    guint32 devices[AFT_WIDTH_MOST];
    AftPlan plan;
    AftPlanRequest wish = {
        .operation = AFT_OPERATION_WRITE,
        .first = MIN(address.first, spec->data - units),
        .units = units,
        .current =
            aft_pool_locate(pool, address.group, aft_stream_uniform(&destager->chance), devices),
    };
    aft_protection_plan(spec, &wish, &plan);
    *ret_lost = group->blocked == 0 && !plan.possible;
    if (group->blocked > 0 || !plan.possible) {
        return NULL;
    }
    AftRequest *request = request_new(destage, units);
    request->decode_ns = spec->degraded_ns + aft_services_degraded_ns(pool->spec);
    adopt(request, &plan, destage, units, devices);
    return request;
}

static Destage *destage_new(AftDestager *destager, AftBuffer *buffer, const AftClaim *claim)
{
    Destage *destage = g_new(Destage, 1);
    *destage = (Destage){destager, buffer, *claim};
    g_hash_table_add(destager->in_flight, destage);
    return destage;
}

static void forget(Destage *destage)
{
    aft_buffer_settle(destage->buffer, &destage->claim, AFT_CLAIM_KEPT);
    g_hash_table_remove(destage->destager->in_flight, destage);
}

/* Returns: FALSE when it has to wait. */
static gboolean begin(AftDestager *destager, AftBuffer *buffer, const AftClaim *claim)
{
    gboolean data_lost = FALSE;
    Destage *destage = destage_new(destager, buffer, claim);
    AftRequest *request = destager->logs == NULL ? copy(destage) : carry_out(destage, &data_lost);
    if (request == NULL && !data_lost) {
        forget(destage);
        return FALSE;
    }
    buffer->in_flight++;
    if (request != NULL) {
        aft_request_start(request);
    } else { /* as an event of its own, since it lets writes in, which begin destages */
        AftEngine *engine = destager->topology->engine;
        aft_engine_schedule(engine, aft_engine_now(engine), lost, destage);
    }
    return TRUE;
}

static void note_full(AftDestager *destager, AftBuffer *buffer)
{
    if (!aft_buffer_turns_full(buffer)) {
        return;
    }
    buffer->full = !buffer->full;
    destager->n_full += buffer->full ? 1 : 0;
    destager->n_full -= buffer->full ? 0 : 1;
    if (destager->full_changed != NULL) {
        destager->full_changed(destager->context);
    }
}

void aft_destager_pump(AftDestager *destager, AftBuffer *buffer)
{
    AftClaim claim;
    gboolean goes_on = destager->topology->devices[buffer->device].up && !destager->quiet;
    while (goes_on && buffer->in_flight < destager->scenario->tiers.in_flight &&
           aft_buffer_claim(buffer, &claim)) {
        goes_on = begin(destager, buffer, &claim);
    }
    note_full(destager, buffer);
}

void aft_destager_pump_all(AftDestager *destager)
{
    for (guint i = 0; i < destager->topology->n_buffers; i++) {
        aft_executor_admit(destager->executor, &destager->topology->buffers[i]);
        aft_destager_pump(destager, &destager->topology->buffers[i]);
    }
}
