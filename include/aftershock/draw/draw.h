/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw.h - a picture of results as a file: SVG, PNG or PDF, by cairo and pango.
 *
 * SVG and PNG are one picture: what came out, phases and events, and below them the charts on the
 * same time axis. PDF is pages in A4 landscape: first what came out with the table of phases, then
 * the charts, of several results in all their choices. Lines differ in dashes as well as in colour.
 * The same picture makes the same bytes.
 *
 * A library built without cairo (the Meson option "charts") has these functions, which then fail.
 */
#pragma once

#include <aftershock/report/picture.h>

typedef enum { AFT_DRAW_SVG, AFT_DRAW_PNG, AFT_DRAW_PDF, AFT_DRAW_FORMS } AftDrawForm;

/** Pixels that a picture may be wide or high. */
#define AFT_DRAW_LEAST 200u
#define AFT_DRAW_MOST  8192u

typedef struct {
    guint width, height; /* pixels; both 0: as is good for what there is to show */
} AftDrawSize;

/** Reads @text, like "1600x1200". Returns: FALSE with AFT_ERROR_SYNTAX, or AFT_ERROR_RANGE when it
 *  is not from AFT_DRAW_LEAST to AFT_DRAW_MOST both ways. */
gboolean aft_draw_parse_size(const char *text, AftDrawSize *ret_size, GError **error);

/** The bytes of a file of @form. @size is that of SVG and PNG; PDF has its own.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_UNKNOWN when built without cairo, or
 *  AFT_ERROR_LIMIT when cairo cannot, or there is no font. */
GBytes *aft_draw(const AftPicture *picture, AftDrawForm form, AftDrawSize size, GError **error);
