/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sectors.h"

#include <math.h>

typedef struct {
    guint group;
    guint32 device;
    guint64 sector; /* of the member */
} Error;

struct AftSectors {
    AftPool *pool;
    AftSectorsUse use;
    GSequence *errors;  /* Error, in the order of compare() */
    GQueue repairs;     /* Repair, under way */
    GHashTable *harmed; /* a group: how many of its sectors are lost */
    AftSectorLoss loss; /* those of groups that are not lost as a whole */
    AftStream chance;
};

typedef struct {
    AftSectors *sectors;
    Error error;
    GList link; /* among the repairs */
} Repair;

static int compare(const void *a, const void *b, void *context G_GNUC_UNUSED)
{
    const Error *first = a, *second = b;
    if (first->group != second->group) {
        return first->group < second->group ? -1 : 1;
    }
    if (first->device != second->device) {
        return first->device < second->device ? -1 : 1;
    }
    return (first->sector > second->sector) - (first->sector < second->sector);
}

AftSectors *aft_sectors_new(AftPool *pool, const AftSectorsUse *use, guint32 replication)
{
    AftSectors *sectors = g_new0(AftSectors, 1);
    sectors->pool = pool;
    sectors->use = *use;
    sectors->errors = g_sequence_new(g_free);
    sectors->harmed = g_hash_table_new(NULL, NULL);
    g_queue_init(&sectors->repairs);
    aft_stream_init(&sectors->chance, pool->topology->scenario->run.seed, replication,
                    "sectors.met", pool->index);
    pool->sectors = sectors;
    return sectors;
}

void aft_sectors_free(AftSectors *sectors)
{
    if (sectors == NULL) {
        return;
    }
    sectors->pool->sectors = NULL;
    GList *link;
    while ((link = g_queue_pop_head_link(&sectors->repairs)) != NULL) {
        g_free(link->data);
    }
    g_sequence_free(sectors->errors);
    g_hash_table_unref(sectors->harmed);
    g_free(sectors);
}

/* The first error at or behind @error. */
static GSequenceIter *first_from(const AftSectors *sectors, Error error)
{
    GSequenceIter *found = g_sequence_lookup(sectors->errors, &error, compare, NULL);
    return found != NULL ? found : g_sequence_search(sectors->errors, &error, compare, NULL);
}

static gboolean is_spoiled(const AftSectors *sectors, guint group)
{
    GSequenceIter *it = first_from(sectors, (Error){.group = group});
    return !g_sequence_iter_is_end(it) && ((const Error *)g_sequence_get(it))->group == group;
}

static void add(AftSectors *sectors, Error error)
{
    if (g_sequence_lookup(sectors->errors, &error, compare, NULL) == NULL) {
        Error *copy = g_new(Error, 1);
        *copy = error;
        g_sequence_insert_sorted(sectors->errors, copy, compare, NULL);
        sectors->pool->groups[error.group].spoiled = TRUE;
    }
}

/* Takes out @it. Returns: what it was. */
static Error take(AftSectors *sectors, GSequenceIter *it)
{
    Error error = *(const Error *)g_sequence_get(it);
    g_sequence_remove(it);
    sectors->pool->groups[error.group].spoiled = is_spoiled(sectors, error.group);
    return error;
}

void aft_sectors_spoil(AftSectors *sectors, guint group, guint32 device, guint64 sector)
{
    add(sectors, (Error){group, device, sector});
}

guint aft_sectors_latent(const AftSectors *sectors)
{
    return (guint)g_sequence_get_length(sectors->errors);
}

/* The first error of @group on @device in @bytes from @offset on. Returns: (nullable). */
static GSequenceIter *find(const AftSectors *sectors, guint group, guint32 device, guint64 offset,
                           guint64 bytes)
{
    GSequenceIter *it = first_from(sectors, (Error){group, device, offset / AFT_SECTOR_BYTES});
    if (g_sequence_iter_is_end(it)) {
        return NULL;
    }
    const Error *error = g_sequence_get(it);
    gboolean inside = error->group == group && error->device == device &&
                      error->sector <= (offset + bytes - 1) / AFT_SECTOR_BYTES;
    return inside ? it : NULL;
}

gboolean aft_sectors_has(const AftSectors *sectors, guint group, guint32 device, guint64 offset,
                         guint64 bytes)
{
    return find(sectors, group, device, offset, bytes) != NULL;
}

/* Where @sector is in its group, 0 to 1. */
static double position_of(const AftSectors *sectors, guint64 sector)
{
    return MIN((double)sector * AFT_SECTOR_BYTES / sectors->pool->member_bytes, 1.0);
}

/* What else is left of the stripe that @error is in. */
typedef struct {
    guint32 device[AFT_WIDTH_MOST];
    guint32 others; /* members that can be read there */
    guint member;   /* that has the error; the group's width: none any more */
} Rest;

static Rest look_at_rest(const AftSectors *sectors, const Error *error)
{
    Rest rest;
    guint width = aft_pool_layout(sectors->pool, error->group)->width;
    rest.others = aft_pool_locate(sectors->pool, error->group, position_of(sectors, error->sector),
                                  rest.device);
    rest.member = width;
    for (guint m = 0; m < width; m++) {
        guint64 offset = error->sector * AFT_SECTOR_BYTES;
        if (rest.device[m] == error->device) {
            rest.member = m;
            rest.others &= ~(1u << m);
        } else if (aft_sectors_has(sectors, error->group, rest.device[m], offset, 1)) {
            rest.others &= ~(1u << m);
        }
    }
    return rest;
}

static void repair_ended(AftRequest *request, AftOutcome outcome, gint64 now_ns G_GNUC_UNUSED)
{
    Repair *repair = request->owner;
    AftSectors *sectors = repair->sectors;
    aft_request_free(request);
    g_queue_unlink(&sectors->repairs, &repair->link);
    if (outcome != AFT_OUTCOME_DONE) {
        add(sectors, repair->error); /* it is still there, and will be met again */
    }
    g_free(repair);
}

static void plan_repair(const AftSectors *sectors, const Error *error, const Rest *rest,
                        AftRequest *request)
{
    const AftLayout *layout = aft_pool_layout(sectors->pool, error->group);
    AftPlanRequest wish = {
        .operation = AFT_OPERATION_REPAIR,
        .first = rest->member,
        .units = 1,
        .current = rest->others,
        .turn = (guint)error->sector,
    };
    aft_protection_plan(&layout->spec, &wish, &request->own_plan);
    request->plan = &request->own_plan;
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        request->device[i] = rest->device[request->plan->step[i].member];
    }
}

static void repair(AftSectors *sectors, const Error *error, const Rest *rest)
{
    AftPool *pool = sectors->pool;
    AftRequest *request = aft_request_new(sectors->use.executor);
    Repair *it = g_new0(Repair, 1);
    *it = (Repair){.sectors = sectors, .error = *error};
    it->link.data = it;
    g_queue_push_tail_link(&sectors->repairs, &it->link);
    plan_repair(sectors, error, rest, request);
    request->done = repair_ended;
    request->owner = it;
    request->coordinator = pool->topology->devices[error->device].node;
    request->class = sectors->use.class;
    request->route = sectors->use.route;
    request->pool = pool->index;
    request->charge = &pool->background;
    request->bytes = AFT_SECTOR_BYTES;
    aft_request_start(request);
}

/* Of striped data, the units that are not among @others; of copies, the one that all have. */
static double lose(AftSectors *sectors, const Error *error, guint32 others)
{
    const AftProtectionSpec *spec = &aft_pool_layout(sectors->pool, error->group)->spec;
    guint32 data = (guint32)((G_GUINT64_CONSTANT(1) << spec->data) - 1);
    guint units =
        aft_protection_get(spec->kind)->striped ? (guint)__builtin_popcount(data & ~others) : 1;
    gpointer group = GUINT_TO_POINTER(error->group);
    guint before = GPOINTER_TO_UINT(g_hash_table_lookup(sectors->harmed, group));
    g_hash_table_insert(sectors->harmed, group, GUINT_TO_POINTER(before + units));
    if (!sectors->pool->groups[error->group].lost) {
        sectors->loss.groups += before == 0 ? 1 : 0;
        sectors->loss.bytes += (double)units * AFT_SECTOR_BYTES;
    }
    return (double)units * AFT_SECTOR_BYTES;
}

static void tell(const AftSectors *sectors, const char *event, guint32 device, const char *detail)
{
    g_autofree char *subject =
        g_strdup_printf("node %u", sectors->pool->topology->devices[device].node);
    sectors->use.happened(sectors->use.context, event, subject, detail);
}

static void tell_met(const AftSectors *sectors, guint group, guint32 device, guint found,
                     double lost_bytes, const char *by)
{
    g_autofree char *where =
        g_strdup_printf("group %u of pool %s", group, sectors->pool->spec->name);
    g_autofree char *met =
        g_strdup_printf("%u sector%s in %s, found by %s", found, found == 1 ? "" : "s", where, by);
    tell(sectors, "sector-error", device, met);
    if (lost_bytes > 0.0) {
        g_autofree char *lost = g_strdup_printf("%.0f bytes in %s", lost_bytes, where);
        tell(sectors, "sector-loss", device, lost);
    }
}

/* Somebody has met @error, taken out of the list. Returns: logical bytes that are lost. */
static double meet(AftSectors *sectors, const Error *error, gboolean simulated)
{
    const AftLayout *layout = aft_pool_layout(sectors->pool, error->group);
    Rest rest = look_at_rest(sectors, error);
    if (!aft_protection_readable(&layout->spec, rest.others)) {
        return lose(sectors, error, rest.others);
    }
    if (simulated && rest.member < layout->width) {
        repair(sectors, error, &rest);
    }
    return 0.0;
}

gboolean aft_sectors_read(AftSectors *sectors, guint group, guint32 device, guint64 offset,
                          guint64 bytes, const char *by, gboolean simulated)
{
    GSequenceIter *it;
    guint found = 0;
    double lost_bytes = 0.0;
    while (bytes > 0 && (it = find(sectors, group, device, offset, bytes)) != NULL) {
        Error error = take(sectors, it);
        lost_bytes += meet(sectors, &error, simulated);
        found++;
    }
    if (found > 0) {
        tell_met(sectors, group, device, found, lost_bytes, by);
    }
    return found > 0;
}

void aft_sectors_write(AftSectors *sectors, guint group, guint32 device, guint64 offset,
                       guint64 bytes)
{
    GSequenceIter *it;
    while (bytes > 0 && (it = find(sectors, group, device, offset, bytes)) != NULL) {
        take(sectors, it);
    }
}

void aft_sectors_forget(AftSectors *sectors, guint group, guint32 device)
{
    if (sectors != NULL && sectors->pool->groups[group].spoiled) {
        aft_sectors_write(sectors, group, device, 0, G_MAXUINT64);
    }
}

void aft_sectors_follow(AftSectors *sectors, guint from, guint to, guint32 device)
{
    GSequenceIter *it;
    if (sectors == NULL || from == to) {
        return;
    }
    while ((it = find(sectors, from, device, 0, G_MAXUINT64)) != NULL) {
        Error error = take(sectors, it);
        error.group = to;
        add(sectors, error);
    }
}

/* What clients do to @it with nothing simulated. Returns: whether it is gone. */
static gboolean met_by_clients(AftSectors *sectors, GSequenceIter *it, double write_share)
{
    const AftPool *pool = sectors->pool;
    Error error = *(const Error *)g_sequence_get(it);
    gboolean write = aft_stream_uniform(&sectors->chance) < write_share;
    guint chunk = aft_pool_first_chunk(pool, error.group);
    gboolean touched = write ? chunk < pool->hot_chunks : (double)chunk < pool->working_chunks;
    if (!touched || pool->groups[error.group].blocked > 0 || pool->groups[error.group].lost) {
        return FALSE;
    }
    if (write) {
        take(sectors, it);
    } else {
        aft_sectors_read(sectors, error.group, error.device, error.sector * AFT_SECTOR_BYTES,
                         AFT_SECTOR_BYTES, "client", FALSE);
    }
    return TRUE;
}

/* Each error is met with the same small chance, so what is drawn is how many are passed over. */
void aft_sectors_skip(AftSectors *sectors, double written_bytes, double read_bytes)
{
    double touched = (written_bytes + read_bytes) / sectors->pool->member_bytes;
    double at = 0.0;
    while (touched > 0.0 && at < aft_sectors_latent(sectors)) {
        /* The chance 1 - exp(-touched) each: the gap to the next is geometric. */
        at += floor(aft_stream_exponential(&sectors->chance) / touched);
        if (at >= aft_sectors_latent(sectors)) {
            return;
        }
        GSequenceIter *it = g_sequence_get_iter_at_pos(sectors->errors, (gint)at);
        at += met_by_clients(sectors, it, written_bytes / (written_bytes + read_bytes)) ? 0.0 : 1.0;
    }
}

void aft_sectors_turn(AftSectors *sectors, guint group, gboolean lost)
{
    guint units =
        sectors == NULL
            ? 0
            : GPOINTER_TO_UINT(g_hash_table_lookup(sectors->harmed, GUINT_TO_POINTER(group)));
    if (units > 0) {
        sectors->loss.groups += lost ? -1u : 1;
        sectors->loss.bytes += (lost ? -1.0 : 1.0) * units * AFT_SECTOR_BYTES;
    }
}

AftSectorLoss aft_sectors_lost(const AftSectors *sectors)
{
    return sectors->loss;
}
