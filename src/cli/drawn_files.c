/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_files.h"

#include "options.h"
#include "same_file.h"
#include "terminal.h"

#include <aftershock/base/file.h>
#include <aftershock/report/page.h>

static const char *const option_names[AFT_DRAW_FORMS] = {"--svg", "--png", "--pdf"};

void aft_drawn_files_clear(AftDrawnFiles *files)
{
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        g_clear_pointer(&files->names[form], g_free);
    }
    g_clear_pointer(&files->size, g_free);
}

gboolean aft_drawn_files_any(const AftDrawnFiles *files)
{
    gboolean any = FALSE;
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        any |= files->names[form] != NULL;
    }
    return any;
}

/* Whether two names (nullable) are those of one file, be it there or not. */
static gboolean are_one(const char *name, const char *other)
{
    if (name == NULL || other == NULL) {
        return FALSE;
    }
    g_autofree char *first = g_canonicalize_filename(name, NULL);
    g_autofree char *second = g_canonicalize_filename(other, NULL);
    return g_str_equal(first, second) || aft_same_file(first, second);
}

static AftExit check_size(const AftCommand *command, const AftDrawnFiles *files,
                          AftDrawSize *ret_size)
{
    *ret_size = (AftDrawSize){0, 0};
    if (files->size == NULL) {
        return AFT_EXIT_NOT_YET;
    }
    if (files->names[AFT_DRAW_SVG] == NULL && files->names[AFT_DRAW_PNG] == NULL) {
        return aft_options_complain(command, "--size is that of --svg or --png: which?");
    }
    g_autoptr(GError) error = NULL;
    if (!aft_draw_parse_size(files->size, ret_size, &error)) {
        return aft_options_complain(command, "--size: %s", error->message);
    }
    return AFT_EXIT_NOT_YET;
}

AftExit aft_drawn_files_check(const AftCommand *command, const AftDrawnFiles *files,
                              const char *other, AftDrawSize *ret_size)
{
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        const char *name = files->names[form];
        if (name != NULL && g_file_test(name, G_FILE_TEST_IS_DIR)) {
            return aft_options_complain(command, "%s %s: is a directory; name a file",
                                        option_names[form], name);
        }
        gboolean taken = are_one(name, other);
        for (guint before = 0; before < form; before++) {
            taken |= are_one(name, files->names[before]);
        }
        if (taken) {
            return aft_options_complain(command, "%s %s: is the name of two files",
                                        option_names[form], name);
        }
    }
    return check_size(command, files, ret_size);
}

/* Draws what is wanted, as files. Returns: FALSE with an error, when one could not be drawn. */
static gboolean draw_all(const AftDrawnFiles *files, AftDrawSize size, const AftPicture *picture,
                         GArray *set, GPtrArray *drawn, GError **error)
{
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        if (files->names[form] == NULL) {
            continue;
        }
        GBytes *bytes = aft_draw(picture, (AftDrawForm)form, size, error);
        if (bytes == NULL) {
            g_prefix_error(error, "%s: ", option_names[form]);
            return FALSE;
        }
        g_ptr_array_add(drawn, bytes);
        AftNewFile file = {files->names[form], aft_file_write_bytes, bytes};
        g_array_append_val(set, file);
    }
    return TRUE;
}

static gboolean save(const AftDrawnFiles *files, AftDrawSize size, const char *page_path,
                     const AftResult *const *results, guint n, GError **error)
{
    g_autoptr(GArray) set = g_array_new(FALSE, FALSE, sizeof(AftNewFile));
    g_autoptr(GPtrArray) drawn = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_autoptr(AftPicture) picture = aft_picture_new(results, n, error);
    if (picture == NULL || !draw_all(files, size, picture, set, drawn, error)) {
        return FALSE;
    }
    g_autofree char *page = page_path != NULL ? aft_page_new(results, n, error) : NULL;
    if (page_path != NULL && page == NULL) {
        return FALSE;
    }
    if (page != NULL) {
        AftNewFile file = {page_path, aft_file_write_text, page};
        g_array_append_val(set, file);
    }
    if (!aft_files_place((const AftNewFile *)(gpointer)set->data, set->len, error)) {
        return FALSE;
    }
    for (guint i = 0; i < set->len; i++) {
        aft_say("Wrote %s\n", g_array_index(set, AftNewFile, i).path);
    }
    return TRUE;
}

gboolean aft_drawn_files_save(const AftCommand *command, const AftDrawnFiles *files,
                              AftDrawSize size, const char *page_path,
                              const AftResult *const *results, guint n)
{
    g_autoptr(GError) error = NULL;
    if (!save(files, size, page_path, results, n, &error)) {
        aft_say("aftershock %s: %s\n", command->name, error->message);
        return FALSE;
    }
    return TRUE;
}
