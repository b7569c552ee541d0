# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads every table with pandas, and runs the example of the documentation:

    test_pandas.py PROGRAM DOCS

Which columns are text is what exporting.md says. Skipped where pandas is not installed.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import pandas as pd
except ImportError as error:
    print(f"1..0 # SKIP {error.name} is not installed (python3-{error.name})")
    sys.exit(0)

from pandas.api import types

program, docs = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
example = docs / "examples" / "read_results.py"
done = 0

SCENARIO = """
version: 1
name: $x_1$ "NA"
cluster:
  nodes: 5
  detect: 1 s
  node:
    disk_groups: {capacity: {count: 1, device: my-disk}}
devices:
  my-disk: {read: 1 ms, write: 1 ms, spread: exponential, parallel: 1, size: 10 GB}
data: {logical: 1 GB, placement_groups: 16, protection: rf2}
workload: {kind: open, vms: 4, rate: 100 /s, read_share: 100 %, block: 4 KiB}
background: {rebuild: {delay: 2 s}}
timeline:
  - {at: 2 s, fail: node 2}
requirement: {read: 3 ms}
run: {until: duration, duration: 8 s, fidelity: io, trace_interval: 1 s}
"""

SWEEP = """
version: 1
kind: sweep
base: base.yaml
axes: {data.protection: [rf2, rf3], workload.rate: [50 /s, 100 /s]}
replications: 2
fidelity: io
"""

SOBOL = """
version: 1
kind: sweep
base: base.yaml
design: sobol
points: 2
axes: {workload.rate: {uniform: [50 /s, 100 /s]}}
fidelity: io
"""


def case(name, complaints):
    """Tells how the case called @name went."""
    global done
    done += 1
    for complaint in complaints:
        print(f"# {complaint}", file=sys.stderr)
    print(f"{'not ok' if complaints else 'ok'} {done} - {name}")


def run(*words, status=0):
    said = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if said.returncode != status:
        print(f"# {words}: {said.returncode}\n{said.stdout}{said.stderr}", file=sys.stderr)
        raise SystemExit(f"Bail out! {words[0]} has failed")
    return said.stdout


def told_types():
    """The text columns of each file, and the columns that are yes or no, as the document has them."""
    text = (docs / "exporting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+\.csv)` \| *(.*?) *\| *(.*?) *\|$", text, re.MULTILINE)
    return {
        file: (set(re.findall("`([^`]+)`", texts)), set(re.findall("`([^`]+)`", yes)))
        for file, texts, yes in rows
    }


def read(path, texts):
    names = pd.read_csv(path, nrows=0).columns
    return pd.read_csv(
        path,
        dtype={name: str for name in names if name in texts},
        keep_default_na=False,
        na_values={name: [""] for name in names if name not in texts},
    )


def mistyped(path, told):
    """What is not of the type that it should be. An axis is named after a key, with a point."""
    texts, yes = told[path.name]
    table = read(path, texts)
    complaints = [] if len(table) else [f"{path.name} has no rows"]
    for name in [*texts, *yes]:
        if name not in table:
            complaints.append(f"{path.name} has no column {name}")
    for name, column in table.items():
        if name in texts:
            fine = column.map(lambda cell: isinstance(cell, str)).all()
        elif name in yes:
            fine = types.is_bool_dtype(column)
        else:
            fine = "." in name or (
                types.is_numeric_dtype(column) and not types.is_bool_dtype(column)
            )
        if not fine:
            complaints.append(f"{path.name}: {name} is {column.dtype}")
    return complaints


told = told_types()
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for file, text in (("base", SCENARIO), ("sweep", SWEEP), ("sobol", SOBOL)):
        (folder / f"{file}.yaml").write_text(text, encoding="utf-8")
    run(program, "run", folder / "base.yaml", "-o", folder / "run")
    run(program, "sweep", folder / "sweep.yaml", "-o", folder / "sweep")
    run(program, "sweep", folder / "sobol.yaml", "-o", folder / "sobol")
    run(program, "run", folder / "base.yaml", "--each-failure", "node", "--at", "1 s",
        "-o", folder / "each")
    tables = {
        path.name: path
        for part in ("sobol", "sweep", "each", "run")
        for path in sorted((folder / part).glob("*.csv"))
    }

    case("every_table_is_told_of", [f"not both: {file}" for file in set(told) ^ set(tables)])
    for file, path in sorted(tables.items()):
        case(f"{file}_has_the_types_that_are_told", mistyped(path, told))

    trace = read(folder / "run" / "trace.csv", told["trace.csv"][0])
    events = read(folder / "run" / "events.csv", told["events.csv"][0])
    case("empty_cells_are_nan", [
        f"{column} is not empty" for column in ("write_mean_ms", "buffer_fill")
        if not trace[column].isna().all()
    ] + ([] if (events["detail"] == "").any() else ["no detail is an empty text"]))
    case("numbers_are_what_was_written", [] if list(trace["time_s"]) == [float(i) for i in range(8)]
         else [f"time_s is {list(trace['time_s'])}"])

    said = run("/usr/bin/env", "PYTHONDONTWRITEBYTECODE=1", sys.executable, example,
               folder / "run", "--sweep", folder / "sweep", "--plots", folder / "plots")
    case("the_example_looks_at_a_run_and_a_sweep", [
        f"it does not say: {part}" for part in (
            '$x_1$ "NA" (base), seed 1', "node 2 fails at 2 s", "minutes of rebuild",
            "data.protection=rf2, workload.rate=50 /s", "missed for longer than at point",
        ) if part not in said
    ])
    try:
        import matplotlib
    except ImportError as error:
        done += 1
        print(f"ok {done} - the_example_draws # SKIP {error.name} is not installed")
    else:
        case("the_example_draws", [
            f"no {file}" for file in ("timeline.png", "sweep.png")
            if not (folder / "plots" / file).exists()
        ])

print(f"1..{done}")
