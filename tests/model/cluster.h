/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster.h - small clusters for tests of the model, built from texts "path=value", and what is
 * seen of them while they run, every I/O simulated.
 */
#pragma once

#include "model_parts.h"
#include "test.h"

#include <string.h>

#define SECOND_NS 1000000000LL
#define MINUTE_NS (60 * SECOND_NS)

/* Five nodes of two disks, 64 groups; members of RAID-5 have 2 MiB, two units. Reads take 100 us,
 * writes 200 us to the nanosecond, so what a disk did can be told from its busy time. */
static const char *const small_cluster[] = {
    "version=1",
    "devices.disk.read=100 us",
    "devices.disk.write=200 us",
    "devices.disk.spread=deterministic",
    "devices.disk.size=10 GB",
    "cluster.nodes=5",
    "cluster.node.disk_groups.capacity.device=disk",
    "cluster.node.disk_groups.capacity.count=2",
    "data.logical=384 MiB",
    "data.placement_groups=64",
    "data.protection=raid5",
    NULL,
};

typedef struct {
    AftPhase phase;
    gint64 at_ns;
} Turn;

typedef struct Cluster Cluster;

struct Cluster {
    AftScenario *scenario;
    AftEngine *engine;
    AftModel *model;
    GArray *turns;                       /* Turn: the phases it went through */
    GString *events;                     /* "fail node 2, detect node 2, ..." */
    gint64 completed[2];                 /* reads, writes */
    guint64 bytes[2];                    /* of those */
    gint64 latency_ns[2];                /* of those, in all */
    gint64 longest_ns;                   /* latency */
    gint64 longest_owed_ns;              /* wait */
    guint32 *first_device;               /* of every member of pool 0, at the start */
    double first_used_bytes;             /* on all devices */
    void (*disturbed)(Cluster *cluster); /* (nullable): after every slow event */
};

static inline AftPool *cluster_pool(const Cluster *cluster)
{
    return cluster->model->pools->pdata[0];
}

/** The nodes as they bid for groups of @pool, which are all alike. */
static inline AftPlaces cluster_places(const AftPool *pool)
{
    const AftTopology *topology = pool->topology;
    return (AftPlaces){
        .seed = topology->scenario->run.seed + pool->index,
        .n = topology->n_nodes,
        .allowed = topology->in,
    };
}

static inline gint64 cluster_now(const Cluster *cluster)
{
    return aft_engine_scenario_now(cluster->engine);
}

static inline void cluster_completed(void *context, const AftCompletion *completion)
{
    Cluster *cluster = context;
    cluster->completed[completion->write ? 1 : 0]++;
    cluster->bytes[completion->write ? 1 : 0] += completion->bytes;
    cluster->latency_ns[completion->write ? 1 : 0] += completion->latency_ns;
    cluster->longest_ns = MAX(cluster->longest_ns, completion->latency_ns);
    cluster->longest_owed_ns = MAX(cluster->longest_owed_ns, completion->waited_ns);
    g_assert(completion->latency_ns >= 0 && completion->waited_ns >= 0);
}

static inline void cluster_turns(void *context)
{
    Cluster *cluster = context;
    Turn turn = {aft_model_phase(cluster->model), cluster_now(cluster)};
    g_array_append_val(cluster->turns, turn);
}

static inline void cluster_happened(void *context, const char *event, const char *subject,
                                    const char *detail)
{
    Cluster *cluster = context;
    (void)detail;
    g_string_append_printf(cluster->events, "%s%s %s", cluster->events->len > 0 ? ", " : "", event,
                           subject);
}

static inline void cluster_disturbed(void *context)
{
    Cluster *cluster = context;
    if (cluster->disturbed != NULL) {
        cluster->disturbed(cluster);
    }
}

static inline void cluster_set(AftScenario *scenario, const char *const *settings,
                               GPtrArray *problems)
{
    for (guint i = 0; settings[i] != NULL; i++) {
        const char *equals = strchr(settings[i], '=');
        g_autofree char *path = g_strndup(settings[i], (gsize)(equals - settings[i]));
        if (!aft_scenario_set(scenario, path, equals + 1, problems)) {
            const AftProblem *problem = problems->pdata[problems->len - 1];
            fail_msg("%s: %s", settings[i], problem->message);
        }
    }
}

static inline AftScenario *cluster_scenario(const char *const *settings)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    AftScenario *scenario = aft_scenario_new();
    cluster_set(scenario, small_cluster, problems);
    cluster_set(scenario, settings, problems);
    if (!aft_scenario_resolve(scenario, problems)) {
        for (guint i = 0; i < problems->len; i++) {
            const AftProblem *problem = problems->pdata[i];
            print_error("%s: %s\n", problem->path, problem->message);
        }
        fail();
    }
    return scenario;
}

static inline void cluster_remember(Cluster *cluster)
{
    const AftPool *pool = cluster_pool(cluster);
    guint n = pool->n_groups * pool->width;
    cluster->first_device = g_new(guint32, n);
    for (guint i = 0; i < n; i++) {
        cluster->first_device[i] = pool->members[i].device;
    }
    cluster->first_used_bytes = aft_model_moment(cluster->model).used_bytes;
}

/** The cluster of @scenario (transfer full), resolved, at time 0. */
static inline Cluster *cluster_of(AftScenario *scenario)
{
    Cluster *cluster = g_new0(Cluster, 1);
    cluster->scenario = scenario;
    cluster->engine = aft_engine_new();
    cluster->turns = g_array_new(FALSE, FALSE, sizeof(Turn));
    cluster->events = g_string_new(NULL);
    AftModelWatch watch = {
        .context = cluster,
        .completed = cluster_completed,
        .phase_changed = cluster_turns,
        .happened = cluster_happened,
        .disturbed = cluster_disturbed,
    };
    cluster->model = aft_model_new(cluster->scenario, cluster->engine, 0, &watch);
    cluster_turns(cluster);
    cluster_remember(cluster);
    return cluster;
}

/** The small cluster, changed by the NULL-terminated @settings, at time 0. */
static inline Cluster *cluster_new(const char *const *settings)
{
    return cluster_of(cluster_scenario(settings));
}

#define CLUSTER(...) cluster_new((const char *const[]){__VA_ARGS__, NULL})

static inline void cluster_free(Cluster *cluster)
{
    aft_model_audit(cluster->model);
    aft_model_free(cluster->model);
    aft_engine_free(cluster->engine);
    aft_scenario_free(cluster->scenario);
    g_array_unref(cluster->turns);
    g_string_free(cluster->events, TRUE);
    g_free(cluster->first_device);
    g_free(cluster);
}

static inline void cluster_run(Cluster *cluster, double until_s)
{
    aft_engine_run(cluster->engine, (gint64)(until_s * 1e9));
    aft_model_audit(cluster->model);
}

/** "steady failed rebuild", up to now. Returns: (transfer full). */
static inline char *cluster_phases(const Cluster *cluster)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < cluster->turns->len; i++) {
        const Turn *turn = &g_array_index(cluster->turns, Turn, i);
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", aft_phase_name(turn->phase));
    }
    return g_string_free(text, FALSE);
}

static inline void assert_phases(const Cluster *cluster, const char *expected)
{
    g_autofree char *phases = cluster_phases(cluster);
    assert_string_equal(phases, expected);
}

/** When phase number @i of those gone through began, s. */
static inline double cluster_turn_s(const Cluster *cluster, guint i)
{
    return (double)g_array_index(cluster->turns, Turn, i).at_ns / 1e9;
}

static inline guint cluster_node_of(const Cluster *cluster, guint32 device)
{
    return cluster->model->topology.devices[device].node;
}

/** Members of pool 0 whose place is on @node. */
static inline guint cluster_members_on(const Cluster *cluster, guint node)
{
    const AftPool *pool = cluster_pool(cluster);
    guint members = 0;
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        guint32 device = pool->members[i].device;
        members += device != AFT_NOWHERE && cluster_node_of(cluster, device) == node;
    }
    return members;
}

/** Fails unless every member of every pool is current, at home, where rendezvous wants it, and
 *  nothing moves; and no two members of a group share a node. */
static inline void assert_all_at_home(const Cluster *cluster)
{
    for (guint p = 0; p < cluster->model->pools->len; p++) {
        const AftPool *pool = cluster->model->pools->pdata[p];
        guint chunks = 0;
        for (guint group = 0; group < pool->n_groups; group++) {
            const AftLayout *layout = aft_pool_layout(pool, group);
            AftSeat best[AFT_WIDTH_MOST];
            guint32 at[AFT_WIDTH_MOST];
            if (!pool->groups[group].used) {
                continue;
            }
            chunks += pool->strip_chunks > 0 && layout->coded ? pool->strip_chunks : 1;
            assert_int_equal(aft_pool_best_seats(pool, group, layout->width, best), layout->width);
            assert_int_equal(pool->groups[group].current, layout->everyone);
            assert_int_equal(pool->groups[group].moving, 0);
            assert_null(pool->groups[group].conversion);
            for (guint m = 0; m < layout->width; m++) {
                const AftMember *member = aft_pool_member(pool, group, m);
                guint node = cluster_node_of(cluster, member->device), wanted = 0;
                assert_int_equal(member->home, node);
                at[m] = node;
                for (guint other = 0; other < m; other++) {
                    assert_int_not_equal(at[other], node);
                }
                for (guint i = 0; i < layout->width; i++) {
                    wanted += best[i].node == node;
                }
                assert_int_equal(wanted, 1);
            }
        }
        assert_int_equal(pool->missing, 0);
        assert_int_equal(pool->degraded, 0);
        assert_int_equal(chunks, pool->n_chunks);
        assert_int_equal(aft_pool_all(pool)->n_live, pool->n_chunks);
        assert_int_equal(pool->n_lost, 0);
    }
}

/** Fails unless the members of pool 0 are on the very devices they began on. */
static inline void assert_all_back(const Cluster *cluster)
{
    const AftPool *pool = cluster_pool(cluster);
    assert_all_at_home(cluster);
    for (guint i = 0; i < pool->n_groups * pool->width; i++) {
        assert_int_equal(pool->members[i].device, cluster->first_device[i]);
    }
}

/** Whether member @i of all the members of @pool takes space where it is: it is in use, or a
 *  conversion that has begun writes it. */
static inline gboolean cluster_takes_space(const AftPool *pool, guint i)
{
    guint group = i / pool->width, m = i % pool->width;
    const AftGroup *it = &pool->groups[group];
    if (it->used && m < aft_pool_layout(pool, group)->width) {
        return TRUE;
    }
    const AftMember *member = &pool->members[i];
    return member->device != AFT_NOWHERE && !member->valid;
}

/** Fails unless space is used by exactly the members, where they are and where they go, and caches
 *  know what of that is worked on. */
static inline void assert_space_adds_up(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    g_autofree double *used = g_new0(double, topology->n_devices);
    g_autofree double *working = g_new0(double, topology->n_devices);
    for (guint p = 0; p < cluster->model->pools->len; p++) {
        const AftPool *pool = cluster->model->pools->pdata[p];
        for (guint i = 0; i < pool->n_groups * pool->width; i++) {
            const AftMember *member = &pool->members[i];
            if (!cluster_takes_space(pool, i)) {
                continue;
            }
            double share = aft_pool_working_share(pool, i / pool->width, i % pool->width);
            double bytes = pool->working_bytes * share;
            used[member->device] += pool->stored_bytes;
            working[member->device] += bytes;
            if (member->transfer != NULL && member->transfer->target != member->device) {
                used[member->transfer->target] += pool->stored_bytes;
                working[member->transfer->target] += bytes;
            }
        }
    }
    for (guint i = 0; i < topology->n_buffers; i++) {
        const AftBuffer *buffer = &topology->buffers[i];
        double sum = 0.0;
        for (guint d = 0; d < buffer->n_behind; d++) {
            sum += working[buffer->first_behind + d * buffer->stride];
        }
        assert_within(buffer->working_bytes, sum, 1e-6 * sum + 1e-3);
    }
    for (guint i = 0; i < topology->n_devices; i++) {
        /* Sums of equal doubles in another order: rounding alone. */
        assert_within(topology->devices[i].used_bytes, used[i], 1e-6 * used[i] + 1e-3);
    }
}
