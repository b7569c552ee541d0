#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds the files that tools/generate makes to what the program says now.
#
#     test_generated.sh PROGRAM ROOT
set -u
export LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
program=$1
root=$2
n=0

# The file $1 is what "aftershock $2..." prints.
is_made_by() {
    file=$1
    shift
    n=$((n + 1))
    if "$program" "$@" >"$folder/made" && cmp "$folder/made" "$root/$file" >&2; then
        echo "ok $n - $file"
    else
        echo "$file is not what \"aftershock $*\" prints: run tools/generate" >&2
        echo "not ok $n - $file"
    fi
}

for kind in reference scenario sweep; do
    is_made_by "schema/$kind.json" schema "$kind"
done
is_made_by docs/scenario.md schema --format markdown scenario
echo "1..$n"
