/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_name.h - which texts can be keys of a file, known or not. */
#pragma once

#include <glib.h>

/** Whether @text (@length bytes; a zero byte is in no name) is a name, or where @dots are allowed
 *  names with dots between. */
gboolean aft_key_name_is(const char *text, gsize length, gboolean dots);

/** Whether @text is a path: names, dots between, and indices behind them, "timeline[0].at". */
gboolean aft_key_path_is(const char *text, gsize length);
