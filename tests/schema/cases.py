# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and what is wrong with them: those of tests/loader among others."""

SMALLEST = """version: 1
cluster: {nodes: 1, node: {disk_groups: {capacity: {device: hdd-7k2}}}}
data: {logical: 1 GB}
"""
EIGHT = """version: 1
cluster: {nodes: 8, node: {disk_groups: {capacity: {device: sata-ssd}}}}
data:
- {name: hot, logical: 1 TB, protection: rf2, services: {compression: on}}
- {name: cold, logical: 1 TB, protection: {scheme: rf-then-encode, age: 1 d}}
"""
TIMELINE = EIGHT + "timeline:\n"
CLOSED = EIGHT + "workload: {kind: closed, vms: 4, outstanding: 8"
SWEEP = "version: 1\nkind: sweep\nbase: base.yaml\n"
AXES = SWEEP + "axes:\n  "
POINTS = SWEEP + "design: list\npoints:\n"
COUNT = SWEEP + "axes: {cluster.nodes: [5, 6]}\nreplications: "
REFERENCE = "version: 1\nkind: reference\n"
CELL = REFERENCE + "cells:\n- "
IOPS = CELL + "{label: a, phase: steady, metric: iops, "
ONE = CELL + "{label: a, phase: steady, metric: iops}\n"

# Neither loader nor schema take these.
REFUSED = {
    # of the file
    "no version": "cluster: {nodes: 1}\ndata: {logical: 1 GB}\n",
    "version 2": SMALLEST.replace("version: 1", "version: 2"),
    "a list": "- a\n",
    "one value": "hello\n",
    "no data": "version: 1\ncluster: {nodes: 1}\n",
    "no key is a path": SMALLEST + "run.seed: 2\n",
    "no key has an index": SMALLEST + "workload[0]: 2\n",
    "no key is empty": SMALLEST + "? ''\n: 1\n",
    "no merge": SMALLEST + '"<<": {seed: 1}\n',
    "an unknown key": SMALLEST + "seed: 3\n",
    "an unknown key below": SMALLEST.replace("nodes", "nods"),
    # of kinds of value
    "a count is nothing": SMALLEST + "run: {seed: }\n",
    "a count in a list": SMALLEST + "run: {seed: [1]}\n",
    "a count in a map": SMALLEST + "run: {seed: {a: 1}}\n",
    "a count is text": SMALLEST + "run: {seed: x}\n",
    "a count with a comma": SMALLEST + 'run: {seed: "1,000"}\n',
    "a count in hexadecimal": SMALLEST + "run: {seed: 0x10}\n",
    "half a node": SMALLEST.replace("nodes: 1", "nodes: 1.5"),
    "no node": SMALLEST.replace("nodes: 1", "nodes: 0"),
    "too many nodes": SMALLEST.replace("nodes: 1", "nodes: 100001"),
    "a map is a word": SMALLEST + "run: fast\n",
    "a map is a list": SMALLEST + "run: [1]\n",
    "a list is a number": SMALLEST + "timeline: 5\n",
    "an item is nothing": TIMELINE + "  -\n",
    "a name with a control character": SMALLEST + 'name: "\\e[31mred"\n',
    "an empty name": SMALLEST + "name: ''\n",
    "a long name": SMALLEST + "name: " + 201 * "x" + "\n",
    "a time without unit": SMALLEST + "run: {settle: 6}\n",
    "a time as text without unit": SMALLEST + "run: {settle: '6'}\n",
    "a time of another unit": SMALLEST + "run: {settle: 6 GB}\n",
    "a time in capitals": SMALLEST + "run: {settle: 6 MIN}\n",
    "a time below 0": SMALLEST + "run: {settle: -6 s}\n",
    "no time": TIMELINE + "- {at: 1 h, upgrade: {each: 0 s}}\n",
    "a size without unit": SMALLEST.replace("1 GB", "1"),
    "a size of bits": SMALLEST.replace("1 GB", "1 Gbit"),
    "a size of nothing": SMALLEST.replace("1 GB", "0 GB"),
    "a bandwidth per minute": EIGHT + "background: {rebuild: {bandwidth: 100 MB/min}}\n",
    "a rate without unit": EIGHT + "workload: {kind: open, vms: 4, rate: 500}\n",
    "a rate per day": EIGHT + "workload: {kind: open, vms: 4, rate: 500 /d}\n",
    "a share above 1": CLOSED + ", read_share: 70}\n",
    "a share below 0": CLOSED + ", read_share: -10 %}\n",
    "an unknown word": SMALLEST + "run: {fidelity: exact}\n",
    "true is not on": EIGHT + "background: {maintenance: {enabled: true}}\n",
    "another word for none": EIGHT + "background: {rebuild: {bandwidth: none}}\n",
    "an unknown scheme": SMALLEST.replace("1 GB", "1 GB, protection: raid7"),
    "an unknown scheduler": EIGHT + "background: {scheduler: wqp}\n",
    "an unknown service": EIGHT.replace("compression", "compresion"),
    "nodes as words": CLOSED + ", on: every}\n",
    # of lists and what they need
    "a pool without size": SMALLEST.replace("logical: 1 GB", "protection: rf2"),
    "a workload without kind": EIGHT + "workload: {vms: 4, outstanding: 8}\n",
    "a second workload without kind": CLOSED.replace("workload: {", "workload: [{kind: open, "
                                                     "vms: 1, rate: 5 /s}, {vms: 1, _: {")
    + "}}]\n",
    "a device without times": SMALLEST + "devices: {mine: {size: 1 TB}}\n",
    "a device of a strange name": SMALLEST + "devices: {my disk: {read: 1 ms, write: 1 ms}}\n",
    "a disk group without capacity": SMALLEST.replace("capacity", "cache"),
    "an action without time": TIMELINE + "- {fail: node 1}\n",
    # of the timeline
    "an unknown part": TIMELINE + "- {at: 1 h, fail: disc 1.0.0}\n",
    "a part with too few numbers": TIMELINE + "- {at: 1 h, fail: device 1.0}\n",
    "a part without a word": TIMELINE + "- {at: 1 h, fail: 1}\n",
    "an unknown key of an action": TIMELINE + "- {at: 1 h, slow: {device: 1.0.0, factr: 2, for: 1 s}}\n",
    "an action that is a number": TIMELINE + "- {at: 1 h, maintenance: 2}\n",
    "set to an unknown scheme": TIMELINE + "- {at: 1 h, set: {data.protection: rf4}}\n",
    "an unknown key is set": TIMELINE + "- {at: 1 h, set: {data.protecton: rf3}}\n",
    "a seed is set": TIMELINE + "- {at: 1 h, set: {run.seed: 3}}\n",
    "a rate is set": TIMELINE + "- {at: 1 h, set: {workload.rate: 3 /s}}\n",
    "set is one value": TIMELINE + "- {at: 1 h, set: rf3}\n",
    "set is a list": TIMELINE + "- {at: 1 h, set: [rf3]}\n",
    # sweeps
    "a sweep without base": "version: 1\nkind: sweep\n",
    "a sweep without version": "kind: sweep\nbase: base.yaml\n",
    "an unknown key of a sweep": SWEEP + "desing: grid\n",
    "an unknown design": SWEEP + "design: gird\n",
    "axes are a list": SWEEP + "axes: [5]\n",
    "an axis that is no key": AXES + "cluster.nods: [5]\n",
    "an axis that is a list": AXES + "workload: [5]\n",
    "a value of another unit": AXES + "workload.rate: [80k/s, 90 ms]\n",
    "a value without unit": AXES + "workload.rate: [80k/s, 90]\n",
    "half a node on an axis": AXES + "cluster.nodes: [5, 6.5]\n",
    "a list in a list": AXES + "cluster.nodes: [[5, 6]]\n",
    "an axis without values": AXES + "cluster.nodes: []\n",
    "a scheme nobody knows": AXES + "data.protection: [rf2, raid7]\n",
    "an unknown key in a value": AXES + "data.protection:\n    - {scheme: raid5, dta: 3}\n",
    "one bound": AXES + "workload.rate: {uniform: [90k/s]}\n",
    "one bound, no list": AXES + "workload.rate: {uniform: 90k/s}\n",
    "a bound of another unit": AXES + "workload.rate: {uniform: [80k/s, 90 MB]}\n",
    "an unknown distribution": AXES + "workload.rate: {unifrm: 80k/s}\n",
    "two distributions": AXES + "workload.rate: {uniform: [1 /s, 2 /s], normal: [1 /s, 1 /s]}\n",
    "a distribution and a value": AXES + "workload.rate: [{uniform: [1 /s, 2 /s]}, 5 /s]\n",
    "a shape with a unit": AXES + "workload.rate: {weibull: [1 /s, 5 /s]}\n",
    "a distribution of schemes": AXES + "data.protection: {uniform: [1, 2]}\n",
    "half a range": AXES + "cluster.nodes: {from: 5}\n",
    "a range without step": AXES + "workload.rate: {from: 5 /s, to: 8 /s}\n",
    "no points": SWEEP + "design: sobol\npoints: 0\naxes: {cluster.nodes: [5, 6]}\n",
    "a point that is no key": POINTS + "- {cluster.nods: 5}\n",
    "half a node in a point": POINTS + "- {cluster.nodes: 5.5}\n",
    "several nodes in a point": POINTS + "- {cluster.nodes: [5, 6]}\n",
    "no replications": COUNT + "0\n",
    "many replications": COUNT + "many\n",
    "replications without end": COUNT + "{max: 5}\n",
    "replications without limit": COUNT + "{until: {metric: rebuild/minutes, within: 1 %}}\n",
    "until an unknown metric": COUNT + "{until: {metric: rebuild/minuts, within: 1 %}, max: 5}\n",
    "until an unknown phase": COUNT + "{until: {metric: rebild/minutes, within: 1 %}, max: 5}\n",
    "until no phase": COUNT + "{until: {metric: minutes, within: 1 %}, max: 5}\n",
    "until exact": COUNT + "{until: {metric: rebuild/minutes, within: 0}, max: 5}\n",
    "until one run": COUNT + "{until: {metric: rebuild/minutes, within: 1 %}, max: 1}\n",
    "a seed with a fraction": SWEEP + "seed: 1.5\n",
    "a fidelity nobody knows": SWEEP + "fidelity: exact\n",
    # references
    "no cells": REFERENCE,
    "an unknown key of a reference": ONE + "tolerence: 5 %\n",
    "a common tolerance without %": ONE + "tolerance: 5\n",
    "a configuration without scenario": ONE + "configurations: {label: a}\n",
    "a configuration without label": ONE + "configurations: {scenario: base.yaml}\n",
    "an empty tolerance": IOPS + "value: 5, unit: /s, mark: stated, tolerance: ''}\n",
    "an unknown mark": IOPS + "value: 5, unit: /s, mark: state}\n",
    "a value with a prefix": IOPS + "value: 5k, unit: /s, mark: stated}\n",
    "a value that is none": IOPS + "value: nan, unit: /s, mark: stated}\n",
    "a value of nothing": IOPS + "value: 0, unit: /s, mark: stated}\n",
    "a value below 0": IOPS + "value: -5, unit: /s, mark: stated}\n",
    "a tolerance below 0": IOPS + "tolerance: -5 %}\n",
    "an unknown side": IOPS + "tolerance: {belov: 4 %}}\n",
    "a cell without label": CELL + "{phase: steady, metric: iops}\n",
    "a cell with an empty label": CELL + "{label: '', phase: steady, metric: iops}\n",
    "a cell without metric": CELL + "{label: a, phase: steady}\n",
    "an unknown occurrence": IOPS + "occurrence: second}\n",
    "several labels": CELL + "{label: [a], phase: steady, metric: iops}\n",
    "a cell that is a word": CELL + "iops\n",
    "an unknown metric": CELL + "{label: a, phase: steady, metric: iosp}\n",
    "an unknown phase": CELL + "{label: a, phase: stedy, metric: iops}\n",
}

# The loader alone refuses these: rules between keys, ranges of what has a unit, and what other
# files or the YAML itself hold.
ONLY_LOADER = {
    "a duplicate key": SMALLEST + "run: {seed: 1, seed: 2}\n",
    "a duplicate key of the file": SMALLEST + "version: 1\n",
    "an anchor": SMALLEST + "run: &r {seed: 1}\n",
    "a tag": SMALLEST + "run: {seed: !!int 1}\n",
    "a time out of range": EIGHT + "tiers: {delay_max: 2 h}\n",
    "a size out of range": SMALLEST.replace("1 GB", "5000 PB"),
    "a share in % out of range": CLOSED + ", read_share: 120 %}\n",
    "a count out of range with a prefix": SMALLEST.replace("nodes: 1", "nodes: 101k"),
    "a count that a prefix does not make whole": SMALLEST.replace("nodes: 1", "nodes: 0.0015k"),
    "a time too large for a double": SMALLEST + "run: {settle: 1e999 s}\n",
    "nodes and groups": SMALLEST.replace("nodes: 1,", "nodes: 1, groups: {nodes: 1},"),
    "no nodes": SMALLEST.replace("nodes: 1, ", ""),
    "an unknown device": SMALLEST.replace("hdd-7k2", "hdd-7k3"),
    "two pools without names": SMALLEST.replace("{logical: 1 GB}", "[{logical: 1 GB}, "
                                                "{logical: 1 GB}]"),
    "an unknown pool": CLOSED + ", pool: cool}\n",
    "a rate of closed": CLOSED + ", rate: 5 /s}\n",
    "a day of one rate": EIGHT + "workload: {kind: open, vms: 4, rate: 5 /s, day: 1}\n",
    "too few slots": CLOSED.replace("outstanding: 8", "outstanding: 2") + "}\n",
    "more than fits": SMALLEST.replace("1 GB", "900 TB"),
    "raid6 on one node": SMALLEST.replace("1 GB", "1 GB, protection: raid6"),
    "copies of raid5": EIGHT.replace("rf2", "{scheme: raid5, copies: 2}"),
    "no such node": TIMELINE + "- {at: 1 h, fail: node 8}\n",
    "no such device": TIMELINE + "- {at: 1 h, fail: device 8.0.0}\n",
    "no cache": TIMELINE + "- {at: 1 h, fail: cache 1.0}\n",
    "fails twice": TIMELINE + "- {at: 1 h, fail: node 0}\n- {at: 2 h, fail: node 0}\n",
    "slow for ever": TIMELINE + "- {at: 1 h, slow: {device: 1.0.0, factor: 2}}\n",
    "does nothing": TIMELINE + "- {at: 1 h}\n",
    "sets nothing": TIMELINE + "- {at: 1 h, set: {}}\n",
    "upgrades nothing": TIMELINE + "- {at: 1 h, upgrade: {}}\n",
    "does two things": TIMELINE + "- {at: 1 h, fail: node 1, set: {data.protection: rf3}}\n",
    "the pool of a failure": TIMELINE + "- {at: 1 h, pool: hot, fail: node 1}\n",
    "no such pool": TIMELINE + "- {at: 1 h, pool: cod, set: {data.protection: rf3}}\n",
    "becomes what it cannot": TIMELINE + "- {at: 1 h, pool: cold, set: {data.protection: rf3}}\n",
    "no such target": TIMELINE + "- {at: 1 h, stop: rebuld}\n",
    "too many are added": TIMELINE + "- {at: 1 h, add: {nodes: 100000}}\n",
    "faults that nobody repairs": EIGHT + "faults: {part: rack, every: 1 d}\n",
    # sweeps
    "no such base": SWEEP.replace("base.yaml", "none.yaml"),
    "a seed is no axis": AXES + "run.seed: [1, 2]\n",
    "an axis twice": AXES + "workload.rate: 5 /s\n  workload[0].rate: 6 /s\n",
    "a value twice": AXES + "cluster.nodes: [5, 6, 5]\n",
    "a gap in a list": AXES + "timeline[7].at: [1 h]\n",
    "bounds in the wrong order": AXES + "workload.rate: {uniform: [90k/s, 80k/s]}\n",
    "a bound out of range": AXES + "workload.read_share: {uniform: [50 %, 120 %]}\n",
    "no deviation": AXES + "workload.rate: {normal: [1 /s, 0 /s]}\n",
    "a range in the wrong order": AXES + "cluster.nodes: {from: 8, to: 5}\n",
    "too long a range": AXES + "cluster.nodes: {from: 5, to: 50000}\n",
    "no step": AXES + "cluster.nodes: {from: 5, to: 8, step: 0}\n",
    "half a step": AXES + "cluster.nodes: {from: 5, to: 8, step: 1.5}\n",
    "points of a grid": SWEEP + "points: 5\n",
    "sobol without points": SWEEP + "design: sobol\naxes: {cluster.nodes: [5, 6]}\n",
    "sobol without axes": SWEEP + "design: sobol\npoints: 4\n",
    "a number of listed points": SWEEP + "design: list\npoints: 5\n",
    "a point twice": POINTS + "- {name: a, cluster.nodes: 5}\n- {name: a, cluster.nodes: 6}\n",
    "least above most": COUNT + "{until: {metric: rebuild/minutes, within: 1 %}, min: 9, max: 5}\n",
    "a point that cannot run": AXES + "cluster.nodes: [5, 3]\n",
    # references
    "a unit of something else": IOPS + "value: 5, unit: ms, mark: stated}\n",
    "a value without mark": IOPS + "value: 5, unit: /s}\n",
    "a value without unit in a cell": IOPS + "value: 5, mark: stated}\n",
    "a tolerance of something else": IOPS + "tolerance: 4 min}\n",
    "over itself": CELL + "{label: a, over: a, phase: steady, metric: iops}\n",
    "a ratio of nothing": CELL + "{label: a, over: b, phase: steady, metric: ratio}\n",
    "a ratio over nothing": CELL + "{label: a, phase: steady, metric: ratio, of: iops}\n",
    "no phase": CELL + "{label: a, metric: iops}\n",
    "a value nobody can measure": IOPS + "value: 1e22, unit: /s, mark: stated}\n",
}

# Both take these: every form that a value can have.
TAKEN = {
    "the smallest": SMALLEST,
    "lists of one, nothing, quotes": 'version: "1"\nkind: scenario\ncluster:\n  nodes: "1"\n'
    "  node:\n    disk_groups:\n    - capacity: {device: hdd-7k2}\ndata:\n- logical: 1 GB\n"
    "workload:\ntimeline: []\nrequirement: {}\nrun: ~\n",
    "a known device in part": SMALLEST + "devices: {hdd-7k2: {size: 20 TB}}\n",
    "a device of one's own": SMALLEST + "devices: {mine: {read: 1 ms, write: 0, spread: {kind: "
    "empirical, values: [1, 2, 3k]}, read_bandwidth: 2Gbit / s, afr: 1e-2}}\n",
    "times": SMALLEST + "run: {settle: 0, until: duration, duration: 1.5e2  min, trace_interval: +5ms, "
    "max_simulated: .5 s}\n",
    "rates": EIGHT + "workload: {kind: open, vms: 4, rate: '1.2k / min'}\n"
    "requirement: {iops: 500, read: 5 ms, write: none}\n",
    "a rate as text": EIGHT + "requirement: {iops: '5k'}\n",
    "counts with prefixes": SMALLEST.replace("1 GB", "1 GB, placement_groups: 0.5k"),
    "selections": CLOSED + ", on: '0, 2:5,-1'}\n",
    "one node": CLOSED + ", on: -1}\n",
    "numbers for names": SMALLEST + "name: 2024\n",
    "days": EIGHT + "workload: {kind: open, vms: 4, rate: 5 /s, day: [1, 2]}\n",
    "schedulers": EIGHT + "background: {scheduler: wpq}\n",
    "a scheduler as a map": EIGHT + "background: {scheduler: {kind: mclock, limits: {p1: 50 %}, "
    "reservations: {client: 0.25}}}\n",
    "services as maps": EIGHT.replace("compression: on", "compression: {io: 5 us}, dedupe: off"),
    "actions": TIMELINE + "- {at: 1 h, slow: {link: 1, factor: 2, for: 1 s}}\n"
    "- {at: 2 h, slow: {device: 0.0.0, factor: 2, for: 1 s}}\n"
    "- {at: 3 h, slow: {device: device  0.0.0, factor: 2, for: 1 s}}\n"
    "- {at: 4 h, set: {data.protection: rf3}}\n",
    "a nested setting": TIMELINE + "- {at: 1 h, set: {data: {protection: rf3}}}\n",
    "half nested": TIMELINE + "- {at: 1 h, set: {data: {protection.scheme: rf3}}}\n",
    "axes": AXES + "cluster.nodes: {from: 5, to: 8}\n  workload.read_share: {uniform: [0.5, 60 %]}\n"
    "  timeline[0].at: 5 min\n  data.protection: [rf2, {name: wide, scheme: raid5, degraded: 1 us}]\n",
    "an exponential axis": AXES + "workload.read_share: {exponential: 0.5}\n",
    "an axis of a list item": AXES + "data[0]: [{protection: rf2, services: {dedupe: on}}]\n",
    "points": POINTS + "- {name: a, data.protection: rf2}\n- {data.protection: {scheme: raid5}, "
    "cluster.nodes: 6}\n",
    "sobol": SWEEP + "design: sobol\npoints: 4\naxes: {workload.read_share: {uniform: [0, 1]}}\n",
    "until": COUNT + "{until: {metric: rebuild/minutes, within: 1 %}, max: 5}\nfidelity: sampled\n",
    "an open cell": ONE,
    "a cell of nothing": IOPS + "value: , unit: /s}\n",
    "a ratio": CELL + "{label: a, over: b, phase: steady, metric: ratio, of: iops, value: 80, "
    "unit: '%', mark: stated, tolerance: {above: 5 %, below: none}}\n",
    "tolerances": ONE + "tolerance: {below: 5 %, above: none}\n",
    "a tolerance with a unit": CELL + "{label: a, phase: steady, metric: read_mean, value: 5, "
    "unit: ms, mark: stated, tolerance: 100 us}\n",
    "settings": ONE + "configurations: {label: a, scenario: base.yaml, set: {data.protection: rf3, "
    "workload.rate: 5 /s}}\n",
}
