/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free_key.h - keys on the whole line: u from minus to plus infinity, and back. */
#pragma once

#include <aftershock/calibrate/calibrate.h>

/** The value of @key at @u, between its bounds. */
double aft_free_key_value(const AftFreeKey *key, double u);

/** Where @value (between the bounds; at one of them, as if a thousandth off) is on the line. */
double aft_free_key_line(const AftFreeKey *key, double value);

/** "path=value", exact. Returns: (transfer full). */
char *aft_free_key_setting(const AftFreeKey *key, double value);
