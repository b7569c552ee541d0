/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "quota.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define CONFIDENCE 0.95
#define FEWEST     3 /* values that an interval is made of */

void aft_quota_init(AftQuota *ret_quota, const AftReplications *wanted)
{
    *ret_quota = (AftQuota){.wanted = wanted, .until = wanted->n};
    if (wanted->metric != NULL) {
        gboolean known = aft_yield_find(wanted->metric, &ret_quota->phase, &ret_quota->yield, NULL);
        g_assert(known);
        ret_quota->value = g_new(double, wanted->most);
    }
}

void aft_quota_clear(AftQuota *quota)
{
    g_clear_pointer(&quota->value, g_free);
}

/* Whether the interval of the mean is as narrow as wanted. Summed up in the order of the index, so
 * that the last bit does not depend on who was first. */
static gboolean is_precise(const AftQuota *quota)
{
    guint n = 0;
    double mean = 0.0, squares = 0.0;
    for (guint i = 0; i < quota->until; i++) {
        if (!isnan(quota->value[i])) {
            double off = quota->value[i] - mean;
            mean += off / ++n;
            squares += off * (quota->value[i] - mean);
        }
    }
    if (n < FEWEST) {
        return FALSE;
    }
    double half_width =
        gsl_cdf_tdist_Pinv((1.0 + CONFIDENCE) / 2.0, n - 1.0) * sqrt(squares / (n - 1.0) / n);
    return half_width <= quota->wanted->within * fabs(mean);
}

double aft_quota_value(const AftQuota *quota, const AftReplication *row)
{
    gboolean has = quota->value != NULL && row->failure == NULL;
    return has ? aft_yield_read(quota->yield, row, quota->phase) : (double)NAN;
}

void aft_quota_end(AftQuota *quota, guint replication, double value)
{
    g_assert(replication < quota->until);
    quota->ended++;
    if (quota->value == NULL) {
        return;
    }
    quota->value[replication] = value;
    if (quota->ended == quota->until && !is_precise(quota)) {
        quota->until = MIN(quota->until + AFT_SWEEP_BLOCK, quota->wanted->most);
    }
}

gboolean aft_quota_is_wide(const AftQuota *quota)
{
    g_assert(aft_quota_is_met(quota));
    return quota->value != NULL && !is_precise(quota);
}

gboolean aft_quota_is_in_vain(const AftQuota *quota)
{
    g_assert(aft_quota_is_met(quota));
    gboolean none = quota->value != NULL;
    for (guint i = 0; none && i < quota->until; i++) {
        none = isnan(quota->value[i]);
    }
    return none;
}

gboolean aft_quota_is_met(const AftQuota *quota)
{
    return quota->ended == quota->until;
}
