#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps, shards and merges as users run them.
#
#     test_sweep.sh PROGRAM
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"

tiny_scenario "one disk in the test" "5 s"
echo 'requirement: {read: 2 ms}' >>tiny.yaml
cat >sweep.yaml <<'YAML'
version: 1
kind: sweep
name: how busy may it be?
base: tiny.yaml
axes:
  workload.rate: [200 /s, 500 /s, 800 /s]
  run.duration: {uniform: [4 s, 8 s]}
replications: 12
fidelity: io
YAML

aft sweep
exits 2
silent out
has err "which sweep?"
aft sweep sweep.yaml
exits 2
has err "where to? -o DIR"
aft sweep sweep.yaml -o whole --shard 3/2
exits 2
has err "--shard 3/2: expected I/N"
aft sweep sweep.yaml -o whole --jobs 0
exits 2
aft sweep sweep.yaml -o whole --set devices.disk.read=6ms --set "workload[0].rate=100/s"
exits 2
has err "--set workload[0].rate=100/s has no effect beside workload.rate of the sweep"
aft sweep sweep.yaml -o whole --set "run.fidelity = sampled"
exits 2
has err "has no effect beside fidelity of the sweep"
aft merge whole
exits 2
has err "where to?"
aft sweep --help
exits 0
has out "--resume"
case_done usage_is_told

aft sweep sweep.yaml -o whole --jobs 2
exits 0
has err "36 replications done"
has out "workload.rate"
has out "longer than the first"
[ "$(head -n 1 whole/points.csv)" = "point,workload.rate,run.duration,phase,metric,n,mean,ci,p5,p50,p95,miss_probability,saturated_probability,loss_probability,unit" ] ||
    complain "$(head -n 1 whole/points.csv)"
has whole/points.csv "0,200 /s,,steady,read_mean,12,"
[ "$(wc -l <whole/replications.csv)" = 37 ] || complain "replications: $(wc -l <whole/replications.csv)"
has whole/ranking.csv "1,0,200 /s,,12,1,0,0,,,0"
case_done a_sweep_writes_its_tables

sed 's|^replications:.*|replications: {until: {metric: rebuild/minutes, within: 1 %}, min: 2, max: 3}|' \
    sweep.yaml >vain.yaml
aft sweep vain.yaml -o vain
exits 0
has err "3 of the 3 points that ended: rebuild/minutes is not within 1 % after 3 replications; it never came at 3 of them"
case_done a_figure_that_never_comes_is_told

aft sweep sweep.yaml -o single --jobs 1
exits 0
for table in points.csv replications.csv ranking.csv; do
    same "whole/$table" "single/$table"
done
case_done jobs_change_nothing

aft sweep sweep.yaml -o whole
exits 3
has err "--resume"
aft sweep sweep.yaml -o whole --resume
exits 0
has err "36 of them before"
sed 's/800/700/' sweep.yaml >other.yaml
aft sweep other.yaml -o whole --resume
exits 3
has err "the sweep has changed since"
aft sweep sweep.yaml -o whole --resume --set run.settle="1 s"
exits 3
has err "the base scenario has changed since"
aft sweep sweep.yaml -o whole --resume --seed 5
exits 3
has err "its seed was"
same whole/points.csv single/points.csv
case_done what_is_there_is_gone_on_with_or_left_alone

for shard in 2 3 1; do
    aft sweep sweep.yaml -o shards --shard $shard/3
    exits 0
    silent out
done
aft merge shards -o merged
exits 0
has err "Joined 3 stores: 36 replications, 0 of them more than once"
for table in points.csv replications.csv ranking.csv; do
    same "whole/$table" "merged/$table"
done
case_done shards_join

rm shards/shard-2-of-3.db
aft merge shards -o partly
exits 3
has err "Gap: "
[ "$(wc -l <partly/replications.csv)" = 25 ] || complain "replications: $(wc -l <partly/replications.csv)"
aft merge nowhere missing -o elsewhere
exits 2
has err "aftershock merge: nowhere: cannot read: No such file or directory"
has err "aftershock merge: missing: cannot read: "
[ ! -e elsewhere ] || complain "a store of nothing"
aft merge shards/shard-1-of-3.db -o elsewhere
exits 2
has err "shard-1-of-3.db: cannot read: Not a directory"
case_done gaps_are_told

sed -e 's/4 s, 8 s/400 s, 800 s/' -e 's/replications: 12/replications: 9/' sweep.yaml >long.yaml
"$program" sweep long.yaml -o long --jobs 2 >out 2>err &
running=$!
until [ -s long/sweep.db ] || ! kill -0 $running 2>complaints; do
    sleep 0.01
done
sleep 0.2
kill -TERM $running 2>>complaints
wait $running
status=$?
exits 130
has err "Interrupted after"
aft sweep long.yaml -o long --resume
exits 0
aft sweep long.yaml -o at-once
exits 0
for table in points.csv replications.csv ranking.csv; do
    same "long/$table" "at-once/$table"
done
case_done an_interrupted_sweep_ends_the_same

cat >large.yaml <<'YAML'
version: 1
kind: sweep
base: tiny.yaml
axes:
  data.placement_groups: [1, 1000000]
  cluster.nodes: [20000]
replications: 2
YAML
aft sweep large.yaml -o large --set run.duration="1 ms"
exits 3
has err "2 replications done, 2 failed"
has large/replications.csv "fewer placement groups, please"
case_done a_replication_that_fails_is_kept_with_its_reason

cat >partly.yaml <<'YAML'
version: 1
kind: sweep
base: tiny.yaml
design: list
points:
  - {name: with scrubs, background.scrub.every: 100 d}
  - {name: without scrubs, background.scrub.every: never}
replications: 2
YAML
aft sweep partly.yaml -o partly-flow
exits 0
has err "4 replications done"
has err "2 of them by windows, since run.fidelity: flow cannot remember rates of scrubs"
aft sweep partly.yaml -o strictly --fidelity flow
exits 3
has err "2 replications done, 2 failed"
has strictly/replications.csv "flow cannot remember rates of scrubs"
case_done what_flow_cannot_do_is_done_by_windows

cp -R whole short
sqlite3 short/sweep.db "DELETE FROM replications WHERE replication > 9; DELETE FROM phases WHERE
    replication > 9; DELETE FROM meta WHERE key = 'end'"
aft merge short -o shorter
exits 3
has err "short/sweep.db: its sweep has not come to its end; go on with it by"
aft merge shorter whole -o full
exits 0
for table in points.csv replications.csv ranking.csv; do
    same "whole/$table" "full/$table"
done
case_done what_is_missing_at_the_end_is_told

"$program" sweep sweep.yaml -o closed <&- >out 2>err
status=$?
exits 0
[ ! -e closed/sweep.db.lock ] || complain "the lock is left"
case_done a_sweep_needs_no_standard_input

sed 's/500 /5OO /' sweep.yaml >broken.yaml
aft check broken.yaml
exits 2
has err "broken.yaml:6:27: error:"
aft sweep broken.yaml -o broken
exits 2
has err "broken.yaml:6:27: error:"
[ ! -e broken ] || complain "broken was made"
case_done mistakes_are_told_at_their_place

cp -R whole torn
sqlite3 torn/sweep.db "UPDATE points SET settings = 'x' WHERE point = 1"
aft merge torn -o untorn
exits 3
has err "torn/sweep.db"
aft report torn
exits 2
has err "torn/sweep.db: is damaged: point 1 is not what was written"
aft sweep sweep.yaml -o torn --resume
exits 3
has err "is damaged: point 1"
sqlite3 torn/sweep.db "UPDATE meta SET value = '4294967295' WHERE key = 'points'"
aft report torn
exits 2
has err "does not tell its points"
for shard in 4294967297/4 " 1/4" +1/4 0/1 2/1; do
    aft sweep sweep.yaml -o far --shard "$shard"
    exits 2
done
case_done settings_that_are_damaged_end_nothing

aft sweep sweep.yaml -o /proc/nowhere
exits 3
has err "/proc/nowhere"
printf 'this is no database, though it is long enough for its head, and more: %0100d' 0 >whole/sweep.db
aft sweep sweep.yaml -o whole --resume
exits 3
has err "whole/sweep.db"
case_done folders_and_stores_that_cannot_be_used_are_told

echo "1..$n"
