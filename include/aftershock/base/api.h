/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api.h - what programs that embed the library may call.
 *
 * The library hides every function that is not declared between these two marks, which make it
 * callable from C++ as well. The headers that are installed (include/meson.build) have them; no
 * other needs them.
 */
#pragma once

#include <glib.h>

#define AFT_BEGIN_DECLS \
    G_BEGIN_DECLS       \
    _Pragma("GCC visibility push(default)")
#define AFT_END_DECLS _Pragma("GCC visibility pop") G_END_DECLS
