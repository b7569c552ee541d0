/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identity.h"

#include <aftershock/base/error.h>
#include <aftershock/sweep/sweep.h>

#include <string.h>

#define SCHEMA "2"

/* What of an identity may differ, and what that is to a user. */
typedef enum {
    VERSION,
    FIDELITY,
    SEED,
    POINTS,
    SWEEP,
    BASE,
    NAME,
    DESIGN,
    SHARD,
    SHARDS,
    MEMBERS
} Member;

static const char *const keys[MEMBERS] = {"version", "fidelity", "seed",   "points", "sweep",
                                          "base",    "name",     "design", "shard",  "shards"};

void aft_identity_copy(AftStoreIdentity *to, const AftStoreIdentity *from)
{
    *to = *from;
    to->version = g_strdup(from->version);
    to->sweep_sha256 = g_strdup(from->sweep_sha256);
    to->base_sha256 = g_strdup(from->base_sha256);
    to->name = g_strdup(from->name);
    to->design = g_strdup(from->design);
    to->fidelity = g_strdup(from->fidelity);
}

void aft_identity_clear(AftStoreIdentity *identity)
{
    g_free((char *)identity->version);
    g_free((char *)identity->sweep_sha256);
    g_free((char *)identity->base_sha256);
    g_free((char *)identity->name);
    g_free((char *)identity->design);
    g_free((char *)identity->fidelity);
    memset(identity, 0, sizeof(*identity));
}

/* Returns: (transfer full). */
static char *text_of(const AftStoreIdentity *it, Member member)
{
    switch (member) {
    case VERSION:
        return g_strdup(it->version);
    case FIDELITY:
        return g_strdup(it->fidelity);
    case SEED:
        return g_strdup_printf("%" G_GUINT64_FORMAT, it->seed);
    case POINTS:
        return g_strdup_printf("%u", it->points);
    case SWEEP:
        return g_strdup(it->sweep_sha256);
    case BASE:
        return g_strdup(it->base_sha256);
    case NAME:
        return g_strdup(it->name);
    case DESIGN:
        return g_strdup(it->design);
    case SHARD:
        return g_strdup_printf("%u", it->shard);
    default:
        return g_strdup_printf("%u", it->shards);
    }
}

static gboolean to_count(const char *text, guint *ret_count)
{
    guint64 count = 0;
    gboolean fine = g_ascii_string_to_unsigned(text, 10, 0, AFT_SWEEP_MOST_POINTS, &count, NULL);
    *ret_count = (guint)count;
    return fine;
}

/* Takes @text (transfer full). */
static gboolean take(AftStoreIdentity *it, Member member, char *text)
{
    const char **const texts[MEMBERS] = {
        [VERSION] = &it->version,  [FIDELITY] = &it->fidelity, [SWEEP] = &it->sweep_sha256,
        [BASE] = &it->base_sha256, [NAME] = &it->name,         [DESIGN] = &it->design};
    guint *const counts[MEMBERS] = {
        [POINTS] = &it->points, [SHARD] = &it->shard, [SHARDS] = &it->shards};
    if (texts[member] != NULL) {
        *texts[member] = text;
        return TRUE;
    }
    g_autofree char *number = text;
    return counts[member] != NULL
               ? to_count(number, counts[member])
               : g_ascii_string_to_unsigned(number, 10, 0, G_MAXUINT64, &it->seed, NULL);
}

static gboolean put(sqlite3_stmt *statement, const char *key, const char *value)
{
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    return sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
}

gboolean aft_identity_write(const AftStoreIdentity *identity, sqlite3 *db, const char *path,
                            GError **error)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(db, path, "INSERT INTO meta VALUES (?, ?)", error);
    if (statement == NULL) {
        return FALSE;
    }
    gboolean fine = put(statement, "schema", SCHEMA);
    for (Member member = 0; fine && member < MEMBERS; member++) {
        g_autofree char *text = text_of(identity, member);
        fine = put(statement, keys[member], text);
    }
    return fine || aft_sql_failed(db, path, error);
}

/* Returns: (transfer full) (nullable): what `meta` has for @key. */
static char *look_up(sqlite3_stmt *statement, const char *key)
{
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    char *value = sqlite3_step(statement) == SQLITE_ROW
                      ? g_strdup((const char *)sqlite3_column_text(statement, 0))
                      : NULL;
    sqlite3_reset(statement);
    return value;
}

static gboolean incomplete(const char *path, const char *key, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                "%s: is no store of a sweep that this program can read: its table meta does not "
                "tell its %s; move it away, or choose another folder",
                path, key);
    return FALSE;
}

gboolean aft_identity_read(AftStoreIdentity *identity, sqlite3 *db, const char *path,
                           GError **error)
{
    g_autoptr(AftStatement) statement =
        aft_sql_prepare(db, path, "SELECT value FROM meta WHERE key = ?", error);
    if (statement == NULL) {
        return FALSE;
    }
    g_autofree char *schema = look_up(statement, "schema");
    if (g_strcmp0(schema, SCHEMA) != 0) {
        return incomplete(path, "schema, \"" SCHEMA "\"", error);
    }
    for (Member member = 0; member < MEMBERS; member++) {
        char *text = look_up(statement, keys[member]);
        if (text == NULL || !take(identity, member, text)) {
            return incomplete(path, keys[member], error);
        }
    }
    return TRUE;
}

/* Returns: (transfer full) (nullable): @member of both between texts, NULL: they have the same. */
static char *tell(const AftStoreIdentity *one, const AftStoreIdentity *other, Member member,
                  const char *lead, const char *middle)
{
    gboolean digest = member == SWEEP || member == BASE; /* enough of which is its beginning */
    g_autofree char *a = text_of(one, member);
    g_autofree char *b = text_of(other, member);
    return g_str_equal(a, b)
               ? NULL
               : g_strdup_printf(digest ? "%s%.12s%s%.12s" : "%s%s%s%s", lead, a, middle, b);
}

static const struct {
    Member member;
    const char *head; /* said once */
    const char *lead, *middle;
} changes[] = {
    {VERSION, "", "it was written by version ", ", this is "},
    {FIDELITY, "the sweep has changed since: ", "its fidelity was ", ", is "},
    {SEED, "the sweep has changed since: ", "its seed was ", ", is "},
    {POINTS, "the sweep has changed since: ", "its points were ", ", are "},
    {SWEEP, "the sweep has changed since: ", "its digest was ", ", is "},
    {BASE, "the base scenario has changed since: ", "its digest was ", ", is "},
    {SHARD, "", "it is of shard ", ", asked for is "},
    {SHARDS, "", "its sweep has shards: ", ", asked for: "},
};

char *aft_identity_changed(const AftStoreIdentity *there, const AftStoreIdentity *here)
{
    GString *text = g_string_new(NULL);
    const char *head = "";
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autofree char *change =
            tell(there, here, changes[i].member, changes[i].lead, changes[i].middle);
        if (change != NULL) {
            gboolean again = g_str_equal(head, changes[i].head);
            head = changes[i].head;
            g_string_append_printf(text, "%s%s%s", text->len > 0 ? "; " : "", again ? "" : head,
                                   change);
        }
    }
    return g_string_free(text, text->len == 0);
}

char *aft_identity_apart(const AftStoreIdentity *one, const AftStoreIdentity *other)
{
    GString *text = g_string_new(NULL);
    for (Member member = VERSION; member <= BASE; member++) {
        g_autofree char *lead = g_strconcat(text->len > 0 ? "; " : "", keys[member], " ", NULL);
        g_autofree char *difference = tell(one, other, member, lead, " and ");
        g_string_append(text, difference != NULL ? difference : "");
    }
    return g_string_free(text, text->len == 0);
}
