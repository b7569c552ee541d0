/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human.h - numbers as people read them; never read back. NaN is "". */
#pragma once

#include <glib.h>

/** "1 h 23 min", "2 min 05 s", "12.3 s", "4.0 ms": two units at most. Returns: (transfer full). */
char *aft_human_duration(double seconds);

/** "1:23:05", hours, minutes and seconds; "12.3 s" below a minute. Returns: (transfer full). */
char *aft_human_clock(double seconds);

/** "107,676" with @decimals (0 to 9) digits after the point. Returns: (transfer full). */
char *aft_human_number(double value, guint decimals);

/** "2.3 %", "2 %", "45 %": about two significant digits. Returns: (transfer full). */
char *aft_human_share(double share);

/** "1.72 TB": bytes in powers of 1000, three digits or so. Returns: (transfer full). */
char *aft_human_bytes(double bytes);

/** "± 0.02" with @decimals digits after the point; what rounding would make nothing is "± <0.01".
 *  Returns: (transfer full). */
char *aft_human_interval(double half_width, guint decimals);

/** "+2.3 %", "-45 %", "0 %": a change as a share of what was before. Returns: (transfer full). */
char *aft_human_change(double share);

/** How many decimals show @value with three digits, 6 at most. */
guint aft_human_decimals(double value);
