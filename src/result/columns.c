/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/columns.h>
#include <aftershock/result/result.h>

#include <math.h>
#include <string.h>

#define COLUMN(row, kind, member, new)                                          \
    {                                                                           \
        G_STRINGIFY(member), AFT_CELL_##kind, G_STRUCT_OFFSET(row, member), new \
    }
#define PHASE(kind, member)     COLUMN(AftPhaseRow, kind, member, FALSE)
#define NEW_PHASE(kind, member) COLUMN(AftPhaseRow, kind, member, TRUE)
#define TRACE(kind, member)     COLUMN(AftTraceRow, kind, member, FALSE)
#define EVENT(kind, member)     COLUMN(AftEventRow, kind, member, FALSE)
#define LATENCY(kind, member)   COLUMN(AftLatencyRow, kind, member, FALSE)

static const AftColumn phase_columns[] = {
    PHASE(PHASE, phase),
    PHASE(SECONDS, start_s),
    PHASE(SECONDS, duration_s),
    PHASE(MEASURE, iops),
    PHASE(MEASURE, iops_ci),
    PHASE(MEASURE, read_iops),
    PHASE(MEASURE, write_iops),
    PHASE(MEASURE, read_mean_ms),
    PHASE(MEASURE, read_mean_ci_ms),
    PHASE(MEASURE, read_p50_ms),
    PHASE(MEASURE, read_p95_ms),
    PHASE(MEASURE, read_p99_ms),
    PHASE(MEASURE, write_mean_ms),
    PHASE(MEASURE, write_mean_ci_ms),
    PHASE(MEASURE, write_p50_ms),
    PHASE(MEASURE, write_p95_ms),
    PHASE(MEASURE, write_p99_ms),
    PHASE(MEASURE, read_response_mean_ms),
    PHASE(MEASURE, write_response_mean_ms),
    PHASE(MEASURE, read_mb_per_s),
    PHASE(MEASURE, write_mb_per_s),
    PHASE(WHOLE, owed_ios_end),
    PHASE(WHOLE, shed_ios),
    PHASE(WHOLE, rebuild_bytes),
    PHASE(WHOLE, rebalance_bytes),
    PHASE(WHOLE, convert_bytes),
    PHASE(WHOLE, encode_bytes),
    PHASE(WHOLE, destage_bytes),
    PHASE(MEASURE, controller_util),
    PHASE(MEASURE, nic_util),
    PHASE(MEASURE, cache_util),
    PHASE(MEASURE, capacity_util),
    PHASE(SECONDS, simulated_s),
    PHASE(SECONDS, missed_s),
    PHASE(TEXT, requirement),
    PHASE(WHOLE, scrub_bytes),
    PHASE(MEASURE, read_iops_ci),
    PHASE(MEASURE, write_iops_ci),
    PHASE(MEASURE, read_p50_ci_ms),
    PHASE(MEASURE, read_p95_ci_ms),
    PHASE(MEASURE, read_p99_ci_ms),
    PHASE(MEASURE, write_p50_ci_ms),
    PHASE(MEASURE, write_p95_ci_ms),
    PHASE(MEASURE, write_p99_ci_ms),
    NEW_PHASE(MEASURE, read_p995_ms),
    NEW_PHASE(MEASURE, write_p995_ms),
    NEW_PHASE(MEASURE, read_p995_ci_ms),
    NEW_PHASE(MEASURE, write_p995_ci_ms),
    PHASE(WHOLE, lost_pgs),
    PHASE(TEXT, flags),
};

static const AftColumn trace_columns[] = {
    TRACE(SECONDS, time_s),
    TRACE(PHASE, phase),
    TRACE(MEASURE, read_iops),
    TRACE(MEASURE, write_iops),
    TRACE(MEASURE, read_mean_ms),
    TRACE(MEASURE, read_p50_ms),
    TRACE(MEASURE, read_p95_ms),
    TRACE(MEASURE, read_p99_ms),
    TRACE(MEASURE, write_mean_ms),
    TRACE(MEASURE, write_p50_ms),
    TRACE(MEASURE, write_p95_ms),
    TRACE(MEASURE, write_p99_ms),
    TRACE(MEASURE, read_mb_per_s),
    TRACE(MEASURE, write_mb_per_s),
    TRACE(WHOLE, owed_ios),
    TRACE(WHOLE, degraded_pgs),
    TRACE(WHOLE, lost_pgs),
    TRACE(MEASURE, rebuild_mb_per_s),
    TRACE(MEASURE, rebalance_mb_per_s),
    TRACE(MEASURE, convert_mb_per_s),
    TRACE(MEASURE, encode_mb_per_s),
    TRACE(MEASURE, scrub_mb_per_s),
    TRACE(MEASURE, destage_mb_per_s),
    TRACE(WHOLE, used_bytes),
    TRACE(MEASURE, buffer_fill),
    TRACE(MEASURE, controller_util),
    TRACE(MEASURE, nic_util),
    TRACE(MEASURE, cache_util),
    TRACE(MEASURE, capacity_util),
    TRACE(SECONDS, simulated_s),
};

static const AftColumn event_columns[] = {
    EVENT(SECONDS, time_s),
    EVENT(TEXT, event),
    EVENT(TEXT, subject),
    EVENT(TEXT, detail),
};

static const AftColumn latency_columns[] = {
    LATENCY(PHASE, phase),
    LATENCY(SECONDS, start_s),
    {"class", AFT_CELL_WRITE, G_STRUCT_OFFSET(AftLatencyRow, write), FALSE},
    LATENCY(MEASURE, upper_ms),
    LATENCY(MEASURE, count),
    LATENCY(MEASURE, share),
};

static const AftTable phase_table = {phase_columns, G_N_ELEMENTS(phase_columns),
                                     sizeof(AftPhaseRow)};
static const AftTable trace_table = {trace_columns, G_N_ELEMENTS(trace_columns),
                                     sizeof(AftTraceRow)};
static const AftTable event_table = {event_columns, G_N_ELEMENTS(event_columns),
                                     sizeof(AftEventRow)};

static const AftTable latency_table = {latency_columns, G_N_ELEMENTS(latency_columns),
                                       sizeof(AftLatencyRow)};

const AftTable *aft_phase_table(void)
{
    return &phase_table;
}

const AftTable *aft_trace_table(void)
{
    return &trace_table;
}

const AftTable *aft_event_table(void)
{
    return &event_table;
}

const AftTable *aft_latency_table(void)
{
    return &latency_table;
}

/* @decimals digits after the point, less the zeros at their end. */
static char *fixed_text(double value, int decimals)
{
    char format[8], digits[G_ASCII_DTOSTR_BUF_SIZE + 310]; /* the largest double has 309 */
    g_snprintf(format, sizeof(format), "%%.%df", decimals);
    g_ascii_formatd(digits, sizeof(digits), format, value);
    char *end = digits + strlen(digits);
    if (strchr(digits, '.') != NULL) {
        while (end[-1] == '0') {
            end--;
        }
        end -= end[-1] == '.';
    }
    *end = '\0';
    return g_strdup(g_str_equal(digits, "-0") ? "0" : digits);
}

static char *measure_text(double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(digits, sizeof(digits), "%.9g", value + 0.0)); /* no "-0" */
}

static char *double_text(AftCell kind, double value)
{
    if (!isfinite(value)) {
        return g_strdup("");
    }
    switch (kind) {
    case AFT_CELL_SECONDS:
        return fixed_text(value, 9);
    case AFT_CELL_WHOLE:
        return fixed_text(value, 0);
    default:
        return measure_text(value);
    }
}

char *aft_column_format(const AftColumn *column, gconstpointer row)
{
    gconstpointer member = (const char *)row + column->offset;
    switch (column->kind) {
    case AFT_CELL_PHASE:
        return g_strdup(aft_phase_name(*(const AftPhase *)member));
    case AFT_CELL_TEXT:
        return g_strdup(*(char *const *)member != NULL ? *(char *const *)member : "");
    case AFT_CELL_COUNT:
        return g_strdup_printf("%" G_GUINT64_FORMAT, *(const guint64 *)member);
    case AFT_CELL_YES:
        return g_strdup(*(const gboolean *)member ? "true" : "false");
    case AFT_CELL_WRITE:
        return g_strdup(*(const gboolean *)member ? "write" : "read");
    default:
        return double_text(column->kind, *(const double *)member);
    }
}

static gboolean parse_double(const char *text, double *ret_value)
{
    char *end = NULL;
    double value = *text == '\0' ? (double)NAN : g_ascii_strtod(text, &end);
    if (*text != '\0' && (end == text || *end != '\0' || !isfinite(value))) {
        return FALSE;
    }
    *ret_value = value;
    return TRUE;
}

/* One of two words. */
static gboolean parse_either(const char *text, const char *yes, const char *no, gboolean *ret_yes)
{
    *ret_yes = g_str_equal(text, yes);
    return *ret_yes || g_str_equal(text, no);
}

static gboolean parse_text(const char *text, char **member)
{
    g_free(*member);
    *member = g_utf8_make_valid(text, -1); /* whoever wrote the file */
    return TRUE;
}

static gboolean parse_cell(AftCell kind, gpointer member, const char *text)
{
    switch (kind) {
    case AFT_CELL_PHASE:
        return aft_phase_from_name(text, member);
    case AFT_CELL_TEXT:
        return parse_text(text, member);
    case AFT_CELL_COUNT:
        return g_ascii_string_to_unsigned(text, 10, 0, G_GUINT64_CONSTANT(1) << 53, member, NULL);
    case AFT_CELL_YES:
        return parse_either(text, "true", "false", member);
    case AFT_CELL_WRITE:
        return parse_either(text, "write", "read", member);
    default:
        return parse_double(text, member);
    }
}

static const char *cell_described(AftCell kind)
{
    switch (kind) {
    case AFT_CELL_PHASE:
        return "the name of a phase";
    case AFT_CELL_COUNT:
        return "a whole number up to 2^53";
    case AFT_CELL_YES:
        return "true or false";
    case AFT_CELL_WRITE:
        return "read or write";
    default:
        return "a number";
    }
}

gboolean aft_column_parse(const AftColumn *column, gpointer row, const char *text, GError **error)
{
    if (!parse_cell(column->kind, (char *)row + column->offset, text)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: expected %s, got \"%s\"", column->name,
                    cell_described(column->kind), text);
        return FALSE;
    }
    return TRUE;
}

void aft_table_init_row(const AftTable *table, gpointer row)
{
    memset(row, 0, table->row_bytes);
    for (guint i = 0; i < table->n_columns; i++) {
        AftCell kind = table->columns[i].kind;
        gpointer member = (char *)row + table->columns[i].offset;
        if (kind == AFT_CELL_TEXT) {
            *(char **)member = g_strdup("");
        } else if (kind == AFT_CELL_SECONDS || kind == AFT_CELL_WHOLE || kind == AFT_CELL_MEASURE) {
            *(double *)member = (double)NAN;
        }
    }
}

void aft_table_clear_row(const AftTable *table, gpointer row)
{
    for (guint i = 0; i < table->n_columns; i++) {
        if (table->columns[i].kind == AFT_CELL_TEXT) {
            g_clear_pointer((char **)(gpointer)((char *)row + table->columns[i].offset), g_free);
        }
    }
}
