/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where members may live: what moves when parts go out and come in, and how much goes where. */
#include "cluster.h"

#define GROUPS 2000

/* Twelve nodes in three racks; the last three have disks of twice the size. */
static const char *const mixed[] = {
    "version=1",
    "devices.disk.read=100 us",
    "devices.disk.write=200 us",
    "devices.disk.size=10 GB",
    "cluster.racks=3",
    "cluster.groups[0].nodes=9",
    "cluster.groups[0].node.disk_groups.capacity.device=disk",
    "cluster.groups[0].node.disk_groups.capacity.count=3",
    "cluster.groups[1].nodes=3",
    "cluster.groups[1].node.disk_groups.capacity.device=disk",
    "cluster.groups[1].node.disk_groups.capacity.size=20 GB",
    "cluster.groups[1].node.disk_groups.capacity.count=3",
    "data.logical=1 GB",
    "data.placement_groups=64",
    NULL,
};

typedef struct {
    AftScenario *scenario;
    AftEngine *engine;
    AftTopology topology;
    AftMap *map;
    AftStream stream;
} Place;

static void place_init(Place *place, AftDomain domain)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    place->scenario = aft_scenario_new();
    cluster_set(place->scenario, mixed, problems);
    assert_true(aft_scenario_resolve(place->scenario, problems));
    place->engine = aft_engine_new();
    aft_topology_init(&place->topology, place->scenario, place->engine, 0);
    place->map = aft_map_new(&place->topology, domain, 1);
    aft_stream_init(&place->stream, 1, 0, "test.map", domain);
}

static void place_clear(Place *place)
{
    aft_map_free(place->map);
    aft_topology_clear(&place->topology);
    aft_engine_free(place->engine);
    aft_scenario_free(place->scenario);
}

/* The device a member at @seat is on, were all others empty. */
static guint32 device_at(const Place *place, guint group, AftSeat seat)
{
    return seat.device != AFT_NOWHERE ? seat.device
                                      : aft_map_device_on(place->map, group, seat.node, 0.0, 1.0);
}

/* @wanted devices of each group, ascending. Returns: (transfer full). */
static guint32 *rank_all(const Place *place, guint wanted)
{
    guint32 *all = g_new(guint32, GROUPS * wanted);
    for (guint group = 0; group < GROUPS; group++) {
        AftSeat seats[AFT_WIDTH_MOST];
        guint n = aft_map_rank(place->map, group, wanted, AFT_NOWHERE, seats);
        for (guint i = 0; i < wanted; i++) {
            guint32 device = i < n ? device_at(place, group, seats[i]) : AFT_NOWHERE;
            guint at = group * wanted + i;
            for (; at > group * wanted && all[at - 1] > device; at--) {
                all[at] = all[at - 1];
            }
            all[at] = device;
            for (guint j = 0; j < i && i < n; j++) {
                assert_false(aft_map_shares(place->map, seats[i], seats[j]));
            }
        }
    }
    return all;
}

static gboolean has(const guint32 *devices, guint wanted, guint32 device)
{
    for (guint i = 0; i < wanted; i++) {
        if (devices[i] == device) {
            return TRUE;
        }
    }
    return FALSE;
}

/* A group that had nothing on @lost stays as it was; another gives up that alone. */
static void assert_least_moves(const guint32 *before, const guint32 *after, guint wanted,
                               guint32 lost)
{
    for (guint group = 0; group < GROUPS; group++) {
        const guint32 *was = &before[group * wanted], *is = &after[group * wanted];
        guint gone = 0;
        for (guint i = 0; i < wanted; i++) {
            gone += has(is, wanted, was[i]) ? 0 : 1;
        }
        assert_int_equal(gone, has(was, wanted, lost) ? 1 : 0);
        assert_false(has(is, wanted, lost));
    }
}

static void a_device_that_goes_out_moves_its_own_alone_and_gets_them_back(void **state)
{
    (void)state;
    static const AftDomain domains[] = {AFT_DOMAIN_DEVICE, AFT_DOMAIN_NODE, AFT_DOMAIN_RACK};
    for (guint d = 0; d < G_N_ELEMENTS(domains); d++) {
        Place place;
        place_init(&place, domains[d]);
        guint wanted = domains[d] == AFT_DOMAIN_RACK ? 2 : 4;
        g_autofree guint32 *first = rank_all(&place, wanted);
        for (guint i = 0; i < 10; i++) {
            guint32 lost = (guint32)aft_stream_below(&place.stream, place.topology.n_devices);
            aft_topology_hold_device(&place.topology, lost, AFT_HOLD_OUT);
            g_autofree guint32 *after = rank_all(&place, wanted);
            assert_least_moves(first, after, wanted, lost);
            aft_topology_release_device(&place.topology, lost, AFT_HOLD_OUT);
        }
        g_autofree guint32 *last = rank_all(&place, wanted);
        assert_memory_equal(first, last, GROUPS * wanted * sizeof(guint32));
        place_clear(&place);
    }
}

/* Whatever went out and came in before: places follow from what is in now, and from nothing else.
 */
static void places_do_not_depend_on_the_way(void **state)
{
    (void)state;
    for (guint domain = AFT_DOMAIN_DEVICE; domain <= AFT_DOMAIN_RACK; domain++) {
        Place place;
        place_init(&place, (AftDomain)domain);
        AftTopology *topology = &place.topology;
        guint wanted = domain == AFT_DOMAIN_RACK ? 3 : 4;
        g_autofree guint32 *first = rank_all(&place, wanted);
        for (guint step = 0; step < 30; step++) {
            guint32 device = (guint32)aft_stream_below(&place.stream, topology->n_devices);
            guint node = (guint)aft_stream_below(&place.stream, topology->n_nodes);
            if (topology->devices[device].held[AFT_HOLD_OUT] > 0) {
                aft_topology_release_device(topology, device, AFT_HOLD_OUT);
            } else if (topology->n_out < 6) {
                aft_topology_hold_device(topology, device, AFT_HOLD_OUT);
            }
            if (topology->nodes[node].held[AFT_HOLD_OUT] > 0) {
                aft_topology_release_node(topology, node, AFT_HOLD_OUT);
            } else if (step % 3 == 0) {
                aft_topology_hold_node(topology, node, AFT_HOLD_OUT);
            }
            g_autofree guint32 *now = rank_all(&place, wanted);
            for (guint i = 0; i < GROUPS * wanted; i++) {
                assert_true(now[i] == AFT_NOWHERE || topology->devices[now[i]].in);
            }
        }
        for (guint32 i = 0; i < topology->n_devices; i++) {
            if (topology->devices[i].held[AFT_HOLD_OUT] > 0) {
                aft_topology_release_device(topology, i, AFT_HOLD_OUT);
            }
        }
        for (guint i = 0; i < topology->n_nodes; i++) {
            if (topology->nodes[i].held[AFT_HOLD_OUT] > 0) {
                aft_topology_release_node(topology, i, AFT_HOLD_OUT);
            }
        }
        g_autofree guint32 *last = rank_all(&place, wanted);
        assert_memory_equal(first, last, GROUPS * wanted * sizeof(guint32));
        place_clear(&place);
    }
}

static void unlike_nodes_get_data_by_their_capacity(void **state)
{
    (void)state;
    for (guint domain = AFT_DOMAIN_DEVICE; domain <= AFT_DOMAIN_RACK; domain++) {
        Place place;
        place_init(&place, (AftDomain)domain);
        g_autofree guint32 *all = rank_all(&place, 1);
        double large = 0.0, share = 6.0 / 15.0; /* three of twice the size, nine */
        for (guint group = 0; group < GROUPS; group++) {
            large += place.topology.devices[all[group]].node >= 9 ? 1.0 : 0.0;
        }
        assert_within(large, GROUPS * share, 3.0 * sqrt(GROUPS * share * (1.0 - share)));
        place_clear(&place);
    }
}

/* Two of three racks are left for three members: the third has no place; of a rack in which one
 * node is left, that one takes all. */
static void too_few_domains_leave_members_without_a_place(void **state)
{
    (void)state;
    Place place;
    place_init(&place, AFT_DOMAIN_RACK);
    AftSeat seats[AFT_WIDTH_MOST];
    for (guint node = 0; node < 12; node++) {
        if (place.topology.nodes[node].rack == 1) {
            aft_topology_hold_node(&place.topology, node, AFT_HOLD_OUT);
        }
        if (place.topology.nodes[node].rack == 2 && node != 8) {
            aft_topology_hold_node(&place.topology, node, AFT_HOLD_OUT);
        }
    }
    for (guint group = 0; group < GROUPS; group++) {
        assert_int_equal(aft_map_rank(place.map, group, 3, AFT_NOWHERE, seats), 2);
        assert_true(seats[0].node == 8 || seats[1].node == 8);
        assert_int_equal(aft_map_rank(place.map, group, 3, 8, seats), 1);
    }
    place_clear(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_goes_out_moves_its_own_alone_and_gets_them_back),
        cmocka_unit_test(places_do_not_depend_on_the_way),
        cmocka_unit_test(unlike_nodes_get_data_by_their_capacity),
        cmocka_unit_test(too_few_domains_leave_members_without_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
