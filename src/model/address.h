/* SPDX-License-Identifier: GPL-3.0-or-later */
/* address.h - where a client's I/O goes: to a chunk, hence to a group and a unit of its stripe, and
 * by a plan of the group's layout to devices.
 *
 * What the I/O is about stays the same while its group is converted; where that is does not. So the
 * group is looked up again, and the plan made, whenever the I/O sets out.
 */
#pragma once

#include "clients.h"

/** Makes the working set and the ways of @clients, whose pool and spec are set. */
void aft_address_init(AftClients *clients);

void aft_address_clear(AftClients *clients);

/** Lets @stream choose what @request is about; something must be live. */
void aft_address_choose(const AftClients *clients, AftStream *stream, AftRequest *request);

/** The group of @request is in use no longer: finds the one that its data is in now. */
void aft_address_follow(const AftClients *clients, AftRequest *request);

/** Plans @request by the state of its group, and counts what it writes.
 *  Returns: FALSE when its data is not readable. */
gboolean aft_address_plan(const AftClients *clients, AftRequest *request);
