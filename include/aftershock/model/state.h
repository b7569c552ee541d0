/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state.h - the slow state of a cluster in coarse bins, as a text and as something to go to.
 *
 * What a cluster does depends on what has happened since it was whole last, and on where it is now.
 * A state is both: the steps that were taken, with how far tasks were between them, and the
 * present, in bins. Two clusters in one bin have one text, whenever and however they came there,
 * and a model can be brought to what the text says:
 *
 *     fail node 2, detect node 2, out node 2, | rebuild 3/8 to 4 | load 1 1 8! 9! | fill 4:8 5:8
 *
 * is three eighths into a rebuild that four nodes write, machines 8 and 9 owe, and buffers are in
 * bins (fill_bins.h) and warm all through.
 *
 * Of a part that has died before anybody knew, and just after it is known, I/O that waited tells:
 * such a state also has the calm one from which it came, and the steps since, to be simulated.
 */
#pragma once

#include <aftershock/model/model.h>
#include <aftershock/model/motion.h>

typedef struct AftState AftState;

/** Returns: (transfer full): the state of quiet @model (borrowed), which is whole. */
AftState *aft_state_new(AftModel *model);

void aft_state_free(AftState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftState, aft_state_free)

/** Notes what has happened to parts; after every slow event, or at one instant a part would seem to
 *  have failed before another, which it followed, was back. */
void aft_state_note(AftState *state);

/** Looks where the model is now; after every step of it. Returns: whether it is another state. */
gboolean aft_state_look(AftState *state);

/** All that says which state it is. Returns: (transfer none): valid until it is looked at again. */
const char *aft_state_text(const AftState *state);

/** How many steps it takes to come there since all was whole. */
guint aft_state_length(const AftState *state);

/** Whether it is one of I/O that waits, or has waited, for news of a death. */
gboolean aft_state_is_transient(const AftState *state);

/** I/O that had waited has gone on long enough: the state is as after a long time. */
void aft_state_settle(AftState *state);

/** From now on, until all is whole again, how far tasks were at a step is told exactly and not in
 *  parts, which lead to another state where little was done. Returns: whether it is another one. */
gboolean aft_state_tell_exactly(AftState *state);

/** When, in ns at the earliest, the model comes to the edge of a bin at the paces of @motion;
 *  G_MAXINT64: never. */
gint64 aft_state_edge_ns(const AftState *state, const AftMotion *motion);

/** Whether tasks work, and none of them moves by @motion. */
gboolean aft_state_stands(const AftState *state, const AftMotion *motion);

/** Where a model that was brought to a state leaves its bin, by one task: so many bytes of work are
 *  left, or fewer nodes write. */
typedef struct {
    double bytes;
    guint lanes;
} AftLeaves;

/** Brings @model, quiet and whole, to the middle of @state, or to the calm one before it if it is
 *  transient; then nothing happens there by time alone. @ret_leaves: for each AftTaskKind. */
void aft_state_enter(const AftState *state, AftModel *model, AftLeaves *ret_leaves);

/** Brings buffers that have left their bin while clients began to work in @model back to the middle
 *  of it; not of a transient state. */
void aft_state_fill_again(const AftState *state, AftModel *model);

/** Whether any task works. */
gboolean aft_state_has_work(const AftState *state);

/** The share, 0 to 1, of the work that is left in @model which it does before it leaves the bin of
 *  @state, to which it was brought with @leaves; 1: no task works. */
double aft_state_share_left(const AftState *state, const AftModel *model, const AftLeaves *leaves);

/** Whether @model has left that bin, by what its tasks have done or by how full buffers are. */
gboolean aft_state_is_left(const AftState *state, const AftModel *model, const AftLeaves *leaves);

/** What a transient state has behind the calm one: steps, and how long, in parts of the time that
 *  the cluster takes to know of a death, I/O goes on before step @i, from 0. */
guint aft_state_steps(const AftState *state);
double aft_state_waits_before(const AftState *state, guint i);

/** Takes step @i of those, in @model, which simulates I/O. */
void aft_state_step(const AftState *state, AftModel *model, guint i);
