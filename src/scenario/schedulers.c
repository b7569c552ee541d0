/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "value.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schedulers.h>
#include <math.h>
#include <string.h>

#define ITEM "background.scheduler"

enum {
    WEIGHTS = AFT_FIGURES_WEIGHTS,
    SHARES = AFT_FIGURES_WEIGHTS | AFT_FIGURES_RESERVATIONS | AFT_FIGURES_LIMITS,
    PLACE = AFT_FIGURES_PLACE,
    TIMES = AFT_FIGURES_WEIGHTS | AFT_FIGURES_COST | AFT_FIGURES_PLACE
};

static const struct {
    const char *name;
    guint takes;
} policies[] = {
    {"fifo", 0},
    {"strict", PLACE},
    {"weighted", TIMES},
    {"round-robin", WEIGHTS | PLACE},
    {"mclock", TIMES | SHARES | AFT_FIGURES_SPIN},
    {"adaptive", TIMES | AFT_FIGURES_MARKS},
};

/* Where systems have fewer queues than there are classes, classes that share one there have the
 * same row here, so that the figure is right while one of them has work; a reservation, which must
 * not be given twice, is divided. What no source tells of is said to be chosen. */
static const AftSchedulerPreset presets[] = {
    /* Four queues, of virtual machines, resync, metadata and namespace (VMware); that resync has
     * at most 20 % while others want the station is told at second hand. All that moves data is
     * resync. Chosen: a destage, a queue of its own, has as much as resync. */
    {"vsan-6.7",
     "weighted",
     WEIGHTS,
     {80.0, 20.0, 20.0, 20.0, 20.0},
     {0},
     {0},
     "vSAN from 6.7 on: resync gets a fifth while others wait, and all when alone"},
    /* Resync is halved while latency is above a high mark, then raised in small steps
     * (Yellow-Bricks). No figures are published: chosen are the marks of `adaptive`, and weights
     * all alike, since nobody was preferred otherwise. */
    {"vsan-6.6",
     "adaptive",
     WEIGHTS,
     {1.0, 1.0, 1.0, 1.0, 1.0},
     {0},
     {0},
     "vSAN 6.6: resync is halved while clients are slow, and raised in steps after"},
    /* Virtual machines against maintenance about 75 : 25 at a node (Nutanix, 2014). Chosen: the 25
     * divided 4 : 2 : 1, half for each next priority; a destage as its client. */
    {"nutanix",
     "weighted",
     WEIGHTS,
     {75.0, 75.0, 25.0 * 4.0 / 7.0, 25.0 * 2.0 / 7.0, 25.0 / 7.0},
     {0},
     {0},
     "Nutanix: front end against maintenance as 75 to 25"},
    /* The profiles of mClock (Ceph documentation, "mClock Config Reference"): client, recovery and
     * best effort as reservation - weight - limit. Recovery is rebuild and backfill, P1 and P2;
     * best effort is P3. There is no destage: chosen as a client without reservation.
     *
     * 50-1-max, 50-1-max, min-1-90 */
    {"ceph-balanced",
     "mclock",
     SHARES,
     {1.0, 1.0, 1.0, 1.0, 1.0},
     {0.5, 0.0, 0.25, 0.25, 0.0},
     {0.0, 0.0, 0.0, 0.0, 0.9},
     "Ceph's mClock profile balanced"},
    /* 60-2-max, 40-1-max, min-1-70 */
    {"ceph-high-client",
     "mclock",
     SHARES,
     {2.0, 2.0, 1.0, 1.0, 1.0},
     {0.6, 0.0, 0.2, 0.2, 0.0},
     {0.0, 0.0, 0.0, 0.0, 0.7},
     "Ceph's mClock profile high_client_ops"},
    /* 30-1-max, 70-2-max, min-1-max */
    {"ceph-high-recovery",
     "mclock",
     SHARES,
     {1.0, 1.0, 2.0, 2.0, 1.0},
     {0.3, 0.0, 0.35, 0.35, 0.0},
     {0},
     "Ceph's mClock profile high_recovery_ops"},
    /* Priorities of Ceph's weighted priority queue: client 63, recovery 3, scrub 5 (Ceph
     * documentation, "OSD Config Reference"), to the same classes. Operations leave it in that
     * ratio: in Ceph's study of 2021, 7,632 writes of copies and 353 objects a second, 21.6 to 1.
     */
    {"wpq",
     "round-robin",
     WEIGHTS,
     {63.0, 63.0, 3.0, 3.0, 5.0},
     {0},
     {0},
     "Ceph's weighted priority queue: client 63, recovery 3, scrub 5"},
};

static const struct {
    const char *prefix; /* of the key, behind "background.scheduler." */
    guint figures;
    const char *name;
} groups[] = {
    {"weights.", AFT_FIGURES_WEIGHTS, "weights"},
    {"reservations.", AFT_FIGURES_RESERVATIONS, "reservations"},
    {"limits.", AFT_FIGURES_LIMITS, "limits"},
    {"cost.", AFT_FIGURES_COST, "cost"},
    {"at", AFT_FIGURES_PLACE, "place"},
    {"spin", AFT_FIGURES_SPIN, "limits"},
    {"", AFT_FIGURES_MARKS, "marks of latency"},
};

const AftSchedulerPreset *aft_scheduler_presets(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(presets);
    return presets;
}

static const AftSchedulerPreset *preset_of(const char *kind)
{
    for (guint i = 0; i < G_N_ELEMENTS(presets); i++) {
        if (strcmp(presets[i].name, kind) == 0) {
            return &presets[i];
        }
    }
    return NULL;
}

static guint taken_by(const char *policy)
{
    guint i = 0;
    while (strcmp(policies[i].name, policy) != 0) {
        i++;
        g_assert(i < G_N_ELEMENTS(policies)); /* the key's choices are these and presets of them */
    }
    return policies[i].takes;
}

static gboolean is_figure(const AftKey *key)
{
    return g_str_has_prefix(key->path, ITEM ".") && key->type != AFT_KEY_WORD;
}

/* The group that @key, a figure, belongs to. */
static guint group_of(const AftKey *key)
{
    guint i = 0;
    while (!g_str_has_prefix(key->path + strlen(ITEM "."), groups[i].prefix)) {
        i++;
    }
    return i;
}

gboolean aft_scheduler_takes(const AftSchedulerSpec *scheduler, const AftKey *key)
{
    return is_figure(key) && (taken_by(scheduler->policy) & groups[group_of(key)].figures) != 0;
}

gboolean aft_scheduler_has_cost(const AftSchedulerSpec *scheduler)
{
    return (taken_by(scheduler->policy) & AFT_FIGURES_COST) != 0 &&
           (scheduler->cost_io_ns > 0 || scheduler->cost_per_mib_ns > 0);
}

double aft_scheduler_most(const AftSchedulerSpec *scheduler, AftClass class)
{
    gboolean limited = (taken_by(scheduler->policy) & AFT_FIGURES_LIMITS) != 0 &&
                       !aft_scheduler_has_cost(scheduler);
    return limited ? MIN(scheduler->limits[class], 1.0) : 1.0;
}

/* Gives the key its default, as if nothing had been resolved before. */
static void reset_unwritten(AftCheck *check)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (is_figure(&keys[i]) && !aft_scenario_written(check->scenario, keys[i].path)) {
            aft_value_reset(&keys[i], (char *)check->scenario + keys[i].offset);
        }
    }
}

static const char *const class_names[AFT_CLASSES] = {"client", "destage", "p1", "p2", "p3"};

static gboolean is_written(const AftCheck *check, const char *group, guint class)
{
    g_autofree char *key = g_strdup_printf("%s.%s", group, class_names[class]);
    return aft_check_written(check, ITEM, key);
}

static void take_preset(AftCheck *check, const AftSchedulerPreset *preset)
{
    AftSchedulerSpec *spec = &check->scenario->background.scheduler;
    for (guint i = 0; i < AFT_CLASSES; i++) {
        if (!is_written(check, "weights", i)) {
            spec->weights[i] = preset->weights[i];
        }
        if ((preset->gives & AFT_FIGURES_RESERVATIONS) != 0 &&
            !is_written(check, "reservations", i)) {
            spec->reservations[i] = preset->reservations[i];
        }
        if ((preset->gives & AFT_FIGURES_LIMITS) != 0 && !is_written(check, "limits", i)) {
            double limit = preset->limits[i];
            spec->limits[i] = limit > 0.0 ? limit : (double)INFINITY;
        }
    }
}

/* Says once for each group that its figures are not looked at. */
static void check_taken(AftCheck *check, const char *policy)
{
    guint n = 0, told = taken_by(policy);
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (!is_figure(&keys[i]) || !aft_scenario_written(check->scenario, keys[i].path)) {
            continue;
        }
        guint group = group_of(&keys[i]);
        if ((told & groups[group].figures) == 0) {
            aft_check_warning(check, keys[i].path, "", "has no effect: %s has no %s", policy,
                              groups[group].name);
            told |= groups[group].figures;
        }
    }
}

static void check_reservations(AftCheck *check, const AftSchedulerSpec *spec)
{
    double sum = 0.0;
    for (guint i = 0; i < AFT_CLASSES; i++) {
        sum += spec->reservations[i];
    }
    if (sum > 1.0 + 1e-9) { /* of which rounding may make a little */
        g_autofree char *got = aft_units_format(AFT_UNIT_SHARE, sum);
        aft_check_error(check, ITEM, "reservations", NULL, "expected at most 100 %% in all, got %s",
                        got);
    }
}

static void check_limit(AftCheck *check, const AftSchedulerSpec *spec, guint class)
{
    if (spec->limits[class] >= spec->reservations[class]) {
        return;
    }
    g_autofree char *reserved = aft_units_format(AFT_UNIT_SHARE, spec->reservations[class]);
    g_autofree char *limit = aft_units_format(AFT_UNIT_SHARE, spec->limits[class]);
    gboolean written = is_written(check, "limits", class);
    g_autofree char *key =
        g_strdup_printf("%s.%s", written ? "limits" : "reservations", class_names[class]);
    aft_check_error(check, ITEM, key, NULL,
                    written ? "expected at least the reservation (%s), got %s"
                            : "%s, expected at most the limit (%s)",
                    reserved, limit);
}

static void check_marks(AftCheck *check, const AftSchedulerSpec *spec)
{
    if (spec->low_ns < spec->high_ns) {
        return;
    }
    g_autofree char *low = aft_check_time(spec->low_ns);
    g_autofree char *high = aft_check_time(spec->high_ns);
    if (aft_check_written(check, ITEM, "low")) {
        aft_check_error(check, ITEM, "low", NULL, "expected less than " ITEM ".high (%s), got %s",
                        high, low);
    } else {
        aft_check_error(check, ITEM, "high", NULL, "expected more than " ITEM ".low (%s), got %s",
                        low, high);
    }
}

void aft_check_scheduler(AftCheck *check)
{
    AftSchedulerSpec *spec = &check->scenario->background.scheduler;
    if (!aft_check_sound(check, ITEM)) {
        return;
    }
    const AftSchedulerPreset *preset = preset_of(spec->kind);
    reset_unwritten(check);
    if (preset != NULL) {
        take_preset(check, preset);
    }
    spec->policy = preset != NULL ? preset->policy : spec->kind;
    guint takes = taken_by(spec->policy);
    check_taken(check, spec->policy);
    if ((takes & AFT_FIGURES_RESERVATIONS) != 0) {
        check_reservations(check, spec);
        for (guint i = 0; i < AFT_CLASSES; i++) {
            check_limit(check, spec, i);
        }
    }
    if ((takes & AFT_FIGURES_MARKS) != 0) {
        check_marks(check, spec);
    }
}
