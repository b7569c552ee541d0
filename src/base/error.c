/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>

G_DEFINE_QUARK(aft - error - quark, aft_error)
