/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - the key table: every key of a scenario, one row each.
 *
 * A row says what a key is called, what it may hold and where its value lives. Setting, defaults,
 * the digest, help, schema and manual are all driven by it: a new key is a member of a struct in
 * scenario.h and a row here.
 *
 * A path joins keys by dots. "[*]" in a row's path stands for the index of a list item, from 0,
 * and may be left out by who has just one; "*" stands for a name the scenario chooses.
 */
#pragma once

#include <aftershock/base/units.h>
#include <aftershock/scenario/scenario.h>

typedef enum {
    AFT_KEY_TEXT,      /* char *: one line of any text */
    AFT_KEY_FILE,      /* char *: path of a file */
    AFT_KEY_WORD,      /* char *: one of the choices */
    AFT_KEY_CHOICE,    /* an enum whose values number the choices */
    AFT_KEY_COUNT,     /* guint */
    AFT_KEY_INTEGER,   /* guint64 */
    AFT_KEY_NUMBER,    /* double */
    AFT_KEY_TIME,      /* gint64, nanoseconds */
    AFT_KEY_BYTES,     /* guint64 */
    AFT_KEY_BANDWIDTH, /* double, bytes a second */
    AFT_KEY_RATE,      /* double, a second */
    AFT_KEY_SHARE,     /* double, of one */
    AFT_KEY_SELECTOR,  /* char *: which nodes, "all", "0", "1,3", "2:5", "-1" */
    AFT_KEY_PART,      /* AftPart: "node 2", "device 0.1.2" */
    AFT_KEY_BARE       /* a map written as one value: it means the keys below named by choices */
} AftKeyType;

/** The lists of a scenario; a row's offset counts from the item of its list. */
typedef enum {
    AFT_LIST_NONE, /* not in a list: the offset counts from the AftScenario */
    AFT_LIST_DEVICES,
    AFT_LIST_DEVICE_VALUES,
    AFT_LIST_CONTROLLER_VALUES,
    AFT_LIST_DISK_GROUPS,
    AFT_LIST_GROUPS,
    AFT_LIST_GROUP_VALUES,
    AFT_LIST_GROUP_DISKS,
    AFT_LIST_POOLS,
    AFT_LIST_WORKLOADS,
    AFT_LIST_BLOCKS,
    AFT_LIST_DAY,
    AFT_LIST_TIMELINE,
    AFT_LIST_FAULTS,
    AFT_LIST_LIFE_VALUES,
    AFT_LIST_REPAIR_VALUES,
    AFT_LISTS
} AftListId;

typedef struct {
    const char *path; /* "workload[*]", "devices.*" */
    AftListId within; /* the list whose item holds this one */
    gsize items;      /* offset of the pointer to the items */
    gsize n_items;    /* offset of their number, a guint */
    gsize item_bytes;
    guint limit;        /* most items */
    gboolean named;     /* items are found by their first member, a char *name */
    const char *needed; /* (nullable): key to ask for when there is no item */
} AftKeyList;

typedef struct {
    const char *path; /* "workload[*].rate" */
    AftKeyType type;
    AftListId list;
    gsize offset;
    double minimum, maximum;    /* of numbers, in the base unit of their type (seconds, bytes) */
    gboolean above;             /* the minimum itself is not allowed */
    const char *fallback;       /* (nullable): the default; NULL: nothing, or derived from others */
    gboolean required;          /* every item must have it */
    gboolean bare_number;       /* the unit may be left out; of a part, its word: the last kind of
                                   `parts` is meant then */
    gboolean by_meaning;        /* the digest takes what the text resolved to, not the text; of
                                   a price nothing: it changes no run */
    const char *const *choices; /* (nullable): NULL-terminated names */
    const char *word;           /* (nullable): a word allowed instead of a number */
    double word_value;          /* what it means; infinity is the largest value of the type */
    AftActionKind action; /* the key is there in an action of this kind only, and makes it one */
    guint parts;          /* of AFT_KEY_PART: the kinds it takes, 1 << AftPartKind each */
    const char *help;     /* one sentence */
} AftKey;

enum { AFT_KEY_STEPS = 2 }; /* lists within lists, at most */

/** The list items on the way to a key: by index, or by name where the list is named. */
typedef struct {
    guint index;
    const char *name; /* (nullable): not terminated, part of the path it was found in */
    gsize name_length;
} AftKeyStep;

typedef struct {
    const AftKey *key;
    AftKeyStep step[AFT_KEY_STEPS];
} AftKeyMatch;

/** What may stand at a path; flags, since a list of one may be written as its item. */
typedef enum {
    AFT_SHAPE_UNKNOWN = 0,
    AFT_SHAPE_VALUE = 1,
    AFT_SHAPE_MAP = 2,
    AFT_SHAPE_LIST = 4
} AftKeyShape;

/** All rows, in the order of documentation. Returns: (transfer none). */
const AftKey *aft_keys(guint *ret_n);

/** The description of @list, not AFT_LIST_NONE. Returns: (transfer none). */
const AftKeyList *aft_keys_list(AftListId list);

/** Finds the row of the key at @path. Returns: whether there is one. @ret_match borrows @path. */
gboolean aft_keys_find(const char *path, AftKeyMatch *ret_match);

/** What the table allows at @path, the empty path being the whole scenario. */
AftKeyShape aft_keys_shape(const char *path);

/** The full path of a key: @pattern with @step filled in. Returns: (transfer full). */
char *aft_keys_path(const char *pattern, const AftKeyStep *step);

/** The known path most like the unknown @path. Returns: (transfer full) (nullable): NULL when
 *  nothing comes near. */
char *aft_keys_suggest(const char *path);

/** The unit numbers of @key are written in. */
AftUnit aft_key_unit(const AftKey *key);

/** What a key holds, for help and errors: "a time, like 30 min". Returns: (transfer full). */
char *aft_key_describe(const AftKey *key);

/** A regular expression, as JSON Schema and Python read it, of the texts that @key takes; ranges
 *  are in it only as far as the sign. Returns: (transfer full) (nullable): NULL where there are
 *  choices. */
char *aft_key_pattern(const AftKey *key);

/** The numbers that @key, written without a unit, takes: both bounds may be the same. @ret_above:
 *  the lower bound itself is not taken. Returns: FALSE when it must be text. */
gboolean aft_key_plain_range(const AftKey *key, double *ret_minimum, double *ret_maximum,
                             gboolean *ret_above);

/** Whether numbers that @key takes are whole. */
gboolean aft_key_is_whole(const AftKey *key);

/** The numbers that @key takes, for people: "1 to 64", "above 0 %, at most 100 %".
 *  Returns: (transfer full) (nullable): NULL where it holds no number. */
char *aft_key_range(const AftKey *key);

/** The key below the AFT_KEY_BARE @bare that its one value is for; of several, the first.
 *  Returns: (transfer none). */
const AftKey *aft_key_meant(const AftKey *bare);

/** Calls @function for the field of every key that @scenario holds, list items in order. @path
 *  lives until @function returns. Rows of AFT_KEY_BARE have no field and are left out. */
typedef void (*AftKeyVisitor)(const AftKey *key, const char *path, void *field, gpointer data);
void aft_keys_visit(const AftScenario *scenario, AftKeyVisitor function, gpointer data);
