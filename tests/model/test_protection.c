/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan tables against an independent judge: parity is a linear code, so whether the blocks a
 * plan reads suffice is a question of rank, answered here in a prime field so large that a code
 * drawn at random is as good as any with the same zeros. */
#include "test.h"

#include <aftershock/model/protection.h>

#include <string.h>

#define PRIME 2147483647u

static const AftProtectionSpec schemes[] = {
    {.kind = AFT_SCHEME_NONE, .data = 1, .parity = 0},
    {.kind = AFT_SCHEME_REPLICATION, .data = 1, .parity = 1},
    {.kind = AFT_SCHEME_REPLICATION, .data = 1, .parity = 2},
    {.kind = AFT_SCHEME_PARITY, .data = 1, .parity = 0},
    {.kind = AFT_SCHEME_PARITY, .data = 4, .parity = 0},
    {.kind = AFT_SCHEME_PARITY, .data = 2, .parity = 1},
    {.kind = AFT_SCHEME_PARITY, .data = 3, .parity = 1},
    {.kind = AFT_SCHEME_PARITY, .data = 4, .parity = 2},
    {.kind = AFT_SCHEME_PARITY, .data = 5, .parity = 3},
    {.kind = AFT_SCHEME_PARITY, .data = 8, .parity = 3},
    {.kind = AFT_SCHEME_LRC, .data = 2, .local = 2, .parity = 1},
    {.kind = AFT_SCHEME_LRC, .data = 3, .local = 1, .parity = 2},
    {.kind = AFT_SCHEME_LRC, .data = 4, .local = 2, .parity = 1},
    {.kind = AFT_SCHEME_LRC, .data = 4, .local = 2, .parity = 2},
    {.kind = AFT_SCHEME_LRC, .data = 6, .local = 2, .parity = 2},
};

static const AftProtectionSpec rf2 = {.kind = AFT_SCHEME_REPLICATION, .data = 1, .parity = 1};
static const AftProtectionSpec rf3 = {.kind = AFT_SCHEME_REPLICATION, .data = 1, .parity = 2};
static const AftProtectionSpec raid5 = {.kind = AFT_SCHEME_PARITY, .data = 3, .parity = 1};
static const AftProtectionSpec ec42 = {.kind = AFT_SCHEME_PARITY, .data = 4, .parity = 2};
static const AftProtectionSpec lrc = {.kind = AFT_SCHEME_LRC, .data = 12, .local = 2, .parity = 2};

/* What a plan does, members as bits. */
typedef struct {
    guint32 reads, writes;
    guint n_reads, n_writes;
} Cost;

static AftPlan make_plan(const AftProtectionSpec *spec, AftOperation operation, guint first,
                         guint units, guint32 current, guint turn)
{
    AftPlanRequest request = {operation, first, units, current, turn};
    AftPlan plan;
    memset(&plan, 0xff, sizeof(plan)); /* nothing may be left from before */
    aft_protection_plan(spec, &request, &plan);
    return plan;
}

/* Reads come first, then writes; a stage is never empty; no member is read or written twice. */
static Cost cost_of(const AftPlan *plan)
{
    Cost cost = {0};
    gboolean writing = FALSE;
    assert_true(plan->n_stages >= 1 && plan->n_stages <= AFT_STAGES_MOST);
    assert_int_equal(plan->stage_begin[0], 0);
    for (guint stage = 0; stage < plan->n_stages; stage++) {
        assert_true(plan->stage_begin[stage + 1] > plan->stage_begin[stage]);
        for (guint i = plan->stage_begin[stage]; i < plan->stage_begin[stage + 1]; i++) {
            guint32 *members = plan->step[i].write ? &cost.writes : &cost.reads;
            guint32 bit = 1u << plan->step[i].member;
            assert_int_equal(*members & bit, 0);
            assert_int_equal(plan->step[i].write, stage == plan->n_stages - 1
                                                      ? plan->step[plan->stage_begin[stage]].write
                                                      : 0);
            assert_true(!writing || plan->step[i].write);
            *members |= bit;
            writing = plan->step[i].write != 0;
        }
    }
    cost.n_reads = (guint)__builtin_popcount(cost.reads);
    cost.n_writes = (guint)__builtin_popcount(cost.writes);
    return cost;
}

static guint64 power(guint64 base, guint exponent)
{
    guint64 result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % PRIME) {
        result = (exponent & 1) ? result * base % PRIME : result;
    }
    return result;
}

/* Anything but 0, the mixing of splitmix64. */
static guint32 coefficient(guint member, guint unit)
{
    guint64 x = (member * AFT_WIDTH_MOST + unit + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return (guint32)(1 + (x ^ x >> 31) % (PRIME - 1));
}

/* Whether parity @member covers data unit @unit: a local one covers only its group. */
static gboolean covers(const AftProtectionSpec *spec, guint member, guint unit)
{
    return member >= spec->data + spec->local ||
           unit / (spec->data / spec->local) == member - spec->data;
}

static void member_row(const AftProtectionSpec *spec, guint member, guint32 *row)
{
    for (guint i = 0; i < spec->data; i++) {
        if (member < spec->data) {
            row[i] = member == i;
        } else {
            row[i] = covers(spec, member, i) ? coefficient(member, i) : 0;
        }
    }
}

typedef struct {
    guint columns, n;
    guint32 row[AFT_WIDTH_MOST][AFT_WIDTH_MOST]; /* in echelon form */
    guint pivot[AFT_WIDTH_MOST];
} Space;

/* Takes from @row what @space already holds of it. Returns: whether nothing is left. */
static gboolean reduce(const Space *space, guint32 *row)
{
    for (guint r = 0; r < space->n; r++) {
        guint64 factor = row[space->pivot[r]];
        for (guint i = 0; i < space->columns && factor != 0; i++) {
            row[i] = (guint32)((row[i] + (PRIME - factor) * space->row[r][i]) % PRIME);
        }
    }
    for (guint i = 0; i < space->columns; i++) {
        if (row[i] != 0) {
            return FALSE;
        }
    }
    return TRUE;
}

static void extend(Space *space, const guint32 *added)
{
    guint32 *row = space->row[space->n];
    memcpy(row, added, sizeof(space->row[0]));
    if (reduce(space, row)) {
        return;
    }
    guint pivot = 0;
    while (row[pivot] == 0) {
        pivot++;
    }
    guint64 inverse = power(row[pivot], PRIME - 2);
    for (guint i = 0; i < space->columns; i++) {
        row[i] = (guint32)(row[i] * inverse % PRIME);
    }
    space->pivot[space->n++] = pivot;
}

static void span_of(const AftProtectionSpec *spec, guint32 members, Space *space)
{
    *space = (Space){.columns = spec->data};
    for (guint m = 0; m < aft_protection_width(spec); m++) {
        if (members >> m & 1) {
            guint32 row[AFT_WIDTH_MOST] = {0};
            member_row(spec, m, row);
            extend(space, row);
        }
    }
}

/* Whether the members @read tell the data units @wanted. */
static gboolean tells(const AftProtectionSpec *spec, guint32 read, guint32 wanted)
{
    Space space;
    span_of(spec, read, &space);
    for (guint m = 0; m < aft_protection_width(spec); m++) {
        guint32 row[AFT_WIDTH_MOST] = {0};
        member_row(spec, m, row);
        if ((wanted >> m & 1) && !reduce(&space, row)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Whether the members @read suffice to know every parity unit of @parity once the data units of
 * @target have new, known contents: of each parity the part of the other data must be known. */
static gboolean updates(const AftProtectionSpec *spec, guint32 read, guint32 target, guint32 parity)
{
    Space space;
    span_of(spec, read, &space);
    for (guint m = spec->data; m < aft_protection_width(spec); m++) {
        guint32 row[AFT_WIDTH_MOST] = {0};
        member_row(spec, m, row);
        for (guint i = 0; i < spec->data; i++) {
            row[i] = (target >> i & 1) ? 0 : row[i];
        }
        if ((parity >> m & 1) && !reduce(&space, row)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The fewest of @current that tell @wanted and update @parity when @target is written, by trying
 * every set of them. */
static guint fewest_reads(const AftProtectionSpec *spec, guint32 current, guint32 wanted,
                          guint32 target, guint32 parity)
{
    guint fewest = G_MAXUINT;
    for (guint32 set = current;; set = (set - 1) & current) {
        guint size = (guint)__builtin_popcount(set);
        if (size < fewest && tells(spec, set, wanted) && updates(spec, set, target, parity)) {
            fewest = size;
        }
        if (set == 0) {
            return fewest;
        }
    }
}

static guint32 some_bits(guint first, guint n)
{
    return (guint32)(((G_GUINT64_CONSTANT(1) << n) - 1) << first);
}

typedef void (*Check)(const AftProtectionSpec *spec, guint32 current);

static gboolean are_copies(const AftProtectionSpec *spec)
{
    return spec->kind == AFT_SCHEME_NONE || spec->kind == AFT_SCHEME_REPLICATION;
}

static gboolean readable(const AftProtectionSpec *spec, guint32 current)
{
    return are_copies(spec) ? current != 0 : tells(spec, current, some_bits(0, spec->data));
}

/* The parity that has to follow a write of @target. */
static guint32 parity_over(const AftProtectionSpec *spec, guint32 target)
{
    guint32 parity = 0;
    for (guint m = spec->data; m < aft_protection_width(spec) && !are_copies(spec); m++) {
        for (guint unit = 0; unit < spec->data; unit++) {
            parity |= (guint32)((target >> unit & 1) && covers(spec, m, unit)) << m;
        }
    }
    return parity;
}

/* 2^11 sets for each of 8,000 operations would take minutes. */
static gboolean is_small(const AftProtectionSpec *spec)
{
    return aft_protection_width(spec) <= 8;
}

static void for_every_state(Check check)
{
    for (guint s = 0; s < G_N_ELEMENTS(schemes); s++) {
        for (guint32 current = 0; current <= aft_protection_everyone(&schemes[s]); current++) {
            if (readable(&schemes[s], current)) {
                check(&schemes[s], current);
            }
        }
    }
}

static void a_scheme_has_its_geometry(void **state)
{
    (void)state;
    assert_int_equal(aft_protection_width(&ec42), 6);
    assert_int_equal(aft_protection_everyone(&ec42), 0x3f);
    assert_within(aft_protection_overhead(&ec42), 1.5, 0.0);
    assert_int_equal(aft_protection_width(&rf3), 3);
    assert_within(aft_protection_overhead(&rf3), 3.0, 0.0);
    assert_int_equal(aft_protection_choices(&ec42, 1), 4);
    assert_int_equal(aft_protection_choices(&ec42, 4), 1);
    assert_int_equal(aft_protection_choices(&rf3, 1), 3);
    assert_int_equal(aft_protection_width(&lrc), 16);
    assert_int_equal(aft_protection_everyone(&lrc), 0xffff);
    assert_within(aft_protection_overhead(&lrc), 16.0 / 12.0, 0.0);
    assert_int_equal(aft_protection_choices(&lrc, 1), 12);
    AftProtectionSpec widest = {.kind = AFT_SCHEME_PARITY, .data = 28, .parity = 4};
    assert_int_equal(aft_protection_everyone(&widest), G_MAXUINT32);
}

static void a_block_covers_units_it_touches_up_to_the_whole_stripe(void **state)
{
    (void)state;
    AftProtectionSpec spec = ec42;
    spec.stripe_unit_bytes = 65536;
    assert_int_equal(aft_protection_units(&spec, 512), 1);
    assert_int_equal(aft_protection_units(&spec, 65536), 1);
    assert_int_equal(aft_protection_units(&spec, 2 * 65536), 2);
    assert_int_equal(aft_protection_units(&spec, 4 * 65536), 4);
    assert_int_equal(aft_protection_units(&spec, 8 * 65536), 4);
}

/* Losing any `spare` more leaves the data readable, and some one more does not. */
static void check_spare(const AftProtectionSpec *spec, guint32 current)
{
    guint spare = aft_protection_spare(spec, current), fatal = G_MAXUINT;
    for (guint32 left = current;; left = (left - 1) & current) {
        if (!readable(spec, left)) {
            fatal = MIN(fatal, (guint)__builtin_popcount(current & ~left));
        }
        if (left == 0) {
            break;
        }
    }
    assert_int_equal(spare, fatal - 1);
}

static void what_is_to_spare_may_be_lost_whichever_it_is(void **state)
{
    (void)state;
    for_every_state(check_spare);
}

/* Of all ways to lose @lost members, those that leave the data readable. */
static void assert_readable_ways(guint data, guint local, guint parity, guint lost, guint ways)
{
    AftProtectionSpec spec = {.kind = AFT_SCHEME_LRC,
                              .data = data,
                              .local = local,
                              .parity = parity};
    guint32 everyone = aft_protection_everyone(&spec);
    guint found = 0;
    for (guint32 missing = 0; missing <= everyone; missing++) {
        if ((guint)__builtin_popcount(missing) == lost) {
            gboolean survives = aft_protection_readable(&spec, everyone & ~missing);
            assert_int_equal(survives, readable(&spec, everyone & ~missing));
            found += survives ? 1 : 0;
        }
    }
    assert_int_equal(found, ways);
}

/* Huang et al. 2012 has the first: all 3 failures, 86 % of 4. */
static void local_codes_survive_what_the_best_code_survives(void **state)
{
    (void)state;
    assert_readable_ways(6, 2, 2, 3, 120);
    assert_readable_ways(6, 2, 2, 4, 180);
    assert_readable_ways(6, 2, 2, 5, 0);
    assert_readable_ways(12, 2, 2, 4, 1568);
    assert_readable_ways(10, 2, 4, 6, 7588);
}

static void too_few_members_leave_nothing_to_plan(void **state)
{
    (void)state;
    for (guint s = 0; s < G_N_ELEMENTS(schemes); s++) {
        for (guint32 current = 0; current <= aft_protection_everyone(&schemes[s]); current++) {
            AftPlan plan = make_plan(&schemes[s], AFT_OPERATION_READ, 0, 1, current, 0);
            assert_int_equal(plan.possible, readable(&schemes[s], current));
            assert_int_equal(plan.n_stages, plan.possible ? 1 : 0);
        }
    }
}

static void check_read(const AftProtectionSpec *spec, guint32 current, guint first, guint units)
{
    AftPlan plan = make_plan(spec, AFT_OPERATION_READ, first, units, current, 0);
    Cost cost = cost_of(&plan);
    guint32 wanted = some_bits(first, units);
    gboolean all_there = (wanted & ~current) == 0;
    assert_int_equal(cost.n_writes, 0);
    assert_int_equal(cost.reads & ~current, 0);
    assert_int_equal(plan.degraded, !are_copies(spec) && !all_there);
    if (are_copies(spec)) {
        assert_int_equal(cost.n_reads, 1);
    } else if (all_there) {
        assert_int_equal(cost.reads, wanted);
    } else {
        assert_true(cost.n_reads <= spec->data && tells(spec, cost.reads, wanted));
        assert_true(spec->local > 0 || cost.n_reads == spec->data);
        assert_true(!is_small(spec) || cost.n_reads == fewest_reads(spec, current, wanted, 0, 0));
    }
}

static void check_reads(const AftProtectionSpec *spec, guint32 current)
{
    for (guint units = 1; units <= spec->data; units++) {
        for (guint first = 0; first < aft_protection_choices(spec, units); first++) {
            check_read(spec, current, first, units);
        }
    }
}

static void a_read_takes_what_is_there_and_decodes_the_rest_from_the_fewest(void **state)
{
    (void)state;
    for_every_state(check_reads);
}

static void check_write(const AftProtectionSpec *spec, guint32 current, guint first, guint units)
{
    guint32 everyone = aft_protection_everyone(spec);
    guint32 target = are_copies(spec) ? everyone : some_bits(first, units);
    guint32 parity = parity_over(spec, target) & current;
    AftPlan plan = make_plan(spec, AFT_OPERATION_WRITE, first, units, current, 0);
    AftPlan healthy = make_plan(spec, AFT_OPERATION_WRITE, first, units, everyone, 0);
    Cost cost = cost_of(&plan), whole = cost_of(&healthy);
    assert_int_equal(cost.writes, (target & current) | parity);
    assert_int_equal(cost.reads & ~current, 0);
    assert_int_equal(plan.degraded, ((whole.reads | whole.writes) & ~current) != 0);
    if (are_copies(spec)) {
        assert_int_equal(cost.n_reads, 0);
    } else {
        assert_true(cost.n_reads <= spec->data && updates(spec, cost.reads, target, parity));
        assert_true(!is_small(spec) ||
                    cost.n_reads == fewest_reads(spec, current, 0, target, parity));
    }
}

static void check_writes(const AftProtectionSpec *spec, guint32 current)
{
    for (guint units = 1; units <= spec->data; units++) {
        for (guint first = 0; first < aft_protection_choices(spec, units); first++) {
            check_write(spec, current, first, units);
        }
    }
}

static void a_write_reaches_all_that_is_there_and_knows_the_parity_from_the_fewest(void **state)
{
    (void)state;
    for_every_state(check_writes);
}

static void part_of_a_healthy_stripe_reads_the_smaller_of_two_sets(void **state)
{
    (void)state;
    for (guint s = 0; s < G_N_ELEMENTS(schemes); s++) {
        const AftProtectionSpec *spec = &schemes[s];
        guint32 everyone = aft_protection_everyone(spec);
        for (guint n = 1; n <= spec->data && spec->kind == AFT_SCHEME_PARITY; n++) {
            AftPlan plan = make_plan(spec, AFT_OPERATION_WRITE, 0, n, everyone, 0);
            Cost cost = cost_of(&plan);
            guint smaller = MIN(n + spec->parity, spec->data - n);
            assert_int_equal(cost.n_reads, spec->parity == 0 ? 0 : smaller);
            assert_int_equal(cost.n_writes, n + spec->parity);
            assert_int_equal(plan.degraded, FALSE);
        }
    }
}

static void check_repair(const AftProtectionSpec *spec, guint32 current, guint m, guint turn)
{
    AftPlan plan = make_plan(spec, AFT_OPERATION_REPAIR, m, 1, current, turn);
    Cost cost = cost_of(&plan);
    assert_int_equal(plan.n_stages, 2);
    assert_int_equal(cost.writes, 1u << m);
    assert_int_equal(cost.reads & ~current, 0);
    assert_true(spec->local > 0 || cost.n_reads == spec->data);
    if (!are_copies(spec)) {
        assert_true(tells(spec, cost.reads, 1u << m));
        assert_true(!is_small(spec) || cost.n_reads == fewest_reads(spec, current, 1u << m, 0, 0));
    }
}

static void check_repairs(const AftProtectionSpec *spec, guint32 current)
{
    guint width = aft_protection_width(spec);
    for (guint m = 0; m < width; m++) {
        for (guint turn = 0; turn < width && !(current >> m & 1); turn++) {
            check_repair(spec, current, m, turn);
        }
    }
}

static void a_repair_reads_the_fewest_and_writes_one(void **state)
{
    (void)state;
    for_every_state(check_repairs);
}

/* LRC(12,2,2): units 0 to 5 and 6 to 11, parity 12 and 13 of each, 14 and 15 of all. */
static void local_groups_help_themselves_by_hand(void **state)
{
    (void)state;
    static const struct {
        AftOperation operation;
        guint first, units;
        guint32 missing;
        guint n_reads, n_writes;
        guint32 reads; /* 0: any that do */
    } cases[] = {
        {AFT_OPERATION_READ, 3, 1, 0x0008, 6, 0, 0x1037},
        {AFT_OPERATION_READ, 3, 1, 0xc088, 6, 0, 0x1037}, /* others do not matter */
        {AFT_OPERATION_READ, 3, 2, 0x0008, 6, 0, 0x1037},
        {AFT_OPERATION_READ, 5, 2, 0x0060, 12, 0, 0x3f9f},
        {AFT_OPERATION_READ, 3, 1, 0x1008, 12, 0, 0},
        {AFT_OPERATION_READ, 3, 1, 0x4018, 12, 0, 0},
        {AFT_OPERATION_WRITE, 3, 1, 0, 4, 4, 0xd008},
        {AFT_OPERATION_WRITE, 3, 1, 0x0010, 4, 4, 0xd008},
        {AFT_OPERATION_WRITE, 3, 1, 0x0008, 8, 3, 0xd037},
        {AFT_OPERATION_WRITE, 3, 1, 0x1000, 3, 3, 0xc008},
        {AFT_OPERATION_WRITE, 3, 1, 0x4000, 3, 3, 0x9008},
        {AFT_OPERATION_WRITE, 3, 1, 0xc000, 2, 2, 0x1008},
        {AFT_OPERATION_WRITE, 3, 1, 0xd000, 0, 1, 0},
        {AFT_OPERATION_WRITE, 3, 1, 0xc008, 5, 1, 0x0037},
        {AFT_OPERATION_WRITE, 0, 6, 0, 6, 9, 0x0fc0},
        {AFT_OPERATION_WRITE, 0, 6, 0x0080, 6, 9, 0x2f40},
        {AFT_OPERATION_WRITE, 0, 12, 0, 0, 16, 0},
        {AFT_OPERATION_REPAIR, 3, 1, 0x0008, 6, 1, 0x1037},
        {AFT_OPERATION_REPAIR, 13, 1, 0x2000, 6, 1, 0x0fc0},
        {AFT_OPERATION_REPAIR, 14, 1, 0x4000, 12, 1, 0x0fff},
        {AFT_OPERATION_REPAIR, 13, 1, 0xf000, 6, 1, 0x0fc0},
        {AFT_OPERATION_REPAIR, 14, 1, 0x4008, 12, 1, 0x1ff7},
        {AFT_OPERATION_REPAIR, 3, 1, 0x0018, 12, 1, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        AftPlan plan = make_plan(&lrc, cases[i].operation, cases[i].first, cases[i].units,
                                 0xffff & ~cases[i].missing, 0);
        Cost cost = cost_of(&plan);
        assert_int_equal(cost.n_reads, cases[i].n_reads);
        assert_int_equal(cost.n_writes, cases[i].n_writes);
        assert_true(cases[i].reads == 0 || cost.reads == cases[i].reads);
    }
}

static void check_moves(const AftProtectionSpec *spec, guint32 current)
{
    for (guint m = 0; m < aft_protection_width(spec); m++) {
        if (current >> m & 1) {
            AftPlan plan = make_plan(spec, AFT_OPERATION_MOVE, m, 1, current, 5);
            Cost cost = cost_of(&plan);
            assert_int_equal(plan.n_stages, 2);
            assert_int_equal(cost.reads, 1u << m);
            assert_int_equal(cost.writes, 1u << m);
        }
    }
}

static void a_move_reads_one_and_writes_one(void **state)
{
    (void)state;
    for_every_state(check_moves);
}

/* Over a full turn every source serves alike when one member is to be made again. */
static void repairs_take_turns_over_their_sources(void **state)
{
    (void)state;
    for (guint s = 0; s < G_N_ELEMENTS(schemes); s++) {
        const AftProtectionSpec *spec = &schemes[s];
        guint width = aft_protection_width(spec), total = 0;
        guint used[AFT_WIDTH_MOST] = {0};
        if (spec->parity == 0 || spec->local > 0) {
            continue; /* nothing is left to repair from, or just the group */
        }
        for (guint m = 0; m < width; m++) {
            guint32 current = aft_protection_everyone(spec) & ~(1u << m);
            for (guint turn = 0; turn < width; turn++) {
                AftPlan plan = make_plan(spec, AFT_OPERATION_REPAIR, m, 1, current, turn);
                guint32 reads = cost_of(&plan).reads;
                for (guint i = 0; i < width; i++) {
                    used[i] += reads >> i & 1;
                }
            }
        }
        for (guint i = 0; i < width; i++) {
            total += used[i];
            assert_int_equal(used[i], used[0]);
        }
        assert_int_equal(total, width * width * spec->data);
    }
}

/* The sums over every way to lay a stripe on @nodes nodes of which the first @down are down. */
typedef struct {
    const AftProtectionSpec *spec;
    guint nodes, down, units;
    double placements, operations; /* operations: those that are possible, for each `first` */
    double read_reads, write_reads, write_writes;
} Average;

static void add_operations(Average *average, guint32 current)
{
    for (guint first = 0; first < aft_protection_choices(average->spec, average->units); first++) {
        AftPlan read =
            make_plan(average->spec, AFT_OPERATION_READ, first, average->units, current, 0);
        AftPlan write =
            make_plan(average->spec, AFT_OPERATION_WRITE, first, average->units, current, 0);
        if (read.possible) {
            Cost of_write = cost_of(&write);
            average->operations++;
            average->read_reads += cost_of(&read).n_reads;
            average->write_reads += of_write.n_reads;
            average->write_writes += of_write.n_writes;
        }
    }
}

/* Puts member @member on every node that is free in @taken, and those behind it too. */
static void place_rest(Average *average, guint member, guint32 taken, guint32 current)
{
    if (member == aft_protection_width(average->spec)) {
        average->placements++;
        add_operations(average, current);
        return;
    }
    for (guint node = 0; node < average->nodes; node++) {
        if (!(taken >> node & 1)) {
            guint32 there = node >= average->down ? 1u << member : 0;
            place_rest(average, member + 1, taken | 1u << node, current | there);
        }
    }
}

static Average average_over(const AftProtectionSpec *spec, guint nodes, guint down, guint units)
{
    Average average = {.spec = spec, .nodes = nodes, .down = down, .units = units};
    place_rest(&average, 0, 0, 0);
    average.read_reads /= average.operations;
    average.write_reads /= average.operations;
    average.write_writes /= average.operations;
    return average;
}

/* Sums of whole numbers over at most 5,040 placements: only the division rounds. */
#define EXACT 1e-12

static void raid5_on_five_nodes_costs_by_hand(void **state)
{
    (void)state;
    Average healthy = average_over(&raid5, 5, 0, 1), degraded = average_over(&raid5, 5, 1, 1);
    assert_within(healthy.placements, 120.0, 0.0);
    assert_within(healthy.read_reads, 1.0, EXACT);
    assert_within(healthy.write_reads, 2.0, EXACT);
    assert_within(healthy.write_writes, 2.0, EXACT);
    assert_within(degraded.read_reads, 1.4, EXACT);
    assert_within(degraded.write_reads, 1.6, EXACT);
    assert_within(degraded.write_writes, 1.6, EXACT);
}

static void ec_4_2_on_seven_nodes_costs_by_hand(void **state)
{
    (void)state;
    Average healthy = average_over(&ec42, 7, 0, 1), degraded = average_over(&ec42, 7, 1, 1);
    Average worse = average_over(&ec42, 7, 2, 1);
    assert_within(healthy.write_reads, 3.0, EXACT);
    assert_within(healthy.write_writes, 3.0, EXACT);
    assert_within(degraded.read_reads, 1.0 + 3.0 / 7.0, EXACT);
    assert_within(degraded.write_reads, 3.0 - 2.0 / 7.0, EXACT);
    assert_within(degraded.write_writes, 3.0 - 3.0 / 7.0, EXACT);
    assert_within(worse.read_reads, 1.0 + 3.0 * 2.0 / 7.0, EXACT);
    assert_within(worse.write_writes, 3.0 - 3.0 * 2.0 / 7.0, EXACT);
    assert_within(worse.operations, 5040.0 * 4.0, 0.0); /* none of them is lost */
}

static void copies_on_any_nodes_cost_by_hand(void **state)
{
    (void)state;
    for (guint nodes = 3; nodes <= 9; nodes++) {
        double p = 1.0 / nodes;
        assert_within(average_over(&rf2, nodes, 0, 1).write_writes, 2.0, EXACT);
        assert_within(average_over(&rf2, nodes, 1, 1).write_writes, 2.0 - 2.0 * p, EXACT);
        assert_within(average_over(&rf3, nodes, 1, 1).write_writes, 3.0 - 3.0 * p, EXACT);
        assert_within(average_over(&rf3, nodes, 2, 1).write_writes, 3.0 - 6.0 * p, EXACT);
        assert_within(average_over(&rf3, nodes, 2, 1).read_reads, 1.0, EXACT);
        assert_within(average_over(&rf3, nodes, 2, 1).write_reads, 0.0, EXACT);
    }
}

static void a_full_stripe_costs_its_overhead_and_no_read(void **state)
{
    (void)state;
    for (guint s = 0; s < G_N_ELEMENTS(schemes); s++) {
        const AftProtectionSpec *spec = &schemes[s];
        AftPlan plan =
            make_plan(spec, AFT_OPERATION_WRITE, 0, spec->data, aft_protection_everyone(spec), 0);
        Cost cost = cost_of(&plan);
        assert_int_equal(cost.n_reads, 0);
        assert_within((double)cost.n_writes / spec->data, aft_protection_overhead(spec), 0.0);
    }
}

static void a_thousand_ios_at_40_60_cost_2800_on_raid5(void **state)
{
    (void)state;
    Average cost = average_over(&raid5, 5, 0, 1);
    double back_end = 400.0 * cost.read_reads + 600.0 * (cost.write_reads + cost.write_writes);
    assert_within(back_end, 2800.0, 2800.0 * EXACT);
}

static void every_kind_has_a_row_of_its_own(void **state)
{
    (void)state;
    guint n = 0;
    const AftProtection *all = aft_protection_all(&n);
    for (guint i = 0; i < n; i++) {
        assert_ptr_equal(aft_protection_get((AftSchemeKind)i), &all[i]);
        assert_non_null(all[i].help);
        for (guint other = 0; other < i; other++) {
            assert_string_not_equal(all[i].name, all[other].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scheme_has_its_geometry),
        cmocka_unit_test(a_block_covers_units_it_touches_up_to_the_whole_stripe),
        cmocka_unit_test(what_is_to_spare_may_be_lost_whichever_it_is),
        cmocka_unit_test(local_codes_survive_what_the_best_code_survives),
        cmocka_unit_test(too_few_members_leave_nothing_to_plan),
        cmocka_unit_test(a_read_takes_what_is_there_and_decodes_the_rest_from_the_fewest),
        cmocka_unit_test(a_write_reaches_all_that_is_there_and_knows_the_parity_from_the_fewest),
        cmocka_unit_test(part_of_a_healthy_stripe_reads_the_smaller_of_two_sets),
        cmocka_unit_test(a_repair_reads_the_fewest_and_writes_one),
        cmocka_unit_test(local_groups_help_themselves_by_hand),
        cmocka_unit_test(a_move_reads_one_and_writes_one),
        cmocka_unit_test(repairs_take_turns_over_their_sources),
        cmocka_unit_test(raid5_on_five_nodes_costs_by_hand),
        cmocka_unit_test(ec_4_2_on_seven_nodes_costs_by_hand),
        cmocka_unit_test(copies_on_any_nodes_cost_by_hand),
        cmocka_unit_test(a_full_stripe_costs_its_overhead_and_no_read),
        cmocka_unit_test(a_thousand_ios_at_40_60_cost_2800_on_raid5),
        cmocka_unit_test(every_kind_has_a_row_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
