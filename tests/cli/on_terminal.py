#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command with a terminal of its own as standard output and standard error.

    on_terminal.py COLUMNS OUTPUT [--then TEXT ACTION]... COMMAND...

OUTPUT gets every byte that the command sends there, but for the carriage returns that the terminal
puts in front of line feeds. As often as it is given, --then waits for TEXT to have come, and then
does ACTION: ^C presses the keys, a number makes the terminal so many columns wide. Ends with the
exit status of the command.
"""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))


def act(terminal, action):
    if action == "^C":
        os.write(terminal, b"\x03")
    else:
        resize(terminal, int(action))


def read_all(terminal, steps):
    got = b""
    since = 0  # what came before belongs to a step that is done
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            part = b""
        if not part:
            return got.replace(b"\r\n", b"\n")
        got += part
        while steps and steps[0][0].encode() in got[since:]:
            since = len(got)
            act(terminal, steps.pop(0)[1])


def main():
    columns, output, *command = sys.argv[1:]
    steps = []
    while command[0] == "--then":
        steps.append(command[1:3])
        command = command[3:]
    signal.alarm(60)  # whatever hangs ends
    child, terminal = pty.fork()
    if child == 0:
        resize(1, int(columns))
        os.execvp(command[0], command)
    with open(output, "wb") as file:
        file.write(read_all(terminal, steps))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
