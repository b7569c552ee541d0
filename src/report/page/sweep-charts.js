/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep-charts.js - what a sweep's charts are drawn with: fans against an axis, distributions, and
 * bars of sensitivity. They know places and spreads, and nothing of sweeps.
 *
 * A spread is { n, mean, low, high, q }: the interval of the mean, and sorted values or quantiles. */
"use strict";
const Charts = (() => {
const { PLOT, DASHES, element, colour, pixels, number, palette, onColours, frame, walk, pointing } = Page;
const SPACE = "http://www.w3.org/2000/svg";
const DODGE = [5, 14]; /* pixels between lines at a place: of numbers, of a category */
const GAP = 56;        /* beside a plot, for the last label of its axis */

/* The value below which a share of sorted values is. */
function quantile(q, share) {
    const at = share * (q.length - 1), below = Math.floor(at);
    return q[below] + (at - below) * (q[Math.min(below + 1, q.length - 1)] - q[below]);
}

/* Marks of lines, which tell them apart without colour: a path around 0, 0. */
const MARKS = [
    [[0, -4], [3, -3], [4, 0], [3, 3], [0, 4], [-3, 3], [-4, 0], [-3, -3]],
    [[-3.5, -3.5], [3.5, -3.5], [3.5, 3.5], [-3.5, 3.5]], [[0, -4.5], [4.5, 3.5], [-4.5, 3.5]],
    [[0, -5], [5, 0], [0, 5], [-5, 0]], [[0, 4.5], [4.5, -3.5], [-4.5, -3.5]],
    [[-1.5, -4.5], [1.5, -4.5], [1.5, -1.5], [4.5, -1.5], [4.5, 1.5], [1.5, 1.5], [1.5, 4.5], [-1.5, 4.5], [-1.5, 1.5], [-4.5, 1.5], [-4.5, -1.5], [-1.5, -1.5]],
    [[-5, -2], [5, -2], [5, 2], [-5, 2]], [[-2, -5], [2, -5], [2, 5], [-2, 5]],
];

function svg(kind, attributes, ...children) {
    const it = document.createElementNS(SPACE, kind);
    Object.entries(attributes).forEach(([name, value]) => it.setAttribute(name, value));
    it.append(...children);
    return it;
}

/* The line and the mark of a legend. */
function markKey(line) {
    const points = MARKS[line].map(([x, y]) => `${x + 14},${y + 5}`).join(" ");
    return svg("svg", { class: `key mark-key line-${line + 1}`, viewBox: "0 0 28 10", "aria-hidden": "true" },
        svg("path", { d: "M0 5H28", "stroke-dasharray": DASHES[line].join(" ") }), svg("polygon", { points }));
}

function paintMark(canvas, x, y, line) {
    canvas.beginPath();
    MARKS[line].forEach(([dx, dy]) => canvas.lineTo(x + dx, y + dy));
    canvas.closePath();
    canvas.fill();
}

function strokeLine(canvas, points) {
    canvas.beginPath();
    points.forEach(([x, y]) => canvas.lineTo(x, y));
    canvas.stroke();
}

/* From the 5th to the 95th percentile, of a category as a bar, else as a band. */
function paintRange(canvas, marks, categories) {
    canvas.save();
    canvas.globalAlpha = 0.16;
    if (categories) {
        marks.forEach(({ x, p5, p95 }) => canvas.fillRect(x - 4, p95, 8, Math.max(p5 - p95, 1)));
    } else {
        canvas.beginPath();
        marks.forEach(({ x, p95 }) => canvas.lineTo(x, p95));
        [...marks].reverse().forEach(({ x, p5 }) => canvas.lineTo(x, p5));
        canvas.fill();
    }
    canvas.restore();
}

function paintInterval(canvas, { x, low, high }) {
    if (low === null || Math.abs(high - low) < 2) {
        return;
    }
    canvas.setLineDash([]);
    strokeLine(canvas, [[x, low], [x, high]]);
    strokeLine(canvas, [[x - 3, low], [x + 3, low]]);
    strokeLine(canvas, [[x - 3, high], [x + 3, high]]);
}

/* A line of a fan: its marks in pixels, band, dots, intervals, means. */
function paintLine(canvas, graph, line, places, categories, shift) {
    const y = (value) => (value === null ? null : graph.toDomYCoord(value));
    const marks = line.spreads.map((it, i) => it && {
        x: graph.toDomXCoord(places[i]) + shift, mean: y(it.mean), low: y(it.low), high: y(it.high),
        p5: it.q && y(quantile(it.q, 0.05)), p95: it.q && y(quantile(it.q, 0.95)), dots: (it.dots || []).map(y),
    }).filter(Boolean);
    canvas.fillStyle = canvas.strokeStyle = colour(`line-${line.number + 1}`);
    paintRange(canvas, marks.filter(({ p5 }) => p5 !== null && p5 !== undefined), categories);
    canvas.globalAlpha = 0.5;
    marks.forEach(({ x, dots }) => dots.forEach((dot) => canvas.fillRect(x - 1.5, dot - 1.5, 3, 3)));
    (line.cloud || []).forEach(([x, value]) => canvas.fillRect(graph.toDomXCoord(x) - 1.5, y(value) - 1.5, 3, 3));
    canvas.globalAlpha = 1;
    canvas.lineWidth = 1.8;
    if (!categories) {
        canvas.setLineDash(DASHES[line.number]);
        strokeLine(canvas, marks.map(({ x, mean }) => [x, mean]));
    }
    canvas.lineWidth = 1.4;
    marks.forEach((mark) => paintInterval(canvas, mark));
    marks.forEach(({ x, mean }) => paintMark(canvas, x, mean, line.number));
}

/* All that has to be seen; from 0 where that is near. */
function rangeOf(lines, bounds) {
    const all = lines.flatMap(({ spreads, cloud }) => [
        ...spreads.filter(Boolean).flatMap(({ mean, low, high, q, dots }) => [mean, low, high, ...(q ? [quantile(q, 0.05), quantile(q, 0.95)] : []), ...(dots || [])]),
        ...(cloud || []).map(([, value]) => value)]).filter((value) => value !== null && Number.isFinite(value));
    let low = Math.min(...all), high = Math.max(...all);
    const pad = (high - low || Math.abs(high) || 1) * 0.06;
    low = low >= 0 && low < 0.5 * high || low === high && low >= 0 ? -0.03 * high : low - pad;
    return [low, bounds && high <= bounds ? bounds * 1.03 : high + pad];
}

const axisColours = () => ({ gridLineColor: colour("grid"), axisLineColor: colour("rule") });

/* Options that all charts share. */
const options = (categories, width, ticker) => ({
    rightGap: GAP, gridLinePattern: null, highlightCircleSize: 0, axisLabelFontSize: 11, xAxisHeight: 20,
    axes: {
        x: { ...(ticker ? { ticker } : {}), drawGrid: !categories, axisLabelWidth: width },
        y: { axisLabelWidth: PLOT.left - 6, pixelsPerLabel: 30, axisLabelFormatter: (value) => number(value) },
    },
});

/* Makes a chart that is pointed at by mouse, keyboard and finger: @tell(place) fills the legend. */
function pointed(parts, rows, places, tell, more) {
    const { figure, plot } = parts, cursor = element("div", { className: "cursor", hidden: true });
    const show = (at) => {
        cursor.hidden = at === null;
        if (at !== null) {
            cursor.style.left = pixels(graph.toDomXCoord(places[at]));
        }
        tell(at);
    };
    const nearest = (x) => Math.max(places.findLastIndex((place) => place <= x), 0);
    const graph = new Dygraph(plot, rows, {
        ...more, ...axisColours(), interactionModel: pointing(() => places, show),
        highlightCallback: (_, x) => show(nearest(x)), unhighlightCallback: () => show(null),
    });
    plot.append(cursor);
    walk(figure, () => places.length, show);
    return { graph, recolour: () => graph.updateOptions(axisColours()) };
}

/* A figure against places. @fan: { title, unit, places, categories, ticker, label(place), lines, most };
 * a line is { name, number, spreads (by place, or null), cloud }. */
function addFan(parent, fan) {
    const parts = frame(fan.title, fan.unit), { places, categories, lines } = fan;
    parent.append(parts.figure);
    const outputs = lines.map(({ name, number: line }) => {
        const value = element("output");
        parts.legend.append(element("li", {}, markKey(line), ` ${name} `, value));
        return value;
    });
    const tell = (at) => {
        parts.shown.textContent = at === null ? "" : fan.label(places[at]);
        outputs.forEach((output, i) => {
            output.textContent = at === null ? "" : describe(lines[i].spreads[at]);
        });
    };
    const rows = places.map((place, i) => [place, ...lines.map(({ spreads }) => (spreads[i] ? spreads[i].mean : null))]);
    const across = [...places, ...lines.flatMap(({ cloud }) => cloud.map(([x]) => x))];
    const from = Math.min(...across), to = Math.max(...across), edge = categories ? 0.5 : (to - from || 1) * 0.03;
    const paint = (it) => {
        if (it.seriesIndex === 0) {
            lines.forEach((line, i) => paintLine(it.drawingContext, it.dygraph, line, places, categories, (i - (lines.length - 1) / 2) * (fan.cloudy ? 0 : DODGE[Number(categories)])));
        }
    };
    return pointed(parts, rows, places, tell, {
        ...options(categories, Math.min(parts.plot.clientWidth / places.length - 20, categories ? 4 * GAP : 2 * GAP), fan.ticker), labels: ["place", ...lines.map((_, i) => String(i))],
        dateWindow: [from - edge, to + edge], valueRange: rangeOf(lines, fan.most), plotter: paint,
    });
}

/* "12.3 ± 0.4 (11 to 14), n 10" */
function describe(it) {
    if (!it) {
        return "–";
    }
    const interval = it.low === null || it.q === null ? "" : ` ± ${number((it.high - it.low) / 2)}`;
    const range = it.q && it.q.length > 1 ? ` (${number(quantile(it.q, 0.05))} to ${number(quantile(it.q, 0.95))})`
        : it.q === null ? ` (${number(it.low)} to ${number(it.high)})` : "";
    return `${number(it.mean)}${interval}${range}, n ${it.n}`;
}

/* The share of values, or quantiles, that are at most @x. */
const shareAt = ({ q }, x) => 100 * q.filter((value) => value <= x).length / q.length;

/* How values of lines are distributed: { title, unit, lines: { name, number, spread } }. */
function addDistribution(parent, { title, unit, lines }) {
    const parts = frame(title, unit);
    parent.append(parts.figure);
    const places = [...new Set(lines.flatMap(({ spread }) => spread.q))].sort((a, b) => a - b);
    const span = places[places.length - 1] - places[0] || Math.abs(places[0]) || 1;
    const from = places[0] - span * 0.03, to = places[places.length - 1] + span * 0.03;
    const outputs = lines.map(({ name, number: line }) => {
        const value = element("output");
        parts.legend.append(element("li", {}, Page.key(line + 1, DASHES[line]), ` ${name} `, value));
        return value;
    });
    const tell = (at) => {
        parts.shown.textContent = at === null ? "" : `at most ${number(places[at])} ${unit}`;
        outputs.forEach((output, i) => {
            output.textContent = at === null ? "" : `${number(shareAt(lines[i].spread, places[at]))} %`;
        });
    };
    const rows = [from, ...places, to].map((x) => [x, ...lines.map(({ spread }) => shareAt(spread, x))]);
    const series = Object.fromEntries(lines.map(({ number: line }, i) => [String(i),
        { stepPlot: true, strokePattern: DASHES[line].length ? DASHES[line] : null, strokeWidth: 1.8 }]));
    const colours = () => ({ colors: lines.map(({ number: line }) => palette(8)[line]) });
    const it = pointed(parts, rows, places, tell, {
        ...options(false, 70), ...colours(), labels: ["value", ...lines.map((_, i) => String(i))], series,
        dateWindow: [from, to], valueRange: [0, 104],
    });
    it.graph.updateOptions({ axes: { x: { axisLabelFormatter: (value) => number(value) }, y: { axisLabelFormatter: (value) => `${number(value)} %` } } });
    return { ...it, recolour: () => it.graph.updateOptions({ ...axisColours(), ...colours() }) };
}

/* A pair of bars of 0 to 1: first-order index and total, with intervals. */
function bars([first, firstCi, total, totalCi]) {
    const width = 300, at = (value) => Math.min(Math.max(value, 0), 1.05) * (width - 20);
    const bar = (kind, value, ci, y) => [
        svg("rect", { class: kind, x: 0, y, width: Math.max(at(value), 1), height: 8 }),
        svg("path", { class: "whisker", d: `M${at(value - ci)} ${y + 4}H${at(value + ci)}M${at(value - ci)} ${y + 1}v6M${at(value + ci)} ${y + 1}v6` })];
    return svg("svg", { class: "bars", width, height: 26, "aria-hidden": "true" },
        ...bar("simulated", first, firstCi, 3), ...bar("published", total, totalCi, 14));
}

return { addFan, addDistribution, bars, quantile, onColours };
})();
