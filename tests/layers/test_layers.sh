#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Holds headers and sources to the order of src/meson.build, and a few things to one place:
#
#     test_layers.sh ROOT COMPILER [FLAG...]
#
# A rule prints its offenders, nothing when it is kept. The last cases plant offences in a small
# tree of their own, so that a rule that sees nothing is found out.
set -u
export LC_ALL=C
root=$1
shift
n=0

# C files below the folders "$@"; names have no blanks in them.
sources() {
    find "$@" -name '*.[ch]' 2>/dev/null | sort
}

# A module includes headers of itself and of modules before it. Every rule works in folder $1.
order() {
    cd "$1" || return
    modules=$(sed -n "s/^subdir('\(.*\)')\$/\1/p" src/meson.build | tr '\n' ' ')
    # shellcheck disable=SC2046 # words
    awk -v modules="$modules" '
        BEGIN {
            n = split(modules, module, " ")
            for (i = 1; i <= n; i++) {
                rank[module[i]] = i
            }
        }
        FNR == 1 {
            mine = FILENAME
            sub("^(src|include/aftershock)/", "", mine)
            sub("/.*", "", mine)
        }
        /^ *# *include <aftershock\// {
            used = $0
            sub(".*<aftershock/", "", used)
            sub("/.*", "", used)
            if (!(used in rank) || rank[used] > rank[mine]) {
                print FILENAME " includes " used ", which does not come before " mine
            }
        }' $(sources src include)
}

# What stands in quotes is a header of the same folder.
privacy() {
    cd "$1" || return
    # shellcheck disable=SC2046 # words
    grep -n '^ *# *include "' $(sources src include) /dev/null |
        sed 's/^\([^:]*\):[0-9]*:.*"\(.*\)".*/\1 \2/' |
        while read -r file used; do
            [ -e "$(dirname "$file")/$used" ] || echo "$file reaches for $used"
        done
}

# Every header compiles alone. The compiler and its flags are the other arguments.
alone() {
    cd "$1" || return
    shift
    libraries=$(pkg-config --cflags glib-2.0 gsl)
    for header in $(sources include); do
        # shellcheck disable=SC2086 # words
        echo "#include \"$header\"" | "$@" $libraries -I. -Iinclude -fsyntax-only -x c - 2>&1
    done
}

# Prints the lines that match $1 outside of the modules that follow.
only_in() {
    pattern=$1
    shift
    outside=$(echo "/($*)/" | tr ' ' '|')
    # shellcheck disable=SC2046 # words
    grep -nE "$pattern" $(sources src include | grep -vE "$outside") /dev/null
}

libraries() {
    cd "$1" || return
    only_in '# *include <yaml\.h>' loader
    only_in '# *include <json-glib/' result report loader import
    only_in '# *include <(cairo|pango)' draw
}

# Only the command line prints, or ends the program.
printing() {
    cd "$1" || return
    functions='v?f?printf|f?puts|f?putc|putchar|perror|_?exit|_Exit|quick_exit'
    functions="$functions|g_print|g_printerr|g_message|g_warning|g_critical|g_info|g_debug|g_log"
    only_in "(^|[^A-Za-z0-9_])($functions) *\\(" cli
    only_in '(^|[^A-Za-z0-9_])(stdout|stderr)([^A-Za-z0-9_.]|$)' cli
}

# The licence stands in the first lines; rows of data have no room for it.
licence() {
    cd "$1" || return
    # shellcheck disable=SC2046 # words
    awk '
        FNR == 1 && NR > 1 && !stated { print file " has no licence line" }
        FNR == 1 { file = FILENAME; stated = 0 }
        FNR <= 2 && /SPDX-License-Identifier: GPL-3.0-or-later/ { stated = 1 }
        END { if (!stated) print file " has no licence line" }' \
        $(find include src tests tools scenarios .ci meson.build -type f ! -name '*.in' ! -name '*.csv' \
            2>/dev/null | sort)
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
