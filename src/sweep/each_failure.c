/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/each_failure.h>

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>
#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>
#include <aftershock/scenario/parts.h>

#include <math.h>
#include <pthread.h>

#define COLUMN(kind, member)                                                                 \
    {                                                                                        \
        G_STRINGIFY(member), AFT_CELL_##kind, G_STRUCT_OFFSET(AftPartFailure, member), FALSE \
    }

static const AftColumn columns[] = {
    COLUMN(TEXT, part),
    COLUMN(SECONDS, missed_s),
    COLUMN(SECONDS, rebuild_s),
    COLUMN(TEXT, phase),
    COLUMN(MEASURE, iops),
    COLUMN(MEASURE, mean_ms),
    COLUMN(MEASURE, read_mean_ms),
    COLUMN(MEASURE, write_mean_ms),
    COLUMN(WHOLE, lost_pgs),
    COLUMN(WHOLE, lost_bytes),
    COLUMN(SECONDS, duration_s),
    COLUMN(TEXT, requirement),
    COLUMN(TEXT, failure),
};

static const AftTable table = {columns, G_N_ELEMENTS(columns), sizeof(AftPartFailure)};

const AftTable *aft_part_failure_table(void)
{
    return &table;
}

static void clear_row(gpointer row)
{
    aft_table_clear_row(&table, row);
}

static void set_text(char **member, const char *text)
{
    g_free(*member);
    *member = g_strdup(text);
}

/* Mean latency of all I/Os of @phase; infinity: there was none. */
static double latency_ms(const AftPhaseRow *phase)
{
    double read = phase->read_iops > 0.0 ? phase->read_iops * phase->read_mean_ms : 0.0;
    double write = phase->write_iops > 0.0 ? phase->write_iops * phase->write_mean_ms : 0.0;
    return phase->iops > 0.0 ? (read + write) / phase->iops : (double)INFINITY;
}

static gboolean missed(const AftPhaseRow *phase)
{
    return *phase->requirement != '\0' && !g_str_equal(phase->requirement, "met");
}

static gboolean is_worse(const AftPhaseRow *phase, const AftPhaseRow *than)
{
    return missed(phase) != missed(than) ? missed(phase) : latency_ms(phase) > latency_ms(than);
}

/* Returns: (nullable): NULL: the run ended at the failure. */
static const AftPhaseRow *worst_phase(const GArray *phases, double at_s)
{
    const AftPhaseRow *worst = NULL;
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *phase = &g_array_index(phases, AftPhaseRow, i);
        if (phase->start_s + phase->duration_s > at_s &&
            (worst == NULL || is_worse(phase, worst))) {
            worst = phase;
        }
    }
    return worst;
}

static double rebuild_s(const GArray *phases)
{
    double sum_s = (double)NAN;
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *phase = &g_array_index(phases, AftPhaseRow, i);
        if (phase->phase == AFT_PHASE_REBUILD) {
            sum_s = phase->duration_s + (isnan(sum_s) ? 0.0 : sum_s);
        }
    }
    return sum_s;
}

static void fill_worst(AftPartFailure *row, const AftPhaseRow *worst)
{
    set_text(&row->phase, aft_phase_name(worst->phase));
    row->iops = worst->iops;
    row->mean_ms = latency_ms(worst);
    row->read_mean_ms = worst->read_mean_ms;
    row->write_mean_ms = worst->write_mean_ms;
}

static void fill(AftPartFailure *row, const AftResult *result, double at_s)
{
    const AftPhaseRow *worst = worst_phase(result->phases, at_s);
    if (worst != NULL) {
        fill_worst(row, worst);
    }
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *phase = &g_array_index(result->phases, AftPhaseRow, i);
        row->duration_s = phase->start_s + phase->duration_s;
    }
    set_text(&row->requirement, result->requirement);
    row->missed_s = *result->requirement != '\0' ? result->missed_s : (double)NAN;
    row->rebuild_s = rebuild_s(result->phases);
    row->lost_pgs = result->loss.lost_pgs;
    row->lost_bytes = result->loss.lost_bytes;
}

/* Lets @part fail in a run. Returns: FALSE: it was interrupted. */
static gboolean run_failure(const AftEachFailureSetup *setup, const AftPart *part,
                            AftPartFailure *ret_row)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario = setup->make(setup->context, &error);
    g_autoptr(AftResult) result = NULL;
    if (scenario != NULL) {
        AftRunOptions options = {.interrupted = setup->interrupted};
        aft_what_if_no_faults(scenario);
        aft_what_if_fails(scenario, part, setup->at_ns, setup->restore_ns);
        result = aft_run(scenario, &options, &error);
    }
    if (result != NULL && result->interrupted) {
        return FALSE;
    }
    aft_table_init_row(&table, ret_row);
    g_free(ret_row->part);
    ret_row->part = aft_part_format(part);
    if (result != NULL) {
        fill(ret_row, result, (double)setup->at_ns / 1e9);
    } else {
        set_text(&ret_row->failure, error->message);
    }
    return TRUE;
}

typedef struct {
    const AftEachFailureSetup *setup;
    const GArray *parts;  /* AftPart */
    AftPartFailure *rows; /* of each; without a part it has not ended */
    pthread_mutex_t lock; /* of what follows */
    guint ended;
} Failures;

static gboolean is_interrupted(const AftEachFailureSetup *setup)
{
    return setup->interrupted != NULL && g_atomic_int_get(setup->interrupted) != 0;
}

static void work(guint index, gpointer data)
{
    Failures *failures = data;
    const AftEachFailureSetup *setup = failures->setup;
    const AftPart *part = &g_array_index(failures->parts, AftPart, index);
    if (is_interrupted(setup) || !run_failure(setup, part, &failures->rows[index])) {
        return;
    }
    pthread_mutex_lock(&failures->lock);
    failures->ended++;
    if (setup->progress != NULL) {
        setup->progress(failures->ended, failures->parts->len, setup->context);
    }
    pthread_mutex_unlock(&failures->lock);
}

/* Below 0: @a is more; a figure that is not there is less than any. */
static gint more(double a, double b)
{
    double first = isnan(a) ? (double)-INFINITY : a, second = isnan(b) ? (double)-INFINITY : b;
    return (first < second) - (first > second);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const AftPartFailure *one = a, *other = b;
    const gint orders[] = {
        (*one->failure != '\0') - (*other->failure != '\0'),
        more(one->lost_bytes, other->lost_bytes),
        more(one->lost_pgs, other->lost_pgs),
        more(one->missed_s, other->missed_s),
        more(one->mean_ms, other->mean_ms),
        more(one->rebuild_s, other->rebuild_s),
    };
    for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
        if (orders[i] != 0) {
            return orders[i];
        }
    }
    return 0;
}

/* Of those that ended, the worst first; equal ones as they are counted. */
static GArray *collect(const AftPartFailure *rows, guint n)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(AftPartFailure));
    g_array_set_clear_func(all, clear_row);
    for (guint i = 0; i < n; i++) {
        if (rows[i].part != NULL) {
            g_array_append_val(all, rows[i]);
        }
    }
    g_array_sort(all, compare);
    return all;
}

static gboolean check(const AftEachFailureSetup *setup, const AftScenario *scenario,
                      const GArray *parts, GError **error)
{
    g_autofree char *example = aft_part_examples(1u << setup->kind);
    if (setup->at_ns >= scenario->run.duration_ns) {
        g_autofree char *at = aft_units_format(AFT_UNIT_TIME, (double)setup->at_ns / 1e9);
        g_autofree char *end =
            aft_units_format(AFT_UNIT_TIME, (double)scenario->run.duration_ns / 1e9);
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE,
                    "a failure at %s never happens, run.duration is %s", at, end);
        return FALSE;
    }
    if (parts->len == 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN, "the cluster has nothing like %s",
                    example);
        return FALSE;
    }
    if (parts->len > AFT_EACH_FAILURE_MOST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "%u parts like %s, a run for each: expected at most %d", parts->len, example,
                    AFT_EACH_FAILURE_MOST);
        return FALSE;
    }
    return TRUE;
}

GArray *aft_each_failure(const AftEachFailureSetup *setup, GError **error)
{
    g_autoptr(AftScenario) scenario = setup->make(setup->context, error);
    g_autoptr(GArray) parts = scenario != NULL ? aft_what_if_parts(scenario, setup->kind) : NULL;
    if (scenario == NULL || !check(setup, scenario, parts, error)) {
        return NULL;
    }
    g_autofree AftPartFailure *rows = g_new0(AftPartFailure, parts->len);
    Failures failures = {.setup = setup, .parts = parts, .rows = rows};
    pthread_mutex_init(&failures.lock, NULL);
    aft_workers_run(parts->len, setup->jobs, work, &failures);
    pthread_mutex_destroy(&failures.lock);
    return collect(rows, parts->len);
}
