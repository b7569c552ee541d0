# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Cases for tests of the command line, as TAP; to be sourced. They use the passing folder that is the
# working directory, with an empty file "complaints", and run "$program".
n=0

# Runs the program with "$@"; leaves its streams in out and err, its exit status in $status.
aft() {
    "$program" "$@" >out 2>err
    status=$?
}

# Reports the case $1, which has come out well when no line in "complaints" speaks against it.
case_done() {
    n=$((n + 1))
    if [ -s complaints ]; then
        sed 's/^/# /' complaints out err >&2 # test runners show that, and keep TAP to themselves
        echo "not ok $n - $1"
    else
        echo "ok $n - $1"
    fi
    : >complaints
}

complain() {
    echo "$*" >>complaints
}

exits() {
    [ "$status" -eq "$1" ] || complain "exit status $status, expected $1"
}

# The file $1 holds the text $2.
has() {
    grep -qF -e "$2" "$1" || complain "$1 does not say: $2"
}

silent() {
    [ ! -s "$1" ] || complain "$1 should be empty"
}

# The files $1 and $2 have the same bytes.
same() {
    cmp "$1" "$2" >>complaints 2>&1
}
