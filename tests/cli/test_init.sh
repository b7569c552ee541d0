#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What `aftershock init` writes is fine for any number of nodes, and once more it writes over nothing.
#
#     test_init.sh PROGRAM [--run]
#
# With --run, runs each as it comes instead.
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"
systems="ceph nutanix s2d vsan"

if [ "${2-}" = --run ]; then
    for system in $systems; do
        aft init "$system" -o "$system.yaml"
        exits 0
        aft run "$system.yaml"
        exits 0
        has out "required  "
        has out "rebuild"
        case_done "${system}_runs_to_its_end"
    done
    echo "1..$n"
    exit
fi

for system in $systems; do
    for nodes in 3 4 5 8 16 33 64; do
        "$program" init "$system" --nodes "$nodes" >new.yaml || complain "no $nodes nodes"
        aft check new.yaml
        exits 0
        silent err
        has new.yaml "nodes: $nodes"
        grep -q @ new.yaml && complain "a place is left: $(grep @ new.yaml)"
        "$program" explain new.yaml >explained || complain "$nodes nodes are not explained"
    done
    case_done "${system}_is_fine_on_any_number_of_nodes"
done

aft init
exits 0
silent err
cp out usual.yaml
aft init vsan --nodes 4
same out usual.yaml
case_done four_nodes_of_vsan_are_usual

aft init ceph --nodes 3
has out "protection: rf2"
has out "logical: 3 TB"
has out "rate: 12k/s"
aft init ceph --nodes 4
has out "protection: rf3"
grep -q SPDX out && complain "what users make of it is theirs"
# shellcheck disable=SC2016 # what the file says
schema=$(sed -n 's/^# yaml-language-server: $schema=//p' out)
[ -e "$schema" ] || complain "there is no schema $schema"
case_done figures_follow_the_nodes

aft init s2d -o mine.yaml
exits 0
silent out
has err "mine.yaml is written"
cp mine.yaml before.yaml
aft init ceph -o mine.yaml
exits 2
has err "mine.yaml is there already"
same mine.yaml before.yaml
ln -s nowhere dangling.yaml
aft init ceph -o dangling.yaml
exits 2
[ ! -e nowhere ] || complain "it went through a link"
aft init ceph -o missing/mine.yaml
exits 3
has err "No such file or directory"
set -- mine.yaml.*
[ ! -e "$1" ] || complain "$1 is left"
case_done nothing_is_written_over

aft init cep
exits 2
has err "did you mean ceph?"
aft init ../../published/wwt
exits 2
aft init ceph --nodes 2
exits 2
has err "3 to 64"
aft init ceph --nodes 65
exits 2
aft init ceph vsan
exits 2
silent out
case_done wrong_usage_is_told

echo "1..$n"
