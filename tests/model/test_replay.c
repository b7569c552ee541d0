/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces, played on the small cluster: what arrives is what the file says, when it says so. */
#include "cluster.h"

#include <glib/gstdio.h>
#include <sys/resource.h>

/* One I/O that was served. */
typedef struct {
    gint64 at_ns; /* when it arrived */
    gboolean write;
    guint64 bytes;
} Served;

typedef struct {
    char *folder, *path;
    AftScenario *scenario;
    AftEngine *engine;
    AftModel *model;
    GArray *served; /* Served, in order of arrival once it is idle */
    guint changes;  /* of the load */
} Play;

static void on_completed(void *context, const AftCompletion *completion)
{
    Play *play = context;
    Served served = {aft_engine_now(play->engine) - completion->latency_ns, completion->write,
                     completion->bytes};
    g_array_append_val(play->served, served);
}

static void on_load_changed(void *context)
{
    ((Play *)context)->changes++;
}

static gint by_arrival(gconstpointer a, gconstpointer b)
{
    const Served *one = a, *other = b;
    return (one->at_ns > other->at_ns) - (one->at_ns < other->at_ns);
}

/* @folder (nullable): where it is, to be removed with it. */
static Play *play_file(const char *folder, const char *path, const char *const *settings)
{
    Play *play = g_new0(Play, 1);
    play->folder = g_strdup(folder);
    play->path = g_strdup(path);
    g_autofree char *file = g_strconcat("workload.file=", path, NULL);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, (gpointer) "workload.kind=trace");
    g_ptr_array_add(all, (gpointer) "workload.vms=5");
    g_ptr_array_add(all, file);
    for (guint i = 0; settings[i] != NULL; i++) {
        g_ptr_array_add(all, (gpointer)settings[i]);
    }
    g_ptr_array_add(all, NULL);
    play->scenario = cluster_scenario((const char *const *)all->pdata);
    play->engine = aft_engine_new();
    play->served = g_array_new(FALSE, FALSE, sizeof(Served));
    AftModelWatch watch = {.context = play,
                           .completed = on_completed,
                           .load_changed = on_load_changed};
    play->model = aft_model_new(play->scenario, play->engine, 0, &watch);
    return play;
}

static Play *play_text(const char *text, const char *const *settings)
{
    g_autofree char *folder = g_dir_make_tmp("aftershock-replay-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "trace.csv", NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    return play_file(folder, path, settings);
}

#define PLAY(text, ...) play_text(text, (const char *const[]){__VA_ARGS__, NULL})

static void run_to(Play *play, double until_s)
{
    aft_engine_run(play->engine, (gint64)(until_s * 1e9));
    aft_model_audit(play->model);
    g_array_sort(play->served, by_arrival);
}

static void play_free(Play *play)
{
    aft_model_audit(play->model);
    aft_model_free(play->model);
    aft_engine_free(play->engine);
    aft_scenario_free(play->scenario);
    g_array_unref(play->served);
    if (play->folder != NULL) {
        g_unlink(play->path);
        g_rmdir(play->folder);
    }
    g_free(play->path);
    g_free(play->folder);
    g_free(play);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Play, play_free)

static const Served *served_at(const Play *play, guint i)
{
    assert_true(i < play->served->len);
    return &g_array_index(play->served, Served, i);
}

static void assert_served(const Play *play, guint i, gint64 at_ns, gboolean write, guint64 bytes)
{
    const Served *it = served_at(play, i);
    assert_int_equal(it->at_ns, at_ns);
    assert_int_equal(it->write, write);
    assert_int_equal(it->bytes, bytes);
}

#define THREE "1,R,0,4096,7000000\n2,W,4096,512,7001000\n3,R,8192,700,7005000\n"

static void rows_arrive_at_their_times(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY(THREE, NULL);
    run_to(play, 1.0);
    assert_int_equal(play->served->len, 3);
    assert_served(play, 0, 0, FALSE, 4096);
    assert_served(play, 1, 1000000, TRUE, 512);
    assert_served(play, 2, 5000000, FALSE, 1024); /* whole sectors */
}

static void speed_divides_times(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY(THREE, "workload.speed=4");
    run_to(play, 1.0);
    assert_served(play, 1, 250000, TRUE, 512);
    assert_served(play, 2, 1250000, FALSE, 1024);
}

/* A trace of 5 ms: its first row comes again with the last. */
static void a_trace_that_repeats_begins_again_with_its_last_row(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY(THREE, "workload.repeat=on");
    run_to(play, 0.0139);
    assert_int_equal(play->served->len, 8);
    assert_served(play, 3, 5000000, FALSE, 4096);
    assert_served(play, 4, 6000000, TRUE, 512);
    assert_served(play, 7, 11000000, TRUE, 512);
    assert_true(aft_model_replays(play->model));
    assert_true(aft_model_is_settled(play->model));
}

static void a_trace_without_time_is_not_played_for_ever(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY("1,R,0,512,5\n1,R,0,512,5\n", "workload.repeat=on");
    run_to(play, 1.0);
    assert_int_equal(play->served->len, 2);
    assert_false(aft_model_replays(play->model));
}

static void a_model_is_not_settled_before_its_trace_is_over(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY(THREE, NULL);
    run_to(play, 0.004);
    assert_false(aft_model_is_settled(play->model));
    assert_true(aft_model_replays(play->model));
    assert_int_equal(play->changes, 0);
    run_to(play, 0.006);
    assert_true(aft_model_is_settled(play->model));
    assert_false(aft_model_replays(play->model));
    assert_int_equal(play->changes, 1);
}

static guint64 device_visits(const Play *play, guint32 device)
{
    AftStationSums sums;
    aft_station_sums(play->model->topology.devices[device].station, &sums);
    return sums.class[AFT_CLASS_CLIENT].served;
}

/* Groups of 6 MiB: offset 13 MiB is in group 2, and so is, modulo 384 MiB, 397 MiB. */
static void offsets_keep_their_places(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY("1,R,13631488,4096,0\n1,R,416284672,4096,1000\n1,R,0,512,2000\n",
                                "data.protection=none");
    const AftPool *pool = play->model->pools->pdata[0];
    guint32 first = aft_pool_member(pool, 0, 0)->device,
            third = aft_pool_member(pool, 2, 0)->device;
    run_to(play, 1.0);
    assert_int_not_equal(first, third);
    assert_int_equal(device_visits(play, third), 2);
    assert_int_equal(device_visits(play, first), 1);
}

/* Stripes of 3 units of 1 MiB and a parity unit; groups of two stripes. */
static void check_visits(const char *row, guint64 reads, guint64 writes)
{
    g_autofree char *text = g_strdup_printf("%s,0\n", row);
    g_autoptr(Play) play = PLAY(text, NULL);
    gint64 service_ns = 0;
    guint64 served = 0;
    run_to(play, 1.0);
    for (guint i = 0; i < play->model->topology.n_devices; i++) {
        AftStationSums sums;
        aft_station_sums(play->model->topology.devices[i].station, &sums);
        served += sums.class[AFT_CLASS_CLIENT].served;
        service_ns += (gint64)sums.class[AFT_CLASS_CLIENT].service_ns;
    }
    assert_int_equal(served, reads + writes);
    assert_int_equal(service_ns, (gint64)(reads * 100000 + writes * 200000));
}

static void an_io_costs_the_units_that_it_touches(void **state)
{
    (void)state;
    check_visits("1,R,0,4096", 1, 0);
    check_visits("1,W,0,4096", 2, 2);
    check_visits("1,R,524288,1048576", 2, 0);  /* halves of two */
    check_visits("1,R,1048576,2097152", 2, 0); /* two */
    check_visits("1,W,0,3145728", 0, 4);       /* a stripe */
    check_visits("1,W,3145728,6291456", 0, 4); /* more: equal parts of each unit */
    check_visits("1,R,2621440,1048576", 2, 0); /* beyond the end of a stripe: to it */
}

/* Every row of both examples, at its own time; so are gaps, sizes and the share of reads. */
static void check_example(const char *path)
{
    g_autoptr(Play) play = play_file(NULL, path, (const char *const[]){NULL});
    AftIoRow row;
    gint64 last_ns = 0;
    run_to(play, 60.0);
    g_autoptr(AftIoTrace) trace = aft_io_trace_open(path, AFT_TRACE_AUTO, NULL);
    for (guint i = 0; aft_io_trace_next(trace, &row, NULL); i++) {
        assert_served(play, i, row.time_ns, row.write, (row.bytes + 511) / 512 * 512);
        last_ns = row.time_ns;
    }
    assert_true(last_ns > 1000000000);
}

static void what_arrives_is_what_the_file_says(void **state)
{
    (void)state;
    check_example(TRACES "/msr.csv");
    check_example(TRACES "/alibaba.csv");
}

static void a_trace_that_is_paused_goes_on_where_it_stood(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY(THREE, NULL);
    run_to(play, 0.0015);
    aft_clients_pause(&play->model->clients[0], TRUE);
    run_to(play, 1.0);
    assert_int_equal(play->served->len, 2);
    assert_false(aft_model_replays(play->model)); /* time may be skipped meanwhile */
    aft_clients_pause(&play->model->clients[0], FALSE);
    assert_true(aft_model_replays(play->model));
    run_to(play, 2.0);
    assert_served(play, 2, 1003500000, FALSE, 1024);
}

static void a_bad_row_ends_the_trace_with_an_error(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY("1,R,0,512,5\n1,R,0,512\n", NULL);
    run_to(play, 1.0);
    const GError *error = aft_model_error(play->model);
    assert_non_null(error);
    assert_true(g_str_has_prefix(error->message, play->path));
    assert_non_null(strstr(error->message, ":2: expected 5 columns"));
    assert_false(aft_model_replays(play->model));
}

/* Two at once, the rest is shed and never owed. */
static void what_finds_no_slot_is_shed(void **state)
{
    (void)state;
    g_autoptr(Play) play = PLAY("1,R,0,512,0\n1,R,0,512,0\n1,R,0,512,0\n1,R,0,512,1\n",
                                "workload.vms=1", "workload.outstanding=2");
    run_to(play, 1.0);
    assert_int_equal(play->served->len, 2);
    assert_int_equal(aft_model_shed(play->model), 2);
}

static long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* 100,000 rows are 3 MB; those served are counted only. */
static void a_long_trace_takes_no_more_memory(void **state)
{
    (void)state;
    enum { ROWS = 100000 };
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < ROWS; i++) {
        g_string_append_printf(text, "%u,%c,%u,4096,%u\n", i % 7, i % 3 ? 'R' : 'W', i * 4096,
                               1000 * i);
    }
    g_autoptr(Play) play = PLAY(text->str, NULL);
    run_to(play, 1.0);
    g_array_set_size(play->served, 0);
    play->model->clients[0].watch.completed = NULL;
    long before_kb = peak_kb();
    run_to(play, 2.0 * ROWS / 1000.0);
    assert_int_equal(aft_model_completed(play->model), ROWS);
    assert_true(peak_kb() - before_kb < 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_arrive_at_their_times),
        cmocka_unit_test(speed_divides_times),
        cmocka_unit_test(a_trace_that_repeats_begins_again_with_its_last_row),
        cmocka_unit_test(a_trace_without_time_is_not_played_for_ever),
        cmocka_unit_test(a_model_is_not_settled_before_its_trace_is_over),
        cmocka_unit_test(offsets_keep_their_places),
        cmocka_unit_test(an_io_costs_the_units_that_it_touches),
        cmocka_unit_test(what_arrives_is_what_the_file_says),
        cmocka_unit_test(a_trace_that_is_paused_goes_on_where_it_stood),
        cmocka_unit_test(a_bad_row_ends_the_trace_with_an_error),
        cmocka_unit_test(what_finds_no_slot_is_shed),
        cmocka_unit_test(a_long_trace_takes_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
