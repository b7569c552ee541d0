/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.h - the one error domain of libaftershock.
 *
 * Whatever a user can get wrong travels as a GError of this domain in a last parameter; what only
 * a bug can cause is a g_assert. Messages say what was expected and what was found; callers that
 * know the place (a file, a key) put it in front with g_prefix_error.
 */
#pragma once

#include <aftershock/base/api.h>

#include <glib.h>

AFT_BEGIN_DECLS

#define AFT_ERROR (aft_error_quark())

typedef enum {
    AFT_ERROR_SYNTAX,  /* text that cannot be read: a number, a unit, a document */
    AFT_ERROR_RANGE,   /* a value outside of what makes sense */
    AFT_ERROR_UNKNOWN, /* a name that is not in the table it was looked up in */
    AFT_ERROR_LIMIT,   /* larger, deeper or more than we are willing to allocate for */
    AFT_ERROR_FILE,    /* a file that cannot be read or written */
    AFT_ERROR_CONFLICT /* two things that do not belong together */
} AftError;

/** The quark behind AFT_ERROR. */
GQuark aft_error_quark(void);

AFT_END_DECLS
