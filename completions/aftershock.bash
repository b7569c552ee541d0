# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Completion of aftershock for bash. What can be completed is asked of the program itself: commands
# and options from its help, names and keys from its lists.

# The commands.
_aftershock_commands() {
    "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p'
}

# The options of command $2, those that take a value with "=" behind them.
_aftershock_options() {
    "$1" "$2" --help 2>/dev/null |
        sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]\{1,\}=\{0,1\}\).*/\2/p'
}

# The first words of list $2.
_aftershock_list() {
    "$1" list "$2" 2>/dev/null | sed 's/ .*//'
}

# What the argument of command $2 can be, beside files.
_aftershock_names() {
    case $2 in
    run | explain | size) _aftershock_list "$1" scenarios ;;
    calibrate | compare) _aftershock_list "$1" scenarios ;;
    sweep) _aftershock_list "$1" sweeps ;;
    check)
        _aftershock_list "$1" scenarios
        _aftershock_list "$1" sweeps
        _aftershock_list "$1" references
        ;;
    init) echo "ceph nutanix s2d vsan" ;;
    list) "$1" list 2>&1 | sed -n 's/.* there are //p' | sed 's/ and /, /; s/,//g' ;;
    schema) echo "reference scenario sweep" ;;
    export) "$1" export 2>&1 | sed -n 's/.* there are //p' | sed 's/,//g' ;;
    esac
}

# What the value of option $3 of command $2 can be, beside files.
_aftershock_values() {
    case $3 in
    --set | --free) _aftershock_list "$1" keys | sed 's/$/=/' ;;
    --to) _aftershock_list "$1" references ;;
    --fidelity) echo "io sampled flow" ;;
    --format | -f)
        if [ "$2" = schema ]; then
            echo "json markdown"
        else
            echo "text csv json markdown"
        fi
        ;;
    --each-failure) echo "node disk cache rack" ;;
    esac
}

_aftershock() {
    local program=$1 command=${COMP_WORDS[1]} words option
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$(_aftershock_commands "$program") --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        return
    fi
    # Bash takes "--set=x" for three words: the option, "=" and x.
    option=$previous
    if [ "$current" = = ]; then
        option=$previous current=
    elif [ "$previous" = = ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_aftershock_options "$program" "$command")" -- \
            "$current")
    elif [[ $option == -* ]]; then
        words=$(_aftershock_values "$program" "$command" "$option")
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        words=$(_aftershock_names "$program" "$command")
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    fi
    if [[ ${COMPREPLY[0]-} == *= ]] && [ "${#COMPREPLY[@]}" -eq 1 ]; then
        compopt -o nospace 2>/dev/null
    fi
}

complete -o default -F _aftershock aftershock
