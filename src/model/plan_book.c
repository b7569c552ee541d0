/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan_book.h"

/* All plans under one set of current members: those of reads, then those of writes. */
typedef AftPlan Page;

struct AftPlanBook {
    const AftProtectionSpec *spec;
    guint units;
    guint choices;
    guint32 everyone;
    Page *healthy;
    GHashTable *pages; /* current members -> Page */
};

static Page *page_new(const AftPlanBook *book, guint32 current)
{
    Page *page = g_new(AftPlan, 2 * book->choices);
    for (guint i = 0; i < 2 * book->choices; i++) {
        AftPlanRequest request = {
            .operation = i < book->choices ? AFT_OPERATION_READ : AFT_OPERATION_WRITE,
            .first = i % book->choices,
            .units = book->units,
            .current = current,
        };
        aft_protection_plan(book->spec, &request, &page[i]);
    }
    return page;
}

static Page *page_of(AftPlanBook *book, guint32 current)
{
    Page *page = g_hash_table_lookup(book->pages, GUINT_TO_POINTER(current));
    if (page == NULL) {
        page = page_new(book, current);
        g_hash_table_insert(book->pages, GUINT_TO_POINTER(current), page);
    }
    return page;
}

AftPlanBook *aft_plan_book_new(const AftProtectionSpec *spec, guint units)
{
    AftPlanBook *book = g_new(AftPlanBook, 1);
    *book = (AftPlanBook){
        .spec = spec,
        .units = units,
        .choices = aft_protection_choices(spec, units),
        .everyone = aft_protection_everyone(spec),
        .pages = g_hash_table_new_full(NULL, NULL, NULL, g_free),
    };
    book->healthy = page_of(book, book->everyone);
    return book;
}

void aft_plan_book_free(AftPlanBook *book)
{
    if (book != NULL) {
        g_hash_table_destroy(book->pages);
        g_free(book);
    }
}

const AftPlan *aft_plan_book_get(AftPlanBook *book, AftOperation operation, guint first,
                                 guint32 current)
{
    const Page *page = current == book->everyone ? book->healthy : page_of(book, current);
    return &page[operation == AFT_OPERATION_WRITE ? book->choices + first : first];
}
