#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exports as users make them, and what the tools that they are for make of them. A case whose tool is
# not installed is skipped.
#
#     test_tools.sh PROGRAM READER
set -u
export LC_ALL=C.UTF-8 TERM=dumb
. "$(dirname "$0")/../cli/cases.sh"
reader=$(realpath "$2")
begin "$1"

# Skips the case $1, for want of $2 of the package $3.
skip() {
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2 is not installed (package $3)"
}

# Whether the tool $2 of the package $3 is there; else the case $1 is skipped.
have() {
    command -v "$2" >/dev/null || { skip "$@" && false; }
}

hostile=$(cat <<'TEXT'
"RAID-5 `touch pwned` '; system 'touch pwned' # \"@x\" %s \\ {/=30 big} <script>alert(1)</script>"
TEXT
)
tiny_scenario "$hostile" "20 s"
echo 'requirement: {iops: 400, read: 5 ms}' >>tiny.yaml
sed -i 's/read_share: 100 %/read_share: 60 %/' tiny.yaml
aft run tiny.yaml -o run --label "a 'b'"
exits 0
printf '7,"fail`touch pwned`\n1,2","node ""1""; !touch pwned",=1+1\n' >>run/events.csv

aft export openmetrics run
exits 0
silent err
cp out metrics.txt
[ "$(tail -1 out)" = "# EOF" ] || complain "the end is missing"
has out "1704067205"
aft export openmetrics run -o written.txt --start 2024-01-01T00:00:00Z
exits 0
silent out
has err "Wrote written.txt"
same metrics.txt written.txt
aft export openmetrics run --start 86400.5
has out "} 1 86407.5"
case_done metrics_go_to_standard_output_or_a_file

name=prometheus_reads_openmetrics
python3=$(command -v /usr/bin/python3 || echo python3) # Debian's parser is that of Debian's Python
"$python3" "$reader" metrics.txt >out 2>err
status=$?
if [ "$status" -eq 77 ] || [ "$status" -eq 127 ]; then
    skip "$name" prometheus_client python3-prometheus-client
else
    exits 0
    has out "aftershock_client_ios_per_second"
    has out "'event': 'fail\`touch pwned\`\\n1,2', 'part': 'node \"1\"; !touch pwned'} 1 1704067207.0"
    case_done "$name"
fi

name=prometheus_takes_openmetrics_in
if have "$name" promtool prometheus; then
    promtool tsdb create-blocks-from openmetrics metrics.txt data >out 2>err
    status=$?
    exits 0
    promtool tsdb list data >out 2>err
    has out "1704067200000"
    case_done "$name"
fi

aft export gnuplot run -o plot
exits 0
silent out
[ "$(ls plot | tr '\n' ' ')" = "timeline-events.tsv timeline.csv timeline.gp " ] ||
    complain "the files are: $(ls plot)"
same run/trace.csv plot/timeline.csv
name=gnuplot_draws_and_does_nothing_else
if have "$name" gnuplot gnuplot-nox; then
    gnuplot plot/timeline.gp >out 2>err
    status=$?
    exits 0
    silent out
    silent err
    has plot/timeline.svg "</svg>"
    has plot/timeline.svg "RAID-5 \`touch pwned\`"
    has plot/timeline.svg "fail\`touch pwned\`1,2 node"
    has plot/timeline.svg "&lt;script>alert"
    if grep -q "<script" plot/timeline.svg; then
        complain "the picture has a script"
    fi
    head -c 4 plot/timeline.png | grep -q PNG || complain "no PNG"
    [ -z "$(find . -name pwned)" ] || complain "a name was a command"
    mv plot/timeline.svg there.svg
    (cd plot && gnuplot timeline.gp) >out 2>err
    same there.svg plot/timeline.svg
    cp -r run quiet
    head -1 run/events.csv >quiet/events.csv
    aft export gnuplot quiet -o plot
    gnuplot plot/timeline.gp >out 2>err
    silent err
    case_done "$name"
fi

aft export fio-logs run -o logs
exits 0
name=fio_draws_its_logs
if have "$name" fio_generate_plots fio && have "$name" gnuplot gnuplot-nox; then
    (cd logs && fio_generate_plots drawn) >out 2>err
    status=$?
    exits 0
    for log in bw clat iops lat slat; do
        has "logs/drawn-$log.svg" "</svg>"
    done
    case_done "$name"
fi

aft export
exits 2
has err "which kind? there are openmetrics, fio-logs, gnuplot"
aft export gnuplt run
exits 2
has err "did you mean gnuplot?"
aft export gnuplot
exits 2
has err "which result?"
aft export gnuplot run run -o x
exits 2
has err "one result at a time"
aft export gnuplot run
exits 2
has err "give -o FOLDER"
aft export gnuplot run -o x --start 0
exits 2
has err "--start: times of gnuplot are those of the run"
cp run/trace.csv trace.csv
aft export openmetrics run -o ./run/trace.csv
exits 2
has err "-o ./run/trace.csv: would write over what is read"
aft export openmetrics run -o run/latency.csv
exits 2
has err "-o run/latency.csv: would write over what is read"
same trace.csv run/trace.csv
aft export openmetrics run --start yesterday
exits 2
silent out
has err "--start yesterday: expected a time, like 2024-01-01T00:00:00Z"
[ ! -e x ] || complain "something was written"
case_done wrong_usage_is_told

aft export openmetrics nowhere
exits 2
silent out
has err "nowhere/summary.json"
cp -r run broken
echo "x" >>broken/trace.csv
aft export openmetrics broken
exits 2
silent out
has err "broken/trace.csv:6: "
cp run/trace.csv broken
sed -n 2p run/trace.csv >>broken/trace.csv
aft export fio-logs broken -o x
exits 2
has err "broken: trace.csv: time_s of row 5"
head -1 run/trace.csv >broken/trace.csv
aft export gnuplot broken -o x
exits 2
has err "broken: trace.csv has no rows"
[ ! -e x ] || complain "something was written"
case_done missing_and_broken_files_are_named

echo old >kept.txt
aft export openmetrics run -o /proc/none/metrics.txt
exits 3
has err "/proc/none/metrics.txt: cannot create"
aft export openmetrics run -o /dev/null
exits 3
has err "/dev/null: is a device or a pipe, not a file"
aft export gnuplot run -o kept.txt
exits 3
has err "kept.txt: cannot make the folder"
has kept.txt old
ln -s kept.txt link.txt
aft export openmetrics run -o link.txt
exits 0
same kept.txt metrics.txt
[ -L link.txt ] || complain "the link is gone"
"$program" export openmetrics run >/dev/full 2>err
status=$?
exits 3
has err "No space left on device"
[ "$(find . -name '.*.*' | wc -l)" -eq 0 ] || complain "something is left over"
case_done files_are_whole_or_as_they_were

echo "1..$n"
