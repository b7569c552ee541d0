/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/workers.h>

typedef struct {
    guint n;
    gint next; /* atomic: the first that nobody has taken */
    void (*work)(guint index, gpointer data);
    gpointer data;
} Workers;

static gpointer take_turns(gpointer data)
{
    Workers *workers = data;
    guint index;
    while ((index = (guint)g_atomic_int_add(&workers->next, 1)) < workers->n) {
        workers->work(index, workers->data);
    }
    return NULL;
}

void aft_workers_run(guint n, guint threads, void (*work)(guint index, gpointer data),
                     gpointer data)
{
    Workers workers = {n, 0, work, data};
    g_autoptr(GPtrArray) helpers = g_ptr_array_new();
    for (guint i = 1; i < MIN(threads, n); i++) {
        GThread *helper = g_thread_try_new("worker", take_turns, &workers, NULL);
        if (helper != NULL) {
            g_ptr_array_add(helpers, helper);
        }
    }
    take_turns(&workers);
    for (guint i = 0; i < helpers->len; i++) {
        g_thread_join(g_ptr_array_index(helpers, i));
    }
}
