/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawn_files.h - charts of results as files: SVG, PNG, PDF. */
#pragma once

#include "command.h"

#include <aftershock/draw/draw.h>

/** What the command line says of them. */
typedef struct {
    char *names[AFT_DRAW_FORMS]; /* (nullable) */
    char *size;                  /* (nullable) */
} AftDrawnFiles;

/** Their options, as entries among others of a command. */
#define AFT_DRAWN_OPTIONS(files)                                                               \
    {"svg",                                                                                    \
     0,                                                                                        \
     0,                                                                                        \
     G_OPTION_ARG_FILENAME,                                                                    \
     &(files)->names[AFT_DRAW_SVG],                                                            \
     "Draw the charts to FILE as SVG",                                                         \
     "FILE"},                                                                                  \
        {"png",                                                                                \
         0,                                                                                    \
         0,                                                                                    \
         G_OPTION_ARG_FILENAME,                                                                \
         &(files)->names[AFT_DRAW_PNG],                                                        \
         "Draw the charts to FILE as PNG",                                                     \
         "FILE"},                                                                              \
        {"pdf",                                                                                \
         0,                                                                                    \
         0,                                                                                    \
         G_OPTION_ARG_FILENAME,                                                                \
         &(files)->names[AFT_DRAW_PDF],                                                        \
         "Draw the phases and the charts to FILE as PDF, pages of A4",                         \
         "FILE"},                                                                              \
    {                                                                                          \
        "size", 0, 0, G_OPTION_ARG_STRING, &(files)->size,                                     \
            "Pixels of SVG and PNG, like 1600x1200; default: as is good for the charts", "WxH" \
    }

/** Frees the texts. */
void aft_drawn_files_clear(AftDrawnFiles *files);

/** Whether any is wanted. */
gboolean aft_drawn_files_any(const AftDrawnFiles *files);

/** Whether @files are names that can be written to, beside @other (nullable), and of a size that
 * can be drawn. Returns: AFT_EXIT_NOT_YET, else the status to end with, after a complaint. */
AftExit aft_drawn_files_check(const AftCommand *command, const AftDrawnFiles *files,
                              const char *other, AftDrawSize *ret_size);

/** Draws the @n results (1 to AFT_PAGE_MOST) to all of @files, and makes their page at @page_path
 *  (nullable): all of them, or none. Says so on stderr, for @command, either way.
 *  Returns: whether they are there. */
gboolean aft_drawn_files_save(const AftCommand *command, const AftDrawnFiles *files,
                              AftDrawSize size, const char *page_path,
                              const AftResult *const *results, guint n);
