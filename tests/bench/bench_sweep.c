/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps of the scenario in the first file given, and of the tiny one in the second: what two cores
 * make of them, what they cost beyond their replications, and whether memory grows. */
#include "sweep_run.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "Usage: bench-sweep SCENARIO TINY-SCENARIO\n");
        return 2;
    }
    /* Memory first: a child begins with what its parent has. */
    guint missed = bench_sweep_memory(argv[2]);
    missed += bench_sweep_store(argv[1]);
    missed += bench_sweep_threads(argv[1]);
    return missed > 0;
}
