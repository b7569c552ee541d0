/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forms.h - what draw.c draws, by the kind of file. */
#pragma once

#include <aftershock/draw/draw.h>

#include <cairo.h>

/** Whether cairo is fine. Returns: FALSE with AFT_ERROR_LIMIT when it is not. */
gboolean aft_draw_check(cairo_status_t status, GError **error);

/** Draws pages of A4 on @surface, of a PDF. Returns: FALSE with AFT_ERROR_LIMIT without a font. */
gboolean aft_pages_draw(cairo_surface_t *surface, const AftPicture *picture, GError **error);

/** A4, landscape. */
#define AFT_PAGE_WIDTH  841.89
#define AFT_PAGE_HEIGHT 595.28

/** @svg as cairo wrote it, where texts are outlines, with the texts of @picture as its title and
 *  description. Returns: (transfer full). */
GBytes *aft_svg_describe(const GByteArray *svg, const AftPicture *picture);
