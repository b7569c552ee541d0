/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include "curator_parts.h"

typedef enum { NO_SCAN, PARTIAL, FULL } Kind;

struct AftScan {
    AftCurator *curator;
    AftEngine *engine;
    guint *first_item;                        /* of each pool: items are chunks, pool by pool */
    guint n_items;                            /* of all pools */
    guint waiting[AFT_TASKS], due[AFT_TASKS]; /* groups; due: for the scan in progress */
    Kind kind;                                /* of the scan in progress */
    gboolean found;                           /* it lets something begin */
    gint64 began_ns, length_ns;               /* of it; scenario time */
    guint *changed;                           /* items that a partial one passes; else NULL */
    guint n;                                  /* that it passes */
    guint next;                               /* of these */
    guint look;                               /* none before this one is due */
    guint last;                               /* nor any behind this one */
    AftEvent end, wake;
    gint64 full_ns, partial_ns; /* when the next of them starts */
};

static const char *const names[] = {[PARTIAL] = "partial", [FULL] = "full"};

/* The pool and the group, in use, that hold @item. */
static AftPool *find(const AftScan *scan, guint item, guint *ret_group)
{
    guint i = 0;
    while (i + 1 < scan->curator->pools->len && scan->first_item[i + 1] <= item) {
        i++;
    }
    AftPool *pool = scan->curator->pools->pdata[i];
    *ret_group = aft_pool_group_of(pool, item - scan->first_item[i]);
    return pool;
}

static guint item_of(const AftScan *scan, const AftPool *pool, guint group)
{
    return scan->first_item[pool->index] + aft_pool_first_chunk(pool, group);
}

static guint8 bit_of(guint task)
{
    return (guint8)(1u << task);
}

static AftTrigger trigger_of(const AftScan *scan, guint task)
{
    return scan->curator->scenario->background.task[task].trigger;
}

static gboolean triggers(const AftScan *scan, guint task)
{
    AftTrigger trigger = trigger_of(scan, task);
    return scan->kind == FULL ? trigger != AFT_TRIGGER_IMMEDIATE
                              : scan->kind == PARTIAL && trigger == AFT_TRIGGER_SCAN;
}

static void set_due(AftScan *scan, AftGroup *group, guint task)
{
    if (triggers(scan, task)) {
        group->due |= bit_of(task);
        scan->due[task]++;
        scan->found = TRUE;
    }
}

static void clear_due(AftScan *scan, AftGroup *group, guint task)
{
    if (group->due >> task & 1) {
        group->due &= (guint8)~bit_of(task);
        scan->due[task]--;
    }
}

static void clear_waits(AftScan *scan, AftGroup *group, guint task)
{
    if (group->waits >> task & 1) {
        group->waits &= (guint8)~bit_of(task);
        scan->waiting[task]--;
    }
}

static guint item_at(const AftScan *scan, guint i)
{
    return scan->changed != NULL ? scan->changed[i] : i;
}

/* When the scan in progress has passed the item that is number @i of what it passes. */
static gint64 passed_ns(const AftScan *scan, guint i)
{
    return scan->began_ns + (gint64)((double)scan->length_ns * ((double)(i + 1) / (double)scan->n));
}

static gboolean is_due(const AftScan *scan, guint item)
{
    guint group;
    const AftPool *pool = find(scan, item, &group);
    return pool->groups[group].due != 0;
}

/* Where nothing waits for it, a scan comes along unnoticed. */
static void catch_up_idly(AftScan *scan)
{
    gint64 now_ns = aft_engine_scenario_now(scan->engine);
    while (scan->next < scan->n && passed_ns(scan, scan->next) <= now_ns &&
           !is_due(scan, item_at(scan, scan->next))) {
        guint group;
        AftPool *pool = find(scan, item_at(scan, scan->next++), &group);
        pool->groups[group].unseen = FALSE;
    }
}

/* Work has arisen. A full scan in progress will find it if it has not come so far; of a partial one
 * it is decided at its start what it passes. */
static void begin_to_wait(AftScan *scan, AftPool *pool, guint group, guint task)
{
    AftGroup *it = &pool->groups[group];
    guint item = item_of(scan, pool, group);
    if (scan->kind != NO_SCAN) {
        catch_up_idly(scan);
    }
    it->waits |= bit_of(task);
    it->unseen = TRUE;
    scan->waiting[task]++;
    if (scan->kind == FULL && item >= scan->next) {
        set_due(scan, it, task);
        scan->look = MIN(scan->look, item);
        scan->last = MAX(scan->last, item);
    }
}

gboolean aft_scan_lets(AftScan *scan, AftPool *pool, guint group, AftTaskKind task)
{
    const AftGroup *it = &pool->groups[group];
    guint8 bit = bit_of(task);
    if (trigger_of(scan, task) == AFT_TRIGGER_IMMEDIATE || (it->passed & bit) != 0) {
        return TRUE;
    }
    if ((it->waits & bit) == 0) {
        begin_to_wait(scan, pool, group, task);
    }
    return FALSE;
}

void aft_scan_forget(AftScan *scan, AftPool *pool, guint group, AftTaskKind task)
{
    AftGroup *it = &pool->groups[group];
    clear_due(scan, it, task);
    clear_waits(scan, it, task);
    it->passed &= (guint8)~bit_of(task);
}

void aft_scan_forget_all(AftScan *scan, AftPool *pool, guint group)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        aft_scan_forget(scan, pool, group, (AftTaskKind)task);
    }
    pool->groups[group].unseen = FALSE;
}

static void pass(AftScan *scan, guint item)
{
    guint group;
    AftPool *pool = find(scan, item, &group);
    AftGroup *it = &pool->groups[group];
    guint8 due = it->due;
    it->unseen = FALSE;
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (due >> task & 1) {
            clear_due(scan, it, task);
            clear_waits(scan, it, task);
        }
    }
    it->passed |= due;
    if (due != 0) {
        aft_curator_review(scan->curator, pool, group);
    }
}

static gboolean any_due(const AftScan *scan)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (scan->due[task] > 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static void wake(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    const AftScan *scan = context;
    aft_curator_pump(scan->curator); /* which catches up */
    scan->curator->watch.arrived(scan->curator->watch.context);
}

/* Wakes the scan at @at_ns of scenario time, which a skip may bring earlier. */
static void wake_at(AftScan *scan, gint64 at_ns)
{
    gint64 engine_ns = aft_engine_now(scan->engine) + at_ns - aft_engine_scenario_now(scan->engine);
    gint64 due_ns = aft_engine_due(scan->engine, scan->wake);
    if (due_ns < 0) {
        scan->wake = aft_engine_schedule(scan->engine, engine_ns, wake, scan);
    } else if (due_ns != engine_ns) {
        aft_engine_reschedule(scan->engine, scan->wake, engine_ns);
    }
}

/* Lets the scan wake when it comes to the next group that waits for it. */
static void plan_wake(AftScan *scan)
{
    if (!any_due(scan)) {
        return;
    }
    scan->look = MAX(scan->look, scan->next);
    while (scan->look < scan->n && !is_due(scan, item_at(scan, scan->look))) {
        scan->look++;
    }
    if (scan->look < scan->n) {
        wake_at(scan, passed_ns(scan, scan->look));
    }
}

void aft_scan_catch_up(AftScan *scan)
{
    if (scan->kind == NO_SCAN) {
        return;
    }
    gint64 now_ns = aft_engine_scenario_now(scan->engine);
    while (scan->next < scan->n && passed_ns(scan, scan->next) <= now_ns) {
        pass(scan, item_at(scan, scan->next++));
    }
    plan_wake(scan);
}

static void tell(const AftScan *scan, const char *event)
{
    const AftCuratorWatch *watch = &scan->curator->watch;
    watch->happened(watch->context, event, "curator", names[scan->kind]);
}

/* Only what a scan has found, or might have, changes how the cluster works. */
static void tell_changed(const AftScan *scan)
{
    const AftCuratorWatch *watch = &scan->curator->watch;
    if (scan->found) {
        watch->changed(watch->context);
    }
}

static void finish(AftScan *scan)
{
    tell(scan, "scan-end");
    for (guint i = scan->next; i < scan->n; i++) { /* of one that was ended early */
        guint group;
        AftPool *pool = find(scan, item_at(scan, i), &group);
        for (guint task = 0; task < AFT_TASKS; task++) {
            clear_due(scan, &pool->groups[group], task);
        }
    }
    aft_engine_cancel(scan->engine, scan->wake);
    aft_engine_cancel(scan->engine, scan->end);
    g_clear_pointer(&scan->changed, g_free);
    scan->kind = NO_SCAN;
    tell_changed(scan);
}

static void end(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftScan *scan = context;
    aft_scan_catch_up(scan);
    finish(scan);
}

/* The items of groups that have changed since a scan passed them. */
static void choose_changed(AftScan *scan)
{
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < scan->curator->pools->len; i++) {
        const AftPool *pool = scan->curator->pools->pdata[i];
        for (guint chunk = 0; chunk < pool->n_chunks; chunk++) {
            guint group = aft_pool_group_of(pool, chunk), item = scan->first_item[i] + chunk;
            if (pool->groups[group].unseen && aft_pool_first_chunk(pool, group) == chunk) {
                g_array_append_val(items, item);
            }
        }
    }
    scan->n = items->len;
    scan->changed = (guint *)(void *)g_array_free(g_steal_pointer(&items), FALSE);
}

static void note_due(AftScan *scan)
{
    for (guint i = 0; i < scan->n; i++) {
        guint group;
        AftPool *pool = find(scan, item_at(scan, i), &group);
        AftGroup *it = &pool->groups[group];
        for (guint task = 0; task < AFT_TASKS; task++) {
            if ((it->waits & ~it->due) >> task & 1) {
                set_due(scan, it, task);
                scan->last = i;
            }
        }
    }
}

static void begin(AftScan *scan, Kind kind)
{
    const AftScanSpec *spec = &scan->curator->scenario->background.scan;
    scan->kind = kind;
    scan->found = FALSE;
    scan->n = scan->n_items;
    scan->next = scan->look = scan->last = 0;
    scan->began_ns = aft_engine_scenario_now(scan->engine);
    if (kind == PARTIAL) {
        choose_changed(scan);
    }
    scan->length_ns = (gint64)((double)spec->length_ns * ((double)scan->n / scan->n_items));
    note_due(scan);
    tell(scan, "scan-start");
    scan->end = aft_engine_schedule_slow(scan->engine, scan->began_ns + scan->length_ns, end, scan);
    tell_changed(scan);
}

/* One time of each timer after another, so that they never drift. */
static void begin_full(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftScan *scan = context;
    scan->full_ns += scan->curator->scenario->background.scan.full_ns;
    aft_engine_schedule_slow(scan->engine, scan->full_ns, begin_full, scan);
    if (scan->kind != NO_SCAN) {
        aft_scan_catch_up(scan);
        finish(scan);
    }
    begin(scan, FULL);
}

static void begin_partial(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftScan *scan = context;
    scan->partial_ns += scan->curator->scenario->background.scan.partial_ns;
    aft_engine_schedule_slow(scan->engine, scan->partial_ns, begin_partial, scan);
    if (scan->kind == NO_SCAN) {
        begin(scan, PARTIAL);
    }
}

AftScan *aft_scan_new(AftCurator *curator)
{
    const AftScanSpec *spec = &curator->scenario->background.scan;
    AftScan *scan = g_new0(AftScan, 1);
    scan->curator = curator;
    scan->engine = curator->topology->engine;
    scan->first_item = g_new(guint, curator->pools->len);
    for (guint i = 0; i < curator->pools->len; i++) {
        scan->first_item[i] = scan->n_items;
        scan->n_items += ((const AftPool *)curator->pools->pdata[i])->n_chunks;
    }
    if (spec->full_ns != G_MAXINT64) {
        aft_engine_schedule_slow(scan->engine, 0, begin_full, scan);
    }
    if (spec->partial_ns != G_MAXINT64) {
        scan->partial_ns = spec->partial_ns;
        aft_engine_schedule_slow(scan->engine, scan->partial_ns, begin_partial, scan);
    }
    return scan;
}

void aft_scan_free(AftScan *scan)
{
    if (scan != NULL) {
        g_free(scan->changed);
        g_free(scan->first_item);
        g_free(scan);
    }
}

gboolean aft_scan_feeds(const AftScan *scan, AftTaskKind task)
{
    return scan->due[task] > 0;
}

gint64 aft_scan_left_ns(const AftScan *scan)
{
    gint64 now_ns = aft_engine_scenario_now(scan->engine);
    return any_due(scan) ? MAX(passed_ns(scan, scan->last) - now_ns, 0) : 0;
}

gboolean aft_scan_waits(const AftScan *scan, AftTaskKind task)
{
    const AftScanSpec *spec = &scan->curator->scenario->background.scan;
    gboolean comes = spec->full_ns != G_MAXINT64 ||
                     (spec->partial_ns != G_MAXINT64 && trigger_of(scan, task) == AFT_TRIGGER_SCAN);
    return scan->waiting[task] > 0 && comes;
}
