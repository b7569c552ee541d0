#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where files come from and go to: standard input, long traces, disks that are full.
#
#     test_files.sh PROGRAM
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"
tiny_scenario "one disk in the test" "20 s"
sed 's/nodes: 1/nods: 1/' tiny.yaml >broken.yaml

# Runs the program with the file $1 coming out of a pipe, and the rest.
piped() {
    file=$1
    shift
    # shellcheck disable=SC2002 # a pipe it is to be
    cat "$file" | { "$program" "$@" >out 2>err; echo $? >status; }
    status=$(cat status)
}

piped tiny.yaml check -
exits 0
silent err
has out "<stdin>: ok: one disk in the test"
piped broken.yaml check tiny.yaml - -
exits 2
has err "<stdin>:4:3: error: cluster.nods: unknown key"
has out "tiny.yaml: ok"
aft check - <tiny.yaml
exits 0
"$program" init vsan | "$program" check - >out 2>err
has out "<stdin>: ok: "
aft check - </dev/null
exits 2
has err "<stdin>:1:1: error"
aft check - <&-
exits 2
has err "<stdin>: "
cp tiny.yaml "<stdin>"
aft check "<stdin>" </dev/null
exits 0
case_done a_scenario_comes_from_standard_input

aft run tiny.yaml --label stdin --format json
cp out expected.json
piped tiny.yaml run - --format json
exits 0
same out expected.json
piped tiny.yaml explain -
exits 0
has out "(stdin)"
piped tiny.yaml run - --each-failure disk --at "5 s" --set data.placement_groups=2 --format csv
exits 0
lines out 2
piped tiny.yaml compare - tiny.yaml
exits 0
case_done every_command_takes_it_as_often_as_it_needs_to

mkdir -p below
echo '128166372003061629,host,1,Read,383496192,4096,113736' >trace.csv
sed 's/^workload:.*/workload: {kind: trace, vms: 1, file: trace.csv}/' tiny.yaml >below/replay.yaml
piped below/replay.yaml check -
exits 0
aft check below/replay.yaml
exits 2
cat >sweep.yaml <<'YAML'
version: 1
kind: sweep
name: from a pipe
base: tiny.yaml
axes: {workload.rate: [100 /s, 200 /s]}
replications: 2
YAML
piped sweep.yaml check -
exits 0
has out "a sweep of 2 points"
piped sweep.yaml sweep - -o swept
exits 0
aft merge swept -o joined/
exits 0
has err "Joined 1 store: 4 replications, 0 of them more than once"
case_done paths_in_it_count_from_here

head -c 5000000 /dev/zero | tr '\\0' '#' >large.yaml
piped large.yaml check -
exits 2
has err "<stdin>: expected at most 4 MiB"
yes -- '- a' | timeout 20 "$program" check - >out 2>err
has err "<stdin>: expected at most 4 MiB"
case_done endless_input_ends

aft run tiny.yaml --dry-run --set run.duration="365 d" -o year
silent err
"$program" run tiny.yaml -o year --set run.duration="365 d" --set run.trace_interval="10 s" \
    >out 2>err &
while kill -0 $! && ! grep -q rows err; do
    sleep 0.1
done
sleep 0.5
kill -TERM $!
wait $!
status=$?
exits 130
has err "up to 3153600 rows, one each 10 s"
has err "0.7 GB of trace.csv"
has err '--set run.trace_interval="10 min" makes it 52560'
[ "$(grep -n "rows" err | cut -d: -f1)" -lt "$(grep -n "Interrupted" err | cut -d: -f1)" ] ||
    complain "it is told too late"
aft run tiny.yaml
lacks err "rows"
case_done a_huge_trace_is_told_before_it_is_made

aft run tiny.yaml -o old
exits 0
(
    trap "" XFSZ # else the limit ends the program
    ulimit -f 20
    exec "$program" run tiny.yaml -o old --seed 2 --set run.trace_interval="100 ms" >out 2>err
)
status=$?
exits 3
has err "aftershock run: old/trace.csv: cannot write: File too large"
lacks err "Wrote"
aft run tiny.yaml -o same
for file in events.csv latency.csv phases.csv summary.json trace.csv; do
    same old/$file same/$file
done
[ "$(find old | wc -l)" -eq 6 ] || complain "something is left: $(find old)"
(
    trap "" XFSZ
    ulimit -f 20
    exec "$program" run tiny.yaml -o new --set run.trace_interval="100 ms" >out 2>err
)
status=$?
exits 3
[ ! -e new ] || complain "a folder is left"
case_done a_full_disk_leaves_nothing_half_written

# Runs the program once its output, which comes through the function $1, has lost its reader; with the
# rest.
unread() {
    streams=$1
    shift
    rm -rf closed
    {
        while [ ! -e closed ]; do
            sleep 0.1
        done
        "$streams" "$program" "$@"
        echo $? >status
    } | {
        exec <&-
        : >closed
    }
    status=$(cat status)
}

only_results() { "$@" 2>err; }
only_talk() { "$@" 2>&1 >out; }
both() { "$@" 2>&1; }

unread only_results run tiny.yaml -o unread
usual=$status
has err "Wrote unread"
for watch in --report --watch; do
    rm -rf unread
    unread both run tiny.yaml -o unread $watch
    exits "$usual"
    for file in events.csv latency.csv phases.csv trace.csv; do
        same old/$file unread/$file
    done
    rm -rf unread
    unread only_talk run tiny.yaml -o unread $watch
    exits 0
    has out "one disk in the test"
    has unread/summary.json '"interrupted": false'
done
case_done a_reader_that_goes_takes_no_results_along

# Nothing was simulated, and nothing printed.
refused() {
    silent out
    lacks err "Done"
}

mkdir taken
for name in phases.csv trace.csv summary.json; do
    ln -s nowhere "taken/$name"
    aft run tiny.yaml -o taken
    exits 3
    refused
    has err "aftershock run: taken/$name: is a link that leads nowhere, not a file"
    rm "taken/$name"
    mkdir "taken/$name"
    aft run tiny.yaml -o taken/
    exits 3
    refused
    has err "aftershock run: taken/$name: is a directory, not a file"
    rmdir "taken/$name"
done
mkfifo taken/report.html taken/failures.csv taken/calibration.json taken/tiny.yaml
aft run tiny.yaml -o taken --report
exits 3
refused
has err "taken/report.html: is a device or a pipe, not a file"
aft run tiny.yaml -o taken --each-failure disk --at "5 s"
exits 3
refused
has err "taken/failures.csv: is a device or a pipe, not a file"
cat >figures.yaml <<'YAML'
version: 1
kind: reference
name: what a disk does
cells: [{label: tiny, phase: steady, metric: read_mean, value: 2, unit: ms, mark: stated}]
YAML
for name in calibration.json tiny.yaml; do
    aft calibrate tiny.yaml --to figures.yaml --free devices.my-disk.read -o taken
    exits 3
    refused
    has err "aftershock calibrate: taken/$name: is a device or a pipe, not a file"
    rm "taken/$name"
done
[ "$(find taken | wc -l)" -eq 3 ] || complain "something was made: $(find taken)"
case_done what_cannot_take_its_place_is_told_before_anything_is_simulated

for folder in tiny.yaml tiny.yaml/below; do
    aft run tiny.yaml -o "$folder"
    exits 2
    refused
    has err "tiny.yaml is a file"
    aft run tiny.yaml -o "$folder" --each-failure disk --at "5 s"
    exits 2
    aft calibrate tiny.yaml --to figures.yaml --free devices.my-disk.read -o "$folder"
    exits 2
    refused
    has err "tiny.yaml is a file"
done
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod a-w closed
    aft run tiny.yaml -o closed/below
    exits 2
    refused
    has err "closed: cannot write here: Permission denied"
fi
aft run tiny.yaml -o taken --each-failure disk --at "5 s" --dry-run
exits 3
rm taken/*
aft run tiny.yaml -o taken/below --report --dry-run
exits 0
[ ! -e taken/below ] || complain "looking made a folder"
case_done a_folder_that_cannot_be_is_told_before_too

echo "1..$n"
