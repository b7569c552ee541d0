#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds documents to the program: runs their commands and compares what they are shown to print,
checks their YAML, and follows their links.

    check_documents.py PROGRAM ROOT [--write | --dry] [DOCUMENT...]

Without documents README.md, CONTRIBUTING.md, CHANGELOG.md and docs/*.md. Blocks of a document go in
order, in a folder of its own with copies of scenarios/ and docs/ and what before/NAME.sh puts there.
Comments in front of a block mark it:

    <!-- not run: WHY -->     of commands, or YAML that is no file of ours; counted, and told with WHY
    <!-- coarse: WHY -->      run with run.precision=10 %, and what it prints is not looked at
    <!-- exits: N -->         the exit status of the last command, 0 without
    <!-- file: NAME -->       kept by that name for commands that follow
    <!-- part of: FILE [under KEY] -->   of YAML, see parts.py

With --write what is printed now is put in the place of what is shown. With --dry commands are not run,
all else is looked at.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import document
    import parts
    import sessions
    import usage
except ImportError as error:
    print(f"1..0 # SKIP {error.name} is not installed")
    sys.exit(0)

SLOW_S = 10.0  # of which commands are told
HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = {"console", "sh", "yaml", "text", "csv", "python", "c", "json", "ini", "make", "meson", "r",
             "sql", "gnuplot"}
WRAPPER = """#!/bin/sh
case "${DOCS_COARSE-} $1" in
"yes run" | "yes sweep" | "yes size" | "yes compare" | "yes calibrate")
    exec "%(program)s" "$@" --set run.precision=10%% ;;
esac
exec "%(program)s" "$@"
"""


class Reader:
    """Reads one document, and complains."""

    def __init__(self, path, root, manual, mode):
        self.path, self.root, self.manual = path, root, manual
        self.write, self.dry = mode == "--write", mode == "--dry"
        self.name = str(path.relative_to(root)) if path.is_relative_to(root) else path.name
        self.document = document.Document(path.read_text())
        self.complaints, self.excuses, self.slow, self.edits = [], [], [], []
        self.done = self.coarse = 0

    def complain(self, line, text):
        self.complaints.append(f"{self.name}:{line}: {text}")

    def read(self):
        """Looks at everything."""
        with tempfile.TemporaryDirectory(prefix="aftershock-docs-") as folder:
            self.folder = pathlib.Path(folder)
            self.environment = self.prepare()
            for block in self.document.blocks:
                self.take(block)
        for span in self.document.spans:
            for complaint in self.manual.complaints_about_span(span.text):
                self.complain(span.line, f"`{span.text}`: {complaint}")
        for link in self.document.links:
            self.follow(link)
        if self.write and self.edits:
            self.rewrite()
        return self

    def prepare(self):
        """Fills the folder. Returns the environment of commands."""
        tools = self.folder / ".bin"
        tools.mkdir()
        wrapper = tools / "aftershock"
        wrapper.write_text(WRAPPER % {"program": self.manual.program})
        wrapper.chmod(0o755)
        for name in ("scenarios", "docs"):
            shutil.copytree(self.root / name, self.folder / name)
        environment = os.environ | {"PATH": f"{tools}:/usr/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                                    "TERM": "dumb", "COLUMNS": "200", "SOURCE": str(self.root)}
        before = HERE / "before" / f"{self.path.stem}.sh"
        if before.exists():
            subprocess.run(["bash", "-e", before], cwd=self.folder, env=environment, check=True,
                           stdout=subprocess.DEVNULL)
        return environment

    def take(self, block):
        commands = sessions.commands_of(block)
        if block.language and block.language not in LANGUAGES:
            self.complain(block.line, f"a block of the language {block.language}")
        elif commands:
            self.take_commands(block, commands)
        elif re.search(r"^\s*(\$ )?aftershock [a-z]", block.text, re.M):
            self.complain(block.line, "a command that is neither run nor excused: "
                          "its block is not of the language console or sh")
        elif block.language == "yaml":
            self.take_yaml(block)
        elif "file" in block.marks:
            (self.folder / block.marks["file"]).write_text(block.text)

    def take_commands(self, block, commands):
        for command in commands:
            for complaint in self.manual.complaints_about_text(command.text):
                self.complain(command.line, complaint)
        for command in commands:
            why = sessions.excuse(command, block.marks)
            if why is not None:
                self.excuses.append((command.line, command.text, why))
                continue
            last = command is commands[-1]
            self.run(command, int(block.marks.get("exits", 0)) if last else 0,
                     "coarse" in block.marks, block.language == "console")

    def run(self, command, expected, coarse, compares):
        if self.dry:
            return
        environment = self.environment | ({"DOCS_COARSE": "yes"} if coarse else {})
        began_s = time.monotonic()
        outcome = sessions.run(command, self.folder, environment)
        took_s = time.monotonic() - began_s
        if took_s > SLOW_S:
            self.slow.append((command.line, command.text, f"{took_s:.0f} s"))
        self.done += 1
        self.coarse += coarse
        if outcome.status != expected:
            self.complain(command.line, f"{command.text}\nexits with {outcome.status}, not "
                          f"{expected}: {outcome.said[-600:]}")
            return
        shown = self.document.lines[command.first - 1:command.last - 1]
        if coarse or not compares or not sessions.trimmed(shown):
            return
        if not sessions.fits(shown, outcome.printed):
            self.edits.append((command.first, command.last, outcome.printed))
            if not self.write:
                self.complain(command.line, f"{command.text}\nprints\n" + "\n".join(outcome.printed))

    def take_yaml(self, block):
        if "not run" in block.marks:
            self.excuses.append((block.line, "YAML", block.marks["not run"]))
            return
        try:
            file = parts.write(block, self.folder)
        except (OSError, parts.yaml.YAMLError) as error:
            self.complain(block.line, str(error))
            return
        if self.dry and "file" in block.marks:
            return  # it may name what commands make
        done = subprocess.run([self.manual.program, "check", file], capture_output=True, text=True,
                              check=False)
        self.done += 1
        if done.returncode != 0:
            self.complain(block.line, f"this YAML is wrong: {done.stderr}")

    def follow(self, link):
        """Within the project, links lead somewhere."""
        if re.match(r"[a-z]+:", link.text):
            return
        path, _, anchor = link.text.partition("#")
        target = (self.path.parent / path).resolve() if path else self.path
        if not target.exists():
            self.complain(link.line, f"there is no {path}")
        elif anchor and anchor not in document.Document(target.read_text()).anchors:
            self.complain(link.line, f"{path or 'this document'} has no heading for #{anchor}")

    def rewrite(self):
        lines = self.document.lines
        for first, last, printed in reversed(self.edits):
            lines[first - 1:last - 1] = sessions.trimmed(printed)
        self.path.write_text("\n".join(lines) + "\n")


def all_documents(root):
    names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    return [root / name for name in names] + sorted((root / "docs").glob("*.md"))


def main():
    mode = next((word for word in sys.argv[1:] if word in ("--write", "--dry")), None)
    words = [word for word in sys.argv[1:] if word != mode]
    if len(words) < 2:
        sys.exit(__doc__)
    program, root = pathlib.Path(words[0]).resolve(), pathlib.Path(words[1]).resolve()
    paths = [pathlib.Path(word).resolve() for word in words[2:]] or all_documents(root)
    manual = usage.Usage(program)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        readers = list(threads.map(lambda path: Reader(path, root, manual, mode).read(), paths))
    bad = 0
    for number, reader in enumerate(readers, 1):
        for complaint in reader.complaints:
            print("# " + complaint.replace("\n", "\n#   "), file=sys.stderr)
        for what, entries in (("not run", reader.excuses), ("slow", reader.slow)):
            for line, text, why in entries:
                first = text.splitlines()[0].split("  #")[0].rstrip()
                print(f"# {reader.name}:{line}: {what}: {first} ({why})")
        print(f"# {reader.done} run, {reader.coarse} of them coarsely, {len(reader.excuses)} excused")
        bad += bool(reader.complaints)
        print(f"{'not ok' if reader.complaints else 'ok'} {number} - {reader.name}")
    print(f"1..{len(readers)}")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
