/* SPDX-License-Identifier: GPL-3.0-or-later */
/* latency.js - how slow the I/Os of phases were, all of them: latency against the share of I/Os that
 * are no slower, on a scale on which each tenth part of what is left is as wide as the last. */
"use strict";
(() => {
const { PLOT, DASHES, element, pixels, number, digits, unitFor, key, palette, colour, onColours, frame, walk, pointing, choice } = Page;
const { tails, results } = Page.data;
const several = results.length > 1;
const places = tails.map((tail) => -Math.log10(tail)); /* 0: the fastest, 2: the slowest 1 % */
const DIRECTIONS = [["read", "Reads"], ["write", "Writes"]];
const LABELS = [[0, "0 %"], [Math.log10(2), "50 %"], [1, "90 %"], [2, "99 %"], [3, "99.9 %"], [4, "99.99 %"], [5, "99.999 %"]];

const percent = (tail) => `${digits.format(Number((100 * (1 - tail)).toPrecision(7)))} %`;

/* The curves of a chart: those of a result, or one of each result, of the phase that is chosen. */
function curvesOf(direction, phase) {
    const curves = several
        ? results.map((result, i) => ({ name: result.label, line: i, values: (result.latency.find(({ name }) => name === phase) || {})[direction] || [] }))
        : results[0].latency.map((it, i) => ({ name: it.name, line: i, values: it[direction] }));
    return curves.filter(({ values }) => values.length > 0);
}

const rowsOf = (curves, length) => places.slice(0, length).map((place, p) => [place, ...curves.map(({ values }) => (p < values.length ? values[p] : null))]);

function marksOf(ticks) {
    return (from, to) => ticks.filter(([place]) => place >= from && place <= to + 1e-9).map(([v, label]) => ({ v, label }));
}

/* Lines at the places that have a name. */
function drawBehind(canvas, area, graph) {
    canvas.save();
    canvas.strokeStyle = colour("grid");
    canvas.lineWidth = 1;
    for (const [place] of LABELS) {
        const x = Math.round(graph.toDomXCoord(place)) + 0.5;
        canvas.beginPath();
        canvas.moveTo(x, area.y);
        canvas.lineTo(x, area.y + area.h);
        canvas.stroke();
    }
    canvas.restore();
}

function addChart(parent, [direction, title], phase, length) {
    const curves = curvesOf(direction, phase);
    if (curves.length === 0) {
        return null;
    }
    const greatest = Math.max(...curves.flatMap(({ values }) => values));
    const unit = unitFor("time", greatest);
    const { figure, legend, plot, shown } = frame(`${title}: latency`, unit[1]);
    parent.append(figure);
    const outputs = curves.map(({ name, line }) => {
        const value = element("output");
        legend.append(element("li", {}, key(line + 1, DASHES[line]), ` ${name} `, value));
        return value;
    });
    const colours = () => ({ colors: curves.map(({ line }) => palette(8)[line]), gridLineColor: colour("grid"), axisLineColor: colour("rule") });
    const tell = (at) => {
        shown.textContent = at === null ? "" : `${percent(tails[at])} took at most`;
        outputs.forEach((output, i) => {
            const value = at === null ? null : curves[i].values[at];
            output.textContent = at === null ? "" : value === undefined ? "–" : number(value / unit[0]);
        });
    };
    const series = Object.fromEntries(curves.map(({ line }, i) => [String(i), { strokePattern: DASHES[line].length ? DASHES[line] : null, strokeWidth: 1.8 }]));
    const graph = new Dygraph(plot, rowsOf(curves, length), {
        labels: ["share", ...curves.map((_, i) => String(i))], series, ...colours(),
        logscale: true, rightGap: PLOT.right + 24, gridLinePattern: null, highlightCircleSize: 3,
        axisLabelFontSize: 11, xAxisHeight: 20, dateWindow: [0, places[length - 1]],
        axes: {
            x: { ticker: marksOf(LABELS), drawGrid: false, axisLabelWidth: 70 },
            y: { axisLabelWidth: PLOT.left - 6, pixelsPerLabel: 26, axisLabelFormatter: (value) => number(value / unit[0]) },
        },
        interactionModel: pointing(() => places.slice(0, length), (at) => select(at)),
        underlayCallback: drawBehind,
        highlightCallback: (_, place) => tell(places.indexOf(place)),
        unhighlightCallback: () => tell(null),
    });
    const select = (at) => {
        if (at === null) {
            graph.clearSelection();
        } else {
            graph.setSelection(at);
        }
        tell(at);
    };
    walk(figure, () => length, select);
    const log = element("button", { type: "button", textContent: "log", title: "Logarithmic axis", ariaPressed: "true" });
    log.addEventListener("click", () => {
        log.ariaPressed = String(log.ariaPressed !== "true");
        graph.updateOptions({ logscale: log.ariaPressed === "true", includeZero: log.ariaPressed !== "true" });
    });
    shown.after(log);
    return { graph, recolour: () => graph.updateOptions(colours()) };
}

function start() {
    const section = document.getElementById("latency");
    const names = [...new Set(results.flatMap(({ latency }) => latency.map(({ name }) => name)))];
    if (names.length === 0) {
        return;
    }
    section.hidden = false;
    const charts = element("div");
    let shown = [];
    const draw = (phase) => {
        shown.forEach(({ graph }) => graph.destroy());
        charts.replaceChildren();
        const curves = DIRECTIONS.flatMap(([direction]) => curvesOf(direction, phase));
        const length = Math.max(...curves.map(({ values }) => values.length));
        shown = DIRECTIONS.map((direction) => addChart(charts, direction, phase, length)).filter(Boolean);
    };
    if (several) {
        section.append(element("div", { className: "tools" }, element("label", {}, "In ", choice("Phase of the latencies", names.map((name) => [name, name]), draw))));
    }
    section.append(charts);
    const of = results[0].latency_kinds ? "all phases of a kind" : "a phase";
    section.append(element("p", { className: "small" },
        `A line is of all I/Os of ${of}: at 99 % the latency that one in a hundred exceeds. Lines end where fewer than ten I/Os that were simulated are slower. In a chart: ← → values.`));
    const bare = results.filter(({ latency }) => latency.length === 0);
    if (bare.length > 0) {
        section.append(element("p", { className: "small" }, `No latencies were kept of ${bare.map(({ label }) => label).join(", ")}.`));
    }
    draw(names[0]);
    new ResizeObserver(() => shown.forEach(({ graph }) => graph.resize())).observe(section);
    onColours(() => shown.forEach(({ recolour }) => recolour()));
}

start();
})();
