#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the program as users do: exit statuses, what goes to which stream, help, complaints, files.
#
#     test_cli.sh PROGRAM SCENARIOS
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
scenarios=$(realpath "$2")
begin "$1"

tiny_scenario "one disk in the test" "20 s"
sed 's/nodes: 1/nods: 1/' tiny.yaml >broken.yaml

aft
exits 2
silent out
has err "Usage:"
case_done without_a_command_there_is_only_advice

aft --help
exits 0
silent err
has out "aftershock run wwt-raid5"
case_done help_goes_to_standard_output

aft --version
exits 0
silent err
grep -qE '^aftershock [0-9]+\.[0-9]+\.[0-9]+$' out || complain "not a version"
case_done the_version_is_one_line

for command in run explain compare report calibrate check list; do
    aft $command --help
    exits 0
    silent err
    has out "Example"
    has out "  aftershock $command "
done
case_done help_of_every_command_has_an_example

aft chekc
exits 2
silent out
has err 'did you mean "check"?'
case_done a_misspelt_command_gets_a_suggestion

aft run --fromat csv tiny.yaml
exits 2
silent out
has err "did you mean --format?"
case_done a_misspelt_option_gets_a_suggestion

aft run
exits 2
has err "which scenario?"
aft run tiny.yaml tiny.yaml
exits 2
case_done run_takes_one_scenario

aft run tiny.yaml --format xml
exits 2
has err "expected text, csv, json or markdown"
aft run tiny.yaml --set run.seed
exits 2
has err "--set run.seed: expected PATH=VALUE"
case_done values_of_options_are_checked

aft run nowhere.yaml
exits 2
silent out
has err 'no file "nowhere.yaml"'
case_done a_missing_file_is_named

aft check tiny.yaml
exits 0
silent err
has out "tiny.yaml: ok: one disk in the test"
case_done check_says_what_is_fine

aft check tiny.yaml broken.yaml
exits 2
has out "tiny.yaml: ok"
has err "broken.yaml:4:3: error:"
has err "did you mean"
case_done check_points_at_what_is_wrong

aft run broken.yaml
exits 2
silent out
has err "broken.yaml:4:3: error:"
case_done run_refuses_what_check_refuses

aft explain "$scenarios/03-raid5-penalty.yaml"
exits 0
silent err
has out "the RAID-5 write penalty (03-raid5-penalty)"
has out "healthy: 1,000 x 0.4 + 1,000 x 0.6 x 4 = 2,800 device I/Os a second"
has out "healthy: 1,429 IOPS (capacity access)"
has out "no node left to put it on"
case_done explain_tells_costs_and_bounds

aft explain 03-raid5-penalty --set workload.read_share="80 %" --set workload.rate="2k/s"
exits 0
has out "2,000 x 0.8 + 2,000 x 0.2 x 4 = 3,200 device I/Os a second"
case_done explain_takes_settings

aft explain tiny.yaml --format json
exits 0
silent err
python3 -c 'import json
tiny = json.load(open("out"))
work = tiny["workloads"][0]
assert work["healthy"]["iops"] == 1000.0, work["healthy"]["iops"]
assert work["healthy"]["bottleneck"] == "capacity_access"
assert abs(tiny["cluster"]["healthy"]["utilisation"]["capacity_access"]["mean"] - 0.5) < 1e-9
assert not work["one_node_down"]["possible"]' 2>>complaints
case_done explain_gives_json

aft explain
exits 2
silent out
has err "which scenario?"
aft explain tiny.yaml --format csv
exits 2
has err "expected text or json"
aft explain tiny.yaml --set run.seed
exits 2
has err "--set run.seed: expected PATH=VALUE"
aft explain broken.yaml
exits 2
silent out
has err "broken.yaml:4:3: error:"
aft explain nowhere
exits 2
has err 'no file "nowhere"'
case_done explain_complains_like_run

aft run tiny.yaml --dry-run -o dry
exits 0
silent err
has out "one disk in the test"
[ ! -e dry ] || complain "a dry run wrote something"
case_done a_dry_run_writes_nothing

aft run tiny.yaml
exits 0
has out "one disk in the test (tiny)"
has out "steady"
has err "Done after"
grep -q 'Done' out && complain "talk on standard output"
case_done run_shows_the_phases

aft run tiny.yaml -o a/b --label mine
exits 0
has err "Wrote a/b"
[ "$(ls a/b | tr '\n' ' ')" = "events.csv latency.csv phases.csv summary.json trace.csv " ] ||
    complain "the files are: $(ls a/b)"
has a/b/summary.json '"label": "mine"'
case_done run_writes_its_four_files

aft run tiny.yaml --format csv
exits 0
cmp -s out a/b/phases.csv || complain "not what phases.csv holds"
aft run tiny.yaml --format json --label mine
cmp -s out a/b/summary.json || complain "not what summary.json holds"
aft run tiny.yaml --format markdown
has out "| steady |"
case_done other_formats_go_to_standard_output_alone

aft run tiny.yaml -o again --label mine
for file in events.csv latency.csv phases.csv summary.json trace.csv; do
    cmp -s a/b/$file again/$file || complain "$file differs"
done
aft run tiny.yaml -o other --label mine --seed 2
cmp -s a/b/phases.csv other/phases.csv && complain "another seed, the same phases"
case_done the_seed_makes_the_bytes

aft run tiny.yaml -o tiny.yaml
exits 2
has err "is a file"
has tiny.yaml "version: 1"
case_done a_file_is_not_taken_for_a_directory

aft run tiny.yaml --require
exits 2
has err "no requirement"
aft run tiny.yaml --require --set requirement.iops="400 /s"
exits 0
aft run tiny.yaml --require --set requirement.iops="600 /s"
exits 1
has out "no: iops"
aft run tiny.yaml --set requirement.iops="600 /s"
exits 0
case_done a_missed_requirement_is_a_failure_only_on_demand

aft run tiny.yaml --set run.seed=x --set workload.vmz=3
exits 2
silent out
has err "--set run.seed=x: error"
has err "did you mean workload.vms?"
case_done all_bad_settings_are_told

if [ -c /dev/full ]; then
    "$program" run tiny.yaml >/dev/full 2>err
    status=$?
    exits 3
    has err "cannot write"
fi
case_done output_that_does_not_fit_is_an_error

aft run tiny.yaml -o /proc/none
exits 3
has out "one disk in the test"
has err "cannot make the directory"
case_done what_cannot_be_saved_is_shown_all_the_same

aft schema scenario
exits 0
silent err
has out '"http://json-schema.org/draft-07/schema#"'
aft schema --format markdown sweep
exits 0
has out '| `replications.max` |'
case_done schemas_are_printed

aft schema
exits 2
has err "of which kind of file?"
aft schema scenari
exits 2
has err "did you mean scenario?"
aft schema scenario --format xml
exits 2
has err "json or markdown"
silent out
case_done schemas_are_of_known_kinds

: >out
for signal in INT TERM; do
    timeout --preserve-status -k 20 -s $signal 1 "$program" run tiny.yaml -o stopped-$signal \
        --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
    status=$?
    exits 130
    has stopped-$signal/summary.json '"interrupted": true'
    [ "$(ls stopped-$signal | wc -l)" -eq 5 ] || complain "the set is not whole"
    has out "interrupted"
done
case_done a_signal_ends_the_run_and_keeps_what_there_is

aft list scenarios
exits 0
silent err
for file in "$scenarios"/*.yaml; do
    has out "$(basename "$file" .yaml)"
done
[ "$(wc -l <out)" -eq "$(ls "$scenarios"/*.yaml | wc -l)" ] || complain "some are missing"
case_done all_shipped_scenarios_are_listed

mkdir -p installed/bin installed/share/aftershock/scenarios
cp "$program" installed/bin/aftershock
cp tiny.yaml installed/share/aftershock/scenarios/shipped.yaml
installed/bin/aftershock list scenarios >out 2>err
status=$?
exits 0
has out "shipped                      one disk in the test"
installed/bin/aftershock run shipped --dry-run >out 2>err
status=$?
exits 0
installed/bin/aftershock run shiped >out 2>err
status=$?
exits 2
has err "did you mean shipped?"
case_done an_installed_program_finds_its_scenarios

aft list planets
exits 2
silent out
has err "there is no list of \"planets\"; there are designs, devices, distributions, keys, metrics, references,"
aft list device
exits 2
has err "did you mean devices?"
aft list devices
exits 0
has out "sata-ssd"
aft list schemes
exits 0
has out "raid5"
has out "lrc"
case_done devices_and_schemes_are_listed

aft list schemes
exits 0
silent err
schemes=$(sed 's/ .*//' out)
[ -n "$schemes" ] || complain "there are none"
for scheme in $schemes; do
    aft run tiny.yaml --dry-run --set "data.protection=$scheme"
    if grep -q "error: data.protection: expected" err; then
        complain "$scheme is no scheme"
    fi
done
case_done every_scheme_that_is_listed_is_one

cat >convert.yaml <<'YAML'
version: 1
cluster: {nodes: 6, node: {disk_groups: {capacity: {device: sata-ssd}}}}
data: {logical: 1 TB, protection: rf2, services: {compression: off}}
timeline:
  - {at: 1 h, set: {data.protection: rf3}}
YAML
aft check convert.yaml
exits 0
silent err
aft run convert.yaml --dry-run --set 'timeline[0].set.data.protection=raid6' \
    --set data.services.compression=on
exits 0
silent err
aft run convert.yaml --dry-run --set 'timeline[0].set.cluster.nodes=7'
exits 2
has err "did you mean timeline[0].set.data.protection?"
aft run convert.yaml --dry-run --set data.services.compression.ratio=0.5
exits 0
has err "warning: data.services.compression.enabled: off: the other keys of compression have no effect"
case_done conversions_and_services_can_be_set

aft list schedulers
exits 0
silent err
schedulers=$(sed 's/ .*//' out)
[ -n "$schedulers" ] || complain "there are none"
for scheduler in $schedulers; do
    aft run tiny.yaml --dry-run --set "background.scheduler.kind=$scheduler"
    exits 0
done
case_done every_scheduler_that_is_listed_can_be_asked_for

aft list workloads
exits 0
silent err
workloads=$(sed 's/ .*//' out)
[ -n "$workloads" ] || complain "there are none"
for workload in $workloads; do
    aft run tiny.yaml --dry-run --set "workload.kind=$workload"
    if grep -q "workload.kind=$workload: error" err; then
        complain "$workload is no kind"
    fi
done
case_done every_workload_that_is_listed_is_a_kind

aft list tasks
exits 0
silent err
for task in $(sed 's/ .*//' out); do
    aft run tiny.yaml --dry-run --set "background.$task.priority=2"
    exits 0
done
case_done every_task_that_is_listed_can_be_set

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

cat >sweep.yaml <<'END'
version: 1
kind: sweep
name: one disk, slower and slower
base: tiny.yaml
design: grid
points: 4
axes:
  workload.rate: {uniform: [10 /s, 20 /s]}
END
sed '/points/d' sweep.yaml >grid.yaml
aft check grid.yaml
exits 0
silent err
has out "grid.yaml: ok: one disk, slower and slower (a sweep of 1 point)"
aft check sweep.yaml
exits 2
silent out
has err "sweep.yaml:6:9: error: points: a grid has the points that its axes make"
sed 's/20 /2O /' grid.yaml >bad.yaml
aft check bad.yaml
exits 2
has err "bad.yaml:7:36: error: workload.rate: "
aft run grid.yaml
exits 2
has err "grid.yaml:2:7: error: kind: expected scenario, files of kind sweep"
case_done check_takes_sweeps_too

aft list designs
exits 0
designs=$(sed 's/ .*//' out)
[ -n "$designs" ] || complain "there are none"
for design in $designs; do
    sed "s/design: grid/design: $design/" sweep.yaml >design.yaml
    case $design in
    grid) sed -i '/points/d' design.yaml ;;
    list) sed -i 's/points: 4/points: [{name: as it is}]/' design.yaml ;;
    esac
    aft check design.yaml
    exits 0
done
case_done every_design_that_is_listed_can_be_asked_for

aft list distributions
exits 0
distributions=$(sed 's/ .*//' out)
[ -n "$distributions" ] || complain "there are none"
for distribution in $distributions; do
    case $distribution in
    exponential) parameters='10 /s' ;;
    weibull) parameters='[10 /s, 2]' ;;
    *uniform) parameters='[10 /s, 20 /s]' ;;
    *) parameters='[10 /s, 1 /s]' ;;
    esac
    sed "s|uniform: .*}|$distribution: $parameters}|" grid.yaml >drawn.yaml
    aft check drawn.yaml
    exits 0
    grep -q "$distribution" drawn.yaml || complain "$distribution was not asked for"
done
case_done every_distribution_that_is_listed_can_be_drawn_from

aft list sweeps
exits 0
silent err
[ "$(wc -l <out)" -eq "$(ls "$scenarios"/sweeps/*.yaml | wc -l)" ] || complain "some are missing"
aft check "$scenarios"/sweeps/*.yaml
exits 0
silent err
case_done all_shipped_sweeps_are_listed_and_fine

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

aft list references
exits 0
silent err
[ "$(wc -l <out)" -eq "$(ls "$scenarios"/published/*.yaml | wc -l)" ] || complain "some are missing"
aft check "$scenarios"/published/*.yaml
exits 0
silent err
case_done all_shipped_references_are_listed_and_fine

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

aft compare guess.yaml guess=guess.yaml --to latency.yaml
exits 2
has err "there are two configurations called guess"
case_done compare_takes_a_label_once

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
