/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sql.h"

#include <aftershock/base/error.h>
#include <aftershock/scenario/phase.h>

#include <math.h>
#include <string.h>

static const char *type_of(AftCell kind)
{
    switch (kind) {
    case AFT_CELL_PHASE:
    case AFT_CELL_TEXT:
        return " TEXT";
    case AFT_CELL_COUNT:
    case AFT_CELL_YES:
        return " INTEGER";
    default:
        return " REAL";
    }
}

void aft_sql_add_columns(GString *sql, const AftTable *table, gboolean typed)
{
    for (guint i = 0; i < table->n_columns; i++) {
        g_string_append_printf(sql, ", %s%s", table->columns[i].name,
                               typed ? type_of(table->columns[i].kind) : "");
    }
}

static void bind_cell(sqlite3_stmt *statement, int at, AftCell kind, gconstpointer member)
{
    switch (kind) {
    case AFT_CELL_PHASE:
        sqlite3_bind_text(statement, at, aft_phase_name(*(const AftPhase *)member), -1,
                          SQLITE_STATIC);
        break;
    case AFT_CELL_TEXT:
        sqlite3_bind_text(statement, at, *(char *const *)member, -1, SQLITE_STATIC);
        break;
    case AFT_CELL_COUNT:
        sqlite3_bind_int64(statement, at, (sqlite3_int64) * (const guint64 *)member);
        break;
    case AFT_CELL_YES:
        sqlite3_bind_int(statement, at, *(const gboolean *)member != FALSE);
        break;
    default:
        sqlite3_bind_double(statement, at, *(const double *)member); /* of NaN it makes NULL */
    }
}

void aft_sql_bind(sqlite3_stmt *statement, int first, const AftTable *table, gconstpointer row)
{
    for (guint i = 0; i < table->n_columns; i++) {
        const AftColumn *column = &table->columns[i];
        bind_cell(statement, first + (int)i, column->kind, (const char *)row + column->offset);
    }
}

static void read_text(sqlite3_stmt *statement, int at, char **member)
{
    g_free(*member);
    *member = g_strdup((const char *)sqlite3_column_text(statement, at));
}

static gboolean read_phase(sqlite3_stmt *statement, int at, AftPhase *member)
{
    const char *name = (const char *)sqlite3_column_text(statement, at);
    return name != NULL && aft_phase_from_name(name, member);
}

static gboolean read_cell(sqlite3_stmt *statement, int at, AftCell kind, gpointer member)
{
    gboolean empty = sqlite3_column_type(statement, at) == SQLITE_NULL;
    switch (kind) {
    case AFT_CELL_PHASE:
        return read_phase(statement, at, member);
    case AFT_CELL_TEXT:
        read_text(statement, at, member);
        break;
    case AFT_CELL_COUNT:
        *(guint64 *)member = (guint64)sqlite3_column_int64(statement, at);
        break;
    case AFT_CELL_YES:
        *(gboolean *)member = sqlite3_column_int(statement, at) != 0;
        break;
    default:
        *(double *)member = empty ? (double)NAN : sqlite3_column_double(statement, at);
    }
    return TRUE;
}

gboolean aft_sql_read(sqlite3_stmt *statement, int first, const AftTable *table, gpointer row)
{
    gboolean fine = TRUE;
    for (guint i = 0; i < table->n_columns; i++) {
        const AftColumn *column = &table->columns[i];
        fine &= read_cell(statement, first + (int)i, column->kind, (char *)row + column->offset);
    }
    return fine;
}

static void digest_number(GChecksum *checksum, guint64 number)
{
    guint64 bytes = GUINT64_TO_LE(number);
    g_checksum_update(checksum, (const guchar *)&bytes, sizeof(bytes));
}

/* No text is as long as what stands for none. */
static void digest_text(GChecksum *checksum, const char *text)
{
    digest_number(checksum, text != NULL ? strlen(text) : G_MAXUINT64);
    g_checksum_update(checksum, (const guchar *)(text != NULL ? text : ""), -1);
}

static void digest_double(GChecksum *checksum, double value)
{
    double same = isnan(value) ? (double)NAN : value + 0.0; /* one NaN, and no -0 */
    guint64 bits;
    memcpy(&bits, &same, sizeof(bits));
    digest_number(checksum, bits);
}

static void digest_cell(GChecksum *checksum, AftCell kind, gconstpointer member)
{
    switch (kind) {
    case AFT_CELL_PHASE:
        digest_text(checksum, aft_phase_name(*(const AftPhase *)member));
        break;
    case AFT_CELL_TEXT:
        digest_text(checksum, *(char *const *)member);
        break;
    case AFT_CELL_COUNT:
        digest_number(checksum, *(const guint64 *)member);
        break;
    case AFT_CELL_YES:
        digest_number(checksum, *(const gboolean *)member != FALSE);
        break;
    default:
        digest_double(checksum, *(const double *)member);
    }
}

void aft_sql_digest(GChecksum *checksum, const AftTable *table, gconstpointer row)
{
    for (guint i = 0; i < table->n_columns; i++) {
        const AftColumn *column = &table->columns[i];
        digest_cell(checksum, column->kind, (const char *)row + column->offset);
    }
}

/* What to do about @code. */
static const char *remedy_for(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return "make room or mend the disk, then resume: what was kept before is safe";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program has it open and is writing: end that one first";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return "see that it is there, and that its folder may be written to";
    case SQLITE_CORRUPT:
        return "it is damaged: put back a copy, or merge its folder into another";
    case SQLITE_NOTADB:
        return "it is no store of a sweep: move it away, or choose another folder";
    default:
        return "it is no store of a sweep, or one of another version: move it away, or choose "
               "another "
               "folder";
    }
}

gboolean aft_sql_failed(sqlite3 *db, const char *path, GError **error)
{
    int code = sqlite3_extended_errcode(db);
    int system = sqlite3_system_errno(db);
    gboolean tells = system != 0 && ((code & 0xff) == SQLITE_IOERR ||
                                     (code & 0xff) == SQLITE_CANTOPEN); /* else it is an old one */
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s%s%s; %s", path, sqlite3_errmsg(db),
                tells ? ": " : "", tells ? g_strerror(system) : "", remedy_for(code));
    return FALSE;
}

gboolean aft_sql_run(sqlite3 *db, const char *path, const char *sql, GError **error)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || aft_sql_failed(db, path, error);
}

sqlite3_stmt *aft_sql_prepare(sqlite3 *db, const char *path, const char *sql, GError **error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) {
        aft_sql_failed(db, path, error);
    }
    return statement;
}
