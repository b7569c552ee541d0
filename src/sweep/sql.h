/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sql.h - rows of column tables as rows of SQLite, and what its errors mean to a user.
 *
 * A double is REAL, and NULL when it is NaN; a count or a yes is INTEGER; a text, or the name of a
 * phase, is TEXT. What is read back has the bits of what was bound, but for -0, which is 0.
 */
#pragma once

#include <aftershock/result/columns.h>

#include <sqlite3.h>

typedef sqlite3_stmt AftStatement;

static inline void aft_statement_free(AftStatement *statement)
{
    sqlite3_finalize(statement);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftStatement, aft_statement_free)

/** Appends ", name TYPE" for each column of @table to @sql, or ", name" when not @typed. */
void aft_sql_add_columns(GString *sql, const AftTable *table, gboolean typed);

/** Binds the columns of @row (borrowed until @statement is reset) from parameter @first on. */
void aft_sql_bind(sqlite3_stmt *statement, int first, const AftTable *table, gconstpointer row);

/** Fills @row, which is initialised, from column @first of @statement on.
 *  Returns: FALSE when it holds what was never written. */
gboolean aft_sql_read(sqlite3_stmt *statement, int first, const AftTable *table, gpointer row);

/** Adds the columns of @row to @checksum, the same on every machine. */
void aft_sql_digest(GChecksum *checksum, const AftTable *table, gconstpointer row);

/** Sets @error to what the last call to @db, of the file @path, failed of, and what to do. Returns:
 *  FALSE. */
gboolean aft_sql_failed(sqlite3 *db, const char *path, GError **error);

/** Runs @sql for its effect. */
gboolean aft_sql_run(sqlite3 *db, const char *path, const char *sql, GError **error);

/** Returns: (transfer full) (nullable). */
sqlite3_stmt *aft_sql_prepare(sqlite3 *db, const char *path, const char *sql, GError **error);
