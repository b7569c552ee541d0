# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Shared by quickstart, test and .ci/run: which packages are needed, and how tests are run and
# counted. To be sourced by a POSIX shell whose working directory is the top of the project.

# Debian 12 packages: to build; to test as well; to test with the other compiler as well.
BUILD_PACKAGES="gcc libc6-dev pkg-config meson ninja-build
    libglib2.0-dev libgsl-dev libyaml-dev libjson-glib-dev libsqlite3-dev libjs-dygraphs
    libpango1.0-dev"
TEST_PACKAGES="$BUILD_PACKAGES g++ libcmocka-dev clang-format-14 procps sqlite3 slurm-wlm munge"
CI_PACKAGES="$TEST_PACKAGES clang-14 libclang-rt-14-dev python3-jsonschema python3-yaml scdoc man-db
    mandoc chromium chromium-driver python3-selenium poppler-utils python3-markdown-it
    python3-pandas python3-prometheus-client gnuplot-nox"
# To build packages with packaging/build-debian.
DEBIAN_PACKAGES="$BUILD_PACKAGES build-essential debhelper libcmocka-dev lintian man-db mandoc procps
    python3-jsonschema python3-yaml scdoc sqlite3"

# Suites that take their time, or that look at files more than at what the program does: one build
# is enough for them, and everything else is quick enough for sanitizers. "cases" repeats cases
# of others for ThreadSanitizer.
SLOW_SUITES="theory fidelity references slurm browser docs layers validator long packages cases"

# What the tests are started by, when not by themselves.
runner=

say() {
    echo "$@" >&2
}

die() {
    say "$0: $*"
    exit 1
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "run this as root, since there is no sudo: $*"
    fi
}

# Installs those of the packages "$@" that are missing; elsewhere than Debian, names them.
need_packages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "This is not Debian, so please see to it that what these Debian packages hold is there:"
        say "   " "$@"
        return
    fi
    missing=
    for package in "$@"; do
        is_installed "$package" || missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        say "Installing$missing"
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
        # shellcheck disable=SC2086 # a list of words
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends $missing >&2
    fi
}

# Configures $1 with the Meson options that follow, or again if it is there.
configure() {
    folder=$1
    shift
    command=setup
    if [ -e "$folder/build.ninja" ]; then
        command=configure
    fi
    meson "$command" "$folder" "$@" >&2
}

# The same, and builds all of it.
build() {
    configure "$@" && ninja -C "$1" >&2
}

# Adds the test cases of a testlog.json to $passed and $failed. A case is a line of a test program
# that says "ok" or "not ok"; a program that fails without one (it crashed, or was too slow) is a
# failed case itself, and one that says nothing and succeeds is a passed one.
count_cases() {
    counts=$(awk '
        function result(line) {
            return match(line, /"result": "[A-Z]*"/) ? substr(line, RSTART + 11, RLENGTH - 12) : ""
        }
        {
            outcome = result($0)
            said = "\\n" substr($0, index($0, "\"stdout\": \"") + 11)
            bad = gsub(/\\nnot ok /, "", said)
            gsub(/\\nok [^\\]*# *SKIP/, "", said)
            good = gsub(/\\nok /, "", said)
            if (outcome != "OK" && outcome != "SKIP" && bad == 0) {
                bad = 1
            } else if (outcome == "OK" && good == 0) {
                good = 1
            }
            all_good += good
            all_bad += bad
        }
        END { print all_good + 0, all_bad + 0 }' "$1")
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
}

# The "meson test" options that leave out the suites "$@".
without() {
    for suite in "$@"; do
        echo "--no-suite $suite"
    done
}

# Runs tests of the folder $1 by the "meson test" options that follow, builds what they lack, and
# counts them.
run_tests() {
    folder=$1
    shift
    rm -f "$folder/meson-logs/testlog.json"
    # shellcheck disable=SC2086 # a list of words
    if ! $runner meson test -C "$folder" --print-errorlogs "$@" >&2; then
        say "There are failures in $folder; the whole log is $folder/meson-logs/testlog.txt"
    fi
    if [ -s "$folder/meson-logs/testlog.json" ]; then
        count_cases "$folder/meson-logs/testlog.json"
    else
        failed=$((failed + 1)) # it did not build, or there are no such tests
    fi
}

# Runs "$@", a failed case unless it succeeds. Returns whether it did.
must() {
    if ! "$@"; then
        failed=$((failed + 1))
        say "Failed: $*"
        return 1
    fi
}

# The last line of a test script, and its exit status. No tests are no success.
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
