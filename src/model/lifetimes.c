/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lifetimes.h"

#include "model_parts.h"
#include "outage.h"

#include <math.h>

/* A century: from any time on beyond the end of every run, and two of them fit in 63 bits. */
#define LONGEST_NS (36500.0 * 86400.0 * 1e9)
#define YEAR_NS    (365.0 * 86400.0 * 1e9)

typedef struct Kind Kind;

typedef struct {
    Kind *kind;
    AftPart part;
    double mean_ns; /* of its lives */
    AftStream stream;
    AftEvent next;    /* (slow) its death, or its return */
    guint64 outage;   /* number of the one that its death began; 0: it lives */
    gboolean follows; /* another that died takes it along */
} Life;

/* The parts that one item of the scenario is about. */
struct Kind {
    AftModel *model;
    const AftFaultSpec *spec; /* borrowed */
    AftVariate *life, *repair;
    Life *lives;
    guint n_lives;
};

struct AftLifetimes {
    Kind *kinds;
    guint n_kinds;
};

static gint64 later_ns(const AftModel *model, double by_ns)
{
    return aft_engine_scenario_now(model->engine) + (gint64)MIN(by_ns, LONGEST_NS);
}

static void die(void *context, gint64 now_ns);

static void live(Life *life)
{
    Kind *kind = life->kind;
    double ns = life->mean_ns * aft_variate_draw(kind->life, &life->stream);
    life->follows = FALSE;
    life->outage = 0;
    life->next =
        aft_engine_schedule_slow(kind->model->engine, later_ns(kind->model, ns), die, life);
}

static void come_back(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    Life *life = context;
    AftOutage *outage = aft_outage_find(life->kind->model, &life->part);
    if (outage != NULL && aft_outage_number(outage) == life->outage) {
        aft_outage_end(outage); /* nobody has brought it back before */
    }
    live(life);
}

/* Whether it could fail now: the timeline may have taken it down, or may not have added it yet. */
static gboolean can_fail(const Life *life)
{
    const AftModel *model = life->kind->model;
    gboolean there =
        life->part.kind == AFT_PART_RACK || !model->topology.nodes[life->part.node].absent;
    return there && aft_outage_find(model, &life->part) == NULL;
}

/* How many others a failure takes along: at least one, geometric. */
static guint draw_followers(Life *life)
{
    const AftFaultSpec *spec = life->kind->spec;
    double stop = 1.0 / spec->burst_size;
    guint followers = 1;
    while (followers < life->kind->n_lives && aft_stream_uniform(&life->stream) >= stop) {
        followers++;
    }
    return followers;
}

/* Whether @other could still be taken along by @life. */
static gboolean can_follow(const Life *other, const Life *life)
{
    return other != life && !other->follows && other->outage == 0 && can_fail(other);
}

/* One that lives, any of them. Returns: (nullable): there is none. */
static Life *draw_other(Life *life)
{
    const Kind *kind = life->kind;
    guint n = 0, i = 0;
    for (guint other = 0; other < kind->n_lives; other++) {
        n += can_follow(&kind->lives[other], life) ? 1 : 0;
    }
    if (n == 0) {
        return NULL;
    }
    for (guint skip = (guint)aft_stream_below(&life->stream, n);; i++) {
        if (can_follow(&kind->lives[i], life) && skip-- == 0) {
            return &kind->lives[i];
        }
    }
}

/* Lets @other die within the burst, unless it would have died even before. */
static void take_along(Life *life, Life *other)
{
    const Kind *kind = life->kind;
    AftEngine *engine = kind->model->engine;
    double within_ns = aft_stream_uniform(&life->stream) * (double)kind->spec->burst_within_ns;
    gint64 at_ns = later_ns(kind->model, within_ns);
    other->follows = TRUE;
    if (at_ns < aft_engine_due(engine, other->next)) {
        aft_engine_reschedule(engine, other->next, at_ns);
    }
}

static void burst(Life *life)
{
    const AftFaultSpec *spec = life->kind->spec;
    if (life->follows || spec->burst_share == 0.0 ||
        aft_stream_uniform(&life->stream) >= spec->burst_share) {
        return;
    }
    for (guint n = draw_followers(life); n > 0; n--) {
        Life *other = draw_other(life);
        if (other != NULL) {
            take_along(life, other);
        }
    }
}

static void die(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    Life *life = context;
    Kind *kind = life->kind;
    if (!can_fail(life)) {
        live(life);
        return;
    }
    double ns = (double)kind->spec->repair_ns * aft_variate_draw(kind->repair, &life->stream);
    burst(life);
    life->next =
        aft_engine_schedule_slow(kind->model->engine, later_ns(kind->model, ns), come_back, life);
    life->outage = aft_outage_number(aft_outage_begin(kind->model, &life->part, FALSE));
}

/* Of a device, its profile may tell it: with an annual failure rate f, of those alive at the start
 * of a year 1 - f live to its end. */
static double mean_ns(const Kind *kind, const AftPart *part)
{
    const AftTopology *topology = &kind->model->topology;
    if (kind->spec->every_ns > 0) {
        return (double)kind->spec->every_ns;
    }
    guint32 device = aft_topology_find_device(topology, part->node, part->group, part->device);
    return YEAR_NS / -log1p(-topology->devices[device].profile->afr);
}

static void add_life(Kind *kind, const AftPart *part)
{
    if ((kind->n_lives & (kind->n_lives - 1)) == 0) { /* a power of two: time to grow */
        kind->lives = g_renew(Life, kind->lives, MAX(2 * kind->n_lives, 1));
    }
    kind->lives[kind->n_lives] = (Life){.part = *part, .mean_ns = mean_ns(kind, part)};
    kind->n_lives++;
}

/* The parts of a node: one for the node itself, one a disk group, or one a capacity device. */
static void add_parts_of_node(Kind *kind, guint node)
{
    const AftTopology *topology = &kind->model->topology;
    const AftNode *it = &topology->nodes[node];
    AftPart part = {.kind = kind->spec->part, .node = node};
    guint32 end = it->first_device + it->n_devices;
    gboolean by_device = part.kind == AFT_PART_DEVICE;
    if (part.kind == AFT_PART_NODE || part.kind == AFT_PART_CONTROLLER) {
        add_life(kind, &part);
        return;
    }
    for (guint32 i = it->first_device; i < end; i++) {
        const AftDevice *device = &topology->devices[i];
        gboolean first = i == it->first_device || topology->devices[i - 1].group != device->group;
        gboolean fits =
            by_device ? !device->cache : first && (part.kind == AFT_PART_GROUP || device->cache);
        part.device = first || !by_device ? 0 : part.device;
        part.group = device->group;
        if (fits) {
            add_life(kind, &part);
            part.device += by_device ? 1 : 0;
        }
    }
}

static void add_parts(Kind *kind)
{
    const AftFaultSpec *spec = kind->spec;
    for (guint i = 0; i < spec->n_on_nodes; i++) {
        AftPart rack = {.kind = AFT_PART_RACK, .node = spec->on_nodes[i]};
        if (spec->part == AFT_PART_RACK) {
            add_life(kind, &rack);
        } else {
            add_parts_of_node(kind, spec->on_nodes[i]);
        }
    }
}

static void kind_init(Kind *kind, AftModel *model, guint index, guint32 replication)
{
    *kind = (Kind){.model = model, .spec = &model->scenario->faults[index]};
    kind->life = aft_variate_new(&kind->spec->life, NULL); /* the scenario was validated */
    kind->repair = aft_variate_new(&kind->spec->repair, NULL);
    g_assert(kind->life != NULL && kind->repair != NULL);
    add_parts(kind);
    for (guint i = 0; i < kind->n_lives; i++) {
        Life *life = &kind->lives[i];
        life->kind = kind;
        aft_stream_init(&life->stream, model->scenario->run.seed, replication, "fault.life",
                        index << 20 | i);
        live(life);
    }
}

AftLifetimes *aft_lifetimes_new(AftModel *model, guint32 replication)
{
    AftLifetimes *lifetimes = g_new(AftLifetimes, 1);
    lifetimes->n_kinds = model->scenario->n_faults;
    lifetimes->kinds = g_new(Kind, lifetimes->n_kinds);
    for (guint i = 0; i < lifetimes->n_kinds; i++) {
        kind_init(&lifetimes->kinds[i], model, i, replication);
    }
    return lifetimes;
}

void aft_lifetimes_free(AftLifetimes *lifetimes)
{
    for (guint i = 0; lifetimes != NULL && i < lifetimes->n_kinds; i++) {
        aft_variate_free(lifetimes->kinds[i].life);
        aft_variate_free(lifetimes->kinds[i].repair);
        g_free(lifetimes->kinds[i].lives);
    }
    if (lifetimes != NULL) {
        g_free(lifetimes->kinds);
        g_free(lifetimes);
    }
}

gboolean aft_lifetimes_any(const AftLifetimes *lifetimes)
{
    for (guint i = 0; i < lifetimes->n_kinds; i++) {
        if (lifetimes->kinds[i].n_lives > 0) {
            return TRUE;
        }
    }
    return FALSE;
}
