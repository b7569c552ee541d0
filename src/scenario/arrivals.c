/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/arrivals.h>

#include "check.h"

enum { LEAST_PARTS = 2 }; /* of a day: one is no curve */

double aft_arrivals_burst(const AftWorkloadSpec *workload, gboolean bursts)
{
    const AftBurstSpec *burst = &workload->burst;
    if (burst->factor <= 0.0) {
        return 1.0;
    }
    double calm = 1.0 / (1.0 - burst->share + burst->share * burst->factor);
    return bursts ? burst->factor * calm : calm;
}

double aft_arrivals_day(const AftWorkloadSpec *workload, guint i)
{
    double sum = 0.0;
    for (guint part = 0; part < workload->n_day; part++) {
        sum += workload->day[part];
    }
    return workload->day[i] * workload->n_day / sum;
}

double aft_arrivals_peak(const AftWorkloadSpec *workload)
{
    double most = workload->n_day > 0 ? 0.0 : 1.0;
    for (guint i = 0; i < workload->n_day; i++) {
        most = MAX(most, aft_arrivals_day(workload, i));
    }
    return most;
}

double aft_arrivals_least(const AftWorkloadSpec *workload)
{
    double least = 1.0;
    for (guint i = 0; i < workload->n_day; i++) {
        double factor = aft_arrivals_day(workload, i);
        least = factor > 0.0 ? MIN(least, factor) : least;
    }
    return least * aft_arrivals_burst(workload, FALSE);
}

static void check_burst(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    static const char *const keys[] = {"burst.factor", "burst.share", "burst.mean"};
    guint written = 0;
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        written += aft_check_written(check, item, keys[i]) ? 1 : 0;
    }
    for (guint i = 0; i < G_N_ELEMENTS(keys) && written > 0; i++) {
        if (!aft_check_written(check, item, keys[i])) {
            aft_check_error(check, item, keys[i], NULL,
                            "missing, bursts have a factor, a share and a mean");
        }
    }
    if (written > 0 && workload->pacing == AFT_PACING_EVEN) {
        aft_check_error(check, item, "pacing", NULL, "bursts need poisson, got even");
    }
}

static void check_day(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    double sum = 0.0;
    for (guint i = 0; i < workload->n_day; i++) {
        sum += workload->day[i];
    }
    if (workload->n_day > 0 && workload->n_day < LEAST_PARTS) {
        aft_check_error(check, item, "day", NULL, "expected 2 to 288 rates, got 1");
    } else if (workload->n_day > 0 && sum <= 0.0) {
        aft_check_error(check, item, "day", NULL, "expected a rate above 0 among them");
    } else if (workload->n_day == 0 && aft_check_written(check, item, "day_start")) {
        aft_check_warning(check, item, "day_start", "has no effect without day");
    }
}

void aft_check_arrivals(AftCheck *check, guint index, const char *item)
{
    const AftWorkloadSpec *workload = &check->scenario->workloads[index];
    g_autofree char *burst = g_strconcat(item, ".burst", NULL);
    g_autofree char *day = g_strconcat(item, ".day", NULL);
    g_autofree char *kind = g_strconcat(item, ".kind", NULL);
    gboolean clocked = workload->kind == AFT_WORKLOAD_OPEN || workload->kind == AFT_WORKLOAD_PACED;
    if (!clocked || !aft_check_sound(check, kind)) {
        return;
    }
    if (aft_check_sound(check, burst)) {
        check_burst(check, item, workload);
    }
    if (aft_check_sound(check, day)) {
        check_day(check, item, workload);
    }
}
