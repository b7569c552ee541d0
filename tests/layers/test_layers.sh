#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds headers and sources to the order of src/meson.build, and a few things to one place:
#
#     test_layers.sh ROOT COMPILER [FLAG...]
#
# Each rule prints its offenders, nothing when it is kept. The last cases plant offences in a small
# tree of their own, so that a rule that sees nothing is found out.
set -u
export LC_ALL=C
root=$1
shift
n=0

modules() {
    sed -n "s/^subdir('\(.*\)')\$/\1/p" "$1/src/meson.build"
}

sources() {
    find "$@" -name '*.[ch]' 2>/dev/null | sort
}

# A module includes headers of itself and of modules before it.
order() {
    before=" "
    for module in $(modules "$1"); do
        before="$before$module "
        for file in $(sources "$1/src/$module" "$1/include/aftershock/$module"); do
            for used in $(sed -n 's|^ *# *include <aftershock/\([^/]*\)/.*|\1|p' "$file"); do
                case "$before" in
                *" $used "*) ;;
                *) echo "$file includes $used, which does not come before $module" ;;
                esac
            done
        done
    done
}

# What stands in quotes is a header of the same folder.
privacy() {
    for file in $(sources "$1/src"); do
        for used in $(sed -n 's|^ *# *include "\(.*\)".*|\1|p' "$file"); do
            [ -e "$(dirname "$file")/$used" ] || echo "$file reaches for $used"
        done
    done
}

# Every header compiles alone. The compiler and its flags are the other arguments.
alone() {
    top=$1
    shift
    libraries=$(pkg-config --cflags glib-2.0 gsl)
    for header in $(sources "$top/include"); do
        # shellcheck disable=SC2086 # a list of words
        echo "#include \"$header\"" |
            "$@" $libraries -I"$top/include" -fsyntax-only -x c - 2>&1
    done
}

# Prints the lines of $1/src that match $2 outside of the modules that follow.
only_in() {
    top=$1
    pattern=$2
    shift 2
    for file in $(sources "$top/src" "$top/include"); do
        for module in "$@"; do
            case "$file" in
            */"$module"/*) continue 2 ;;
            esac
        done
        grep -nE "$pattern" "$file" /dev/null
    done
}

libraries() {
    only_in "$1" '# *include <yaml\.h>' loader
    only_in "$1" '# *include <json-glib/' result report
    only_in "$1" '# *include <gsl/' random stats cli
}

# Only the command line prints, or ends the program.
printing() {
    functions='v?f?printf|f?puts|f?putc|putchar|perror|_?exit|_Exit|quick_exit'
    functions="$functions|g_print|g_printerr|g_message|g_warning|g_critical|g_info|g_debug|g_log"
    only_in "$1" "(^|[^A-Za-z0-9_])($functions) *\\(" cli
    only_in "$1" '(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_.]|$)' cli
}

# The licence stands in the first line, in the second of a script.
licence() {
    find "$1/include" "$1/src" "$1/tests" "$1/tools" "$1/scenarios" "$1/.ci" -type f 2>/dev/null |
        sort | while read -r file; do
        case "$file" in
        *.in | *.expected) continue ;;
        esac
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' ||
            echo "$file has no licence line"
    done
}

# Reports the case $1, which has come out well when $2 is empty.
kept() {
    n=$((n + 1))
    if [ -z "$2" ]; then
        echo "ok $n - $1"
    else
        echo "$2" | sed 's/^/# /'
        echo "not ok $n - $1"
    fi
}

# The same for a rule that should have found something.
caught() {
    n=$((n + 1))
    if [ -n "$2" ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
    fi
}

# A tree of two modules that breaks every rule once.
plant() {
    mkdir -p "$1/include/aftershock/low" "$1/src/low" "$1/src/high"
    printf "subdir('low')\nsubdir('high')\n" >"$1/src/meson.build"
    echo 'unknown_type x;' >"$1/include/aftershock/low/broken.h"
    {
        echo '#include <aftershock/high/thing.h>'
        echo '#include "../high/private.h"'
        echo '#include <yaml.h>'
        echo 'void f(void) { printf("x"); }'
    } >"$1/src/low/low.c"
}

echo "1..12"
kept "modules_include_only_what_comes_before_them" "$(order "$root")"
kept "private_headers_stay_in_their_folder" "$(privacy "$root")"
kept "every_header_compiles_alone" "$(alone "$root" "$@")"
kept "libraries_are_used_where_they_belong" "$(libraries "$root")"
kept "only_the_command_line_prints" "$(printing "$root")"
kept "every_file_states_its_licence" "$(licence "$root")"

planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
plant "$planted"
caught "a_module_that_looks_up_is_caught" "$(order "$planted")"
caught "a_foreign_private_header_is_caught" "$(privacy "$planted")"
caught "a_header_that_needs_others_is_caught" "$(alone "$planted" "$@")"
caught "a_library_in_the_wrong_place_is_caught" "$(libraries "$planted")"
caught "printing_in_the_wrong_place_is_caught" "$(printing "$planted")"
caught "a_missing_licence_is_caught" "$(licence "$planted")"
