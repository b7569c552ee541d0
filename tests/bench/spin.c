/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#define SPIN_STEPS 60000000

static gpointer spin_once(G_GNUC_UNUSED gpointer data)
{
    for (volatile guint64 i = 0; i < SPIN_STEPS; i++) {
    }
    return NULL;
}

double bench_scaling(GThreadFunc func)
{
    gint64 start_us = g_get_monotonic_time();
    func(NULL);
    func(NULL);
    gint64 alone_us = g_get_monotonic_time();
    GThread *other = g_thread_new("bench", func, NULL);
    func(NULL);
    g_thread_join(other);
    gint64 both_us = g_get_monotonic_time();
    return (double)(alone_us - start_us) / (double)(both_us - alone_us);
}

double bench_spin_scaling(void)
{
    return bench_scaling(spin_once);
}
