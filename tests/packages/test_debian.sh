#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian packages, which lintian must be content with, and looks at what is in them:
#
#     test_debian.sh SOURCE
set -u
export LC_ALL=C
. "$(dirname "$0")/../cli/cases.sh"
source=$1
for tool in dh lintian scdoc; do
    if ! command -v "$tool" >/dev/null; then
        echo "1..0 # SKIP there is no $tool to build packages with"
        exit
    fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
: >complaints

# The tests have been run by whoever runs this.
program=$source/packaging/build-debian
DEB_BUILD_OPTIONS="nocheck parallel=2" aft -o "$folder"
exits 0
[ "$status" -eq 0 ] || tail -n 40 err >&2
case_done packages_are_built_and_lintian_has_no_complaint

: >err
for package in aftershock libaftershock0 libaftershock-dev; do
    dpkg-deb -x "${package}"_*.deb "$package" || complain "there is no $package"
done
for file in usr/bin/aftershock usr/share/aftershock/scenarios/05-host-failure.yaml \
    usr/share/man/man1/aftershock-run.1.gz usr/share/man/man5/aftershock-scenario.5.gz \
    usr/share/bash-completion/completions/aftershock usr/share/zsh/vendor-completions/_aftershock; do
    [ -e "aftershock/$file" ] || complain "aftershock has no $file"
done
[ -e libaftershock-dev/usr/include/aftershock/run/run.h ] || complain "there is no header"
program=aftershock/usr/bin/aftershock
aft check 05-host-failure
exits 0
case_done packages_have_what_they_should

dpkg-deb -f aftershock_*.deb Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep -v '^libc6$' >libraries
[ -s libraries ] || complain "aftershock needs no library"
while read -r library; do
    has "$source/packaging/Containerfile" "$library"
done <libraries
case_done the_image_has_the_libraries_that_the_package_needs
echo "1..$n"
