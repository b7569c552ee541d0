# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML in documents: whole files as they are, and parts put into a shipped file.

A part has <!-- part of: FILE --> or <!-- part of: FILE under KEY --> in front of it, FILE a path in the
folder that the commands of the document run in; without that it is one of USUAL.
"""

import pathlib
import re
import sys

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "schema"))
import core_yaml  # noqa: E402, what tests of schemas read YAML with

USUAL = "scenarios/05-host-failure.yaml"


def merged(base, part):
    """The map @base with what @part says instead, maps in it alike."""
    if not isinstance(base, dict) or not isinstance(part, dict):
        return part
    return base | {key: merged(base.get(key), value) for key, value in part.items()}


def write_whole(text, folder, name, line):
    file = folder / (name or f"line-{line}.yaml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def write_part(text, folder, where, line):
    """Writes the file that a part makes of what it is @where part of, beside that."""
    path, _, key = (where or USUAL).partition(" under ")
    whole = folder / path
    part = core_yaml.load(text)
    base = core_yaml.load(whole.read_text())
    is_sheet = "kind" in base # of these each key is one whole
    made = base | {key: part} if key else base | part if is_sheet else merged(base, part)
    file = whole.with_name(f"part-of-{whole.stem}-{line}.yaml")
    file.write_text(yaml.safe_dump(made, sort_keys=False))
    return file


def write(block, folder):
    """Writes the file that a block of YAML is or makes. Returns its path."""
    if re.search(r"^version:", block.text, re.M):
        return write_whole(block.text, folder, block.marks.get("file"), block.line)
    return write_part(block.text, folder, block.marks.get("part of"), block.line)
