/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/random/variate.h>

static void check_shape(AftCheck *check, const char *item, const AftSpread *spread)
{
    const char *name = aft_spread_name(spread->kind);
    gboolean takes = spread->kind == AFT_SPREAD_ERLANG || spread->kind == AFT_SPREAD_WEIBULL;
    gboolean written = aft_check_written(check, item, "shape");
    if (written && !takes) {
        aft_check_error(check, item, "shape", NULL, "%s has no shape", name);
    } else if (takes && !written) {
        aft_check_error(check, item, "shape", NULL, "missing, %s needs it", name);
    }
}

static void check_values(AftCheck *check, const char *item, const AftSpread *spread)
{
    gboolean takes = spread->kind == AFT_SPREAD_EMPIRICAL;
    if (spread->n_values > 0 && !takes) {
        aft_check_error(check, item, "values", NULL, "%s has no values",
                        aft_spread_name(spread->kind));
    } else if (takes && spread->n_values == 0) {
        aft_check_error(check, item, "values", NULL, "missing, empirical needs a list of times");
    }
}

/* Whoever draws from the spread knows best; the keys' own ranges leave only the shape to be wrong.
 */
static void check_drawable(AftCheck *check, const char *item, const AftSpread *spread)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftVariate) variate = aft_variate_new(spread, &error);
    if (variate == NULL) {
        aft_check_error(check, item, "shape", NULL, "%s", error->message);
    }
}

static void check_spread(AftCheck *check, const char *item, const AftSpread *spread)
{
    if (!aft_check_sound(check, item)) {
        return;
    }
    guint before = check->problems->len;
    if (aft_check_written(check, item, "cv") && spread->kind != AFT_SPREAD_LOGNORMAL) {
        aft_check_error(check, item, "cv", NULL, "%s has no cv", aft_spread_name(spread->kind));
    }
    check_shape(check, item, spread);
    check_values(check, item, spread);
    if (check->problems->len == before) {
        check_drawable(check, item, spread);
    }
}

static void check_node(AftCheck *check, const char *item, AftNodeSpec *node, guint n, gpointer data)
{
    (void)n;
    (void)data;
    g_autofree char *spread = g_strdup_printf("%s.controller.spread", item);
    check_spread(check, spread, &node->controller.spread);
}

void aft_check_spreads(AftCheck *check)
{
    const AftScenario *scenario = check->scenario;
    aft_check_nodes(check, check_node, NULL);
    for (guint i = 0; i < scenario->n_devices; i++) {
        g_autofree char *item = g_strdup_printf("devices.%s.spread", scenario->devices[i].name);
        check_spread(check, item, &scenario->devices[i].spread);
    }
    for (guint i = 0; i < scenario->n_faults; i++) {
        g_autofree char *life = g_strdup_printf("faults[%u].life", i);
        g_autofree char *repair = g_strdup_printf("faults[%u].repair_spread", i);
        check_spread(check, life, &scenario->faults[i].life);
        check_spread(check, repair, &scenario->faults[i].repair);
    }
}
