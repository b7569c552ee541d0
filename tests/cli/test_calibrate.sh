#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fits what is not known to what was published.
#
#     test_calibrate.sh PROGRAM
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"

tiny_scenario "one disk in the test" "20 s"
aft run tiny.yaml -o a/b

# A reader who waits for each read sees what the disk takes, which is to be found.
cat >guess.yaml <<'YAML'
# one disk, one reader
version: 1
devices: {slow: {read: 12 ms, write: 12 ms, size: 1 TB}}
cluster: {nodes: 1, node: {disk_groups: {capacity: {device: slow}}}}
data: {logical: 100 GB, protection: none}
workload: {kind: closed, vms: 1, outstanding: 1, read_share: 100 %}
run: {until: duration, duration: 5 min, fidelity: io}
YAML
cat >latency.yaml <<'YAML'
version: 1
kind: reference
name: latency of one disk
tolerance: 2 %
cells:
  - {label: guess, phase: steady, metric: read_mean, value: 20, unit: ms, mark: stated}
  - {label: guess, phase: steady, metric: iops, value: 50, unit: /s, mark: stated}
YAML
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read -o fitted
exits 0
has out "devices.slow.read"
has err "Wrote fitted"
has fitted/guess.yaml "# one disk, one reader"
python3 - 2>>complaints <<'PY'
import json
key = json.load(open("fitted/calibration.json"))["keys"][0]
assert key["path"] == "devices.slow.read" and key["told"], key
assert abs(key["value"] - 0.020) < 0.0008, key
PY
aft compare guess=fitted/guess.yaml --to latency.yaml
exits 0
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read=10ms:40ms --hold-out '*/*/iops' \
    --format json
exits 0
python3 -c 'import json; it = json.load(open("out")); assert it["held_out"]["cells"] == 1' 2>>complaints
case_done calibrate_finds_what_a_disk_takes

cat >shared.yaml <<'YAML'
version: 1
kind: reference
tolerance: 2 %
configurations:
  - {label: half, scenario: guess.yaml, set: {workload.read_share: 50 %, workload.block: 8 KiB}}
cells:
  - {label: half, phase: steady, metric: iops, value: 50, unit: /s, mark: stated}
YAML
aft calibrate --to shared.yaml --free devices.slow.read --steps 1 --set run.duration="1 min" -o shared
exits 0
has shared/half.yaml "read_share: 50 %"
has shared/half.yaml "duration: 1 min"
grep -q "read: 12 ms" shared/half.yaml && complain "the fitted value is missing"
has err "has no place for workload.block=8 KiB"
case_done calibrate_writes_the_scenarios_that_it_ran

# Two readers wait for each other, so that each read takes them twice as long.
cat >pair.yaml <<'YAML'
version: 1
kind: reference
name: one reader, and two
tolerance: 2 %
configurations:
  - {label: one, scenario: guess.yaml}
  - {label: two, scenario: guess.yaml, set: {workload.vms: 2, workload.outstanding: 2}}
cells:
  - {label: one, phase: steady, metric: read_mean, value: 20, unit: ms, mark: stated}
  - {label: one, phase: steady, metric: iops, value: 50, unit: /s, mark: stated}
  - {label: two, phase: steady, metric: read_mean, value: 40, unit: ms, mark: stated}
  - {label: two, over: one, phase: steady, metric: iops, value: 1, unit: "1", mark: derived}
  - {label: two, phase: steady, metric: write_mean}
YAML
aft calibrate --to pair.yaml --free devices.slow.read --rotate configuration -o rotated
exits 0
has out "configuration left out"
has out "fitted"
python3 - 2>>complaints <<'PY'
import json
it = json.load(open("rotated/calibration.json"))
rotation = it["rotation"]
assert rotation["by"] == "configuration"
assert [fold["left_out"] for fold in rotation["folds"]] == ["one", "two"]
for fold, cells in zip(rotation["folds"], (3, 2)):
    assert fold["fitted"]["cells"] == fold["predicted"]["cells"] == cells, fold
    assert fold["predicted"]["largest"] < 0.05, fold
    assert abs(fold["values"]["devices.slow.read"] - 0.020) < 0.0008, fold
assert rotation["all"]["predicted"]["cells"] == 5 and rotation["iops"]["fitted"]["cells"] == 3
roles = [cell["role"] for cell in it["cells"]]
assert roles == ["fitted"] * 4 + ["open"] + ["left out"] * 5, roles
PY
aft calibrate --to pair.yaml --free devices.slow.read --rotate configuration --hold-out one/steady/iops \
    --format csv
exits 0
python3 - 2>>complaints <<'PY'
import csv
rows = list(csv.DictReader(open("out")))
assert [row["role"] for row in rows[:5]] == ["fitted", "held out", "fitted", "fitted", "open"], rows
assert [row["left_out"] for row in rows[5:]] == ["one", "one", "two", "two"], rows
PY
aft calibrate --to pair.yaml --free devices.slow.read --rotate configuration --format markdown
exits 0
has out "| configuration left out |"
has out "- **fitted** 4 cells"
aft calibrate --to pair.yaml --free devices.slow.read --rotate phase
exits 2
has err "no cell is left to be fitted without steady"
aft calibrate --to pair.yaml --free devices.slow.read --rotate host
exits 2
has err "--rotate host: expected configuration or phase"
case_done calibrate_rotates

# Only one of these has a disk called slow; the other goes without.
sed 's/slow/quick/; s/slow/quick/' guess.yaml >quick.yaml
sed -e 's/guess.yaml/quick.yaml/' -e '/label: two/d' -e 's/label: one/label: quick/' pair.yaml |
    sed '/^configurations:/a \  - {label: guess, scenario: guess.yaml}' >other.yaml
echo '  - {label: guess, phase: steady, metric: read_mean, value: 20, unit: ms, mark: stated}' >>other.yaml
aft calibrate --to other.yaml --free devices.slow.read --steps 3 -o apart
exits 0
has apart/quick.yaml "read: 12 ms"
grep -q "read: 12 ms" apart/guess.yaml && complain "the fitted value is missing"
case_done a_key_is_fitted_where_there_is_one

aft calibrate guess.yaml --free devices.slow.read
exits 2
has err "to what?"
aft calibrate guess.yaml --to latency.yaml
exits 2
has err "which keys may change?"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.reed
exits 2
has err "did you mean devices.slow.read?"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read=1ms
exits 2
has err "expected LOW:HIGH"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read=15ms:40ms
exits 2
has err "begins at 12 ms, expected between 15 ms and 40 ms"
aft calibrate guess.yaml --to latency.yaml --free workload.kind
exits 2
has err "no number"
aft calibrate guess.yaml --to latency.yaml --free workload.vms
exits 2
has err "whole number"
aft calibrate guess.yaml --to latency.yaml --free ""
exits 2
has err "expected 1 to 40 keys, got 0"
aft calibrate guess.yaml --to latency.yaml --free workload.read_share=0:1,workload[0].read_share=0:1
exits 2
has err "is free already"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read --hold-out '*'
exits 2
has err "no cell is left to be fitted"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read --starts 0
exits 2
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read --jobs 0
exits 2
has err "--jobs 0: expected 1 to 1024"
aft calibrate other=a/b --to latency.yaml --free devices.slow.read
exits 2
aft calibrate guess.yaml --to latency.yaml --free ''
exits 2
has err "expected 1 to 40 keys, got 0"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read,devices.slow.read
exits 2
has err "is free already"
aft calibrate guess.yaml guess=guess.yaml --to latency.yaml --free devices.slow.read
exits 2
has err "two configurations called guess"
case_done calibrate_complains_like_run

aft calibrate guess.yaml --to latency.yaml --free devices.slow.read -o .
exits 2
has err "is a scenario to be fitted"
aft calibrate guess.yaml --to latency.yaml --free devices.slow.read -o guess.yaml
exits 2
sed 's/guess/reference/' latency.yaml >reference.yaml
aft calibrate reference=guess.yaml --to reference.yaml --free devices.slow.read -o .
exits 2
has err "reference.yaml: is the reference, another directory would keep it"
has reference.yaml "kind: reference"
mkdir -p within
sed 's/guess/..\/guess/' latency.yaml >within/latency.yaml
aft calibrate ../guess=guess.yaml --to within/latency.yaml --free devices.slow.read -o within
exits 2
has err "no file can be called that"
[ ! -e within/calibration.json ] || complain "something was written"
case_done a_search_writes_over_no_scenario_and_nowhere_else

aft calibrate guess.yaml --to latency.yaml --free devices.slow.read --set run.seed=7 -o seven
exits 0
has err "seven/guess.yaml has no place for run.seed=7"
case_done a_search_tells_what_its_scenarios_lack

aft calibrate guess.yaml --to latency.yaml --free devices.slow.read --steps 0 -o /proc/none
exits 3
has out "devices.slow.read"
has err "aftershock calibrate: /proc/none: cannot make the directory: "
case_done what_a_search_found_is_shown_where_it_cannot_be_saved

echo '128166372003061629,host,1,Read,383496192,4096,113736' >trace.csv
sed 's/^workload:.*/workload: {kind: trace, vms: 1, file: trace.csv}/' guess.yaml >replay.yaml
sed -e 's/guess/replay/' -e '/iops/d' latency.yaml >replayed.yaml
aft calibrate replay.yaml --to replayed.yaml --free devices.slow.read -o elsewhere
exits 0
aft check elsewhere/replay.yaml
exits 0
case_done fitted_scenarios_find_their_files

timeout --preserve-status -k 20 -s INT 1 "$program" calibrate guess.yaml --to latency.yaml \
    --free devices.slow.read --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
status=$?
exits 130
has err "Interrupted"
case_done a_signal_ends_a_search

echo "1..$n"
