/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"

#include <aftershock/base/error.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#define LAST_START_S 253402300799.0 /* the end of the year 9999 */
#define LONGEST_S    1e11 /* 3,000 years, twice what a stamp in milliseconds needs to be exact */

static const AftExportKind *const kinds[] = {&aft_export_openmetrics, &aft_export_fio_logs,
                                             &aft_export_gnuplot, NULL};

const AftExportKind *const *aft_export_kinds(void)
{
    return kinds;
}

const AftExportKind *aft_export_find(const char *name)
{
    for (guint i = 0; kinds[i] != NULL; i++) {
        if (g_str_equal(kinds[i]->name, name)) {
            return kinds[i];
        }
    }
    return NULL;
}

const char *aft_export_name(const AftExportKind *kind)
{
    return kind->name;
}

guint aft_export_files(const AftExportKind *kind)
{
    return kind->n_files;
}

gboolean aft_export_has_start(const AftExportKind *kind)
{
    return kind->has_start;
}

/* Returns: whether @text is a decimal number, and nothing else. */
static gboolean read_seconds(const char *text, double *ret_seconds)
{
    char *end = NULL;
    *ret_seconds = g_ascii_strtod(text, &end);
    return *text != '\0' && *end == '\0' && text[strspn(text, "0123456789.")] == '\0';
}

gboolean aft_export_parse_start(const char *text, gint64 *ret_start_ms, GError **error)
{
    double seconds;
    g_autoptr(GDateTime) date = g_date_time_new_from_iso8601(text, NULL);
    if (date != NULL) {
        seconds = (double)g_date_time_to_unix(date) + g_date_time_get_microsecond(date) / 1e6;
    } else if (!read_seconds(text, &seconds)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX,
                    "expected a time, like " AFT_EXPORT_START_TEXT ", or seconds since 1970");
        return FALSE;
    }
    if (!(seconds >= 0.0 && seconds <= LAST_START_S)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "expected a time from 1970 to 9999");
        return FALSE;
    }
    *ret_start_ms = llround(seconds * 1e3);
    return TRUE;
}

/* Whether @time_s, in @column of row @row, can follow @least_s. */
static gboolean check_time(double time_s, double least_s, const char *column, guint row,
                           GError **error)
{
    if (time_s >= least_s && time_s <= LONGEST_S) { /* NaN is not */
        return TRUE;
    }
    g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE,
                "%s of row %u is missing, before %.10g s, or beyond %g s", column, row + 1, least_s,
                LONGEST_S);
    return FALSE;
}

static gboolean check_trace(const GArray *trace, GError **error)
{
    double last_s = 0.0;
    for (guint i = 0; i < trace->len; i++) {
        double time_s = g_array_index(trace, AftTraceRow, i).time_s;
        if (!check_time(time_s, last_s, "trace.csv: time_s", i, error)) {
            return FALSE;
        }
        last_s = time_s;
    }
    return TRUE;
}

static gboolean check_phases(const GArray *phases, GError **error)
{
    for (guint i = 0; i < phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        if (!check_time(row->start_s, 0.0, "phases.csv: start_s", i, error) ||
            !check_time(row->duration_s, 0.0, "phases.csv: duration_s", i, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean check_events(const GArray *timeline, GError **error)
{
    for (guint i = 0; i < timeline->len; i++) {
        double time_s = g_array_index(timeline, AftEventRow, i).time_s;
        if (!check_time(time_s, 0.0, "events.csv: time_s", i, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

gboolean aft_export_check(const AftExportKind *kind, const AftExport *export, GError **error)
{
    const AftResult *result = export->result;
    if (kind->needs_trace && result->trace->len == 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE,
                    "trace.csv has no rows, so there is nothing for %s to show", kind->name);
        return FALSE;
    }
    return check_trace(result->trace, error) && check_phases(result->phases, error) &&
           check_events(result->timeline, error);
}

gboolean aft_export_put(const AftExportKind *kind, const AftExport *export, FILE *stream,
                        GError **error)
{
    g_assert(kind->n_files == 1);
    AftOut out = aft_out(stream);
    kind->files[0].write(export, &out);
    if (!aft_out_end(&out)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "cannot write: %s", g_strerror(errno));
        return FALSE;
    }
    return TRUE;
}
