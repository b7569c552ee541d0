/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explain.h"

#include "human.h"

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

/* Appends nothing without any row. */
static void append_table(GString *out, const Table *table, const AftTextStyle *style)
{
    if (table->cells->len == 0) {
        return;
    }
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

/* Rarer ways than this to destage are told together. */
#define RARE 0.005

static void append_some(GString *text, guint n, const char *what)
{
    if (n > 0) {
        g_string_append_printf(text, "%s%s %u", text->len > 0 ? " + " : "", what, n);
    }
}

/* "read 2, then write 2 (degraded)", "read log 1 + read 2, then write 2". */
static char *course_text(const AftCourse *course, gboolean log)
{
    GString *text = g_string_new(NULL);
    for (guint stage = 0; stage < course->n_stages; stage++) {
        g_autoptr(GString) part = g_string_new(NULL);
        append_some(part, stage == 0 ? course->cache_reads : 0, log ? "read log" : "read cache");
        append_some(part, stage == 0 ? course->cache_writes : 0, "write log");
        append_some(part, course->reads[stage], "read");
        append_some(part, course->writes[stage], "write");
        g_string_append_printf(text, "%s%s", stage > 0 ? ", then " : "", part->str);
    }
    g_string_append(text, course->degraded ? " (degraded)" : "");
    return g_string_free(text, FALSE);
}

static double course_ios(const AftCourse *course)
{
    double ios = course->cache_reads + course->cache_writes;
    for (guint stage = 0; stage < course->n_stages; stage++) {
        ios += course->reads[stage] + course->writes[stage];
    }
    return ios;
}

/* The operations of a workload, in the order of rows. */
typedef enum { READ, WRITE, DESTAGE, OPERATIONS } Operation;

/* Returns: (nullable): there is nothing of the kind. */
static const AftOperationCost *cost_of(const AftWorkloadState *it, Operation operation)
{
    const AftOperationCost *costs[] = {&it->read, &it->write, &it->destage.cost};
    return it->possible && costs[operation]->courses != NULL ? costs[operation] : NULL;
}

/* The operation, and below it the state in which it is another. Returns: (transfer full). */
static char *row_name(const AftWorkloadBounds *workload, Operation operation, AftClusterState state)
{
    return state != AFT_STATE_HEALTHY ? g_strconcat("  ", aft_cluster_state_name(state), NULL)
           : operation == READ        ? g_strdup("read")
           : operation == DESTAGE     ? g_strdup("destage")
                                      : g_strdup(aft_explain_write_name(workload));
}

static void add_course(Table *table, const char *name, double share, char *text, char *ios)
{
    add_cell(table, g_strdup(name));
    add_cell(table, aft_human_share(share));
    add_cell(table, text);
    add_cell(table, ios);
}

static void add_courses(Table *table, const char *name, const AftOperationCost *cost, gboolean log)
{
    double rest = 0.0;
    for (guint i = 0; i < cost->courses->len; i++) {
        const AftCourse *course = &g_array_index(cost->courses, AftCourse, i);
        if (course->cache_reads > 0 && course->share < RARE) {
            rest += course->share;
            continue;
        }
        add_course(table, i == 0 ? name : "", course->share, course_text(course, log),
                   aft_explain_figure(course_ios(course)));
    }
    if (rest > 0.0) {
        add_course(table, "", rest, g_strdup("others"), g_strdup(""));
    }
}

static void append_courses(GString *out, const AftBounds *bounds, const AftWorkloadBounds *workload,
                           const AftTextStyle *style)
{
    static const AftGridColumn columns[] = {
        {NULL, "operation", FALSE, FALSE},
        {NULL, "share", TRUE, FALSE},
        {NULL, "stages", FALSE, FALSE},
        {NULL, "I/Os", TRUE, FALSE},
    };
    gboolean log = bounds->scenario->tiers.parity == AFT_PARITY_DESTAGE;
    g_auto(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (Operation operation = 0; operation < OPERATIONS; operation++) {
        for (guint state = 0; state < AFT_STATES; state++) {
            const AftOperationCost *cost = cost_of(&workload->state[state], operation);
            if (cost != NULL) {
                g_autofree char *name = row_name(workload, operation, (AftClusterState)state);
                add_courses(&table, name, cost, log);
            }
        }
    }
    append_table(out, &table, style);
}

/* Nothing is "", as is what there are no parts for. */
static char *multiple(double bytes, double of)
{
    return bytes > 0.0 ? aft_explain_figure(bytes / of) : g_strdup("");
}

/* Bytes are told per byte of @bytes. */
static void add_cost(Table *table, const AftScenario *scenario, const char *operation,
                     const AftOperationCost *cost, double bytes)
{
    gboolean controller = aft_scarce_exists(scenario, AFT_SCARCE_CONTROLLER);
    gboolean network = aft_scarce_exists(scenario, AFT_SCARCE_NIC_IN);
    add_cell(table, g_strdup(operation));
    add_cell(table, aft_explain_figure(cost->reads + cost->writes + cost->map_ios));
    add_cell(table, multiple(controller ? cost->controller_bytes : 0.0, bytes));
    add_cell(table, multiple(network ? cost->network_bytes : 0.0, bytes));
    add_cell(table, multiple(cost->cache_read_bytes, bytes));
    add_cell(table, multiple(cost->cache_written_bytes, bytes));
    add_cell(table, multiple(cost->capacity_read_bytes, bytes));
    add_cell(table, multiple(cost->capacity_written_bytes, bytes));
    add_cell(table, aft_explain_figure(cost->response_s * 1e3));
}

static void append_costs(GString *out, const AftBounds *bounds, const AftWorkloadBounds *workload,
                         const AftTextStyle *style)
{
    static const char bytes[] = "bytes per byte", cache[] = "at cache", capacity[] = "at capacity";
    static const AftGridColumn columns[] = {
        {NULL, "operation", FALSE, FALSE},  {NULL, "I/Os", TRUE, FALSE},
        {bytes, "controller", TRUE, FALSE}, {bytes, "network", TRUE, FALSE},
        {cache, "read", TRUE, FALSE},       {cache, "write", TRUE, FALSE},
        {capacity, "read", TRUE, FALSE},    {capacity, "write", TRUE, FALSE},
        {"idle", "ms", TRUE, FALSE},
    };
    g_auto(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (Operation operation = 0; operation < OPERATIONS; operation++) {
        for (guint state = 0; state < AFT_STATES; state++) {
            const AftWorkloadState *it = &workload->state[state];
            const AftOperationCost *cost = cost_of(it, operation);
            if (cost != NULL) {
                g_autofree char *name = row_name(workload, operation, (AftClusterState)state);
                add_cost(&table, bounds->scenario, name, cost,
                         operation == DESTAGE ? it->destage.bytes : cost->bytes);
            }
        }
    }
    append_table(out, &table, style);
}

static void add_demand(Table *table, const AftWorkloadBounds *workload, guint scarce)
{
    for (guint state = 0; state < AFT_STATES; state++) {
        const AftWorkloadState *it = &workload->state[state];
        double most_s = it->demand[scarce].most_s, destage_s = most_s - it->own[scarce].most_s;
        gboolean asked = it->possible && workload->asked_iops > 0.0;
        /* A difference of sums that should be equal is rounding. */
        gboolean destages = it->possible && destage_s > 1e-9 * most_s;
        add_cell(table, it->possible ? aft_explain_figure(most_s * 1e6) : g_strdup(""));
        add_cell(table, destages ? aft_explain_figure(destage_s * 1e6) : g_strdup(""));
        add_cell(table, asked ? aft_human_share(workload->asked_iops * most_s) : g_strdup(""));
        gboolean most = it->possible && most_s > 0.0 && scarce == it->sustained.bottleneck;
        add_cell(table, g_strdup(most ? "most" : ""));
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
        {NULL, "us per I/O at", FALSE, FALSE},
        {"healthy", "all", TRUE, FALSE},
        {"healthy", "destage", TRUE, FALSE},
        {"healthy", "busy", TRUE, FALSE},
        {"healthy", "", FALSE, TRUE},
        {"one node down", "all", TRUE, FALSE},
        {"one node down", "destage", TRUE, FALSE},
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

void aft_explain_append_tables(GString *out, const AftBounds *bounds,
                               const AftWorkloadBounds *workload, const AftTextStyle *style)
{
    append_courses(out, bounds, workload, style); /* its line of group titles is empty */
    g_string_append_c(out, '\n');
    append_costs(out, bounds, workload, style);
    g_string_append_c(out, '\n');
    append_demands(out, workload, style);
}
