/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_loader.h - what must hold for every text, in the shape that libFuzzer calls. */
#pragma once

#include <glib.h>

/** Loads @data as a scenario and ends the process when something is wrong with the answer. */
int LLVMFuzzerTestOneInput(const guint8 *data, gsize bytes);
