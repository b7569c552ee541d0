/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/picture.h>
#include <charts.h>

#include <test.h>

static void add_interval(AftResult *result, double time_s, double read_iops, double write_iops)
{
    AftTraceRow row;
    aft_trace_row_init(&row, AFT_PHASE_STEADY);
    row.time_s = time_s;
    row.read_iops = read_iops;
    row.write_iops = write_iops;
    row.read_mean_ms = 2.5;
    row.owed_ios = time_s * 1000.0;
    row.used_bytes = 1e12;
    g_array_append_val(result->trace, row);
}

static void add_event(AftResult *result, const char *event, const char *subject)
{
    AftEventRow row = {12.0, g_strdup(event), g_strdup(subject), g_strdup("")};
    g_array_append_val(result->timeline, row);
}

static AftResult *example(const char *label)
{
    AftResult *result = aft_result_new();
    result->scenario = g_strdup("disks");
    result->label = g_strdup(label);
    result->requirement = g_strdup("iops");
    result->required_iops = 120000.0;
    result->missed_s = 30.0;
    AftPhaseRow phase;
    aft_phase_row_init(&phase, AFT_PHASE_REBUILD);
    phase.start_s = 0.0;
    phase.duration_s = 40.0;
    g_array_append_val(result->phases, phase);
    const double nothing = (double)NAN;
    add_interval(result, 0.0, 80000.0, 20000.0);
    add_interval(result, 10.0, nothing, 20000.0);
    add_interval(result, 20.0, nothing, nothing);
    add_interval(result, 30.0, 80000.0, 0.0);
    return result;
}

static AftPicture *picture_of(const AftResult *result)
{
    AftPicture *picture = aft_picture_new(&result, 1, NULL);
    assert_non_null(picture);
    return picture;
}

/* Returns: (transfer none): the chart of that title; fails without it. */
static const AftPictureChart *find_chart(const AftPicture *picture, const char *title)
{
    for (guint i = 0; i < picture->charts->len; i++) {
        const AftPictureChart *chart = g_ptr_array_index(picture->charts, i);
        if (g_str_equal(chart->title, title)) {
            return chart;
        }
    }
    print_error("there is no chart \"%s\"\n", title);
    fail();
    return NULL;
}

static const AftPictureLine *line_of(const AftPictureChart *chart, guint i)
{
    assert_true(i < chart->lines->len);
    return &g_array_index(chart->lines, AftPictureLine, i);
}

static void lines_are_sums_in_a_unit_that_suits_them(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a");
    g_autoptr(AftPicture) picture = picture_of(result);
    const AftPictureChart *chart = find_chart(picture, "Throughput");
    assert_string_equal(chart->unit, "k IOPS");
    assert_within(chart->required, 120.0, 1e-9);
    assert_int_equal(chart->lines->len, 3);
    const AftPictureLine *total = line_of(chart, 0);
    assert_string_equal(total->name, "total");
    assert_int_equal(total->n, 4);
    assert_within(total->values[0], 100.0, 1e-9);
    assert_within(total->values[1], 20.0, 1e-9); /* of what there is */
    assert_true(isnan(total->values[2]));
    assert_within(total->values[3], 80.0, 1e-9);
}

static void values_stand_where_they_hold(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a");
    g_autoptr(AftPicture) picture = picture_of(result);
    const AftPictureLine *rate = line_of(find_chart(picture, "Throughput"), 0);
    const AftPictureLine *owed = line_of(find_chart(picture, "Owed work"), 0);
    for (guint i = 0; i < 4; i++) {
        assert_within(rate->time_s[i], 10.0 * i + 5.0, 1e-9); /* in the middle */
        assert_within(owed->time_s[i], 10.0 * i + 10.0, 1e-9);
    }
    assert_within(picture->end_s, 40.0, 0.0);
}

static void what_does_not_occur_has_no_chart(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a");
    g_autoptr(AftPicture) picture = picture_of(result);
    /* Throughput, reads' latency, owed work; what is stored does not change. */
    assert_int_equal(picture->charts->len, 3);
    g_array_index(result->trace, AftTraceRow, 2).used_bytes = 1.5e12;
    g_autoptr(AftPicture) more = picture_of(result);
    assert_string_equal(find_chart(more, "Stored")->unit, "GB");
}

static void long_traces_keep_their_spikes(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    g_autoptr(AftResult) result = example("a");
    g_array_set_size(result->trace, 0);
    for (guint i = 0; i < ROWS; i++) {
        add_interval(result, i, i == 123456 ? 7000.0 : 1000.0, 0.0);
    }
    g_autoptr(AftPicture) picture = picture_of(result);
    const AftPictureLine *line = line_of(find_chart(picture, "Throughput"), 0);
    assert_true(line->n <= 4000);
    guint spikes = 0;
    for (guint i = 0; i < line->n; i++) {
        gboolean spike = line->values[i] > 6.9;
        spikes += spike ? 1 : 0;
        assert_true(!spike || fabs(line->time_s[i] - 123456.0) < 2.0 * ROWS / line->n);
    }
    assert_int_equal(spikes, 1);
}

static void several_results_have_a_line_each_in_every_choice(void **state)
{
    (void)state;
    g_autoptr(AftResult) first = example("raid5"), second = example("raid5");
    const AftResult *const results[] = {first, second};
    g_autoptr(AftPicture) picture = aft_picture_new(results, 2, NULL);
    const AftPictureChart *total = find_chart(picture, "Throughput, total");
    assert_int_equal(total->choice, 0);
    assert_int_equal(total->lines->len, 2);
    assert_string_equal(line_of(total, 1)->name, "raid5 (2)");
    assert_int_equal(line_of(total, 1)->number, 1);
    const AftPictureChart *reads = find_chart(picture, "Throughput, reads");
    assert_int_equal(reads->choice, 1);
    assert_within(reads->required, 0.0, 0.0); /* the total is */
    find_chart(picture, "Owed work");         /* without a choice, without a figure's name */
    assert_int_equal(picture->beside->len, 1);
    assert_int_equal(aft_grid_n_rows(g_ptr_array_index(picture->beside, 0)), 1);
}

static void what_came_out_is_told(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a");
    add_event(result, "fail", "node 2");
    add_event(result, "detect", "node 2");
    add_event(result, "rebuild-start", "cluster");
    g_autoptr(AftPicture) picture = picture_of(result);
    const AftPictureResult *shown = g_ptr_array_index(picture->results, 0);
    assert_string_equal(picture->title, "disks (a)");
    assert_string_equal(shown->verdict, "Requirement missed for 30.0 s");
    assert_int_equal(shown->verdict_tint, AFT_TINT_BAD);
    assert_int_equal(g_array_index(shown->bands, AftBand, 0).phase, AFT_PHASE_REBUILD);
    const char *const texts[] = {"fail node 2", "detect node 2", "rebuild-start"};
    const guint weights[] = {0, 2, 1};
    for (guint i = 0; i < 3; i++) {
        assert_string_equal(g_array_index(shown->marks, AftEventMark, i).text, texts[i]);
        assert_int_equal(g_array_index(shown->marks, AftEventMark, i).weight, weights[i]);
    }
    AftTint tint;
    assert_string_equal(aft_grid_cell(shown->phases, 0, 0, &tint), "rebuild");
    assert_int_equal(tint, AFT_TINT_STRONG);
}

static void what_is_missing_is_remarked(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = aft_result_new();
    g_autoptr(AftPicture) picture = picture_of(result);
    assert_int_equal(picture->charts->len, 0);
    assert_within(picture->end_s, 0.0, 0.0);
    assert_non_null(strstr(g_ptr_array_index(picture->remarks, 0), "before it had a phase"));
    assert_non_null(strstr(g_ptr_array_index(picture->remarks, 1), "no trace"));
}

static void too_many_results_are_refused(void **state)
{
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(aft_picture_new(NULL, 9, &error));
    assert_error(error, AFT_ERROR_RANGE, "1 to 8 results");
}

static void the_largest_unit_that_leaves_digits_is_taken(void **state)
{
    (void)state;
    assert_string_equal(aft_chart_unit("time", 0.4)->name, "µs");
    assert_string_equal(aft_chart_unit("time", 4000.0)->name, "ms");
    assert_string_equal(aft_chart_unit("time", 5000.0)->name, "s");
    assert_string_equal(aft_chart_unit("share", 0.0)->name, "%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sums_in_a_unit_that_suits_them),
        cmocka_unit_test(values_stand_where_they_hold),
        cmocka_unit_test(what_does_not_occur_has_no_chart),
        cmocka_unit_test(long_traces_keep_their_spikes),
        cmocka_unit_test(several_results_have_a_line_each_in_every_choice),
        cmocka_unit_test(what_came_out_is_told),
        cmocka_unit_test(what_is_missing_is_remarked),
        cmocka_unit_test(too_many_results_are_refused),
        cmocka_unit_test(the_largest_unit_that_leaves_digits_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
