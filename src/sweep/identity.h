/* SPDX-License-Identifier: GPL-3.0-or-later */
/* identity.h - whose rows a store holds: kept in its table `meta`, compared before rows are mixed.
 */
#pragma once

#include "sql.h"

#include <aftershock/sweep/store.h>

/** A copy that owns its texts. */
void aft_identity_copy(AftStoreIdentity *to, const AftStoreIdentity *from);

void aft_identity_clear(AftStoreIdentity *identity);

/** Keeps @identity in `meta`, which is empty. */
gboolean aft_identity_write(const AftStoreIdentity *identity, sqlite3 *db, const char *path,
                            GError **error);

/** Fills @identity, zeroed, with its own texts. Returns: FALSE with AFT_ERROR_FILE: it has none. */
gboolean aft_identity_read(AftStoreIdentity *identity, sqlite3 *db, const char *path,
                           GError **error);

/** In what @there, of a store, differs from @here, of who goes on with it. Returns: (transfer full)
 *  (nullable): NULL: in nothing. */
char *aft_identity_changed(const AftStoreIdentity *there, const AftStoreIdentity *here);

/** In what two stores differ that cannot be joined. Returns: (transfer full) (nullable). */
char *aft_identity_apart(const AftStoreIdentity *one, const AftStoreIdentity *other);
