/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>

GQuark aft_error_quark(void)
{
    return g_quark_from_static_string("aft-error-quark");
}
