# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds schemas to the loader, by a validator of others:

    test_schema.py PROGRAM SCENARIOS

Schemas are those that the program prints. Skipped where jsonschema or yaml is not installed.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"1..0 # SKIP {error.name} is not installed (python3-{error.name})")
    sys.exit(0)

import cases
import core_yaml

program, scenarios = sys.argv[1], pathlib.Path(sys.argv[2])
done = 0


def case(name, complaints):
    """Tells how the case called @name went."""
    global done
    done += 1
    for complaint in complaints:
        print(f"# {complaint}", file=sys.stderr)
    print(f"{'not ok' if complaints else 'ok'} {done} - {name}")


def schema_of(kind):
    said = subprocess.run([program, "schema", kind], stdout=subprocess.PIPE, check=True)
    return json.loads(said.stdout)


validators = {
    kind: jsonschema.Draft7Validator(schema_of(kind))
    for kind in ("scenario", "sweep", "reference")
}


def problems_of(text):
    """What the schema has against a file; of a file that is no map, against a scenario."""
    data = core_yaml.load(text)
    kind = data.get("kind", "scenario") if isinstance(data, dict) else "scenario"
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in validators[kind].iter_errors(data)
    ]


def loads(folder, text):
    """Whether the loader takes a file, in a folder with base.yaml."""
    file = folder / "case.yaml"
    file.write_text(text)
    said = subprocess.run([program, "check", file], capture_output=True, text=True)
    return said.returncode == 0, said.stderr


def schemas_are_draft_07():
    for validator in validators.values():
        validator.check_schema(validator.schema)
    return []


def shipped_files_fit():
    files = sorted(scenarios.glob("**/*.yaml"))
    return [f"{file}: {problem}" for file in files for problem in problems_of(file.read_text())] + (
        [] if files else ["there are no files"]
    )


def schema_is_named(file, text):
    """Whether both lines for editors name the schema of its kind, from the file's folder."""
    kind = core_yaml.load(text).get("kind", "scenario")
    up = "../" * (len(file.relative_to(scenarios).parts))
    path = f"{up}schema/{kind}.json"
    return (
        f"\n# yaml-language-server: $schema={path}\n# $schema: {path}\n" in text
        and (file.parent / path).is_file()
    )


def shipped_files_name_them():
    files = sorted(scenarios.glob("**/*.yaml"))
    return [f"{file}" for file in files if not schema_is_named(file, file.read_text())]


def beginnings_fit():
    complaints = []
    for template in sorted(scenarios.glob("templates/*.yaml.in")):
        name = template.name.split(".")[0]
        said = subprocess.run([program, "init", name], capture_output=True, text=True, check=True)
        complaints += [f"{name}: {problem}" for problem in problems_of(said.stdout)]
    return complaints


def judged(folder, texts, by_loader, by_schema):
    complaints = []
    for name, text in texts.items():
        taken, said = loads(folder, text)
        problems = problems_of(text)
        if taken != by_loader:
            complaints.append(f"{name}: the loader {'takes' if taken else 'refuses'} it: {said}")
        if (not problems) != by_schema:
            complaints.append(f"{name}: the schema says {problems}")
    return complaints


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    (place / "base.yaml").write_text((scenarios / "05-host-failure.yaml").read_text())
    case("schemas are JSON Schemas of draft 07", schemas_are_draft_07())
    case("shipped files fit their schemas", shipped_files_fit())
    case("shipped files name them for editors", shipped_files_name_them())
    case("scenarios to begin with fit", beginnings_fit())
    case("what both take", judged(place, cases.TAKEN, True, True))
    case("what both refuse", judged(place, cases.REFUSED, False, False))
    case("what only the loader refuses", judged(place, cases.ONLY_LOADER, False, True))
print(f"1..{done}")
