/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.h - what a scenario answers to changes, for tests. */
#pragma once

#include "build.h"

enum { MOST_CHANGES = 16 };

typedef struct {
    const char *settings[MOST_CHANGES]; /* changes to the five nodes */
    const char *problems;               /* all of them; "(" is a warning */
} Case;

static inline void assert_answers(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autoptr(AftScenario) scenario = aft_scenario_new();
        g_autoptr(GPtrArray) problems = aft_problems_new();
        set_all(scenario, five_nodes, problems);
        set_all(scenario, cases[i].settings, problems);
        gboolean fine = aft_scenario_resolve(scenario, problems);
        g_autofree char *text = problems_text(problems);
        assert_string_equal(text, cases[i].problems);
        guint errors = 0;
        for (guint j = 0; j < problems->len; j++) {
            errors += !((const AftProblem *)g_ptr_array_index(problems, j))->warning;
        }
        assert_int_equal(fine, errors == 0);
    }
}
