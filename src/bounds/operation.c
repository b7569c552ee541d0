/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operation.h"

#include "parts.h"

#include <math.h>

guint aft_stripe_states(const AftProtectionSpec *spec, guint nodes, AftClusterState state,
                        AftStripeState *ret_states)
{
    guint width = aft_protection_width(spec), n = 0;
    guint32 everyone = aft_protection_everyone(spec);
    if (state == AFT_STATE_HEALTHY) {
        ret_states[0] = (AftStripeState){everyone, 1.0};
        return 1;
    }
    if (nodes > width) {
        ret_states[n++] = (AftStripeState){everyone, (double)(nodes - width) / nodes};
    }
    for (guint member = 0; member < width; member++) {
        ret_states[n++] = (AftStripeState){everyone & ~((guint32)1 << member), 1.0 / nodes};
    }
    return n;
}

double aft_plan_response_s(const AftNodeSpec *node, const AftPlan *plan, double bytes,
                           double remote_reads, double remote_writes, double decode_s)
{
    double read_s = aft_parts_path_s(node, FALSE, bytes, remote_reads);
    double write_s = aft_parts_path_s(node, TRUE, bytes, remote_writes);
    double response_s = plan->degraded ? decode_s : 0.0;
    for (guint stage = 0; stage < plan->n_stages; stage++) {
        double slowest_s = 0.0;
        for (guint i = plan->stage_begin[stage]; i < plan->stage_begin[stage + 1]; i++) {
            slowest_s = MAX(slowest_s, plan->step[i].write ? write_s : read_s);
        }
        response_s += slowest_s;
    }
    return response_s;
}

static AftCourse course_of(const AftPlan *plan)
{
    AftCourse course = {.degraded = plan->degraded, .n_stages = plan->n_stages};
    for (guint stage = 0; stage < plan->n_stages; stage++) {
        for (guint i = plan->stage_begin[stage]; i < plan->stage_begin[stage + 1]; i++) {
            course.writes[stage] += plan->step[i].write;
            course.reads[stage] += !plan->step[i].write;
        }
    }
    return course;
}

static gboolean is_alike(const AftCourse *a, const AftCourse *b)
{
    gboolean alike = a->n_stages == b->n_stages && a->degraded == b->degraded;
    for (guint stage = 0; stage < AFT_STAGES_MOST; stage++) {
        alike = alike && a->reads[stage] == b->reads[stage] && a->writes[stage] == b->writes[stage];
    }
    return alike;
}

static AftCourse *find_course(GArray *courses, const AftCourse *like)
{
    for (guint i = 0; i < courses->len; i++) {
        AftCourse *course = &g_array_index(courses, AftCourse, i);
        if (is_alike(course, like)) {
            return course;
        }
    }
    g_array_append_val(courses, *like);
    return &g_array_index(courses, AftCourse, courses->len - 1);
}

static void count_course(AftOperationCost *cost, const AftPlan *plan, double share)
{
    AftCourse course = course_of(plan);
    find_course(cost->courses, &course)->share += share;
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

/* Stripes that cannot serve the operation are not asked: the others share it. */
static void leave_out_lost(AftOperationCost *cost, double served)
{
    cost->reads /= served;
    cost->writes /= served;
    cost->degraded /= served;
    cost->response_s /= served;
    for (guint i = 0; i < cost->courses->len; i++) {
        g_array_index(cost->courses, AftCourse, i).share /= served;
    }
    g_array_sort(cost->courses, by_share);
}

static void fill_bytes(const AftNodeSpec *node, double bytes, double remote, AftOperationCost *cost)
{
    double cached = aft_parts_cached_share(node);
    cost->controller_bytes = (cost->reads + cost->writes) * bytes;
    cost->network_bytes = cost->controller_bytes * remote;
    cost->cache_written_bytes = cost->writes * bytes * cached;
    cost->capacity_read_bytes = cost->reads * bytes;
    cost->capacity_written_bytes = cost->writes * bytes * (1.0 - cached);
}

double aft_operation_fill(const AftScenario *scenario, const AftWorkloadBounds *workload,
                          AftClusterState state, AftOperation operation, AftOperationCost *ret_cost)
{
    const AftProtectionSpec *spec = &workload->pool->initial;
    const AftNodeSpec *node = &scenario->cluster.node;
    guint nodes = scenario->cluster.nodes, live = nodes - (state == AFT_STATE_NODE_DOWN);
    guint choices = aft_protection_choices(spec, workload->units);
    double remote = 1.0 - 1.0 / live, served = 0.0;
    double decode_s = node->controller.slots > 0 ? (double)spec->degraded_ns / 1e9 : 0.0;
    AftStripeState states[AFT_WIDTH_MOST + 1];
    guint n = aft_stripe_states(spec, nodes, state, states);
    *ret_cost = (AftOperationCost){.courses = g_array_new(FALSE, FALSE, sizeof(AftCourse))};
    for (guint i = 0; i < n * choices; i++) {
        AftPlan plan;
        AftPlanRequest request = {.operation = operation,
                                  .first = i % choices,
                                  .units = workload->units,
                                  .current = states[i / choices].current};
        double share = states[i / choices].share / choices;
        aft_protection_plan(spec, &request, &plan);
        if (plan.possible) {
            served += share;
            count_course(ret_cost, &plan, share);
            ret_cost->response_s += share * aft_plan_response_s(node, &plan, workload->step_bytes,
                                                                remote, remote, decode_s);
        }
    }
    if (served > 0.0) {
        leave_out_lost(ret_cost, served);
    }
    fill_bytes(node, workload->step_bytes, remote, ret_cost);
    return served;
}

void aft_operation_clear(AftOperationCost *cost)
{
    g_clear_pointer(&cost->courses, g_array_unref);
}
