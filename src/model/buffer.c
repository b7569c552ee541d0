/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "buffer.h"

#include <aftershock/scenario/tiers.h>
#include <math.h>

#define EASED_SHARE 0.01 /* of the room that must be free for it not to be full any more */
#define EASED_TURNS 2.0  /* or what so many times all destages at once make */

void aft_buffer_init(AftBuffer *buffer, const AftTierSpec *spec, const AftDiskSpec *disk,
                     guint n_pools)
{
    double size_bytes = aft_tiers_buffer_bytes(spec, disk);
    buffer->spec = spec;
    buffer->size_bytes = spec->parity == AFT_PARITY_DESTAGE ? size_bytes / 2.0 : size_bytes;
    buffer->read_bytes = aft_tiers_read_bytes(spec, disk);
    buffer->n_cells = n_pools * buffer->n_behind;
    buffer->dirty = g_new0(double, buffer->n_cells);
    buffer->claimed = g_new0(double, buffer->n_cells);
    buffer->wipes = g_new0(guint, buffer->n_cells);
}

void aft_buffer_clear(AftBuffer *buffer)
{
    g_free(buffer->dirty);
    g_free(buffer->claimed);
    g_free(buffer->wipes);
}

double aft_buffer_warm_most(const AftBuffer *buffer)
{
    return MAX(MIN(buffer->read_bytes, buffer->working_bytes), 0.0); /* a sum that rounds */
}

void aft_buffer_begin(AftBuffer *buffer, const double *share)
{
    double bytes = buffer->spec->start * buffer->size_bytes;
    for (guint cell = 0; cell < buffer->n_cells; cell++) {
        buffer->dirty[cell] = bytes * share[cell / buffer->n_behind] / buffer->n_behind;
        buffer->dirty_bytes += buffer->dirty[cell];
    }
    buffer->first_bytes = buffer->dirty_bytes;
    buffer->warm_bytes = aft_buffer_warm_most(buffer);
}

double aft_buffer_fill(const AftBuffer *buffer)
{
    return buffer->dirty_bytes / buffer->size_bytes;
}

gint64 aft_buffer_delay_ns(const AftBuffer *buffer)
{
    const AftTierSpec *spec = buffer->spec;
    double way = (aft_buffer_fill(buffer) - spec->low) / (spec->high - spec->low);
    way = CLAMP(way, 0.0, 1.0);
    return (gint64)((double)spec->delay_max_ns * way * way);
}

/* The part of the working set that @bytes are. */
static double share_of(const AftBuffer *buffer, double bytes)
{
    double working = buffer->working_bytes;
    return working > bytes ? bytes / working : working > 0.0 ? 1.0 : 0.0;
}

double aft_buffer_overwrite_chance(const AftBuffer *buffer, const AftHeat *heat)
{
    double dirty = share_of(buffer, buffer->dirty_bytes);
    return heat == NULL ? dirty : aft_heat_hits(heat, dirty, 0.0);
}

double aft_buffer_hit_chance(const AftBuffer *buffer, const AftHeat *heat)
{
    return aft_heat_hits(heat, share_of(buffer, buffer->dirty_bytes),
                         share_of(buffer, buffer->warm_bytes));
}

void aft_buffer_warm(AftBuffer *buffer, double bytes)
{
    buffer->warm_bytes = MIN(buffer->warm_bytes + bytes, aft_buffer_warm_most(buffer));
}

gboolean aft_buffer_has_room(const AftBuffer *buffer, double bytes)
{
    return buffer->waiting == NULL && buffer->dirty_bytes + bytes <= buffer->size_bytes;
}

void aft_buffer_admit(AftBuffer *buffer, guint pool, guint behind, double bytes)
{
    buffer->dirty[pool * buffer->n_behind + behind] += bytes;
    buffer->dirty_bytes += bytes;
    buffer->admitted_bytes += bytes;
}

void aft_buffer_wait(AftBuffer *buffer, AftJob *job)
{
    job->next = NULL;
    if (buffer->waiting == NULL) {
        buffer->waiting = job;
    } else {
        buffer->last_waiting->next = job;
    }
    buffer->last_waiting = job;
}

AftJob *aft_buffer_pop_waiting(AftBuffer *buffer)
{
    AftJob *job = buffer->waiting;
    buffer->waiting = job->next;
    return job;
}

static double idle_bytes(const AftBuffer *buffer, guint cell)
{
    return buffer->dirty[cell] - buffer->claimed[cell];
}

/* Whether @cell goes before @other: one that has a unit, from which least is being destaged, so
 * that all devices behind are kept busy; then the one that has most. */
static gboolean goes_before(const AftBuffer *buffer, guint cell, guint other)
{
    double unit_bytes = (double)buffer->spec->unit_bytes;
    double idle = idle_bytes(buffer, cell), others = idle_bytes(buffer, other);
    if ((idle >= unit_bytes) != (others >= unit_bytes)) {
        return idle >= unit_bytes;
    }
    double claimed = buffer->claimed[cell], others_claimed = buffer->claimed[other];
    return claimed < others_claimed || (claimed == others_claimed && idle > others);
}

static guint next_cell(const AftBuffer *buffer)
{
    guint best = 0;
    for (guint cell = 1; cell < buffer->n_cells; cell++) {
        if (goes_before(buffer, cell, best)) {
            best = cell;
        }
    }
    return best;
}

/* Whether more than the low mark is not under way yet. */
static gboolean is_above_low(const AftBuffer *buffer)
{
    double left_bytes =
        buffer->dirty_bytes - buffer->claimed_bytes - (double)buffer->spec->unit_bytes;
    return left_bytes >= buffer->spec->low * buffer->size_bytes;
}

gboolean aft_buffer_claim(AftBuffer *buffer, AftClaim *ret_claim)
{
    double unit_bytes = (double)buffer->spec->unit_bytes;
    /* What waits for room may have left a little of it, however high the mark. */
    gboolean begins =
        buffer->waiting != NULL || buffer->dirty_bytes >= buffer->spec->begin * buffer->size_bytes;
    gboolean drained = buffer->drains;
    buffer->drains = (buffer->drains || begins) && is_above_low(buffer);
    buffer->turns += drained != buffer->drains;
    gboolean wanted = buffer->n_cells > 0 && (buffer->drains || buffer->waiting != NULL);
    guint cell = wanted ? next_cell(buffer) : 0;
    double bytes = wanted ? MIN(unit_bytes, idle_bytes(buffer, cell)) : 0.0;
    gboolean enough = buffer->drains && bytes == unit_bytes;
    if (!enough && (buffer->waiting == NULL || bytes < 1.0)) {
        buffer->rested = TRUE;
        return FALSE;
    }
    *ret_claim = (AftClaim){cell, bytes, buffer->wipes[cell]};
    buffer->claimed[cell] += bytes;
    buffer->claimed_bytes += bytes;
    return TRUE;
}

void aft_buffer_claim_more(AftBuffer *buffer, AftClaim *claim, double bytes)
{
    double more = MIN(bytes, idle_bytes(buffer, claim->cell));
    claim->bytes += more;
    buffer->claimed[claim->cell] += more;
    buffer->claimed_bytes += more;
}

void aft_buffer_settle(AftBuffer *buffer, const AftClaim *claim, AftClaimEnd end)
{
    buffer->claimed[claim->cell] -= claim->bytes;
    buffer->claimed_bytes -= claim->bytes;
    end = claim->wipes != buffer->wipes[claim->cell] ? AFT_CLAIM_LOST : end;
    if (end != AFT_CLAIM_KEPT) {
        buffer->dirty[claim->cell] -= claim->bytes;
        buffer->dirty_bytes -= claim->bytes;
        *(end == AFT_CLAIM_DESTAGED ? &buffer->destaged_bytes : &buffer->lost_bytes) +=
            claim->bytes;
    }
}

void aft_buffer_forget(AftBuffer *buffer, guint behind)
{
    for (guint cell = behind; cell < buffer->n_cells; cell += buffer->n_behind) {
        double bytes = idle_bytes(buffer, cell);
        buffer->dirty[cell] -= bytes;
        buffer->dirty_bytes -= bytes;
        buffer->lost_bytes += bytes;
        buffer->wipes[cell]++;
    }
}

gboolean aft_buffer_turns_full(const AftBuffer *buffer)
{
    double destages = EASED_TURNS * buffer->spec->in_flight * (double)buffer->spec->unit_bytes;
    double eased = MIN(MAX(EASED_SHARE * buffer->size_bytes, destages), 0.25 * buffer->size_bytes);
    gboolean full = buffer->waiting != NULL ||
                    (buffer->full && buffer->dirty_bytes > buffer->size_bytes - eased);
    return full != buffer->full;
}

/* What is not claimed, of all cells. */
static double all_idle_bytes(const AftBuffer *buffer)
{
    double idle = 0.0;
    for (guint cell = 0; cell < buffer->n_cells; cell++) {
        idle += idle_bytes(buffer, cell);
    }
    return idle;
}

void aft_buffer_jump(AftBuffer *buffer, double grown, double destaged)
{
    double before = buffer->dirty_bytes, idle = all_idle_bytes(buffer);
    double after = CLAMP(before + grown, buffer->claimed_bytes, buffer->size_bytes);
    for (guint cell = 0; cell < buffer->n_cells; cell++) {
        double part = idle >= 1.0 ? idle_bytes(buffer, cell) / idle /* less is rounding */
                                  : 1.0 / buffer->n_cells;
        buffer->dirty[cell] += part * (after - before);
    }
    buffer->dirty_bytes = after;
    buffer->destaged_bytes += destaged;
    buffer->admitted_bytes += destaged + (after - before);
}

void aft_buffer_audit(const AftBuffer *buffer)
{
    double flow_bytes = buffer->first_bytes + buffer->admitted_bytes;
    double sum = 0.0;
    for (guint cell = 0; cell < buffer->n_cells; cell++) {
        g_assert(buffer->dirty[cell] >= buffer->claimed[cell] - 1.0);
        sum += buffer->dirty[cell];
    }
    /* Sums of doubles in another order: rounding alone. */
    double rounding = 1.0 + 1e-9 * flow_bytes;
    g_assert(fabs(sum - buffer->dirty_bytes) <= rounding);
    g_assert(fabs(flow_bytes - buffer->destaged_bytes - buffer->lost_bytes - buffer->dirty_bytes) <=
             rounding);
    g_assert(buffer->dirty_bytes <= buffer->size_bytes + 1.0);
}
