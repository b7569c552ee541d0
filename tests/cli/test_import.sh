#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of other tools, imported as users do it.
#
#     test_import.sh PROGRAM FILES
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
files=$(realpath "$2")
begin "$1"

# A scenario that a part in the file $1 is put into, with nodes of the device $2; leaves it in $3.
with_part() {
    {
        echo "version: 1"
        echo "cluster: {nodes: 4, node: {disk_groups: {capacity: {device: $2, count: 4}}}}"
        echo "data: {logical: 1 TB, protection: rf2}"
        cat "$1"
    } >"$3"
}

echo "1..11"

aft import fio-json "$files/fio-jobs.json" --label two
exits 0
silent err
has out "metric: read_p99, value: 0.93, unit: ms, mark: stated"
cp out measured.yaml
aft check measured.yaml
exits 0
has out "a reference"
case_done "a_result_of_fio_is_a_reference"

aft import fio-json "$files/fio-jobs.json" --label two -o written.yaml
exits 0
silent out
same measured.yaml written.yaml
case_done "output_goes_to_a_file"

aft import fio-job "$files/mixed.fio" -o workload.yaml
exits 0
silent out
has err "[log] fdatasync=1: has no counterpart"
with_part workload.yaml sata-ssd jobs.yaml
aft check jobs.yaml
exits 0
case_done "a_job_file_is_part_of_a_scenario"

aft import hcibench "$files/res.txt" --phase failed -o hcibench.yaml
exits 0
aft import vdbench "$files/flatfile.html" -o vdbench.yaml
exits 0
aft check hcibench.yaml vdbench.yaml
exits 0
has hcibench.yaml "phase: failed"
case_done "other_benchmarks_are_references_too"

aft import backblaze "$files/drives-1.csv" "$files/drives-2.csv" --label "ACME X-1" -o drives.yaml
exits 0
with_part drives.yaml ACME-X-1 drives-in.yaml
aft check drives-in.yaml
exits 0
aft import backblaze "$files/drives-1.csv" --format csv
exits 0
has out "failures_per_year"
case_done "drive_statistics_are_devices_and_faults"

aft import prometheus "$files/answer.json"
exits 2
has err "which figure are the series? --metric iops"
aft import prometheus "$files/answer.json" --metric iop
exits 2
has err "--metric iop: there is none"
aft import prometheus "$files/answer.json" --metric iops --label two -o series.yaml
exits 0
aft check series.yaml
exits 0
case_done "series_are_what_one_says_they_are"

aft import xray "$files/xray" -o test.yaml
exits 0
silent out
has err "test.yml:73: experimental.Shell: has no counterpart"
has err "taken to be for 4 nodes; --nodes says how many there are"
has test.yaml '  - {at: 5 min, fail: node 0}'
with_part test.yaml sata-ssd test-in.yaml
aft check test-in.yaml
exits 0
silent err
aft run test-in.yaml --dry-run
exits 0
aft import xray "$files/xray/test.yml" --nodes 8
exits 0
has out '    on: "0,1,2,3"'
aft import xray "$files/xray" --nodes 0x
exits 2
aft import xray "$files/xray" --nodes -4
exits 2
has err "--nodes -4: expected 1 or more"
aft import xray "$files"
exits 2
has err "test.yml: No such file"
case_done "a_folder_of_x_ray_is_workloads_and_a_timeline"

mkfifo pipe
for kind in fio-json fio-job hcibench vdbench xray backblaze prometheus ceph; do
    metric=
    [ $kind = prometheus ] && metric="--metric iops"
    # shellcheck disable=SC2086 # words
    aft import $kind pipe $metric
    exits 2
    silent out
    has err "aftershock import: pipe: is not a regular file"
done
ln -s loop loop
aft import xray loop
exits 2
has err "loop: "
case_done "what_never_ends_is_not_read"

echo kept >kept.yaml
echo '{"fio version": "fio-3.1", "jobs": [' >cut.json
aft import fio-json cut.json -o kept.yaml
exits 2
silent out
has err "aftershock import: cut.json:2:1: the text ends where brackets are still open"
has kept.yaml kept
aft import fio-json nowhere.json
exits 2
has err "nowhere.json"
aft import backblaze "$files/drives-1.csv" "$files/drives-1.csv"
exits 2
has err "is a file given twice?"
case_done "what_is_wrong_is_told_and_nothing_written"

aft import
exits 2
has err "which kind? there are fio-json, fio-job"
aft import fio-jsn x
exits 2
has err 'did you mean fio-json?'
aft import vdbench
exits 2
has err "which files? import vdbench output/flatfile.html"
aft import vdbench x --phase stedy
exits 2
has err "did you mean steady?"
aft import fio-job x --format csv
exits 2
has err "fio-job takes no --format csv"
aft import fio-job x y
exits 2
has err "fio-job takes one file at a time"
aft import fio-json measured.yaml -o measured.yaml
exits 2
has err "would write over what is read"
cp -R "$files/xray" xray-test
aft import xray xray-test --nodes 4 -o xray-test/test.yml
exits 2
has err "xray-test/test.yml: would write over what is read"
same "$files/xray/test.yml" xray-test/test.yml
case_done "wrong_usage_is_told"

aft import fio-json "$files/fio-jobs.json" -o /nowhere/at/all.yaml
exits 3
silent out
has err "/nowhere/at/all"
aft import fio-json "$files/fio-jobs.json" -o /dev/null
exits 3
has err "/dev/null: is a device or a pipe, not a file"
ln -s measured.yaml link.yaml
aft import fio-json "$files/fio-jobs.json" -o link.yaml
exits 0
[ -L link.yaml ] || complain "the link is gone"
aft import --help
exits 0
for kind in fio-json fio-job hcibench vdbench xray backblaze prometheus ceph; do
    has out "  aftershock import $kind "
done
case_done "help_has_an_example_of_each_kind"
