#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep as a Slurm job array of which one node dies in the middle must end as one in a single
# process does, byte for byte. Starts a Slurm of its own; where that cannot be, it is skipped.
# Usage: test_slurm.sh AFTERSHOCK SOURCE_FOLDER
set -u
AFTERSHOCK=$1
source=$2
export AFTERSHOCK
. "$source/tests/slurm/cluster.sh"
folder=$(mktemp -d)
chmod 755 "$folder"
trap 'end_cluster; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

echo 1..1
name="an array of which a node dies ends as one process does"

skip() {
    echo "ok 1 - $name # SKIP $1"
    exit 0
}

fail() {
    echo "not ok 1 - $name"
    echo "# $1"
    for log in "$folder"/run/log/*.log "$folder"/cluster/slurmctld.log; do
        [ ! -f "$log" ] || tail -n 15 "$log" | sed "s|^|# $(basename "$log"): |"
    done
    exit 1
}

# A cluster so small that a replication takes a fraction of a second, and points enough that three
# shards take a while.
cat > "$folder/base.yaml" <<'YAML'
version: 1
name: a small cluster that loses a node
cluster:
  nodes: 4
  node:
    controller: {slots: 2, io: 150 us}
    nic: 10 Gbit/s
    disk_groups: {capacity: {count: 2, device: sata-ssd, size: 480 GB}}
data: {logical: 40 GB, placement_groups: 64, protection: rf2}
workload: {kind: paced, vms: 4, rate: 400 /s, outstanding: 32, read_share: 70 %, block: 4 KiB}
background: {rebuild: {delay: 1 min}}
timeline: [{at: 2 min, fail: node 1}]
requirement: {iops: 400, read: 5 ms}
run: {until: steady, settle: 1 min, duration: 1 h}
YAML
cat > "$folder/sweep.yaml" <<'YAML'
version: 1
kind: sweep
name: nodes and load
base: base.yaml
axes:
  cluster.nodes: [4, 5, 6]
  workload.rate: [300 /s, 400 /s, 500 /s]
replications: 20
fidelity: sampled
YAML

kept() {
    [ -n "$(sqlite3 -readonly "$1" 'SELECT 1 FROM replications LIMIT 1' 2>> "$folder/sqlite.err")" ]
}

# Ends process $1 and all below it, at once.
kill_tree() {
    for child in $(pgrep -P "$1"); do
        kill_tree "$child"
    done
    kill -KILL "$1" 2>> "$folder/kill.err"
}

# Kills the node that task $1 of the array runs on, and the task with it.
kill_node_of() {
    job=$(squeue --noheader --jobs="${array}_$1" --format=%A)
    node=$(squeue --noheader --jobs="${array}_$1" --format=%N)
    [ -n "$node" ] || return 1
    kill -KILL "$(cat "$cluster/slurmd.$node.pid")"
    rm "$cluster/slurmd.$node.pid"
    step=$(pgrep -f "^slurmstepd: \[$job\.batch\]") || return 1
    kill_tree "$step"
}

merged() {
    [ -z "$(squeue --noheader --jobs="$merge" --format=%T 2>> "$folder/squeue.err")" ]
}

begin_cluster "$folder/cluster" || skip "$why"
ids=$("$source/tools/slurm/submit" "$folder/sweep.yaml" "$folder/run" 3) || fail "nothing submitted"
array=${ids% *}
merge=${ids#* }
wait_for 60 kept "$folder/run/shards/shard-2-of-3.db" || fail "shard 2 does not begin"
kill_node_of 2 || fail "shard 2 was done before it could be killed"
wait_for 200 merged || fail "the merge does not end"
"$AFTERSHOCK" sweep "$folder/sweep.yaml" -o "$folder/single" > "$folder/single.txt" 2>&1 ||
    fail "the single process ends with $?"
for table in points.csv replications.csv ranking.csv; do
    cmp "$folder/single/$table" "$folder/run/$table" > "$folder/cmp.txt" 2>&1 ||
        fail "$table: $(cat "$folder/cmp.txt")"
done
restarts=$(scontrol show job "${array}_2" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
[ "${restarts:-0}" -ge 1 ] || fail "shard 2 was not requeued"
echo "ok 1 - $name"
