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

for command in run explain compare report calibrate check list init import export sweep merge size; do
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
case_done run_writes_its_files

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

aft run tiny.yaml --dry-run --label "ü" --set "requirement.read=500 µs"
exits 0
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
    "$program" check tiny.yaml nowhere.yaml >/dev/full 2>err
    status=$?
    exits 3
    has err "nowhere.yaml"
fi
case_done output_that_does_not_fit_is_an_error

aft run tiny.yaml -o /proc/none
exits 3
has out "one disk in the test"
has err "/proc/none: cannot make the directory: "
aft run tiny.yaml -o /proc/none --each-failure disk --at "5 s"
exits 3
has err "Done after"
has err ": 1 failure"
lacks err "failures"
has err "aftershock run: /proc/none: cannot make the directory: "
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
for signal in INT TERM HUP; do
    timeout --preserve-status -k 20 -s $signal 1 "$program" run tiny.yaml -o stopped-$signal \
        --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
    status=$?
    exits 130
    has stopped-$signal/summary.json '"interrupted": true'
    [ "$(ls stopped-$signal | wc -l)" -eq 5 ] || complain "the set is not whole"
    has out "interrupted"
done
case_done a_signal_ends_the_run_and_keeps_what_there_is

echo "1..$n"
