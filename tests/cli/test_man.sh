#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds manual pages to what the program says, and to what man and mandoc think of them.
#
#     test_man.sh PROGRAM PAGES
set -u
export LC_ALL=C.UTF-8 MANWIDTH=200 MANROFFSEQ=
. "$(dirname "$0")/cases.sh"
if ! command -v man >/dev/null; then
    echo "1..0 # SKIP there is no man to read them with"
    exit
fi
pages=$(realpath "$2")
begin "$1"

# Leaves the page $1 as text in page, and complains about what man warns of.
read_page() {
    man --warnings -l "$pages/$1" 2>err | sed 's/.\x08//g' >page
    silent err
    if command -v mandoc >/dev/null; then # scdoc leaves empty paragraphs, which are no errors
        mandoc -T lint -W error "$pages/$1" >err || complain "mandoc finds errors in $1"
    fi
}

read_page aftershock.1
"$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p' >commands
while read -r command; do
    has page "aftershock-$command(1)"
done <commands
has page "aftershock list scenarios"
grep -q "^ *FILE" page && complain "an argument is taken for what a command does"
case_done the_first_page_has_every_command

while read -r command; do
    read_page "aftershock-$command.1"
    "$program" "$command" --help >help
    sed -n 's/^  \(-., \)\{0,1\}\(--[^ ]*\) .*/\2/p' help >options
    [ -s options ] || complain "$command has no options"
    while read -r option; do
        has page "$option"
    done <options
    has page "$(sed -n '2s/^  \([^[]*\).*/\1/p' help)"
    case_done "${command}_has_every_option"
done <commands

read_page aftershock-scenario.5
"$program" list keys >known
while read -r key rest; do
    : "$rest"
    last=${key##*.}
    has page "$last"
done <known
has page "workload[].rate"
case_done the_page_of_scenarios_has_every_key

echo "1..$n"
