/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture_charts.h - the charts of a picture: values of the trace as points. */
#pragma once

#include "page_parts.h"

#include <aftershock/report/picture.h>

/** Appends the charts that have something to show to @charts, of AftPictureChart. */
void aft_picture_add_charts(GPtrArray *charts, const AftPageResults *page);

/** Frees an AftPictureChart. */
void aft_picture_free_chart(gpointer chart);
