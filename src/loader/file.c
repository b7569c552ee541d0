/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/loader.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean fail_to_read(const char *path, const char *reason, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s", path, reason);
    return FALSE;
}

/* Reads up to the limit and a byte; a file may grow while it is read. */
static gboolean read_all(int file, const char *path, GByteArray *bytes, GError **error)
{
    guint8 buffer[65536];
    ssize_t n = 0;
    while (bytes->len <= AFT_LOADER_MOST_BYTES && (n = read(file, buffer, sizeof buffer)) != 0) {
        if (n < 0 && errno != EINTR) {
            return fail_to_read(path, g_strerror(errno), error);
        }
        if (n > 0) {
            g_byte_array_append(bytes, buffer, (guint)n);
        }
    }
    return TRUE;
}

/* What is not a file with an end (a folder, a pipe, a device) is refused before it is read. */
static gboolean open_and_read(const char *path, GByteArray *bytes, GError **error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0) {
        return fail_to_read(path, g_strerror(errno), error);
    }
    gboolean fine = FALSE;
    if (fstat(file, &status) != 0) {
        fail_to_read(path, g_strerror(errno), error);
    } else if (!S_ISREG(status.st_mode)) {
        fail_to_read(path, S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file",
                     error);
    } else if (status.st_size > AFT_LOADER_MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most 4 MiB", path);
    } else {
        fine = read_all(file, path, bytes, error);
    }
    close(file);
    return fine;
}

const char *aft_file_read(const char *path, GByteArray *bytes, GError **error)
{
    if (!open_and_read(path, bytes, error)) {
        return NULL;
    }
    /* An empty array has no data; an empty text is still a text. */
    return bytes->len == 0 ? "" : (const char *)bytes->data;
}

char *aft_file_beside(const char *beside, const char *path)
{
    g_autofree char *name = g_strstrip(g_strdup(path));
    if (*name == '\0' || g_path_is_absolute(name)) {
        return g_strdup(path);
    }
    g_autofree char *folder = g_path_get_dirname(beside);
    return strcmp(folder, ".") == 0 ? g_strdup(name) : g_build_filename(folder, name, NULL);
}
