# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds commands that are only named to what the program says of itself: commands and options."""

import re
import shlex
import subprocess

# Options that documents name of other programs.
FOREIGN = {
    "--client": "fio", "--group_reporting": "fio", "--output-format": "fio",
    "--status-interval": "fio", "--long": "tools/test", "--check": "tools/references",
    "--jobs": "parallel", "--prefix": "meson", "--cpus-per-task": "sbatch",
    "--storage.tsdb.retention.time": "Prometheus", "--query.lookback-delta": "Prometheus",
}
RUNS_QUICKLY = {"explain", "list", "schema"}


class Usage:
    """What the program takes."""

    def __init__(self, program):
        self.program = program
        overview = self.told("--help")
        names = overview.split("Commands:")[1].split("\n\n")[0]
        self.options = {
            name: set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", self.told(name, "--help")))
            for name in re.findall(r"^  (\w+)", names, re.M)
        }

    def told(self, *arguments):
        return subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, text=True,
                              check=True).stdout

    def complaints_about(self, words):
        """What is wrong with a command that is split into @words, the first behind the program's."""
        if not words or words[0].startswith("-") or not words[0].islower():
            return []
        if words[0] not in self.options:
            return [f"there is no command {words[0]}"]
        return [f"{words[0]} has no option {word.split('=')[0]}" for word in words[1:]
                if re.match(r"--?[a-z]", word)
                and word.split("=")[0] not in self.options[words[0]]]

    def complaints_about_text(self, text):
        """The same of each use of the program in a command line, or in text that holds some."""
        try:
            lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
            lexer.wordchars += ",[]{}:@%+…"
            words = list(lexer)
        except ValueError as error:
            return [str(error)]
        found = []
        for start, word in enumerate(words):
            if word != "aftershock":
                continue
            end = start + 1
            while end < len(words) and not set(words[end]) <= set(";|&<>()"):
                end += 1
            found += self.complaints_about(words[start + 1:end])
        return found

    def complaints_about_span(self, text):
        """The same of code in a paragraph: a command with or without the program, or an option."""
        first = text.split()[0] if text.split() else ""
        if first == "aftershock":
            return self.complaints_about_text(text) or self.tried(text)
        if first in self.options and " -" in text:
            return self.complaints_about(text.split())
        option = re.match(r"--[a-z][\w.-]*", text)
        if option and option[0] not in FOREIGN and not any(
                option[0] in options for options in self.options.values()):
            return [f"no command has the option {option[0]}"]
        return []

    def tried(self, text):
        """Runs of named scenarios are checked without running them; what takes no time is run."""
        words = shlex.split(text)[1:]
        if len(words) < 2 or re.search(r"[A-Z]{2}|\bN\b|\.\.\.|…|[|>]|\.yaml", text):
            return []  # it has places for something
        if words[0] == "run":
            words.append("--dry-run")
        elif words[0] not in RUNS_QUICKLY:
            return []
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        return [] if done.returncode == 0 else [done.stderr.strip()]
