/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores are joined whole, once, and only when they belong together. */
#include "stores.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPLICATIONS = 3 };

typedef struct {
    char *whole;    /* a folder with a run of all points */
    char *parts[2]; /* folders with shards of the same, 1 and 3, 2 and 4 of 4 */
    char *target;   /* an empty one */
    char *digest;   /* of the whole */
    AftMergeReport report;
} Bed;

static guint shard_of_point(guint point)
{
    return point % 4 + 1;
}

static void put_point(AftStore *store, guint point)
{
    g_autofree char *setting = g_strdup_printf("cluster.nodes=%u", point);
    const char *const settings[] = {setting, "seed=1", NULL};
    assert_true(keep_point(store, point, settings, NULL));
}

/* Fills @store with points that are of @shard, 0: all, the last first. */
static void fill_store(AftStore *store, guint shard)
{
    for (guint point = identity.points; point-- > 0;) {
        if (shard == 0 || shard_of_point(point) == shard) {
            put_point(store, point);
            keep_many(store, point, 0, REPLICATIONS);
        }
    }
}

/* As sweeps do that are done. */
static void end_store(AftStore *store)
{
    assert_true(aft_store_end(store, AFT_STORE_WHOLE, NULL));
    aft_store_free(store);
}

static int set_up(void **state)
{
    Bed *bed = g_new0(Bed, 1);
    bed->whole = new_folder();
    bed->target = new_folder();
    AftStore *store = open_in(bed->whole, FALSE);
    fill_store(store, 0);
    bed->digest = aft_store_digest(store, NULL);
    end_store(store);
    for (guint i = 0; i < 2; i++) {
        bed->parts[i] = new_folder();
        for (guint shard = i + 1; shard <= 4; shard += 2) {
            store = open_as(bed->parts[i], shard_of(shard, 4), FALSE);
            fill_store(store, shard);
            end_store(store);
        }
    }
    *state = bed;
    return 0;
}

static int tear_down(void **state)
{
    Bed *bed = *state;
    aft_merge_report_clear(&bed->report);
    remove_folder(bed->whole);
    remove_folder(bed->target);
    remove_folder(bed->parts[0]);
    remove_folder(bed->parts[1]);
    g_free(bed->digest);
    g_free(bed);
    return 0;
}

/* Joins the stores of @n @folders into the target, which must succeed. */
static void merge(Bed *bed, const char *const *folders, guint n)
{
    g_autoptr(GError) error = NULL;
    aft_merge_report_clear(&bed->report);
    if (!aft_store_merge(folders, n, bed->target, &bed->report, &error)) {
        print_error("%s\n", error->message);
        fail();
    }
}

static void assert_whole(const Bed *bed)
{
    g_autofree char *digest = digest_in(bed->target);
    assert_string_equal(digest, bed->digest);
}

static void assert_texts(const GPtrArray *texts, const char *expected)
{
    GString *all = g_string_new(NULL);
    for (guint i = 0; i < texts->len; i++) {
        g_string_append_printf(all, "%s\n", (char *)texts->pdata[i]);
    }
    assert_string_equal(all->str, expected);
    g_string_free(all, TRUE);
}

static void shards_come_to_the_same_as_one_run(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->parts[1], bed->parts[0]};
    merge(bed, folders, 2);
    assert_whole(bed);
    assert_int_equal(bed->report.stores, 4);
    assert_int_equal(bed->report.rows, 30);
    assert_int_equal(bed->report.duplicates, 0);
    assert_texts(bed->report.conflicts, "");
    assert_texts(bed->report.gaps, "");
    AftStore *store = open_in(bed->target, TRUE); /* and can be gone on with */
    assert_int_equal(aft_store_count(store).done, 30);
    put_point(store, 0);
    end_store(store);
    g_autoptr(GDir) dir = g_dir_open(bed->target, 0, NULL);
    assert_string_equal(g_dir_read_name(dir), "sweep.db");
    assert_null(g_dir_read_name(dir));
}

static void what_is_there_twice_is_kept_once(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->parts[0], bed->whole, bed->parts[0], bed->parts[1]};
    merge(bed, folders, 4);
    assert_whole(bed);
    assert_int_equal(bed->report.rows, 30);
    assert_int_equal(bed->report.stores, 7);
    assert_int_equal(bed->report.duplicates, 45);
    assert_texts(bed->report.conflicts, "");
    assert_texts(bed->report.gaps, "");
}

static void what_is_missing_is_told_in_runs(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->parts[0]};
    AftStore *store = open_as(bed->parts[0], shard_of(1, 4), TRUE);
    keep_many(store, 8, 5, 1);
    keep_many(store, 8, 7, 1);
    end_store(store);
    merge(bed, folders, 1);
    assert_texts(bed->report.gaps, "shard 2 of 4: not there\n"
                                   "shard 4 of 4: not there\n"
                                   "point 1: no replications\n"
                                   "point 3: no replications\n"
                                   "point 5: no replications\n"
                                   "point 7: no replications\n"
                                   "point 8: replications 3 to 4 not there\n"
                                   "point 8: replication 6 not there\n"
                                   "point 9: no replications\n");
}

static void gaps_at_the_ends_are_told_too(void **state)
{
    Bed *bed = *state;
    char *folder = new_folder();
    const char *const folders[] = {folder};
    AftStore *store = open_as(folder, shard_of(3, 5), FALSE);
    keep_many(store, 4, 1, 1);
    end_store(store);
    merge(bed, folders, 1);
    assert_texts(bed->report.gaps, "shards 1 to 2 of 5: not there\n"
                                   "shards 4 to 5 of 5: not there\n"
                                   "points 0 to 3: no replications\n"
                                   "point 4: replication 0 not there\n"
                                   "points 5 to 9: no replications\n");
    remove_folder(folder);
}

/* What is missing behind the last replication of a point is not to be seen from rows. */
static void a_store_that_may_go_on_is_told(void **state)
{
    Bed *bed = *state;
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    fill_store(store, 0);
    aft_store_free(store);
    const char *const folders[] = {folder};
    merge(bed, folders, 1);
    g_autofree char *expected =
        g_strdup_printf("%s/sweep.db: its sweep has not come to its end; go on with it by "
                        "\"aftershock sweep --resume\"\n",
                        folder);
    assert_texts(bed->report.gaps, expected);
    store = open_in(bed->target, TRUE);
    assert_int_equal(aft_store_ended(store), AFT_STORE_JOINED);
    aft_store_free(store);
    const char *const both[] = {bed->parts[0], bed->parts[1]};
    merge(bed, both, 2); /* with what was in the target */
    assert_texts(bed->report.gaps, "");
    remove_folder(folder);
}

static void many_gaps_are_counted(void **state)
{
    Bed *bed = *state;
    char *folder = new_folder();
    const char *const folders[] = {folder};
    AftStoreIdentity it = identity;
    it.points = 1;
    AftStore *store = open_as(folder, it, FALSE);
    for (guint i = 0; i <= 105; i++) {
        keep_many(store, 0, 2 * i, 1);
    }
    end_store(store);
    merge(bed, folders, 1);
    assert_int_equal(bed->report.gaps->len, 101);
    assert_string_equal(bed->report.gaps->pdata[99], "point 0: replication 199 not there");
    assert_string_equal(bed->report.gaps->pdata[100], "and 5 more");
    remove_folder(folder);
}

/* A store of nothing but @row (transfer full). Returns: (transfer full): its folder. */
static char *folder_with(AftReplication *row)
{
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    assert_true(keep(store, row, NULL));
    end_store(store);
    return folder;
}

static void rows_that_differ_are_told_and_the_first_is_kept(void **state)
{
    Bed *bed = *state;
    AftReplication *row = row_at(0, 0);
    g_array_index(row->phases, AftPhaseRow, 1).read_p99_ms = 1.25;
    char *folder = folder_with(row);
    const char *const folders[] = {bed->whole, folder};
    merge(bed, folders, 2);
    assert_whole(bed);
    g_autofree char *expected =
        g_strdup_printf("point 0, replication 0: %s/sweep.db differs from what came before it, "
                        "which is kept\n",
                        folder);
    assert_texts(bed->report.conflicts, expected);
    remove_folder(folder);
}

static void what_was_done_wins_over_what_failed(void **state)
{
    Bed *bed = *state;
    char *folder = folder_with(aft_replication_new_failed(0, 0, 1, "a", "no room"));
    const char *const after[] = {bed->whole, folder}, *const before[] = {folder, bed->whole};
    merge(bed, after, 2);
    assert_whole(bed);
    merge(bed, before, 2);
    assert_whole(bed);
    assert_texts(bed->report.conflicts, "");
    remove_folder(folder);
}

static void settings_that_differ_are_told(void **state)
{
    Bed *bed = *state;
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    const char *const settings[] = {"cluster.nodes=99", NULL};
    assert_true(keep_point(store, 2, settings, NULL));
    end_store(store);
    const char *const folders[] = {bed->whole, folder};
    merge(bed, folders, 2);
    assert_int_equal(bed->report.conflicts->len, 1);
    assert_true(g_str_has_prefix(bed->report.conflicts->pdata[0], "point 2: "));
    remove_folder(folder);
}

/* Nothing is in the target's folder. */
static void assert_no_target(const Bed *bed)
{
    g_autoptr(GDir) dir = g_dir_open(bed->target, 0, NULL);
    assert_null(g_dir_read_name(dir));
}

static void stores_of_different_sweeps_are_not_joined(void **state)
{
    Bed *bed = *state;
    g_autoptr(GError) error = NULL;
    char *folder = new_folder();
    AftStoreIdentity other = identity;
    other.version = "0.2.0";
    other.base_sha256 = "33333333333333333";
    aft_store_free(open_as(folder, other, FALSE));
    const char *const folders[] = {bed->parts[0], folder};
    assert_false(aft_store_merge(folders, 2, bed->target, &bed->report, &error));
    g_autofree char *expected = g_strdup_printf(
        "%s/shard-1-of-4.db and %s/sweep.db cannot be joined: they differ in version 0.1.0 and "
        "0.2.0; base 222222222222 and 333333333333",
        bed->parts[0], folder);
    assert_error(error, AFT_ERROR_CONFLICT, expected);
    assert_no_target(bed);
    remove_folder(folder);
}

static void a_folder_without_stores_is_told(void **state)
{
    Bed *bed = *state;
    g_autoptr(GError) error = NULL;
    const char *const folders[] = {bed->whole, bed->target};
    assert_false(aft_store_merge(folders, 2, bed->target, &bed->report, &error));
    assert_error(error, AFT_ERROR_FILE, "has no store of a sweep");
    g_clear_error(&error);
    const char *const nowhere[] = {"/proc/none"};
    assert_false(aft_store_merge(nowhere, 1, bed->target, &bed->report, &error));
    assert_error(error, AFT_ERROR_FILE, "/proc/none");
    assert_no_target(bed);
}

static void a_damaged_store_leaves_the_target_as_it_was(void **state)
{
    Bed *bed = *state;
    const char *const one[] = {bed->parts[0]}, *const folders[] = {bed->parts[1]};
    merge(bed, one, 1);
    g_autofree char *before = digest_in(bed->target);
    g_autofree char *path = g_build_filename(bed->parts[1], "shard-4-of-4.db", NULL);
    g_autoptr(GError) error = NULL;
    assert_true(g_file_set_contents(path, "none", -1, NULL));
    aft_merge_report_clear(&bed->report);
    assert_false(aft_store_merge(folders, 1, bed->target, &bed->report, &error));
    assert_error(error, AFT_ERROR_FILE, path);
    g_autofree char *after = digest_in(bed->target);
    assert_string_equal(before, after);
    g_autoptr(GDir) dir = g_dir_open(bed->target, 0, NULL);
    assert_string_equal(g_dir_read_name(dir), "sweep.db");
    assert_null(g_dir_read_name(dir));
}

/* Cuts the file of the whole run short, or changes a figure in it. */
static void damage(const Bed *bed, gboolean cut)
{
    g_autofree char *path = g_build_filename(bed->whole, "sweep.db", NULL);
    g_autofree char *bytes = NULL;
    g_autoptr(AftReplication) row = row_at(4, 1);
    gsize n;
    assert_true(g_file_get_contents(path, &bytes, &n, NULL));
    const char *rest = row->requirement + 1; /* which stays */
    char *text = memmem(bytes, n, rest, strlen(rest));
    assert_non_null(text);
    text[-1] = 'T';
    assert_true(g_file_set_contents(path, bytes, (gssize)(cut ? n * 9 / 10 : n), NULL));
}

/* Runs again what the target lacks. Returns: how many replications that is. */
static guint run_again(Bed *bed)
{
    AftStore *store = open_in(bed->target, TRUE);
    guint lacking = 10 * REPLICATIONS - (guint)aft_store_count(store).done;
    fill_store(store, 0);
    end_store(store);
    return lacking;
}

static void what_is_left_of_a_damaged_store_is_taken_over(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->whole};
    damage(bed, FALSE);
    merge(bed, folders, 1);
    g_autofree char *expected =
        g_strdup_printf("%s/sweep.db: is damaged: no more than 29 of its replications could be "
                        "taken over\npoint 4: replication 1 not there\n",
                        bed->whole);
    assert_texts(bed->report.gaps, expected);
    assert_int_equal(run_again(bed), 1);
    assert_whole(bed);
}

static void what_is_left_of_a_store_that_was_cut_is_taken_over(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->whole};
    damage(bed, TRUE);
    merge(bed, folders, 1);
    assert_non_null(strstr(bed->report.gaps->pdata[0], "is damaged: no more than"));
    assert_in_range(bed->report.rows, 3, 29);
    assert_int_equal(run_again(bed), 30 - bed->report.rows);
    assert_whole(bed);
}

static void a_damaged_store_is_not_replaced(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->parts[0]};
    for (gboolean cut = FALSE; cut <= TRUE; cut++) {
        g_autoptr(GError) error = NULL;
        damage(bed, cut);
        assert_false(aft_store_merge(folders, 1, bed->whole, &bed->report, &error));
        assert_error(error, AFT_ERROR_FILE, "is damaged, and would be replaced");
        damage(bed, FALSE); /* which finds the file as it was */
    }
}

static void joining_again_adds_to_the_target(void **state)
{
    Bed *bed = *state;
    const char *const first[] = {bed->parts[0]}, *const second[] = {bed->parts[1]};
    merge(bed, first, 1);
    assert_int_equal(bed->report.rows, 15);
    merge(bed, second, 1);
    assert_int_equal(bed->report.rows, 30);
    assert_texts(bed->report.gaps, "");
    assert_whole(bed);
}

/* A log that a killed writer left beside the target is joined, and not taken for the new one's. */
static void a_target_with_a_log_is_joined_with_it(void **state)
{
    Bed *bed = *state;
    g_autofree char *path = g_build_filename(bed->target, "sweep.db", NULL);
    g_autofree char *log = g_strconcat(path, "-wal", NULL);
    g_autofree char *bytes = NULL, *main_bytes = NULL;
    gsize n, n_main;
    AftStore *store = open_in(bed->target, FALSE);
    keep_many(store, 9, 3, 1);
    assert_true(g_file_get_contents(path, &main_bytes, &n_main, NULL));
    assert_true(g_file_get_contents(log, &bytes, &n, NULL));
    end_store(store);
    assert_true(g_file_set_contents(path, main_bytes, (gssize)n_main, NULL));
    assert_true(g_file_set_contents(log, bytes, (gssize)n, NULL));
    const char *const folders[] = {bed->whole};
    merge(bed, folders, 1);
    assert_int_equal(bed->report.rows, 31);
    store = open_in(bed->target, TRUE);
    assert_true(has(store, 9, 3));
    assert_int_equal(aft_store_count(store).done, 31);
    end_store(store);
}

static void a_target_in_use_is_not_replaced(void **state)
{
    Bed *bed = *state;
    g_autoptr(AftStore) store = open_in(bed->target, FALSE);
    g_autoptr(GError) error = NULL;
    const char *const folders[] = {bed->whole};
    assert_false(aft_store_merge(folders, 1, bed->target, &bed->report, &error));
    assert_error(error, AFT_ERROR_FILE, "another sweep or merge is writing to it");
    keep_many(store, 0, 0, 1);
}

/* In a child: joins the parts, in files of at most @bytes. Ends with 0 when there was no room. */
static void merge_in(const Bed *bed, rlim_t bytes)
{
    const char *const folders[] = {bed->parts[0], bed->parts[1]};
    struct rlimit limit = {bytes, bytes};
    g_autoptr(GError) error = NULL;
    AftMergeReport report;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    gboolean fine = aft_store_merge(folders, 2, bed->target, &report, &error);
    _exit(!fine && strstr(error->message, "make room") != NULL ? 0 : 1);
}

static void a_merge_that_is_killed_leaves_nothing_half(void **state)
{
    Bed *bed = *state;
    g_autofree char *path = g_build_filename(bed->target, "sweep.db", NULL);
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    for (guint i = 0; i < 8; i++) {
        pid_t child = fork();
        if (child == 0) {
            merge_in(bed, RLIM_INFINITY);
        }
        g_usleep((gulong)g_rand_int_range(rand, 0, 60000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            assert_whole(bed);
            assert_int_equal(g_unlink(path), 0);
        }
    }
    const char *const folders[] = {bed->parts[0], bed->parts[1]};
    merge(bed, folders, 2);
    assert_whole(bed);
}

static void a_disk_that_is_full_leaves_the_target_as_it_was(void **state)
{
    Bed *bed = *state;
    const char *const folders[] = {bed->parts[0]};
    int status;
    merge(bed, folders, 1);
    g_autofree char *before = digest_in(bed->target);
    pid_t child = fork();
    if (child == 0) {
        merge_in(bed, 50000);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    g_autofree char *after = digest_in(bed->target);
    assert_string_equal(before, after);
    g_autoptr(GDir) dir = g_dir_open(bed->target, 0, NULL);
    assert_string_equal(g_dir_read_name(dir), "sweep.db");
    assert_null(g_dir_read_name(dir));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(shards_come_to_the_same_as_one_run),
        CASE(what_is_there_twice_is_kept_once),
        CASE(what_is_missing_is_told_in_runs),
        CASE(gaps_at_the_ends_are_told_too),
        CASE(a_store_that_may_go_on_is_told),
        CASE(many_gaps_are_counted),
        CASE(rows_that_differ_are_told_and_the_first_is_kept),
        CASE(what_was_done_wins_over_what_failed),
        CASE(settings_that_differ_are_told),
        CASE(stores_of_different_sweeps_are_not_joined),
        CASE(a_folder_without_stores_is_told),
        CASE(a_damaged_store_leaves_the_target_as_it_was),
        CASE(what_is_left_of_a_damaged_store_is_taken_over),
        CASE(what_is_left_of_a_store_that_was_cut_is_taken_over),
        CASE(a_damaged_store_is_not_replaced),
        CASE(joining_again_adds_to_the_target),
        CASE(a_target_with_a_log_is_joined_with_it),
        CASE(a_target_in_use_is_not_replaced),
        CASE(a_merge_that_is_killed_leaves_nothing_half),
        CASE(a_disk_that_is_full_leaves_the_target_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
