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
[ "$(ls one | tr '\n' ' ')" = "events.csv phases.csv report.html summary.json trace.csv " ] ||
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
has err "nowhere/summary.json"
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

timeout --preserve-status -k 20 -s INT 1 "$program" run tiny.yaml -o stopped --report \
    --set run.duration="100 d" --set run.trace_interval="1 h" >out 2>err
status=$?
exits 130
has stopped/report.html "Interrupted: the run ended early"
case_done an_interrupted_run_says_so_on_its_page

echo "1..$n"
