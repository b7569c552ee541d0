/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "owed.h"

typedef struct {
    gint64 time_ns;
    gint64 number; /* of the piece that arrived then, counted from 0 */
} Knot;

/* Knots lie this share of the owed work apart, or a piece. */
#define KNOT_SHARE 32

void aft_owed_init(AftOwed *owed)
{
    *owed = (AftOwed){0};
}

void aft_owed_clear(AftOwed *owed)
{
    g_clear_pointer(&owed->knots, g_array_unref);
}

static const Knot *knot(const AftOwed *owed, guint i)
{
    return &g_array_index(owed->knots, Knot, owed->first_knot + i);
}

static guint n_knots(const AftOwed *owed)
{
    return owed->knots == NULL ? 0 : owed->knots->len - owed->first_knot;
}

static void add_knot(AftOwed *owed, gint64 time_ns, gint64 number)
{
    if (owed->knots == NULL) {
        owed->knots = g_array_new(FALSE, FALSE, sizeof(Knot));
    }
    Knot added = {time_ns, number};
    g_array_append_val(owed->knots, added);
}

static void forget_knots(AftOwed *owed)
{
    if (owed->knots != NULL) {
        g_array_set_size(owed->knots, 0);
    }
    owed->first_knot = 0;
}

/* Marks that piece @number arrived at @time_ns, if the last mark is far enough behind. */
static void mark(AftOwed *owed, gint64 time_ns, gint64 number)
{
    guint n = n_knots(owed);
    if (n == 0 || number - knot(owed, n - 1)->number >= MAX(owed->count / KNOT_SHARE, 1)) {
        add_knot(owed, time_ns, number);
    }
}

void aft_owed_add(AftOwed *owed, gint64 now_ns)
{
    if (owed->count == 0) {
        forget_knots(owed);
    }
    mark(owed, now_ns, owed->arrived);
    owed->last_ns = now_ns;
    owed->arrived++;
    owed->count++;
}

void aft_owed_give_back(AftOwed *owed, gint64 pieces, gint64 now_ns)
{
    if (owed->count == 0) {
        forget_knots(owed);
        add_knot(owed, now_ns, owed->arrived - 1);
        owed->last_ns = now_ns;
    }
    owed->count += pieces;
}

void aft_owed_withdraw(AftOwed *owed)
{
    owed->arrived--;
    for (guint i = 0; i < n_knots(owed); i++) {
        g_array_index(owed->knots, Knot, owed->first_knot + i).number--;
    }
}

/* Drops knots behind the piece that arrived as number @number. */
static void pass_knots(AftOwed *owed, gint64 number)
{
    while (n_knots(owed) > 1 && knot(owed, 1)->number <= number) {
        owed->first_knot++;
    }
    if (owed->first_knot > 64 && owed->first_knot > owed->knots->len / 2) {
        g_array_remove_range(owed->knots, 0, owed->first_knot);
        owed->first_knot = 0;
    }
}

/* When piece @number arrived: on the line between the knots around it, or the last knot and the
 * last piece. */
static gint64 arrival_ns(const AftOwed *owed, gint64 number)
{
    const Knot *before = knot(owed, 0);
    Knot after = n_knots(owed) > 1 ? *knot(owed, 1) : (Knot){owed->last_ns, owed->arrived - 1};
    if (number <= before->number || after.number <= before->number) {
        return before->time_ns;
    }
    double share = (double)(number - before->number) / (double)(after.number - before->number);
    return before->time_ns + (gint64)(share * (double)(after.time_ns - before->time_ns));
}

gint64 aft_owed_take(AftOwed *owed, gint64 now_ns)
{
    g_assert(owed->count > 0);
    gint64 number = owed->arrived - owed->count;
    pass_knots(owed, number);
    gint64 waited_ns = MAX(now_ns - arrival_ns(owed, number), 0);
    owed->count--;
    owed->least = MIN(owed->least, owed->count);
    return waited_ns;
}

gint64 aft_owed_waits_ns(AftOwed *owed, gint64 now_ns)
{
    gint64 number = owed->arrived - owed->count;
    if (owed->count == 0) {
        return 0;
    }
    pass_knots(owed, number);
    return MAX(now_ns - arrival_ns(owed, number), 0);
}

void aft_owed_jump(AftOwed *owed, gint64 from_ns, gint64 to_ns, gint64 arrived, gint64 count)
{
    g_assert(arrived >= 0 && count >= 0 && count <= owed->count + arrived);
    if (owed->count == 0 && count == 0) { /* none of them waited */
        owed->arrived += arrived;
        return;
    }
    if (owed->count == 0) {
        forget_knots(owed);
    }
    if (arrived > 0) {
        mark(owed, from_ns, owed->arrived);
        owed->arrived += arrived;
        mark(owed, to_ns, owed->arrived - 1);
        owed->last_ns = to_ns;
    }
    owed->count = count;
    pass_knots(owed, owed->arrived - owed->count);
}

void aft_owed_watch(AftOwed *owed)
{
    owed->least = owed->count;
}
