/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - quantities as people write them: "3.84 TB", "60 min", "107k/s", "25 Gbit/s", "80 %".
 *
 * Inside the program a quantity is a double in its base unit (seconds, bytes, bytes per second,
 * operations per second, a share of one, a plain count); text exists only at the edges. Decimal
 * prefixes are powers of 1000 (kB, MB), binary ones of 1024 (KiB, MiB); a quantity that has a
 * unit must be written with it, so that "30" is never a guess.
 */
#pragma once

#include <glib.h>

typedef enum {
    AFT_UNIT_COUNT,          /* no unit; k, M, G multiply by powers of 1000 */
    AFT_UNIT_TIME,           /* seconds: ns us ms s min h d; a bare 0 is fine */
    AFT_UNIT_BYTES,          /* B kB MB GB TB PB KiB MiB GiB TiB PiB; a bare 0 is fine */
    AFT_UNIT_BYTES_PER_TIME, /* bytes a second: any byte unit, or bit units in powers of 1000, "/s" */
    AFT_UNIT_RATE,           /* operations a second: "107676 /s", "107k/s"; also /min, /h */
    AFT_UNIT_SHARE           /* 0.2 or 20 % */
} AftUnit;

/** Reads @text as a quantity of @unit; blanks around and between number and unit do not matter.
 *  Returns: whether it was one; @ret_value, in the base unit, is written only then. NaN and
 *  infinities are refused. Errors: AFT_ERROR_SYNTAX, naming the text and what would be right. */
gboolean aft_units_parse(AftUnit unit, const char *text, double *ret_value, GError **error);

/** Writes @value (base unit) for people, with three significant digits or more where they are
 *  exact, in the largest unit that keeps the number at 1 or above: 3.84e12 bytes is "3.84 TB".
 *  Reading the text back gives @value within 0.5 % (exactly where the text was exact).
 *  Returns: (transfer full). */
char *aft_units_format(AftUnit unit, double value);

/** Like aft_units_format(), but so exact that aft_units_parse() gives @value back, bit for bit.
 *  Returns: (transfer full). */
char *aft_units_format_exact(AftUnit unit, double value);

/** One phrase on how @unit is written, for help and errors: "a time, like 30 min".
 *  Returns: (transfer none). */
const char *aft_units_describe(AftUnit unit);
