/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.js - the page of a sweep: which figure is looked at, against what, and in which lines.
 *
 * The block "data" holds points, axes and figures as sweep_data.c wrote them. */
"use strict";
(() => {
const { element, number, digits, duration, choice, onColours } = Page;
const { addFan, addDistribution, bars, quantile } = Charts;
const { data } = Page;
const count = data.points.length;
const all = [...Array(count).keys()];
const LINES = 8;   /* of a chart that can be told from each other */
const PLACES = 24; /* along an axis; of more, values are gathered in bins */
const ROWS = 100;  /* of the table, */
const OPEN = 20;   /* which is folded when it has more than so many */

const WORDS = {
    held: "requirement held", missed_minutes: "requirement missed", met_share: "time in which the requirement was met",
    iops: "IOPS", read_iops: "read IOPS", write_iops: "write IOPS", mean: "latency, mean", minutes: "duration",
    read_mean: "read latency, mean", write_mean: "write latency, mean", share: "share of the run",
    owed_ios: "I/Os owed at the end", shed_ios: "I/Os shed", lost_pgs: "groups lost", mb_per_s: "throughput",
    read_response: "read response, mean", write_response: "write response, mean",
};
function wordsOf(metric) {
    const percentile = metric.match(/^(read|write)_p(\d\d)(5?)$/);
    return WORDS[metric] || (percentile ? `${percentile[1]} latency, ${percentile[2]}${percentile[3] ? ".5" : ""} %` : metric.replaceAll("_", " "));
}
const phaseWords = (phase) => (phase === "all" ? "whole run" : phase);
const titleOf = ({ phase, metric }) => `${wordsOf(metric)}${metric === "held" ? "" : `, ${phaseWords(phase)}`}`;
const unitOf = ({ unit, metric }) => (metric === "iops" && unit === "" ? "IOPS" : unit === "/s" ? "a second" : unit);

/* What a figure is at a point; null: nothing. */
function spreadAt(figure, point) {
    const v = figure.v[point];
    if (!v || v.length === 0) {
        return null;
    }
    const [n, mean, ci] = v.length === 1 ? [1, v[0], null] : v, q = v.length === 1 ? [mean] : v.slice(3);
    const low = ci === null ? null : mean - ci, high = ci === null ? null : mean + ci;
    return { n, mean, low, high, q, dots: n > 1 && n <= q.length ? q : [] };
}

/* The chance that the requirement holds is a figure like the others, with an interval of its own. */
const held = { phase: "all", metric: "held", unit: "%" };
function chanceAt(point) {
    const [, , judged, k, low, high] = data.points[point];
    return judged > 0 ? { n: judged, mean: 100 * k / judged, low, high, q: null } : null;
}
const at = (figure, point) => (figure === held ? chanceAt(point) : spreadAt(figure, point));
const figures = [...(data.points.some(([, , judged]) => judged > 0) ? [held] : []), ...data.figures];

/* How a number of an axis is written. */
const WRITTEN = {
    count: number, time: duration, share: (value) => `${number(100 * value)} %`, rate: (value) => `${number(value)} /s`,
    bytes: (value) => scaled(value, "B"), bandwidth: (value) => scaled(value, "B/s"),
};
function scaled(value, unit) {
    const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(value, 1)) / 3), 0), 5);
    return `${number(value / 1000 ** power)} ${["", "k", "M", "G", "T", "P"][power]}${unit}`;
}

/* An axis as places: numbers where it has a unit, else one after the other. */
const axes = data.axes.map(({ name, unit, levels, numbers, at: places }) => ({
    name, categories: !unit,
    place: (point) => (!unit || !levels ? places[point] : numbers[places[point]]),
    text: (point) => (levels && !(unit && levels.length > LINES) ? levels[places[point]] : WRITTEN[unit](levels ? numbers[places[point]] : places[point])),
    label: (place) => (!levels || unit && levels.length > LINES ? WRITTEN[unit](place) : unit ? levels[numbers.indexOf(place)] || WRITTEN[unit](place) : levels[place]),
    n: new Set(places).size,
})).filter(({ n }) => n > 1);

/* What a point is called: what is set there. Where others do not set a key, it is named. */
const sparse = (axis) => axis.categories && all.some((point) => axis.text(point) === "");
const named = (axis, point) => (axis !== axes[0] && sparse(axis) && axis.text(point) ? `${axis.name.split(".").pop()} ${axis.text(point)}` : axis.text(point));
const nameOf = (point) => axes.map((axis) => named(axis, point)).filter(Boolean).join(", ") || `point ${data.points[point][0]}`;
const each = { name: "point", categories: true, place: (point) => point, text: (point) => String(data.points[point][0]), label: nameOf, n: count };
const along = [...axes, ...(axes.length !== 1 && count <= PLACES || axes.length === 0 ? [each] : [])];

/* Points by what @splitting calls them: a line for each, if there are few. */
function linesBy(splitting) {
    const lines = new Map();
    for (const point of all) {
        const name = splitting(point);
        lines.set(name, lines.get(name) || []);
        lines.get(name).push(point);
    }
    return [...lines].map(([name, points], number) => ({ name, points, number }));
}
const others = (axis) => axes.filter((it) => it !== axis);
function splittingsOf(axis) {
    const rest = axis === each ? [] : others(axis);
    const whole = (point) => rest.map((it) => it.text(point)).join(", ");
    const few = (name, splitting) => (new Set(all.map(splitting)).size <= LINES ? [[name, splitting]] : []);
    return [
        ...(rest.length > 0 ? few(rest.map(({ name }) => name).join(", "), whole) : []),
        ...(rest.length > 1 ? rest.flatMap((it) => few(it.name, it.text)) : []),
        ["one line", () => "all points"],
    ];
}

/* Spreads of several points as one: all their replications, or quantiles of them, together. */
function pooled(spreads) {
    if (spreads.length <= 1) {
        return spreads[0] || null;
    }
    const n = spreads.reduce((sum, it) => sum + it.n, 0);
    const mean = spreads.reduce((sum, it) => sum + it.n * it.mean, 0) / n;
    if (spreads.some(({ q }) => !q)) {
        return { n, mean, low: null, high: null, q: [mean] };
    }
    const values = spreads.flatMap(({ n: weight, q }) => q.map((value) => [value, weight / q.length])).sort((a, b) => a[0] - b[0]);
    const q = [];
    let sum = 0;
    for (const [value, weight] of values) {
        sum += weight;
        while (q.length < 21 && (q.length / 20) * n <= sum + 1e-9) {
            q.push(value);
        }
    }
    return { n, mean, low: null, high: null, q };
}

/* Places along an axis, each for some points: its levels, or bins of about as many points each. */
function placesAlong(axis) {
    const byPlace = new Map();
    for (const point of all) {
        byPlace.set(axis.place(point), byPlace.get(axis.place(point)) || []);
        byPlace.get(axis.place(point)).push(point);
    }
    const levels = [...byPlace].sort((a, b) => a[0] - b[0]);
    if (axis.categories || levels.length <= PLACES) {
        return { places: levels.map(([place]) => place), groups: levels.map(([, points]) => points), binned: false };
    }
    const sorted = levels.flatMap(([, points]) => points), n = Math.max(4, Math.min(16, Math.round(Math.sqrt(sorted.length))));
    const bins = Array.from({ length: n }, (_, i) => sorted.slice(Math.floor(i * sorted.length / n), Math.floor((i + 1) * sorted.length / n)));
    const middle = (points) => points.reduce((sum, point) => sum + axis.place(point), 0) / points.length;
    return { places: bins.map(middle), groups: bins, binned: true };
}

function fanOf(figure, axis, splitting) {
    const { places, groups, binned } = placesAlong(axis);
    let merged = false;
    const lines = linesBy(splitting).map(({ name, points, number: line }) => {
        const mine = new Set(points);
        return {
            name, number: line,
            spreads: groups.map((group) => {
                const spreads = group.filter((point) => mine.has(point)).map((point) => at(figure, point)).filter(Boolean);
                merged = merged || spreads.length > 1;
                return pooled(spreads);
            }),
            cloud: binned ? points.map((point) => [axis.place(point), (at(figure, point) || { mean: null }).mean]).filter(([, value]) => value !== null) : [],
        };
    });
    const room = 9, step = Math.ceil(places.length / room);
    const ticks = places.map((v) => ({ v, label: axis.label(v) }));
    const ticker = axis.categories || places.length <= room ? () => ticks.filter((_, i) => places.length <= PLACES || i % step === 0)
        : (from, to, pixels) => Dygraph.numericTicks(from, to, pixels, (name) => ({ pixelsPerLabel: 90, axisLabelFormatter: axis.label })[name]);
    return {
        title: titleOf(figure), unit: unitOf(figure), places, categories: axis.categories, ticker, lines, binned,
        cloudy: binned, label: binned ? (place) => `around ${axis.label(place)}` : axis.label, most: figure.unit === "%" ? 100 : 0,
        merged,
    };
}

function explain({ binned, merged, lines }, figure) {
    if (figure === held) {
        return "Marks: the share of runs in which the requirement was met and no data lost; whiskers: its 95 % interval (Clopper and Pearson).";
    }
    const range = binned || merged ? "all points and runs that fall together" : "runs";
    const dots = lines.some(({ spreads }) => spreads.some((it) => it && it.dots && it.dots.length)) ? "; dots: each run" : binned ? "; dots: each point" : "";
    return `Marks: means, whiskers their 95 % intervals; bands or bars: from the 5th to the 95th percentile of ${range}${dots}.`;
}

/* What differs between points is looked at first. */
const differs = (figure) => new Set(all.map((point) => (at(figure, point) || { mean: null }).mean)).size > 1;
const state = { figure: data.figures.find(differs) || figures[0], axis: along[0], splitting: null, group: 0, shown: [] };

function table(figure) {
    const cell = (kind, text, className = "") => element(kind, { className }, text);
    const heads = ["point", ...axes.map(({ name }) => name), "n", "mean", figure === held ? "95 % interval" : "±", ...(figure === held ? [] : ["5 %", "median", "95 %"])];
    const row = (point) => {
        const it = at(figure, point), q = it && it.q && it.q.length > 1 ? it.q : null;
        const interval = !it || it.low === null ? "" : q || it.q ? number((it.high - it.low) / 2) : `${number(it.low)} to ${number(it.high)}`;
        const numbers = it ? [it.n, number(it.mean), interval, ...(q ? [0.05, 0.5, 0.95].map((share) => number(quantile(q, share))) : figure === held ? [] : ["", "", ""])] : heads.slice(axes.length + 1).map(() => "");
        const head = cell("th", String(data.points[point][0]));
        head.scope = "row";
        return element("tr", {}, head, ...axes.map((axis) => cell("td", axis.text(point))), ...numbers.map((text) => cell("td", String(text), "number")));
    };
    const titles = heads.map((name, i) => Object.assign(cell("th", name, i > axes.length ? "number" : ""), { scope: "col" }));
    const summary = `Points: ${titleOf(figure)}${unitOf(figure) ? `, ${unitOf(figure)}` : ""}`;
    return element("details", { open: count <= OPEN }, element("summary", {}, summary),
        element("div", { className: "table", tabIndex: 0 }, element("table", {},
            element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...all.slice(0, ROWS).map(row)))));
}

/* Eight points at a time, by rank. */
function addDistributions(parent, figure) {
    const told = data.ranked.filter((point) => (at(figure, point) || { n: 0 }).n > 1 && at(figure, point).q);
    const title = `Distribution: ${titleOf(figure)}`, unit = unitOf(figure);
    if (told.length === 0) {
        const spread = pooled(all.map((point) => at(figure, point)).filter((it) => it && it.q));
        if (spread && spread.q.length > 1) {
            state.shown.push(addDistribution(parent, { title, unit, lines: [{ name: "all points", number: 0, spread }] }));
        }
        return;
    }
    const groups = Math.ceil(told.length / LINES);
    state.group = Math.min(state.group, groups - 1);
    const some = told.slice(state.group * LINES, (state.group + 1) * LINES);
    if (groups > 1) {
        const names = Array.from({ length: groups }, (_, i) => [i, `ranked ${i * LINES + 1} to ${Math.min((i + 1) * LINES, told.length)}`]);
        const select = choice("Points of the distribution", names, (value) => { state.group = Number(value); draw(); });
        select.value = state.group;
        parent.append(element("div", { className: "tools" }, element("label", {}, "Points ", select)));
    }
    state.shown.push(addDistribution(parent, { title, unit, lines: some.map((point, i) => ({ name: nameOf(point), number: i, spread: at(figure, point) })) }));
}

function addSensitivity(parent, figure) {
    const say = (text) => parent.append(element("p", {}, text));
    parent.append(element("h3", {}, "Sensitivity"));
    if (data.design !== "sobol") {
        say(`How much each axis matters takes a sweep of design: sobol; this one's is ${data.design}.`);
        return;
    }
    if (!figure.indices) {
        say(figure === held ? "Indices are of figures, not of the share of runs." : "This figure does not vary, or not at enough points.");
        return;
    }
    const head = (text, className = "") => Object.assign(element("th", { className }, text), { scope: "col" });
    const rows = figure.indices.map((it, i) => {
        const name = Object.assign(element("th", {}, data.axes[i].name), { scope: "row" });
        const cells = [[it[0], it[1]], [it[2], it[3]]].flatMap(([value, ci]) => [element("td", { className: "number" }, value.toFixed(2)), element("td", { className: "tight" }, `± ${ci.toFixed(2)}`)]);
        return [it[2], element("tr", {}, name, ...cells, element("td", {}, bars(it)))];
    }).sort((a, b) => b[0] - a[0]).map(([, row]) => row);
    const heads = [head("axis"), Object.assign(head("first order", "number"), { colSpan: 2 }), Object.assign(head("total", "number"), { colSpan: 2 }), head("first order: full bar; total: outlined")];
    parent.append(element("div", { className: "table", tabIndex: 0 }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))),
        element("p", { className: "small" }, `Of ${titleOf(figure)}: the share of its variance that goes when the axis is known (first order), and what stays when all the others are (total); ± is half of a 95 % interval.`));
}

function addRemarks(parent) {
    const say = (text) => parent.append(element("p", { className: "small" }, text));
    if (count < data.points_all) {
        say(`The charts show ${digits.format(count)} of ${digits.format(data.points_all)} points, evenly picked; points.csv has all.`);
    }
    if (data.points.some(([, n]) => n > 21)) {
        say("Of more than 21 runs at a point the page keeps 21 quantiles.");
    }
    if (count > ROWS) {
        say(`The table has the first ${ROWS} of ${digits.format(count)} points.`);
    }
    if (data.figures_left_out > 0) {
        say(`${data.figures_left_out} more figures are in points.csv.`);
    }
}

/* Fills what depends on the choices. */
function draw() {
    const fanAt = document.getElementById("fan"), rest = document.getElementById("rest");
    state.shown.forEach(({ graph }) => graph.destroy());
    state.shown = [];
    fanAt.replaceChildren();
    rest.replaceChildren();
    const fan = fanOf(state.figure, state.axis, state.splitting);
    if (fan.lines.some(({ spreads }) => spreads.some(Boolean))) {
        state.shown.push(addFan(fanAt, fan));
        fanAt.append(element("p", { className: "small" }, explain(fan, state.figure), " In a chart: ← → values."));
    } else {
        fanAt.append(element("p", {}, "No run has this figure."));
    }
    if (state.figure !== held) {
        addDistributions(rest, state.figure);
    }
    addSensitivity(rest, state.figure);
    rest.append(table(state.figure));
    addRemarks(rest);
}

function start() {
    const section = document.getElementById("charts");
    if (figures.length === 0) {
        section.append(element("p", {}, "No run has a result."));
        return;
    }
    const tools = element("div", { className: "tools" });
    section.append(tools, element("div", { id: "fan" }), element("div", { id: "rest" }));
    const phases = [...new Set(figures.map(({ phase }) => phase))];
    const labelled = (text, select) => element("label", {}, `${text} `, select);
    let metrics = null, splits = null;
    const chooseSplitting = () => {
        const splittings = splittingsOf(state.axis);
        state.splitting = splittings[0][1];
        const select = choice("Lines", splittings.map(([name], i) => [i, name]), (value) => { state.splitting = splittings[value][1]; draw(); });
        splits.replaceChildren("Lines ", select);
        splits.hidden = splittings.length < 2;
    };
    const chooseMetric = (phase) => {
        const of = figures.filter((figure) => figure.phase === phase);
        state.figure = of.find(({ metric }) => metric === state.figure.metric) || of[0];
        const select = choice("Figure", of.map(({ metric }, i) => [i, wordsOf(metric)]), (value) => { state.figure = of[value]; draw(); });
        select.value = of.indexOf(state.figure);
        metrics.replaceChildren("Figure ", select);
    };
    metrics = element("label");
    splits = element("label");
    tools.append(labelled("Phase", choice("Phase", phases.map((phase) => [phase, phaseWords(phase)]), (phase) => { chooseMetric(phase); draw(); })), metrics);
    if (along.length > 1) {
        tools.append(labelled("Against", choice("Axis", along.map(({ name }, i) => [i, name]), (value) => { state.axis = along[value]; chooseSplitting(); draw(); })));
    }
    tools.append(splits);
    const phase = tools.querySelector("[aria-label=Phase]");
    phase.value = state.figure.phase;
    chooseMetric(state.figure.phase);
    if (data.design === "list" && along.includes(each)) {
        state.axis = each;
        tools.querySelector("[aria-label=Axis]").value = along.indexOf(each);
    }
    chooseSplitting();
    draw();
    new ResizeObserver(() => state.shown.forEach(({ graph }) => graph.resize())).observe(section);
    onColours(() => state.shown.forEach(({ recolour }) => recolour()));
}

start();
})();
