/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/draw/draw.h>
#include <test.h>

static AftDrawSize size_of(const char *text)
{
    AftDrawSize size = {0, 0};
    assert_true(aft_draw_parse_size(text, &size, NULL));
    return size;
}

static void sizes_are_bounded(void **state)
{
    (void)state;
    assert_int_equal(size_of("1600x1200").width, 1600);
    assert_int_equal(size_of("200x8192").height, 8192);
    const char *const wrong[] = {"",       "x",       "1600",    "1600x", "1600x1200x3",
                                 "-1x500", "1e3x500", " 800x600"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        AftDrawSize size;
        g_autoptr(GError) error = NULL;
        assert_false(aft_draw_parse_size(wrong[i], &size, &error));
        assert_error(error, AFT_ERROR_SYNTAX, "like 1600x1200");
    }
    const char *const outside[] = {"199x500", "500x8193", "0x0", "4000000000x500"};
    for (guint i = 0; i < G_N_ELEMENTS(outside); i++) {
        AftDrawSize size;
        g_autoptr(GError) error = NULL;
        assert_false(aft_draw_parse_size(outside[i], &size, &error));
        assert_error(error, AFT_ERROR_RANGE, "200 to 8192 pixels");
    }
}

static AftResult *example(const char *name, guint rows)
{
    AftResult *result = aft_result_new();
    result->scenario = g_strdup(name);
    result->label = g_strdup("label");
    result->requirement = g_strdup("iops");
    result->required_iops = 1200.0;
    for (guint i = 0; i < 3; i++) {
        AftPhaseRow row;
        aft_phase_row_init(&row, i == 1 ? AFT_PHASE_REBUILD : AFT_PHASE_STEADY);
        row.start_s = i * rows * 10.0 / 3.0;
        row.duration_s = rows * 10.0 / 3.0;
        g_array_append_val(result->phases, row);
    }
    for (guint i = 0; i < rows; i++) {
        AftTraceRow row;
        aft_trace_row_init(&row, AFT_PHASE_STEADY);
        row.time_s = 10.0 * i;
        row.read_iops = i % 7 == 3 ? (double)NAN : 1000.0 + i % 50;
        row.read_mean_ms = i == 5 ? 5000.0 : 1.0;
        g_array_append_val(result->trace, row);
    }
    AftEventRow event = {rows * 3.0, g_strdup("fail"), g_strdup("<img>"), g_strdup("")};
    g_array_append_val(result->timeline, event);
    return result;
}

#ifdef WITH_CHARTS
static GBytes *drawn(const AftResult *result, AftDrawForm form, AftDrawSize size)
{
    g_autoptr(AftPicture) picture = aft_picture_new(&result, 1, NULL);
    g_autoptr(GError) error = NULL;
    GBytes *bytes = aft_draw(picture, form, size, &error);
    assert_null(error);
    return bytes;
}

static guint32 number_at(const guint8 *data)
{
    return (guint32)data[0] << 24 | (guint32)data[1] << 16 | (guint32)data[2] << 8 | data[3];
}

static void a_png_has_the_size_that_was_asked_for(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 30);
    const char *const sizes[] = {"640x480", "200x200", "200x3000", "3000x200"};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        AftDrawSize size = size_of(sizes[i]);
        g_autoptr(GBytes) png = drawn(result, AFT_DRAW_PNG, size);
        const guint8 *data = g_bytes_get_data(png, NULL);
        assert_memory_equal(data, "\x89PNG\r\n", 6);
        assert_int_equal(number_at(data + 16), size.width);
        assert_int_equal(number_at(data + 20), size.height);
    }
}

static const char *svg_text(GBytes *svg)
{
    return g_bytes_get_data(svg, NULL);
}

/* Whether GLib's parser takes it, and what the first elements "title" and "desc" say. */
static void see_text(GMarkupParseContext *context, const char *text, gsize length, gpointer data,
                     GError **error)
{
    (void)error;
    const char *name = g_markup_parse_context_get_element(context);
    if (g_str_equal(name, "title") || g_str_equal(name, "desc")) {
        g_string_append_len(data, text, (gssize)length);
    }
}

static void hostile_names_are_text_in_an_svg(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("<script>alert(1)</script> & \x01 \xff ]]>", 30);
    g_autoptr(GBytes) svg = drawn(result, AFT_DRAW_SVG, size_of("800x600"));
    g_autoptr(GString) seen = g_string_new(NULL);
    const GMarkupParser parser = {.text = see_text};
    GMarkupParseContext *context =
        g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, seen, NULL);
    assert_true(
        g_markup_parse_context_parse(context, svg_text(svg), (gssize)g_bytes_get_size(svg), NULL));
    assert_true(g_markup_parse_context_end_parse(context, NULL));
    g_markup_parse_context_free(context);
    assert_non_null(strstr(seen->str, "<script>alert(1)</script> & \ufffd \ufffd ]]> (label)"));
    assert_non_null(strstr(seen->str, "fail <img>"));
    assert_non_null(strstr(seen->str, "Requirement missed"));
    assert_non_null(strstr(svg_text(svg), "width=\"800px\" height=\"600px\""));
}

static void long_traces_make_files_of_bounded_size(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 300000);
    g_autoptr(GBytes) svg = drawn(result, AFT_DRAW_SVG, (AftDrawSize){0, 0});
    assert_true(g_bytes_get_size(svg) < 500000);
}

static void the_same_picture_makes_the_same_bytes(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 30);
    const AftDrawForm forms[] = {AFT_DRAW_PNG, AFT_DRAW_PDF};
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autoptr(GBytes) first = drawn(result, forms[i], (AftDrawSize){400, 300});
        g_autoptr(GBytes) second = drawn(result, forms[i], (AftDrawSize){400, 300});
        assert_true(g_bytes_equal(first, second));
    }
}

static guint count(GBytes *bytes, const char *part)
{
    gsize length = 0, n = 0;
    const char *data = g_bytes_get_data(bytes, &length);
    for (const char *at = data;
         (at = memmem(at, length - (gsize)(at - data), part, strlen(part))) != NULL; at++) {
        n++;
    }
    return (guint)n;
}

static void a_pdf_has_pages_for_words_and_charts(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 30);
    g_autoptr(GBytes) pdf = drawn(result, AFT_DRAW_PDF, (AftDrawSize){0, 0});
    assert_int_equal(count(pdf, "%PDF-"), 1);
    assert_int_equal(count(pdf, "/Type /Page %"), 2);
    assert_int_equal(count(pdf, "CreationDate"), 0); /* the same bytes tomorrow */
    assert_true(count(pdf, "/ToUnicode") > 0);       /* letters, not only their shapes */
}

static void many_results_are_drawn_and_nothing_is_too(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 30), nothing = aft_result_new();
    const AftResult *const results[] = {result, nothing, result, result,
                                        result, result,  result, result};
    g_autoptr(AftPicture) many = aft_picture_new(results, 8, NULL);
    g_autoptr(AftPicture) none = aft_picture_new(&results[1], 1, NULL);
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        g_autoptr(GBytes) all = aft_draw(many, (AftDrawForm)form, (AftDrawSize){400, 300}, NULL);
        g_autoptr(GBytes) one = aft_draw(none, (AftDrawForm)form, (AftDrawSize){400, 300}, NULL);
        assert_true(all != NULL && one != NULL);
    }
}

/* What no run writes, but a file might say. */
static void absurd_numbers_are_drawn(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 30);
    g_array_index(result->trace, AftTraceRow, 3).read_iops = 1e308;
    g_array_index(result->trace, AftTraceRow, 4).read_iops = -1e308;
    g_array_index(result->trace, AftTraceRow, 6).read_mean_ms = 1e-320;
    g_array_index(result->trace, AftTraceRow, 7).time_s = -1e9;
    g_array_index(result->trace, AftTraceRow, 8).time_s = (double)NAN;
    g_array_index(result->phases, AftPhaseRow, 1).duration_s = -50.0;
    g_array_index(result->phases, AftPhaseRow, 2).start_s = (double)NAN;
    g_array_index(result->timeline, AftEventRow, 0).time_s = 1e300;
    result->required_iops = 1e308;
    for (guint form = 0; form < AFT_DRAW_FORMS; form++) {
        g_autoptr(GBytes) bytes = drawn(result, (AftDrawForm)form, (AftDrawSize){400, 300});
        assert_non_null(bytes);
    }
}
#else
static void without_cairo_it_says_so(void **state)
{
    (void)state;
    g_autoptr(AftResult) result = example("a", 3);
    const AftResult *const results[] = {result};
    g_autoptr(AftPicture) picture = aft_picture_new(results, 1, NULL);
    g_autoptr(GError) error = NULL;
    assert_null(aft_draw(picture, AFT_DRAW_PNG, (AftDrawSize){400, 300}, &error));
    assert_error(error, AFT_ERROR_UNKNOWN, "-Dcharts=enabled");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_bounded),
#ifdef WITH_CHARTS
        cmocka_unit_test(a_png_has_the_size_that_was_asked_for),
        cmocka_unit_test(hostile_names_are_text_in_an_svg),
        cmocka_unit_test(long_traces_make_files_of_bounded_size),
        cmocka_unit_test(the_same_picture_makes_the_same_bytes),
        cmocka_unit_test(a_pdf_has_pages_for_words_and_charts),
        cmocka_unit_test(many_results_are_drawn_and_nothing_is_too),
        cmocka_unit_test(absurd_numbers_are_drawn),
#else
        cmocka_unit_test(without_cairo_it_says_so),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
