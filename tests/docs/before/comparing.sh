# SPDX-License-Identifier: GPL-3.0-or-later
# The files that docs/comparing.md imports.
. "$SOURCE/tests/docs/before/importing.sh"
