/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/loader.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* UTF-8 needs none, but some editors put it in front. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

enum { MOST_BYTES = 4 * 1024 * 1024 };

typedef struct {
    AftScenario *scenario;
    AftDiagnostics diagnostics;
    AftPlaces *places;
    GPtrArray *problems;
} Load;

/* Tells the problems of the call before where their keys stand. */
static void tell_by_path(Load *load)
{
    for (guint i = 0; i < load->problems->len; i++) {
        const AftProblem *problem = g_ptr_array_index(load->problems, i);
        aft_diagnostics_add(&load->diagnostics, aft_places_find(load->places, problem->path),
                            problem);
    }
    g_ptr_array_set_size(load->problems, 0);
}

static void set_override(Load *load, const char *override)
{
    AftPlace place = {0, 0, override};
    const char *equals = strchr(override, '=');
    if (equals == NULL || equals == override) {
        aft_diagnostics_error(&load->diagnostics, &place, "expected path=value, like run.seed=2");
        return;
    }
    g_autofree char *path = g_strstrip(g_strndup(override, (gsize)(equals - override)));
    aft_scenario_set(load->scenario, path, equals + 1, load->problems);
    for (guint i = 0; i < load->problems->len; i++) {
        aft_diagnostics_add(&load->diagnostics, &place, g_ptr_array_index(load->problems, i));
    }
    g_ptr_array_set_size(load->problems, 0);
    aft_places_replace(load->places, path, override);
}

/* Where the first byte that is not UTF-8 is, as an error. Returns: whether all are. */
static gboolean check_encoding(Load *load)
{
    const char *text = load->diagnostics.text, *bad = NULL;
    if (g_utf8_validate_len(text, load->diagnostics.bytes, &bad)) {
        return TRUE;
    }
    AftPlace place = aft_diagnostics_place(&load->diagnostics, (gsize)(bad - text));
    aft_diagnostics_error(&load->diagnostics, &place, "byte 0x%02x is not UTF-8 text",
                          (guint)(guchar)*bad);
    return FALSE;
}

static void fill(Load *load, const char *const *overrides)
{
    gboolean complete =
        check_encoding(load) && aft_document_read(load->scenario, &load->diagnostics, load->places);
    for (guint i = 0; overrides != NULL && overrides[i] != NULL; i++) {
        set_override(load, overrides[i]);
    }
    if (complete) {
        aft_scenario_resolve(load->scenario, load->problems);
        tell_by_path(load);
    }
}

AftScenario *aft_loader_load_text(const char *name, const char *text, gsize bytes,
                                  const char *const *overrides, GPtrArray *messages, GError **error)
{
    if (bytes > MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most 4 MiB", name);
        return NULL;
    }
    if (bytes >= strlen(BYTE_ORDER_MARK) &&
        memcmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0) {
        text += strlen(BYTE_ORDER_MARK);
        bytes -= strlen(BYTE_ORDER_MARK);
    }
    Load load = {.scenario = aft_scenario_new(), .places = aft_places_new()};
    load.problems = aft_problems_new();
    aft_diagnostics_init(&load.diagnostics, name, text, bytes);
    fill(&load, overrides);
    aft_diagnostics_write(&load.diagnostics, messages);
    guint errors = load.diagnostics.errors;
    aft_diagnostics_clear(&load.diagnostics);
    aft_places_free(load.places);
    g_ptr_array_unref(load.problems);
    if (errors > 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: %u %s", name, errors,
                    errors == 1 ? "error" : "errors");
        g_clear_pointer(&load.scenario, aft_scenario_free);
    }
    return load.scenario;
}

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
    while (bytes->len <= MOST_BYTES && (n = read(file, buffer, sizeof buffer)) != 0) {
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
static gboolean read_file(const char *path, GByteArray *bytes, GError **error)
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
    } else if (status.st_size > MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most 4 MiB", path);
    } else {
        fine = read_all(file, path, bytes, error);
    }
    close(file);
    return fine;
}

AftScenario *aft_loader_load_file(const char *path, const char *const *overrides,
                                  GPtrArray *messages, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!read_file(path, bytes, error)) {
        return NULL;
    }
    /* An empty array has no data; an empty text is still a text. */
    const char *text = bytes->len == 0 ? "" : (const char *)bytes->data;
    return aft_loader_load_text(path, text, bytes->len, overrides, messages, error);
}
