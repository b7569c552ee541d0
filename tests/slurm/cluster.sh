# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# A Slurm cluster of three nodes on this machine alone, for a test: begin_cluster DIR, and
# end_cluster. Needs root, munged, slurmctld and slurmd; nothing outside of DIR changes.

nodes="n1 n2 n3"

# A port that is likely to be free: below those that systems hand out.
first_port=$((20000 + $$ % 8000))

write_conf() {
    cat > "$cluster/slurm.conf" <<CONF
ClusterName=aftershock
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$first_port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdTimeout=5
KillWait=1
MinJobAge=600
ReturnToService=1
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.%n.log
SlurmdParameters=config_overrides
CONF
    port=$first_port
    for node in $nodes; do
        port=$((port + 1))
        echo "NodeName=$node NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$port CPUs=1"
    done >> "$cluster/slurm.conf"
    echo "PartitionName=all Nodes=n[1-3] Default=YES MaxTime=60 State=UP" >> "$cluster/slurm.conf"
}

begin_munge() {
    dd if=/dev/urandom of="$cluster/munge.key" bs=1024 count=1 2> "$cluster/dd.log"
    chmod 400 "$cluster/munge.key"
    munged --force --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munge.pid" --log-file="$cluster/munge.log" \
        --seed-file="$cluster/munge.seed" 2>> "$cluster/munge.err"
}

# Waits up to $1 seconds until the command "$@" behind it succeeds.
wait_for() {
    left=$1
    shift
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || return 1
        sleep 1
    done
}

all_idle() {
    [ "$(sinfo --noheader --Node --format=%T 2>> "$cluster/sinfo.err" | grep -c '^idle$')" = 3 ]
}

# Starts it in the new folder $1. Returns 1, with $why, if that cannot be.
begin_cluster() {
    cluster=$1
    why=
    for program in munged slurmctld slurmd sbatch; do
        command -v "$program" > /dev/null || why="there is no $program"
    done
    [ "$(id -u)" = 0 ] || why="only root can start it"
    [ -z "$why" ] || return 1
    mkdir -p "$cluster/state"
    for node in $nodes; do
        mkdir -p "$cluster/spool.$node"
    done
    write_conf
    export SLURM_CONF="$cluster/slurm.conf"
    why="munged does not start: $cluster/munge.err"
    begin_munge || return 1
    why="slurmctld or slurmd does not start: $cluster/*.log"
    slurmctld 2>> "$cluster/slurmctld.err" || return 1
    for node in $nodes; do
        slurmd -N "$node" 2>> "$cluster/slurmd.err" || return 1
    done
    wait_for 60 all_idle
}

kill_by_file() {
    if [ -s "$1" ]; then
        kill -"$2" "$(cat "$1")" 2>> "$cluster/kill.err" || true
    fi
}

end_cluster() {
    scancel --user=root 2>> "$cluster/kill.err" || true
    for node in $nodes; do
        kill_by_file "$cluster/slurmd.$node.pid" TERM
    done
    kill_by_file "$cluster/slurmctld.pid" TERM
    kill_by_file "$cluster/munge.pid" TERM
}
