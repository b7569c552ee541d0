/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/nearest.h>

#include <string.h>

enum { LONGEST = 63 };

static char folded(char c)
{
    return c == '-' ? '_' : g_ascii_tolower(c);
}

guint aft_nearest_distance(const char *from, const char *to)
{
    gsize n = strlen(from), m = strlen(to);
    if (n > LONGEST || m > LONGEST) {
        return G_MAXUINT;
    }
    /* Rows of the usual table: of the prefix two shorter than from's first i, one shorter, it. */
    guint rows[3][LONGEST + 1];
    for (gsize j = 0; j <= m; j++) {
        rows[0][j] = (guint)j;
    }
    for (gsize i = 1; i <= n; i++) {
        guint *row = rows[i % 3];
        const guint *one = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
        row[0] = (guint)i;
        for (gsize j = 1; j <= m; j++) {
            gboolean same = folded(from[i - 1]) == folded(to[j - 1]);
            row[j] = MIN(one[j - 1] + !same, MIN(one[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && folded(from[i - 1]) == folded(to[j - 2]) &&
                folded(from[i - 2]) == folded(to[j - 1])) {
                row[j] = MIN(row[j], two[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

const char *aft_nearest(const char *name, const char *const *names, guint n)
{
    const char *best = NULL;
    guint least = MAX(1, (guint)strlen(name) / 3) + 1;
    for (guint i = 0; i < n; i++) {
        guint distance = names[i] == NULL ? G_MAXUINT : aft_nearest_distance(name, names[i]);
        if (distance < least && distance < strlen(names[i])) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}
