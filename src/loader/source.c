/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "source.h"

#include "file.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/loader.h>

#include <string.h>

/* UTF-8 needs none, but some editors put it in front. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static const char *const kinds[] = {"scenario", "reference", "sweep", NULL};

gboolean aft_source_init(AftSource *source, const char *name, const char *text, gsize bytes,
                         char *(*full)(const char *path), GError **error)
{
    if (bytes > AFT_LOADER_MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most 4 MiB", name);
        return FALSE;
    }
    if (bytes >= strlen(BYTE_ORDER_MARK) &&
        memcmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0) {
        text += strlen(BYTE_ORDER_MARK);
        bytes -= strlen(BYTE_ORDER_MARK);
    }
    *source = (AftSource){.places = aft_places_new(full), .problems = aft_problems_new()};
    aft_diagnostics_init(&source->diagnostics, name, text, bytes);
    return TRUE;
}

/* Where the first byte that is not UTF-8 is, as an error. Returns: whether all are. */
static gboolean check_encoding(AftSource *source)
{
    const char *text = source->diagnostics.text, *bad = NULL;
    if (g_utf8_validate_len(text, source->diagnostics.bytes, &bad)) {
        return TRUE;
    }
    AftPlace place = aft_diagnostics_place(&source->diagnostics, (gsize)(bad - text));
    aft_diagnostics_error(&source->diagnostics, &place, "byte 0x%02x is not UTF-8 text",
                          (guint)(guchar)*bad);
    return FALSE;
}

/* Whether the text is of @wanted kind, or may have meant to be. */
static gboolean check_kind(AftSource *source, const char *wanted)
{
    AftPlace place;
    g_autofree char *kind = aft_document_kind(&source->diagnostics, &place);
    gboolean other = kind != NULL && strcmp(kind, wanted) != 0 && g_strv_contains(kinds, kind);
    if (other) {
        aft_diagnostics_error(&source->diagnostics, &place,
                              "kind: expected %s, files of kind %s are not read here", wanted,
                              kind);
    } else if (kind == NULL && strcmp(wanted, kinds[0]) != 0) {
        aft_diagnostics_error(&source->diagnostics, &place,
                              "expected kind: %s; without it this is a scenario", wanted);
        return FALSE;
    }
    return !other;
}

gboolean aft_source_read(AftSource *source, const AftDocumentTarget *target, gpointer data)
{
    return check_encoding(source) && check_kind(source, target->kind) &&
           aft_document_read(target, data, &source->diagnostics, source->places);
}

void aft_source_tell(AftSource *source)
{
    for (guint i = 0; i < source->problems->len; i++) {
        const AftProblem *problem = g_ptr_array_index(source->problems, i);
        aft_diagnostics_add(&source->diagnostics, aft_places_find(source->places, problem->path),
                            problem);
    }
    g_ptr_array_set_size(source->problems, 0);
}

gboolean aft_source_finish(AftSource *source, GPtrArray *messages, GError **error)
{
    guint errors = source->diagnostics.errors;
    aft_diagnostics_write(&source->diagnostics, messages);
    if (errors > 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: %u %s", source->diagnostics.name,
                    errors, errors == 1 ? "error" : "errors");
    }
    aft_diagnostics_clear(&source->diagnostics);
    aft_places_free(source->places);
    g_ptr_array_unref(source->problems);
    return errors == 0;
}
