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

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_groups_reach_their_bound),
        cmocka_unit_test(caches_reach_what_is_sustained),
        cmocka_unit_test(logs_reach_what_is_sustained),
        cmocka_unit_test(small_working_sets_reach_their_bound),
        cmocka_unit_test(caches_reach_a_burst),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests_name("reach_services", tests, NULL, NULL);
}
