/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/base/error.h>
#include <aftershock/trace/io_trace.h>

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>

/* A file of its own for each test, gone with it. */
typedef struct {
    char *folder, *path;
} File;

static File file_new(const char *text, gsize bytes)
{
    File file = {.folder = g_dir_make_tmp("aftershock-trace-XXXXXX", NULL)};
    assert_non_null(file.folder);
    file.path = g_build_filename(file.folder, "trace.csv", NULL);
    assert_true(g_file_set_contents(file.path, text, (gssize)bytes, NULL));
    return file;
}

static void file_clear(File *file)
{
    g_unlink(file->path);
    g_rmdir(file->folder);
    g_free(file->path);
    g_free(file->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(File, file_clear)

/* All rows of @text as "time R|W offset bytes, ...", then what is wrong behind its last colon and
 * blank, with the place. */
static char *read_text(const char *text, gsize bytes, AftTraceFormat format)
{
    g_auto(File) file = file_new(text, bytes);
    g_autoptr(GError) error = NULL;
    g_autoptr(AftIoTrace) trace = aft_io_trace_open(file.path, format, &error);
    GString *rows = g_string_new(NULL);
    AftIoRow row;
    while (trace != NULL && aft_io_trace_next(trace, &row, &error)) {
        g_string_append_printf(rows,
                               "%" G_GINT64_FORMAT " %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                               "\n",
                               row.time_ns, row.write ? "W" : "R", row.offset, row.bytes);
    }
    assert_true(trace != NULL || error != NULL);
    if (error != NULL) {
        assert_true(g_str_has_prefix(error->message, file.path));
        g_string_append(rows, error->message + strlen(file.path));
    }
    return g_string_free(rows, FALSE);
}

static void assert_rows(const char *text, const char *expected)
{
    g_autofree char *rows = read_text(text, strlen(text), AFT_TRACE_AUTO);
    assert_string_equal(rows, expected);
}

static void rows_of_msr_are_read(void **state)
{
    (void)state;
    assert_rows("128166372003061629,hm,1,Read,2096128,512,95702\n"
                "128166372003061630,hm,1,write,0,1073741824,1\n",
                "0 R 2096128 512\n100 W 0 1073741824\n");
}

static void rows_of_alibaba_are_read(void **state)
{
    (void)state;
    assert_rows("419,W,8792731648,16384,1577808144360767\n725,R,0,4096,1577808144360769\n",
                "0 W 8792731648 16384\n2000 R 0 4096\n");
}

static void ends_of_lines_and_blanks_do_not_matter(void **state)
{
    (void)state;
    assert_rows("1,W,0,512,7\r\n\r\n 1 , R , 512,1024 ,8\n\n1,W,0,0,9", /* no end of line */
                "0 W 0 512\n1000 R 512 1024\n2000 W 0 0\n");
}

static void rows_a_little_out_of_order_are_put_in_order(void **state)
{
    (void)state;
    assert_rows("1,W,1,512,30\n1,W,2,512,10\n1,W,3,512,30\n1,W,4,512,20\n",
                "0 W 2 512\n10000 W 4 512\n20000 W 1 512\n20000 W 3 512\n");
}

/* The first row of all comes @late rows behind where it should stand. */
static char *read_late_row(guint late)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < 2 * AFT_IO_TRACE_AHEAD; i++) {
        if (i == late) {
            g_string_append(text, "1,W,7,512,0\n");
        }
        g_string_append_printf(text, "1,R,0,512,%u\n", i + 1);
    }
    return read_text(text->str, text->len, AFT_TRACE_AUTO);
}

static void rows_far_out_of_order_are_an_error(void **state)
{
    (void)state;
    g_autofree char *fine = read_late_row(AFT_IO_TRACE_AHEAD - 1);
    assert_true(g_str_has_prefix(fine, "0 W 7 512\n1000 R 0 512\n"));
    assert_true(g_str_has_suffix(fine, " R 0 512\n"));
    g_autofree char *wrong = read_late_row(AFT_IO_TRACE_AHEAD);
    assert_true(g_str_has_suffix(wrong, ":4097: is earlier than a row 4096 or more before it: sort "
                                        "the file by time"));
}

#define ROW "1,R,0,512,1\n"
#define MSR "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime"

static void what_is_no_row_is_an_error_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {ROW "1,R,0,512", ":2: expected 5 columns (device_id,opcode,offset,length,timestamp), got "
                          "4: is the file complete?"},
        {ROW "1,R,0,512,2,3\n", ":2: expected 5 columns (device_id,opcode,offset,length,timestamp),"
                                " got 6: is the file complete?"},
        {ROW "1,X,0,512,2\n", ":2: expected R or W, got \"X\""},
        {ROW "1,R,-1,512,2\n",
         ":2: offset: expected a whole number from 0 to 9223372036854775807, got \"-1\""},
        {ROW "1,R,0,NaN,2\n", ":2: length: expected a whole number from 0 to 1073741824, got "
                              "\"NaN\""},
        {ROW "1,R,0,1073741825,2\n",
         ":2: length: expected a whole number from 0 to 1073741824, got \"1073741825\""},
        {ROW "1,R,0,512,99999999999999999999999\n",
         ":2: timestamp: expected a whole number from 0 to 9223372036854775807, got "
         "\"99999999999999999999999\""},
        {ROW "1,R,0,5e2,2\n",
         ":2: length: expected a whole number from 0 to 1073741824, got \"5e2\""},
        {ROW "1,R,,512,2\n",
         ":2: offset: expected a whole number from 0 to 9223372036854775807, got \"\""},
        {ROW "1,R,0,512,9223372036854775807\n",
         ":2: timestamp: is more than 25 years away from that of the first row"},
        {"", ":1: expected rows of a trace, got an empty file"},
        {"\n\r\n\n", ":4: expected rows of a trace, got an empty file"},
        {"device_id,opcode,offset,length,timestamp\n",
         ":1: expected a row of msr (" MSR ") or alibaba (device_id,opcode,offset,length,timestamp)"
         ", as text and with no line of titles"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *rows = read_text(cases[i].text, strlen(cases[i].text), AFT_TRACE_AUTO);
        assert_string_equal(rows, cases[i].problem);
    }
}

static void a_format_that_is_named_is_insisted_on(void **state)
{
    (void)state;
    g_autofree char *rows = read_text(ROW, strlen(ROW), AFT_TRACE_MSR);
    assert_string_equal(rows, ":1: expected 7 columns (" MSR "), got 5: is the file complete?");
}

static void zero_bytes_are_no_text(void **state)
{
    (void)state;
    static const char text[] = ROW "1,R,0\0,512,2\n";
    g_autofree char *rows = read_text(text, sizeof text - 1, AFT_TRACE_AUTO);
    assert_string_equal(rows, ":2: a row of text cannot hold a zero byte");
}

static void a_line_without_end_is_not_read_to_its_end(void **state)
{
    (void)state;
    gsize bytes = 64 * 1024 * 1024;
    g_autofree char *text = g_malloc(bytes);
    memset(text, '7', bytes);
    g_autofree char *rows = read_text(text, bytes, AFT_TRACE_AUTO);
    assert_string_equal(rows, ":1: expected lines of at most 1000 bytes");
}

static void what_is_no_file_cannot_be_opened(void **state)
{
    (void)state;
    g_autoptr(GError) folder = NULL;
    g_autoptr(GError) nothing = NULL;
    assert_null(aft_io_trace_open("/", AFT_TRACE_AUTO, &folder));
    assert_string_equal(folder->message, "/: is a folder");
    assert_null(aft_io_trace_open("/nowhere.csv", AFT_TRACE_AUTO, &nothing));
    assert_true(g_error_matches(nothing, AFT_ERROR, AFT_ERROR_FILE));
}

static void disks_are_told_apart(void **state)
{
    (void)state;
    static const char text[] = "1,a,0,Read,0,512,1\n1,a,1,Read,0,512,1\n1,b,0,Read,0,512,1\n"
                               "1,a,0,Write,9,512,1\n";
    g_auto(File) file = file_new(text, sizeof text - 1);
    g_autoptr(AftIoTrace) trace = aft_io_trace_open(file.path, AFT_TRACE_AUTO, NULL);
    AftIoRow row[4];
    for (guint i = 0; i < 4; i++) {
        assert_true(aft_io_trace_next(trace, &row[i], NULL));
    }
    assert_true(row[0].stream != row[1].stream && row[0].stream != row[2].stream);
    assert_true(row[1].stream != row[2].stream && row[0].stream == row[3].stream);
}

static long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* 600,000 rows are 20 MB; the rows ahead are 200 kB, and pages come in larger pieces. */
static void memory_does_not_grow_with_the_file(void **state)
{
    (void)state;
    enum { ROWS = 600000 };
    g_auto(File) file = file_new("", 0);
    FILE *stream = fopen(file.path, "we");
    assert_non_null(stream);
    for (guint i = 0; i < ROWS; i++) {
        fprintf(stream, "%u,%c,%u,4096,%u\n", i % 7, i % 3 ? 'R' : 'W', i * 4096u,
                1000000u + 10 * i);
    }
    fclose(stream);
    g_autoptr(AftIoTrace) trace = aft_io_trace_open(file.path, AFT_TRACE_AUTO, NULL);
    AftIoRow row;
    guint n = 0;
    long before_kb = peak_kb();
    while (aft_io_trace_next(trace, &row, NULL)) {
        assert_int_equal(row.time_ns, 10000LL * n);
        n++;
    }
    assert_int_equal(n, ROWS);
    assert_true(peak_kb() - before_kb < 1024);
}

/* The two that are beside this test. */
static void examples_are_read_to_their_end(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        guint rows;
    } cases[] = {{TRACES "/msr.csv", 400}, {TRACES "/alibaba.csv", 300}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(AftIoTrace) trace = aft_io_trace_open(cases[i].path, AFT_TRACE_AUTO, &error);
        AftIoRow row;
        gint64 before_ns = 0;
        guint n = 0;
        for (; aft_io_trace_next(trace, &row, &error); n++) {
            assert_true(row.time_ns >= before_ns);
            before_ns = row.time_ns;
        }
        assert_null(error);
        assert_int_equal(n, cases[i].rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_msr_are_read),
        cmocka_unit_test(rows_of_alibaba_are_read),
        cmocka_unit_test(ends_of_lines_and_blanks_do_not_matter),
        cmocka_unit_test(rows_a_little_out_of_order_are_put_in_order),
        cmocka_unit_test(rows_far_out_of_order_are_an_error),
        cmocka_unit_test(what_is_no_row_is_an_error_with_its_line),
        cmocka_unit_test(a_format_that_is_named_is_insisted_on),
        cmocka_unit_test(zero_bytes_are_no_text),
        cmocka_unit_test(a_line_without_end_is_not_read_to_its_end),
        cmocka_unit_test(what_is_no_file_cannot_be_opened),
        cmocka_unit_test(disks_are_told_apart),
        cmocka_unit_test(memory_does_not_grow_with_the_file),
        cmocka_unit_test(examples_are_read_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
