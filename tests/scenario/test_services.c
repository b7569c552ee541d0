/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

#include <aftershock/scenario/services.h>

#define CACHE "cluster.node.disk_groups.cache.device=sas-ssd-write"

static void a_service_is_on_when_it_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *settings[MOST_CHANGES];
        gboolean compression, dedupe;
    } cases[] = {
        {{NULL}, FALSE, FALSE},
        {{"data.services.compression=on"}, TRUE, FALSE},
        {{"data.services.compression=off"}, FALSE, FALSE},
        {{"data.services.dedupe.ratio=0.5"}, FALSE, TRUE},
        {{"data.services.dedupe.enabled=on", "data.services.dedupe.ratio=0.5"}, FALSE, TRUE},
        {{"data.services.dedupe.ratio=0.5", "data.services.dedupe=off"}, FALSE, FALSE},
        {{"data.services.dedupe=off", "data.services.dedupe=on", "data.services.compression=on"},
         TRUE,
         TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AftScenario) scenario = five_nodes_with(cases[i].settings);
        const AftServiceSpec *services = scenario->pools[0].services;
        assert_int_equal(services[AFT_SERVICE_COMPRESSION].enabled, cases[i].compression);
        assert_int_equal(services[AFT_SERVICE_DEDUPE].enabled, cases[i].dedupe);
    }
}

static void services_of_pools_are_their_own(void **state)
{
    (void)state;
    const char *const settings[] = {"data.name=hot", "data[1].name=cold", "data[1].logical=1 TB",
                                    "data[1].services.compression.ratio=0.5", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    assert_within(aft_services_ratio(&scenario->pools[0]), 1.0, 0.0);
    assert_within(aft_services_ratio(&scenario->pools[1]), 0.5, 0.0);
}

static void what_cannot_be_is_said(void **state)
{
    (void)state;
    static const Case cases[] = {
        {{"data.services.compression.when=destage"},
         "data.services.compression.when: nothing is destaged where a disk group has no cache "
         "device"},
        {{CACHE, "data.services.compression.when=destage"}, ""},
        {{CACHE, "cluster.node.disk_groups[1].capacity.device=hdd-7k2",
          "cluster.node.disk_groups[1].capacity.count=2", "data.services.compression.when=destage"},
         "data.services.compression.when: nothing is destaged where a disk group has no cache "
         "device"},
        {{"data.services.compression.when=destage", "data.services.compression.enabled=off"},
         "(data.services.compression.enabled: off: the other keys of compression have no effect"},
        {{"data.services.compression=off", "data.services.compression.ratio=0.5"},
         "(data.services.compression.enabled: off: the other keys of compression have no effect"},
        {{"data.services.compression=maybe", "data.services.compression.when=destage"},
         "data.services.compression: expected off or on, got \"maybe\""},
        {{"cluster.node.disk_groups.cache.device=sas-ssd", "cluster.node.disk_groups.cache.size=1",
          "data.services.compression.when=destage"},
         "cluster.node.disk_groups.cache.size: \"1\" has no unit: expected a size, like 3.84 TB "
         "or 4 KiB"},
    };
    assert_answers(cases, G_N_ELEMENTS(cases));
}

static void assert_cost(AftServiceCost cost, gint64 delay_ns, gint64 io_ns, gint64 per_mib_ns,
                        double metadata)
{
    assert_int_equal(cost.delay_ns, delay_ns);
    assert_int_equal(cost.io_ns, io_ns);
    assert_int_equal(cost.per_mib_ns, per_mib_ns);
    assert_within(cost.metadata, metadata, 1e-12);
}

/* Dedupe inline, compression at destage. */
static void costs_add_up_and_ratios_multiply(void **state)
{
    (void)state;
    static const char *const settings[] = {CACHE,
                                           "data.services.dedupe.read_delay=1 us",
                                           "data.services.dedupe.write_delay=2 us",
                                           "data.services.dedupe.io=4 us",
                                           "data.services.dedupe.per_mib=8 us",
                                           "data.services.dedupe.metadata_reads=0.25",
                                           "data.services.dedupe.metadata_writes=0.5",
                                           "data.services.dedupe.background_factor=1.5",
                                           "data.services.dedupe.ratio=0.8",
                                           "data.services.compression.when=destage",
                                           "data.services.compression.read_delay=16 us",
                                           "data.services.compression.write_delay=32 us",
                                           "data.services.compression.io=64 us",
                                           "data.services.compression.per_mib=128 us",
                                           "data.services.compression.metadata_reads=1",
                                           "data.services.compression.metadata_writes=2",
                                           "data.services.compression.background_factor=2",
                                           "data.services.compression.ratio=0.5",
                                           NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftPoolSpec *pool = &scenario->pools[0];
    assert_cost(aft_services_read(pool), 17000, 68000, 136000, 1.25);
    assert_cost(aft_services_write(pool), 34000, 4000, 8000, 0.5);
    assert_cost(aft_services_destage(pool), 0, 64000, 128000, 2.0);
    assert_within(aft_services_ratio(pool), 0.4, 1e-12);
    assert_within(aft_services_inline_ratio(pool), 0.8, 1e-12);
    assert_within(aft_services_background_factor(pool), 3.0, 1e-12);
    assert_int_equal(aft_services_failure_domain(pool), AFT_FAILURE_GROUP);
}

static void what_is_off_costs_nothing(void **state)
{
    (void)state;
    static const char *const settings[] = {"data.services.dedupe.io=4 us",
                                           "data.services.dedupe=off",
                                           "data.services.compression=on", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    const AftPoolSpec *pool = &scenario->pools[0];
    assert_cost(aft_services_read(pool), 0, 0, 0, 0.0);
    assert_cost(aft_services_write(pool), 0, 0, 0, 0.0);
    assert_cost(aft_services_destage(pool), 0, 0, 0, 0.0);
    assert_within(aft_services_ratio(pool), 1.0, 0.0);
    assert_within(aft_services_background_factor(pool), 1.0, 0.0);
    assert_int_equal(aft_services_failure_domain(pool), AFT_FAILURE_DEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_service_is_on_when_it_is_written),
        cmocka_unit_test(services_of_pools_are_their_own),
        cmocka_unit_test(what_cannot_be_is_said),
        cmocka_unit_test(costs_add_up_and_ratios_multiply),
        cmocka_unit_test(what_is_off_costs_nothing),
    };
    return cmocka_run_group_tests_name("services", tests, NULL, NULL);
}
