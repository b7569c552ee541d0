#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens pages of results in headless Chromium, as readers do: no network, no complaint, charts that
move together, values under the pointer, the keyboard. Screenshots stay as the test's output.

    test_page.py PROGRAM SCREENSHOTS
"""

import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

# Five nodes of one disk lose one of them; it comes back.
SCENARIO = """
version: 1
name: "<script>alert(1)</script> & five nodes"
devices:
  disk: {read: 10 ms, write: 10 ms, spread: deterministic, size: 1 GB}
cluster:
  nodes: 5
  detect: 1 s
  node:
    disk_groups: {capacity: {device: disk}}
data: {logical: 20 MB, placement_groups: 64, protection: rf2}
workload: {kind: paced, pacing: even, vms: 4, rate: 150 /s, outstanding: 100, restart: 1 s}
background:
  rebuild: {delay: 5 s}
timeline:
  - {at: 10 s, fail: node 2}
  - {at: 40 s, restore: node 2}
requirement: {iops: 150, read: 5 ms}
run: {until: duration, duration: 60 s, fidelity: io, trace_interval: 1 s}
"""


# How the same cluster does under loads, protections and disks; some of it fails.
SWEEP = """
version: 1
kind: sweep
name: "<script>alert(1)</script> & sweeps"
base: tiny.yaml
axes:
  workload.rate: [100 /s, 150 /s, 200 /s]
  data.protection: [rf2, rf3]
  timeline[0].at: {uniform: [5 s, 15 s]}
replications: 3
fidelity: sampled
"""
SOBOL = """
version: 1
kind: sweep
base: tiny.yaml
design: sobol
points: 8
axes:
  workload.rate: {uniform: [80 /s, 200 /s]}
  background.rebuild.delay: {uniform: [0 s, 10 s]}
fidelity: sampled
"""
REFERENCE = """
version: 1
kind: reference
name: "<i>lab</i>"
tolerance: 5 %
cells:
  - {label: tiny, phase: steady, metric: iops, value: 150, unit: /s, mark: stated}
  - {label: tiny, phase: steady, metric: read_mean, value: 100, unit: ms, mark: stated}
  - {label: tiny, phase: rebuild, metric: minutes}
"""


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


class Browser:
    """Chromium, with what it loaded and complained about."""

    def __init__(self, screenshots):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.screenshots = screenshots

    def open(self, page, scheme="light"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(page.as_uri())
        WebDriverWait(self.driver, 30).until(lambda _: self.script("return document.readyState") == "complete")

    def requests(self):
        """The addresses that were asked for since the page was opened."""
        import json
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def actions(self):
        return ActionChains(self.driver)

    def ticks(self):
        """The labels of the time axis of each chart."""
        return self.script(
            "return [...document.querySelectorAll('#timeline .plot')].map((plot) =>"
            " [...plot.querySelectorAll('.dygraph-axis-label-x')].map((label) => label.textContent).join(' '))")

    def values(self):
        return self.script("return [...document.querySelectorAll('#timeline output')].map((it) => it.textContent)")

    def shoot(self, name):
        height = self.script("return document.documentElement.scrollHeight")
        metrics = {"width": 1280, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.save_screenshot(str(self.screenshots / f"{name}.png"))
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def moved_together(before, after):
    return len(set(after)) == 1 and after[0] != before[0]


def nothing_is_loaded_and_nothing_complained_about(browser, pages):
    for name, page in pages.items():
        for scheme in ("light", "dark") if name in ("one", "sweep") else ("light",):
            browser.open(page, scheme)
            browser.shoot(f"{name}-{scheme}")
            assert browser.requests() == [page.as_uri()], "more than one request"
            assert browser.complaints() == [], f"complaints about {name}"


def names_are_shown_as_text(browser, pages):
    browser.open(pages["one"])
    assert browser.all("h1")[0].text == "<script>alert(1)</script> & five nodes (tiny)"
    assert "<script>alert(1)</script>" in browser.driver.title


def phases_and_events_stand_above_the_charts(browser, pages):
    browser.open(pages["one"])
    bands = [band.get_attribute("title").split(":")[0] for band in browser.all(".strip button")]
    assert bands[:3] == ["steady", "failed", "rebuild"], bands
    marks = [mark.text for mark in browser.all(".mark span")]
    assert "fail node 2" in marks and "restore node 2" in marks, marks
    boxes = [(b["x"], b["x"] + b["width"], b["y"]) for b in (m.rect for m in browser.all(".mark span"))]
    for i, (left, right, top) in enumerate(boxes):
        for other_left, other_right, other_top in boxes[:i]:
            assert top != other_top or right <= other_left + 1 or left >= other_right - 1, "labels collide"
    titles = [title.text for title in browser.all("figcaption b")]
    assert titles[:3] == ["Throughput", "Read latency", "Write latency"], titles
    tints = browser.script(
        "const canvas = document.querySelector('.plot canvas'), g = canvas.getContext('2d');"
        "const at = (x) => [...g.getImageData(64 + x * (canvas.clientWidth - 80), 8, 1, 1).data].join();"
        "return [at(0.05), at(0.2), at(0.4)]")
    assert len(set(tints)) == 3, f"phases are not behind the charts: {tints}"


def timelines(browser):
    """The charts that share an axis of time."""
    return browser.all("#timeline .plot")


def plots_are_aligned(browser, pages):
    for name in ("one", "both"):
        browser.open(pages[name])
        edges = browser.script(
            "return [...document.querySelectorAll('.strip, #timeline .plot')].map((it) => {"
            " const box = it.getBoundingClientRect(), plot = it.className === 'plot';"
            " return [box.left + (plot ? 64 : 0), box.right - (plot ? 16 : 0)].join() })")
        assert len(set(edges)) == 1, edges
        assert len(set(browser.ticks())) == 1


def zoom_of_one_chart_moves_the_others(browser, pages):
    browser.open(pages["one"])
    plots = browser.all(".plot")
    before = browser.ticks()
    browser.actions().move_to_element_with_offset(plots[0], -100, 0).click_and_hold().move_by_offset(250, 0).release().perform()
    zoomed = browser.ticks()
    assert moved_together(before, zoomed), zoomed
    browser.shoot("zoomed")
    WebDriverWait(browser.driver, 30).until( # a busy machine may take two clicks for two
        lambda _: browser.actions().double_click(plots[1]).perform() or browser.ticks() == before, "double-click shows all")


def a_phase_zooms_to_itself(browser, pages):
    browser.open(pages["one"])
    before = browser.ticks()
    browser.all(".strip .phase-failed")[0].click()
    assert moved_together(before, browser.ticks())
    browser.all(".tools button")[-1].click()
    assert browser.ticks() == before, "All shows all"


def values_of_all_charts_follow_the_pointer(browser, pages):
    for name in ("one", "both"):
        browser.open(pages[name])
        assert set(browser.values()) == {""}
        plot = browser.all(".plot")[1]
        browser.script("arguments[0].scrollIntoView({block: 'center'})", plot)
        browser.actions().move_to_element_with_offset(plot, -300, 0).perform()
        assert "" not in browser.values(), browser.values()
        cursors = browser.script("return [...document.querySelectorAll('#timeline .cursor')].map((it) => it.style.left)")
        assert len(cursors) == len(timelines(browser)) and len(set(cursors)) == 1, cursors
        assert browser.all(".now span")[0].text != ""
        browser.driver.save_screenshot(str(browser.screenshots / f"hover-{name}.png"))


def the_keyboard_reaches_and_moves_the_charts(browser, pages):
    browser.open(pages["one"])
    body = browser.all("body")[0]
    for _ in range(40):
        body.send_keys(Keys.TAB) if _ == 0 else browser.actions().send_keys(Keys.TAB).perform()
        if browser.script("return document.activeElement.className") == "chart":
            break
    focus = browser.script("const it = document.activeElement; return [it.className, it.ariaLabel, getComputedStyle(it).outlineStyle]")
    assert focus == ["chart", "Chart: Throughput, IOPS", "solid"], focus
    seen = [browser.ticks()]
    for key in ("+", "+", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, "-"):
        browser.actions().send_keys(key).perform()
        seen.append(browser.ticks())
        assert moved_together(seen[-2], seen[-1]), key
    for key in ("0", Keys.ESCAPE):
        browser.actions().send_keys("+").send_keys(key).perform()
        assert browser.ticks() == seen[0], "shows all again"
    browser.actions().key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(Keys.SHIFT).perform()
    assert "" not in browser.values(), "values without a pointer"


def several_results_get_a_line_each(browser, pages):
    browser.open(pages["both"])
    names = [item.text.split("\n")[0].strip() for item in browser.all(".chart")[0].find_elements(By.CSS_SELECTOR, "li")]
    assert names[:2] == ["tiny", "other"], names
    dashes = browser.script(
        "return [...document.querySelectorAll('.chart')][0].querySelectorAll('path').length &&"
        " [...document.querySelector('.chart').querySelectorAll('path')].map((it) => it.getAttribute('stroke-dasharray'))")
    assert dashes[0] != dashes[1], "lines differ without colour"
    assert len(browser.all(".strip")) == 2
    choice = browser.all(".chart select")[1]
    choice.find_elements(By.TAG_NAME, "option")[2].click()
    assert browser.complaints() == []


def text_stands_out(browser, pages):
    """At least 4.5:1 for all text, by the formula of WCAG."""
    for name, scheme in itertools.product(("beside", "sobol"), ("light", "dark")):
        browser.open(pages[name], scheme)
        poor = browser.script("""
            const parse = (text) => text.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
                .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const ground = (it) => {
                for (; it; it = it.parentElement) {
                    const colour = parse(getComputedStyle(it).backgroundColor);
                    if (colour.length === 3 || colour[3] > 0) return colour;
                }
                return [255, 255, 255];
            };
            return [...document.querySelectorAll('body *')].filter((it) => it.tagName !== 'SCRIPT'
                && [...it.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
                .map((it) => {
                    const [a, b] = [light(parse(getComputedStyle(it).color)), light(ground(it))].sort((x, y) => y - x);
                    return [(a + 0.05) / (b + 0.05), it.tagName + ' ' + it.className + ' ' + it.textContent.slice(0, 20)];
                }).filter(([ratio]) => ratio < 4.5);""")
        assert poor == [], f"{name} {scheme}: {poor}"


def what_is_not_there_is_told(browser, pages):
    browser.open(pages["no-trace"])
    assert "there is no trace" in browser.all("#timeline")[0].text
    assert len(browser.all("#timeline .chart")) == 0
    browser.open(pages["idle"])
    assert "there was no client I/O" in browser.all("#timeline")[0].text
    assert browser.complaints() == []


def shown_in(browser, chart):
    """The place that is pointed at in a chart, and the values there."""
    return browser.script(
        "const it = document.querySelectorAll(arguments[0])[arguments[1]];"
        "return [it.querySelector('.place').textContent, ...[...it.querySelectorAll('output')].map((o) => o.textContent)]", *chart)


def touch(browser, plot, kind):
    box = plot.rect
    scrolled = browser.script("return window.scrollY")
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] - scrolled + box["height"] / 2}
    points = [point] if kind == "touchStart" else []
    browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def point_in_all_ways(browser, selector, number):
    """A chart tells values to a mouse, to the keyboard and to a finger."""
    chart = (selector, number)
    figure = browser.all(selector)[number]
    plot = figure.find_element(By.CSS_SELECTOR, ".plot")
    browser.script("arguments[0].scrollIntoView({block: 'center'})", figure)
    assert set(shown_in(browser, chart)) == {""}
    browser.actions().move_to_element(plot).perform()
    assert "" not in shown_in(browser, chart), shown_in(browser, chart)
    browser.actions().move_to_element(browser.all("h1")[0]).perform()
    browser.script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", figure)
    browser.actions().send_keys(Keys.HOME).perform()
    first = shown_in(browser, chart)
    browser.actions().send_keys(Keys.ARROW_RIGHT).perform()
    second = shown_in(browser, chart)
    assert first[0] not in ("", second[0]) and second[0] != "", (first, second)
    browser.actions().send_keys(Keys.ESCAPE).perform()
    assert set(shown_in(browser, chart)) == {""}
    touch(browser, plot, "touchStart")
    assert "" not in shown_in(browser, chart), "nothing under the finger"
    touch(browser, plot, "touchEnd")


def latencies_are_told_by_phase(browser, pages):
    browser.open(pages["one"])
    titles = [title.text for title in browser.all("#latency figcaption b")]
    assert titles == ["Reads: latency", "Writes: latency"], titles
    names = [item.text.strip() for item in browser.all("#latency .chart")[0].find_elements(By.CSS_SELECTOR, "li")]
    assert names[:3] == ["steady", "failed", "rebuild"], names
    for number in (0, 1):
        point_in_all_ways(browser, "#latency .chart", number)
    browser.driver.save_screenshot(str(browser.screenshots / "hover-latency.png"))
    browser.all("#latency .chart button")[0].click()
    browser.open(pages["both"])
    names = [item.text.strip() for item in browser.all("#latency .chart")[0].find_elements(By.CSS_SELECTOR, "li")]
    assert names == ["tiny", "other"], names
    browser.all("#latency select option")[1].click()
    point_in_all_ways(browser, "#latency .chart", 0)
    assert browser.complaints() == []


def figures_stand_beside_a_reference(browser, pages):
    browser.open(pages["beside"])
    assert browser.all("#reference h2")[0].text == "Beside <i>lab</i>"
    verdicts = [row.find_elements(By.CSS_SELECTOR, "td")[-1].text for row in browser.all("#reference tbody tr")]
    assert verdicts == ["✓ within", "✗ outside", "prediction"], verdicts
    bars = browser.script(
        "return [...document.querySelectorAll('#reference tbody svg')].map((svg) => [...svg.querySelectorAll('rect')]"
        ".map((it) => it.getBoundingClientRect()).map(({left, right}) => right - left))")
    assert len(bars) == 2 and all(len(it) == 3 for it in bars), bars
    (_, published, simulated), (_, _, less) = bars
    assert abs(published - simulated) < 8 and less < published / 2, bars
    assert "simulated" in browser.all("#reference tbody title")[0].get_attribute("textContent")
    assert browser.complaints() == []


def a_sweep_shows_figures_against_axes(browser, pages):
    browser.open(pages["sweep"])
    assert browser.all("h1")[0].text == "<script>alert(1)</script> & sweeps"
    assert len(browser.all("#ranking tbody tr")) == 6
    fan = browser.all("#fan .chart")[0]
    names = [item.text.strip() for item in fan.find_elements(By.CSS_SELECTOR, "li")]
    assert names == ["rf2", "rf3"], names
    ticks = [label.text for label in fan.find_elements(By.CSS_SELECTOR, ".dygraph-axis-label-x")]
    assert ticks == ["100 /s", "150 /s", "200 /s"], ticks
    point_in_all_ways(browser, "#fan .chart", 0)
    point_in_all_ways(browser, "#rest .chart", 0)
    browser.driver.save_screenshot(str(browser.screenshots / "hover-sweep.png"))
    for label in ("Phase", "Figure", "Axis", "Lines"):
        options = min(len(browser.all(f"select[aria-label={label}] option")), 4)
        for option in reversed(range(options)): # the first is there for the next
            browser.all(f"select[aria-label={label}] option")[option].click()
            assert browser.all("#fan .chart"), f"{label} {option}: nothing is drawn"
    browser.shoot("sweep-categories")
    assert browser.complaints() == []


def a_sobol_design_tells_what_matters(browser, pages):
    browser.open(pages["sobol"])
    rows = [row.text for row in browser.all("#rest table")[0].find_elements(By.CSS_SELECTOR, "tbody tr")]
    assert len(rows) == 2 and any("workload.rate" in row for row in rows), rows
    assert len(browser.all("#rest .bars rect")) == 4
    browser.open(pages["sweep"])
    assert "takes a sweep of design: sobol" in browser.all("#rest")[0].text


def paper_takes_it(browser, pages):
    for name in ("one", "sweep"):
        browser.open(pages[name], "dark")
        import base64
        pdf = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})["data"])
        (browser.screenshots / f"{name}.pdf").write_bytes(pdf)
        assert pdf.startswith(b"%PDF")
        assert browser.complaints() == []


TESTS = [
    nothing_is_loaded_and_nothing_complained_about,
    names_are_shown_as_text,
    phases_and_events_stand_above_the_charts,
    plots_are_aligned,
    zoom_of_one_chart_moves_the_others,
    a_phase_zooms_to_itself,
    values_of_all_charts_follow_the_pointer,
    the_keyboard_reaches_and_moves_the_charts,
    several_results_get_a_line_each,
    latencies_are_told_by_phase,
    figures_stand_beside_a_reference,
    a_sweep_shows_figures_against_axes,
    a_sobol_design_tells_what_matters,
    text_stands_out,
    what_is_not_there_is_told,
    paper_takes_it,
]


def make_pages(program, folder):
    """Results of small runs, and of what is missing in them."""
    scenario = folder / "tiny.yaml"
    scenario.write_text(SCENARIO)

    def aftershock(*arguments):
        subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    aftershock("run", scenario, "-o", folder / "one", "--report")
    aftershock("run", scenario, "-o", folder / "other", "--label", "other", "--set", "data.protection=rf3")
    aftershock("run", scenario, "-o", folder / "idle", "--report", "--set", "workload.rate=0.001 /s",
               "--set", "run.trace_interval=10 s")
    aftershock("report", folder / "one", folder / "other", "-o", folder / "both.html")
    shutil.copytree(folder / "one", folder / "no-trace")
    trace = folder / "no-trace" / "trace.csv"
    trace.write_text(trace.read_text().splitlines(keepends=True)[0])
    aftershock("report", folder / "no-trace")
    pages = {name: folder / name / "report.html" for name in ("one", "idle", "no-trace")}
    for name, text in (("sweep", SWEEP), ("sobol", SOBOL)):
        (folder / f"{name}.yaml").write_text(text)
        aftershock("sweep", folder / f"{name}.yaml", "-o", folder / name)
        aftershock("report", folder / name)
        pages[name] = folder / name / "report.html"
    (folder / "lab.yaml").write_text(REFERENCE)
    aftershock("report", folder / "one", "--to", folder / "lab.yaml", "-o", folder / "beside.html")
    return {**pages, "both": folder / "both.html", "beside": folder / "beside.html"}


def run_all(browser, pages):
    failed = 0
    for n, test in enumerate(TESTS, 1):
        try:
            test(browser, pages)
            print(f"ok {n} - {test.__name__}", flush=True)
        except Exception as error:  # a browser has many ways to fail
            failed += 1
            print(f"not ok {n} - {test.__name__}", flush=True)
            print(f"# {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    return failed


def main():
    program, screenshots = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if webdriver is None:
        skip("there is no python3-selenium, so no page is opened")
    for name in ("chromium", "chromedriver"):
        if shutil.which(name) is None:
            skip(f"there is no {name}, so no page is opened")
    screenshots.mkdir(parents=True, exist_ok=True)
    print(f"1..{len(TESTS)}")
    with tempfile.TemporaryDirectory() as folder:
        pages = make_pages(program, pathlib.Path(folder))
        browser = Browser(screenshots)
        try:
            failed = run_all(browser, pages)
        finally:
            browser.driver.quit()
    sys.exit(1 if failed else 0)


main()
