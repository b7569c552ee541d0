/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on threads: every piece once, whatever the number of threads. */
#include <aftershock/base/workers.h>

#include "test.h"

#include <pthread.h>

#define PIECES 1000

typedef struct {
    pthread_mutex_t lock;
    guint sum;
    guint8 times[PIECES];
} Work;

static void do_piece(guint index, gpointer data)
{
    Work *work = data;
    pthread_mutex_lock(&work->lock);
    work->times[index]++;
    work->sum += index;
    pthread_mutex_unlock(&work->lock);
}

static void every_piece_is_done_once(void **state G_GNUC_UNUSED)
{
    static const guint threads[] = {1, 2, 7, 2000};
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        Work work = {.lock = PTHREAD_MUTEX_INITIALIZER};
        aft_workers_run(i == 0 ? 0 : PIECES, MIN(threads[i], 50), do_piece, &work);
        for (guint piece = 0; piece < PIECES; piece++) {
            assert_int_equal(work.times[piece], i == 0 ? 0 : 1);
        }
        assert_int_equal(work.sum, i == 0 ? 0 : PIECES * (PIECES - 1) / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_done_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
