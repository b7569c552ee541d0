/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_parts.h - what a page of results is put together from. */
#pragma once

#include "grid.h"
#include "page_frame.h"

#include <aftershock/report/page_beside.h>

/** Phases of all results together that the page's tables show, and events that it marks. */
#define AFT_PAGE_PHASES 240u
#define AFT_PAGE_EVENTS 600u

/** The results of a page. */
typedef struct {
    const AftResult *const *results;
    char *const *labels; /* one each, all different, never "", valid UTF-8 */
    guint n;
    const AftReference *reference; /* (nullable), as is what the results are beside it */
    const AftComparison *comparison;
} AftPageResults;

/** The results' labels, each once: what another has, or what is "", becomes one with a number.
 *  Returns: (transfer full): @n of them, as AftPageResults has them. */
char **aft_page_labels(const AftResult *const *results, guint n);

/** What the page is about. Returns: (transfer full). */
char *aft_page_title(const AftPageResults *page);

/** "Requirement missed for 5 h 10 min", after "data lost" where it was. Returns: (transfer full).
 */
char *aft_page_verdict(const AftResult *result);

/** How the verdict is: GOOD, BAD, or NONE when nothing was required. */
AftTint aft_page_verdict_tint(const AftResult *result);

/** What came out, before anything else. */
void aft_page_append_verdict(GString *html, const AftPageResults *page);

/** The phases: a table each, and beside each other when there are several results. */
void aft_page_append_phases(GString *html, const AftPageResults *page);

/** The phases of all results beside each other, a few figures each. Returns: (transfer full). */
AftGrid *aft_page_phases_beside(const AftPageResults *page);

/** Space, what moved, how sure it is: the notes that are no verdict. */
void aft_page_append_details(GString *html, const AftPageResults *page);

/** Appends which charts there are, the units in them and the words for events that matter most, as
 *  members of a JSON object. */
void aft_page_append_charts(GString *json);

/** The results beside the reference, if there is one: a bar for each figure. */
void aft_page_append_reference(GString *html, const AftPageResults *page);

/** Appends the member "tails": the shares of I/Os that are slower than each value that
 *  aft_page_append_latency() tells. */
void aft_page_append_tails(GString *json);

/** Appends the member "latency": how slow the I/Os of each phase were, or of each kind of phase
 *  (@kinds, or where there are many phases). */
void aft_page_append_latency(GString *json, const AftResult *result, gboolean kinds);

/** What the charts show, as JSON in which no "<" stands. Returns: (transfer full), UTF-8. */
char *aft_page_data(const AftPageResults *page);
