/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups come to another layout: what that costs, what it leaves behind, and what may happen to it
 * on the way. */
#include "cluster.h"

#include "address.h"
#include "conversion.h"

#define CHUNKS      96
#define CHUNK_BYTES 262144.0
#define UNITS       4 /* of a chunk */
#define READ_NS     100000
#define WRITE_NS    200001 /* not a multiple of the other, so that both can be counted */

/* Chunks of four units on nine nodes. */
#define BASE                                                                                      \
    "cluster.nodes=9", "devices.disk.read=100 us", "devices.disk.write=200001 ns",                \
        "data.logical=24 MiB", "background.convert.unit=64 KiB", "background.encode.unit=64 KiB", \
        "background.rebuild.unit=64 KiB", "background.rebalance.unit=64 KiB",                     \
        "data.placement_groups=96"

#define CLOSED(i, think)                                                                        \
    "workload[" #i "].kind=closed", "workload[" #i "].vms=2", "workload[" #i "].outstanding=4", \
        "workload[" #i "].think=" think

/* Disks that take a hundred times as long. */
#define SLOW "devices.disk.read=10 ms", "devices.disk.write=20 ms"

#define COPIES(n)      "data.protection=rf" #n
#define EC42           "data.protection.scheme=ec", "data.protection.data=4", "data.protection.parity=2"
#define AT(i, at)      "timeline[" #i "].at=" at
#define SET(i, what)   "timeline[" #i "].set.data.protection" what
#define TO(i, at, to)  AT(i, at), SET(i, "=" to)
#define TO_EC42(i, at) AT(i, at), SET(i, ".scheme=ec"), SET(i, ".data=4"), SET(i, ".parity=2")

typedef struct {
    const char *name;
    const char *settings[12];
    AftTaskKind task;
    double before, after; /* bytes stored a byte */
    double reads, writes; /* bytes a byte; writes where every chunk finds a copy to keep */
    gboolean all_fresh;   /* nothing stays */
} Conversion;

static const Conversion conversions[] = {
    {"rf2 to rf3", {COPIES(2), TO(0, "1 s", "rf3")}, AFT_TASK_CONVERT, 2.0, 3.0, 1.0, 1.0, FALSE},
    {"rf2 to rf4",
     {COPIES(2), AT(0, "1 s"), SET(0, ".scheme=replication"), SET(0, ".copies=4")},
     AFT_TASK_CONVERT,
     2.0,
     4.0,
     1.0,
     2.0,
     FALSE},
    {"rf3 to rf2", {COPIES(3), TO(0, "1 s", "rf2")}, AFT_TASK_CONVERT, 3.0, 2.0, 0.0, 0.0, FALSE},
    {"rf3 to ec 4+2", {COPIES(3), TO_EC42(0, "1 s")}, AFT_TASK_ENCODE, 3.0, 1.5, 1.0, 0.5, FALSE},
    {"rf3 to ec 4+2, whole strips",
     {COPIES(3), TO_EC42(0, "1 s"), SET(0, ".rewrite=strip")},
     AFT_TASK_ENCODE,
     3.0,
     1.5,
     1.0,
     1.5,
     TRUE},
    {"ec 4+2 to rf3",
     {EC42, "data.placement_groups=24", TO(0, "1 s", "rf3")},
     AFT_TASK_CONVERT,
     1.5,
     3.0,
     1.0,
     2.0,
     FALSE},
    {"rf2 to raid5",
     {COPIES(2), TO(0, "1 s", "raid5")},
     AFT_TASK_ENCODE,
     2.0,
     4.0 / 3.0,
     1.0,
     1.0 / 3.0,
     FALSE},
    {"rf2 to ec 6+2",
     {COPIES(2), AT(0, "1 s"), SET(0, ".scheme=ec"), SET(0, ".data=6"), SET(0, ".parity=2"),
      "cluster.nodes=8"},
     AFT_TASK_ENCODE,
     2.0,
     8.0 / 6.0,
     1.0,
     2.0 / 6.0,
     FALSE},
    {"raid5 to rf2",
     {"data.placement_groups=32", TO(0, "1 s", "rf2")},
     AFT_TASK_CONVERT,
     4.0 / 3.0,
     2.0,
     1.0,
     1.0,
     FALSE},
    {"rf3, then ec 4+2",
     {"data.protection.scheme=rf-then-encode", "data.protection.copies=3", "data.protection.data=4",
      "data.protection.parity=2", "data.protection.age=1 s"},
     AFT_TASK_ENCODE,
     3.0,
     1.5,
     1.0,
     0.5,
     FALSE},
};

static gboolean is_aged(const Conversion *it)
{
    return g_str_has_prefix(it->settings[0], "data.protection.scheme=rf-then");
}

/* The settings of the base, then those of @settings and @more (nullable). */
static Cluster *cluster_with(const char *const *settings, const char *const *more)
{
    static const char *const base[] = {BASE, NULL};
    const char *const *lists[] = {base, settings, more};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint list = 0; list < G_N_ELEMENTS(lists); list++) {
        for (guint i = 0; lists[list] != NULL && lists[list][i] != NULL; i++) {
            g_ptr_array_add(all, (gpointer)lists[list][i]);
        }
    }
    g_ptr_array_add(all, NULL);
    return cluster_new((const char *const *)all->pdata);
}

#define CONVERTS(...) cluster_with((const char *const[]){__VA_ARGS__, NULL}, NULL)

/* Where the data of each chunk was. */
typedef struct {
    guint32 device[CHUNKS][AFT_WIDTH_MOST];
    guint n[CHUNKS];
} Places;

static gboolean is_coded(const AftPool *pool, guint group)
{
    return aft_pool_layout(pool, group)->coded;
}

static void find_places(const AftPool *pool, Places *places)
{
    for (guint chunk = 0; chunk < CHUNKS; chunk++) {
        guint group = aft_pool_group_of(pool, chunk);
        places->n[chunk] = is_coded(pool, group) ? 1 : aft_pool_layout(pool, group)->width;
        for (guint i = 0; i < places->n[chunk]; i++) {
            guint m = is_coded(pool, group) ? chunk % pool->strip_chunks : i;
            places->device[chunk][i] = aft_pool_member(pool, group, m)->device;
        }
    }
}

static gboolean was_there(const Places *places, guint chunk, guint32 device)
{
    for (guint i = 0; i < places->n[chunk]; i++) {
        if (places->device[chunk][i] == device) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Units that must have been written to each device, by where members are and chunks were. */
static void expect_writes(const AftPool *pool, const Places *before, gboolean all_fresh,
                          guint *ret_writes)
{
    for (guint group = 0; group < pool->n_groups; group++) {
        guint data = is_coded(pool, group) ? pool->strip_chunks : 1;
        guint first = aft_pool_first_chunk(pool, group);
        for (guint m = 0; pool->groups[group].used && m < aft_pool_layout(pool, group)->width;
             m++) {
            guint32 device = aft_pool_member(pool, group, m)->device;
            gboolean parity = is_coded(pool, group) && m >= data;
            guint chunk = is_coded(pool, group) ? first + m : first;
            gboolean stayed = !parity && !all_fresh && was_there(before, chunk, device);
            ret_writes[device] += stayed ? 0 : UNITS;
        }
    }
}

typedef struct {
    guint reads, writes;
} Ios;

/* What the device did, from its busy time: R reads and W writes take 100000 (R + 2 W) + W ns. */
static Ios ios_of(const AftDevice *device)
{
    gint64 busy_ns, serial_ns;
    aft_station_busy(device->station, &busy_ns, &serial_ns);
    guint writes = (guint)(busy_ns % READ_NS);
    return (Ios){(guint)(busy_ns / READ_NS) - 2 * writes, writes};
}

/* The most chunks of strip @strip that could keep a copy, trying all. */
static guint most_kept(const Cluster *cluster, const Places *before, guint chunk, guint end,
                       guint32 taken)
{
    guint most = chunk < end ? most_kept(cluster, before, chunk + 1, end, taken) : 0;
    for (guint i = 0; chunk < end && i < before->n[chunk]; i++) {
        guint32 bit = (guint32)1 << cluster_node_of(cluster, before->device[chunk][i]);
        if ((taken & bit) == 0) {
            most = MAX(most, 1 + most_kept(cluster, before, chunk + 1, end, taken | bit));
        }
    }
    return most;
}

/* Chunks that no choice of copies could have kept in place. */
static guint must_move(const Cluster *cluster, const Places *before)
{
    const AftPool *pool = cluster_pool(cluster);
    guint k = pool->strip_chunks, moved = 0;
    for (guint first = 0; first < CHUNKS; first += k) {
        moved += k - most_kept(cluster, before, first, first + k, 0);
    }
    return moved;
}

static void assert_costs(const Cluster *cluster, const Conversion *it, const Places *before)
{
    const AftTopology *topology = &cluster->model->topology;
    g_autofree guint *expected = g_new0(guint, topology->n_devices);
    guint reads = 0, writes = 0;
    expect_writes(cluster_pool(cluster), before, it->all_fresh, expected);
    for (guint i = 0; i < topology->n_devices; i++) {
        Ios ios = ios_of(&topology->devices[i]);
        assert_int_equal(ios.writes, expected[i]);
        reads += ios.reads;
        writes += ios.writes;
    }
    guint moved = it->task == AFT_TASK_ENCODE && !it->all_fresh ? must_move(cluster, before) : 0;
    assert_int_equal(reads, (guint)(it->reads * CHUNKS * UNITS + 0.5));
    assert_int_equal(writes, (guint)(it->writes * CHUNKS * UNITS + 0.5) + moved * UNITS);
    assert_within(aft_model_moved_bytes(cluster->model, it->task), writes * CHUNK_BYTES / UNITS,
                  0.0);
    print_message("# %s: %u of %u chunks had to move\n", it->name, moved, CHUNKS);
}

static void assert_space(const Cluster *cluster, double overhead)
{
    double used = aft_model_moment(cluster->model).used_bytes;
    assert_within(used, overhead * CHUNKS * CHUNK_BYTES, 1e-3); /* rounding of whole bytes */
    assert_within(aft_model_protected_bytes(cluster->model), used, 1e-3);
    assert_space_adds_up(cluster);
}

/* Fails unless all is where placement wants it, with nothing left to do and nothing gone wrong. */
static void assert_done(const Cluster *cluster)
{
    assert_all_at_home(cluster);
    assert_int_equal(aft_model_phase(cluster->model), AFT_PHASE_STEADY);
    assert_int_equal(aft_model_flags(cluster->model), 0);
    assert_true(aft_model_is_settled(cluster->model));
    for (guint group = 0; group < cluster_pool(cluster)->n_groups; group++) {
        const AftPool *pool = cluster_pool(cluster);
        assert_true(!pool->groups[group].used || pool->groups[group].layout == pool->goal);
    }
}

static void every_conversion_reads_and_writes_what_it_must(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(conversions); i++) {
        const Conversion *it = &conversions[i];
        Cluster *cluster = cluster_with(it->settings, NULL);
        Places before;
        find_places(cluster_pool(cluster), &before);
        assert_space(cluster, it->before);
        cluster_run(cluster, 0.9);
        assert_false(aft_model_is_settled(cluster->model));
        cluster_run(cluster, 20.0);
        assert_costs(cluster, it, &before);
        assert_space(cluster, it->after);
        assert_done(cluster);
        assert_within(aft_model_moved_bytes(cluster->model, AFT_TASK_REBALANCE), 0.0, 0.0);
        cluster_free(cluster);
    }
}

/* Every look finds sums right and nothing missing. */
static void look(const Cluster *cluster)
{
    aft_model_audit(cluster->model);
    assert_space_adds_up(cluster);
    assert_int_equal(cluster_pool(cluster)->missing, 0);
    assert_int_equal(cluster_pool(cluster)->n_lost, 0);
    assert_int_equal(aft_pool_all(cluster_pool(cluster))->n_live, CHUNKS);
}

/* Space goes one way, but for what is under way: copies of a strip for each unit in flight. */
static void clients_are_served_all_the_while(void **state)
{
    (void)state;
    static const char *const clients[] = {SLOW,
                                          "workload.kind=closed",
                                          "workload.vms=3",
                                          "workload.outstanding=3",
                                          "workload.read_share=50 %",
                                          "workload.think=50 ms",
                                          NULL};
    for (guint i = 0; i < G_N_ELEMENTS(conversions); i++) {
        if (is_aged(&conversions[i])) {
            continue; /* what clients write stays as it is */
        }
        Cluster *cluster = cluster_with(conversions[i].settings, clients);
        for (double at_s = 0.0; at_s < 30.0; at_s += 0.037) {
            cluster_run(cluster, at_s);
            look(cluster);
        }
        assert_true(cluster->completed[0] > 300 && cluster->completed[1] > 300);
        assert_true(cluster->longest_ns < 5 * SECOND_NS);
        assert_space(cluster, conversions[i].after);
        assert_int_equal(aft_model_shed(cluster->model), 0);
        cluster_free(cluster);
    }
}

static void phases_and_events_tell_of_it(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(COPIES(3), SLOW, TO_EC42(0, "1 s"), TO(1, "1 min", "rf2"));
    cluster_run(cluster, 100.0);
    assert_phases(cluster, "steady encode steady convert steady");
    assert_string_equal(cluster->events->str,
                        "convert pool data, encode-start cluster, encode-end cluster, "
                        "convert pool data, convert-start cluster, convert-end cluster");
    assert_within(cluster_turn_s(cluster, 1), 1.0, 0.0);
    assert_space(cluster, 2.0);
    cluster_free(cluster);
}

static void delays_and_caps_hold(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(COPIES(2), "background.convert.delay=5 s",
                                "background.convert.bandwidth=2 MB/s", TO(0, "1 s", "rf3"));
    cluster_run(cluster, 3.0);
    assert_false(aft_model_is_settled(cluster->model));
    assert_string_equal(cluster->events->str, "convert pool data");
    cluster_run(cluster, 60.0);
    assert_phases(cluster, "steady convert steady");
    assert_within(cluster_turn_s(cluster, 1), 6.0, 0.0);
    /* The last of 25 MB leaves a unit's time earlier and is written in a few ms. */
    double duration_s = cluster_turn_s(cluster, 2) - cluster_turn_s(cluster, 1);
    assert_within(duration_s, 24.0 * 1048576.0 / 2e6, 0.05);
    cluster_free(cluster);
}

#define FAILS(i, node, at)    AT(i, at), "timeline[" #i "].fail=node " #node
#define RESTORES(i, node, at) AT(i, at), "timeline[" #i "].restore=node " #node

#define SOON SLOW, "background.rebuild.delay=10 s", "cluster.detect=1 s"

static const char *const soon[] = {SOON, FAILS(1, 2, "1.5 s"), RESTORES(2, 2, "2 min"), NULL};
static const char *const soon_alone[] = {SOON, FAILS(0, 2, "1.5 s"), RESTORES(1, 2, "2 min"), NULL};

/* A node goes when about half is done; the other half comes later. */
static void what_a_fault_touches_begins_again(void **state)
{
    (void)state;
    for (guint i = 0; i < G_N_ELEMENTS(conversions); i++) {
        const Conversion *it = &conversions[i];
        if (it->reads == 0.0) {
            continue;
        }
        Cluster *cluster = cluster_with(it->settings, is_aged(it) ? soon_alone : soon);
        for (double at_s = 0.1; at_s < 200.0; at_s += 0.31) {
            cluster_run(cluster, at_s);
            assert_space_adds_up(cluster);
        }
        assert_done(cluster);
        assert_space(cluster, it->after);
        assert_non_null(strstr(cluster->events->str, "fail node 2"));
        assert_true(aft_model_moved_bytes(cluster->model, it->task) >=
                    it->writes * CHUNKS * CHUNK_BYTES - 1.0);
        assert_true(aft_model_moved_bytes(cluster->model, AFT_TASK_REBUILD) > 0.0);
        cluster_free(cluster);
    }
}

/* After a conversion a node goes for long, and comes back: so do its members, anchored or not. */
static void members_that_stayed_in_place_come_back_to_it(void **state)
{
    (void)state;
    Cluster *cluster =
        CONVERTS(COPIES(3), TO_EC42(0, "1 s"), "cluster.detect=1 s",
                 "background.rebuild.delay=10 s", FAILS(1, 2, "30 s"), RESTORES(2, 2, "2 min"));
    cluster_run(cluster, 29.0);
    const AftPool *pool = cluster_pool(cluster);
    guint n = pool->n_groups * pool->width, there = cluster_members_on(cluster, 2);
    g_autofree guint32 *device = g_new(guint32, n);
    for (guint i = 0; i < n; i++) {
        device[i] = pool->members[i].device;
    }
    cluster_run(cluster, 110.0);
    assert_int_equal(cluster_members_on(cluster, 2), 0);
    assert_int_equal(pool->missing, 0);
    cluster_run(cluster, 300.0);
    assert_done(cluster);
    assert_int_equal(cluster_members_on(cluster, 2), there);
    for (guint i = 0; i < n; i++) {
        if (device[i] != AFT_NOWHERE) {
            assert_int_equal(cluster_node_of(cluster, pool->members[i].device),
                             cluster_node_of(cluster, device[i]));
        }
    }
    double moved = aft_model_moved_bytes(cluster->model, AFT_TASK_REBALANCE);
    assert_within(moved, there * CHUNK_BYTES, 0.0);
    cluster_free(cluster);
}

/* One command follows the other before the first is carried out; from one code to another the way
 * leads over copies. */
static void the_last_command_counts(void **state)
{
    (void)state;
    Cluster *cluster =
        CONVERTS(COPIES(2), SLOW, TO(0, "1 s", "rf3"), TO_EC42(1, "1.5 s"), TO(2, "2 s", "rf2"),
                 AT(3, "2.5 s"), SET(3, ".scheme=ec"), SET(3, ".data=4"), SET(3, ".parity=1"));
    for (double at_s = 0.5; at_s < 60.0; at_s += 0.11) {
        cluster_run(cluster, at_s);
        look(cluster);
    }
    assert_done(cluster);
    assert_space(cluster, 1.25);
    assert_true(aft_model_moved_bytes(cluster->model, AFT_TASK_CONVERT) > 0.0);
    cluster_free(cluster);
}

/* How many writes the devices have done, if they read @reads times. */
static double writes_by(const Cluster *cluster, double reads)
{
    double busy = 0.0;
    for (guint i = 0; i < cluster->model->topology.n_devices; i++) {
        gint64 busy_ns, serial_ns;
        aft_station_busy(cluster->model->topology.devices[i].station, &busy_ns, &serial_ns);
        busy += (double)busy_ns;
    }
    return (busy - reads * READ_NS) / WRITE_NS;
}

/* Writes go to the copies that are there, and behind the conversion to the new ones as well. At a
 * steady pace it takes 25.2 s from the first second on. */
static void writes_follow_the_new_copies(void **state)
{
    (void)state;
    static const double at_s[] = {1.0, 13.0, 26.0, 40.0};
    const double lasts_s = CHUNKS * CHUNK_BYTES / 1e6;
    Cluster *cluster =
        CONVERTS(COPIES(2), "background.convert.bandwidth=1 MB/s", "workload.kind=open",
                 "workload.vms=1", "workload.rate=1000 /s", "workload.pacing=even",
                 "workload.read_share=0 %", TO(0, "1 s", "rf3"));
    double before = 0.0, passed = 0.0;
    for (guint i = 0; i < G_N_ELEMENTS(at_s); i++) {
        double from_s = i > 0 ? at_s[i - 1] : 0.0, now = MIN((at_s[i] - 1.0) / lasts_s, 1.0);
        double ios = 1000.0 * (at_s[i] - from_s), units = (now - passed) * CHUNKS * UNITS;
        cluster_run(cluster, at_s[i]);
        double writes = writes_by(cluster, now * CHUNKS * UNITS);
        double third = (passed + now) / 2.0; /* share of the writes that have a third copy */
        /* Which chunk a write falls on is chance, 3.3 standard errors; units of 64 KiB and what is
         * in service make a few more. */
        assert_within(writes - before, ios * (2.0 + third) + units,
                      3.3 * sqrt(ios * third * (1.0 - third)) + 0.02 * ios * (third < 1.0) + 5.0);
        before = writes;
        passed = now;
    }
    cluster_free(cluster);
}

#define LATER                                                                                      \
    "data.protection.scheme=rf-then-encode", "data.protection.copies=3", "data.protection.data=4", \
        "data.protection.parity=2", "data.protection.age=10 s"

/* A third of the data is written: 32 chunks, eight strips. */
static void only_what_is_write_cold_is_encoded(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(LATER, "workload[0].working_set=8 MiB", CLOSED(0, "10 ms"),
                                CLOSED(1, "10 ms"), "workload[1].read_share=100 %");
    const AftPool *pool = cluster_pool(cluster);
    cluster_run(cluster, 9.9);
    assert_space(cluster, 3.0);
    assert_false(aft_model_is_settled(cluster->model));
    cluster_run(cluster, 30.0);
    assert_phases(cluster, "steady encode steady");
    assert_within(cluster_turn_s(cluster, 1), 10.0, 0.0);
    for (guint chunk = 0; chunk < CHUNKS; chunk++) {
        assert_int_equal(is_coded(pool, aft_pool_group_of(pool, chunk)), chunk >= 32);
    }
    assert_space(cluster, (3.0 * 32 + 1.5 * 64) / CHUNKS);
    cluster_free(cluster);
}

static void what_is_all_written_is_never_encoded(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(LATER, CLOSED(0, "10 ms"));
    assert_true(aft_model_is_settled(cluster->model));
    cluster_run(cluster, 30.0);
    assert_phases(cluster, "steady");
    assert_space(cluster, 3.0);
    cluster_free(cluster);
}

/* Nothing but the working set is read or written, all of it, whether encoded or not. */
static void a_working_set_is_all_that_is_addressed(void **state)
{
    (void)state;
    Cluster *cluster =
        CONVERTS(COPIES(3), TO_EC42(0, "1 s"), "workload.working_set=6 MiB", CLOSED(0, "1 s"));
    const AftClients *clients = &cluster->model->clients[0];
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.addresses", 0);
    for (guint turn = 0; turn < 2; turn++) {
        guint seen[CHUNKS] = {0};
        for (guint i = 0; i < 24000; i++) {
            AftRequest request;
            aft_address_choose(clients, &stream, &request);
            guint unit = is_coded(clients->pool, request.group) ? request.first : 0;
            seen[aft_pool_first_chunk(clients->pool, request.group) + unit]++;
        }
        for (guint chunk = 0; chunk < CHUNKS; chunk++) {
            /* 1000 each; five standard errors, for 48 looks */
            assert_within(seen[chunk], chunk < 24 ? 1000.0 : 0.0, chunk < 24 ? 158.0 : 0.0);
        }
        cluster_run(cluster, 20.0);
    }
    cluster_free(cluster);
}

/* A request finds its data again wherever a conversion has put it. */
static void addresses_follow_their_chunk(void **state)
{
    (void)state;
    Cluster *cluster =
        CONVERTS(COPIES(3), TO_EC42(0, "1 s"), TO(1, "20 s", "rf2"), CLOSED(0, "1 s"));
    const AftClients *clients = &cluster->model->clients[0];
    const AftPool *pool = clients->pool;
    AftRequest request = {.group = 37, .first = 2, .write = FALSE};
    cluster_run(cluster, 10.0);
    aft_address_follow(clients, &request);
    assert_int_equal(request.group, pool->first_strip + 37 / 4);
    assert_int_equal(request.first, 37 % 4);
    cluster_run(cluster, 40.0);
    aft_address_follow(clients, &request);
    assert_int_equal(request.group, 37);
    assert_true(aft_address_plan(clients, &request));
    cluster_free(cluster);
}

/* It was to be read from the third copy, and there is none any more. */
static void a_copy_that_is_gone_is_not_read(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(COPIES(3), TO(0, "1 s", "rf2"), CLOSED(0, "1 s"));
    AftRequest *request = aft_request_new(cluster->model->executor);
    request->group = 37;
    request->first = 2;
    request->write = FALSE;
    cluster_run(cluster, 10.0);
    assert_true(aft_address_plan(&cluster->model->clients[0], request));
    assert_int_equal(request->plan->stage_begin[1], 1);
    assert_int_equal(request->device[0], aft_pool_member(cluster_pool(cluster), 37, 1)->device);
    aft_request_free(request);
    cluster_free(cluster);
}

static guint count_blocked(const AftPool *pool)
{
    guint blocked = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        blocked += pool->groups[group].used && pool->groups[group].blocked > 0;
    }
    return blocked;
}

/* A device dies that a third copy was on its way to: users wait until that is known, not longer. */
static void a_conversion_that_is_cancelled_keeps_nobody_waiting(void **state)
{
    (void)state;
    Cluster *cluster =
        CONVERTS(COPIES(2), TO(0, "1 s", "rf3"), CLOSED(0, "10 ms"), SLOW, "cluster.detect=1 s",
                 "background.rebuild.delay=0 s", "background.convert.groups_per_node=96",
                 AT(1, "1200 ms"), "timeline[1].fail=device 3.0.1");
    cluster_run(cluster, 2.0);
    assert_true(count_blocked(cluster_pool(cluster)) > 0);
    cluster_run(cluster, 2.3);
    assert_int_equal(count_blocked(cluster_pool(cluster)), 0);
    cluster_run(cluster, 40.0);
    assert_null(cluster->model->clients[0].stalled.first);
    cluster_free(cluster);
}

/* Some devices are full, and stay so until conversions have freed space on them. */
static void a_full_cluster_converts_bit_by_bit(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(COPIES(3), TO_EC42(0, "1 s"), "devices.disk.size=4.8 MB", SLOW);
    const AftTopology *topology = &cluster->model->topology;
    gboolean waited = FALSE;
    double first[18];
    for (guint i = 0; i < G_N_ELEMENTS(first); i++) {
        first[i] = topology->devices[i].used_bytes;
    }
    for (double at_s = 0.9; at_s < 100.0; at_s += 0.05) {
        cluster_run(cluster, at_s);
        look(cluster);
        waited |= (aft_model_flags(cluster->model) & AFT_FLAG_NO_SPACE) != 0;
        for (guint i = 0; i < G_N_ELEMENTS(first); i++) {
            double most = MAX(0.95 * (double)topology->devices[i].size_bytes, first[i]);
            assert_true(topology->devices[i].used_bytes <= most + 1e-3);
        }
    }
    assert_true(waited);
    assert_done(cluster);
    assert_space(cluster, 1.5);
    cluster_free(cluster);
}

/* Five nodes of six: strips of six members wait until there are six. */
static void too_few_nodes_wait(void **state)
{
    (void)state;
    Cluster *cluster = CONVERTS(COPIES(2), "cluster.nodes=6", "background.rebuild.delay=5 s",
                                FAILS(0, 3, "1 s"), TO_EC42(1, "1 min"), RESTORES(2, 3, "2 min"));
    cluster_run(cluster, 119.0);
    assert_space(cluster, 2.0);
    cluster_run(cluster, 200.0);
    assert_done(cluster);
    assert_space(cluster, 1.5);
    cluster_free(cluster);
}

static double conversion_s(guint nodes)
{
    g_autofree char *setting = g_strdup_printf("cluster.nodes=%u", nodes);
    Cluster *cluster =
        CONVERTS(setting, COPIES(3), "data.placement_groups=6144", "data.logical=1536 MiB",
                 "background.encode.in_flight_per_node=16", TO_EC42(0, "1 s"));
    cluster_run(cluster, 100.0);
    assert_phases(cluster, "steady encode steady");
    double duration_s = cluster_turn_s(cluster, 2) - cluster_turn_s(cluster, 1);
    cluster_free(cluster);
    return duration_s;
}

/* Device-bound, it takes the time in which the devices read and write what they must, and a little
 * for those that have more than others. */
static void twice_the_nodes_take_half_the_time(void **state)
{
    (void)state;
    double eight_s = conversion_s(8), sixteen_s = conversion_s(16);
    double units = 6144.0 * UNITS, least_s = units * (READ_NS + 0.5 * WRITE_NS) / 1e9 / 16.0;
    print_message("# %.3f s on 8 nodes, %.3f s on 16, at least %.3f s\n", eight_s, sixteen_s,
                  least_s);
    assert_true(eight_s >= least_s && eight_s <= 1.15 * least_s);
    assert_within(eight_s / sixteen_s, 2.0, 0.15);
}

static char *tale(guint seed)
{
    g_autofree char *setting = g_strdup_printf("run.seed=%u", seed);
    Cluster *cluster =
        CONVERTS(setting, COPIES(3), SLOW, TO_EC42(0, "1 s"), TO(1, "30 s", "rf2"),
                 FAILS(2, 4, "1.7 s"), RESTORES(3, 4, "10 s"), "workload.kind=open",
                 "workload.vms=1", "workload.rate=50 /s", "devices.disk.spread=exponential");
    cluster_run(cluster, 90.0);
    GString *text = g_string_new(cluster->events->str);
    for (guint i = 0; i < cluster->turns->len; i++) {
        g_string_append_printf(text, " %" G_GINT64_FORMAT,
                               g_array_index(cluster->turns, Turn, i).at_ns);
    }
    g_string_append_printf(text, " %.17g %" G_GINT64_FORMAT,
                           aft_model_moved_bytes(cluster->model, AFT_TASK_CONVERT),
                           cluster->longest_ns);
    cluster_free(cluster);
    return g_string_free(text, FALSE);
}

static void the_same_seed_tells_the_same_tale(void **state)
{
    (void)state;
    g_autofree char *first = tale(1), *again = tale(1), *other = tale(2);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_conversion_reads_and_writes_what_it_must),
        cmocka_unit_test(clients_are_served_all_the_while),
        cmocka_unit_test(phases_and_events_tell_of_it),
        cmocka_unit_test(delays_and_caps_hold),
        cmocka_unit_test(what_a_fault_touches_begins_again),
        cmocka_unit_test(members_that_stayed_in_place_come_back_to_it),
        cmocka_unit_test(the_last_command_counts),
        cmocka_unit_test(writes_follow_the_new_copies),
        cmocka_unit_test(only_what_is_write_cold_is_encoded),
        cmocka_unit_test(what_is_all_written_is_never_encoded),
        cmocka_unit_test(a_working_set_is_all_that_is_addressed),
        cmocka_unit_test(addresses_follow_their_chunk),
        cmocka_unit_test(a_copy_that_is_gone_is_not_read),
        cmocka_unit_test(a_conversion_that_is_cancelled_keeps_nobody_waiting),
        cmocka_unit_test(a_full_cluster_converts_bit_by_bit),
        cmocka_unit_test(too_few_nodes_wait),
        cmocka_unit_test(twice_the_nodes_take_half_the_time),
        cmocka_unit_test(the_same_seed_tells_the_same_tale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
