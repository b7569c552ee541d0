#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares runs with published figures and with each other.
#
#     test_compare.sh PROGRAM
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"

tiny_scenario "one disk in the test" "20 s"
sed 's/nodes: 1/nods: 1/' tiny.yaml >broken.yaml
aft run tiny.yaml -o a/b --label mine
aft run tiny.yaml -o again --label mine
aft run tiny.yaml -o other --label mine --seed 2

cat >fio.yaml <<'YAML'
version: 1
kind: reference
name: fio on one disk
source: my lab
tolerance: 5 %
configurations:
  - {label: tiny, scenario: tiny.yaml}
  - {label: slower, scenario: tiny.yaml, set: {workload.rate: 250 /s}}
cells:
  - {label: tiny, phase: steady, metric: read_iops, value: 500, unit: /s, mark: stated}
  - {label: slower, over: tiny, phase: steady, metric: iops, value: 50, unit: "%", mark: derived}
  - {label: tiny, phase: steady, metric: read_p99}
YAML
sed -e 's/value: 500/value: 800/' -e 's/value: 50,/value: 70,/' fio.yaml >wrong.yaml

aft compare --to fio.yaml
exits 0
has out "fio on one disk"
has out "within"
has out "predictions"
has err "Done after"
grep -q "breaches" out && complain "there are none"
case_done compare_runs_what_a_reference_names

aft compare --to fio.yaml --jobs 1 --format csv
cp out one.csv
aft compare --to fio.yaml --jobs 2 --format csv
cmp -s out one.csv || complain "jobs make another result"
[ "$(wc -l <one.csv)" -eq 4 ] || complain "not a line a cell"
aft compare --to fio.yaml --format json
python3 -c 'import json; assert json.load(open("out"))["breaches"] == 0' 2>>complaints
aft compare --to fio.yaml --format markdown
has out "| tiny | steady | read_iops, /s |"
case_done comparisons_do_not_depend_on_the_number_of_jobs

aft compare --to wrong.yaml
exits 1
has out "tiny steady read_iops: "
has out "slower/tiny steady iops: "
aft compare --to wrong.yaml --tolerance 60%
exits 0
aft compare --to fio.yaml --tolerance 0.0001%
exits 1
aft compare --to wrong.yaml tiny --tolerance none
exits 0
case_done every_breach_is_named_and_tells_by_the_exit_status

aft compare tiny.yaml --to fio.yaml
exits 0
has out "1 cell of configurations that were not simulated"
aft compare a/b --to fio.yaml
exits 2
has err 'no cell labelled "mine"'
aft compare tiny=a/b slower=tiny.yaml --set workload.rate="250 /s" --to fio.yaml
exits 0
has out "slower / tiny"
case_done labels_say_what_is_compared_with_what

aft compare a/b other
exits 0
has out "after against before"
has out "figures with intervals"
aft compare old=a/b new=tiny.yaml --set workload.rate="600 /s" --format csv
exits 0
grep -q "^steady,1,iops,.*,true,true$" out || complain "600 are no more than 500"
aft compare a/b again --format csv
exits 0
has out "steady,1,iops,"
grep -q "true$" out && complain "the same run differs from itself"
case_done runs_are_compared_with_each_other

aft compare
exits 2
has err "what with what?"
aft compare a/b again other
exits 2
aft compare a/b --to nowhere
exits 2
has err 'no file "nowhere", nor a reference of that name'
aft compare --to tiny.yaml
exits 2
has err "tiny.yaml:1:1: error: expected kind: reference"
aft compare a/b again --tolerance 5%
exits 2
for bad in "--format xml" "--tolerance 5" "--tolerance -5%" "--jobs 0" "--jobs x" "--set x"; do
    # shellcheck disable=SC2086 # words
    aft compare --to fio.yaml $bad
    exits 2
    silent out
    has err "expected"
done
aft compare --to fio.yaml broken.yaml
exits 2
has err "broken.yaml:4:3: error:"
aft compare --to fio.yaml --set cluster.nods=2
exits 2
aft compare a nothing
exits 2
has err "a/summary.json"
case_done compare_complains_like_run

sed 's/label: tiny/label: "a=b"/; s/over: tiny/over: "a=b"/' fio.yaml >equals.yaml
aft compare a=b --to equals.yaml
exits 0
has out "a=b"
case_done a_label_may_hold_what_parts_others_from_their_inputs

cp -r a/b odd
sed 's/"label": "[^"]*"/"label": "\\u001b[2J"/' a/b/summary.json >odd/summary.json
aft compare a/b odd
exits 2
silent out
has err "odd has a label that cannot be shown"
aft compare a/b odd=odd
exits 0
case_done labels_of_results_are_shown_only_where_they_can_be

: >out
timeout --preserve-status -k 20 -s INT 1 "$program" compare --to fio.yaml \
    --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
status=$?
exits 130
silent out
has err "Interrupted"
timeout --preserve-status -k 20 -s INT 1 "$program" compare tiny=a/b slower=tiny.yaml \
    --to fio.yaml --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
status=$?
exits 130
has out "read_iops"
case_done a_signal_ends_a_comparison_with_what_there_is

aft check fio.yaml
exits 0
silent err
has out "fio.yaml: ok: fio on one disk (a reference)"
sed -e 's/read_p99/read_p98/' -e 's/workload.rate:/workload.rat:/' fio.yaml >bad.yaml
aft check bad.yaml
exits 2
has err "bad.yaml:12:42: error: cells[2].metric: there is no metric"
sed 's/workload.rate:/workload.rat:/' fio.yaml >bad.yaml
aft check bad.yaml
exits 2
has err "--set workload.rat=250 /s: error"
aft run fio.yaml
exits 2
has err "fio.yaml:2:7: error: kind: expected scenario, files of kind reference"
case_done check_takes_references_too

aft list metrics
exits 0
metrics=$(sed 's/ .*//' out)
[ -n "$metrics" ] || complain "there are none"
for metric in $metrics; do
    sed "s/metric: read_p99/metric: $metric/" fio.yaml >metric.yaml
    aft check metric.yaml
    exits 0
done
case_done every_metric_that_is_listed_can_be_compared

aft compare tiny.yaml tiny=tiny.yaml --to fio.yaml
exits 2
has err "there are two configurations called tiny"
case_done compare_takes_a_label_once

echo "1..$n"
