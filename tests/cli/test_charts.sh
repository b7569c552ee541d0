#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Charts of results as files: aftershock report --svg, --png, --pdf.
#
#     test_charts.sh PROGRAM true|false
#
# The last word tells whether the program was built with charts.
set -u
export LC_ALL=C TERM=dumb
. "$(dirname "$0")/cases.sh"
charts=$2
begin "$1"

tiny_scenario '"<script>alert(1)</script> & more"' "20 s"
echo 'requirement: {iops: 400}' >>tiny.yaml
sed -i 's/read_share: 100 %/read_share: 70 %/; s/trace_interval: 5 s/trace_interval: 1 s/' tiny.yaml

# No file of the name $1.
absent() {
    [ ! -e "$1" ] || complain "$1 should not be there"
}

# Width and height of a PNG: big-endian numbers in its header.
png_size() {
    od -A n -t u1 -j 16 -N 8 "$1" |
        awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 "x" (($5 * 256 + $6) * 256 + $7) * 256 + $8 }'
}

# What the SVG $1 says, by a parser of others that takes only well-formed XML.
svg_words() {
    python3 -c 'import sys, xml.etree.ElementTree as tree
print("\n".join(tree.parse(sys.argv[1]).getroot().itertext()))' "$1"
}

aft run tiny.yaml -o one
aft run tiny.yaml -o two --seed 2 --label "R&D <b>"
if ! "$charts"; then
    aft report one --png one.png
    exits 3
    silent out
    has err "--png: this program was built without charts"
    has err "-Dcharts=enabled"
    absent one.png
    case_done without_cairo_it_says_so
    echo "1..$n"
    exit
fi

aft report one --svg one.svg --png one.png --pdf one.pdf
exits 0
silent out
has err "Wrote one.svg"
has err "Wrote one.png"
has err "Wrote one.pdf"
absent one/report.html
case_done the_charts_are_drawn_and_no_page

aft report one --svg again.svg --pdf again.pdf --png again.png -o again.html
exits 0
has again.html "<!DOCTYPE html>"
same one.svg again.svg
same one.pdf again.pdf
same one.png again.png
case_done the_page_too_where_it_has_a_name_and_the_same_bytes_each_time

svg_words one.svg >words || complain "the SVG is not well-formed"
has words "<script>alert(1)</script> & more (tiny)"
has words "Requirement met"
has words "Throughput, IOPS: total, reads, writes."
! grep -q "<script" one.svg || complain "a name became markup"
case_done an_svg_is_well_formed_and_names_are_text

aft report one --png sized.png --svg sized.svg --size 640x480
exits 0
[ "$(png_size sized.png)" = 640x480 ] || complain "the PNG is $(png_size sized.png)"
has sized.svg 'width="640px" height="480px"'
case_done pictures_have_the_size_that_was_asked_for

aft report one "two & a half=two" two --svg both.svg --pdf both.pdf
exits 0
svg_words both.svg >words || complain "the SVG is not well-formed"
has words "tiny: Requirement met"
has words "two & a half: Requirement met"
has words "R&D <b>: Requirement met"
has words "Throughput, total, IOPS: tiny, two & a half, R&D <b>."
case_done several_results_lie_over_each_other

if command -v pdftotext >pdf.out; then
    pdftotext -layout -f 1 -l 1 one.pdf words
    has words "<script>alert(1)</script> & more (tiny)"
    grep -Eq 'steady +0 ?s +20.0 ?s +[0-9]+ ± ' words || complain "no table of phases"
    has words "simulated"
    pdftotext -f 2 one.pdf words
    has words "Throughput"
    has words "Read latency"
    has words "required 400"
    pdftotext both.pdf words
    has words "Throughput, writes"
    has words "R&D <b>"
    case_done a_pdf_has_its_words_as_text
else
    n=$((n + 1))
    echo "ok $n - a_pdf_has_its_words_as_text # SKIP there is no pdftotext"
fi

aft report one --size 800x600
exits 2
has err "--size is that of --svg or --png"
aft report one --png x.png --size 800
exits 2
has err '--size: expected width and height in pixels, like 1600x1200, got "800"'
aft report one --png x.png --size 100000x100000
exits 2
has err "expected 200 to 8192 pixels each way"
aft report one --png x.png --svg x.png
exits 2
has err "--png x.png: is the name of two files"
aft report one --png x.png --svg ./x.png
exits 2
has err "--png x.png: is the name of two files"
[ ! -e x.png ] || complain "one of the two is there"
aft report one --png x.png -o x.png
exits 2
has err "is the name of two files"
aft report one --pdf two
exits 2
has err "--pdf two: is a directory; name a file"
aft report --pdf x.pdf
exits 2
has err "which results?"
aft report one nowhere --png x.png
exits 2
has err "nowhere/summary.json"
mkdir broken
cp one/* broken
echo x >>broken/trace.csv
aft report broken --png x.png --svg x.svg
exits 2
has err "broken/trace.csv:22: "
[ -z "$(find . -name 'x.*')" ] || complain "a file of what is wrong"
case_done wrong_usage_and_broken_files_are_told

echo old >kept.svg
aft report one --png /proc/none/x.png
exits 3
silent out
has err "aftershock report: "
aft report one --svg kept.svg --pdf new.pdf -o new.html --png /proc/none/x.png
exits 3
has err "/proc/none/x.png: "
[ "$(cat kept.svg)" = old ] || complain "one of four files was written"
absent new.pdf
absent new.html
mkfifo pipe
aft report one --png pipe --svg kept.svg --size 300x300
exits 3
has err "pipe: is a device or a pipe, not a file"
[ -p pipe ] || complain "a pipe was replaced"
[ "$(cat kept.svg)" = old ] || complain "one of two files was written"
aft report one --svg kept.svg
exits 0
svg_words kept.svg >words || complain "the SVG is not well-formed"
[ "$(find . -name '*kept*' | wc -l)" -eq 1 ] || complain "something is left over"
case_done files_are_written_whole_or_not_at_all

head -n 1 one/trace.csv >trace.csv
cp -r one empty
cp trace.csv empty/trace.csv
aft report empty --svg empty.svg --png empty.png --pdf empty.pdf
exits 0
[ "$(png_size empty.png | wc -l)" -eq 1 ] || complain "no PNG"
case_done a_result_without_a_trace_is_drawn_too

echo "1..$n"
