/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include "human.h"
#include "lines.h"

#include <aftershock/base/units.h>
#include <aftershock/report/explain.h>
#include <aftershock/scenario/schemes.h>

#include <math.h>

/* As many digits as @format, "%.3g" or the like, asks for; whole from 1,000 on. */
static char *figure_as(double value, const char *format)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    return fabs(value) < 999.5 ? g_strdup(g_ascii_formatd(digits, sizeof(digits), format, value))
                               : aft_human_number(value, 0);
}

static char *figure(double value)
{
    return figure_as(value, "%.3g");
}

const char *aft_explain_write_name(const AftWorkloadBounds *workload)
{
    guint data = workload->pool->initial.data;
    return data == 1                 ? "write"
           : workload->units == data ? "full-stripe write"
           : workload->units > 1     ? "partial write"
                                     : "small write";
}

/* Columns, and cells that are added row by row. */
typedef struct {
    GPtrArray *cells; /* char*, row after row */
    const AftGridColumn *columns;
    guint n_columns;
} Table;

static Table table_new(const AftGridColumn *columns, guint n_columns)
{
    return (Table){g_ptr_array_new_with_free_func(g_free), columns, n_columns};
}

static void table_clear(Table *table)
{
    g_clear_pointer(&table->cells, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Table, table_clear)

/* Takes @text. */
static void add_cell(Table *table, char *text)
{
    g_ptr_array_add(table->cells, text);
}

static void append_table(GString *out, const Table *table, const AftTextStyle *style)
{
    g_autoptr(AftGrid) grid = aft_grid_new(style->utf8);
    for (guint c = 0; c < table->n_columns; c++) {
        aft_grid_add_column(grid, &table->columns[c]);
        for (guint i = c; i < table->cells->len; i += table->n_columns) {
            aft_grid_add_cell(grid, g_ptr_array_index(table->cells, i),
                              c == 0 ? AFT_TINT_STRONG : AFT_TINT_NONE);
        }
    }
    aft_grid_append_text(grid, out, style->colour);
}

static void append_some(GString *text, guint n, const char *what)
{
    if (n > 0) {
        g_string_append_printf(text, "%s%s %u", text->len > 0 ? " + " : "", what, n);
    }
}

/* "read 2, then write 2, reconstruct". */
static char *course_text(const AftCourse *course)
{
    GString *text = g_string_new(NULL);
    for (guint stage = 0; stage < course->n_stages; stage++) {
        g_autoptr(GString) part = g_string_new(NULL);
        append_some(part, course->reads[stage], "read");
        append_some(part, course->writes[stage], "write");
        g_string_append_printf(text, "%s%s", stage > 0 ? ", then " : "", part->str);
    }
    g_string_append(text, course->degraded ? " (degraded)" : "");
    return g_string_free(text, FALSE);
}

static double course_ios(const AftCourse *course)
{
    double ios = 0.0;
    for (guint stage = 0; stage < course->n_stages; stage++) {
        ios += course->reads[stage] + course->writes[stage];
    }
    return ios;
}

static void add_courses(Table *table, const char *operation, AftClusterState state,
                        const AftOperationCost *cost)
{
    for (guint i = 0; i < cost->courses->len; i++) {
        const AftCourse *course = &g_array_index(cost->courses, AftCourse, i);
        add_cell(table, g_strdup(i == 0 && state == AFT_STATE_HEALTHY ? operation : ""));
        add_cell(table, g_strdup(i == 0 ? aft_cluster_state_name(state) : ""));
        add_cell(table, aft_human_share(course->share));
        add_cell(table, course_text(course));
        add_cell(table, figure(course_ios(course)));
    }
}

static void append_courses(GString *out, const AftWorkloadBounds *workload,
                           const AftTextStyle *style)
{
    static const AftGridColumn columns[] = {
        {NULL, "operation", FALSE, FALSE},  {NULL, "state", FALSE, FALSE},
        {NULL, "share", TRUE, FALSE},       {NULL, "stages", FALSE, FALSE},
        {NULL, "device I/Os", TRUE, FALSE},
    };
    g_auto(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint write = 0; write < 2; write++) {
        for (guint state = 0; state < AFT_STATES; state++) {
            const AftWorkloadState *it = &workload->state[state];
            if (it->possible) {
                add_courses(&table, write == 0 ? "read" : aft_explain_write_name(workload),
                            (AftClusterState)state, write == 0 ? &it->read : &it->write);
            }
        }
    }
    append_table(out, &table, style);
}

/* Nothing is "", as is what there are no parts for. */
static char *multiple(double bytes, double block)
{
    return bytes > 0.0 ? figure(bytes / block) : g_strdup("");
}

static void add_cost(Table *table, const AftScenario *scenario, const char *operation,
                     AftClusterState state, const AftOperationCost *cost, double block)
{
    gboolean controller = aft_scarce_exists(scenario, AFT_SCARCE_CONTROLLER);
    add_cell(table, g_strdup(state == AFT_STATE_HEALTHY ? operation : ""));
    add_cell(table, g_strdup(aft_cluster_state_name(state)));
    add_cell(table, figure(cost->reads + cost->writes));
    add_cell(table, multiple(controller ? cost->controller_bytes : 0.0, block));
    add_cell(table, multiple(cost->network_bytes, block));
    add_cell(table, multiple(cost->cache_written_bytes, block));
    add_cell(table, multiple(cost->capacity_read_bytes, block));
    add_cell(table, multiple(cost->capacity_written_bytes, block));
    add_cell(table, figure(cost->response_s * 1e3));
}

static void append_costs(GString *out, const AftBounds *bounds, const AftWorkloadBounds *workload,
                         const AftTextStyle *style)
{
    static const char group[] = "bytes per client byte", capacity[] = "at capacity";
    static const AftGridColumn columns[] = {
        {NULL, "operation", FALSE, FALSE}, {NULL, "state", FALSE, FALSE},
        {NULL, "I/Os", TRUE, FALSE},       {group, "controller", TRUE, FALSE},
        {group, "network", TRUE, FALSE},   {group, "cache", TRUE, FALSE},
        {capacity, "read", TRUE, FALSE},   {capacity, "written", TRUE, FALSE},
        {NULL, "ms, idle", TRUE, FALSE},
    };
    double block = (double)workload->spec->block_bytes;
    g_auto(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint write = 0; write < 2; write++) {
        for (guint state = 0; state < AFT_STATES; state++) {
            const AftWorkloadState *it = &workload->state[state];
            if (it->possible) {
                add_cost(&table, bounds->scenario,
                         write == 0 ? "read" : aft_explain_write_name(workload),
                         (AftClusterState)state, write == 0 ? &it->read : &it->write, block);
            }
        }
    }
    append_table(out, &table, style);
}

static void add_demand(Table *table, const AftWorkloadBounds *workload, guint scarce)
{
    for (guint state = 0; state < AFT_STATES; state++) {
        const AftWorkloadState *it = &workload->state[state];
        double most_s = it->demand[scarce].most_s;
        gboolean asked = it->possible && workload->asked_iops > 0.0;
        add_cell(table, it->possible ? figure(most_s * 1e6) : g_strdup(""));
        add_cell(table, asked ? aft_human_share(workload->asked_iops * most_s) : g_strdup(""));
        add_cell(table, g_strdup(it->possible && it->sustained.bottleneck == scarce && most_s > 0.0
                                     ? "most"
                                     : ""));
    }
}

static gboolean costs_nothing(const AftWorkloadBounds *workload, guint scarce)
{
    return workload->state[AFT_STATE_HEALTHY].demand[scarce].most_s <= 0.0 &&
           workload->state[AFT_STATE_NODE_DOWN].demand[scarce].most_s <= 0.0;
}

static void append_demands(GString *out, const AftWorkloadBounds *workload,
                           const AftTextStyle *style)
{
    static const AftGridColumn columns[] = {
        {NULL, "station", FALSE, FALSE},
        {"healthy", "us per I/O", TRUE, FALSE},
        {"healthy", "busy", TRUE, FALSE},
        {"healthy", "", FALSE, TRUE},
        {"one node down", "us per I/O", TRUE, FALSE},
        {"one node down", "busy", TRUE, FALSE},
        {"one node down", "", FALSE, TRUE},
    };
    g_auto(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint scarce = 0; scarce < AFT_SCARCES; scarce++) {
        if (!costs_nothing(workload, scarce)) {
            add_cell(&table, g_strdup(aft_scarce_name((AftScarce)scarce)));
            add_demand(&table, workload, scarce);
        }
    }
    append_table(out, &table, style);
}

/* "blocks of 4 KiB, 80 % reads, on data (raid5 3+1), 560 outstanding, 107,676 IOPS asked for". */
static void append_workload_line(GString *out, const AftWorkloadBounds *workload, guint n_workloads,
                                 const AftTextStyle *style)
{
    const AftWorkloadSpec *spec = workload->spec;
    g_autofree char *block = aft_units_format(AFT_UNIT_BYTES, (double)spec->block_bytes);
    g_autofree char *reads = aft_human_share(spec->read_share);
    g_autofree char *scheme = aft_scheme_format(&workload->pool->protection);
    g_autofree char *asked = aft_human_number(workload->asked_iops, 0);
    g_autofree char *outstanding = aft_human_number(workload->outstanding, 0);
    g_autofree char *text =
        g_strdup_printf("%s%sblocks of %s, %s reads, on %s (%s), %s outstanding, %s%s",
                        n_workloads > 1 ? spec->name : "", n_workloads > 1 ? ": " : "", block,
                        reads, workload->pool->name, scheme, outstanding,
                        workload->asked_iops > 0.0 ? asked : "closed",
                        workload->asked_iops > 0.0 ? " IOPS asked for" : "");
    aft_lines_append(out, "workload", text, AFT_TINT_NONE, style);
}

static void append_term(GString *text, const char *rate, double share, double ios)
{
    if (share <= 0.0) {
        return;
    }
    g_autofree char *part = figure_as(share, "%.4g"), *each = figure_as(ios, "%.4g");
    g_string_append_printf(text, "%s%s%s%s", text->len > 0 ? " + " : "", rate,
                           *rate != '\0' ? " x " : "", part);
    if (ios != 1.0) {
        g_string_append_printf(text, " x %s", each);
    }
}

char *aft_explain_penalty(const AftWorkloadBounds *workload, AftClusterState state)
{
    const AftWorkloadState *it = &workload->state[state];
    gboolean asked = workload->asked_iops > 0.0;
    double rate = asked ? workload->asked_iops : 1.0, share = workload->spec->read_share;
    g_autofree char *number = asked ? figure(rate) : g_strdup("");
    g_autofree char *sum = figure(rate * it->device_ios);
    GString *text = g_string_new(NULL);
    append_term(text, number, share, it->read.reads + it->read.writes);
    append_term(text, number, 1.0 - share, it->write.reads + it->write.writes);
    g_string_append_printf(text, " = %s device I/Os %s", sum,
                           asked ? "a second" : "per client I/O");
    return g_string_free(text, FALSE);
}

static void append_penalty(GString *out, const AftWorkloadBounds *workload, AftClusterState state,
                           const AftTextStyle *style)
{
    if (workload->state[state].possible) {
        g_autofree char *text = aft_explain_penalty(workload, state);
        g_autofree char *whole = g_strdup_printf("%s: %s", aft_cluster_state_name(state), text);
        aft_lines_append(out, state == AFT_STATE_HEALTHY ? "penalty" : "", whole, AFT_TINT_NONE,
                         style);
    }
}

static char *iops_text(double iops)
{
    return isfinite(iops) ? figure(iops) : g_strdup("any number of");
}

/* "560 outstanding", or the station that is full first. Returns: (transfer full). */
static char *limit_text(const AftWorkloadBounds *workload, const AftWorkloadState *it,
                        AftLimitKind limit)
{
    g_autofree char *outstanding = aft_human_number(workload->outstanding, 0);
    return limit == AFT_LIMIT_OUTSTANDING ? g_strconcat(outstanding, " outstanding", NULL)
                                          : g_strdup(aft_scarce_name(it->sustained.bottleneck));
}

/* "134,839 IOPS (controller), 333,275 (560 outstanding)": the bound, then what comes after it. */
static void append_limits(GString *text, const AftWorkloadBounds *workload,
                          const AftWorkloadState *it)
{
    gboolean waiting = it->sustained.limit == AFT_LIMIT_OUTSTANDING;
    AftLimitKind next = waiting ? AFT_LIMIT_SCARCE : AFT_LIMIT_OUTSTANDING;
    g_autofree char *first = iops_text(it->sustained.iops),
                    *by = limit_text(workload, it, it->sustained.limit);
    g_autofree char *other =
        iops_text(waiting ? it->sustained.capacity_iops : it->sustained.outstanding_iops);
    g_autofree char *other_by = limit_text(workload, it, next);
    g_string_append_printf(text, ": %s IOPS (%s), but for that %s (%s)", first, by, other,
                           other_by);
}

static void append_bound(GString *out, const AftWorkloadBounds *workload, AftClusterState state,
                         const AftTextStyle *style)
{
    const AftWorkloadState *it = &workload->state[state];
    const char *label = state == AFT_STATE_HEALTHY ? "at most" : "";
    g_autoptr(GString) text = g_string_new(aft_cluster_state_name(state));
    if (!it->possible) {
        g_string_append(text, ": there is no data left");
        aft_lines_append(out, label, text->str, AFT_TINT_BAD, style);
        return;
    }
    append_limits(text, workload, it);
    gboolean too_much = workload->asked_iops > it->sustained.iops;
    if (workload->asked_iops > 0.0) {
        g_autofree char *share = aft_human_share(workload->asked_iops / it->sustained.iops);
        g_string_append_printf(text, ", asked for %s of it%s", share, too_much ? ": too much" : "");
    }
    if (it->lost > 1e-12) {
        g_autofree char *lost = aft_human_share(it->lost);
        g_string_append_printf(text, ", %s of the data lost", lost);
    }
    aft_lines_append(out, label, text->str, too_much ? AFT_TINT_BAD : AFT_TINT_NONE, style);
}

static void append_workload(GString *out, const AftBounds *bounds,
                            const AftWorkloadBounds *workload, const AftTextStyle *style)
{
    g_string_append_c(out, '\n');
    append_workload_line(out, workload, bounds->scenario->n_workloads, style);
    append_courses(out, workload, style); /* its line of group titles is empty */
    g_string_append_c(out, '\n');
    append_costs(out, bounds, workload, style);
    g_string_append_c(out, '\n');
    append_demands(out, workload, style);
    g_string_append_c(out, '\n');
    for (guint state = 0; state < AFT_STATES; state++) {
        append_penalty(out, workload, (AftClusterState)state, style);
    }
    for (guint state = 0; state < AFT_STATES; state++) {
        append_bound(out, workload, (AftClusterState)state, style);
    }
}

static void append_busy(GString *out, const AftBounds *bounds, AftClusterState state,
                        const AftTextStyle *style)
{
    const AftClusterBounds *cluster = &bounds->cluster[state];
    g_autofree char *busy = aft_human_share(cluster->utilisation[cluster->bottleneck].most_s);
    g_autofree char *text =
        g_strdup_printf("%s: %s %s busy with all workloads together", aft_cluster_state_name(state),
                        aft_scarce_name(cluster->bottleneck), busy);
    aft_lines_append(out, state == AFT_STATE_HEALTHY ? "together" : "", text, AFT_TINT_NONE, style);
}

/* ", 3 capacity devices (of 40)". */
static void append_needed(GString *text, double needed, guint there, const char *what)
{
    if (there > 0) {
        /* A whole number of devices stays one when rounding has made it a little more. */
        double devices = ceil(needed * (1.0 - 1e-12));
        g_string_append_printf(text, ", %.0f %s device%s (of %u)", devices, what,
                               devices == 1.0 ? "" : "s", there);
    }
}

static void append_devices(GString *out, const AftBounds *bounds, AftClusterState state,
                           const AftTextStyle *style)
{
    const AftClusterBounds *cluster = &bounds->cluster[state];
    g_autoptr(GString) text = g_string_new(NULL);
    append_needed(text, cluster->cache_devices_needed, cluster->cache_devices, "cache");
    append_needed(text, cluster->capacity_devices_needed, cluster->capacity_devices, "capacity");
    if (text->len > 0) {
        g_autofree char *whole = g_strdup_printf("%s: the rate takes at least%s",
                                                 aft_cluster_state_name(state), text->str + 1);
        aft_lines_append(out, state == AFT_STATE_HEALTHY ? "devices" : "", whole, AFT_TINT_NONE,
                         style);
    }
}

static void append_space(GString *out, const AftBounds *bounds, const AftTextStyle *style)
{
    g_autofree char *logical = aft_human_bytes(bounds->logical_bytes);
    g_autofree char *protected = aft_human_bytes(bounds->protected_bytes);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%s stored by clients, %s with its protection", logical, protected);
    for (guint state = 0; state < AFT_STATES; state++) {
        double raw_bytes = bounds->cluster[state].raw_bytes;
        if (raw_bytes > 0.0) {
            g_autofree char *raw = aft_human_bytes(raw_bytes);
            g_autofree char *share = aft_human_share(bounds->protected_bytes / raw_bytes);
            g_string_append_printf(text, "%s %s raw (%s)",
                                   state == AFT_STATE_HEALTHY ? "," : "; one node down:", raw,
                                   share);
        }
    }
    g_string_append(text, bounds->fits ? "" : ": it does not fit then");
    aft_lines_append(out, "space", text->str, bounds->fits ? AFT_TINT_NONE : AFT_TINT_BAD, style);
}

static const char *limit_name(const AftRebuildBounds *rebuild)
{
    return rebuild->pace.limit == AFT_LIMIT_SCARCE ? aft_scarce_name(rebuild->pace.bottleneck)
           : rebuild->pace.limit == AFT_LIMIT_OUTSTANDING ? "units in flight"
                                                          : "bandwidth allowed";
}

static void append_speed(GString *text, const AftRebuildBounds *rebuild)
{
    if (rebuild->target && isfinite(rebuild->pace.bytes_per_s)) {
        g_autofree char *speed = aft_human_bytes(rebuild->pace.bytes_per_s);
        g_autofree char *duration = aft_human_duration(rebuild->pace.duration_s);
        g_string_append_printf(text, ", alone %s or more, at %s/s (%s)", duration, speed,
                               limit_name(rebuild));
    }
}

static void append_rebuild(GString *out, const AftPoolBounds *pool, guint n_pools,
                           const AftTextStyle *style)
{
    const AftRebuildBounds *rebuild = &pool->rebuild;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *bytes = aft_human_bytes(rebuild->bytes);
    if (n_pools > 1) {
        g_string_append_printf(text, "%s: ", pool->spec->name);
    }
    g_string_append_printf(text, "a node holds %s", bytes);
    if (!rebuild->possible) {
        g_string_append(text, ", which nothing can make again");
    } else {
        g_autofree char *read = figure(rebuild->read_per_byte);
        g_autofree char *sent = figure(rebuild->network_per_byte);
        g_string_append_printf(text, ", per byte written %s read and %s sent", read, sent);
        append_speed(text, rebuild);
        g_string_append(text, rebuild->target ? "" : ", but there is no node left to put it on");
    }
    aft_lines_append(out, "rebuild", text->str,
                     rebuild->possible && rebuild->target ? AFT_TINT_NONE : AFT_TINT_NOTICE, style);
}

char *aft_explain_text(const AftBounds *bounds, const char *label, const AftTextStyle *style)
{
    const AftScenario *scenario = bounds->scenario;
    GString *out = g_string_new(NULL);
    aft_lines_append_headline(out, scenario->name != NULL ? scenario->name : "", label, style);
    for (guint i = 0; i < scenario->n_workloads; i++) {
        append_workload(out, bounds, &bounds->workload[i], style);
    }
    g_string_append(out, scenario->n_workloads == 1 ? "" : "\n");
    for (guint state = 0; state < AFT_STATES && bounds->asked_iops > 0.0; state++) {
        if (bounds->cluster[state].nodes > 0 && scenario->n_workloads > 1) {
            append_busy(out, bounds, (AftClusterState)state, style);
        }
    }
    for (guint state = 0; state < AFT_STATES && bounds->asked_iops > 0.0; state++) {
        if (bounds->cluster[state].nodes > 0) {
            append_devices(out, bounds, (AftClusterState)state, style);
        }
    }
    append_space(out, bounds, style);
    for (guint i = 0; i < scenario->n_pools; i++) {
        append_rebuild(out, &bounds->pool[i], scenario->n_pools, style);
    }
    aft_lines_append(out, "idle",
                     "without waiting, at least: of parallel steps the slowest mean counts",
                     AFT_TINT_NONE, style);
    return g_string_free(out, FALSE);
}
