/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cases.h - bounds of five nodes with a few settings, for figures worked out by hand. */
#pragma once

#include <aftershock/bounds/bounds.h>

#include <build.h>
#include <test.h>

/* Sums of a few products: rounding alone. */
#define EXACT 1e-12

typedef struct {
    AftScenario *scenario;
    AftBounds *bounds;
} Case;

static inline Case case_of(const char *const *settings)
{
    Case it = {.scenario = five_nodes_with(settings)};
    it.bounds = aft_bounds_new(it.scenario);
    return it;
}

static inline void case_clear(Case *it)
{
    aft_bounds_free(it->bounds);
    aft_scenario_free(it->scenario);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Case, case_clear)

#define CASE(...) case_of((const char *const[]){__VA_ARGS__, NULL})
