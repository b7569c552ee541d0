/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawn_files.h"

#include "options.h"
#include "terminal.h"

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
        gboolean taken = name != NULL && g_strcmp0(name, other) == 0;
        for (guint before = 0; name != NULL && before < form; before++) {
            taken |= g_strcmp0(files->names[before], name) == 0;
        }
        if (taken) {
            return aft_options_complain(command, "%s %s: is the name of two files",
                                        option_names[form], name);
        }
    }
    return check_size(command, files, ret_size);
}

/* Returns: FALSE with an error, when one of @files could not be drawn. */
static gboolean draw_all(const AftDrawnFiles *files, AftDrawSize size, const AftPicture *picture,
                         GBytes **ret_drawn, GError **error)
{
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        if (files->names[form] != NULL) {
            ret_drawn[form] = aft_draw(picture, (AftDrawForm)form, size, error);
            if (ret_drawn[form] == NULL) {
                g_prefix_error(error, "%s: ", option_names[form]);
                return FALSE;
            }
        }
    }
    return TRUE;
}

static gboolean write_all(const AftDrawnFiles *files, GBytes *const *drawn, GError **error)
{
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        if (drawn[form] == NULL) {
            continue;
        }
        gsize length = 0;
        const char *data = g_bytes_get_data(drawn[form], &length);
        GFileSetContentsFlags whole = G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE;
        if (!g_file_set_contents_full(files->names[form], data, (gssize)length, whole, 0666,
                                      error)) {
            return FALSE;
        }
        aft_say("Wrote %s\n", files->names[form]);
    }
    return TRUE;
}

gboolean aft_drawn_files_save(const AftCommand *command, const AftDrawnFiles *files,
                              AftDrawSize size, const AftResult *const *results, guint n)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftPicture) picture = aft_picture_new(results, n, &error);
    GBytes *drawn[AFT_DRAW_FORMS] = {NULL};
    gboolean fine = picture != NULL && draw_all(files, size, picture, drawn, &error) &&
                    write_all(files, drawn, &error);
    if (!fine) {
        aft_say("aftershock %s: %s\n", command->name, error->message);
    }
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        g_clear_pointer(&drawn[form], g_bytes_unref);
    }
    return fine;
}
