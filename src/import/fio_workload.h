/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fio_workload.h - the users that a section of a job file stands for. */
#pragma once

#include "fio_options.h"

/* Of a workload, as scenarios take it. */
#define AFT_FIO_MOST_RATE  (1e9)  /* a second */
#define AFT_FIO_MOST_SPACE (1e18) /* bytes */
enum { AFT_FIO_MOST_MACHINES = 1000000, AFT_FIO_MOST_FLIGHT = 10000000 };

enum { AFT_FIO_MOST_BLOCKS = 32 }; /* of a direction */

typedef struct {
    double bytes;
    double share;      /* of all I/Os */
    double read_share; /* NaN: as of the workload */
} AftFioBlock;

typedef struct {
    guint machines, outstanding;
    gboolean random;
    double read_share;
    AftFioBlock blocks[2 * AFT_FIO_MOST_BLOCKS];
    guint n_blocks;
    double limits[2];   /* of a job: reads, and writes, a second; 0: none */
    double rate;        /* a second, in total; 0: as fast as it goes */
    double working_set; /* bytes; 0: not told */
    double think_s;
    double theta; /* of zipf; 0: none */
    gboolean poisson;
} AftFioWorkload;

/** Reads the section of @job; @ret_known is whether there is anything like it here, which nothing
 *  is that trims. Returns: FALSE with AFT_ERROR_SYNTAX at the option's place. */
gboolean aft_fio_read_workload(AftFioJob *job, AftFioWorkload *workload, gboolean *ret_known,
                               GError **error);
