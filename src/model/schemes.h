/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schemes.h - the plans behind the table of protection schemes, one file each. */
#pragma once

#include <aftershock/model/protection.h>

/** Whole copies: a read takes one current copy, a write goes to all. */
void aft_plan_replication(const AftProtectionSpec *spec, const AftPlanRequest *request,
                          AftPlan *ret_plan);

/** k data and m parity units. A write of part of a stripe reads old data and parity
 *  (read-modify-write), or the data it does not write (reconstruct-write), whichever is fewer. */
void aft_plan_parity(const AftProtectionSpec *spec, const AftPlanRequest *request,
                     AftPlan *ret_plan);
