/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/result/metric.h>

#include <math.h>

#define AT(member) G_STRUCT_OFFSET(AftPhaseRow, member)
#define IN(member) G_STRUCT_OFFSET(AftResult, member)

enum { NO_INTERVAL = G_MAXUINT16 }; /* no offset of a row */

static AftFigure read_member(const AftMetric *metric, const AftResult *result,
                             const AftPhaseRow *row)
{
    gconstpointer base = metric->whole ? (gconstpointer)result : (gconstpointer)row;
    double half_width = metric->half_width == NO_INTERVAL
                            ? (double)NAN
                            : G_STRUCT_MEMBER(double, base, metric->half_width);
    return (AftFigure){G_STRUCT_MEMBER(double, base, metric->value) * metric->scale,
                       half_width * metric->scale};
}

/* Bytes of a phase a second of it. */
static AftFigure read_rate(const AftMetric *metric, const AftResult *result, const AftPhaseRow *row)
{
    (void)result;
    double bytes = G_STRUCT_MEMBER(double, row, metric->value);
    return (AftFigure){row->duration_s > 0.0 ? bytes / row->duration_s : (double)NAN, (double)NAN};
}

static double or_nothing(double value)
{
    return isnan(value) ? 0.0 : value;
}

/* Both directions together; without I/O of one of them it is the other. */
static AftFigure read_bandwidth(const AftMetric *metric, const AftResult *result,
                                const AftPhaseRow *row)
{
    (void)result;
    gboolean none = isnan(row->read_mb_per_s) && isnan(row->write_mb_per_s);
    double sum = or_nothing(row->read_mb_per_s) + or_nothing(row->write_mb_per_s);
    return (AftFigure){none ? (double)NAN : sum * metric->scale, (double)NAN};
}

/* The mean of all I/Os. Shares of reads and writes are far surer than their times, so these alone
 * make its interval. They wait in the same queues and are long together, so their half widths add
 * up whole. */
static AftFigure read_mean(const AftMetric *metric, const AftResult *result, const AftPhaseRow *row)
{
    (void)result;
    double reads = or_nothing(row->read_iops), writes = or_nothing(row->write_iops);
    if (!(reads + writes > 0.0)) {
        return (AftFigure){(double)NAN, (double)NAN};
    }
    double read = reads / (reads + writes), write = writes / (reads + writes);
    double value = (reads > 0.0 ? read * row->read_mean_ms : 0.0) +
                   (writes > 0.0 ? write * row->write_mean_ms : 0.0);
    double half_width = (reads > 0.0 ? read * row->read_mean_ci_ms : 0.0) +
                        (writes > 0.0 ? write * row->write_mean_ci_ms : 0.0);
    return (AftFigure){value * metric->scale, half_width * metric->scale};
}

static AftFigure read_saved_share(const AftMetric *metric G_GNUC_UNUSED, const AftResult *result,
                                  const AftPhaseRow *row G_GNUC_UNUSED)
{
    const AftSpace *space = &result->space;
    double copies = space->saved_bytes + space->stored_bytes;
    return (AftFigure){space->saved_bytes / copies, (double)NAN};
}

static AftFigure read_freed(const AftMetric *metric G_GNUC_UNUSED, const AftResult *result,
                            const AftPhaseRow *row G_GNUC_UNUSED)
{
    double first = result->trace->len > 0 ? g_array_index(result->trace, AftTraceRow, 0).used_bytes
                                          : (double)NAN;
    return (AftFigure){first - result->space.stored_bytes, (double)NAN};
}

#define MS (1e-3)
#define MB (1e6)

#define MEASURED(name, unit, member, ci, scale, help)                              \
    {                                                                              \
        name, AFT_UNIT_##unit, FALSE, help, read_member, AT(member), AT(ci), scale \
    }
#define COUNTED(name, unit, member, scale, help)                                        \
    {                                                                                   \
        name, AFT_UNIT_##unit, FALSE, help, read_member, AT(member), NO_INTERVAL, scale \
    }
#define RATE(task, what)                                                                     \
    {                                                                                        \
#task "_rate", AFT_UNIT_BYTES_PER_TIME, FALSE, "bytes " what " a second", read_rate, \
            AT(task##_bytes), NO_INTERVAL, 1.0                                               \
    }
#define MOVED(task, what) COUNTED(#task "_bytes", BYTES, task##_bytes, 1.0, "bytes " what)
#define WHOLE(name, member, help)                                                         \
    {                                                                                     \
        name, AFT_UNIT_BYTES, TRUE, help, read_member, IN(space.member), NO_INTERVAL, 1.0 \
    }

static const AftMetric metrics[] = {
    MEASURED("iops", RATE, iops, iops_ci, 1.0, "I/Os a second"),
    MEASURED("read_iops", RATE, read_iops, read_iops_ci, 1.0, "reads a second"),
    MEASURED("write_iops", RATE, write_iops, write_iops_ci, 1.0, "writes a second"),
    {"mean", AFT_UNIT_TIME, FALSE, "mean latency of all I/Os", read_mean, 0, 0, MS},
    MEASURED("read_mean", TIME, read_mean_ms, read_mean_ci_ms, MS, "mean latency of reads"),
    MEASURED("write_mean", TIME, write_mean_ms, write_mean_ci_ms, MS, "mean latency of writes"),
    MEASURED("read_p50", TIME, read_p50_ms, read_p50_ci_ms, MS, "median latency of reads"),
    MEASURED("read_p95", TIME, read_p95_ms, read_p95_ci_ms, MS, "95th percentile of reads"),
    MEASURED("read_p99", TIME, read_p99_ms, read_p99_ci_ms, MS, "99th percentile of reads"),
    MEASURED("write_p50", TIME, write_p50_ms, write_p50_ci_ms, MS, "median latency of writes"),
    MEASURED("write_p95", TIME, write_p95_ms, write_p95_ci_ms, MS, "95th percentile of writes"),
    MEASURED("write_p99", TIME, write_p99_ms, write_p99_ci_ms, MS, "99th percentile of writes"),
    MEASURED("read_p995", TIME, read_p995_ms, read_p995_ci_ms, MS, "99.5th percentile of reads"),
    MEASURED("write_p995", TIME, write_p995_ms, write_p995_ci_ms, MS,
             "99.5th percentile of writes"),
    COUNTED("read_response", TIME, read_response_mean_ms, MS,
            "mean time of reads, with their wait as owed work"),
    COUNTED("write_response", TIME, write_response_mean_ms, MS,
            "mean time of writes, with their wait as owed work"),
    {"mb_per_s", AFT_UNIT_BYTES_PER_TIME, FALSE, "bytes read and written a second", read_bandwidth,
     0, NO_INTERVAL, MB},
    COUNTED("read_mb_per_s", BYTES_PER_TIME, read_mb_per_s, MB, "bytes read a second"),
    COUNTED("write_mb_per_s", BYTES_PER_TIME, write_mb_per_s, MB, "bytes written a second"),
    COUNTED("minutes", TIME, duration_s, 1.0, "time that the phase lasted, in any unit"),
    RATE(rebuild, "rebuilt"),
    RATE(rebalance, "rebalanced"),
    RATE(convert, "converted"),
    RATE(encode, "encoded"),
    RATE(destage, "destaged"),
    RATE(scrub, "scrubbed"),
    MOVED(rebuild, "rebuilt in the phase"),
    MOVED(rebalance, "rebalanced in the phase"),
    MOVED(convert, "converted in the phase"),
    MOVED(encode, "encoded in the phase"),
    MOVED(destage, "destaged in the phase"),
    MOVED(scrub, "scrubbed in the phase"),
    COUNTED("controller_util", SHARE, controller_util, 1.0, "how busy controllers are"),
    COUNTED("nic_util", SHARE, nic_util, 1.0, "how busy network ports are"),
    COUNTED("cache_util", SHARE, cache_util, 1.0, "how busy cache devices are"),
    COUNTED("capacity_util", SHARE, capacity_util, 1.0, "how busy capacity devices are"),
    WHOLE("stored_bytes", stored_bytes, "bytes on the devices when the run ends; needs no phase"),
    WHOLE("saved_bytes", saved_bytes, "bytes less than two copies take; needs no phase"),
    {"saved_share", AFT_UNIT_SHARE, TRUE, "share less than two copies take; needs no phase",
     read_saved_share, 0, 0, 1.0},
    {"freed_bytes", AFT_UNIT_BYTES, TRUE,
     "bytes on the devices less than at the start; needs no phase", read_freed, 0, 0, 1.0},
    {"missed_minutes", AFT_UNIT_TIME, TRUE, "time that missed the requirement; needs no phase",
     read_member, IN(missed_s), NO_INTERVAL, 1.0},
};

const AftMetric *aft_metrics(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(metrics);
    return metrics;
}

const AftMetric *aft_metric_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(metrics); i++) {
        if (g_str_equal(metrics[i].name, name)) {
            return &metrics[i];
        }
    }
    return NULL;
}

AftFigure aft_metric_read(const AftMetric *metric, const AftResult *result, const AftPhaseRow *row)
{
    g_assert(metric->whole || row != NULL);
    return metric->read(metric, result, row);
}

const char *aft_metric_unit(const AftMetric *metric)
{
    static const char *const units[] = {[AFT_UNIT_COUNT] = "1",  [AFT_UNIT_TIME] = "ms",
                                        [AFT_UNIT_BYTES] = "GB", [AFT_UNIT_BYTES_PER_TIME] = "MB/s",
                                        [AFT_UNIT_RATE] = "/s",  [AFT_UNIT_SHARE] = "%"};
    return g_str_has_suffix(metric->name, "minutes") ? "min" : units[metric->unit];
}
