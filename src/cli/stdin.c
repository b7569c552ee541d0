/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stdin.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/loader.h>

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean failed(GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s", AFT_STDIN_NAME, g_strerror(errno));
    return FALSE;
}

/* Appends what @next reads, up to the most and a byte, which tells that there is more. */
static gboolean read_all(gssize (*next)(void *buffer, gsize n, gsize so_far), GByteArray *bytes,
                         GError **error)
{
    guint8 buffer[65536];
    gssize n = 1;
    while (n != 0 && bytes->len <= AFT_LOADER_MOST_BYTES) {
        n = next(buffer, sizeof buffer, bytes->len);
        if (n < 0 && errno != EINTR) {
            return failed(error);
        }
        g_byte_array_append(bytes, buffer, n > 0 ? (guint)n : 0);
    }
    return TRUE;
}

static gssize next_of_stream(void *buffer, gsize n, gsize so_far)
{
    (void)so_far;
    return read(STDIN_FILENO, buffer, n);
}

/* Where the descriptor stands it stays, so that all who read see the same. */
static gssize next_of_file(void *buffer, gsize n, gsize so_far)
{
    off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
    return begin < 0 ? -1 : pread(STDIN_FILENO, buffer, n, begin + (off_t)so_far);
}

/* Puts a file in memory that holds @bytes in the place of standard input. */
static gboolean replace(const GByteArray *bytes, GError **error)
{
    int file = memfd_create("stdin", MFD_CLOEXEC);
    gboolean fine = file >= 0 && pwrite(file, bytes->data, bytes->len, 0) == (gssize)bytes->len &&
                    dup2(file, STDIN_FILENO) == STDIN_FILENO;
    fine = fine || failed(error);
    if (file >= 0) {
        close(file);
    }
    return fine;
}

gboolean aft_stdin_keep(GError **error)
{
    struct stat status;
    if (fstat(STDIN_FILENO, &status) != 0) {
        return failed(error);
    }
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    return S_ISREG(status.st_mode) ||
           (read_all(next_of_stream, bytes, error) && replace(bytes, error));
}

char *aft_stdin_read(gsize *ret_bytes, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!read_all(next_of_file, bytes, error)) {
        return NULL;
    }
    *ret_bytes = bytes->len;
    g_byte_array_append(bytes, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(g_steal_pointer(&bytes), FALSE);
}
