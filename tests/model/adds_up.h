/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adds_up.h - whether all that a model counts as it goes is what one finds counting again, at any
 * moment of any scenario.
 */
#pragma once

#include "cluster.h"

#include "conversion.h"

/* Returns: how many chunks @group has. */
static inline guint assert_chunks_live(const AftPool *pool, guint group)
{
    guint first = aft_pool_first_chunk(pool, group);
    guint n =
        pool->strip_chunks > 0 && aft_pool_layout(pool, group)->coded ? pool->strip_chunks : 1;
    for (guint chunk = first; chunk < first + n; chunk++) {
        assert_int_equal(aft_pool_group_of(pool, chunk), group);
        assert_int_equal(aft_pool_all(pool)->live[aft_pool_all(pool)->at[chunk]], chunk);
    }
    return n;
}

/* Counts again, from members and nodes alone, what the pool counts as it goes. */
static inline void assert_pool_adds_up(const AftPool *pool)
{
    guint missing = 0, degraded = 0, live = 0;
    for (guint group = 0; group < pool->n_groups; group++) {
        const AftGroup *it = &pool->groups[group];
        const AftLayout *layout = aft_pool_layout(pool, group);
        guint32 good_members = 0;
        guint moving = 0, blocked = 0;
        if (!it->used) {
            continue;
        }
        for (guint m = 0; m < layout->width; m++) {
            const AftMember *member = aft_pool_member(pool, group, m);
            const AftDevice *device = &pool->topology->devices[member->device];
            gboolean good = member->valid && device->up;
            assert_int_equal(it->current >> m & 1, good ? 1 : 0);
            /* What is known to be dead misses writes, where there are any. */
            assert_false(member->valid && !good && !it->lost && it->blocked == 0 && device->known);
            good_members |= (guint32)good << m;
            moving += member->transfer != NULL ? 1 : 0;
            blocked += device->known ? 0 : 1;
            blocked +=
                member->transfer == NULL || pool->topology->devices[member->transfer->target].known
                    ? 0
                    : 1;
        }
        blocked += it->conversion != NULL && aft_conversion_blocks(it->conversion) ? 1 : 0;
        assert_int_equal(it->blocked, blocked);
        assert_int_equal(it->moving, moving);
        gboolean readable = aft_protection_readable(&layout->spec, good_members);
        guint current = (guint)__builtin_popcount(good_members);
        assert_false(it->lost && readable);
        assert_false(!it->lost && !readable && it->blocked == 0);
        if (!it->lost) {
            live += assert_chunks_live(pool, group);
            missing += layout->width - current;
            degraded += current < layout->width ? 1 : 0;
        } else if (it->blocked == 0) {
            assert_int_equal(moving, 0);
        }
    }
    assert_int_equal(pool->missing, missing);
    assert_int_equal(pool->degraded, degraded);
    assert_int_equal(aft_pool_all(pool)->n_live, live);
}

static inline void count_transfer(const AftTopology *topology, const AftTransfer *transfer,
                                  double *waiting, guint *transfers)
{
    assert_true(transfer->done <= transfer->issued);
    assert_true(transfer->issued <= transfer->bytes && transfer->bytes > 0);
    waiting[transfer->task * topology->n_nodes + transfer->node] +=
        (double)(transfer->weight * (transfer->bytes - transfer->issued));
    transfers[transfer->task]++;
}

/* And what the curator does. */
static inline void assert_work_adds_up(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    g_autofree double *waiting = g_new0(double, AFT_TASKS * topology->n_nodes);
    guint transfers[AFT_TASKS] = {0};
    for (guint p = 0; p < cluster->model->pools->len; p++) {
        const AftPool *pool = cluster->model->pools->pdata[p];
        for (guint i = 0; i < pool->n_groups * pool->width; i++) {
            const AftTransfer *transfer = pool->members[i].transfer;
            if (transfer != NULL) {
                assert_int_equal(transfer->node, topology->devices[transfer->target].node);
                count_transfer(topology, transfer, waiting, transfers);
            }
        }
        for (guint group = 0; group < pool->n_groups; group++) {
            const AftConversion *it = pool->groups[group].conversion;
            for (guint part = 0; it != NULL && it->from.first == group && part < it->n_parts;
                 part++) {
                count_transfer(topology, it->part[part], waiting, transfers);
            }
        }
    }
    for (guint task = 0; task < AFT_TASK_SCRUB; task++) {
        assert_int_equal(transfers[task],
                         aft_curator_transfers(cluster->model->curator, (AftTaskKind)task));
        for (guint node = 0; node < topology->n_nodes; node++) {
            double bytes =
                aft_curator_waiting_bytes(cluster->model->curator, (AftTaskKind)task, node);
            assert_within(bytes, waiting[task * topology->n_nodes + node], 0.0);
        }
    }
}

/* What holds parts, and what follows from it for each. */
static inline void assert_holds_add_up(const AftTopology *topology)
{
    guint down = 0, unnoticed = 0, out = 0;
    for (guint i = 0; i < topology->n_nodes; i++) {
        const AftNode *node = &topology->nodes[i];
        down += node->absent ? 0 : node->held[AFT_HOLD_DOWN];
        unnoticed += node->held[AFT_HOLD_UNNOTICED];
        assert_int_equal(node->alive, node->held[AFT_HOLD_DOWN] == 0);
        assert_int_equal(node->known, node->held[AFT_HOLD_UNNOTICED] == 0);
    }
    for (guint i = 0; i < topology->n_devices; i++) {
        const AftDevice *device = &topology->devices[i];
        const AftNode *node = &topology->nodes[device->node];
        down += device->held[AFT_HOLD_DOWN];
        unnoticed += device->held[AFT_HOLD_UNNOTICED];
        out += device->held[AFT_HOLD_OUT];
        assert_int_equal(device->up, node->alive && device->held[AFT_HOLD_DOWN] == 0);
        assert_int_equal(device->known, node->known && device->held[AFT_HOLD_UNNOTICED] == 0);
        assert_int_equal(device->in,
                         node->held[AFT_HOLD_OUT] == 0 && device->held[AFT_HOLD_OUT] == 0);
    }
    assert_int_equal(topology->n_down, down);
    assert_int_equal(topology->n_unnoticed, unnoticed);
    assert_int_equal(topology->n_out, out);
}

/* Members that hold data, or will hold it, never share a domain. */
static inline void assert_domains_differ(const AftPool *pool)
{
    const AftTopology *topology = pool->topology;
    for (guint group = 0; group < pool->n_groups; group++) {
        AftSeat seats[2 * AFT_WIDTH_MOST];
        guint of[2 * AFT_WIDTH_MOST], n = 0;
        for (guint m = 0; pool->groups[group].used && m < aft_pool_layout(pool, group)->width;
             m++) {
            const AftMember *member = aft_pool_member(pool, group, m);
            if ((pool->groups[group].current >> m & 1) != 0) {
                of[n] = m;
                seats[n++] = (AftSeat){topology->devices[member->device].node, member->device};
            }
            if (member->transfer != NULL) {
                guint32 target = member->transfer->target;
                of[n] = m;
                seats[n++] = (AftSeat){topology->devices[target].node, target};
            }
        }
        for (guint i = 0; i < n; i++) {
            for (guint j = 0; j < i; j++) {
                assert_true(of[i] == of[j] || !aft_map_shares(pool->map, seats[i], seats[j]));
            }
        }
    }
}

/* Clocks and slots lose nothing: what they made arrive was served, shed, is owed or in flight. */
static inline void assert_nothing_is_lost(const Cluster *cluster)
{
    gint64 served = 0;
    for (guint i = 0; i < cluster->model->n_clients; i++) {
        const AftClients *clients = &cluster->model->clients[i];
        for (guint j = 0; j < clients->n_vms; j++) {
            const AftVm *vm = &clients->vms[j];
            double arrived = (double)(vm->owed.arrived + vm->shed);
            assert_true(vm->served >= 0 && vm->shed >= 0 && vm->owed.count >= 0);
            assert_true(vm->owed.count - (gint64)vm->slots <= vm->owed_most);
            served += vm->served;
            if (clients->spec->kind == AFT_WORKLOAD_CLOSED && clients->spec->think_ns == 0) {
                assert_int_equal(vm->owed.count + vm->in_flight, vm->slots);
            } else if (clients->spec->kind != AFT_WORKLOAD_CLOSED &&
                       clients->spec->pacing == AFT_PACING_EVEN) {
                assert_within(arrived, vm->rate_per_s * (double)cluster_now(cluster) / 1e9, 1.0);
            }
        }
    }
    assert_int_equal(served, cluster->completed[0] + cluster->completed[1]);
    assert_int_equal(served, aft_model_completed(cluster->model));
}

static inline void assert_buffer_adds_up(const AftTopology *topology, const AftBuffer *buffer)
{
    double claimed = 0.0;
    gboolean up = topology->devices[buffer->device].up;
    for (guint cell = 0; cell < buffer->n_cells; cell++) {
        claimed += buffer->claimed[cell];
    }
    assert_within(buffer->claimed_bytes, claimed, 1e-3);
    assert_true(buffer->claimed_bytes >= -1e-3);
    assert_true(buffer->in_flight <= buffer->spec->in_flight);
    assert_true(buffer->in_flight > 0 || buffer->claimed_bytes < 1e-3);
    assert_true(buffer->warm_bytes >= 0.0);
    /* Nobody waits at the dead, nor anywhere without hope. */
    assert_true(buffer->waiting == NULL || (up && buffer->in_flight > 0) ||
                topology->n_unnoticed > 0);
}

static inline void assert_adds_up(const Cluster *cluster)
{
    const AftTopology *topology = &cluster->model->topology;
    for (guint i = 0; i < topology->n_buffers; i++) {
        assert_buffer_adds_up(topology, &topology->buffers[i]);
    }
    aft_model_audit(cluster->model);
    assert_holds_add_up(topology);
    assert_space_adds_up(cluster);
    assert_work_adds_up(cluster);
    assert_nothing_is_lost(cluster);
    for (guint p = 0; p < cluster->model->pools->len; p++) {
        assert_pool_adds_up(cluster->model->pools->pdata[p]);
        assert_domains_differ(cluster->model->pools->pdata[p]);
    }
    for (guint kind = 0; kind < AFT_USES; kind++) {
        AftUse use = aft_model_use(cluster->model, (AftUseKind)kind);
        /* Whole nanoseconds of many parts, halved and summed as doubles. */
        assert_true(use.busy_ns >= 0.0 && use.busy_ns <= use.capable_ns * (1.0 + 1e-9));
    }
}

/* A cluster that is too slow for what it is asked goes on owing it, and may never come round to
 * the background. */
static inline gboolean cluster_is_overloaded(const Cluster *cluster)
{
    return aft_model_moment(cluster->model).owed >= MAX(cluster->model->owed_low, 1) ||
           (aft_model_flags(cluster->model) & AFT_FLAG_BUFFER_FULL) != 0;
}

/* What all groups in use store, wherever they are. */
static inline double cluster_stored_bytes(const Cluster *cluster)
{
    double bytes = 0.0;
    for (guint p = 0; p < cluster->model->pools->len; p++) {
        const AftPool *pool = cluster->model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            guint width = aft_pool_layout(pool, group)->width;
            bytes += pool->groups[group].used ? width * pool->stored_bytes : 0.0;
        }
    }
    return bytes;
}
