/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <stdio.h>

/* Takes the ns SimPy needs for a customer of an M/M/1, if it was measured. */
int main(int argc, char **argv)
{
    double simpy_customer_ns = argc > 1 ? g_ascii_strtod(argv[1], NULL) : 0.0;
    guint missed = bench_holds() + bench_queue(simpy_customer_ns) + bench_draws() + bench_threads();
    printf("%u of the ratios miss what they must reach\n", missed);
    return missed > 0;
}
