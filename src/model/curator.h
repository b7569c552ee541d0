/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curator.h - finds background work, orders it, and keeps a bounded amount of it in flight.
 *
 * Work is a transfer, in units: one member of one group on its way to one device, or the members
 * that a conversion (conversion.h) writes together, a unit to each of them. After every
 * change the curator compares where members are with where they should be (aft_curator_review())
 * and has exactly the transfers that follow: the rest is cancelled. They wait in a queue per task
 * and target node (of the first target), groups with the fewest members to spare in front, and are
 * issued as requests on the cluster's own stations, so what they cost clients is simulated, not
 * assumed.
 */
#pragma once

#include "pool.h"
#include "request.h"

typedef struct AftCurator AftCurator;

struct AftTransfer {
    AftPool *pool;
    guint group;
    guint member; /* of a conversion, which of its parts this is: the first source it reads */
    AftTaskKind task;
    guint32 target; /* device; of a conversion AFT_NOWHERE */
    guint32 source; /* node that the member leaves; of a conversion or a scrub it has no meaning */
    guint32 node;   /* that it is counted at and coordinated by */
    guint weight;   /* targets */
    guint64 bytes;  /* to write to each target */
    guint64 issued; /* handed to requests, or done */
    guint64 done;
    guint in_flight; /* units */
    guint spare;     /* members the group could still lose, when it was queued */
    gboolean cancelled;
    gboolean spoilt;           /* what it has written is gone: it has to begin anew */
    AftConversion *conversion; /* (nullable): that it is part of */
    guint32 fresh;             /* bit per member of the group that the conversion writes */
    GList *queued; /* its link in a queue, while it has units to issue or is cancelled */
};

/** What a curator tells. */
typedef struct {
    void *context;
    void (*arrived)(void *context); /* a member has arrived at its new place */
    void (*changed)(void *context); /* how the cluster works has changed, by time alone */
    void (*happened)(void *context, const char *event, const char *subject, const char *detail);
} AftCuratorWatch;

/** Works on @pools (borrowed) by requests to @executor (borrowed), with the chance of
 *  @replication. Returns: (transfer full). */
AftCurator *aft_curator_new(const AftScenario *scenario, GPtrArray *pools, AftExecutor *executor,
                            AftTopology *topology, const AftCuratorWatch *watch,
                            guint32 replication);

void aft_curator_free(AftCurator *curator);

/** Makes the transfers of @group what its state asks for. Does nothing if it is not in use. */
void aft_curator_review(AftCurator *curator, AftPool *pool, guint group);

/** The goal of @pool is another: what scans have passed for the one before does not count. */
void aft_curator_goal_changed(AftCurator *curator, AftPool *pool);

/** Lets @task go on, or stops it: nothing new is issued then, what is in flight ends, and what
 * waits goes on waiting. Afterwards aft_curator_pump(). */
void aft_curator_set_task(AftCurator *curator, AftTaskKind task, gboolean running);

/** Whether @task is not stopped. */
gboolean aft_curator_runs(const AftCurator *curator, AftTaskKind task);

/** Switches maintenance mode: while it is on, caps on bandwidth do not hold, and nodes may have as
 *  many units of each task in flight as the mode says. Afterwards aft_curator_pump(). */
void aft_curator_set_maintenance(AftCurator *curator, gboolean on);

/** The cap on the rate of @task now, bytes a second; 0: none. */
double aft_curator_cap(const AftCurator *curator, AftTaskKind task);

/** The longest time between units of a task at work, as its cap on bandwidth spaces them, ns; 0:
 * none is capped. Of a conversion to several targets it is that of one. */
gint64 aft_curator_beat_ns(const AftCurator *curator);

/** Whether @task is under way: it runs, and has transfers or will have from the scan in progress.
 */
gboolean aft_curator_works(const AftCurator *curator, AftTaskKind task);

/** Whether the scan in progress goes on letting @task begin in more places. */
gboolean aft_curator_is_fed(const AftCurator *curator, AftTaskKind task);

/** How long the scan in progress will go on letting tasks begin, s; 0: it does not. */
double aft_curator_fed_s(const AftCurator *curator);

/** Lets begin what scans have passed by now. */
void aft_curator_catch_up(AftCurator *curator);

/** Whether groups wait for a scan that is still to come. */
gboolean aft_curator_waits(const AftCurator *curator);

/** Plans anew what conversions there should be, after a node or a goal has changed. */
void aft_curator_review_conversions(AftCurator *curator);

/** Counts anew what a scrub has before it, after nodes or members have come or gone. */
void aft_curator_recount(AftCurator *curator);

/** Puts @sectors latent errors at random, uniformly over the bytes, on the members that are on
 *  @device. Two may meet by chance. */
void aft_curator_corrupt(AftCurator *curator, guint32 device, guint64 sectors);

/** While it is quiet nothing is issued; aft_curator_advance() works all the same. */
void aft_curator_set_quiet(AftCurator *curator, gboolean quiet);

/** Issues what may be issued, on all nodes. */
void aft_curator_pump(AftCurator *curator);

/** Transfers of @task that are not finished. */
guint aft_curator_transfers(const AftCurator *curator, AftTaskKind task);

/** Evacuations of @node that are not finished. */
guint aft_curator_leaving(const AftCurator *curator, guint32 node);

/** Units of all tasks in flight now. */
guint aft_curator_in_flight(const AftCurator *curator);

/** Whether conversions wait for room. */
gboolean aft_curator_lacks_room(const AftCurator *curator);

/** Units of @task written since the start; a part of one counts as such. */
double aft_curator_units_done(const AftCurator *curator, AftTaskKind task);

/** Bytes of @task written to @node since the start; whole cluster with AFT_NOWHERE. */
double aft_curator_moved_bytes(const AftCurator *curator, AftTaskKind task, guint32 node);

/** Bytes of @task to @node that were simulated so far, issued and not taken back, and written;
 * whole cluster with AFT_NOWHERE. */
double aft_curator_issued_bytes(const AftCurator *curator, AftTaskKind task, guint32 node);
double aft_curator_written_bytes(const AftCurator *curator, AftTaskKind task, guint32 node);

/** Bytes of @task still to be issued to @node, less what aft_curator_advance() kept; whole cluster
 *  with AFT_NOWHERE. */
double aft_curator_waiting_bytes(const AftCurator *curator, AftTaskKind task, guint32 node);

/** How often @task had nothing to issue to @node so far, when more might have been in flight. */
guint64 aft_curator_idled(const AftCurator *curator, AftTaskKind task, guint32 node);

/** Writes up to @bytes of what waits for @node, in the queue's order and in whole transfers behind
 *  those in flight, without simulating them. What does not fill a transfer is kept for the next
 *  call. Afterwards aft_curator_pump(): what has arrived may have made room. */
void aft_curator_advance(AftCurator *curator, AftTaskKind task, guint32 node, double bytes);

/** The share of the transfer's bytes, 0 to 1, that have arrived. */
static inline double aft_transfer_progress(const AftTransfer *transfer)
{
    return transfer->bytes > 0 ? (double)transfer->done / (double)transfer->bytes : 0.0;
}
