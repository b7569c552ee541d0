/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trial.h"

#include <aftershock/base/error.h>

#include <math.h>

/* A search, and where it is: at one combination of all axes but the longest range. */
typedef struct {
    const AftSizeSetup *setup;
    AftSizing *sizing;
    guint longest; /* the axis along which the search halves; n_axes: there is no range */
    guint combination;
    guint chosen[AFT_SIZE_MOST_AXES]; /* value of each axis, in this combination */
    AftSized **line;                  /* along the longest range; NULL: not looked at */
    guint n_line;
    gboolean possible; /* some scenario could be made */
    GError *why_not;   /* (nullable): why the first could not */
    GError *error;     /* (nullable): nothing is required */
} Search;

static const AftSizeAxis *axis_of(const Search *search, guint i)
{
    return search->setup->axes->pdata[i];
}

static gboolean is_stopped(const Search *search)
{
    gint *flag = search->setup->interrupted;
    return search->error != NULL || (flag != NULL && g_atomic_int_get(flag) != 0);
}

static gboolean requires_nothing(const AftRequirementSpec *required)
{
    return required->iops <= 0.0 && required->read_ns == 0 && required->write_ns == 0;
}

static void free_row(gpointer data)
{
    AftSized *row = data;
    for (guint i = 0; i < AFT_SIZE_MOST_AXES; i++) {
        g_free(row->value[i]);
    }
    g_free(row->verdict);
    g_free(row->phase);
    g_free(row->figure);
    g_free(row->reason);
    g_free(row);
}

static AftSized *new_row(const Search *search, guint step)
{
    const double none = (double)NAN;
    AftSized *row = g_new(AftSized, 1);
    *row = (AftSized){
        .price = none,
        .nodes = none,
        .devices = none,
        .verdict = g_strdup("impossible"),
        .phase = g_strdup(""),
        .figure = g_strdup(""),
        .share = none,
        .slack = none,
        .reason = g_strdup(""),
        .combination = search->combination,
        .step = step,
    };
    for (guint i = 0; i < search->setup->axes->len; i++) {
        const AftSizeAxis *axis = axis_of(search, i);
        guint value = i == search->longest ? step : search->chosen[i];
        row->value[i] = g_strdup(g_ptr_array_index(axis->texts, value));
    }
    return row;
}

/* Returns: (transfer full): what @row sets. */
static char **settings_of(const Search *search, const AftSized *row)
{
    guint n = search->setup->axes->len;
    char **settings = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        settings[i] = g_strdup_printf("%s=%s", axis_of(search, i)->path, row->value[i]);
    }
    return settings;
}

static void take_purchase(Search *search, AftSized *row, const AftScenario *scenario)
{
    AftPurchase purchase = aft_scenario_purchase(scenario);
    row->price = purchase.price;
    row->nodes = purchase.nodes;
    row->devices = purchase.devices;
    search->sizing->priced |= purchase.price > 0.0;
    search->possible = TRUE;
}

/* Runs @row, unless there is no such scenario, or one that requires nothing. */
static void try_row(Search *search, AftSized *row)
{
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) settings = settings_of(search, row);
    const char *const *its = (const char *const *)settings;
    g_autoptr(AftScenario) scenario = search->setup->make(its, search->setup->context, &error);
    if (scenario == NULL) {
        g_free(row->reason);
        row->reason = g_strdup(error->message);
        if (search->why_not == NULL) {
            search->why_not = g_steal_pointer(&error);
        }
        return;
    }
    take_purchase(search, row, scenario);
    if (requires_nothing(&scenario->requirement)) {
        g_set_error(&search->error, AFT_ERROR, AFT_ERROR_RANGE,
                    "the scenario requires nothing that a size could hold: add what it shall, like "
                    "requirement: {iops: 10k, read: 5 ms, write: 5 ms}");
        return;
    }
    aft_trial_run(search->setup, scenario, its, row);
    search->sizing->replications += row->replications;
}

/* Returns: (nullable): NULL: the search has stopped. */
static const AftSized *look(Search *search, guint step)
{
    if (search->line[step] == NULL && !is_stopped(search)) {
        AftSized *row = new_row(search, step);
        g_ptr_array_add(search->sizing->rows, row);
        search->line[step] = row;
        try_row(search, row);
    }
    return search->line[step];
}

static gboolean says(const AftSized *row, const char *verdict)
{
    return row != NULL && g_str_equal(row->verdict, verdict);
}

static gboolean holds(Search *search, guint step)
{
    return says(look(search, step), "holds");
}

/* The first step that holds, if more never hurts; the number of steps: none. */
static guint halve(Search *search)
{
    guint low = 0, high = search->n_line;
    while (low < high && !is_stopped(search)) {
        guint middle = low + (high - low) / 2;
        if (holds(search, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Whether halving met a scenario that cannot be made above one that can, or none that can: it took
 * that for too small, and it may be too large. */
static gboolean may_have_missed(const Search *search)
{
    gboolean possible = FALSE, missed = FALSE, any = FALSE;
    for (guint step = 0; step < search->n_line; step++) {
        gboolean impossible = says(search->line[step], "impossible");
        missed |= impossible && possible;
        any |= impossible;
        possible |= search->line[step] != NULL && !impossible;
    }
    return missed || (any && !possible);
}

/* Whether what is about @first, which halving found, is not as it would have to be. What is
 * undecided speaks for neither. */
static gboolean contradicts(Search *search, guint first)
{
    if (may_have_missed(search)) {
        return TRUE;
    }
    if (first == search->n_line) {
        return holds(search, 0);
    }
    if (first == 0 && says(look(search, search->n_line - 1), "fails")) {
        return TRUE;
    }
    if (first >= 2 && holds(search, first - 2)) {
        return TRUE;
    }
    const AftSized *above = first + 1 < search->n_line ? look(search, first + 1) : NULL;
    return above != NULL && !says(above, "holds") && !says(above, "undecided");
}

static void search_line(Search *search)
{
    guint first = halve(search);
    if (!is_stopped(search) && contradicts(search, first) && !is_stopped(search)) {
        search->sizing->uneven = TRUE;
        for (guint step = 0; step < search->n_line; step++) {
            look(search, step);
        }
    }
}

/* How many combinations there are of all axes but the longest; G_MAXUINT: too many. */
static guint count_combinations(const Search *search)
{
    guint64 n = 1;
    for (guint i = 0; i < search->setup->axes->len; i++) {
        n *= i == search->longest ? 1 : axis_of(search, i)->texts->len;
        if (n > AFT_SIZE_MOST_COMBINATIONS) {
            return G_MAXUINT;
        }
    }
    return (guint)n;
}

/* Chooses the values of @combination; the last axis changes with each. */
static void choose(Search *search, guint combination)
{
    search->combination = combination;
    for (guint i = search->setup->axes->len; i-- > 0;) {
        guint n = i == search->longest ? 1 : axis_of(search, i)->texts->len;
        search->chosen[i] = combination % n;
        combination /= n;
    }
}

static void find_longest(Search *search)
{
    search->longest = search->setup->axes->len;
    search->n_line = 1;
    for (guint i = 0; i < search->setup->axes->len; i++) {
        const AftSizeAxis *axis = axis_of(search, i);
        if (axis->range && axis->texts->len > search->n_line) {
            search->longest = i;
            search->n_line = axis->texts->len;
        }
    }
}

/* Below 0: @a is less; what is not there is more than anything. */
static gint compare_numbers(double a, double b)
{
    double first = isnan(a) ? (double)INFINITY : a, second = isnan(b) ? (double)INFINITY : b;
    return (first > second) - (first < second);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const AftSized *one = *(AftSized *const *)a, *other = *(AftSized *const *)b;
    const gint orders[] = {
        compare_numbers(one->price, other->price),
        compare_numbers(one->nodes, other->nodes),
        compare_numbers(one->devices, other->devices),
        compare_numbers(one->combination, other->combination),
        compare_numbers(one->step, other->step),
    };
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(orders) && orders[i] == 0) {
        i++;
    }
    return orders[i];
}

/* Finds the answer among the sorted rows. */
static void conclude(AftSizing *sizing)
{
    for (guint i = 0; i < sizing->rows->len && sizing->runner_up == NULL; i++) {
        const AftSized *row = sizing->rows->pdata[i];
        if (says(row, "holds")) {
            *(sizing->best == NULL ? &sizing->best : &sizing->runner_up) = row;
        }
    }
    for (guint i = 0; i < sizing->rows->len && sizing->best != NULL; i++) {
        const AftSized *row = sizing->rows->pdata[i];
        gboolean below = row->combination == sizing->best->combination &&
                         row->step < sizing->best->step && !says(row, "holds");
        if (below && (sizing->below == NULL || row->step > sizing->below->step)) {
            sizing->below = row;
        }
    }
}

static AftSizing *new_sizing(const AftSizeSetup *setup)
{
    AftSizing *sizing = g_new0(AftSizing, 1);
    sizing->rows = g_ptr_array_new_with_free_func(free_row);
    sizing->axes = g_new0(char *, setup->axes->len + 1);
    for (guint i = 0; i < setup->axes->len; i++) {
        sizing->axes[i] = g_strdup(((const AftSizeAxis *)setup->axes->pdata[i])->path);
    }
    return sizing;
}

static void search_all(Search *search, guint combinations)
{
    search->line = g_new(AftSized *, search->n_line);
    for (guint i = 0; i < combinations && !is_stopped(search); i++) {
        for (guint step = 0; step < search->n_line; step++) {
            search->line[step] = NULL;
        }
        choose(search, i);
        search_line(search);
    }
    g_free(search->line);
}

AftSizing *aft_size(const AftSizeSetup *setup, GError **error)
{
    g_assert(setup->axes->len >= 1 && setup->axes->len <= AFT_SIZE_MOST_AXES);
    g_autoptr(AftSizing) sizing = new_sizing(setup);
    Search search = {.setup = setup, .sizing = sizing};
    find_longest(&search);
    guint combinations = count_combinations(&search);
    if (combinations == G_MAXUINT) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "expected at most %d combinations of all but the longest range",
                    AFT_SIZE_MOST_COMBINATIONS);
        return NULL;
    }
    search_all(&search, combinations);
    if (search.error == NULL && !search.possible && search.why_not != NULL) {
        search.error = g_steal_pointer(&search.why_not);
    }
    g_clear_error(&search.why_not);
    if (search.error != NULL) {
        g_propagate_error(error, search.error);
        return NULL;
    }
    sizing->interrupted = is_stopped(&search);
    g_ptr_array_sort(sizing->rows, compare);
    conclude(sizing);
    return g_steal_pointer(&sizing);
}
