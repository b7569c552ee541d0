#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs into a folder of its own and uses that as other programs would:
#
#     test_install.sh BUILD SOURCE MESON C++-COMPILER|none C-COMPILER [WORD...]
set -u
export LC_ALL=C
. "$(dirname "$0")/../cli/cases.sh"
build=$1 source=$2 meson=$3 cxx=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
: >complaints
: >out

strict="-Wall -Wextra -Wpedantic -Wconversion -Werror"

# Runs "$@" and complains if that fails.
must() {
    "$@" >>out 2>err || complain "failed: $*"
}

# The C compiler is "$@" in what follows: it may be several words.
DESTDIR="$folder/stage" must "$meson" install -C "$build" --no-rebuild --quiet
package=$(find stage -name aftershock.pc)
library=$(dirname "$(dirname "$package")")
include=$(dirname "$(find stage -type d -name aftershock -path '*/include/*')")
export PKG_CONFIG_PATH="$folder/$library/pkgconfig" LD_LIBRARY_PATH="$folder/$library"
flags=$(pkg-config --cflags aftershock)
libraries=$(pkg-config --libs aftershock)
case " $flags " in
*"$include "*) ;;
*) # as packages have it, it names the folder where it is to be in the end
    flags="-I$include $(pkg-config --cflags glib-2.0)"
    libraries="-L$library -laftershock $(pkg-config --libs glib-2.0)"
    ;;
esac
(cd "$include" && find aftershock -name '*.h') | sort >headers
[ -s headers ] || complain "no header is installed"
[ "$(pkg-config --print-requires aftershock | sed 's/ .*//')" = glib-2.0 ] || complain "GLib should be enough"
case_done an_installed_library_is_found_by_pkg_config

while read -r header; do
    echo "#include <$header>" >alone.c
    # shellcheck disable=SC2086 # words
    must "$@" -std=c17 $strict $flags -fsyntax-only alone.c
done <headers
case_done installed_headers_compile_alone_in_c

sed 's/.*/#include <&>/' headers >all.c
# shellcheck disable=SC2086 # words
must "$@" -std=c17 $flags -E -P all.c -o all.i
grep -oE '\baft_[a-z0-9_]+ *\(' all.i | tr -d ' (' | sort -u >declared
[ -s declared ] || complain "nothing is declared"
if [ -e "$library/libaftershock.so" ]; then
    nm -D --defined-only "$library/libaftershock.so" | sed 's/.* //' | grep -v '^_' | sort >exported
    must diff declared exported
fi
sed -n 's/^ \(aft_.*\)@.*/\1/p' "$source/packaging/debian/libaftershock0.symbols" >listed
must diff declared listed
case_done what_headers_declare_is_exported_and_nothing_else

if [ "$cxx" = none ]; then
    n=$((n + 1))
    echo "ok $n - installed_headers_compile_alone_and_link_in_c++ # SKIP there is no C++ compiler"
else
    while read -r header; do
        echo "#include <$header>" >alone.cc
        # shellcheck disable=SC2086 # words
        must "$cxx" -std=c++17 $strict $flags -fsyntax-only alone.cc
    done <headers
    {
        cat all.c
        echo 'extern void (*const all[])(void);'
        echo 'void (*const all[])(void) = {'
        sed 's/.*/(void (*)(void))&,/' declared
        echo '};'
    } >all.cc
    # shellcheck disable=SC2086 # words
    must "$cxx" -std=c++17 $flags -c all.cc
    nm -u all.o | sed 's/.* //' | grep aft_ | sort >wanted
    must diff declared wanted
    case_done installed_headers_compile_alone_and_link_in_c++
fi

scenario=$(find stage -name 01-one-disk.yaml)
program=$folder/embed
# shellcheck disable=SC2086 # words
must "$@" -std=c17 $strict "$source/docs/examples/embed.c" -o embed $flags $libraries
aft "$scenario" run.duration="5 min"
exits 0
has out "phase"
has out "steady            300"
silent err
case_done the_example_embeds_the_library

aft "$scenario" workload.rte=5/s
exits 2
has err "did you mean workload.rate?"
aft missing.yaml
exits 2
has err "missing.yaml"
case_done the_example_tells_what_is_wrong

if [ -e "$library/libaftershock.a" ]; then
    # shellcheck disable=SC2046,SC2086 # words
    must "$@" "$source/docs/examples/embed.c" -o embed $flags "$library/libaftershock.a" \
        $(pkg-config --static --libs aftershock | sed 's/-laftershock//g')
    unset LD_LIBRARY_PATH
    aft "$scenario" run.duration="5 min"
    exits 0
    has out "steady            300"
    case_done the_static_library_is_whole
fi
echo "1..$n"
