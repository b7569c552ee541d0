/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure.h"
#include "forms.h"

#include <aftershock/base/error.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

#define WIDTH      1000.0 /* of a figure, when nobody says */
#define NARROWEST  640.0  /* that still has room for the words */
#define PLOT       104.0  /* high, when nobody says */
#define LEAST_PLOT 54.0
#define PNG_PIXELS 2.0 /* a unit, when nobody says */

static cairo_status_t append(void *bytes, const unsigned char *data, unsigned length)
{
    g_byte_array_append(bytes, data, length);
    return CAIRO_STATUS_SUCCESS;
}

/* Of several results, what each chart shows first. Returns: (transfer container). */
static GPtrArray *first_choices(const AftPicture *picture)
{
    GPtrArray *charts = g_ptr_array_new();
    for (guint i = 0; i < picture->charts->len; i++) {
        const AftPictureChart *chart = g_ptr_array_index(picture->charts, i);
        if (chart->choice == 0) {
            g_ptr_array_add(charts, (gpointer)chart);
        }
    }
    return charts;
}

gboolean aft_draw_check(cairo_status_t status, GError **error)
{
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "cairo cannot draw this: %s",
                    cairo_status_to_string(status));
        return FALSE;
    }
    return TRUE;
}

/* How many units are high what is good for @n_charts. */
static double good_height(const AftPen *pen, const AftPicture *picture, guint n_charts)
{
    return ceil(aft_figure_height(pen, picture, n_charts, WIDTH, PLOT));
}

/* Pixels a unit: letters grow with a picture that has room for them. */
static double pixels_per_unit(const AftPen *pen, const AftPicture *picture, guint n_charts,
                              AftDrawSize size)
{
    double wide = fmax(size.width / WIDTH, fmin(1.0, size.width / NARROWEST));
    double least = aft_figure_height(pen, picture, n_charts, size.width / wide, LEAST_PLOT);
    return fmin(wide, size.height / least);
}

/* What the size is when nobody says. Returns: FALSE when there is no font. */
static gboolean choose_size(const AftPicture *picture, double pixels, AftDrawSize *size,
                            GError **error)
{
    if (size->width > 0) {
        return TRUE;
    }
    cairo_surface_t *nothing = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    g_autoptr(GPtrArray) charts = first_choices(picture);
    AftPen pen;
    gboolean begun = aft_pen_init(&pen, nothing, error);
    if (begun) {
        double height = good_height(&pen, picture, charts->len);
        *size = (AftDrawSize){(guint)(pixels * WIDTH),
                              (guint)fmin(pixels * height, (double)AFT_DRAW_MOST)};
        aft_pen_clear(&pen);
    }
    cairo_surface_destroy(nothing);
    return begun;
}

static gboolean draw_figure(cairo_surface_t *surface, const AftPicture *picture, AftDrawSize size,
                            GError **error)
{
    AftPen pen;
    if (!aft_pen_init(&pen, surface, error)) {
        return FALSE;
    }
    g_autoptr(GPtrArray) charts = first_choices(picture);
    cairo_set_source_rgb(pen.cairo, 1.0, 1.0, 1.0);
    cairo_paint(pen.cairo);
    double pixels = pixels_per_unit(&pen, picture, charts->len, size);
    cairo_scale(pen.cairo, pixels, pixels);
    aft_figure_draw(&pen, picture, charts, size.width / pixels, size.height / pixels);
    gboolean fine = aft_draw_check(cairo_status(pen.cairo), error);
    aft_pen_clear(&pen);
    return fine;
}

static gboolean draw_svg(GByteArray *bytes, const AftPicture *picture, AftDrawSize size,
                         GError **error)
{
    if (!choose_size(picture, 1.0, &size, error)) {
        return FALSE;
    }
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(append, bytes, size.width, size.height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    gboolean fine = draw_figure(surface, picture, size, error);
    cairo_surface_finish(surface);
    fine = fine && aft_draw_check(cairo_surface_status(surface), error);
    cairo_surface_destroy(surface);
    return fine;
}

static gboolean draw_png(GByteArray *bytes, const AftPicture *picture, AftDrawSize size,
                         GError **error)
{
    if (!choose_size(picture, PNG_PIXELS, &size, error)) {
        return FALSE;
    }
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)size.width, (int)size.height);
    gboolean fine =
        aft_draw_check(cairo_surface_status(surface), error) &&
        draw_figure(surface, picture, size, error) &&
        aft_draw_check(cairo_surface_write_to_png_stream(surface, append, bytes), error);
    cairo_surface_destroy(surface);
    return fine;
}

static gboolean draw_pdf(GByteArray *bytes, const AftPicture *picture, AftDrawSize size,
                         GError **error)
{
    (void)size;
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, bytes, AFT_PAGE_WIDTH, AFT_PAGE_HEIGHT);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, picture->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, picture->origin);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    gboolean fine = aft_pages_draw(surface, picture, error);
    cairo_surface_finish(surface);
    fine = fine && aft_draw_check(cairo_surface_status(surface), error);
    cairo_surface_destroy(surface);
    return fine;
}

GBytes *aft_draw(const AftPicture *picture, AftDrawForm form, AftDrawSize size, GError **error)
{
    static gboolean (*const draw[AFT_DRAW_FORMS])(GByteArray *, const AftPicture *, AftDrawSize,
                                                  GError **) = {
        [AFT_DRAW_SVG] = draw_svg, [AFT_DRAW_PNG] = draw_png, [AFT_DRAW_PDF] = draw_pdf};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!draw[form](bytes, picture, size, error)) {
        return NULL;
    }
    return form == AFT_DRAW_SVG ? aft_svg_describe(bytes, picture)
                                : g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}
