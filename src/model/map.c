/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "map.h"

#include <aftershock/model/placement.h>
#include <math.h>

/* Seeds that differ at every level, so that no bid tells anything of another. */
#define RACK_SEED   G_GUINT64_CONSTANT(0x7261636b00000000)
#define TURN_SEED   G_GUINT64_CONSTANT(0x7475726e00000000)
#define DEVICE_SEED G_GUINT64_CONSTANT(0x6465766900000000)

struct AftMap {
    const AftTopology *topology;
    AftDomain domain;
    AftPlaces nodes; /* that are in */
    guint n_racks;
    guint32 **rack_nodes; /* a rack */
    guint *rack_sizes;
    double *rack_weight;
    double *device_weight; /* of all devices; 0: a cache device */
};

static void sort_into_racks(AftMap *map)
{
    const AftTopology *topology = map->topology;
    map->n_racks = topology->scenario->cluster.racks;
    map->rack_nodes = g_new0(guint32 *, map->n_racks);
    map->rack_sizes = g_new0(guint, map->n_racks);
    map->rack_weight = g_new0(double, map->n_racks);
    for (guint node = 0; node < topology->n_nodes; node++) {
        guint rack = topology->nodes[node].rack;
        guint32 **nodes = &map->rack_nodes[rack];
        *nodes = g_renew(guint32, *nodes, map->rack_sizes[rack] + 1);
        (*nodes)[map->rack_sizes[rack]++] = node;
        map->rack_weight[rack] += topology->nodes[node].capacity_bytes;
    }
}

static void weigh_devices(AftMap *map)
{
    const AftTopology *topology = map->topology;
    map->device_weight = g_new0(double, topology->n_devices);
    for (guint i = 0; i < topology->n_devices; i++) {
        const AftDevice *device = &topology->devices[i];
        map->device_weight[i] = device->cache ? 0.0 : (double)device->size_bytes;
    }
}

AftMap *aft_map_new(const AftTopology *topology, AftDomain domain, guint64 seed)
{
    AftMap *map = g_new0(AftMap, 1);
    *map = (AftMap){
        .topology = topology,
        .domain = domain,
        .nodes = {.seed = seed,
                  .n = topology->n_nodes,
                  .weight = topology->weight,
                  .allowed = topology->in},
    };
    sort_into_racks(map);
    weigh_devices(map);
    return map;
}

void aft_map_free(AftMap *map)
{
    if (map != NULL) {
        for (guint rack = 0; rack < map->n_racks; rack++) {
            g_free(map->rack_nodes[rack]);
        }
        g_free(map->rack_nodes);
        g_free(map->rack_sizes);
        g_free(map->rack_weight);
        g_free(map->device_weight);
        g_free(map);
    }
}

guint32 aft_map_domain_of(const AftMap *map, AftSeat seat)
{
    switch (map->domain) {
    case AFT_DOMAIN_DEVICE:
        return seat.device;
    case AFT_DOMAIN_RACK:
        return map->topology->nodes[seat.node].rack;
    default:
        return seat.node;
    }
}

AftSeat aft_map_seat_of(const AftMap *map, guint32 device)
{
    return (AftSeat){map->topology->devices[device].node,
                     map->domain == AFT_DOMAIN_DEVICE ? device : AFT_NOWHERE};
}

/* The best capacity device of @node for @group; of those that @allowed (nullable) flags, the first
 * device of the node first. */
static guint32 best_device(const AftMap *map, guint group, guint node, const guint8 *allowed)
{
    const AftNode *it = &map->topology->nodes[node];
    guint8 *capacity = g_newa(guint8, it->n_devices);
    for (guint i = 0; i < it->n_devices; i++) {
        capacity[i] = map->device_weight[it->first_device + i] > 0.0;
    }
    AftPlaces devices = {
        .seed = map->nodes.seed + 1 + it->first_device, /* unlike the hash of the nodes */
        .n = it->n_devices,
        .weight = &map->device_weight[it->first_device],
        .allowed = allowed != NULL ? allowed : capacity,
    };
    guint32 best;
    return aft_placement_rank(&devices, group, 1, &best) == 1 ? it->first_device + best
                                                              : AFT_NOWHERE;
}

guint32 aft_map_device_on(const AftMap *map, guint group, guint node, double bytes, double full)
{
    const AftNode *it = &map->topology->nodes[node];
    guint8 *allowed = g_newa(guint8, it->n_devices);
    for (guint i = 0; i < it->n_devices; i++) {
        const AftDevice *device = &map->topology->devices[it->first_device + i];
        allowed[i] = !device->cache && device->up && device->in &&
                     device->used_bytes + bytes <= full * (double)device->size_bytes;
    }
    return best_device(map, group, node, allowed);
}

guint32 aft_map_winner(const AftMap *map, guint group, guint node)
{
    return best_device(map, group, node, NULL);
}

static gboolean winner_is_in(const AftMap *map, guint group, guint node)
{
    return map->topology->n_out == 0 || map->topology->devices[aft_map_winner(map, group, node)].in;
}

/* Seats found so far, and domains passed over. */
typedef struct {
    AftSeat *seats;
    guint wanted, n;
    guint32 *passed;
    guint n_passed;
} Ranking;

static void take(Ranking *ranking, guint32 node, guint32 device)
{
    ranking->seats[ranking->n++] = (AftSeat){node, device};
}

static guint rank_nodes(const AftMap *map, guint group, guint32 shunned, Ranking *ranking)
{
    guint n = MIN(ranking->wanted + map->topology->n_out + (shunned != AFT_NOWHERE ? 1 : 0),
                  map->topology->n_nodes);
    g_autofree guint32 *best = g_new(guint32, n);
    ranking->passed = best; /* never more than have been looked at */
    n = aft_placement_rank(&map->nodes, group, n, best);
    for (guint i = 0; i < n && ranking->n < ranking->wanted; i++) {
        if (best[i] == shunned) {
            continue;
        }
        if (winner_is_in(map, group, best[i])) {
            take(ranking, best[i], AFT_NOWHERE);
        } else {
            ranking->passed[ranking->n_passed++] = best[i];
        }
    }
    for (guint i = 0; i < ranking->n_passed && ranking->n < ranking->wanted; i++) {
        take(ranking, ranking->passed[i], AFT_NOWHERE);
    }
    return ranking->n;
}

/* The best node of @rack, of all as they were built, or of those that are in and not @shunned. */
static guint32 best_node(const AftMap *map, guint group, guint rack, gboolean in, guint32 shunned)
{
    const AftTopology *topology = map->topology;
    guint32 best = AFT_NOWHERE;
    double best_score = INFINITY;
    for (guint i = 0; i < map->rack_sizes[rack]; i++) {
        guint32 node = map->rack_nodes[rack][i];
        gboolean may =
            in ? topology->in[node] && node != shunned : topology->nodes[node].capacity_bytes > 0.0;
        double score = may ? aft_placement_score(&map->nodes, group, node) : INFINITY;
        if (score < best_score) {
            best = node;
            best_score = score;
        }
    }
    return best;
}

static guint rank_racks(const AftMap *map, guint group, guint32 shunned, Ranking *ranking)
{
    AftPlaces racks = {
        .seed = map->nodes.seed ^ RACK_SEED,
        .n = map->n_racks,
        .weight = map->rack_weight,
    };
    g_autofree guint32 *best = g_new(guint32, map->n_racks);
    ranking->passed = best;
    guint n = aft_placement_rank(&racks, group, map->n_racks, best);
    for (guint i = 0; i < n && ranking->n < ranking->wanted; i++) {
        guint32 node = best_node(map, group, best[i], FALSE, AFT_NOWHERE);
        if (node != AFT_NOWHERE && node != shunned && map->topology->in[node] &&
            winner_is_in(map, group, node)) {
            take(ranking, node, AFT_NOWHERE);
        } else {
            ranking->passed[ranking->n_passed++] = best[i];
        }
    }
    for (guint i = 0; i < ranking->n_passed && ranking->n < ranking->wanted; i++) {
        guint32 node = best_node(map, group, ranking->passed[i], TRUE, shunned);
        if (node != AFT_NOWHERE) {
            take(ranking, node, AFT_NOWHERE);
        }
    }
    return ranking->n;
}

static guint rank_devices(const AftMap *map, guint group, guint32 shunned, Ranking *ranking)
{
    const AftTopology *topology = map->topology;
    guint n = ranking->wanted + (shunned != AFT_NOWHERE ? topology->nodes[shunned].n_devices : 0);
    g_autofree guint32 *best = g_new(guint32, n);
    AftPlaces devices = {
        .seed = map->nodes.seed ^ DEVICE_SEED,
        .n = topology->n_devices,
        .weight = map->device_weight,
        .allowed = topology->device_in,
    };
    n = aft_placement_rank(&devices, group, n, best);
    for (guint i = 0; i < n && ranking->n < ranking->wanted; i++) {
        guint32 node = topology->devices[best[i]].node;
        if (node != shunned) {
            take(ranking, node, best[i]);
        }
    }
    return ranking->n;
}

guint aft_map_rank(const AftMap *map, guint group, guint wanted, guint32 shunned,
                   AftSeat *ret_seats)
{
    Ranking ranking = {.seats = ret_seats, .wanted = wanted};
    switch (map->domain) {
    case AFT_DOMAIN_DEVICE:
        return rank_devices(map, group, shunned, &ranking);
    case AFT_DOMAIN_RACK:
        return rank_racks(map, group, shunned, &ranking);
    default:
        return rank_nodes(map, group, shunned, &ranking);
    }
}

guint aft_map_turn(const AftMap *map, guint group, guint n)
{
    AftPlaces turns = {.seed = map->nodes.seed ^ TURN_SEED, .n = 1};
    return map->topology->weight == NULL ? 0 : (guint)(aft_placement_score(&turns, group, 0) * n);
}
