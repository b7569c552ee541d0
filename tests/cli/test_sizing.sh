#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What if each part fails, and how many nodes does it take: run --each-failure and size as users
# call them.
#
#     test_sizing.sh PROGRAM
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"

# Nodes of one disk: three of them are too few for what five can do.
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
data: {logical: 20 MB, placement_groups: 64, protection: rf2}
workload: {kind: paced, pacing: even, vms: 4, rate: 150 /s, outstanding: 100, restart: 1 s}
background:
  rebuild: {delay: 2 s}
timeline:
  - {at: 3 s, fail: node 2}
requirement: {read: 50 ms}
run: {until: duration, duration: 10 s, fidelity: io}
YAML
grep -v requirement small.yaml >free.yaml

aft run small.yaml --each-failure node -o nodes
exits 0
lines nodes/failures.csv 6
has nodes/failures.csv "part,missed_s,rebuild_s,phase,iops,mean_ms"
has out "node 4"
has out "missed for"
lacks out "data lost"
case_done each_node_fails_in_a_run_of_its_own

aft run small.yaml --each-failure node --jobs 1 --format csv
exits 0
cmp -s out nodes/failures.csv || complain "what is printed and written differs"
aft run small.yaml --each-failure disk --format json
exits 0
json out
has out '"part" : "device 4.0.0"'
aft run small.yaml --each-failure rack --format markdown
exits 0
has out "| rack 0 |"
case_done failures_are_told_in_every_format

aft run small.yaml --each-failure node --set data.protection=none
exits 0
has out "data lost"
case_done lost_data_is_told

aft run small.yaml --each-failure node --require --set requirement.read="1 ms"
exits 1
has out "10.0 s"
aft run small.yaml --each-failure node --require --set requirement.read="10 s"
exits 0
case_done failures_can_be_required_to_be_harmless

# As if it had been written: the same rebuild, to the nanosecond.
sed 's/at: 3 s, fail: node 2/at: 4 s, fail: node 1/' small.yaml >written.yaml
"$program" run written.yaml --format csv 2>/dev/null | sed -n 's/^rebuild,[^,]*,\([^,]*\),.*/\1/p' >expected
aft run small.yaml --each-failure node --at "4 s" --format csv
exits 0
sed -n 's/^node 1,[^,]*,\([^,]*\),.*/\1/p' out >told
lines expected 1
cmp -s expected told || complain "expected $(cat expected), told $(cat told)"
case_done a_failure_is_what_a_timeline_would_have_made_of_it

aft run small.yaml --each-failure cache
exits 2
has err "nothing like cache 2.0"
aft run small.yaml --each-failure shelf
exits 2
has err "expected node, disk, cache or rack"
aft run small.yaml --each-failure node --at "1 h"
exits 2
has err "run.duration is 10 s"
aft run small.yaml --each-failure node --restore "2 s"
exits 2
has err "later than the failure"
aft run small.yaml --at "1 s"
exits 2
has err "need --each-failure"
silent out
case_done wrong_failures_are_refused

timeout --preserve-status -k 20 -s INT 2 "$program" run small.yaml --each-failure node --jobs 1 \
    --set run.duration="100 d" --set run.trace_interval="1 h" -o some >out 2>err
status=$?
exits 130
has err "Interrupted"
[ -s some/failures.csv ] || complain "failures.csv is missing"
case_done an_interruption_keeps_failures_that_are_done

aft size small.yaml --vary cluster.nodes=3:12
exits 0
head -1 out >first
has first "cluster.nodes=6 is the smallest configuration that holds"
has out "runner-up   cluster.nodes=7"
has out "binds       cluster.nodes=5: read missed in rebuild"
lacks out "price"
case_done the_answer_comes_first

aft size small.yaml --vary cluster.nodes=3:12 --jobs 1 --format csv
exits 0
mv out alone
aft size small.yaml --vary cluster.nodes=3:12 --jobs 3 --format csv
cmp -s alone out || complain "threads make a difference"
has out "cluster.nodes,price,nodes,devices,verdict,replications,met,phase,figure,share,slack,reason"
aft size small.yaml --vary cluster.nodes=3:12 --format json
exits 0
json out
has out '"answer" : "cluster.nodes=6"'
aft size small.yaml --vary cluster.nodes=3:12 --format markdown
exits 0
has out "**cluster.nodes=6 is the smallest"
case_done sizes_are_told_in_every_format

aft size small.yaml --vary cluster.nodes=3:8 --vary cluster.node.disk_groups.capacity.count=1,4 \
    --set cluster.node.price=100 --set devices.disk.price=1
exits 0
head -1 out >first
has first "cluster.nodes=3, cluster.node.disk_groups.capacity.count=4 is the cheapest"
has first "price 312"
case_done prices_decide_where_there_are_any

aft size small.yaml --vary cluster.nodes=2:5
exits 1
has out "No configuration holds"
aft size small.yaml --vary cluster.nodes=2,6
exits 0
has out "there is no node 2"
has out "impossible"
case_done a_cluster_without_a_node_of_the_timeline_does_not_hold

aft size free.yaml --vary cluster.nodes=3:12
exits 2
has err "requirement: {iops: 10k"
silent out
aft size small.yaml
exits 2
has err "--vary cluster.nodes=3:32"
aft size small.yaml --vary cluster.nods=3:12
exits 2
has err "did you mean cluster.nodes?"
aft size small.yaml --vary cluster.nodes=12:3
exits 2
aft size small.yaml --vary workload.vms=4,8 --vary "workload[0].vms=2,4"
exits 2
has err "is varied already"
aft size small.yaml --vary cluster.nodes=3:12 --replications 72
exits 2
has err "expected 73"
aft size small.yaml --vary cluster.nodes=3:12 --confidence 3
exits 2
aft size small.yaml --vary workload.rate=fast
exits 2
has err "workload.rate"
aft size --help
exits 0
has out "aftershock size 05-host-failure"
case_done wrong_searches_are_refused

timeout --preserve-status -k 20 -s INT 2 "$program" size small.yaml --vary cluster.nodes=3:12 \
    --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
status=$?
exits 130
has out "Interrupted before a configuration was found"
case_done an_interrupted_search_tells_the_best_so_far

echo "1..$n"
