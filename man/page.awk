# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a manual page, in scdoc's language, of what the program says about itself:
#
#     aftershock run --help | awk -v name=aftershock-run -f page.awk
#     aftershock --help | awk -v name=aftershock -f page.awk
#     aftershock schema --format markdown scenario | awk -v name=aftershock-scenario -f page.awk

# @text with what scdoc would take for its own escaped.
function plain(text) {
    gsub(/…/, "...", text)
    gsub(/[\\*_`]/, "\\\\&", text)
    if (text ~ /^[-#.|+;\[\]]/) {
        text = "\\" text
    }
    return text
}

# Adds a line of running text, or of a block that stands as it is, to the description.
function describe(line) {
    if (line ~ /^  / && !literal) {
        description = description (description ~ /[^\n]\n$/ ? "\n" : "") "```\n"
        literal = 1
    } else if (line !~ /^  / && literal) {
        description = description "```\n" (line == "" ? "" : "\n")
        literal = 0
    }
    description = description (literal ? substr(line, 3) : plain(line)) "\n"
}

# "  -o, --output=DIR  What it does" as an entry of a list.
function option(line,    parts, flags) {
    sub(/^ +/, "", line)
    match(line, /  +/)
    flags = substr(line, 1, RSTART - 1)
    options = options "*" plain_flags(flags) "*\n\t" plain(substr(line, RSTART + RLENGTH)) "\n\n"
}

function plain_flags(flags) {
    gsub(/[\\*_]/, "\\\\&", flags)
    return flags
}

# A row of a table of keys.
function row(line,    cell) {
    split(line, cell, / \| /)
    sub(/^\| /, "", cell[1])
    sub(/ \|$/, "", cell[4])
    for (i = 1; i <= 4; i++) {
        gsub(/`/, "", cell[i])
        sub(/^ +/, "", cell[i])
        sub(/ +$/, "", cell[i])
    }
    description = description "*" plain_flags(cell[1]) "*\n\t" plain(cell[4]) " (" \
        plain(cell[2]) (cell[3] == "" || cell[3] == "needed" ? "" : "; usually ") \
        (cell[3] == "needed" ? "; needed" : plain(cell[3])) ")\n\n"
}

BEGIN { section = name == "aftershock-scenario" ? 5 : 1 }

# Keys: the page has a section for each of the file.
section == 5 && /^## / {
    started = 1
    description = description "\n# " toupper(substr($0, 4)) "\n\n"
    next
}
section == 5 && started && /^\| `/ { row($0); next }
section == 5 && started && /^A list/ { description = description plain($0) "\n\n" }
section == 5 { next }

/^Usage:/ { usage = 1; next }
usage && /^  / { synopsis = substr($0, 3); usage = 0; next }
/^Options:/ { listing = "options"; next }
/^Commands:/ { listing = "commands"; next }
listing != "" && /^$/ { listing = ""; next }
listing == "options" { option($0); next }
listing == "commands" {
    split($0, word, / +/)
    text = $0
    sub(/^  [a-z]+  +[^ ]+( [^ ]+)*  +/, "", text)
    options = options "*aftershock-" word[2] "*(1)\n\t" plain(text) "\n\n"
    next
}
summary == "" && /^[^ ]/ { summary = $0; next }
summary != "" { describe($0) }

END {
    if (literal) {
        description = description "```\n"
    }
    sub(/^\n+/, "", description)
    sub(/\.$/, "", summary)
    print name "(" section ") \"aftershock " version "\" \"Aftershock\"\n\n# NAME\n"
    if (section == 5) {
        print name " - keys of a scenario\n\n# DESCRIPTION\n"
        print "All keys that a file of _kind: scenario_ can have. \"[]\" stands for a list, whose only"
        print "item needs no list around it, and \"\\*\" for a name of your own. Numbers that have a unit"
        print "are written with it, like 30 min, 3.84 TB, 25 Gbit/s, 107k/s or 20 %."
        print description
    } else {
        print name " - " plain(summary) "\n\n# SYNOPSIS\n\n*" plain_flags(plain_synopsis(synopsis)) "*\n"
        if (description !~ /^[ \n]*$/) {
            print "# DESCRIPTION\n\n" description
        }
        print "# " (name == "aftershock" ? "COMMANDS" : "OPTIONS") "\n\n" options
    }
    print "# SEE ALSO\n\n" (name == "aftershock" ? "" : "*aftershock*(1)") \
        (section == 5 || name == "aftershock" ? "" : ", ") \
        (section == 5 ? "" : "*aftershock-scenario*(5)")
}

function plain_synopsis(text) {
    gsub(/…/, "...", text)
    return text
}
