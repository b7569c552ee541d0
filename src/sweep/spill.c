/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spill.h"

#include <aftershock/base/error.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

struct AftSpill {
    guint columns, rows;
    double *block; /* by column, then row: what no full block has */
    FILE *file;    /* full blocks; NULL: there has been none */
};

AftSpill *aft_spill_new(guint columns)
{
    g_assert(columns > 0);
    AftSpill *spill = g_new0(AftSpill, 1);
    spill->columns = columns;
    spill->block = g_new(double, AFT_SPILL_BLOCK *(gsize)columns);
    return spill;
}

void aft_spill_free(AftSpill *spill)
{
    if (spill != NULL) {
        g_clear_pointer(&spill->file, fclose);
        g_free(spill->block);
        g_free(spill);
    }
}

/* Tells of errno. */
static gboolean failed(const char *what, GError **error)
{
    int code = errno;
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                "cannot %s a temporary file in %s: %s; set TMPDIR to a folder with room", what,
                g_get_tmp_dir(), g_strerror(code));
    return FALSE;
}

/* Returns: (transfer full) (nullable): a file that goes when it is closed. */
static FILE *open_file(GError **error)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "aftershock-XXXXXX", NULL);
    int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        failed("open", error);
        return NULL;
    }
    g_unlink(path);
    FILE *file = fdopen(fd, "w+");
    if (file == NULL) {
        failed("open", error);
        g_close(fd, NULL);
    }
    return file;
}

/* Goes to where @column of @block is in the file. */
static gboolean seek(const AftSpill *spill, guint block, guint column)
{
    goffset pieces = (goffset)block * spill->columns + column;
    goffset bytes = pieces * AFT_SPILL_BLOCK * (goffset)sizeof(double);
    return fseeko(spill->file, bytes, SEEK_SET) == 0;
}

/* Writes the block, which is full, as number @block of the file. */
static gboolean put_block(AftSpill *spill, guint block, GError **error)
{
    spill->file = spill->file != NULL ? spill->file : open_file(error);
    if (spill->file == NULL) {
        return FALSE;
    }
    gsize n = AFT_SPILL_BLOCK * (gsize)spill->columns;
    gboolean fine = seek(spill, block, 0) &&
                    fwrite(spill->block, sizeof(double), n, spill->file) == n &&
                    fflush(spill->file) == 0;
    return fine || failed("write", error);
}

gboolean aft_spill_add(AftSpill *spill, const double *row, GError **error)
{
    guint place = spill->rows % AFT_SPILL_BLOCK;
    for (gsize column = 0; column < spill->columns; column++) {
        spill->block[column * AFT_SPILL_BLOCK + place] = row[column];
    }
    gboolean full = place + 1 == AFT_SPILL_BLOCK;
    gboolean fine = !full || put_block(spill, spill->rows / AFT_SPILL_BLOCK, error);
    spill->rows += fine ? 1 : 0;
    return fine;
}

guint aft_spill_rows(const AftSpill *spill)
{
    return spill->rows;
}

gboolean aft_spill_read(AftSpill *spill, guint column, double *values, GError **error)
{
    g_assert(column < spill->columns);
    guint full = spill->rows / AFT_SPILL_BLOCK, left = spill->rows % AFT_SPILL_BLOCK;
    for (guint block = 0; block < full; block++, values += AFT_SPILL_BLOCK) {
        errno = EIO; /* if the file ends too early */
        if (!seek(spill, block, column) ||
            fread(values, sizeof(double), AFT_SPILL_BLOCK, spill->file) < AFT_SPILL_BLOCK) {
            return failed("read", error);
        }
    }
    if (left > 0) {
        memcpy(values, spill->block + AFT_SPILL_BLOCK * (gsize)column, left * sizeof(double));
    }
    return TRUE;
}

void aft_spill_clear(AftSpill *spill)
{
    spill->rows = 0;
}
