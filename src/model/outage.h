/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outage.h - a part of the cluster that is away for a while, with everything that is away with it.
 *
 * What dies is first unknown to the cluster: I/O to its groups waits. Noticed, it is missed: its
 * members are stale from then on. After the repair delay it is out: placement counts on it no
 * longer, and its members are made again elsewhere. Ended, it is in again, and placement takes back
 * exactly what it gave away.
 *
 *     works -- begins --> unnoticed -- detect --> noticed -- repair delay --> out
 *       ^--------------------'------------------------'-------- ends ---------'
 *
 * Outages may overlap, as long as each is of a part of its own: a node, and the rack it is in.
 */
#pragma once

#include <aftershock/model/model.h>

typedef struct AftOutage AftOutage;

/** Lets @part be away from now on. @planned: the cluster knew, and its machines have left.
 *  Returns: (transfer none): it belongs to the model; valid until it has ended. */
AftOutage *aft_outage_begin(AftModel *model, const AftPart *part, gboolean planned);

/** The outage of @part that has begun and not ended. Returns: (transfer none) (nullable). */
AftOutage *aft_outage_find(const AftModel *model, const AftPart *part);

/** A number that no other outage of the model has. */
guint64 aft_outage_number(const AftOutage *outage);

/** How far an outage has come. */
typedef struct {
    guint64 number;
    AftPart part;
    gboolean unnoticed, out, ended;
} AftOutageLook;

AftOutageLook aft_outage_look(const AftOutage *outage);

/** What time alone would do to the outage of @part happens now, if it has not yet: the cluster
 *  notices it; it goes out; having ended, it comes in. */
void aft_outage_notice_now(AftModel *model, const AftPart *part);
void aft_outage_go_out_now(AftModel *model, const AftPart *part);
void aft_outage_come_in_now(AftModel *model, const AftPart *part);

/** Time alone does nothing more to any of them. */
void aft_outages_hold(AftModel *model);

/** Ends @outage: the part is back, empty if it held data itself. */
void aft_outage_end(AftOutage *outage);

/** Ends the outage of @part, if it has one that was not planned. */
void aft_outage_restore(AftModel *model, const AftPart *part);

/** @node is there from now on: it is away with its rack, or if it was said to be before it came. */
void aft_outages_join(AftModel *model, guint node);

/** Whether something of an outage is still to come by time alone. */
gboolean aft_outages_wait(const AftModel *model);

/** For the model's array of outages. */
void aft_outage_free(void *outage);
