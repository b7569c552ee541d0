/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - one exponential server at load 0.9 with its queue: M/M/1. A step is a customer. */
#pragma once

#include <glib.h>

#define QUEUE_LOAD       0.9
#define QUEUE_SERVICE_NS 1e6
#define QUEUE_STEPS      400000 /* a round, and to warm up */

/* On a station, which keeps all its statistics. */
void *queue_station_start(guint n);
void queue_station_step(void *work, guint64 n_steps);
void queue_station_finish(void *work);
