/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drives.h"

#include "text.h"

#include <aftershock/base/error.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#define HOURS_OF_DAY (24.0)
#define MOST_HOURS   (350400.0) /* 40 years: whoever says more counts something else */
#define LEAST_LIFE   (12.0)     /* of a drive that was seen once */

enum { LONGEST_ID = 100, COLUMNS_KNOWN = 6, DATE_BYTES = 10 };

typedef enum { DATE, SERIAL, MODEL, CAPACITY, FAILURE, HOURS } Column;

static const char *const titles[COLUMNS_KNOWN] = {"date",           "serial_number", "model",
                                                  "capacity_bytes", "failure",       "smart_9_raw"};

typedef struct {
    guint model;
    guint32 first_day, last_day; /* Julian */
    guint32 rows;
    double first_hours, last_hours; /* NaN: no age known */
    gboolean failed;
    gboolean unsound; /* its age goes back */
} Drive;

struct AftDrives {
    const char *only; /* (nullable) */
    GPtrArray *models;
    GHashTable *model_index; /* name to index + 1 */
    GHashTable *index;       /* model and serial to index + 1 of @drives */
    GStringChunk *ids;
    GArray *drives;
    guint32 first_day, last_day;
};

/* A file while it is read. */
typedef struct {
    const char *path;
    FILE *stream;
    guint64 line;
    gint column[COLUMNS_KNOWN]; /* -1: none */
    guint width;
    char date[DATE_BYTES + 1]; /* of the last row, and what day it is */
    guint32 day;
    char row[AFT_DRIVES_LONGEST_ROW + 2];
} Reading;

static void free_model(gpointer data)
{
    AftDriveModel *model = data;
    g_free(model->name);
    g_array_unref(model->lives);
    g_free(model);
}

AftDrives *aft_drives_new(const char *model)
{
    AftDrives *drives = g_new0(AftDrives, 1);
    drives->only = model;
    drives->models = g_ptr_array_new_with_free_func(free_model);
    drives->model_index = g_hash_table_new(g_str_hash, g_str_equal);
    drives->index = g_hash_table_new(g_str_hash, g_str_equal);
    drives->ids = g_string_chunk_new(65536);
    drives->drives = g_array_new(FALSE, FALSE, sizeof(Drive));
    return drives;
}

void aft_drives_free(AftDrives *drives)
{
    if (drives != NULL) {
        g_hash_table_unref(drives->model_index);
        g_hash_table_unref(drives->index);
        g_ptr_array_unref(drives->models);
        g_string_chunk_free(drives->ids);
        g_array_unref(drives->drives);
        g_free(drives);
    }
}

/* Takes the next field off @row, in place. Returns: (nullable): there is none. */
static char *take_field(char **row)
{
    char *field = *row, *to = *row;
    if (field == NULL) {
        return NULL;
    }
    gboolean quoted = *field == '"';
    const char *from = quoted ? field + 1 : field;
    for (; *from != '\0' && (quoted || *from != ','); from++) {
        if (quoted && *from == '"' && *++from != '"') {
            break; /* the end of it, unless it is doubled */
        }
        *to++ = *from;
    }
    from += strcspn(from, ",");
    *row = *from == ',' ? (char *)(gsize)(from + 1) : NULL;
    *to = '\0';
    return field;
}

/* Returns: FALSE at the end, and with @error set when there is no row that can be read. */
static gboolean next_row(Reading *reading, GError **error)
{
    if (fgets(reading->row, sizeof reading->row, reading->stream) == NULL) {
        if (ferror(reading->stream)) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s", reading->path,
                        g_strerror(errno));
        }
        return FALSE;
    }
    reading->line++;
    gsize length = strcspn(reading->row, "\n");
    if (reading->row[length] != '\n' && !feof(reading->stream)) {
        return aft_text_fail(error, reading->path, reading->line,
                             "expected rows of text of at most %d bytes", AFT_DRIVES_LONGEST_ROW);
    }
    length -= length > 0 && reading->row[length - 1] == '\r' ? 1 : 0;
    reading->row[length] = '\0';
    return TRUE;
}

static gboolean read_titles(Reading *reading, GError **error)
{
    GError *problem = NULL;
    if (!next_row(reading, &problem)) {
        if (problem != NULL) {
            g_propagate_error(error, problem);
            return FALSE;
        }
        return aft_text_fail(error, reading->path, 0, "is empty");
    }
    char *row = reading->row, *field;
    for (guint i = 0; i < COLUMNS_KNOWN; i++) {
        reading->column[i] = -1;
    }
    for (; (field = take_field(&row)) != NULL; reading->width++) {
        for (guint i = 0; i < COLUMNS_KNOWN; i++) {
            if (strcmp(field, titles[i]) == 0 && reading->column[i] < 0) {
                reading->column[i] = (gint)reading->width;
            }
        }
    }
    for (guint i = 0; i < HOURS; i++) {
        if (reading->column[i] < 0) {
            return aft_text_fail(error, reading->path, reading->line,
                                 "expected a line of titles with %s", titles[i]);
        }
    }
    return TRUE;
}

static gboolean split(Reading *reading, const char **fields, GError **error)
{
    char *row = reading->row, *field;
    guint width = 0;
    for (; (field = take_field(&row)) != NULL; width++) {
        for (guint i = 0; i < COLUMNS_KNOWN; i++) {
            if (reading->column[i] == (gint)width) {
                fields[i] = field;
            }
        }
    }
    return width == reading->width ||
           aft_text_fail(error, reading->path, reading->line, "expected %u cells, got %u",
                         reading->width, width);
}

static gboolean digits_of(const char *text, guint n, guint *ret_value)
{
    *ret_value = 0;
    for (guint i = 0; i < n; i++) {
        if (!g_ascii_isdigit(text[i])) {
            return FALSE;
        }
        *ret_value = 10 * *ret_value + (guint)(text[i] - '0');
    }
    return TRUE;
}

/* Most rows are of the day of the row above. */
static gboolean read_date(Reading *reading, const char *text, GError **error)
{
    guint year, month, day;
    if (strcmp(text, reading->date) == 0) {
        return TRUE;
    }
    if (strlen(text) != DATE_BYTES || text[4] != '-' || text[7] != '-' ||
        !digits_of(text, 4, &year) || !digits_of(text + 5, 2, &month) ||
        !digits_of(text + 8, 2, &day) ||
        !g_date_valid_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year)) {
        return aft_text_fail(error, reading->path, reading->line,
                             "date: expected a day, like 2024-01-31, got \"%s\"", text);
    }
    g_autoptr(GDate) date = g_date_new_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year);
    g_strlcpy(reading->date, text, sizeof reading->date);
    reading->day = g_date_get_julian(date);
    return TRUE;
}

static gboolean check_id(const Reading *reading, Column column, const char *text, GError **error)
{
    gsize length = strlen(text);
    return (length > 0 && length <= LONGEST_ID) ||
           aft_text_fail(error, reading->path, reading->line,
                         "%s: expected a text of 1 to %d bytes, got \"%.20s\"", titles[column],
                         LONGEST_ID, text);
}

static gboolean fail_limit(const Reading *reading, guint most, const char *what, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                "%s:%" G_GUINT64_FORMAT ": expected at most %u %s; --label takes one model",
                reading->path, reading->line, most, what);
    return FALSE;
}

static gboolean find_model(AftDrives *drives, const Reading *reading, const char *name,
                           guint *ret_index, GError **error)
{
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(drives->model_index, name));
    if (found == 0) {
        if (drives->models->len == AFT_DRIVES_MOST_MODELS) {
            return fail_limit(reading, AFT_DRIVES_MOST_MODELS, "models", error);
        }
        AftDriveModel *model = g_new0(AftDriveModel, 1);
        model->name = g_strdup(name);
        model->lives = g_array_new(FALSE, FALSE, sizeof(AftLife));
        g_ptr_array_add(drives->models, model);
        found = drives->models->len;
        g_hash_table_insert(drives->model_index, model->name, GUINT_TO_POINTER(found));
    }
    *ret_index = found - 1;
    return TRUE;
}

/* Model and serial tell a drive: makers count each for themselves. */
static Drive *find_drive(AftDrives *drives, const Reading *reading, guint model, const char *serial,
                         GError **error)
{
    char id[LONGEST_ID + 24];
    g_snprintf(id, sizeof id, "%u %s", model, serial);
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(drives->index, id));
    if (found == 0) {
        if (drives->drives->len == AFT_DRIVES_MOST) {
            fail_limit(reading, AFT_DRIVES_MOST, "drives", error);
            return NULL;
        }
        Drive drive = {.model = model, .first_hours = NAN, .last_hours = NAN};
        g_array_append_val(drives->drives, drive);
        found = drives->drives->len;
        g_hash_table_insert(drives->index, g_string_chunk_insert(drives->ids, id),
                            GUINT_TO_POINTER(found));
        ((AftDriveModel *)drives->models->pdata[model])->drives++;
    }
    return &g_array_index(drives->drives, Drive, found - 1);
}

static void take_hours(Drive *drive, const Reading *reading, const char *text)
{
    double hours = NAN;
    if (text == NULL || !aft_text_parse(text, FALSE, &hours) || hours > MOST_HOURS) {
        return;
    }
    gboolean later = drive->last_day > 0 && reading->day > drive->last_day;
    drive->unsound = drive->unsound || (later && hours < drive->last_hours - HOURS_OF_DAY);
    drive->first_hours = isnan(drive->first_hours) ? hours : MIN(drive->first_hours, hours);
    drive->last_hours = isnan(drive->last_hours) ? hours : MAX(drive->last_hours, hours);
}

static gboolean take_day(Drive *drive, const Reading *reading, const char *serial, GError **error)
{
    if (drive->last_day == reading->day) {
        return aft_text_fail(error, reading->path, reading->line,
                             "drive %s has a row of %s already: is a file given twice?", serial,
                             reading->date);
    }
    drive->first_day = drive->last_day == 0 ? reading->day : MIN(drive->first_day, reading->day);
    drive->last_day = MAX(drive->last_day, reading->day);
    drive->rows++;
    return TRUE;
}

static gboolean check_row(Reading *reading, const char *const *fields, GError **error)
{
    const char *failure = fields[FAILURE];
    if (!check_id(reading, MODEL, fields[MODEL], error) ||
        !check_id(reading, SERIAL, fields[SERIAL], error) ||
        !read_date(reading, fields[DATE], error)) {
        return FALSE;
    }
    return strcmp(failure, "0") == 0 || strcmp(failure, "1") == 0 ||
           aft_text_fail(error, reading->path, reading->line,
                         "failure: expected 0 or 1, got \"%s\"", failure);
}

static void count_day(AftDrives *drives, AftDriveModel *model, Drive *drive, guint32 day,
                      const char *const *fields)
{
    gboolean failed = *fields[FAILURE] == '1';
    double bytes = 0.0;
    if (aft_text_parse(fields[CAPACITY], FALSE, &bytes)) { /* some rows have -1 */
        model->size_bytes = MAX(model->size_bytes, bytes);
    }
    model->days++;
    model->failures += failed ? 1 : 0;
    drive->failed = drive->failed || failed;
    drives->first_day = drives->first_day == 0 ? day : MIN(drives->first_day, day);
    drives->last_day = MAX(drives->last_day, day);
}

static gboolean take_row(AftDrives *drives, Reading *reading, const char *const *fields,
                         GError **error)
{
    guint index;
    if (!check_row(reading, fields, error)) {
        return FALSE;
    }
    if (drives->only != NULL && strcmp(drives->only, fields[MODEL]) != 0) {
        return TRUE;
    }
    if (!find_model(drives, reading, fields[MODEL], &index, error)) {
        return FALSE;
    }
    Drive *drive = find_drive(drives, reading, index, fields[SERIAL], error);
    if (drive == NULL) {
        return FALSE;
    }
    take_hours(drive, reading, reading->column[HOURS] >= 0 ? fields[HOURS] : NULL);
    if (!take_day(drive, reading, fields[SERIAL], error)) {
        return FALSE;
    }
    count_day(drives, g_ptr_array_index(drives->models, index), drive, reading->day, fields);
    return TRUE;
}

static gboolean read_rows(AftDrives *drives, Reading *reading, GError **error)
{
    GError *problem = NULL;
    const char *fields[COLUMNS_KNOWN] = {NULL};
    if (!read_titles(reading, error)) {
        return FALSE;
    }
    while (next_row(reading, &problem)) {
        if (*reading->row != '\0' &&
            (!split(reading, fields, error) || !take_row(drives, reading, fields, error))) {
            return FALSE;
        }
    }
    if (problem != NULL) {
        g_propagate_error(error, problem);
    }
    return problem == NULL;
}

gboolean aft_drives_read(AftDrives *drives, const char *path, GError **error)
{
    FILE *stream = aft_text_open(path, error);
    if (stream == NULL) {
        return FALSE;
    }
    Reading *reading = g_new0(Reading, 1);
    reading->path = path;
    reading->stream = stream;
    gboolean fine = read_rows(drives, reading, error);
    g_free(reading);
    fclose(stream);
    return fine;
}

/* Whether its age went on no faster than time did; a row stands for the day that ends with it. */
static gboolean is_sound(const Drive *drive)
{
    double days = drive->last_day - drive->first_day + 1.0;
    double aged = drive->last_hours - drive->first_hours;
    return !drive->unsound && aged <= HOURS_OF_DAY * (1.1 * days + 2.0);
}

static void add_life(AftDrives *drives, const Drive *drive)
{
    AftDriveModel *model = g_ptr_array_index(drives->models, drive->model);
    model->doubled += drive->rows > drive->last_day - drive->first_day + 1 ? 1 : 0;
    if (isnan(drive->first_hours)) {
        return;
    }
    if (!is_sound(drive)) {
        model->unsound++;
        return;
    }
    double entry = MAX(drive->first_hours - HOURS_OF_DAY, 0.0);
    AftLife life = {entry, MAX(drive->last_hours, entry + LEAST_LIFE), drive->failed};
    g_array_append_val(model->lives, life);
}

static gint compare_models(gconstpointer a, gconstpointer b)
{
    const AftDriveModel *first = *(const AftDriveModel *const *)a;
    const AftDriveModel *second = *(const AftDriveModel *const *)b;
    return first->days != second->days ? (first->days < second->days ? 1 : -1)
                                       : strcmp(first->name, second->name);
}

const GPtrArray *aft_drives_finish(AftDrives *drives)
{
    for (guint i = 0; i < drives->drives->len; i++) {
        add_life(drives, &g_array_index(drives->drives, Drive, i));
    }
    g_ptr_array_sort(drives->models, compare_models);
    return drives->models;
}

static char *day_text(guint32 day)
{
    char text[DATE_BYTES + 1] = "?";
    if (day > 0) {
        g_autoptr(GDate) date = g_date_new_julian(day);
        g_snprintf(text, sizeof text, "%04u-%02u-%02u", g_date_get_year(date) % 10000u,
                   (guint)g_date_get_month(date) % 100u, g_date_get_day(date) % 100u);
    }
    return g_strdup(text);
}

char *aft_drives_first(const AftDrives *drives)
{
    return day_text(drives->first_day);
}

char *aft_drives_last(const AftDrives *drives)
{
    return day_text(drives->last_day);
}
