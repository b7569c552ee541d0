/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line_file.h"

#include <aftershock/base/error.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct AftLineFile {
    char *path;
    FILE *stream;
    guint64 number; /* of the line read last, from 1 */
    char line[AFT_LINE_MOST + 1];
};

static void refuse(const char *path, const char *reason, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s", path, reason);
}

/* What is not a file with an end (a folder, a pipe, a device) is refused before it is read.
 * Returns: below 0, and @error is set. */
static int open_regular(const char *path, GError **error)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0) {
        refuse(path, g_strerror(errno), error);
    } else if (!S_ISREG(status.st_mode)) {
        refuse(path, S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file", error);
    } else {
        return file;
    }
    if (file >= 0) {
        close(file);
    }
    return -1;
}

AftLineFile *aft_line_file_open(const char *path, GError **error)
{
    int descriptor = open_regular(path, error);
    if (descriptor < 0) {
        return NULL;
    }
    AftLineFile *file = g_new(AftLineFile, 1);
    *file = (AftLineFile){.path = g_strdup(path), .stream = fdopen(descriptor, "r")};
    g_assert(file->stream != NULL);
    return file;
}

void aft_line_file_free(AftLineFile *file)
{
    if (file != NULL) {
        fclose(file->stream);
        g_free(file->path);
        g_free(file);
    }
}

gboolean aft_line_file_fail(const AftLineFile *file, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s:%" G_GUINT64_FORMAT ": %s", file->path,
                file->number, message);
    return FALSE;
}

/* Reads up to the end of a line or of the file. Returns: the bytes of it; more than
 * AFT_LINE_MOST: it has more. */
static gsize read_line(AftLineFile *file)
{
    gsize n = 0;
    int c = 0;
    while (n <= AFT_LINE_MOST && (c = getc_unlocked(file->stream)) != EOF && c != '\n') {
        file->line[n++] = (char)c;
    }
    return n;
}

char *aft_line_file_next(AftLineFile *file, GError **error)
{
    gsize n;
    do {
        n = read_line(file);
        file->number++;
        if (n > AFT_LINE_MOST) {
            aft_line_file_fail(file, error, "expected lines of at most %d bytes", AFT_LINE_MOST);
            return NULL;
        }
        n -= n > 0 && file->line[n - 1] == '\r';
        file->line[n] = '\0';
    } while (n == 0 && !feof(file->stream) && !ferror(file->stream));
    if (ferror(file->stream)) {
        refuse(file->path, g_strerror(errno), error);
        return NULL;
    }
    if (strlen(file->line) != n) {
        aft_line_file_fail(file, error, "a row of text cannot hold a zero byte");
        return NULL;
    }
    return n > 0 ? file->line : NULL;
}
