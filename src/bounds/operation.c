/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operation.h"

#include "parts.h"

#include <aftershock/scenario/services.h>
#include <math.h>

#define LOGS 2 /* that a write goes to, on two nodes */

guint aft_stripe_states(const AftProtectionSpec *spec, double missing, AftStripeState *ret_states)
{
    guint width = aft_protection_width(spec), n = 0;
    guint32 everyone = aft_protection_everyone(spec);
    double complete = 1.0 - width * missing;
    if (complete > 1e-12) { /* rounding */
        ret_states[n++] = (AftStripeState){everyone, complete};
    }
    for (guint member = 0; member < width && missing > 0.0; member++) {
        ret_states[n++] = (AftStripeState){everyone & ~((guint32)1 << member), missing};
    }
    return n;
}

AftVisit aft_visit_client(const AftSetting *setting, const AftPoolSpec *pool, gboolean write,
                          double bytes, double times)
{
    AftServiceCost service = write ? aft_services_write(pool) : aft_services_read(pool);
    return (AftVisit){
        .write = write,
        .follows = setting->follows,
        .place = AFT_AT_MEMBER,
        .asked = TRUE,
        .times = times,
        .remote = setting->remote,
        .crossing = 1.0,
        .bytes = bytes,
        .cache_bytes = bytes * aft_services_inline_ratio(pool),
        .capacity_bytes = bytes * aft_services_ratio(pool),
        .map_ios = service.metadata,
        .work_factor = 1.0,
        .paced = TRUE,
        .delay_s = (double)service.delay_ns / 1e9,
    };
}

double aft_plan_response_s(const AftPlan *plan, double read_s, double write_s)
{
    double response_s = 0.0;
    for (guint stage = 0; stage < plan->n_stages; stage++) {
        double slowest_s = 0.0;
        for (guint i = plan->stage_begin[stage]; i < plan->stage_begin[stage + 1]; i++) {
            slowest_s = MAX(slowest_s, plan->step[i].write ? write_s : read_s);
        }
        response_s += slowest_s;
    }
    return response_s;
}

/* What is read from a cache goes with the first reads of the plan, or before its writes. */
static AftCourse course_of(const AftPlan *plan, const AftCourse *like)
{
    AftCourse course = *like;
    guint before = like->cache_reads > 0 && plan->step[0].write ? 1 : 0;
    course.degraded = plan->degraded;
    course.n_stages = before + plan->n_stages;
    for (guint stage = 0; stage < plan->n_stages; stage++) {
        for (guint i = plan->stage_begin[stage]; i < plan->stage_begin[stage + 1]; i++) {
            course.writes[before + stage] += plan->step[i].write;
            course.reads[before + stage] += !plan->step[i].write;
        }
    }
    return course;
}

static gboolean is_alike(const AftCourse *a, const AftCourse *b)
{
    gboolean alike = a->n_stages == b->n_stages && a->degraded == b->degraded &&
                     a->units == b->units && a->cache_reads == b->cache_reads &&
                     a->cache_writes == b->cache_writes;
    for (guint stage = 0; stage < AFT_STAGES_MOST; stage++) {
        alike = alike && a->reads[stage] == b->reads[stage] && a->writes[stage] == b->writes[stage];
    }
    return alike;
}

static AftCourse *find_course(AftOperationCost *cost, const AftCourse *like)
{
    if (cost->courses == NULL) {
        cost->courses = g_array_new(FALSE, FALSE, sizeof(AftCourse));
    }
    for (guint i = 0; i < cost->courses->len; i++) {
        AftCourse *course = &g_array_index(cost->courses, AftCourse, i);
        if (is_alike(course, like)) {
            return course;
        }
    }
    g_array_append_val(cost->courses, *like);
    return &g_array_index(cost->courses, AftCourse, cost->courses->len - 1);
}

void aft_cost_add_plan(AftOperationCost *cost, const AftPlan *plan, double share,
                       const AftCourse *like)
{
    AftCourse course = course_of(plan, like);
    find_course(cost, &course)->share += share;
    for (guint stage = 0; stage < course.n_stages; stage++) {
        cost->reads += share * course.reads[stage];
        cost->writes += share * course.writes[stage];
    }
    cost->degraded += plan->degraded ? share : 0.0;
}

/* Sums of chances that are equal may differ in their last digits. */
static double comparable(gconstpointer course)
{
    return round(((const AftCourse *)course)->share * 1e9);
}

static gint by_share(gconstpointer a, gconstpointer b)
{
    return (comparable(a) < comparable(b)) - (comparable(a) > comparable(b));
}

void aft_cost_sort(AftOperationCost *cost)
{
    if (cost->courses != NULL) {
        g_array_sort(cost->courses, by_share);
    }
}

static void mix_courses(AftOperationCost *cost, const GArray *courses, double weight)
{
    for (guint i = 0; i < courses->len; i++) {
        AftCourse like = g_array_index(courses, AftCourse, i);
        double share = like.share;
        like.share = 0.0;
        find_course(cost, &like)->share += weight * share;
    }
}

static double hits_of(const AftOperationCost *cost, double weight)
{
    return weight * cost->reads * cost->hits;
}

void aft_cost_mix(AftOperationCost *cost, const AftOperationCost *part, double weight)
{
    double hits = hits_of(cost, 1.0) + hits_of(part, weight);
    if (part->courses != NULL && weight > 0.0) {
        mix_courses(cost, part->courses, weight);
    }
    cost->bytes += weight * part->bytes;
    cost->reads += weight * part->reads;
    cost->writes += weight * part->writes;
    cost->map_ios += weight * part->map_ios;
    cost->hits = cost->reads > 0.0 ? hits / cost->reads : 0.0;
    cost->degraded += weight * part->degraded;
    cost->updates += weight * part->updates;
    cost->held_s += weight * part->held_s;
    cost->response_s += weight * part->response_s;
    cost->controller_bytes += weight * part->controller_bytes;
    cost->network_bytes += weight * part->network_bytes;
    cost->cache_read_bytes += weight * part->cache_read_bytes;
    cost->cache_written_bytes += weight * part->cache_written_bytes;
    cost->capacity_read_bytes += weight * part->capacity_read_bytes;
    cost->capacity_written_bytes += weight * part->capacity_written_bytes;
}

void aft_cost_settle(AftOperationCost *cost, double served)
{
    if (served <= 0.0) {
        return;
    }
    cost->reads /= served;
    cost->writes /= served;
    cost->degraded /= served;
    cost->updates /= served;
    cost->held_s /= served;
    cost->response_s /= served;
    for (guint i = 0; i < cost->courses->len; i++) {
        g_array_index(cost->courses, AftCourse, i).share /= served;
    }
    aft_cost_sort(cost);
}

/* What parts of an operation take when nobody waits, s. */
typedef struct {
    double read_s, write_s;    /* steps */
    double decode_s, update_s; /* the coordinator's work on a degraded plan, on an update */
} Times;

static void add_plan(const AftPlan *plan, AftOperation operation, double share, const Times *times,
                     const AftCourse *like, AftOperationCost *cost)
{
    gboolean update = operation == AFT_OPERATION_WRITE && !plan->step[0].write;
    double response_s = aft_plan_response_s(plan, times->read_s, times->write_s) +
                        (plan->degraded ? times->decode_s : 0.0) + (update ? times->update_s : 0.0);
    aft_cost_add_plan(cost, plan, share, like);
    cost->response_s += share * response_s;
    cost->updates += update ? share : 0.0;
    cost->held_s += update ? share * response_s : 0.0;
}

/* Plans of @operation in all places and states. */
static double add_plans(const AftSetting *setting, const AftProtectionSpec *spec, guint units,
                        AftOperation operation, const Times *times, AftOperationCost *cost)
{
    const AftCourse like = {.units = units};
    guint choices = aft_protection_choices(spec, units);
    double served = 0.0;
    AftStripeState states[AFT_WIDTH_MOST + 1];
    guint n = aft_stripe_states(spec, setting->nodes->missing, states);
    for (guint i = 0; i < n * choices; i++) {
        AftPlan plan;
        AftPlanRequest request = {.operation = operation,
                                  .first = i % choices,
                                  .units = units,
                                  .current = states[i / choices].current};
        double share = states[i / choices].share / choices;
        aft_protection_plan(spec, &request, &plan);
        if (plan.possible) {
            served += share;
            add_plan(&plan, operation, share, times, &like, cost);
        }
    }
    aft_cost_settle(cost, served);
    return served;
}

/* What data services hold the coordinator's controller for. */
static double service_s(const AftPoolSpec *pool, double bytes, AftOperation operation)
{
    AftServiceCost cost =
        operation == AFT_OPERATION_READ ? aft_services_read(pool) : aft_services_write(pool);
    return ((double)cost.io_ns + (double)cost.per_mib_ns * bytes / 1048576.0) / 1e9;
}

/* Of @times members that are read, or written, at once, those that are on another node, as a share:
 * of an I/O to data nearby, all but one. */
static double remote_share(const AftSetting *setting, double times)
{
    double any = setting->remote;
    double nearby = times > 1.0 ? (times - 1.0) / times : 0.0;
    return setting->locality * MIN(nearby, any) + (1.0 - setting->locality) * any;
}

static void bring_near(const AftSetting *setting, double times, AftVisit *visit)
{
    visit->remote = remote_share(setting, times);
    visit->crossing = setting->remote > 0.0 ? visit->remote / setting->remote : 1.0;
}

/* Reads and writes of members, as plans say. */
static double fill_planned(const AftSetting *setting, const AftPoolSpec *pool,
                           const AftBlockBounds *block, AftOperation operation,
                           AftOperationCost *cost, AftTraffic *traffic)
{
    const AftProtectionSpec *spec = &pool->initial;
    double decode_s = aft_parts_decode_s(pool), update_s = (double)spec->update_ns / 1e9;
    AftVisit read = aft_visit_client(setting, pool, FALSE, block->step_bytes, 0.0);
    AftVisit write = aft_visit_client(setting, pool, TRUE, block->step_bytes, 0.0);
    const Times times = {
        .read_s = aft_visit_s(&read, setting->stacks),
        .write_s = aft_visit_s(&write, setting->stacks),
        .decode_s = setting->manned ? decode_s : 0.0,
        .update_s = setting->manned ? update_s : 0.0,
    };
    AftOperationCost planned = {0};
    double served = add_plans(setting, spec, block->units, operation, &times, &planned);
    read.times = planned.reads;
    write.times = planned.writes;
    bring_near(setting, read.times, &read);
    bring_near(setting, write.times, &write);
    aft_traffic_add(traffic, &read);
    aft_traffic_add(traffic, &write);
    traffic->coordinator_s = planned.degraded * decode_s + planned.updates * update_s;
    *cost = (AftOperationCost){.courses = planned.courses,
                               .degraded = planned.degraded,
                               .updates = planned.updates,
                               .held_s = planned.held_s,
                               .response_s = planned.response_s};
    return served;
}

static double readable_share(const AftSetting *setting, const AftProtectionSpec *spec)
{
    AftStripeState states[AFT_WIDTH_MOST + 1];
    guint n = aft_stripe_states(spec, setting->nodes->missing, states);
    double readable = 0.0;
    for (guint i = 0; i < n; i++) {
        readable += aft_protection_readable(spec, states[i].current) ? states[i].share : 0.0;
    }
    return readable;
}

/* A write of the whole block to logs, on as many nodes. */
static double fill_logged(const AftSetting *setting, const AftPoolSpec *pool,
                          const AftBlockBounds *block, AftOperationCost *cost, AftTraffic *traffic)
{
    guint logs = MIN(LOGS, setting->nodes->live);
    AftCourse course = {.share = 1.0, .units = block->units, .n_stages = 1, .cache_writes = logs};
    AftVisit write = aft_visit_client(setting, pool, TRUE, (double)block->spec->block_bytes, logs);
    write.place = AFT_AT_CACHE;
    bring_near(setting, logs, &write);
    write.spread = AFT_SPREAD_CACHED;
    find_course(cost, &course);
    cost->response_s = aft_visit_s(&write, setting->stacks);
    aft_traffic_add(traffic, &write);
    return readable_share(setting, &pool->initial);
}

double aft_operation_fill(const AftSetting *setting, const AftPoolSpec *pool,
                          const AftBlockBounds *block, AftOperation operation,
                          AftOperationCost *ret_cost, AftTraffic *ret_traffic)
{
    gboolean logged = operation == AFT_OPERATION_WRITE && setting->stacks->log;
    double bytes = (double)block->spec->block_bytes;
    double work_s = service_s(pool, bytes, operation);
    *ret_cost = (AftOperationCost){0};
    *ret_traffic = (AftTraffic){0};
    double served = logged ? fill_logged(setting, pool, block, ret_cost, ret_traffic)
                           : fill_planned(setting, pool, block, operation, ret_cost, ret_traffic);
    ret_cost->bytes = bytes;
    double whole_s = (setting->manned ? work_s : 0.0) + setting->request_s;
    ret_cost->response_s += whole_s;
    ret_cost->held_s += ret_cost->updates * whole_s;
    ret_traffic->coordinator_s += work_s;
    ret_traffic->requests = 1.0;
    aft_traffic_count(ret_traffic, setting->stacks, ret_cost);
    return served;
}

void aft_cost_clear(AftOperationCost *cost)
{
    g_clear_pointer(&cost->courses, g_array_unref);
}
