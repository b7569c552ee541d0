/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quota.h - how many replications a point gets, decided block by block. */
#pragma once

#include <aftershock/sweep/sweep.h>
#include <aftershock/sweep/yields.h>

typedef struct {
    const AftReplications *wanted;
    guint phase, yield; /* that ends it, if there is one */
    double *value;      /* (nullable): of replications, by index; NaN: none */
    guint until;        /* replications that are wanted so far */
    guint begun, ended; /* of those; ended: done or failed */
} AftQuota;

/** Fills in @ret_quota for one point; @wanted is borrowed, its metric known to exist. */
void aft_quota_init(AftQuota *ret_quota, const AftReplications *wanted);

void aft_quota_clear(AftQuota *quota);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftQuota, aft_quota_clear)

/** What @row says of the figure that ends it; NaN: nothing, or there is no such figure. */
double aft_quota_value(const AftQuota *quota, const AftReplication *row);

/** Takes the end of @replication, which is one of those wanted and yields @value, into account;
 *  when it was the last of them, decides whether more are wanted. */
void aft_quota_end(AftQuota *quota, guint replication, double value);

/** Whether all that will ever be wanted have ended. */
gboolean aft_quota_is_met(const AftQuota *quota);

/** Of one that is met: whether the figure that ends it is still not as precise as wanted. */
gboolean aft_quota_is_wide(const AftQuota *quota);

/** Of one that is met: whether there is a figure that ends it, and no replication has it. */
gboolean aft_quota_is_in_vain(const AftQuota *quota);
