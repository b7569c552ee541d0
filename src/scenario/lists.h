/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lists.h - the lists of a scenario, reached through the key table. */
#pragma once

#include <aftershock/scenario/keys.h>

/** The first item of @list in the struct at @base that holds it; NULL when there is none. */
void *aft_list_items(const AftKeyList *list, const void *base);

guint aft_list_length(const AftKeyList *list, const void *base);

/** Finds the list whose item the map at @path is, or is a part of.
 *  Returns: FALSE when there is none; @step says which item otherwise. */
gboolean aft_list_at(const char *path, AftListId *ret_list, AftKeyStep *step);

/** Calls @function with each item of @list, with the scenario itself for AFT_LIST_NONE. @step
 *  says which item it is. */
typedef void (*AftBaseFunction)(void *base, const AftKeyStep *step, gpointer data);
void aft_list_each(const AftScenario *scenario, AftListId list, AftBaseFunction function,
                   gpointer data);

/** aft_keys_visit() of one key, not of AFT_KEY_BARE. */
void aft_key_visit(const AftScenario *scenario, const AftKey *key, AftKeyVisitor function,
                   gpointer data);
