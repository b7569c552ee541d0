/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests on idle stations whose times are exact: every path worked out by hand, in ms. */
#include "cluster.h"
#include "schemes.h"

#define MS_NS    1000000LL
#define KILOBYTE 1000u

/* A controller takes 1 ms, a disk 10 ms to read and 20 ms to write, the delay of a read is 3 ms
 * and of a write 5 ms, and a kilobyte takes 1 ms on the wire. One disk a node: device = node. */
static const char *const exact_times[] = {
    "cluster.nodes=4",
    "cluster.node.nic=8 Mbit/s",
    "cluster.node.controller.slots=1",
    "cluster.node.controller.io=1 ms",
    "cluster.node.controller.latency.read=3 ms",
    "cluster.node.controller.latency.write=5 ms",
    "cluster.node.controller.spread=deterministic",
    "cluster.node.disk_groups.capacity.count=1",
    "devices.disk.read=10 ms",
    "devices.disk.write=20 ms",
    NULL,
};

typedef struct {
    gboolean ended;
    AftOutcome outcome;
    double ended_ms;
} End;

typedef struct {
    AftScenario *scenario;
    AftEngine *engine;
    AftTopology topology;
    AftExecutor *executor;
    AftCharge charge; /* of a pool without services */
} Rig;

static void rig_init(Rig *rig)
{
    rig->scenario = cluster_scenario(exact_times);
    rig->engine = aft_engine_new();
    aft_topology_init(&rig->topology, rig->scenario, rig->engine, 0);
    rig->executor = aft_executor_new(&rig->topology, 8, 0);
    rig->charge = aft_charge_client(&rig->scenario->pools[0]);
}

/* With all that its stations hold. */
static void kill_node(Rig *rig, guint node)
{
    aft_topology_hold_node(&rig->topology, node, AFT_HOLD_DOWN);
    aft_topology_hold_node(&rig->topology, node, AFT_HOLD_HOST);
    aft_executor_drop_node(rig->executor, node);
}

static void rig_clear(Rig *rig)
{
    aft_topology_audit(&rig->topology);
    aft_executor_free(rig->executor);
    aft_topology_clear(&rig->topology);
    aft_engine_free(rig->engine);
    aft_scenario_free(rig->scenario);
}

static void run_to(Rig *rig, double at_ms)
{
    aft_engine_run(rig->engine, (gint64)(at_ms * MS_NS));
}

static void done(AftRequest *request, AftOutcome outcome, gint64 now_ns)
{
    End *end = request->owner;
    assert_false(end->ended);
    *end = (End){TRUE, outcome, (double)now_ns / MS_NS};
    aft_request_free(request);
}

/* A request of node @coordinator whose stages are @text: "r1 r2, w0" reads nodes 1 and 2, then
 * writes node 0. */
static AftRequest *request_of(Rig *rig, End *end, guint coordinator, guint32 bytes,
                              const char *text)
{
    AftRequest *request = aft_request_new(rig->executor);
    request->done = done;
    request->owner = end;
    request->coordinator = coordinator;
    request->class = AFT_CLASS_CLIENT;
    request->bytes = bytes;
    request->pool = 0;
    request->charge = &rig->charge;
    memset(&request->own_plan, 0, sizeof(request->own_plan));
    request->own_plan.possible = TRUE;
    for (guint n = 0; *text != '\0'; text++) {
        if (*text == 'r' || *text == 'w') {
            guint node = (guint)(text[1] - '0');
            aft_plan_add(&request->own_plan, aft_members(node, 1), *text == 'w');
            request->device[n++] = node;
        } else if (*text == ',') {
            aft_plan_end_stage(&request->own_plan);
        }
    }
    aft_plan_end_stage(&request->own_plan);
    request->plan = &request->own_plan;
    *end = (End){0};
    return request;
}

static void start(Rig *rig, End *end, guint coordinator, guint32 bytes, const char *text)
{
    aft_request_start(request_of(rig, end, coordinator, bytes, text));
}

static void assert_ended(const End *end, AftOutcome outcome, double at_ms)
{
    assert_true(end->ended);
    assert_int_equal(end->outcome, outcome);
    assert_within(end->ended_ms, at_ms, 1e-9);
}

static void check_alone(guint coordinator, const char *text, double expected_ms)
{
    Rig rig;
    End end;
    rig_init(&rig);
    start(&rig, &end, coordinator, 10 * KILOBYTE, text);
    run_to(&rig, 1000.0);
    assert_ended(&end, AFT_OUTCOME_DONE, expected_ms);
    assert_int_equal(aft_executor_in_flight(rig.executor), 0);
    rig_clear(&rig);
}

static void a_sub_operation_takes_the_time_of_its_path(void **state)
{
    (void)state;
    check_alone(0, "w0", 1.0 + 20.0 + 5.0);
    check_alone(0, "w1", 10.0 + 1.0 + 20.0 + 5.0);
    check_alone(0, "r0", 1.0 + 10.0 + 3.0);
    check_alone(0, "r1", 1.0 + 10.0 + 10.0 + 3.0);
}

static void a_stage_is_as_slow_as_its_slowest(void **state)
{
    (void)state;
    check_alone(0, "r0 r1", 24.0);
    /* Two messages arrive one behind the other. */
    check_alone(0, "r1 r2", 34.0);
    check_alone(0, "w0 w1", 36.0);
    check_alone(0, "w1 w2", 46.0);
}

static void a_stage_waits_for_the_one_before(void **state)
{
    (void)state;
    check_alone(0, "r0, w1", 14.0 + 36.0);
    check_alone(3, "r1 r2, w1 w2", 34.0 + 46.0);
    check_alone(0, "r0 r1, w0 w1", 24.0 + 36.0);
}

/* 7 ms of the coordinator's controller, after the reads and before the writes. */
static void check_degraded(const char *text, double expected_ms)
{
    Rig rig;
    End end;
    rig_init(&rig);
    AftRequest *request = request_of(&rig, &end, 0, 10 * KILOBYTE, text);
    request->own_plan.degraded = TRUE;
    request->decode_ns = 7 * MS_NS;
    aft_request_start(request);
    run_to(&rig, 1000.0);
    assert_ended(&end, AFT_OUTCOME_DONE, expected_ms);
    AftStationSums sums;
    aft_station_sums(rig.topology.nodes[0].controller, &sums);
    assert_int_equal(sums.class[AFT_CLASS_CLIENT].service_ns, 7 * MS_NS);
    rig_clear(&rig);
}

static void a_degraded_operation_holds_its_own_controller(void **state)
{
    (void)state;
    check_degraded("r1", 24.0 + 7.0);
    check_degraded("w1", 7.0 + 36.0);
    check_degraded("r1, w2", 24.0 + 7.0 + 36.0);
}

/* 2 ms of the coordinator's controller for a client's operation as a whole, of any plan, in one
 * visit with all else that it has to do there; none for the repair's. */
static void an_operation_as_a_whole_holds_its_controller(void **state)
{
    (void)state;
    Rig rig;
    End end;
    rig_init(&rig);
    rig.scenario->cluster.node.controller.request_ns = 2 * MS_NS;
    AftRequest *request = request_of(&rig, &end, 0, 10 * KILOBYTE, "r1, w2");
    request->work_ns = 4 * MS_NS;
    aft_request_start(request);
    run_to(&rig, 1000.0);
    assert_ended(&end, AFT_OUTCOME_DONE, 24.0 + 6.0 + 36.0);
    request = request_of(&rig, &end, 0, 10 * KILOBYTE, "r1, w2");
    request->class = AFT_CLASS_P1;
    aft_request_start(request);
    run_to(&rig, 2000.0);
    assert_ended(&end, AFT_OUTCOME_DONE, 1000.0 + 24.0 + 36.0);
    rig_clear(&rig);
}

static void assert_charged(const char *cost, guint64 bytes, gint64 ns)
{
    Cluster *cluster = CLUSTER(cost);
    assert_int_equal(aft_topology_charge_ns(&cluster->model->topology, bytes), ns);
    cluster_free(cluster);
}

/* 0 would count as what the operation takes. */
static void a_cost_below_a_nanosecond_counts_as_one(void **state G_GNUC_UNUSED)
{
    assert_charged("background.scheduler.cost.io=0 s", 4096, 0);
    assert_charged("background.scheduler.cost.io=2 ns", 4096, 2);
    assert_charged("background.scheduler.cost.per_mib=512 ns", 4096, 2);
    assert_charged("background.scheduler.cost.per_mib=128 ns", 4096, 1);
}

static void jobs_queue_at_controllers_and_disks(void **state)
{
    (void)state;
    Rig rig;
    End first, second;
    rig_init(&rig);
    start(&rig, &first, 0, KILOBYTE, "r0");
    start(&rig, &second, 0, KILOBYTE, "r0");
    run_to(&rig, 1000.0);
    assert_ended(&first, AFT_OUTCOME_DONE, 14.0);
    assert_ended(&second, AFT_OUTCOME_DONE, 1.0 + 10.0 + 10.0 + 3.0);
    rig_clear(&rig);
}

/* Node 0 is busy sending 60 ms to node 1. What it has for node 2 waits at home, and does not keep
 * node 3 from reaching node 2. */
static void a_message_that_waits_to_leave_holds_nobody_else_up(void **state)
{
    (void)state;
    Rig rig;
    End big, behind, other;
    rig_init(&rig);
    start(&rig, &big, 0, 60 * KILOBYTE, "w1");
    start(&rig, &behind, 0, 10 * KILOBYTE, "w2");
    start(&rig, &other, 3, 10 * KILOBYTE, "w2");
    run_to(&rig, 1000.0);
    assert_ended(&big, AFT_OUTCOME_DONE, 60.0 + 26.0);
    assert_ended(&other, AFT_OUTCOME_DONE, 10.0 + 26.0);
    assert_ended(&behind, AFT_OUTCOME_DONE, 60.0 + 10.0 + 26.0);
    rig_clear(&rig);
}

/* 655.36 kB are ten segments of 65.536 ms; a short message goes behind the first of them, and the
 * long one ends a short one later than alone. */
static void a_long_message_lets_short_ones_in(void **state)
{
    (void)state;
    Rig rig;
    End big, small;
    rig_init(&rig);
    start(&rig, &big, 0, 655360, "w1");
    start(&rig, &small, 0, KILOBYTE, "w2");
    run_to(&rig, 1000.0);
    assert_ended(&small, AFT_OUTCOME_DONE, 65.536 + 1.0 + 26.0);
    assert_ended(&big, AFT_OUTCOME_DONE, 655.36 + 1.0 + 26.0);
    rig_clear(&rig);
}

/* Two long messages meet at node 2 and take turns there, a segment of 65.536 ms each. At 300 ms the
 * fifth is under way and the sixth waits: a short message of node 3 goes behind those, not behind
 * all that two ports could have sent by then. */
static void long_messages_that_meet_let_short_ones_in(void **state)
{
    (void)state;
    Rig rig;
    End first, second, small;
    rig_init(&rig);
    start(&rig, &first, 0, 655360, "w2");
    start(&rig, &second, 1, 655360, "w2");
    run_to(&rig, 300.0);
    start(&rig, &small, 3, KILOBYTE, "w2");
    run_to(&rig, 2000.0);
    assert_ended(&small, AFT_OUTCOME_DONE, 6 * 65.536 + 1.0 + 26.0);
    assert_ended(&first, AFT_OUTCOME_DONE, 19 * 65.536 + 1.0 + 26.0);
    assert_ended(&second, AFT_OUTCOME_DONE, 20 * 65.536 + 1.0 + 26.0);
    rig_clear(&rig);
}

static void a_request_fails_once_all_of_it_is_home(void **state)
{
    (void)state;
    Rig rig;
    End end;
    rig_init(&rig);
    start(&rig, &end, 0, 10 * KILOBYTE, "r0 r1");
    run_to(&rig, 5.0);
    kill_node(&rig, 1);
    assert_false(end.ended);
    run_to(&rig, 1000.0);
    assert_ended(&end, AFT_OUTCOME_FAILED, 14.0);
    rig_clear(&rig);
}

/* At 5 ms the message is on its way: it finds nobody where it goes. */
static void a_message_to_the_dead_fails_when_it_is_sent(void **state)
{
    (void)state;
    Rig rig;
    End end, queued;
    rig_init(&rig);
    start(&rig, &end, 0, 10 * KILOBYTE, "w1");
    start(&rig, &queued, 0, 10 * KILOBYTE, "w1");
    run_to(&rig, 5.0);
    kill_node(&rig, 1);
    run_to(&rig, 1000.0);
    assert_ended(&end, AFT_OUTCOME_FAILED, 10.0);
    assert_ended(&queued, AFT_OUTCOME_FAILED, 10.0);
    rig_clear(&rig);
}

static void a_write_to_a_dead_node_fails_between_stages(void **state)
{
    (void)state;
    Rig rig;
    End end;
    rig_init(&rig);
    start(&rig, &end, 0, 10 * KILOBYTE, "r0, w0 w1");
    run_to(&rig, 5.0);
    kill_node(&rig, 1);
    run_to(&rig, 1000.0);
    assert_ended(&end, AFT_OUTCOME_FAILED, 14.0 + 26.0);
    rig_clear(&rig);
}

static gboolean belongs_to(AftRequest *request, void *context)
{
    return request->owner == context;
}

/* Nobody's any more, a request ends with its stage. */
static void an_aborted_request_begins_no_other_stage(void **state)
{
    (void)state;
    Rig rig;
    End mine, other;
    rig_init(&rig);
    start(&rig, &mine, 0, 10 * KILOBYTE, "r0, w0");
    start(&rig, &other, 1, 10 * KILOBYTE, "r1, w1");
    run_to(&rig, 5.0);
    aft_executor_abort(rig.executor, belongs_to, &mine);
    run_to(&rig, 1000.0);
    assert_ended(&mine, AFT_OUTCOME_ABORTED, 14.0);
    assert_ended(&other, AFT_OUTCOME_DONE, 14.0 + 26.0);
    rig_clear(&rig);
}

/* A node that is back starts idle. */
static void a_node_that_is_back_serves_again(void **state)
{
    (void)state;
    Rig rig;
    End lost, served;
    rig_init(&rig);
    start(&rig, &lost, 0, 10 * KILOBYTE, "w1");
    run_to(&rig, 15.0);
    kill_node(&rig, 1);
    assert_ended(&lost, AFT_OUTCOME_FAILED, 15.0);
    run_to(&rig, 20.0);
    aft_topology_release_node(&rig.topology, 1, AFT_HOLD_DOWN);
    aft_topology_release_node(&rig.topology, 1, AFT_HOLD_HOST);
    start(&rig, &served, 0, 10 * KILOBYTE, "w1");
    run_to(&rig, 1000.0);
    assert_ended(&served, AFT_OUTCOME_DONE, 20.0 + 36.0);
    /* 995 ms of 1000 alive; 1 + 20 ms of service, and 4 more before it died. */
    AftUse use = aft_topology_use(&rig.topology, AFT_USE_CAPACITY);
    assert_within(use.capable_ns, (3000.0 + 995.0) * MS_NS, 0.0);
    assert_within(use.busy_ns, 24.0 * MS_NS, 0.0);
    rig_clear(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sub_operation_takes_the_time_of_its_path),
        cmocka_unit_test(a_stage_is_as_slow_as_its_slowest),
        cmocka_unit_test(a_stage_waits_for_the_one_before),
        cmocka_unit_test(a_degraded_operation_holds_its_own_controller),
        cmocka_unit_test(an_operation_as_a_whole_holds_its_controller),
        cmocka_unit_test(a_cost_below_a_nanosecond_counts_as_one),
        cmocka_unit_test(jobs_queue_at_controllers_and_disks),
        cmocka_unit_test(a_message_that_waits_to_leave_holds_nobody_else_up),
        cmocka_unit_test(a_long_message_lets_short_ones_in),
        cmocka_unit_test(long_messages_that_meet_let_short_ones_in),
        cmocka_unit_test(a_request_fails_once_all_of_it_is_home),
        cmocka_unit_test(a_message_to_the_dead_fails_when_it_is_sent),
        cmocka_unit_test(a_write_to_a_dead_node_fails_between_stages),
        cmocka_unit_test(an_aborted_request_begins_no_other_stage),
        cmocka_unit_test(a_node_that_is_back_serves_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
