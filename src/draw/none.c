/* SPDX-License-Identifier: GPL-3.0-or-later */
/* none.c - what there is instead of drawing without cairo. */
#include <aftershock/base/error.h>
#include <aftershock/draw/draw.h>

GBytes *aft_draw(const AftPicture *picture, AftDrawForm form, AftDrawSize size, GError **error)
{
    (void)picture;
    (void)form;
    (void)size;
    g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN,
                "this program was built without charts: they need pango and cairo "
                "(libpango1.0-dev) and the Meson option -Dcharts=enabled");
    return NULL;
}
