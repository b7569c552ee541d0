/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a workload's I/Os: one for all, or a mix. */
#include "check.h"

#include <aftershock/scenario/schemes.h>
#include <math.h>

#define ROUNDING 1e-6 /* that shares may be off together: they are written with a few digits */

/* "blocks[2]" */
static char *item_of(const char *item, guint i)
{
    return g_strdup_printf("%s.blocks[%u]", item, i);
}

static void check_shares(AftCheck *check, const char *item, const AftWorkloadSpec *workload)
{
    double sum = 0.0;
    gboolean all = TRUE; /* else one is missing, and asked for */
    for (guint i = 0; i < workload->n_blocks; i++) {
        sum += workload->blocks[i].share;
        all = all && workload->blocks[i].share > 0.0;
    }
    if (all && fabs(sum - 1.0) > ROUNDING) {
        aft_check_error(check, item, "blocks", NULL, "expected shares that make 100 %%, got %g %%",
                        100.0 * sum);
    }
}

static void fill_mix(const AftCheck *check, const char *item, AftWorkloadSpec *workload)
{
    g_free(workload->mix);
    workload->n_mix = MAX(workload->n_blocks, 1);
    workload->mix = g_new(AftBlockSpec, workload->n_mix);
    workload->mix[0] = (AftBlockSpec){workload->block_bytes, 1.0, workload->read_share};
    for (guint i = 0; i < workload->n_blocks; i++) {
        g_autofree char *block = item_of(item, i);
        workload->mix[i] = workload->blocks[i];
        if (!aft_check_written(check, block, "read_share")) {
            workload->mix[i].read_share = workload->read_share;
        }
    }
    workload->mean_read_share = 0.0;
    for (guint i = 0; i < workload->n_mix; i++) {
        workload->mean_read_share += workload->mix[i].share * workload->mix[i].read_share;
    }
}

void aft_check_mix(AftCheck *check, guint index, const char *item)
{
    AftWorkloadSpec *workload = &check->scenario->workloads[index];
    g_autofree char *list = g_strconcat(item, ".blocks", NULL);
    fill_mix(check, item, workload);
    if (workload->n_blocks == 0 || !aft_check_sound(check, list)) {
        return;
    }
    check_shares(check, item, workload);
    if (aft_check_written(check, item, "block")) {
        aft_check_error(check, item, "block", NULL, "there are blocks too: one or the other");
    }
}

/* A block is a whole part of a stripe unit, some whole units of a stripe, or whole stripes: what
 * else could be written would be several operations on stripes. */
static gboolean fits(guint64 block, const AftProtectionSpec *protection)
{
    guint64 unit = protection->stripe_unit_bytes, stripe = unit * protection->data;
    return block <= unit     ? unit % block == 0
           : block <= stripe ? block % unit == 0
                             : block % stripe == 0;
}

static void refuse_block(AftCheck *check, const char *item, guint64 block,
                         const AftProtectionSpec *protection, gint action)
{
    guint64 unit = protection->stripe_unit_bytes;
    g_autofree char *from =
        action < 0 ? g_strdup("") : g_strdup_printf(" from timeline[%d] on", action);
    g_autofree char *got = aft_check_bytes((double)block);
    g_autofree char *one = aft_check_bytes((double)unit);
    g_autofree char *all = aft_check_bytes((double)unit * protection->data);
    aft_check_error(check, item, "block", NULL,
                    "expected a whole part of a stripe unit (%s), whole units of a stripe (%s) or "
                    "whole stripes%s, got %s",
                    one, all, from, got);
}

void aft_check_block(AftCheck *check, guint index, const AftProtectionSpec *protection, gint action)
{
    const AftWorkloadSpec *workload = &check->scenario->workloads[index];
    g_autofree char *item = g_strdup_printf("workload[%u]", index);
    for (guint i = 0; i < workload->n_mix && workload->kind != AFT_WORKLOAD_TRACE; i++) {
        g_autofree char *block = workload->n_blocks > 0 ? item_of(item, i) : g_strdup(item);
        g_autofree char *path = g_strconcat(block, ".block", NULL);
        guint64 bytes = workload->mix[i].block_bytes;
        if (bytes > 0 && aft_check_sound(check, path) && !fits(bytes, protection)) {
            refuse_block(check, block, bytes, protection, action);
        }
    }
}

void aft_check_blocks(AftCheck *check, guint index, const AftPoolSpec *pool)
{
    const AftProtectionSpec *layouts[] = {&pool->initial, &pool->encoded};
    for (guint n = 0; n < G_N_ELEMENTS(layouts); n++) {
        if (aft_scheme_width(layouts[n]) > 0) {
            aft_check_block(check, index, layouts[n], -1);
        }
    }
}
