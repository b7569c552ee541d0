/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.js - the charts of results, by Dygraphs, on one time axis.
 *
 * The block "data" holds the results as page_data.c wrote them: their trace by columns, phases and
 * events. One result gets a line for each figure of a chart; several get a line each, of the figure
 * that is chosen. `view` is the stretch of time that everything shows. All text goes into the page
 * as text, never as markup.
 */
(() => {
const { PLOT, DASHES, data, known, element, colour, pixels, duration, digits, number, unitFor, key, palette, onColours } = Page;
const { charts, grave: GRAVE, results } = data;
const several = results.length > 1;
const end = Math.max(...results.map((result) => result.end));
const LANES = several ? 1 : 3;       /* of event labels below a strip */

/* Columns that add up, or whose greatest counts. Without any of them there is no line. */
const combine = (how) => (...names) => (columns) => {
    const there = names.map((name) => columns[name]).filter(Boolean);
    return there.length === 0 ? null : there[0].map((_, i) => how(there.map((column) => column[i])));
};
const sum = combine((values) => known(values).length ? known(values).reduce((a, b) => a + b) : null);
const most = combine((values) => known(values).length ? Math.max(...known(values)) : null);

/* Charts from top to bottom, as charts.c has them: a line is a name and what reads it off columns.
 * Several results show the first of `overlaid` at first, and others may be chosen. */
const reader = ([name, how, ...columns]) => [name, (how === "most" ? most : sum)(...columns)];
const CHARTS = charts.map((chart) => ({ ...chart, lines: chart.lines.map(reader), overlaid: chart.overlaid.map(reader) }));

/* Marks on the time axis, in steps that people count by. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];
function timeTicks(from, to, width) {
    const least = (to - from) / Math.max(width / 95, 2);
    let step = STEPS.find((it) => it >= least);
    if (least < 1) {
        step = 10 ** Math.ceil(Math.log10(least));
    } else if (!step) {
        step = 86400 * Math.ceil(least / 86400);
    }
    const ticks = [];
    for (let i = Math.ceil(from / step); i * step <= to && ticks.length < 100; i++) {
        ticks.push({ v: i * step, label: i === 0 ? "0" : duration(Number((i * step).toPrecision(12))) });
    }
    return ticks;
}

/* The last index whose time is not after @time; the interval that begins there contains it. */
function indexAt(times, time) {
    let low = 0, high = times.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        [low, high] = times[middle] <= time ? [middle + 1, high] : [low, middle];
    }
    return low - 1;
}

/* What is drawn: { name, result, values } for each line of @chart that there is. */
function linesOf(chart, chosen) {
    const figures = several ? [chart.overlaid[chosen]] : chart.lines;
    const lines = [];
    results.forEach((result) => {
        for (const [name, read] of figures) {
            const values = read(result.columns);
            if (values && (several || values.some((value) => value))) {
                lines.push({ name: several ? result.label : name, result, values });
            }
        }
    });
    if (chart.changing && !lines.some(({ values }) => Math.max(...values) > 1.001 * Math.min(...known(values)))) {
        return [];
    }
    return lines.filter(({ values }) => known(values).length > 0);
}

/* Where the values of a line stand: what holds for an interval in its middle, what is counted at its
 * end there. */
function pointsOf({ result: { time, end: last }, values }, atEnd) {
    const after = (i) => (i + 1 < time.length ? time[i + 1] : Math.max(last, time[i]));
    return values.map((value, i) => [atEnd ? after(i) : (time[i] + after(i)) / 2, value]);
}

/* Rows for Dygraphs: a time, then each line. It connects across null, where a line has nothing to
 * say, and leaves a gap at NaN, where there was nothing. */
function rowsOf(lines, atEnd) {
    const rows = new Map();
    lines.forEach((line, l) => {
        for (const [at, value] of pointsOf(line, atEnd)) {
            if (!rows.has(at)) {
                rows.set(at, [at, ...lines.map(() => null)]);
            }
            rows.get(at)[l + 1] = value === null ? NaN : value;
        }
    });
    return [...rows.values()].sort((a, b) => a[0] - b[0]);
}

/* The stretch of time that is shown, and everyone who has to know. */
const view = { from: 0, to: end, listeners: [] };
function show(from, to, all = false) {
    const length = Math.min(Math.max(to - from, end / 1e5), end);
    view.from = Math.min(Math.max(from, 0), end - length);
    view.to = view.from + length;
    view.listeners.forEach((listener) => listener(all));
}
const zoom = (factor) => {
    const middle = (view.from + view.to) / 2, half = (view.to - view.from) * factor / 2;
    show(middle - half, middle + half);
};
const pan = (share) => show(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
const reset = () => show(0, end, true); /* heights too, which dragging upwards zooms */

/* Which result's phases lie behind the charts. */
let behind = 0;

/* The moment that is pointed at, or null. */
let now = null;
const watchers = [];
function point(time) {
    now = time;
    watchers.forEach((watcher) => watcher());
}

const phaseAt = (result, time) => (result.phases.find(([, from, to]) => time >= from && time < to) || [""])[0];
const markOf = ([, event, subject]) => (subject && subject !== "cluster" ? `${event} ${subject}` : event);
const isGrave = ([, event]) => GRAVE.some((word) => event.startsWith(word));

/* Phases and events of a result, on the same axis as the charts. */
function addStrip(parent, result, index) {
    if (several) {
        parent.append(element("div", { className: "strip-name" }, key(index + 1, DASHES[index]), ` ${result.label}`));
    }
    const strip = element("div", { className: "strip" }), marks = element("div", { className: "marks" });
    parent.append(strip, marks);
    const bands = result.phases.map(([name, from, to]) => {
        const title = `${name}: ${duration(from)} to ${duration(to)}`;
        const band = element("button", { type: "button", className: `phase-${name}`, title }, name);
        band.addEventListener("click", () => {
            behind = index;
            const margin = (to - from) / 50;
            show(from - margin, to + margin);
        });
        strip.append(band);
        return { band, from, to };
    });
    const texts = document.createElement("canvas").getContext("2d");
    const weight = (event) => (isGrave(event) ? 0 : event[1] === "detect" ? 2 : 1);
    const byWeight = [...result.events].sort((a, b) => weight(a) - weight(b));

    const draw = () => {
        const width = strip.clientWidth, place = (time) => (time - view.from) / (view.to - view.from) * width;
        for (const { band, from, to } of bands) {
            const left = Math.max(place(from), -1), right = Math.min(place(to), width);
            band.hidden = right - left < 0.5;
            band.style.left = pixels(left);
            band.style.width = pixels(Math.max(right - left, 1));
            band.textContent = right - left > 34 ? band.className.slice("phase-".length) : "";
        }
        drawMarks(width, place);
    };

    /* A label goes to the side of its mark where fewer others are, into the first lane where neither
     * text nor the line of its mark runs into what is there. Without room there is only a tick. */
    const drawMarks = (width, place) => {
        const lanes = Array.from({ length: LANES }, () => ({ spans: [], lines: [] }));
        const inside = (x, [a, b]) => x > a + 2 && x < b - 2;
        const free = ({ spans, lines }, [a, b]) =>
            spans.every(([c, d]) => b <= c || a >= d) && !lines.some((x) => inside(x, [a, b]));
        const at = byWeight.map((event) => place(event[0])).filter((x) => x >= -0.5 && x <= width + 0.5);
        const crossed = (span) => at.filter((x) => inside(x, span)).length;
        texts.font = `600 11.5px ${getComputedStyle(document.body).fontFamily}`;
        marks.replaceChildren();
        for (const event of byWeight) {
            const x = place(event[0]);
            if (x < -0.5 || x > width + 0.5) {
                continue;
            }
            const text = markOf(event), length = texts.measureText(text).width + 9;
            const sides = [[x, x + length], [x - length, x]]
                .filter(([a, b]) => a >= -0.5 && b <= width + 0.5).sort((a, b) => crossed(a) - crossed(b));
            let span = null, lane = 0;
            for (; lane < LANES && !lanes[lane].spans.some((other) => inside(x, other)); lane++) {
                span = sides.find((side) => free(lanes[lane], side));
                if (span) {
                    break;
                }
            }
            const mark = element("div", { className: "mark", title: [`${duration(event[0])}: ${text}`, event[3]].filter(Boolean).join(", ") });
            mark.style.left = pixels(Math.min(Math.max(x, 0), width - 1));
            mark.style.height = pixels(span ? (lane + 1) * 16 : 5);
            if (span) {
                lanes[lane].spans.push(span);
                lanes.slice(0, lane).forEach(({ lines }) => lines.push(x));
                mark.classList.toggle("left", span[0] < x - 1);
                mark.append(element("span", {}, text));
            }
            mark.classList.toggle("grave", isGrave(event));
            marks.append(mark);
        }
        const used = lanes.filter(({ spans }) => spans.length > 0).length;
        marks.style.height = pixels(Math.max(used * 16, result.events.length ? 6 : 2));
    };
    view.listeners.push(draw);
}

/* The time that is pointed at, above its place. */
function addNow(parent) {
    const text = element("span"), line = element("div", { className: "now", ariaHidden: "true" }, text);
    parent.append(line);
    watchers.push(() => {
        if (now === null) {
            text.textContent = "";
            return;
        }
        const phase = several ? "" : phaseAt(results[0], now);
        text.textContent = duration(now) + (phase ? `, ${phase}` : "");
        const width = line.clientWidth, half = text.offsetWidth / 2;
        const x = (now - view.from) / (view.to - view.from) * width;
        text.style.left = pixels(Math.min(Math.max(x - half, 0), width - 2 * half));
    });
}

/* Phases as tints behind the lines, events and what is required as lines of their own. */
function drawBehind(chart, canvas, area, graph) {
    const { phases, events } = results[behind];
    canvas.save();
    canvas.beginPath();
    canvas.rect(area.x, area.y, area.w, area.h);
    canvas.clip();
    canvas.globalAlpha = 0.6;
    for (const [name, from, to] of phases) {
        const left = graph.toDomXCoord(from), right = graph.toDomXCoord(to);
        canvas.fillStyle = colour(name);
        canvas.fillRect(left, area.y, right - left, area.h);
    }
    canvas.globalAlpha = 1;
    canvas.lineWidth = 1;
    canvas.setLineDash([1, 3]);
    for (const event of events) {
        const x = Math.round(graph.toDomXCoord(event[0])) + 0.5;
        canvas.strokeStyle = colour(isGrave(event) ? "bad" : "muted");
        canvas.beginPath();
        canvas.moveTo(x, area.y);
        canvas.lineTo(x, area.y + area.h);
        canvas.stroke();
    }
    const required = results[behind][chart.required];
    if (required > 0) {
        const y = Math.round(graph.toDomYCoord(required)) + 0.5;
        canvas.strokeStyle = colour("bad");
        canvas.setLineDash([5, 4]);
        canvas.beginPath();
        canvas.moveTo(area.x, y);
        canvas.lineTo(area.x + area.w, y);
        canvas.stroke();
    }
    canvas.restore();
}

const colours = (lines) => ({
    colors: several ? lines.map(({ result }) => colour(`line-${results.indexOf(result) + 1}`)) : palette(lines.length),
    gridLineColor: colour("grid"),
    axisLineColor: colour("rule"),
});

/* A line's number: of several results theirs, so that a result looks the same in all charts. */
const numberOf = (line, i) => (several ? results.indexOf(line.result) : i);

function seriesOf(lines) {
    const series = {};
    lines.forEach((line, i) => {
        const dashes = DASHES[numberOf(line, i)];
        series[String(i)] = { strokePattern: dashes.length ? dashes : null, strokeWidth: i === 0 || several ? 1.8 : 1.4 };
    });
    return series;
}

/* The names of the lines, each with the value at the moment that is pointed at. */
function fillLegend(list, chart, lines, unit) {
    const items = lines.map((line, i) => {
        const value = element("output");
        const n = numberOf(line, i);
        list.append(element("li", {}, key(n + 1, DASHES[n]), ` ${line.name} `, value));
        return { line, value };
    });
    const required = results[behind][chart.required];
    if (required > 0) {
        list.append(element("li", {}, key(1, [5, 4], "required"), ` required${chart.quantity === "time" ? " mean" : ""} ${number(required / unit[0])}`));
    }
    return () => items.forEach(({ line: { result, values }, value }) => {
        const at = now === null || now > result.end ? -1 : indexAt(result.time, now);
        value.textContent = at < 0 ? "" : values[at] === null ? "–" : number(values[at] / unit[0]);
    });
}

function addChart(parent, chart) {
    let chosen = 0, lines = linesOf(chart, chosen), unit = null, updateLegend = () => {};
    const choices = several ? chart.overlaid : [];
    if (lines.length === 0 && !choices.some((_, c) => linesOf(chart, c).length > 0)) {
        return null;
    }
    const unitName = element("span", { className: "small" }), legend = element("ul");
    const caption = element("figcaption", {}, element("b", {}, chart.title), unitName, legend, element("span", { className: "spacer" }));
    const plot = element("div", { className: "plot" }), cursor = element("div", { className: "cursor", hidden: true });
    const figure = element("figure", { className: "chart", tabIndex: 0 }, caption, plot);
    figure.setAttribute("role", "group");
    figure.setAttribute("aria-describedby", "keys");
    parent.append(figure);

    const fill = () => {
        const greatest = lines.reduce((high, { values }) => values.reduce((a, b) => Math.max(a, b || 0), high), 0);
        unit = unitFor(chart.quantity, greatest);
        unitName.textContent = unit[1];
        figure.setAttribute("aria-label", `Chart: ${chart.title}, ${unit[1]}`);
        legend.replaceChildren();
        updateLegend = fillLegend(legend, chart, lines, unit);
        return { labels: ["time", ...lines.map((_, i) => String(i))], series: seriesOf(lines), ...colours(lines) };
    };
    let moving = false; /* by others: not news */
        const first = fill();
    const graph = new Dygraph(plot, rowsOf(lines, chart.atEnd), {
        ...first, rightGap: PLOT.right, dateWindow: [view.from, view.to],
        connectSeparatedPoints: true, drawGapEdgePoints: true, includeZero: true, yRangePad: 4, gridLinePattern: null,
        highlightCircleSize: 3, axisLabelFontSize: 11, xAxisHeight: 20,
        axes: {
            x: { ticker: (from, to, width) => timeTicks(from, to, width), drawGrid: false, axisLabelWidth: 90 },
            y: { axisLabelWidth: PLOT.left - 6, pixelsPerLabel: 26, axisLabelFormatter: (value) => number(value / unit[0]) },
        },
        interactionModel: {
            ...Dygraph.defaultInteractionModel,
            dblclick: (event, it, context) => {
                Dygraph.defaultInteractionModel.dblclick(event, it, context);
                reset();
            },
        },
        underlayCallback: (canvas, area, it) => drawBehind(chart, canvas, area, it),
        /* What is counted at the end of an interval belongs to it, not to the next. */
        highlightCallback: (_, time) => point(chart.atEnd ? time - end * 1e-9 : time),
        unhighlightCallback: () => point(null),
        drawCallback: (it, initial) => {
            const [from, to] = it.xAxisRange();
            if (!initial && !moving && (from !== view.from || to !== view.to)) {
                show(from, to);
            }
        },
    });
    plot.append(cursor);
    const update = (options) => {
        moving = true;
        graph.updateOptions(options);
        moving = false;
    };
    view.listeners.push((all) => update({ dateWindow: [view.from, view.to], ...(all ? { valueRange: null } : {}) }));
    watchers.push(() => {
        updateLegend();
        cursor.hidden = now === null || now < view.from || now > view.to;
        if (!cursor.hidden) {
            cursor.style.left = pixels(graph.toDomXCoord(now));
        }
    });
    if (choices.length > 1) {
        const choice = element("select", { ariaLabel: `Figure in the chart ${chart.title}` },
            ...choices.map(([name], c) => element("option", { value: c, textContent: name })));
        choice.addEventListener("change", () => {
            chosen = Number(choice.value);
            lines = linesOf(chart, chosen);
            update({ ...fill(), file: rowsOf(lines, chart.atEnd) });
        });
        caption.append(choice);
    }
    if (chart.log) {
        const log = element("button", { type: "button", textContent: "log", title: "Logarithmic axis", ariaPressed: "false" });
        log.addEventListener("click", () => {
            const on = log.ariaPressed !== "true";
            log.ariaPressed = String(on);
            update({ logscale: on, includeZero: !on });
        });
        caption.append(log);
    }
    figure.addEventListener("keydown", (event) => {
        if (event.target === figure && !event.ctrlKey && !event.metaKey && !event.altKey && onKey(event)) {
            event.preventDefault();
        }
    });
    return { graph, update, recolour: () => update(colours(lines)) };
}

/* Points at the interval before or after the one that is pointed at. */
function step(direction) {
    const { time } = results.find((result) => result.time.length > 0);
    const start = now === null ? indexAt(time, (view.from + view.to) / 2) : indexAt(time, now) + direction;
    const at = time[Math.min(Math.max(start, 0), time.length - 1)];
    if (at < view.from || at > view.to) {
        pan(direction / 2);
    }
    point(at);
}

function onKey(event) {
    const actions = {
        ArrowLeft: () => (event.shiftKey ? step(-1) : pan(-0.2)),
        ArrowRight: () => (event.shiftKey ? step(1) : pan(0.2)),
        "+": () => zoom(0.5), "=": () => zoom(0.5),
        "-": () => zoom(2), "_": () => zoom(2),
        0: reset, Escape: () => { point(null); reset(); },
        Home: () => show(0, view.to - view.from), End: () => show(end - (view.to - view.from), end),
    };
    const action = actions[event.key];
    if (action) {
        action();
    }
    return Boolean(action);
}

function addTools(parent) {
    const button = (text, title, action) => {
        const it = element("button", { type: "button", textContent: text, title });
        it.addEventListener("click", action);
        return it;
    };
    parent.append(element("div", { className: "tools" },
        button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)),
        button("←", "Earlier", () => pan(-0.5)), button("→", "Later", () => pan(0.5)),
        button("All", "Show all of the time", reset),
        element("span", { className: "small", id: "keys" },
            "Drag in a chart, or choose a phase, to zoom; double-click for all. In a chart: ← → move, + − zoom, 0 all, Shift ← → values.")));
}

/* What a reader might take for a fault of the page. */
function addRemarks(parent) {
    const say = (text) => parent.append(element("p", { className: "small" }, text));
    results.forEach((result) => {
        const of = several ? `${result.label}: ` : "";
        if (result.time.length > 0 && result.time.length < result.rows) {
            say(`${of}the trace has ${digits.format(result.rows)} intervals; the charts show the least and the greatest value of each ${digits.format(Math.ceil(2 * result.rows / result.time.length))}.`);
        }
        if (result.time.length === 0) {
            say(`${of}there is no trace, so there is nothing to draw.`);
        } else if (!result.columns.read_iops && !result.columns.write_iops) {
            say(`${of}there was no client I/O.`);
        }
        if (result.events_left_out > 0) {
            say(`${of}${digits.format(result.events_left_out)} more events are in events.csv.`);
        }
    });
}

function start() {
    const timeline = document.getElementById("timeline");
    document.querySelectorAll(".beside .key path").forEach((path, i) => path.setAttribute("stroke-dasharray", DASHES[i].join(" ")));
    const drawn = results.some((result) => result.time.length > 0);
    if (!(end > 0)) {
        addRemarks(timeline);
        return;
    }
    if (drawn) {
        addTools(timeline);
    }
    const strips = element("div", { className: results.length <= 2 ? "strips few" : "strips" });
    timeline.append(strips);
    results.forEach((result, index) => addStrip(strips, result, index));
    addNow(strips);
    const charts = drawn ? CHARTS.map((chart) => addChart(timeline, chart)).filter(Boolean) : [];
    addRemarks(timeline);
    view.listeners.forEach((listener) => listener());

    const resize = () => {
        charts.forEach(({ graph }) => graph.resize());
        view.listeners.forEach((listener) => listener());
    };
    new ResizeObserver(resize).observe(strips);
    onColours(() => charts.forEach((chart) => chart.recolour()));
}

start();
})();
