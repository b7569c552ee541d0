/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every protection scheme with data services, on flat groups and behind caches: sustained, and in a
 * burst. */
#include "reach.h"

/* Of 4 KiB a disk takes half a millisecond to access and half to transfer; a cache a tenth. */
static const char *const disks[] = {"run.duration=60 s",
                                    "devices.disk.read=500 us",
                                    "devices.disk.write=500 us",
                                    "devices.disk.read_bandwidth=8.192 MB/s",
                                    "devices.disk.write_bandwidth=8.192 MB/s",
                                    NULL};
/* Nothing is destaged below 96 % of a buffer, then before all else: it stays there, with hardly any
 * room that would not have to be destaged within the test. */
static const char *const caches[] = {"devices.log.read=50 us",
                                     "devices.log.write=50 us",
                                     "devices.log.spread=deterministic",
                                     "devices.log.parallel=1",
                                     "devices.log.size=100 GB",
                                     "devices.log.read_bandwidth=81.92 MB/s",
                                     "devices.log.write_bandwidth=81.92 MB/s",
                                     "cluster.node.disk_groups.cache.device=log",
                                     "cluster.node.disk_groups.cache.count=1",
                                     "background.scheduler.weights.destage=1000",
                                     "tiers.unit=16 KiB",
                                     "tiers.buffer=16 MiB",
                                     "tiers.low=96 %",
                                     "tiers.high=100 %",
                                     "tiers.start=98 %",
                                     "tiers.delay_max=0",
                                     NULL};
static const char *const log_pays[] = {"tiers.parity=destage", NULL};
/* Nothing is destaged while the test lasts. */
static const char *const room[] = {"tiers.buffer=100 GB", "tiers.low=99 %", "tiers.start=0 %",
                                   NULL};
/* With 16 MiB that may be dirty and 8 MiB that are warm caches hold a good part of the 43 to 120 MB
 * that nodes have of it. */
static const char *const small_set[] = {"workload.working_set=200 MB",
                                        "data.logical=500 MB",
                                        "devices.log.size=24 MiB",
                                        "tiers.read_share=33.333 %",
                                        "tiers.low=99 %",
                                        "tiers.start=99 %",
                                        NULL};

#define COMPRESSION                                                                             \
    "data.services.compression.ratio=0.5", "data.services.compression.read_delay=1 ms",         \
        "data.services.compression.write_delay=500 us",                                         \
        "data.services.compression.metadata_reads=0.3",                                         \
        "data.services.compression.metadata_writes=0.6", "data.services.compression.io=200 us", \
        "data.services.compression.per_mib=10 ms"

typedef struct {
    const char *name;
    gboolean at_destage;
    const char *settings[16];
} Service;

static const Service services[] = {
    {"no services", FALSE, {NULL}},
    {"compression", FALSE, {COMPRESSION, NULL}},
    {"dedupe, compression",
     FALSE,
     {COMPRESSION, "data.services.dedupe.ratio=0.8", "data.services.dedupe.metadata_reads=1",
      "data.services.dedupe.metadata_writes=0.5", "data.services.dedupe.io=100 us", NULL}},
    {"compression at destage", TRUE, {COMPRESSION, "data.services.compression.when=destage", NULL}},
};

/* Settings one after the other, from @lists, up to NULL. */
static void join(const char *const *const *lists, const char **ret_all)
{
    guint n = 0;
    for (guint i = 0; lists[i] != NULL; i++) {
        for (guint k = 0; lists[i][k] != NULL; k++) {
            g_assert(n < 63);
            ret_all[n++] = lists[i][k];
        }
    }
    ret_all[n] = NULL;
}

/* Every scheme with every service: @tiers (nullable) is what makes groups of disks tiered. */
static void services_reach(const char *const *tiers, const char *const *more, Which which,
                           const char *what)
{
    for (guint i = 0; i < G_N_ELEMENTS(services); i++) {
        const char *settings[64];
        const char *const *lists[] = {disks, services[i].settings, tiers != NULL ? tiers : nothing,
                                      more, NULL};
        g_autofree char *name = g_strdup_printf("%s, %s", what, services[i].name);
        join(lists, settings);
        for (guint k = 0; k < G_N_ELEMENTS(schemes) && (tiers != NULL || !services[i].at_destage);
             k++) {
            reach(&schemes[k], settings, nothing, which, name);
        }
    }
}

/* Controllers that take 2 ms for a visit, before disks that take next to nothing. */
static const char *const controllers[] = {"cluster.node.controller.slots=2",
                                          "cluster.node.controller.io=2 ms",
                                          "devices.disk.read=1 us",
                                          "devices.disk.write=1 us",
                                          "devices.disk.read_bandwidth=unlimited",
                                          "devices.disk.write_bandwidth=unlimited",
                                          "devices.disk.parallel=16",
                                          NULL};

static void controllers_reach_their_bound(void **state)
{
    (void)state;
    services_reach(NULL, controllers, SUSTAINED, "controllers, flat");
    services_reach(caches, controllers, SUSTAINED, "controllers, front");
}

static void controllers_reach_their_bound_behind_logs(void **state)
{
    (void)state;
    static const char *const longer[] = {"tiers.parity=destage", "run.duration=100 s", NULL};
    const char *settings[64];
    const char *const *lists[] = {controllers, longer, NULL};
    join(lists, settings);
    services_reach(caches, settings, SUSTAINED, "controllers, log");
}

static void flat_groups_reach_their_bound(void **state)
{
    (void)state;
    services_reach(NULL, nothing, SUSTAINED, "flat");
}

static void caches_reach_what_is_sustained(void **state)
{
    (void)state;
    services_reach(caches, nothing, SUSTAINED, "front");
}

static void logs_reach_what_is_sustained(void **state)
{
    (void)state;
    services_reach(caches, log_pays, SUSTAINED, "log");
}

static void small_working_sets_reach_their_bound(void **state)
{
    (void)state;
    static const struct {
        const char *const *parity;
        const char *name;
    } payers[] = {{nothing, "front, small working set"}, {log_pays, "log, small working set"}};
    for (guint i = 0; i < G_N_ELEMENTS(payers); i++) {
        const char *settings[64];
        const char *const *lists[] = {disks, caches, small_set, payers[i].parity, NULL};
        join(lists, settings);
        reach_all(settings, nothing, payers[i].name);
    }
}

static void caches_reach_a_burst(void **state)
{
    (void)state;
    services_reach(caches, room, BURST, "burst");
}

static double mean_of(const AftResult *result, guint from, guint to, gsize offset)
{
    double sum = 0.0;
    for (guint i = from; i < to; i++) {
        sum += G_STRUCT_MEMBER(double, &g_array_index(result->trace, AftTraceRow, i), offset);
    }
    return sum / (to - from);
}

/* An open load of 350 writes a second leaves 46 MB/s, and reads leave disks the time to destage
 * 30 MB/s of them: 900 MB are full in a minute, and from then on writes come in as they are
 * destaged. */
static void buffers_fill_as_fast_as_is_told(void **state)
{
    (void)state;
    static const char *const load[] = {"workload.kind=open",
                                       "workload.rate=500 /s",
                                       "workload.pacing=even",
                                       "workload.read_share=30 %",
                                       "workload.block=64 KiB",
                                       "workload.outstanding=210",
                                       "tiers.buffer=200 MB",
                                       "tiers.low=5 %",
                                       "tiers.start=10 %",
                                       "tiers.unit=256 KiB",
                                       "background.scheduler.weights.destage=20",
                                       "run.duration=3 min",
                                       "run.trace_interval=1 s",
                                       NULL};
    const char *settings[64];
    const char *const *lists[] = {disks, caches, NULL};
    join(lists, settings);
    g_autoptr(AftScenario) scenario = scenario_of(&schemes[0], settings, nothing, load);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autoptr(AftResult) result = run_of(scenario);
    const AftWorkloadState *healthy = &bounds->workload[0].state[AFT_STATE_HEALTHY];
    const gsize fill = G_STRUCT_OFFSET(AftTraceRow, buffer_fill);
    /* Means of 20 s, 20 s apart; the fill is told to 2 % of its growth. */
    double grown = (mean_of(result, 25, 45, fill) - mean_of(result, 5, 25, fill)) / 20.0;
    double expected = (healthy->buffer.inflow - healthy->buffer.outflow) / healthy->buffer.bytes;
    assert_within(grown, expected, 0.02 * expected);
    double writes = mean_of(result, 100, 180, G_STRUCT_OFFSET(AftTraceRow, write_iops));
    print_message("# fills at %.4f %% a second, told %.4f %%; then %.1f of at most %.1f writes\n",
                  100.0 * grown, 100.0 * expected, writes, 0.7 * healthy->full.iops);
    assert_within(writes, 0.7 * healthy->sustained.iops, 0.03 * 0.7 * healthy->sustained.iops);
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controllers_reach_their_bound),
        cmocka_unit_test(controllers_reach_their_bound_behind_logs),
        cmocka_unit_test(flat_groups_reach_their_bound),
        cmocka_unit_test(caches_reach_what_is_sustained),
        cmocka_unit_test(logs_reach_what_is_sustained),
        cmocka_unit_test(small_working_sets_reach_their_bound),
        cmocka_unit_test(caches_reach_a_burst),
        cmocka_unit_test(buffers_fill_as_fast_as_is_told),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests_name("reach_services", tests, NULL, NULL);
}
