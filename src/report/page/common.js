/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.js - what the scripts of all pages share. All text goes into a page as text, never as
 * markup. */
"use strict";
const Page = (() => {
/* The legend of Dygraphs writes styles as markup, which the page forbids; it has its own. */
Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

const PLOT = { left: 64, right: 16 }; /* pixels beside a plot; page.css has them too */
const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 4], [1, 3], [9, 3, 2, 3, 2, 3]];

const data = JSON.parse(document.getElementById("data").textContent);
const known = (values) => values.filter((value) => value !== null);
function element(kind, properties = {}, ...children) {
    const it = Object.assign(document.createElement(kind), properties);
    it.append(...children);
    return it;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const pixels = (n) => `${n}px`;

/* "1 h 23 min", two units at most. */
function duration(seconds) {
    if (seconds < 60) {
        return `${Number(seconds.toPrecision(3))} s`;
    }
    const [large, small, a, b] = seconds < 3599.5 ? [60, 1, "min", "s"]
        : seconds < 86370 ? [3600, 60, "h", "min"] : [86400, 3600, "d", "h"];
    const whole = Math.round(seconds / small), per = large / small;
    return `${Math.floor(whole / per)} ${a}` + (whole % per ? ` ${whole % per} ${b}` : "");
}

const digits = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const number = (value) => digits.format(Number(value.toPrecision(4)));

/* Of the units of @quantity, each with what it is worth in the numbers of the trace, the largest that
 * leaves @greatest some digits. */
function unitFor(quantity, greatest) {
    const units = data.units[quantity];
    return units.filter(([worth]) => greatest >= (worth > 1 ? 5 : 1) * worth).pop() || units[0];
}

function key(line, dashes, extra = "") {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
    svg.setAttribute("class", `key line-${line} ${extra}`);
    svg.setAttribute("viewBox", "0 0 28 8");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", "M0 4H28");
    path.setAttribute("stroke-dasharray", dashes.join(" "));
    svg.append(path);
    return svg;
}

const palette = (n) => Array.from({ length: n }, (_, i) => colour(`line-${i + 1}`));

/* Calls @repaint when colours change: by what the reader prefers, and for paper, which is white.
 * Nothing changes its size for it, since a canvas that does prints empty; browsers shrink the page. */
function onColours(repaint) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    const paper = (on) => {
        document.body.style.width = on ? pixels(document.body.clientWidth) : "";
        document.documentElement.classList.toggle("paper", on);
        repaint();
    };
    addEventListener("beforeprint", () => paper(true));
    addEventListener("afterprint", () => paper(false));
}

/* A figure with a plot in it that the keyboard reaches; `shown` says which place is pointed at. */
function frame(title, unit) {
    const legend = element("ul"), plot = element("div", { className: "plot tall" });
    const shown = element("span", { className: "place" }), spacer = element("span", { className: "spacer" });
    const caption = element("figcaption", {}, element("b", {}, title), element("span", { className: "small" }, unit), spacer, shown, legend);
    const figure = element("figure", { className: "chart", tabIndex: 0, ariaLabel: `Chart: ${title}, ${unit}` }, caption, plot);
    figure.setAttribute("role", "group");
    return { figure, caption, legend, plot, shown };
}

/* The keyboard walks through the @n places of a chart: @select(place) shows values, of null none. */
function walk(figure, n, select) {
    let at = null;
    const moves = { ArrowLeft: -1, ArrowRight: 1 };
    figure.addEventListener("keydown", (event) => {
        if (event.target !== figure || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        if (event.key in moves && n() > 0) {
            at = at === null ? Math.floor(n() / 2) : Math.min(Math.max(at + moves[event.key], 0), n() - 1);
        } else if (event.key === "Home" || event.key === "End") {
            at = event.key === "Home" ? 0 : n() - 1;
        } else if (event.key === "Escape") {
            at = null;
        } else {
            return;
        }
        event.preventDefault();
        select(at);
    });
}

/* Where a finger points a mouse would, at the nearest of places() along the axis. */
function pointing(places, select) {
    const touch = (event, graph) => {
        const x = graph.toDataXCoord(event.touches[0].clientX - graph.graphDiv.getBoundingClientRect().left);
        const all = places();
        select(all.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(all[best] - x) ? i : best), 0));
    };
    return { mousedown: () => {}, touchstart: touch, touchmove: touch };
}

const choice = (label, options, change) => {
    const select = element("select", { ariaLabel: label },
        ...options.map(([value, text]) => element("option", { value, textContent: text })));
    select.addEventListener("change", () => change(select.value));
    return select;
};

return { PLOT, DASHES, data, known, element, colour, pixels, duration, digits, number, unitFor, key, palette, onColours, frame, walk, pointing, choice };
})();
