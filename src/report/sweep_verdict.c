/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"
#include "page_frame.h"
#include "ranking_grid.h"
#include "sweep_parts.h"

#include <aftershock/base/shown.h>

#include <math.h>

enum { MOST_RANKED = 20, REASON = 200 };

/* How many points held the requirement in all, some and none of their replications. */
typedef struct {
    guint always, sometimes, never, unjudged;
} Held;

static Held held_of(const GArray *points)
{
    Held held = {0};
    for (guint i = 0; i < points->len; i++) {
        const AftSweptPoint *point = &g_array_index(points, AftSweptPoint, i);
        guint *kind = point->judged == 0             ? &held.unjudged
                      : point->held == point->judged ? &held.always
                      : point->held > 0              ? &held.sometimes
                                                     : &held.never;
        *kind += 1;
    }
    return held;
}

/* "2 of 6 points held the requirement in every run". */
static void append_headline(GString *html, const Held *held)
{
    guint judged = held->always + held->sometimes + held->never;
    gboolean good = held->always > 0;
    g_string_append_printf(html, "<section class=\"verdict %s\" aria-label=\"Verdict\">\n<h2>",
                           judged == 0 ? "none"
                           : good      ? "good"
                                       : "bad");
    if (judged == 0) {
        g_string_append(html, "Nothing was required");
    } else if (good) {
        g_string_append_printf(html, "✓ %u of %u points held the requirement in every run",
                               held->always, judged);
    } else {
        g_string_append_printf(html, "✗ None of %u points held the requirement in every run",
                               judged);
    }
    g_string_append(html, "</h2>\n<dl>\n");
    if (held->sometimes > 0) {
        g_string_append_printf(html,
                               "<dt class=\"notice\">sometimes</dt><dd>%u held it in some of "
                               "their runs</dd>\n",
                               held->sometimes);
    }
    if (held->never > 0 && held->always + held->sometimes > 0) {
        g_string_append_printf(html, "<dt class=\"bad\">never</dt><dd>%u held it in none</dd>\n",
                               held->never);
    }
}

/* "cluster.nodes=8, data.protection=rf2": what differs between runs of a point is left out. */
static void append_settings(GString *html, char *const *settings)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; settings != NULL && settings[i] != NULL; i++) {
        if (!g_str_has_suffix(settings[i], "=")) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", settings[i]);
        }
    }
    aft_page_append_text(html, text->str);
}

static const AftSweptPoint *find_point(const GArray *points, guint point)
{
    for (guint i = 0; i < points->len; i++) {
        if (g_array_index(points, AftSweptPoint, i).point == point) {
            return &g_array_index(points, AftSweptPoint, i);
        }
    }
    return NULL;
}

/* "8 of 10 (44 – 97 %)". Returns: (transfer full): "" where nothing is required. */
static char *held_text(const AftSweptPoint *point)
{
    if (point == NULL || point->judged == 0) {
        return g_strdup("");
    }
    AftChance chance = aft_chance(point->held, point->judged);
    return g_strdup_printf("%u of %u (%.0f – %.0f %%)", point->held, point->judged,
                           100.0 * chance.low, 100.0 * chance.high);
}

static void append_best(GString *html, const AftSweptPage *page)
{
    if (page->ranking->len == 0) {
        return;
    }
    const AftRanked *best = page->ranking->pdata[0];
    g_autofree char *held = held_text(find_point(page->look->points, best->point));
    g_autofree char *missed = aft_human_duration(best->missed_s);
    g_string_append_printf(html, "<dt>best</dt><dd>point %u: ", best->point);
    append_settings(html, best->axes);
    if (*held != '\0') {
        g_string_append_printf(html, "; held in %s of its runs, missed for %s in the mean", held,
                               missed);
    }
    g_string_append(html, "</dd>\n");
}

static guint losing(const GPtrArray *ranking)
{
    guint n = 0;
    for (guint i = 0; i < ranking->len; i++) {
        n += ((const AftRanked *)ranking->pdata[i])->loss_probability > 0.0 ? 1 : 0;
    }
    return n;
}

static void append_losses(GString *html, const AftSweptPage *page)
{
    guint n = losing(page->ranking);
    if (n > 0) {
        g_string_append_printf(html,
                               "<dt class=\"bad\">data lost</dt><dd>at %u of %u points, in some "
                               "of their runs</dd>\n",
                               n, page->ranking->len);
    } else {
        g_string_append(html, "<dt class=\"good\">data</dt><dd>none was lost</dd>\n");
    }
}

/* Why replications failed, and which were done in another way than the sweep asks. */
static void append_troubles(GString *html, const AftSweptLook *look)
{
    guint64 all = look->done + look->failed;
    if (look->failed > 0) {
        g_string_append_printf(html,
                               "<dt class=\"bad\">failed</dt><dd>%" G_GUINT64_FORMAT
                               " of %" G_GUINT64_FORMAT " runs, and are in no figure:",
                               look->failed, all);
        for (guint i = 0; i < AFT_SWEPT_REASONS && look->reasons[i] != NULL; i++) {
            g_autofree char *cut = aft_shown_start(look->reasons[i], REASON);
            g_string_append(html, i > 0 ? "; " : " ");
            aft_page_append_text(html, cut);
        }
        g_string_append(html, "</dd>\n");
    }
    if (look->fell_back > 0) {
        g_string_append_printf(html,
                               "<dt class=\"notice\">fell back</dt><dd>%" G_GUINT64_FORMAT
                               " of %" G_GUINT64_FORMAT
                               " runs were simulated by windows, since they have something for "
                               "which no rates are remembered</dd>\n",
                               look->fell_back, all);
    }
}

static void append_extent(GString *html, const AftSweptPage *page)
{
    const AftStoreIdentity *identity = aft_store_identity(page->store);
    guint points = page->look->points->len;
    g_string_append_printf(html, "<dt>runs</dt><dd>%" G_GUINT64_FORMAT " at %u %s, design ",
                           page->look->done, points, points == 1 ? "point" : "points");
    aft_page_append_text(html, identity->design);
    g_string_append_printf(html, ", fidelity ");
    aft_page_append_text(html, identity->fidelity);
    g_string_append_printf(html, ", seed %" G_GUINT64_FORMAT "</dd>\n", identity->seed);
    if (points < identity->points) {
        g_string_append_printf(html,
                               "<dt class=\"notice\">missing</dt><dd>%u of %u points have no "
                               "run yet</dd>\n",
                               identity->points - points, identity->points);
    }
}

void aft_swept_append_verdict(GString *html, const AftSweptPage *page)
{
    Held held = held_of(page->look->points);
    append_headline(html, &held);
    append_best(html, page);
    append_losses(html, page);
    append_troubles(html, page->look);
    append_extent(html, page);
    g_string_append(html, "</dl>\n</section>\n");
}

static void add_held(AftGrid *grid, const AftSweptPage *page, guint n)
{
    aft_grid_add_column(grid, &(AftGridColumn){NULL, "held in (95 %)", FALSE, FALSE});
    for (guint i = 0; i < n; i++) {
        const AftRanked *ranked = page->ranking->pdata[i];
        const AftSweptPoint *point = find_point(page->look->points, ranked->point);
        g_autofree char *text = held_text(point);
        gboolean judged = point != NULL && point->judged > 0;
        gboolean always = judged && point->held == point->judged;
        g_autofree char *marked = judged ? g_strconcat(always            ? "✓ "
                                                       : point->held > 0 ? "~ "
                                                                         : "✗ ",
                                                       text, NULL)
                                         : g_strdup("");
        aft_grid_add_cell(grid, marked,
                          always                             ? AFT_TINT_GOOD
                          : point != NULL && point->held > 0 ? AFT_TINT_NOTICE
                                                             : AFT_TINT_BAD);
    }
}

void aft_swept_append_ranking(GString *html, const AftSweptPage *page)
{
    guint n = MIN(page->ranking->len, MOST_RANKED);
    g_string_append(html, "<section id=\"ranking\" aria-label=\"Ranking\">\n<h2>Ranking</h2>\n");
    if (n == 0) {
        g_string_append(html, "<p>No run has a result.</p>\n");
    } else {
        g_autoptr(AftGrid) grid = aft_ranking_grid(page->ranking, n, TRUE);
        add_held(grid, page, n);
        aft_grid_append_html(grid, html);
    }
    g_string_append(
        html, "<p class=\"small\">A run holds the requirement when it is met in every phase, in "
              "the mean of it, and no data is lost. Points that lose data less often come "
              "first, then those that miss the requirement for a shorter time, by intervals "
              "of the trace. Differences to the first are "
              "means over pairs of runs with the same chance; ± is half of a 95 % "
              "interval.</p>\n");
    if (n < page->ranking->len) {
        g_string_append_printf(html, "<p>%u more are in ranking.csv.</p>\n",
                               page->ranking->len - n);
    }
    g_string_append(html, "</section>\n");
}
