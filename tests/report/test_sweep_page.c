/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stores.h"
#include "sweep_look.h"

#include <aftershock/report/sweep_page.h>

#include <json-glib/json-glib.h>

#define HOSTILE "</script><script>alert(1)</script>"

/* A run of two phases, of which the first takes @minutes. */
static AftReplication *replication(guint point, guint index, double minutes,
                                   const char *requirement)
{
    AftResult *result = aft_result_new();
    result->scenario_sha256 = g_strdup("ab");
    result->requirement = g_strdup(requirement);
    result->missed_s = g_str_equal(requirement, "met") ? 0.0 : 60.0 * minutes;
    for (guint i = 0; i < 2; i++) {
        AftPhaseRow row;
        aft_phase_row_init(&row, i == 0 ? AFT_PHASE_REBUILD : AFT_PHASE_STEADY);
        row.start_s = 60.0 * minutes * i;
        row.duration_s = 60.0 * minutes;
        row.iops = 100.0 * (point + 1);
        row.missed_s = i == 0 ? result->missed_s : 0.0;
        row.simulated_s = 0.0;
        g_free(row.requirement);
        row.requirement = g_strdup(i == 0 ? requirement : "met");
        g_array_append_val(result->phases, row);
    }
    return aft_replication_new(point, index, result);
}

/* Three points along an axis of numbers; the first holds always, the second sometimes. */
static void fill_small(AftStore *store)
{
    static const char *const nodes[] = {"cluster.nodes=4", "cluster.nodes=5", "cluster.nodes=16"};
    for (guint point = 0; point < 3; point++) {
        assert_true(keep_point(store, point, (const char *const[]){nodes[point], NULL}, NULL));
        for (guint i = 0; i < 4; i++) {
            gboolean met = point == 0 || (point == 1 && i == 0);
            assert_true(keep(store, replication(point, i, 10.0 + i, met ? "met" : "iops"), NULL));
        }
    }
    assert_true(keep(store, aft_replication_new_failed(2, 4, 1, "ab", HOSTILE " no room"), NULL));
}

typedef struct {
    char *folder, *page;
    JsonParser *parser;
    JsonObject *data;
} Made;

static Made make(AftStoreIdentity it, void (*fill_in)(AftStore *store))
{
    static const char begin[] = "<script type=\"application/json\" id=\"data\">";
    Made made = {.folder = new_folder()};
    g_autoptr(AftStore) store = open_as(made.folder, it, FALSE);
    g_autoptr(GError) error = NULL;
    fill_in(store);
    made.page = aft_sweep_page_new(store, &error);
    assert_null(error);
    const char *json = strstr(made.page, begin) + strlen(begin);
    g_autofree char *text = g_strndup(json, (gsize)(strstr(json, "</script>") - json));
    assert_null(strchr(text, '<'));
    made.parser = json_parser_new();
    assert_true(json_parser_load_from_data(made.parser, text, -1, NULL));
    made.data = json_node_get_object(json_parser_get_root(made.parser));
    return made;
}

static void made_clear(Made *made)
{
    g_object_unref(made->parser);
    g_free(made->page);
    remove_folder(made->folder);
}

/* The figure called so. */
static JsonObject *figure_in(const Made *made, const char *phase, const char *metric)
{
    JsonArray *figures = json_object_get_array_member(made->data, "figures");
    for (guint i = 0; i < json_array_get_length(figures); i++) {
        JsonObject *it = json_array_get_object_element(figures, i);
        if (g_str_equal(json_object_get_string_member(it, "phase"), phase) &&
            g_str_equal(json_object_get_string_member(it, "metric"), metric)) {
            return it;
        }
    }
    return NULL;
}

static JsonArray *spread_at(JsonObject *figure, guint point)
{
    return json_array_get_array_element(json_object_get_array_member(figure, "v"), point);
}

static void the_verdict_tells_who_holds(void **state)
{
    (void)state;
    Made made = make(identity, fill_small);
    assert_non_null(
        strstr(made.page, "<h2>✓ 1 of 3 points held the requirement in every run</h2>"));
    assert_non_null(strstr(made.page, "1 held it in some of their runs"));
    assert_non_null(strstr(made.page, "point 0: cluster.nodes=4; held in 4 of 4 (40 – 100 %)"));
    assert_non_null(strstr(made.page, "1 of 13 runs, and are in no figure: &lt;/script&gt;"));
    assert_non_null(strstr(made.page, "7 of 10 points have no run yet"));
    assert_null(strstr(made.page, "fell back"));
    assert_null(strstr(made.page, "<script>alert"));
    made_clear(&made);
}

/* Four runs of 10 to 13 minutes: all of them, their mean, and Student's interval. */
static void few_runs_are_all_there(void **state)
{
    (void)state;
    Made made = make(identity, fill_small);
    JsonArray *it = spread_at(figure_in(&made, "rebuild", "minutes"), 1);
    assert_int_equal(json_array_get_length(it), 7);
    assert_within(json_array_get_double_element(it, 0), 4.0, 0.0);
    assert_within(json_array_get_double_element(it, 1), 11.5, 1e-9);
    assert_within(json_array_get_double_element(it, 2), 3.18245 * 1.290994 / 2.0, 1e-3);
    assert_within(json_array_get_double_element(it, 3), 10.0, 1e-9);
    assert_within(json_array_get_double_element(it, 6), 13.0, 1e-9);
    assert_null(figure_in(&made, "all", "shed_ios")); /* nothing but 0 */
    JsonObject *axis =
        json_array_get_object_element(json_object_get_array_member(made.data, "axes"), 0);
    assert_string_equal(json_object_get_string_member(axis, "unit"), "count");
    JsonArray *numbers = json_object_get_array_member(axis, "numbers");
    assert_within(json_array_get_double_element(numbers, 2), 16.0, 0.0);
    made_clear(&made);
}

enum { MANY = 20000, POINTS = MANY / 10, AXES = 4 };

static void free_point(gpointer data)
{
    AftStorePoint *point = data;
    g_strfreev(point->settings);
    g_free(point);
}

/* A point whose axes are called, and are, what no one should. */
static AftStorePoint *hostile_point(guint index)
{
    AftStorePoint *point = g_new0(AftStorePoint, 1);
    point->point = index;
    point->settings = g_new0(char *, AXES + 1);
    point->scenario_sha256 = (char *)"ab";
    for (guint axis = 0; axis < AXES; axis++) {
        point->settings[axis] = g_strdup_printf(HOSTILE "%u=" HOSTILE HOSTILE "%u", axis, index);
    }
    return point;
}

static void fill_large(AftStore *store)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(free_point);
    for (guint i = 0; i < POINTS; i++) {
        g_ptr_array_add(points, hostile_point(i));
    }
    for (guint i = 0; i < MANY; i++) {
        g_ptr_array_add(rows,
                        replication(i / 10, i % 10, 10.0 + sin(i), i % 7 == 0 ? "iops" : "met"));
    }
    assert_true(aft_store_keep(store, (const AftStorePoint *const *)points->pdata, POINTS,
                               (const AftReplication *const *)rows->pdata, MANY, NULL));
}

static void twenty_thousand_runs_make_less_than_two_megabytes(void **state)
{
    (void)state;
    AftStoreIdentity large = identity;
    large.points = POINTS;
    large.name = HOSTILE;
    Made made = make(large, fill_large);
    assert_true(strlen(made.page) < 2000000);
    assert_within(json_object_get_double_member(made.data, "points_all"), POINTS, 0.0);
    JsonArray *points = json_object_get_array_member(made.data, "points");
    assert_int_equal(json_array_get_length(points), 1500);
    assert_non_null(figure_in(&made, "all", "missed_minutes"));
    assert_true(json_object_get_double_member(made.data, "figures_left_out") > 0.0);
    assert_null(strstr(made.page, "<script>alert"));
    made_clear(&made);
}

/* Windows in a sweep that asked for remembered rates. */
static void fill_fallen(AftStore *store)
{
    AftReplication *row = replication(0, 0, 10.0, "met");
    g_array_index(row->phases, AftPhaseRow, 0).simulated_s = 1.5;
    assert_true(keep(store, row, NULL));
    assert_true(keep(store, replication(0, 1, 10.0, "met"), NULL));
}

static void what_fell_back_is_told(void **state)
{
    (void)state;
    Made made = make(identity, fill_fallen);
    assert_non_null(strstr(made.page, "1 of 2 runs were simulated by windows"));
    made_clear(&made);
}

/* Of 10 none: up to 1 - 0.025^(1/10) = 30.85 %; of 10 all: the rest. Of 10 three: 6.67 to 65.25 %
 * (Clopper and Pearson). */
static void chances_have_intervals(void **state)
{
    (void)state;
    assert_within(aft_chance(0, 10).high, 0.3085, 1e-4);
    assert_within(aft_chance(0, 10).low, 0.0, 0.0);
    assert_within(aft_chance(10, 10).low, 0.6915, 1e-4);
    assert_within(aft_chance(3, 10).low, 0.0667, 1e-4);
    assert_within(aft_chance(3, 10).high, 0.6525, 1e-4);
    assert_true(isnan(aft_chance(0, 0).share));
}

static void a_sweep_without_runs_is_no_page(void **state)
{
    (void)state;
    char *folder = new_folder();
    g_autoptr(GError) error = NULL;
    AftStore *store = open_in(folder, FALSE);
    assert_null(aft_sweep_page_new(store, &error));
    assert_error(error, AFT_ERROR_SYNTAX, "no replication yet");
    aft_store_free(store);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_verdict_tells_who_holds),
        cmocka_unit_test(few_runs_are_all_there),
        cmocka_unit_test(twenty_thousand_runs_make_less_than_two_megabytes),
        cmocka_unit_test(what_fell_back_is_told),
        cmocka_unit_test(chances_have_intervals),
        cmocka_unit_test(a_sweep_without_runs_is_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
