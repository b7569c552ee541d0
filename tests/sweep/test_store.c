/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept comes back, whole, in order, and only to whom it belongs. */
#include "stores.h"

#include <pthread.h>
#include <sqlite3.h>

static gboolean is_same_cell(AftCell kind, gconstpointer a, gconstpointer b)
{
    switch (kind) {
    case AFT_CELL_PHASE:
        return *(const AftPhase *)a == *(const AftPhase *)b;
    case AFT_CELL_TEXT:
        return g_strcmp0(*(char *const *)a, *(char *const *)b) == 0;
    case AFT_CELL_YES:
        return *(const gboolean *)a == *(const gboolean *)b;
    default:
        return memcmp(a, b, 8) == 0 ||
               (kind != AFT_CELL_COUNT && isnan(*(const double *)a) && isnan(*(const double *)b));
    }
}

static void assert_same(const AftTable *table, gconstpointer a, gconstpointer b)
{
    for (guint i = 0; i < table->n_columns; i++) {
        const AftColumn *it = &table->columns[i];
        if (!is_same_cell(it->kind, (const char *)a + it->offset, (const char *)b + it->offset)) {
            print_error("%s differs\n", it->name);
            fail();
        }
    }
}

static gboolean assert_as_written(const AftReplication *row, gpointer data,
                                  GError **error G_GNUC_UNUSED)
{
    GString *order = data;
    g_autoptr(AftReplication) written = row_at(row->point, row->replication);
    assert_same(aft_replication_table(), row, written);
    assert_int_equal(row->phases->len, written->phases->len);
    for (guint i = 0; i < row->phases->len; i++) {
        assert_same(aft_phase_table(), &g_array_index(row->phases, AftPhaseRow, i),
                    &g_array_index(written->phases, AftPhaseRow, i));
    }
    g_string_append_printf(order, "%u.%u ", row->point, row->replication);
    return TRUE;
}

static void assert_order(AftStore *store, guint point, const char *expected)
{
    GString *order = g_string_new(NULL);
    assert_true(aft_store_each(store, point, assert_as_written, order, NULL));
    assert_string_equal(order->str, expected);
    g_string_free(order, TRUE);
}

static void rows_come_back_in_order_with_the_same_bits(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    keep_many(store, 2, 0, 2);
    keep_many(store, 0, 1, 1);
    keep_many(store, 0, 0, 1);
    assert_order(store, G_MAXUINT, "0.0 0.1 2.0 2.1 ");
    assert_order(store, 2, "2.0 2.1 ");
    assert_order(store, 1, "");
    aft_store_free(store);
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    store = aft_store_open_file(path, NULL);
    assert_order(store, G_MAXUINT, "0.0 0.1 2.0 2.1 ");
    aft_store_free(store);
    remove_folder(folder);
}

static void numbers_are_as_in_the_column_tables(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    aft_store_free(open_in(folder, FALSE));
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "SELECT point, replication, occurrence, phase, read_p995_ms "
                                  "FROM phases; SELECT seed, failure, row_sha256 "
                                  "FROM replications; SELECT settings FROM points",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "INSERT INTO phases (point, replication, occurrence, "
                                  "read_p995_ms) VALUES (0, 0, 0, 'text')",
                                  NULL, NULL, NULL),
                     SQLITE_CONSTRAINT);
    sqlite3_close(db);
    remove_folder(folder);
}

static void a_store_ends_as_one_file(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    keep_many(store, 0, 0, 3);
    aft_store_free(store);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    assert_string_equal(g_dir_read_name(dir), "sweep.db");
    assert_null(g_dir_read_name(dir));
    remove_folder(folder);
}

static void done_is_kept_and_failed_is_replaced(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(AftStore) store = open_in(folder, FALSE);
    assert_true(keep(store, aft_replication_new_failed(0, 0, 1, "a", "no room"), NULL));
    AftStoreCount count = aft_store_count(store);
    assert_int_equal(count.failed, 1);
    assert_int_equal(count.done, 0);
    assert_true(has(store, 0, 0));
    assert_false(has(store, 0, 1));
    keep_many(store, 0, 0, 1);
    assert_order(store, 0, "0.0 ");
    assert_true(keep(store, aft_replication_new_failed(0, 0, 1, "a", "no room"), NULL));
    assert_order(store, 0, "0.0 ");
    count = aft_store_count(store);
    assert_int_equal(count.failed, 0);
    assert_int_equal(count.done, 1);
    remove_folder(folder);
}

static gboolean refuse(const AftReplication *row, gpointer data G_GNUC_UNUSED, GError **error)
{
    if (row->replication == 1) {
        g_set_error_literal(error, AFT_ERROR, AFT_ERROR_RANGE, "enough");
    }
    return row->replication != 1;
}

static void a_visitor_ends_the_visit(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(AftStore) store = open_in(folder, FALSE);
    g_autoptr(GError) error = NULL;
    keep_many(store, 0, 0, 3);
    assert_false(aft_store_each(store, G_MAXUINT, refuse, NULL, &error));
    assert_error(error, AFT_ERROR_RANGE, "enough");
    keep_many(store, 0, 3, 1);
    remove_folder(folder);
}

static void the_digest_tells_contents_not_order(void **state G_GNUC_UNUSED)
{
    char *one = new_folder(), *other = new_folder();
    AftStore *a = open_in(one, FALSE), *b = open_in(other, FALSE);
    keep_many(a, 0, 0, 2);
    keep_many(a, 1, 0, 2);
    keep_many(b, 1, 1, 1);
    assert_true(keep(b, aft_replication_new_failed(0, 0, 1, "a", "no room"), NULL));
    keep_many(b, 0, 0, 2);
    g_autofree char *full = aft_store_digest(a, NULL);
    g_autofree char *partial = aft_store_digest(b, NULL);
    assert_string_not_equal(full, partial);
    aft_store_free(b);
    b = open_in(other, TRUE);
    keep_many(b, 1, 0, 1);
    g_autofree char *resumed = aft_store_digest(b, NULL);
    assert_string_equal(full, resumed);
    aft_store_free(a);
    aft_store_free(b);
    remove_folder(one);
    remove_folder(other);
}

/* What a resume of @folder as @other says. */
static void assert_refused(const char *folder, AftStoreIdentity other, const char *part)
{
    g_autoptr(GError) error = NULL;
    assert_null(aft_store_open(folder, &other, TRUE, &error));
    assert_error(error, AFT_ERROR_CONFLICT, part);
}

static void another_ones_rows_are_not_mixed_in(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    aft_store_free(open_in(folder, FALSE));
    AftStoreIdentity other = identity;
    other.version = "0.2.0";
    assert_refused(folder, other, "written by version 0.1.0, this is 0.2.0");
    other = identity;
    other.sweep_sha256 = "333333333333333333";
    other.seed = 8;
    other.points = 11;
    assert_refused(folder, other,
                   "cannot go on with it: the sweep has changed since: its seed was 7, is 8; its "
                   "points were 10, are 11; its digest was 111111111111, is 333333333333;");
    other = identity;
    other.fidelity = "sampled";
    assert_refused(folder, other, "its fidelity was flow, is sampled");
    other = identity;
    other.base_sha256 = "4444444444444444";
    assert_refused(folder, other, "the base scenario has changed since: its digest was 2222");
    other = identity;
    other.name = "a new name";
    aft_store_free(open_as(folder, other, TRUE));
    remove_folder(folder);
}

static void a_shard_that_is_renamed_is_known(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    aft_store_free(open_as(folder, shard_of(2, 4), FALSE));
    g_autofree char *path = g_build_filename(folder, "shard-2-of-4.db", NULL);
    g_autofree char *renamed = g_build_filename(folder, "shard-3-of-4.db", NULL);
    assert_int_equal(g_rename(path, renamed), 0);
    assert_refused(folder, shard_of(3, 4), "it is of shard 2, asked for is 3");
    remove_folder(folder);
}

static void resuming_takes_what_is_there_or_begins(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autofree char *deep = g_build_filename(folder, "a", "b", NULL);
    AftStore *store = open_in(deep, TRUE);
    keep_many(store, 0, 0, 1);
    aft_store_free(store);
    store = open_in(deep, TRUE);
    assert_true(has(store, 0, 0));
    assert_string_equal(aft_store_identity(store)->name, "small");
    aft_store_free(store);
    g_autoptr(GError) error = NULL;
    assert_null(aft_store_open(deep, &identity, FALSE, &error));
    assert_error(error, AFT_ERROR_CONFLICT, "is there already");
    remove_folder(folder);
}

static void a_store_has_one_writer_and_any_readers(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    AftStore *store = open_in(folder, FALSE);
    keep_many(store, 0, 0, 1);
    g_autoptr(GError) error = NULL;
    assert_null(aft_store_open(folder, &identity, TRUE, &error));
    assert_error(error, AFT_ERROR_FILE, "another sweep or merge is writing to it");
    g_autofree char *path = g_build_filename(folder, "sweep.db", NULL);
    AftStore *reader = aft_store_open_file(path, NULL);
    assert_order(reader, G_MAXUINT, "0.0 ");
    keep_many(store, 0, 1, 1);
    assert_order(reader, G_MAXUINT, "0.0 0.1 ");
    aft_store_free(store); /* with a reader in the way of its end */
    aft_store_free(reader);
    aft_store_free(open_in(folder, TRUE));
    remove_folder(folder);
}

static void shards_share_a_folder(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(AftStore) one = open_as(folder, shard_of(1, 2), FALSE);
    g_autoptr(AftStore) two = open_as(folder, shard_of(2, 2), FALSE);
    keep_many(one, 0, 0, 2);
    keep_many(two, 1, 0, 2);
    assert_order(one, G_MAXUINT, "0.0 0.1 ");
    assert_order(two, G_MAXUINT, "1.0 1.1 ");
    remove_folder(folder);
}

static void settings_of_a_point_are_kept_once(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(AftStore) store = open_in(folder, FALSE);
    g_autoptr(GError) error = NULL;
    const char *const settings[] = {"cluster.nodes=4", "data.protection=rf2", NULL};
    assert_true(keep_point(store, 3, settings, NULL));
    assert_true(keep_point(store, 3, settings, NULL));
    assert_false(keep_point(store, 3, settings + 1, &error));
    assert_error(error, AFT_ERROR_CONFLICT, "point 3 has other settings");
    remove_folder(folder);
}

enum { WRITERS = 4, EACH = 25 };

typedef struct {
    AftStore *store;
    guint point;
} Writer;

static void *write_point(void *data)
{
    const Writer *it = data;
    for (guint i = 0; i < EACH; i++) {
        g_assert(keep(it->store, row_at(it->point, i), NULL));
        g_assert(has(it->store, it->point, i));
    }
    return NULL;
}

static void threads_share_a_store(void **state G_GNUC_UNUSED)
{
    char *folder = new_folder();
    g_autoptr(AftStore) store = open_in(folder, FALSE);
    pthread_t threads[WRITERS];
    Writer writers[WRITERS];
    for (guint i = 0; i < WRITERS; i++) {
        writers[i] = (Writer){store, i};
        assert_int_equal(pthread_create(&threads[i], NULL, write_point, &writers[i]), 0);
    }
    for (guint i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(aft_store_count(store).done, WRITERS * EACH);
    GString *order = g_string_new(NULL);
    assert_true(aft_store_each(store, G_MAXUINT, assert_as_written, order, NULL));
    g_string_free(order, TRUE);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_in_order_with_the_same_bits),
        cmocka_unit_test(numbers_are_as_in_the_column_tables),
        cmocka_unit_test(a_store_ends_as_one_file),
        cmocka_unit_test(done_is_kept_and_failed_is_replaced),
        cmocka_unit_test(a_visitor_ends_the_visit),
        cmocka_unit_test(the_digest_tells_contents_not_order),
        cmocka_unit_test(another_ones_rows_are_not_mixed_in),
        cmocka_unit_test(a_shard_that_is_renamed_is_known),
        cmocka_unit_test(resuming_takes_what_is_there_or_begins),
        cmocka_unit_test(a_store_has_one_writer_and_any_readers),
        cmocka_unit_test(shards_share_a_folder),
        cmocka_unit_test(settings_of_a_point_are_kept_once),
        cmocka_unit_test(threads_share_a_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
