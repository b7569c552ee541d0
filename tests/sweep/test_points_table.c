/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.csv of a point with more replications than a block of columns takes, and of one with few.
 */
#include "stores.h"

#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

static const guint replications[] = {700, 5}; /* of each point */

/* A figure of all replications, as it comes. */
typedef struct {
    guint phase, yield;
    GArray *values; /* double */
} Figure;

static gboolean collect(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Figure *figure = data;
    double value = aft_yield_read(figure->yield, row, figure->phase);
    value /= aft_yield_scale(figure->yield);
    g_array_append_val(figure->values, value);
    return TRUE;
}

/* What the figure called @phase/@metric comes to, read by itself. */
static AftSpreadOf spread_alone(AftStore *store, guint point, const char *phase, const char *metric)
{
    g_autofree char *name = g_strdup_printf("%s/%s", phase, metric);
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    Figure figure = {.values = values};
    assert_true(aft_yield_find(name, &figure.phase, &figure.yield, NULL));
    assert_true(aft_store_each(store, point, collect, &figure, NULL));
    return aft_spread_of((double *)(gpointer)values->data, values->len);
}

static void assert_number(const char *text, double expected)
{
    if (!isfinite(expected)) {
        assert_string_equal(text, "");
    } else {
        assert_within(g_ascii_strtod(text, NULL), expected, 1e-8 * fabs(expected));
    }
}

static void assert_line(AftStore *store, const char *line)
{
    enum { PHASE = 2, METRIC, N, MEAN, CI, P5, P50 }; /* behind the point and its one axis */
    g_auto(GStrv) cells = g_strsplit(line, ",", -1);
    guint point = (guint)g_ascii_strtoull(cells[0], NULL, 10);
    AftSpreadOf spread = spread_alone(store, point, cells[PHASE], cells[METRIC]);
    assert_int_equal(g_ascii_strtoull(cells[N], NULL, 10), spread.n);
    assert_number(cells[MEAN], spread.mean);
    assert_number(cells[P50], spread.p50);
}

/* Returns: (transfer full): points.csv of @store. */
static char *table_of(AftStore *store)
{
    char *text = NULL;
    gsize bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_true(aft_tables_points(store, out, NULL));
    fclose(out);
    return text;
}

static void each_figure_is_that_of_its_point(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(AftStore) store = open_in(folder, FALSE);
    const char *const settings[] = {"a=1", NULL};
    for (guint point = 0; point < G_N_ELEMENTS(replications); point++) {
        assert_true(keep_point(store, point, settings, NULL));
        keep_many(store, point, 0, replications[point]);
    }
    char *text = table_of(store);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    guint n = g_strv_length(lines);
    assert_true(n > 2 * aft_yields_n());
    assert_true(g_str_has_prefix(lines[n - 1], "1,"));
    for (guint i = 1; i < n; i += 17) { /* a few of all phases and yields */
        assert_line(store, lines[i]);
    }
    free(text);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_figure_is_that_of_its_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
