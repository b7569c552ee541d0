#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages of results as users make them: aftershock report, and run --report.
#
#     test_report.sh PROGRAM
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
begin "$1"

tiny_scenario '"<script>alert(1)</script>"' "20 s"

aft run tiny.yaml -o one --report
exits 0
has err "Wrote one"
has err "Wrote one/report.html"
[ "$(ls one | tr '\n' ' ')" = "events.csv latency.csv phases.csv report.html summary.json trace.csv " ] ||
    complain "the files are: $(ls one)"
case_done run_writes_a_page_with_the_others

has one/report.html "<h1>&lt;script&gt;alert(1)&lt;/script&gt; (tiny)</h1>"
lacks one/report.html "<script>alert"
has one/report.html "default-src 'none'"
lacks one/report.html ' src="'
lacks one/report.html '<link'
case_done the_page_loads_nothing_and_names_are_text

cp one/report.html before.html
rm one/report.html
aft report one
exits 0
silent out
has err "Wrote one/report.html"
same before.html one/report.html
case_done report_makes_the_same_page_of_the_files

aft run tiny.yaml -o two --seed 2
aft report one fast=two -o both.html
exits 0
has both.html '"label":"tiny"'
has both.html '"label":"fast"'
[ ! -e two/report.html ] || complain "a page nobody asked for"
case_done several_results_make_one_page

cat >lab.yaml <<'YAML'
version: 1
kind: reference
name: a lab
tolerance: 10 %
cells:
  - {label: tiny, phase: steady, metric: read_iops, value: 500, unit: /s, mark: stated}
  - {label: tiny, phase: steady, metric: read_mean, value: 90, unit: ms, mark: stated}
YAML
aft report one --to lab.yaml -o lab.html
exits 0
silent out
has lab.html "Beside a lab</h2>"
has lab.html "1 of 2 figures with a tolerance is within it"
has lab.html "✗ outside"
aft report other=one --to lab.yaml -o none.html
exits 2
has err 'a lab has no cell labelled "other"; say which it is, like tiny=WHAT'
aft report one two --to lab.yaml -o none.html
exits 2
has err "there are two results called tiny; give one another name, LABEL=DIR"
aft report one --to nowhere.yaml -o none.html
exits 2
aft report one --to lab.yaml -o lab.yaml
exits 2
has err "lab.yaml: would write over what is read"
has lab.yaml "kind: reference"
sed 's/mark: stated/mark: suspect/' lab.yaml | sed '/read_iops/d' >suspect.yaml
aft report one --to suspect.yaml -o suspect.html
exits 0
has suspect.html "✗ 0 of 1 figures with a tolerance are within it"
[ ! -e none.html ] || complain "a page without what was asked for"
case_done results_stand_beside_a_reference

cp -r one older
rm older/latency.csv
aft report older
exits 0
has older/report.html '"latency":[]'
lacks one/report.html '"latency":[]'
case_done results_without_latencies_are_read

cat >sweep.yaml <<'YAML'
version: 1
kind: sweep
name: "<b>busy"
base: tiny.yaml
axes: {workload.rate: [200 /s, 500 /s]}
replications: 3
fidelity: sampled
YAML
"$program" sweep sweep.yaml -o swept >out 2>err || complain "sweep: $(cat err)"
aft report swept
exits 0
silent out
has err "Wrote swept/report.html"
has swept/report.html "<h1>&lt;b&gt;busy</h1>"
has swept/report.html '"metric":"read_mean"'
aft report swept one -o none.html
exits 2
has err "swept holds a sweep"
aft report swept --to lab.yaml
exits 2
has err "leave out --to"
mkdir damaged
head -c 5000 swept/sweep.db >damaged/sweep.db
aft report damaged
exits 2
has err "damaged/sweep.db"
[ ! -e damaged/report.html ] || complain "a page of a damaged store"
case_done a_sweep_is_a_page

aft report
exits 2
silent out
has err "which results?"
aft report one two
exits 2
has err "needs -o FILE"
aft report one -o two
exits 2
has err "is a directory; name a file, like two/report.html"
aft report one -o two/
exits 2
has err "-o two/: is a directory; name a file, like two/report.html"
aft report one one one one one one one one one -o nine.html
exits 2
has err "a page holds 8 results, not 9"
[ ! -e nine.html ] || complain "a page that was refused"
aft run tiny.yaml --report
exits 2
has err "--report needs -o DIR"
aft run tiny.yaml --report -o each --each-failure node
exits 2
has err "--each-failure"
case_done wrong_usage_is_told

aft report nowhere one -o page.html
exits 2
silent out
has err "aftershock report: nowhere/summary.json: cannot read: No such file or directory"
[ ! -e page.html ] || complain "a page of what is not there"
mkdir broken
cp two/* broken
echo "x" >>broken/trace.csv
aft report broken
exits 2
has err "broken/trace.csv:6: "
[ ! -e broken/report.html ] || complain "a page of broken files"
case_done missing_and_broken_files_are_named

echo old >kept.html
aft report one -o /proc/none/page.html
exits 3
has err "aftershock report: "
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed && cp kept.html closed && chmod a-w closed
    aft report one -o closed/kept.html
    exits 3
    same kept.html closed/kept.html
fi
aft report one -o kept.html
exits 0
has kept.html "<!DOCTYPE html>"
[ "$(find . -maxdepth 1 -name "*kept*" | wc -l)" -eq 1 ] || complain "something is left over"
case_done pages_are_written_whole_or_not_at_all

cp one/trace.csv trace.csv
aft report one -o one/trace.csv
exits 2
has err "one/trace.csv: would write over what is read"
aft report one --svg ./one/trace.csv
exits 2
same one/trace.csv trace.csv
case_done what_is_read_is_not_written_over

timeout --preserve-status -k 20 -s INT 1 "$program" run tiny.yaml -o stopped --report \
    --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
status=$?
exits 130
has stopped/report.html "Interrupted: the run ended early"
case_done an_interrupted_run_says_so_on_its_page

echo "1..$n"
