# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Cases for tests of the command line, as TAP; to be sourced. After "begin PROGRAM" they use a passing
# folder, which is the working directory, with an empty file "complaints", and run "$program".
n=0

# Begins with the program $1; paths that count from the caller's folder are to be made whole before.
begin() {
    program=$(realpath "$1")
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cd "$folder" || exit 1
    : >complaints
    : >out
    : >err
}

# Writes tiny.yaml, a scenario of one disk that is called $1 (as YAML) and takes $2 of simulated time.
tiny_scenario() {
    cat >tiny.yaml <<YAML
version: 1
name: $1
cluster:
  nodes: 1
  node:
    disk_groups:
      - capacity: {count: 1, device: my-disk}
devices:
  my-disk: {read: 1 ms, write: 1 ms, spread: exponential, parallel: 1, size: 1 TB}
data:
  logical: 100 GB
  placement_groups: 1
  protection: {scheme: none}
workload: {kind: open, vms: 1, rate: 500 /s, read_share: 100 %, block: 4 KiB}
run: {until: duration, duration: $2, fidelity: io, trace_interval: 5 s}
YAML
}

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

# And the other way round.
lacks() {
    ! grep -qF -e "$2" "$1" || complain "$1 should not say: $2"
}

# The file $1 has $2 lines.
lines() {
    [ "$(wc -l <"$1")" -eq "$2" ] || complain "$1 has $(wc -l <"$1") lines, expected $2"
}

# The file $1 is JSON.
json() {
    ! command -v python3 >/dev/null || python3 -m json.tool "$1" >/dev/null 2>&1 ||
        complain "$1 is not JSON"
}

silent() {
    [ ! -s "$1" ] || complain "$1 should be empty"
}

# The files $1 and $2 have the same bytes.
same() {
    cmp "$1" "$2" >>complaints 2>&1
}
