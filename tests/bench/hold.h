/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hold.h - the hold model: so many events pending; the earliest runs and is scheduled again after
 * a random delay. One start, step and finish for each structure that can hold events. */
#pragma once

#include <glib.h>

void *hold_engine_start(guint n);
void *hold_engine_start_ties(guint n); /* delays are whole numbers from 1 to 10 */
void hold_engine_step(void *work, guint64 n_steps);
void hold_engine_finish(void *work);

void *hold_heap_start(guint n);
void hold_heap_step(void *work, guint64 n_steps);
void hold_heap_finish(void *work);

void *hold_tree_start(guint n);
void hold_tree_step(void *work, guint64 n_steps);
void hold_tree_finish(void *work);

void *hold_sequence_start(guint n);
void hold_sequence_step(void *work, guint64 n_steps);
void hold_sequence_finish(void *work);
