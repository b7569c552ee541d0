/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/run/rates.h>

#include "rate.h"

#include <pthread.h>

struct AftRates {
    pthread_mutex_t lock;
    pthread_cond_t measured;
    GHashTable *known; /* AftRate by key; NULL: it is being measured */
    guint most_states;
};

static void free_rate(gpointer rate)
{
    aft_rate_free(rate);
}

AftRates *aft_rates_new(void)
{
    return aft_rates_new_for(AFT_RATES_MOST_STATES);
}

AftRates *aft_rates_new_for(guint most_states)
{
    AftRates *rates = g_new0(AftRates, 1);
    pthread_mutex_init(&rates->lock, NULL);
    pthread_cond_init(&rates->measured, NULL);
    rates->most_states = most_states;
    rates->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_rate);
    return rates;
}

void aft_rates_free(AftRates *rates)
{
    if (rates != NULL) {
        g_hash_table_unref(rates->known);
        pthread_cond_destroy(&rates->measured);
        pthread_mutex_destroy(&rates->lock);
        g_free(rates);
    }
}

guint aft_rates_states(AftRates *rates)
{
    pthread_mutex_lock(&rates->lock);
    guint n = g_hash_table_size(rates->known);
    pthread_mutex_unlock(&rates->lock);
    return n;
}

double aft_rates_simulated_s(AftRates *rates)
{
    GHashTableIter iter;
    gpointer rate;
    double simulated_s = 0.0;
    pthread_mutex_lock(&rates->lock);
    g_hash_table_iter_init(&iter, rates->known);
    while (g_hash_table_iter_next(&iter, NULL, &rate)) {
        simulated_s += rate != NULL ? ((const AftRate *)rate)->simulated_s : 0.0;
    }
    pthread_mutex_unlock(&rates->lock);
    return simulated_s;
}

typedef enum {
    KNOWN,
    MISSING, /* and the caller is to measure it */
    NO_ROOM
} Finding;

/* Waits while another measures it. */
static Finding find(AftRates *rates, const char *key, const AftRate **ret_rate)
{
    gpointer rate = NULL;
    gboolean found;
    pthread_mutex_lock(&rates->lock);
    while ((found = g_hash_table_lookup_extended(rates->known, key, NULL, &rate)) && rate == NULL) {
        pthread_cond_wait(&rates->measured, &rates->lock);
    }
    gboolean full = g_hash_table_size(rates->known) >= rates->most_states;
    if (!found && !full) {
        g_hash_table_insert(rates->known, g_strdup(key), NULL);
    }
    pthread_mutex_unlock(&rates->lock);
    *ret_rate = rate;
    return found ? KNOWN : full ? NO_ROOM : MISSING;
}

/* Takes @rate (transfer full) (nullable: whoever asks next is to measure it). */
static void remember(AftRates *rates, const char *key, AftRate *rate)
{
    pthread_mutex_lock(&rates->lock);
    if (rate != NULL) {
        g_hash_table_insert(rates->known, g_strdup(key), rate);
    } else {
        g_hash_table_remove(rates->known, key);
    }
    pthread_cond_broadcast(&rates->measured);
    pthread_mutex_unlock(&rates->lock);
}

/* Returns: (transfer full) (nullable): NULL: it was interrupted, and nothing is known. */
static AftRate *measure(const AftScenario *scenario, const char *key, const AftState *state,
                        gint *interrupted)
{
    GError *why = NULL;
    AftRate *rate = aft_measure(scenario, key, state, interrupted, &why);
    if (why != NULL) {
        rate = g_new0(AftRate, 1);
        rate->refused = why;
    }
    return rate;
}

const AftRate *aft_rates_get(AftRates *rates, AftRates *overflow, const AftAsked *asked,
                             GError **error)
{
    g_autofree char *key = g_strdup_printf("%s %s", asked->digest, aft_state_text(asked->state));
    const AftRate *rate;
    Finding finding = find(rates, key, &rate);
    if (finding == NO_ROOM) {
        g_assert(overflow != NULL);
        return aft_rates_get(overflow, NULL, asked, error);
    }
    if (finding == MISSING) {
        AftRate *measured = measure(asked->scenario, key, asked->state, asked->interrupted);
        remember(rates, key, measured);
        rate = measured;
    }
    if (rate != NULL && rate->refused != NULL) {
        g_propagate_error(error, g_error_copy(rate->refused));
        return NULL;
    }
    return rate;
}

char *aft_rates_digest(const AftScenario *scenario)
{
    AftScenario alike = *scenario;
    alike.n_timeline = alike.n_faults = 0;
    alike.run.until = AFT_UNTIL_DURATION;
    alike.run.duration_ns = alike.run.settle_ns = alike.run.trace_interval_ns = 0;
    alike.run.fidelity = AFT_FIDELITY_FLOW;
    alike.requirement = (AftRequirementSpec){0};
    return aft_scenario_digest(&alike);
}
