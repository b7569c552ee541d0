/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - quantities as people write them: "3.84 TB", "60 min", "107k/s", "25 Gbit/s", "80 %".
 *
 * Inside the program a quantity is a double in its base unit (seconds, bytes, bytes per second,
 * operations per second, a share of one, a plain count); text exists only at the edges. Decimal
 * prefixes are powers of 1000 (kB, MB), binary ones of 1024 (KiB, MiB); a quantity that has a
 * unit must be written with it, so that "30" is never a guess. Only 0 needs none.
 */
#pragma once

#include <aftershock/base/api.h>

#include <glib.h>

AFT_BEGIN_DECLS

typedef enum {
    AFT_UNIT_COUNT,          /* no unit; k, M, G multiply by powers of 1000 */
    AFT_UNIT_TIME,           /* seconds: ns us ms s min h d; "µs" is read too */
    AFT_UNIT_BYTES,          /* B kB MB GB TB PB KiB MiB GiB TiB PiB */
    AFT_UNIT_BYTES_PER_TIME, /* bytes a second: any byte unit, or bit to Tbit by 1000, with "/s" */
    AFT_UNIT_RATE,           /* operations a second: "107676 /s", "107k/s"; also /min, /h */
    AFT_UNIT_SHARE           /* 0.2 or 20 % */
} AftUnit;

/** Reads @text as a quantity of @unit: a decimal number, perhaps with an exponent, and a unit.
 *  Blanks around both, and around a "/", do not matter. With a power of ten for a unit the result
 *  is the double nearest to what is written: "2.1 ms" is 0.0021. Signs are read; what range makes
 *  sense is up to the caller.
 *  Returns: whether it was one; @ret_value, in the base unit, is written only then. NaN, infinities
 *  and hexadecimal are refused. Errors: AFT_ERROR_SYNTAX, naming the text and what would be right;
 *  AFT_ERROR_RANGE for more than a double can hold. */
gboolean aft_units_parse(AftUnit unit, const char *text, double *ret_value, GError **error);

/** Writes @value (base unit) for people. What six digits tell exactly is written so, in the unit
 *  that takes the fewest digits, decimal units first: 4096 bytes are "4 KiB", 3600 seconds "1 h",
 *  153,600,000 bytes "153.6 MB". Anything else gets three digits, in the largest unit that keeps
 *  the number at 1 or above. Numbers of any use have no exponent. Reading the text back gives
 *  @value within 0.5 %. NaN and infinities are written as C does, and cannot be read back.
 *  Returns: (transfer full). */
char *aft_units_format(AftUnit unit, double value);

/** Like aft_units_format(), but so exact that aft_units_parse() gives @value (finite) back, bit
 *  for bit. Returns: (transfer full). */
char *aft_units_format_exact(AftUnit unit, double value);

/** One phrase on how @unit is written, for help and errors: "a time, like 30 min".
 *  Returns: (transfer none). */
const char *aft_units_describe(AftUnit unit);

/** A regular expression, as JSON Schema and Python read it, of all that aft_units_parse() takes for
 *  @unit; too large and too small numbers are the exception. It is not anchored.
 *  Returns: (transfer full). */
char *aft_units_pattern(AftUnit unit);

AFT_END_DECLS
