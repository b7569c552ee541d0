#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists what can be named, and names all that is listed.
#
#     test_lists.sh PROGRAM SCENARIOS
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
scenarios=$(realpath "$2")
begin "$1"

tiny_scenario "one disk in the test" "20 s"

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
tasks=$(sed 's/ .*//' out)
[ -n "$tasks" ] || complain "there are none"
for task in $tasks; do
    aft run tiny.yaml --dry-run --set "background.$task.priority=2"
    exits 0
done
case_done every_task_that_is_listed_can_be_set

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

aft list references
exits 0
silent err
[ "$(wc -l <out)" -eq "$(ls "$scenarios"/published/*.yaml | wc -l)" ] || complain "some are missing"
aft check "$scenarios"/published/*.yaml
exits 0
silent err
case_done all_shipped_references_are_listed_and_fine

echo "1..$n"
