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
    AftSpill *spill = g_new0(AftSpill, 1);
    spill->columns = columns;
    spill->block = g_new(double, (gsize)columns *AFT_SPILL_BLOCK);
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

static gboolean failed(const char *what, int code, GError **error)
{
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
    if (fd >= 0) {
        g_unlink(path);
    }
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (file == NULL) {
        failed("open", errno, error);
    }
    return file;
}

/* Goes to where @column of @block is in the file. */
static gboolean seek(const AftSpill *spill, gsize block, gsize column)
{
    gsize pieces = block * spill->columns + column;
    return fseeko(spill->file, (off_t)(pieces * AFT_SPILL_BLOCK * sizeof(double)), SEEK_SET) == 0;
}

/* Writes the block, which is full. */
static gboolean put_block(AftSpill *spill, GError **error)
{
    spill->file = spill->file != NULL ? spill->file : open_file(error);
    if (spill->file == NULL) {
        return FALSE;
    }
    gsize n = (gsize)spill->columns * AFT_SPILL_BLOCK;
    gboolean fine = seek(spill, spill->rows / AFT_SPILL_BLOCK - 1, 0) &&
                    fwrite(spill->block, sizeof(double), n, spill->file) == n &&
                    fflush(spill->file) == 0;
    return fine || failed("write", errno, error);
}

gboolean aft_spill_add(AftSpill *spill, const double *row, GError **error)
{
    gsize place = spill->rows % AFT_SPILL_BLOCK;
    for (gsize column = 0; column < spill->columns; column++) {
        spill->block[column * AFT_SPILL_BLOCK + place] = row[column];
    }
    spill->rows++;
    return place + 1 < AFT_SPILL_BLOCK || put_block(spill, error);
}

guint aft_spill_rows(const AftSpill *spill)
{
    return spill->rows;
}

gboolean aft_spill_read(AftSpill *spill, guint column, double *values, GError **error)
{
    gsize full = spill->rows / AFT_SPILL_BLOCK, left = spill->rows % AFT_SPILL_BLOCK;
    for (gsize block = 0; block < full; block++) {
        if (!seek(spill, block, column) || fread(values + block * AFT_SPILL_BLOCK, sizeof(double),
                                                 AFT_SPILL_BLOCK, spill->file) < AFT_SPILL_BLOCK) {
            return failed("read", errno, error);
        }
    }
    memcpy(values + full * AFT_SPILL_BLOCK, spill->block + (gsize)column * AFT_SPILL_BLOCK,
           left * sizeof(double));
    return TRUE;
}

void aft_spill_clear(AftSpill *spill)
{
    spill->rows = 0;
}
