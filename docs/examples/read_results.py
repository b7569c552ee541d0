# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# Reads what Aftershock writes: the CSV files of a run with pandas, the store of a sweep with sqlite3.
#
#     aftershock run 05-host-failure --fidelity flow -o results/host
#     aftershock sweep small -o results/small
#     python3 read_results.py results/host --sweep results/small --plots plots
#
# Cells begin with "# %%", as Jupyter, VS Code and Spyder know them. In a notebook, write folders into
# the second cell. Pictures need matplotlib, and are left out without it.

# %%
import argparse
import json
import pathlib
import sqlite3
import sys

import pandas as pd

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

# %%
if "ipykernel" in sys.modules:
    wanted = argparse.Namespace(result="results/host", sweep="results/small", plots=None)
else:
    parser = argparse.ArgumentParser(description="Look at a run, and at a sweep.")
    parser.add_argument("result", help="folder that \"aftershock run -o\" wrote")
    parser.add_argument("--sweep", help="folder that \"aftershock sweep -o\" wrote")
    parser.add_argument("--plots", help="folder that pictures go into")
    wanted = parser.parse_args()
pd.set_option("display.width", 160, "display.max_columns", None)

# %%
# Columns that are text; all others are numbers, "saturated" is true or false. Axes of a sweep, which
# are named after keys of a scenario ("cluster.nodes"), are read as what they look like.
TEXT = (
    "phase requirement flags event subject detail part scenario_sha256 failure metric unit axis"
).split()


def read(path):
    """A table of Aftershock's. An empty cell of numbers is NaN: no I/O, or not applicable; an empty
    text is "", and a text "NA" or "none" is nothing but that."""
    names = pd.read_csv(path, nrows=0).columns
    texts = [name for name in names if name in TEXT]
    table = pd.read_csv(
        path,
        dtype={name: str for name in texts},
        keep_default_na=False,
        na_values={name: [""] for name in names if name not in texts},
    )
    return table.fillna({name: "" for name in texts})


folder = pathlib.Path(wanted.result)
phases = read(folder / "phases.csv")
trace = read(folder / "trace.csv")
events = read(folder / "events.csv")
summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))

# %% [markdown]
# What was it, and did it meet the requirement?

# %%
print(f"{summary['scenario']} ({summary['label']}), seed {summary['seed']}")
print(f"requirement: {summary['requirement'] or 'none'}, missed for {summary['missed_s']:,.0f} s\n")
columns = ["phase", "start_s", "duration_s", "iops", "read_mean_ms", "read_p99_ms"]
columns += ["write_mean_ms", "write_p99_ms", "missed_s", "requirement"]
print(phases[columns].to_string(index=False), "\n")

# %% [markdown]
# All occurrences of a phase together: times add up, means of IOPS are weighted by time, means of
# latency by I/Os.

# %%


def together(rows):
    reads = rows["read_iops"] * rows["duration_s"]
    duration = rows["duration_s"].sum()
    return pd.Series(
        {
            "duration_s": duration,
            "iops": (rows["iops"] * rows["duration_s"]).sum() / duration if duration else None,
            "read_mean_ms": (rows["read_mean_ms"] * reads).sum() / reads.sum()
            if reads.sum()
            else None,
            "missed": rows["missed_s"].sum() / duration if duration else None,
        }
    )


by_phase = pd.DataFrame({phase: together(rows) for phase, rows in phases.groupby("phase")}).T
print(by_phase.round(3).to_string(), "\n")

# %% [markdown]
# How deep is the dip, and how long until the cluster is what it was before the first failure?

# %%
trace["iops"] = trace["read_iops"] + trace["write_iops"]
failures = events[events["event"] == "fail"]
if not failures.empty:
    failed_s = failures["time_s"].iloc[0]
    before = trace.loc[trace["time_s"] < failed_s, "iops"].mean()
    after = trace[trace["time_s"] >= failed_s]
    restored = after[after["phase"] == "steady"]
    print(f"{failures['subject'].iloc[0]} fails at {failed_s:g} s")
    print(f"IOPS before: {before:,.0f}, at worst: {after['iops'].min():,.0f}")
    print(f"read p99 at worst: {after['read_p99_ms'].max():.2f} ms")
    if not restored.empty:
        print(f"steady again after {restored['time_s'].iloc[0] - failed_s:,.0f} s")
    print()

# %% [markdown]
# The timeline, with phases behind it and events on top.

# %%
COLOURS = {"failed": "#f7d3d0", "rebuild": "#fbe2bf", "catchup": "#e6dbf6", "rebalance": "#d3e3f8"}


def save(figure, name):
    pathlib.Path(wanted.plots).mkdir(parents=True, exist_ok=True)
    path = pathlib.Path(wanted.plots) / name
    figure.savefig(path, dpi=120)
    print(f"Wrote {path}")


if plt is not None and wanted.plots is not None:
    figure, (top, bottom) = plt.subplots(2, sharex=True, figsize=(10, 6), layout="constrained")
    for axes in (top, bottom):
        for row in phases.itertuples():
            colour = COLOURS.get(row.phase, "#f2f2f2")
            axes.axvspan(row.start_s, row.start_s + row.duration_s, color=colour, lw=0)
        for time_s in events["time_s"]:
            axes.axvline(time_s, color="#545c66", lw=0.8, ls=":")
    top.plot(trace["time_s"], trace["iops"], color="#1f5fbf")
    top.set(ylabel="IOPS", title=summary["scenario"].replace("$", r"\$"), ylim=(0, None))
    for name, style in (("read_mean_ms", "-"), ("read_p99_ms", "--")):
        bottom.plot(trace["time_s"], trace[name], style, color="#1f5fbf", label=name)
    bottom.set(xlabel="time, s", ylabel="read latency, ms", ylim=(0, None))
    bottom.legend()
    save(figure, "timeline.png")

# %% [markdown]
# A sweep: its store has every replication, with its phases. It is opened to be read only.

# %%
if wanted.sweep is None:
    sys.exit()
store = (pathlib.Path(wanted.sweep) / "sweep.db").resolve()
db = sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)
settings = pd.read_sql("SELECT point, settings FROM points ORDER BY point", db, index_col="point")
settings["settings"] = settings["settings"].str.strip().str.replace("\n", ", ")
runs = pd.read_sql("SELECT * FROM replications WHERE failure IS NULL", db)
rows = pd.read_sql("SELECT * FROM phases", db)
failed = pd.read_sql("SELECT point, replication, failure FROM replications"
                     " WHERE failure IS NOT NULL", db)
db.close()

# %% [markdown]
# How long is the requirement missed at each point, and how much do replications differ? How often is
# data lost?

# %%
missed = runs.groupby("point")["missed_s"].describe(percentiles=[0.05, 0.5, 0.95])
missed["lost"] = runs.groupby("point")["lost_pgs"].agg(lambda groups: (groups > 0).mean())
print(settings.join(missed.drop(columns=["min", "max"])).round(2).to_string(), "\n")
for row in failed.itertuples():
    print(f"point {row.point}, replication {row.replication} failed: {row.failure}")

# %% [markdown]
# How long do rebuilds take? One may come in parts, which are added up first.

# %%
rebuilds = rows[rows["phase"] == "rebuild"].groupby(["point", "replication"])["duration_s"].sum()
if not rebuilds.empty:
    print("minutes of rebuild:")
    print((rebuilds / 60).groupby("point").describe().round(2).to_string(), "\n")

# %% [markdown]
# Replication 7 has the same chance at every point: compare points in pairs.

# %%
paired = runs.pivot(index="replication", columns="point", values="missed_s")
if len(paired.columns) > 1:
    best = paired.mean().idxmin()
    differences = paired.drop(columns=best).sub(paired[best], axis="index")
    print(f"missed for longer than at point {best}, s:")
    print(differences.agg(["mean", "sem"]).T.round(2).to_string(), "\n")

# %%
# The tables that a sweep writes are read like those of a run.
points = read(pathlib.Path(wanted.sweep) / "points.csv")
whole = points[(points["phase"] == "all") & (points["metric"] == "missed_minutes")]
print(whole[["point", "n", "mean", "ci", "p95", "unit"]].to_string(index=False))

# %%
if plt is not None and wanted.plots is not None:
    figure, axes = plt.subplots(figsize=(10, 5), layout="constrained")
    groups = {point: values["missed_s"] / 60 for point, values in runs.groupby("point")}
    axes.boxplot(list(groups.values()))
    axes.set_xticks(range(1, len(groups) + 1), [f"point {point}" for point in groups])
    axes.set(ylabel="requirement missed, min", ylim=(0, None))
    save(figure, "sweep.png")
