# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands in documents, what they are shown to print, and what they print.

A block of the language "console" has commands behind "$ ", which go on behind "> ", and under each
what it prints: its standard output, or where it has none what it says. A line "…" stands for any
lines, and "…" in a line for any text. A block "sh" has commands alone, a line each, or several where
a line ends with a backslash. An indented block that begins with a command is one as far as its first
empty line.
"""

import dataclasses
import re
import subprocess

PROMPT = "$ "
MORE = "> "
LIMIT_S = 900
# What no test should start, or cannot.
NEVER = {
    "promtool": "needs Prometheus", "gnuplot": "needs gnuplot", "fio": "needs fio",
    "fio2gnuplot": "needs fio", "fio_generate_plots": "needs fio", "sbatch": "needs Slurm",
    "parallel": "needs GNU parallel", "ssh": "needs another host", "kubectl": "needs Kubernetes",
    "docker": "needs Docker", "podman": "needs Podman", "sudo": "changes the system",
    "apt-get": "changes the system", "meson": "builds", "ninja": "builds",
    "dpkg-buildpackage": "builds",
}


@dataclasses.dataclass
class Command:
    """A command, and the lines [first, last) of the document that show what it prints."""

    line: int
    text: str
    first: int
    last: int


def console(block):
    commands = []
    for line, text in enumerate(block.text.splitlines(), block.line + 1):
        if text.startswith(PROMPT):
            commands.append(Command(line, text[len(PROMPT):], line + 1, line + 1))
        elif text.startswith(MORE) and commands and commands[-1].last == commands[-1].first:
            commands[-1].text += "\n" + text[len(MORE):]
            commands[-1].first = commands[-1].last = line + 1
        elif commands:
            commands[-1].last = line + 1
    return commands


def script(block):
    commands = []
    goes_on = False
    first = block.line + (1 if block.language else 0)
    for line, text in enumerate(block.text.splitlines(), first):
        if not block.language and not text.strip():
            break
        if goes_on:
            commands[-1].text += "\n" + text
        elif text.strip() and not text.lstrip().startswith("#"):
            commands.append(Command(line, text, line + 1, line + 1))
        goes_on = text.endswith("\\") and bool(commands)
    return commands


def commands_of(block):
    """The commands of a block, none where its language is another."""
    if block.language == "console":
        return console(block)
    if block.language in ("sh", "bash"):
        return script(block)
    lines = [line for line in block.text.splitlines() if line.strip()]
    if not block.language and lines and lines[0].startswith("aftershock "):
        return script(block)
    return []


def excuse(command, marks):
    """Why a command is not run, if it is not."""
    begins = re.findall(r"(?:^|[;&|]\s*)([\w.-]+)", command.text)
    return marks.get("not run") or next((NEVER[word] for word in begins if word in NEVER), None)


def trimmed(lines):
    """The lines without blanks at their ends, and without empty ones before and after all."""
    return "\n".join(line.rstrip() for line in lines).strip("\n").splitlines()


def fits(shown, printed):
    """Whether the lines shown are those printed, where "…" is any."""
    pattern = ""
    for line in trimmed(shown):
        pattern += r"(?:.*\n)*" if line.strip() == "…" else (
            ".*".join(map(re.escape, line.split("…"))) + r"\n")
    return re.fullmatch(pattern, "".join(line + "\n" for line in trimmed(printed))) is not None


@dataclasses.dataclass
class Outcome:
    """What became of a command: its exit status, the lines it printed, and what it said beside them."""

    status: int
    printed: list
    said: str


def run(command, folder, environment):
    """Runs a command in a folder."""
    try:
        done = subprocess.run(["bash", "-c", command.text], cwd=folder, env=environment,
                              capture_output=True, text=True, timeout=LIMIT_S, check=False,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Outcome(-1, [], f"it takes longer than {LIMIT_S} s")
    return Outcome(done.returncode, (done.stdout or done.stderr).splitlines(), done.stderr)
