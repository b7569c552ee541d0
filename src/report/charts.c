/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "charts.h"

#include <aftershock/result/result.h>

#define ONE(name_, column)                     \
    {                                          \
        .name = (name_), .columns = { column } \
    }
#define REQUIRED(member)                                        \
    {                                                           \
        G_STRINGIFY(member), G_STRUCT_OFFSET(AftResult, member) \
    }

/* clang-format off: a row a line */
static const AftChart charts[] = {
    {
        .title = "Throughput",
        .quantity = "rate",
        .required = REQUIRED(required_iops),
        .figures = {{"total", FALSE, {"read_iops", "write_iops"}},
                    ONE("reads", "read_iops"),
                    ONE("writes", "write_iops")},
    },
    {
        .title = "Read latency",
        .quantity = "time",
        .required = REQUIRED(required_read_ms),
        .log = TRUE,
        .figures = {ONE("mean", "read_mean_ms"), ONE("p95", "read_p95_ms"),
                    ONE("p99", "read_p99_ms")},
    },
    {
        .title = "Write latency",
        .quantity = "time",
        .required = REQUIRED(required_write_ms),
        .log = TRUE,
        .figures = {ONE("mean", "write_mean_ms"), ONE("p95", "write_p95_ms"),
                    ONE("p99", "write_p99_ms")},
    },
    {
        .title = "Owed work",
        .quantity = "count",
        .at_end = TRUE,
        .figures = {ONE("owed", "owed_ios")},
    },
    {
        .title = "Background work",
        .quantity = "speed",
        .figures = {ONE("rebuild", "rebuild_mb_per_s"), ONE("rebalance", "rebalance_mb_per_s"),
                    ONE("convert", "convert_mb_per_s"), ONE("encode", "encode_mb_per_s"),
                    ONE("scrub", "scrub_mb_per_s"), ONE("destage", "destage_mb_per_s")},
        .overlaid = {{"all but destage",
                      FALSE,
                      {"rebuild_mb_per_s", "rebalance_mb_per_s", "convert_mb_per_s",
                       "encode_mb_per_s", "scrub_mb_per_s"}},
                     ONE("destage", "destage_mb_per_s")},
    },
    {
        .title = "Utilisation and buffer fill",
        .quantity = "share",
        .figures = {ONE("controllers", "controller_util"), ONE("network", "nic_util"),
                    ONE("cache devices", "cache_util"), ONE("capacity devices", "capacity_util"),
                    ONE("buffer fill", "buffer_fill")},
        .overlaid = {{"busiest kind",
                      TRUE,
                      {"controller_util", "nic_util", "cache_util", "capacity_util"}},
                     ONE("controllers", "controller_util"),
                     ONE("network", "nic_util"),
                     ONE("cache devices", "cache_util"),
                     ONE("capacity devices", "capacity_util"),
                     ONE("buffer fill", "buffer_fill")},
    },
    {
        .title = "Groups",
        .quantity = "groups",
        .at_end = TRUE,
        .figures = {ONE("degraded", "degraded_pgs"), ONE("lost", "lost_pgs")},
    },
    {
        .title = "Stored",
        .quantity = "bytes",
        .at_end = TRUE,
        .changing = TRUE,
        .figures = {ONE("on the devices", "used_bytes")},
    },
};

static const AftQuantity quantities[] = {
    {"rate", {{1, "IOPS"}, {1e3, "k IOPS"}, {1e6, "M IOPS"}}},
    {"count", {{1, "I/Os"}, {1e3, "k I/Os"}, {1e6, "M I/Os"}, {1e9, "G I/Os"}}},
    {"groups", {{1, "groups"}}},
    {"time", {{1e-3, "µs"}, {1, "ms"}, {1e3, "s"}}},
    {"speed", {{1, "MB/s"}, {1e3, "GB/s"}}},
    {"share", {{0.01, "%"}}},
    {"bytes", {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}}},
};
/* clang-format on */

const AftChart *aft_charts(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(charts);
    return charts;
}

const AftChartFigure *aft_chart_overlaid(const AftChart *chart)
{
    return chart->overlaid[0].name != NULL ? chart->overlaid : chart->figures;
}

const AftQuantity *aft_quantities(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(quantities);
    return quantities;
}

static gboolean have(const AftChartFigure *figures, const char *column)
{
    for (guint f = 0; figures[f].name != NULL; f++) {
        for (guint c = 0; figures[f].columns[c] != NULL; c++) {
            if (g_str_equal(figures[f].columns[c], column)) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

gboolean aft_chart_shows(const char *column)
{
    for (guint i = 0; i < G_N_ELEMENTS(charts); i++) {
        if (have(charts[i].figures, column) || have(charts[i].overlaid, column)) {
            return TRUE;
        }
    }
    return FALSE;
}

const char *const *aft_chart_grave(void)
{
    static const char *const words[] = {"loss", "fail", "corrupt", "read-only", "no-space", NULL};
    return words;
}

static const AftQuantity *find_quantity(const char *name)
{
    guint i = 0;
    while (!g_str_equal(quantities[i].name, name)) { /* it is one of them */
        i++;
    }
    return &quantities[i];
}

const AftChartUnit *aft_chart_unit(const char *quantity, double greatest)
{
    const AftChartUnit *units = find_quantity(quantity)->units, *chosen = units;
    for (const AftChartUnit *unit = units; unit->name != NULL; unit++) {
        if (greatest >= (unit->worth > 1.0 ? 5.0 : 1.0) * unit->worth) {
            chosen = unit;
        }
    }
    return chosen;
}
