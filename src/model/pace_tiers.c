/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pace_parts.h"

#include <math.h>

#define FILL_DOUBT   0.1  /* half width of the interval of the pace at which they fill, wanted */
#define FADE_WINDOWS 32   /* half of what so many windows saw is forgotten */
#define ALIKE_UNITS  1e3  /* units that buffers are taken to be alike for, until seen */
#define TURNED_SHARE 0.02 /* of all buffers: as few may turn without a look at where they go */
#define FEW_WINDOWS  3    /* that do not tell what is chance */

static AftBuffer *buffer_at(const AftPace *pace, guint i)
{
    return &pace->model->topology.buffers[i];
}

static guint n_buffers(const AftPace *pace)
{
    return pace->model->topology.n_buffers;
}

static double cold_bytes(const AftBuffer *buffer)
{
    return MAX(aft_buffer_warm_most(buffer) - buffer->warm_bytes, 0.0);
}

/* Of @moving buffers, @draining of them on the way down. */
static void begin_trend(AftPace *pace, guint moving, guint draining)
{
    aft_trend_clear(&pace->admitted);
    aft_trend_clear(&pace->destaged);
    aft_batches_init(&pace->outflow);
    if (draining != pace->n_draining) {
        aft_batches_init(&pace->growth);
    }
    pace->n_moving = moving;
    pace->n_draining = draining;
}

/* Whether it is filled up to one mark and emptied down to another, in turn. Else it stays where
 * destage begins. */
static gboolean goes_in_turns(const AftBuffer *buffer)
{
    return buffer->spec->begin > buffer->spec->low;
}

static gboolean drains(const AftBuffer *buffer)
{
    return buffer->drains || !goes_in_turns(buffer);
}

void aft_pace_forget_tiers(AftPace *pace)
{
    begin_trend(pace, 0, 0);
    aft_batches_init(&pace->growth);
    for (guint i = 0; i < n_buffers(pace); i++) {
        const AftBuffer *buffer = buffer_at(pace, i);
        pace->buffers[i] =
            (AftBufferPace){.warm_span = cold_bytes(buffer), .drains = drains(buffer)};
    }
}

void aft_pace_begin_tiers(AftPace *pace)
{
    pace->buffered_before = aft_executor_buffered_bytes(pace->model->executor);
    for (guint i = 0; i < n_buffers(pace); i++) {
        AftBuffer *buffer = buffer_at(pace, i);
        AftBufferPace *it = &pace->buffers[i];
        it->admitted_before = buffer->admitted_bytes;
        it->destaged_before = buffer->destaged_bytes;
        it->warm_before = buffer->warm_bytes;
        it->turns_before = buffer->turns;
        buffer->rested = FALSE;
    }
}

/* Whether destage keeps up: it had nothing to do once, though there is as much as it leaves. */
static gboolean keeps_up(const AftBuffer *buffer)
{
    double left_bytes = buffer->spec->low * buffer->size_bytes - (double)buffer->spec->unit_bytes;
    return drains(buffer) && buffer->rested && buffer->dirty_bytes >= left_bytes;
}

/* Whether it went both ways in the window: what that saw is the pace of neither. */
static gboolean has_turned(const AftBufferPace *it, const AftBuffer *buffer)
{
    return goes_in_turns(buffer) && buffer->turns != it->turns_before;
}

static void measure_buffer(AftBufferPace *it, const AftBuffer *buffer, gboolean alive,
                           double length_s)
{
    double destaged = buffer->destaged_bytes - it->destaged_before;
    gboolean moves = alive && buffer->n_cells > 0 && !buffer->full && !keeps_up(buffer);
    gboolean other_way = it->drains != drains(buffer) || has_turned(it, buffer);
    it->turned = (it->moves && !moves) || other_way;
    it->moves = moves;
    it->drains = drains(buffer);
    it->admitted_per_s = (buffer->admitted_bytes - it->admitted_before) / length_s;
    it->destaged_per_s = destaged / length_s;
    aft_part_add(&it->warmed, MAX(buffer->warm_bytes - it->warm_before, 0.0), length_s);
    aft_part_fade(&it->warmed, FADE_WINDOWS);
    if (it->moves && !other_way) {
        aft_part_add(&it->admitted, buffer->admitted_bytes - it->admitted_before, length_s);
        aft_part_add(&it->destaged, destaged, length_s);
        aft_part_fade(&it->admitted, FADE_WINDOWS);
        aft_part_fade(&it->destaged, FADE_WINDOWS);
    } else {
        it->admitted = it->destaged = (AftMeasured){0};
    }
}

void aft_pace_end_tiers(AftPace *pace, double length_s)
{
    double all = 0.0, admitted = 0.0, destaged = 0.0;
    guint moving = 0, draining = 0;
    for (guint i = 0; i < n_buffers(pace); i++) {
        const AftBuffer *buffer = buffer_at(pace, i);
        AftBufferPace *it = &pace->buffers[i];
        double bytes = buffer->admitted_bytes - it->admitted_before;
        measure_buffer(it, buffer, pace->model->topology.devices[buffer->device].up, length_s);
        all += bytes;
        admitted += it->moves ? bytes : 0.0;
        destaged += it->moves ? buffer->destaged_bytes - it->destaged_before : 0.0;
        moving += it->moves ? 1 : 0;
        draining += it->moves && it->drains ? 1 : 0;
    }
    if (moving != pace->n_moving || draining != pace->n_draining) {
        begin_trend(pace, moving, draining);
    }
    double clients = aft_executor_buffered_bytes(pace->model->executor) - pace->buffered_before;
    double expected = all + clients * (pace->writes_chance - 1.0);
    double without_chance = all > 0.0 ? admitted * expected / all : 0.0;
    aft_trend_add(&pace->admitted, aft_pace_centre_s(pace), without_chance / length_s);
    aft_trend_add(&pace->destaged, aft_pace_centre_s(pace), destaged / length_s);
    aft_batches_add(&pace->outflow, destaged, length_s, 1.0);
    aft_batches_add(&pace->growth, without_chance - destaged, moving * length_s, 1.0);
}

double aft_pace_tiers_doubt(const AftPace *pace)
{
    double growth = fabs(aft_batches_ratio(&pace->growth));
    double chance = aft_batches_half_width(&pace->growth, AFT_PACE_CONFIDENCE);
    gboolean moves = pace->n_moving > 0 && growth > chance; /* NaN is no doubt */
    return moves ? chance / growth / FILL_DOUBT : 0.0;
}

/* How fast a buffer may fill or empty by what chance has made of the windows, bytes a second. */
static double growth_by_chance(const AftPace *pace)
{
    double chance = aft_batches_half_width(&pace->growth, AFT_PACE_CONFIDENCE);
    return pace->growth.n < FEW_WINDOWS ? 0.0 : chance;
}

/* Whether buffers surely fill or empty, or it is too early to say. */
static gboolean surely_move(const AftPace *pace)
{
    return fabs(aft_batches_ratio(&pace->growth)) > growth_by_chance(pace) ||
           pace->growth.n < FEW_WINDOWS;
}

/* Whether the fill of @buffer changes the delay of writes, and by it what comes in. */
static gboolean delays(const AftBuffer *buffer)
{
    double fill = aft_buffer_fill(buffer);
    return buffer->spec->delay_max_ns > 0 && fill > buffer->spec->low && fill < buffer->spec->high;
}

/* Paces of a buffer that moves. Chance is large in the parts of single ones. */
typedef struct {
    double admitted, destaged; /* bytes a second */
} Flow;

static Flow flow_of(const AftBuffer *buffer, const AftBufferPace *it, const Flow *mean)
{
    double assumed = ALIKE_UNITS * (double)buffer->spec->unit_bytes;
    return it->moves ? (Flow){aft_part_per_s(&it->admitted, assumed, mean->admitted),
                              aft_part_per_s(&it->destaged, assumed, mean->destaged)}
                     : (Flow){0};
}

static double part_per_s(const AftMeasured *part)
{
    return part->time_s > 0.0 ? part->amount / part->time_s : 0.0;
}

/* The flow of one buffer that moves and is on the way down or not as @drains says, in the mean. */
static Flow mean_flow(const AftPace *pace, gboolean drains)
{
    Flow mean = {0};
    guint n = 0;
    for (guint i = 0; i < n_buffers(pace); i++) {
        const AftBufferPace *it = &pace->buffers[i];
        if (it->moves && it->drains == drains) {
            mean.admitted += part_per_s(&it->admitted);
            mean.destaged += part_per_s(&it->destaged);
            n += it->admitted.windows > 0;
        }
    }
    return (Flow){mean.admitted / MAX(n, 1), mean.destaged / MAX(n, 1)};
}

/* What is destaged at @time_s, over what all windows saw: their mean is best as long as the last
 * ones, of which a trend is made, differ by no more than chance. */
static double destaged_scale(const AftPace *pace, double time_s, double mean)
{
    double latest = aft_trend_at(&pace->destaged, time_s);
    double chance = aft_batches_half_width(&pace->outflow, AFT_PACE_CONFIDENCE) *
                    sqrt((double)pace->outflow.n / AFT_TREND_MOST);
    return mean > 0.0 && fabs(latest - mean) > chance ? latest / mean
                                                      : 1.0; /* NaN: nothing is known */
}

/* How fast each buffer grows at @time_s, bytes a second: by what windows saw come in, scaled to
 * what comes in then. Were what chance did in windows carried on over skips, it would be a multiple
 * of what it is; where a delay or marks hold the fill, it comes back, else it must be more than
 * chance. Returns: (transfer full): a buffer. */
static double *growths(const AftPace *pace, double time_s)
{
    double *growth = g_new0(double, n_buffers(pace) + 1);
    const Flow mean[] = {mean_flow(pace, FALSE), mean_flow(pace, TRUE)};
    Flow seen = {0};
    for (guint i = 0; i < n_buffers(pace); i++) {
        const AftBufferPace *it = &pace->buffers[i];
        Flow flow = flow_of(buffer_at(pace, i), it, &mean[it->drains]);
        seen.admitted += flow.admitted;
        seen.destaged += flow.destaged;
    }
    double scale =
        seen.admitted > 0.0 ? aft_trend_at(&pace->admitted, time_s) / seen.admitted : 0.0;
    double out_scale = destaged_scale(pace, time_s, seen.destaged);
    gboolean surely = surely_move(pace);
    for (guint i = 0; i < n_buffers(pace); i++) {
        const AftBufferPace *it = &pace->buffers[i];
        Flow flow = flow_of(buffer_at(pace, i), it, &mean[it->drains]);
        gboolean moves = surely || delays(buffer_at(pace, i)) || goes_in_turns(buffer_at(pace, i));
        growth[i] = moves ? scale * flow.admitted - out_scale * flow.destaged : 0.0;
    }
    return growth;
}

/* The way to the next mark at which something changes; one that it stands at does not count. */
static double way_bytes(const AftBuffer *buffer, gboolean up)
{
    const AftTierSpec *spec = buffer->spec;
    const double marks[] = {spec->low * buffer->size_bytes, spec->begin * buffer->size_bytes,
                            spec->high * buffer->size_bytes, buffer->size_bytes};
    double nearest = INFINITY;
    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        double way = up ? marks[i] - buffer->dirty_bytes : buffer->dirty_bytes - marks[i];
        nearest = way > (double)spec->unit_bytes ? MIN(nearest, way) : nearest;
    }
    return nearest;
}

/* Neither the fill nor the delay, which grows with its square, moves by more than a step. */
static double dirty_limit_s(const AftPace *pace, const AftBuffer *buffer, double growth)
{
    double span_bytes = (buffer->spec->high - buffer->spec->low) * buffer->size_bytes;
    double way = aft_buffer_fill(buffer) - buffer->spec->low;
    double slope = 2.0 * way / (buffer->spec->high - buffer->spec->low);
    double step_bytes = span_bytes / aft_pace_steps(pace) / CLAMP(slope, 1.0, 2.0);
    return growth != 0.0 ? MIN(way_bytes(buffer, growth > 0.0), step_bytes) / fabs(growth)
                         : INFINITY;
}

static double warm_limit_s(const AftPace *pace, const AftBuffer *buffer, const AftBufferPace *it)
{
    double per_s = cold_bytes(buffer) > 0.0 ? part_per_s(&it->warmed) : 0.0;
    return per_s > 0.0 ? MIN(it->warm_span / aft_pace_steps(pace), cold_bytes(buffer)) / per_s
                       : INFINITY;
}

gboolean aft_pace_delays_grow(const AftPace *pace)
{
    g_autofree double *growth = growths(pace, aft_pace_now_s(pace));
    for (guint i = 0; i < n_buffers(pace); i++) {
        if (growth[i] > 0.0 && delays(buffer_at(pace, i))) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Whether many buffers have just stopped at a mark or turned there. They may go on from there: the
 * next window will tell. */
static gboolean have_turned(const AftPace *pace)
{
    guint turned = 0;
    for (guint i = 0; i < n_buffers(pace); i++) {
        turned += pace->buffers[i].turned ? 1 : 0;
    }
    return turned > TURNED_SHARE * n_buffers(pace);
}

double aft_pace_tiers_limit_s(const AftPace *pace)
{
    if (have_turned(pace)) {
        return 0.0;
    }
    g_autofree double *growth = growths(pace, aft_pace_now_s(pace));
    double unsure = surely_move(pace) ? 0.0 : growth_by_chance(pace), limit_s = INFINITY;
    for (guint i = 0; i < n_buffers(pace); i++) {
        const AftBuffer *buffer = buffer_at(pace, i);
        gboolean may_move = growth[i] == 0.0 && pace->buffers[i].moves;
        double dirty_s = dirty_limit_s(pace, buffer, may_move ? unsure : growth[i]);
        limit_s = MIN(limit_s, MIN(dirty_s, warm_limit_s(pace, buffer, &pace->buffers[i])));
    }
    return limit_s;
}

void aft_pace_advance_tiers(AftPace *pace, gint64 from_ns, gint64 by_ns)
{
    double by_s = (double)by_ns / 1e9, middle_s = ((double)from_ns + (double)by_ns / 2.0) / 1e9;
    g_autofree double *growth = growths(pace, middle_s);
    for (guint i = 0; i < n_buffers(pace); i++) {
        AftBuffer *buffer = buffer_at(pace, i);
        const AftBufferPace *it = &pace->buffers[i];
        /* What stays as full as it is gives away what it gets: a window may see no whole unit. */
        double destaged_per_s = growth[i] == 0.0 ? it->admitted_per_s : it->destaged_per_s;
        aft_buffer_jump(buffer, growth[i] * by_s, destaged_per_s * by_s);
        buffer->warm_bytes += MIN(part_per_s(&it->warmed) * by_s, cold_bytes(buffer));
    }
}
