/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/base/units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS         "0123456789"
#define EXACT_DIGITS   6 /* what people still read as one number */
#define ROUNDED_DIGITS 3
#define NEXT_PREFIX    1024.0 /* of a number as large people would take a larger unit */
#define PLAIN_FROM     1e-15  /* numbers from here to there are written without an exponent */
#define PLAIN_BELOW    1e21
#define QUOTED_BYTES   60 /* of a text that could not be read, in its error */
#define EXPONENT_MOST  1000000

/* Regular expressions of what is read. */
#define BLANKS_PATTERN   "[ \\t\\r\\n]*"
#define EXPONENT_PATTERN "(?:[eE][+-]?[0-9]+)?"
#define NUMBER_PATTERN   "[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)" EXPONENT_PATTERN
#define ZERO_PATTERN     "[+-]?(?:0+(?:\\.0*)?|\\.0+)" EXPONENT_PATTERN

typedef enum {
    READ_ONLY,  /* another spelling of a unit before it */
    WHEN_EXACT, /* written where it takes fewer digits to be exact */
    ALWAYS
} Written;

typedef struct {
    const char *suffix; /* as written behind the number, with the blank between them */
    int ten;            /* number * 10^ten * times / over is the value in the base unit */
    double times;
    double over;
    Written written;
} Row;

/* Smallest first; of two texts as short the later one is taken. A row of another scale (1024, 8,
 * hours) stands before the decimal ones. */
static const Row count_rows[] = {
    {"", 0, 1, 1, ALWAYS},  {"k", 3, 1, 1, ALWAYS}, {"M", 6, 1, 1, ALWAYS},
    {"G", 9, 1, 1, ALWAYS}, {.suffix = NULL},
};

static const Row time_rows[] = {
    {" ns", -9, 1, 1, ALWAYS},         {" us", -6, 1, 1, ALWAYS},
    {" \u00b5s", -6, 1, 1, READ_ONLY}, /* micro sign */
    {" \u03bcs", -6, 1, 1, READ_ONLY}, /* Greek mu */
    {" ms", -3, 1, 1, ALWAYS},         {" s", 0, 1, 1, ALWAYS},
    {" min", 0, 60, 1, ALWAYS},        {" h", 0, 3600, 1, ALWAYS},
    {" d", 0, 86400, 1, ALWAYS},       {.suffix = NULL},
};

static const Row bytes_rows[] = {
    {" KiB", 0, 0x1p10, 1, WHEN_EXACT}, {" MiB", 0, 0x1p20, 1, WHEN_EXACT},
    {" GiB", 0, 0x1p30, 1, WHEN_EXACT}, {" TiB", 0, 0x1p40, 1, WHEN_EXACT},
    {" PiB", 0, 0x1p50, 1, WHEN_EXACT}, {" B", 0, 1, 1, ALWAYS},
    {" kB", 3, 1, 1, ALWAYS},           {" MB", 6, 1, 1, ALWAYS},
    {" GB", 9, 1, 1, ALWAYS},           {" TB", 12, 1, 1, ALWAYS},
    {" PB", 15, 1, 1, ALWAYS},          {.suffix = NULL},
};

static const Row bytes_per_time_rows[] = {
    {" bit/s", 0, 1, 8, WHEN_EXACT},
    {" kbit/s", 3, 1, 8, WHEN_EXACT},
    {" Mbit/s", 6, 1, 8, WHEN_EXACT},
    {" Gbit/s", 9, 1, 8, WHEN_EXACT},
    {" Tbit/s", 12, 1, 8, WHEN_EXACT},
    {" KiB/s", 0, 0x1p10, 1, WHEN_EXACT},
    {" MiB/s", 0, 0x1p20, 1, WHEN_EXACT},
    {" GiB/s", 0, 0x1p30, 1, WHEN_EXACT},
    {" TiB/s", 0, 0x1p40, 1, WHEN_EXACT},
    {" PiB/s", 0, 0x1p50, 1, WHEN_EXACT},
    {" B/s", 0, 1, 1, ALWAYS},
    {" kB/s", 3, 1, 1, ALWAYS},
    {" MB/s", 6, 1, 1, ALWAYS},
    {" GB/s", 9, 1, 1, ALWAYS},
    {" TB/s", 12, 1, 1, ALWAYS},
    {" PB/s", 15, 1, 1, ALWAYS},
    {.suffix = NULL},
};

static const Row rate_rows[] = {
    {" /h", 0, 1, 3600, WHEN_EXACT},
    {"k/h", 3, 1, 3600, WHEN_EXACT},
    {"M/h", 6, 1, 3600, WHEN_EXACT},
    {"G/h", 9, 1, 3600, WHEN_EXACT},
    {" /min", 0, 1, 60, WHEN_EXACT},
    {"k/min", 3, 1, 60, WHEN_EXACT},
    {"M/min", 6, 1, 60, WHEN_EXACT},
    {"G/min", 9, 1, 60, WHEN_EXACT},
    {" /s", 0, 1, 1, ALWAYS},
    {"k/s", 3, 1, 1, ALWAYS},
    {"M/s", 6, 1, 1, ALWAYS},
    {"G/s", 9, 1, 1, ALWAYS},
    {.suffix = NULL},
};

static const Row share_rows[] = {
    {"", 0, 1, 1, READ_ONLY},
    {" %", -2, 1, 1, ALWAYS},
    {.suffix = NULL},
};

static const struct {
    const Row *rows;
    const char *base; /* the suffix of the base unit */
    const char *phrase;
} kinds[] = {
    [AFT_UNIT_COUNT] = {count_rows, "", "a number, like 16 or 107k"},
    [AFT_UNIT_TIME] = {time_rows, " s", "a time, like 30 min"},
    [AFT_UNIT_BYTES] = {bytes_rows, " B", "a size, like 3.84 TB or 4 KiB"},
    [AFT_UNIT_BYTES_PER_TIME] = {bytes_per_time_rows, " B/s",
                                 "a bandwidth, like 25 Gbit/s or 500 MB/s"},
    [AFT_UNIT_RATE] = {rate_rows, " /s", "a rate, like 107k/s"},
    [AFT_UNIT_SHARE] = {share_rows, "", "a share, like 0.2 or 20 %"},
};

const char *aft_units_describe(AftUnit unit)
{
    g_assert((guint)unit < G_N_ELEMENTS(kinds));
    return kinds[unit].phrase;
}

typedef struct {
    const char *mantissa;
    int mantissa_bytes;
    long exponent;
    const char *unit; /* blanks and all */
} Parts;

static const char *after_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Reads "e-3" at @text. Returns: where it ends; "EB" is no exponent and ends where it begins. */
static const char *read_exponent(const char *text, long *ret_exponent)
{
    const char *digits = text + 1;
    *ret_exponent = 0;
    if (*text != 'e' && *text != 'E') {
        return text;
    }
    if (*digits == '+' || *digits == '-') {
        digits++;
    }
    if (!g_ascii_isdigit(*digits)) {
        return text;
    }
    long exponent = strtol(text + 1, NULL, 10);
    *ret_exponent = CLAMP(exponent, -EXPONENT_MOST, EXPONENT_MOST);
    return digits + strspn(digits, DIGITS);
}

static gboolean split(const char *text, Parts *ret_parts)
{
    const char *start = after_blanks(text);
    const char *at = start + (*start == '+' || *start == '-');
    gsize digits = strspn(at, DIGITS);
    at += digits;
    if (*at == '.') {
        gsize decimals = strspn(at + 1, DIGITS);
        digits += decimals;
        at += 1 + decimals;
    }
    if (digits == 0 || at - start > EXPONENT_MOST) {
        return FALSE;
    }
    const char *unit = after_blanks(read_exponent(at, &ret_parts->exponent));
    if (g_ascii_ispunct(*unit) && *unit != '/' && *unit != '%') {
        return FALSE; /* "1,000" */
    }
    ret_parts->mantissa = start;
    ret_parts->mantissa_bytes = (int)(at - start);
    ret_parts->unit = unit;
    return TRUE;
}

/* Powers of ten go into the decimal exponent, so that the result is rounded only once. */
static double scaled(const Parts *parts, const Row *row)
{
    g_autofree char *decimal = g_strdup_printf("%.*se%ld", parts->mantissa_bytes, parts->mantissa,
                                               parts->exponent + row->ten);
    return g_ascii_strtod(decimal, NULL) * row->times / row->over;
}

/* Takes the blanks at the end and around each "/" away. */
static char *without_blanks(const char *unit)
{
    g_auto(GStrv) pieces = g_strsplit(unit, "/", -1);
    for (char **piece = pieces; *piece != NULL; piece++) {
        g_strstrip(*piece);
    }
    return g_strjoinv("/", pieces);
}

static const Row *find_row(const Row *rows, const char *name)
{
    for (const Row *row = rows; row->suffix != NULL; row++) {
        if (strcmp(after_blanks(row->suffix), name) == 0) {
            return row;
        }
    }
    return NULL;
}

/* Lists the units of @rows as a sentence would: "k, M, G or none". */
static char *unit_names(const Row *rows)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Row *row = rows; row->suffix != NULL; row++) {
        if (row->written != READ_ONLY && *row->suffix != '\0') {
            g_ptr_array_add(names, (gpointer)after_blanks(row->suffix));
        }
    }
    if (find_row(rows, "") != NULL) {
        g_ptr_array_add(names, (gpointer) "none");
    }
    GString *list = g_string_new(g_ptr_array_index(names, 0));
    for (guint i = 1; i < names->len; i++) {
        g_string_append(list, i + 1 < names->len ? ", " : " or ");
        g_string_append(list, g_ptr_array_index(names, i));
    }
    return g_string_free(list, FALSE);
}

/* What a user wrote, fit for a message: valid UTF-8 of bounded length. */
static char *quotable(const char *text)
{
    gsize bytes = strlen(text);
    g_autofree char *start = g_utf8_make_valid(text, (gssize)MIN(bytes, QUOTED_BYTES));
    return g_strconcat(start, bytes > QUOTED_BYTES ? "..." : NULL, NULL);
}

static gboolean fail_no_number(AftUnit unit, const char *text, GError **error)
{
    g_autofree char *quote = quotable(text);
    const char *fault = *after_blanks(text) == '\0' ? "is empty" : "is not a number";
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "\"%s\" %s: expected %s", quote, fault,
                aft_units_describe(unit));
    return FALSE;
}

static gboolean fail_unit(AftUnit unit, const char *text, const char *name, GError **error)
{
    g_autofree char *quote = quotable(text);
    if (*name == '\0') {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "\"%s\" has no unit: expected %s", quote,
                    aft_units_describe(unit));
        return FALSE;
    }
    g_autofree char *quoted_name = quotable(name);
    g_autofree char *names = unit_names(kinds[unit].rows);
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX,
                "\"%s\" has the unknown unit \"%s\": expected %s (%s)", quote, quoted_name,
                aft_units_describe(unit), names);
    return FALSE;
}

static gboolean fail_too_large(AftUnit unit, const char *text, GError **error)
{
    g_autofree char *quote = quotable(text);
    g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "\"%s\" is too large: expected %s", quote,
                aft_units_describe(unit));
    return FALSE;
}

/* The row of the unit called @name; zero is the same in every unit, so it needs none. */
static const Row *row_for(AftUnit unit, const char *name, const Parts *parts)
{
    const Row *row = find_row(kinds[unit].rows, name);
    if (row == NULL && *name == '\0' && scaled(parts, &count_rows[0]) == 0.0) {
        row = &count_rows[0];
    }
    return row;
}

gboolean aft_units_parse(AftUnit unit, const char *text, double *ret_value, GError **error)
{
    g_assert((guint)unit < G_N_ELEMENTS(kinds) && text != NULL && ret_value != NULL);
    Parts parts;
    if (!split(text, &parts)) {
        return fail_no_number(unit, text, error);
    }
    g_autofree char *name = without_blanks(parts.unit);
    const Row *row = row_for(unit, name, &parts);
    if (row == NULL) {
        return fail_unit(unit, text, name, error);
    }
    double value = scaled(&parts, row);
    if (!isfinite(value)) {
        return fail_too_large(unit, text, error);
    }
    *ret_value = value;
    return TRUE;
}

/* @text, a number with an exponent, written out. */
static void write_out(char *text, int bytes)
{
    char format[8];
    const char *point = strchr(text, '.'), *exponent = strchr(text, 'e');
    long decimals = point == NULL ? 0 : exponent - point - 1;
    decimals = MAX(decimals - strtol(exponent + 1, NULL, 10), 0);
    g_snprintf(format, sizeof format, "%%.%ldf", decimals);
    g_ascii_formatd(text, bytes, format, g_ascii_strtod(text, NULL));
}

/* @number to @digits digits, without an exponent unless it is beyond all use, and @suffix. */
static char *written(double number, int digits, const char *suffix)
{
    char format[8], text[2 * G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf(format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd(text, sizeof text, format, number);
    if (fabs(number) >= PLAIN_FROM && fabs(number) < PLAIN_BELOW && strchr(text, 'e') != NULL) {
        write_out(text, sizeof text);
    }
    return g_strconcat(text, suffix, NULL);
}

static double in_row(double value, const Row *row)
{
    return value * row->over / row->times / pow(10.0, row->ten);
}

static gboolean reads_back(AftUnit unit, const char *text, double value)
{
    double back = 0.0;
    return aft_units_parse(unit, text, &back, NULL) && back == value;
}

/* The largest unit that keeps the number at 1 or above, else the smallest there is. */
static const Row *largest_row(AftUnit unit, double value)
{
    const Row *best = NULL;
    for (const Row *row = kinds[unit].rows; row->suffix != NULL; row++) {
        if (row->written == ALWAYS && (best == NULL || fabs(in_row(value, row)) >= 1.0)) {
            best = row;
        }
    }
    return best;
}

static gboolean may_be_written(double value, const Row *row, const Row *largest)
{
    double size = fabs(in_row(value, row));
    double most = row->written == WHEN_EXACT ? NEXT_PREFIX : PLAIN_BELOW;
    return row == largest || (row->written != READ_ONLY && size >= 1.0 && size < most);
}

/* The shortest text of @digits digits that means exactly @value; units that people meet less
 * often have to do with one digit less. (nullable) (transfer full) */
static char *exact_with(AftUnit unit, double value, int digits)
{
    char *best = NULL;
    const Row *largest = largest_row(unit, value);
    for (const Row *row = kinds[unit].rows; row->suffix != NULL; row++) {
        int allowed = row->written == WHEN_EXACT ? digits - 1 : digits;
        if (allowed == 0 || !may_be_written(value, row, largest)) {
            continue;
        }
        g_autofree char *text = written(in_row(value, row), allowed, row->suffix);
        gboolean shorter = best == NULL || strlen(text) <= strlen(best);
        if (shorter && reads_back(unit, text, value)) {
            g_free(best);
            best = g_steal_pointer(&text);
        }
    }
    return best;
}

/* The text with the fewest digits that means exactly @value. (nullable) (transfer full) */
static char *exact(AftUnit unit, double value)
{
    char *text = NULL;
    for (int digits = 1; digits <= EXACT_DIGITS && text == NULL; digits++) {
        text = exact_with(unit, value, digits);
    }
    return text;
}

char *aft_units_format(AftUnit unit, double value)
{
    g_assert((guint)unit < G_N_ELEMENTS(kinds));
    if (value == 0.0 || !isfinite(value)) {
        return written(value, 1, unit == AFT_UNIT_SHARE ? " %" : kinds[unit].base);
    }
    char *text = exact(unit, value);
    const Row *row = largest_row(unit, value);
    return text != NULL ? text : written(in_row(value, row), ROUNDED_DIGITS, row->suffix);
}

char *aft_units_format_exact(AftUnit unit, double value)
{
    g_assert(isfinite(value));
    char *text = aft_units_format(unit, value);
    for (int digits = 15; !reads_back(unit, text, value); digits++) {
        g_assert(digits <= 17); /* always enough for a double */
        g_free(text);
        text = written(value, digits, kinds[unit].base);
    }
    return text;
}

/* @name, where blanks may be around each "/"; those before it all belong to the number. */
static char *name_pattern(const char *name)
{
    g_auto(GStrv) pieces = g_strsplit(name, "/", -1);
    g_autofree char *pattern = g_strjoinv(BLANKS_PATTERN "/" BLANKS_PATTERN, pieces);
    return g_strdup(pattern + (*name == '/' ? strlen(BLANKS_PATTERN) : 0));
}

char *aft_units_pattern(AftUnit unit)
{
    g_assert((guint)unit < G_N_ELEMENTS(kinds));
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const Row *row = kinds[unit].rows; row->suffix != NULL; row++) {
        if (*row->suffix != '\0') {
            g_ptr_array_add(names, name_pattern(after_blanks(row->suffix)));
        }
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *units = g_strjoinv("|", (char **)names->pdata);
    const char *without = find_row(kinds[unit].rows, "") != NULL ? "?" : "|" ZERO_PATTERN;
    return g_strdup_printf(BLANKS_PATTERN "(?:" NUMBER_PATTERN BLANKS_PATTERN
                                          "(?:%s)%s)" BLANKS_PATTERN,
                           units, without);
}
