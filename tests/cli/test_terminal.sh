#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a terminal is given: sparklines, colours, the locale's characters, no escape sequences of
# others, run --watch; and what everything else is given instead.
#
#     test_terminal.sh PROGRAM
set -u
export LC_ALL=C.UTF-8 TERM=xterm
unset NO_COLOR
. "$(dirname "$0")/cases.sh"
if ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP there is no python3 to make a terminal"
    exit
fi
on_terminal=$(realpath "$(dirname "$0")/on_terminal.py")
begin "$1"
escape=$(printf '\033')

# Runs the program on a terminal of $1 columns with the rest; leaves what it got in out.
shown() {
    columns=$1
    shift
    "$on_terminal" "$columns" out "$program" "$@" 2>err
    status=$?
}

# The file $1 holds nothing but printable ASCII and line feeds.
ascii() {
    ! LC_ALL=C grep -q '[^ -~]' "$1" || complain "$1 is not plain ASCII"
}

# No line of the file $1 has more than $2 characters.
narrow() {
    python3 -c 'import sys
for line in open(sys.argv[1], encoding="utf-8"):
    if len(line.rstrip("\n")) > int(sys.argv[2]):
        print("too wide:", line)' "$1" "$2" >>complaints
}

# What came to the terminal after the lines in the file $1 were wiped away for the last time.
after_wiping() {
    tr '\033' '\n' <"$1" |
        awk '/^\[J/ { last = "" } { last = last "\n" $0 } END { print last }'
}

cat >small.yaml <<'YAML'
version: 1
name: small nodes
devices:
  disk: {read: 10 ms, write: 10 ms, spread: deterministic, size: 1 GB}
cluster:
  nodes: 5
  detect: 1 s
  node:
    disk_groups: {capacity: {device: disk}}
data: {logical: 200 MB, placement_groups: 64, protection: rf2}
workload: {kind: paced, pacing: even, vms: 4, rate: 250 /s, outstanding: 100, restart: 1 s}
background:
  rebuild: {delay: 10 s}
timeline:
  - {at: 20 s, fail: node 2}
requirement: {iops: 250 /s, read: 50 ms}
run: {until: duration, duration: 60 s, fidelity: io, trace_interval: 1 s}
YAML
aft run small.yaml -o results
exits 0
cp out piped.txt

shown 200 run small.yaml
exits 0
has out "▁▁▁▁▁▁▁▁▁"
has out "${escape}[1;31mno: "
has out "±"
for columns in 80 120; do
    NO_COLOR=1 shown $columns run small.yaml
    lacks out "${escape}[1;31m"
    sed 's/.*\r//; s/\x1b\[K//' out >text # the bar goes before
    narrow text $columns
done
has text "████"
lacks text "▁▁▁▁" # no room for those of latencies
case_done a_terminal_with_room_has_sparklines_and_colours

lacks piped.txt "▁"
lacks piped.txt "$escape"
has piped.txt "±"
aft run small.yaml --format markdown
lacks out "▁▁▁"
has out "±"
shown 200 run small.yaml --format csv
lacks out "▁"
case_done data_and_pipes_have_none

TERM=dumb shown 120 run small.yaml
lacks out "$escape"
has out "████"
case_done a_dumb_terminal_gets_no_escape_sequence

LC_ALL=C TERM=dumb shown 200 run small.yaml
ascii out
has out "over time"
has out "^^^^^"
has out "+-"
for command in "run small.yaml" "explain small.yaml" "list keys" "run --help" \
    "compare results results"; do
    # shellcheck disable=SC2086 # words
    LC_ALL=C "$program" $command >out 2>err
    ascii out
    ascii err
done
LC_ALL=C "$program" run small.yaml --format markdown >out 2>err
has out "±" # data is UTF-8 everywhere
case_done other_locales_get_ascii

sed 's/^name:.*/name: "日本 ± “x” …"/; s/nodes: 5/nods: 5 # 日本 ±/' small.yaml >"ä±.yaml"
LC_ALL=C "$program" check "ä±.yaml" >out 2>err
ascii err
has err "a+.yaml:6:3: error: cluster.nods: unknown key"
sed 's/^name:.*/na日本me: x/' small.yaml >wide.yaml
aft check wide.yaml
has err "wide.yaml:2:1: error:"
LC_ALL=C aft check wide.yaml
has err "na????me: x"
case_done complaints_are_in_the_locale_too

# Nothing that files, names or options hold gets to a terminal raw.
evil=$(printf 'e\033]0;mine\a\033[2J\302\2332J')
sed "s/small nodes/x/; s/version: 1/version: 1 # $evil/" small.yaml >"$evil.yaml"
sed -i 's/nodes: 5/nods: 5/' "$evil.yaml"
cp -r results "$evil"
sed -i 's/"label": "[^"]*"/"label": "\\u001b[2J"/; s/"scenario": "[^"]*"/"scenario": "\\u001b[2J\\u009b"/' \
    "$evil/summary.json"
sed "s/^20,fail,node 2,.*/20,fail-refused,$evil,$evil/" results/events.csv >"$evil/events.csv"
for command in check run explain size report init import; do
    aft $command "$evil.yaml"
    lacks out "$escape"
    lacks err "$escape"
done
for command in run compare "$evil"; do
    aft "$command" "$evil" results "--$evil"
    lacks err "$escape"
done
aft compare "$evil" results
lacks err "$escape"
aft compare a="$evil" b="$evil"
lacks out "$escape"
aft run small.yaml --set "$evil=1"
lacks err "$escape"
aft run small.yaml --set run.duration="1 s" --label "$evil"
lacks out "$escape"
for format in text csv; do # data in a pipe is as it is, but not on a terminal
    TERM=dumb shown 100 compare "a$evil=results" b=results --format $format
    exits 0
    lacks out "$escape"
done
case_done escape_sequences_of_others_are_not_passed_on

shown 80 run small.yaml --watch -o watched
exits 0
for file in events.csv phases.csv summary.json trace.csv; do
    same results/$file watched/$file
done
has out "${escape}[3A"
has out "of 0:01:00"
has out "IOPS 2"
after_wiping out >last
lacks last "of 0:01:00"
case_done watching_a_run_changes_nothing

"$on_terminal" 100 out --then "of 2400:00:00" 60 --then "of 2400:00:00" 32 \
    --then "of 2400:00:00" 120 --then "of 2400:00:00" ^C \
    "$program" run small.yaml --set run.duration="100 d" --set run.trace_interval="1 h" \
    --watch -o stopped 2>err
status=$?
exits 130
has out "Interrupted after"
has stopped/summary.json '"interrupted": true'
after_wiping out >last
lacks last "of 2400:00:00"
has last "Interrupted after"
case_done a_watched_run_survives_keys_and_resizing

aft run small.yaml --watch
exits 0
has err "  steady  IOPS 2"
lacks err "$escape"
has out "small nodes"
LC_ALL=C aft run small.yaml --watch
ascii err
TERM=dumb shown 100 run small.yaml --watch
has out "  steady  IOPS 2"
lacks out "$escape"
aft run small.yaml --watch --each-failure node
exits 2
has err "--watch"
case_done a_log_gets_lines

echo "1..$n"
