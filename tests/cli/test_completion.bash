#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completes command lines as bash would:
#
#     test_completion.bash PROGRAM COMPLETIONS
set -u
export LC_ALL=C
program=$(realpath "$1")
# shellcheck disable=SC1091 # there at run time
. "$2/aftershock.bash"
n=0

# Completes the words "$@", the last of which is being written.
complete_words() {
    COMP_WORDS=("$program" "$@")
    COMP_CWORD=$#
    _aftershock "$program"
}

# Reports the case $1: all of the words that follow were offered, or none if there are none.
offers() {
    local name=$1 word complaint=
    shift
    n=$((n + 1))
    if [ $# -eq 0 ] && [ "${#COMPREPLY[@]}" -gt 0 ]; then
        complaint="nothing should be offered"
    fi
    for word; do
        if [[ " ${COMPREPLY[*]-} " != *" $word "* ]]; then
            complaint="$word is not offered"
        fi
    done
    if [ -n "$complaint" ]; then
        echo "$complaint: ${COMPREPLY[*]-}" >&2
        echo "not ok $n - $name"
    else
        echo "ok $n - $name"
    fi
}

complete_words ""
offers commands run init schema calibrate --help
complete_words sch
offers the_one_command_of_its_start schema
complete_words run --fi
offers the_one_option_of_its_start --fidelity=
complete_words run ""
offers shipped_scenarios wwt-raid5 scrub
complete_words run --set = workload.ra
offers keys_behind_set workload.rate=
complete_words run --set cluster.nod
offers keys_behind_a_blank cluster.nodes=
complete_words run --fidelity =
offers words_of_an_option io sampled flow
complete_words sweep s
offers shipped_sweeps small
complete_words compare --to wwt
offers shipped_references wwt
complete_words list ""
offers lists keys scenarios workloads
complete_words schema ""
offers kinds_of_files scenario sweep reference
complete_words export ""
offers kinds_of_exports openmetrics fio-logs gnuplot
complete_words schema -f mark
offers formats_of_schemas markdown
complete_words run no-such
offers nothing_where_there_is_nothing
echo "1..$n"
