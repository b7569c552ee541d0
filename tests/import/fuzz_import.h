/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_import.h - what must hold for every file, in the shape that libFuzzer calls. */
#pragma once

#include <glib.h>

/** Imports @data as each kind of file and ends the process when something is wrong with the
 *  answer. */
int LLVMFuzzerTestOneInput(const guint8 *data, gsize bytes);
