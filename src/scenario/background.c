/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

static const struct {
    const char *key;
    AftTaskKind kind;
} triggered[] = {
    {"rebalance.trigger", AFT_TASK_REBALANCE},
    {"convert.trigger", AFT_TASK_CONVERT},
    {"encode.trigger", AFT_TASK_ENCODE},
};

/* What waits for a scan that never comes would never begin. */
static void check_triggers(AftCheck *check)
{
    const AftBackgroundSpec *background = &check->scenario->background;
    gboolean full = background->scan.full_ns != G_MAXINT64;
    gboolean partial = background->scan.partial_ns != G_MAXINT64;
    for (guint i = 0; i < G_N_ELEMENTS(triggered); i++) {
        AftTrigger trigger = background->task[triggered[i].kind].trigger;
        if (trigger == AFT_TRIGGER_SCAN && !full && !partial) {
            aft_check_error(check, "background", triggered[i].key, NULL,
                            "there is no scan: write background.scan.full or .partial");
        } else if (trigger == AFT_TRIGGER_FULL && !full) {
            aft_check_error(check, "background", triggered[i].key, NULL,
                            "there is no full scan: write background.scan.full");
        }
    }
}

static void check_scan(AftCheck *check)
{
    const AftScanSpec *scan = &check->scenario->background.scan;
    g_autofree char *length = aft_check_time(scan->length_ns);
    if (scan->full_ns < scan->length_ns) {
        aft_check_error(check, "background.scan", "full", NULL,
                        "expected at least background.scan.length (%s)", length);
    } else if (scan->length_ns > 0 && scan->full_ns == G_MAXINT64 &&
               scan->partial_ns == G_MAXINT64) {
        aft_check_warning(check, "background.scan", "length", "has no effect: there is no scan");
    }
}

static void check_scrub(AftCheck *check)
{
    gboolean never = check->scenario->background.scrub_every_ns == G_MAXINT64;
    if (never && aft_check_written_below(check, "background.scrub", 0) > 0 &&
        !aft_check_written(check, "background.scrub", "every")) {
        aft_check_warning(check, "background", "scrub",
                          "has no effect: background.scrub.every is never");
    }
}

void aft_check_background(AftCheck *check)
{
    if (aft_check_sound(check, "background")) {
        check_triggers(check);
        check_scan(check);
        check_scrub(check);
    }
}
