"""The site in a real browser: what a reader clicks, types and sees."""

import functools
import importlib.util
import json
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browser import LOCAL
from site_cases import fill, rows, spec, study

from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.site.data import study_data
from ironbark.pipeline.site.render import Renderer

PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["explore.html", "explore.html#view=difference", "explore.html#view=wins", "explore.html#view=numbers"]
PAGES += ["leaderboards.html", "leaderboard/pond-full-classification.html"]
PAGES += ["leaderboard/pond-full-classification.html#dataset=ducks&kind=uniform&rate=40+%25"]
PAGES += ["dataset/ducks.html#results=pond-full.binary&metric=accuracy&noise=uniform-0.4"]
DRAWN = ("explore", "leaderboard/", "dataset/")  # pages that scripts draw
SHOWN = "!!document.body.dataset.shown"
VIEWS = ["curves", "ranks", "difference", "wins", "time", "numbers"]


def explore(tab, site, state=""):
    tab.open(f"file://{site}/explore.html#{state}")
    tab.wait(SHOWN)


def test_served_pages_and_files_look_alike(tab, pond):
    handler = functools.partial(Quiet, directory=str(pond))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        texts = []
        for root in (f"{LOCAL}{server.server_port}", f"file://{pond}"):
            tab.open(f"{root}/explore.html")
            tab.wait(SHOWN)
            texts.append(tab.run("document.getElementById('explorer').innerText"))
        server.shutdown()
    assert texts[0] == texts[1] and "18 points" in texts[0]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_accessibility(tab, pond, page, dark):
    if importlib.util.find_spec("axe_core_python") is None:
        pytest.skip("needs the package axe-core-python")
    place = Path(importlib.util.find_spec("axe_core_python").origin).parent / "axe.min.js"
    tab.look(dark=dark)
    tab.open(f"file://{pond}/{page}")
    if page.startswith(DRAWN):
        tab.wait(SHOWN)
    tab.run(place.read_text(encoding="utf-8") + ";1")
    found = tab.run(
        "axe.run({preload: false}).then(r => r.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary]))"
    )
    assert found == []


@pytest.mark.parametrize("page", PAGES)
def test_a_phone_scrolls_in_one_direction(tab, pond, page):
    tab.look(width=390, height=800)
    tab.open(f"file://{pond}/{page}")
    if page.startswith(DRAWN):
        tab.wait(SHOWN)
    assert tab.run("document.documentElement.scrollWidth") <= 390


def column(tab, number):
    script = "Array.from(document.querySelectorAll('#table-accuracy tbody tr'), r => r.cells[%d].textContent)"
    return tab.run(script % number)


def test_sorting_by_click_and_by_key(tab, pond):
    tab.open(f"file://{pond}/study/pond-full.html")
    before = column(tab, 2)
    tab.run("document.querySelectorAll('#table-accuracy th button')[2].click()")
    numbers = [float(text.split()[0]) for text in column(tab, 2)]
    assert sorted(before) == sorted(column(tab, 2)) and numbers == sorted(numbers)
    tab.run("document.querySelectorAll('#table-accuracy th button')[2].focus()")
    tab.press("Enter")
    assert [float(text.split()[0]) for text in column(tab, 2)] == sorted(numbers, reverse=True)
    assert tab.run("document.querySelectorAll('#table-accuracy th')[2].getAttribute('aria-sort')") == "descending"


def test_numbers_come_before_dashes_and_texts_sort_too(tab, pond):
    tab.open(f"file://{pond}/index.html")
    cells = (
        "<tr><td>–</td></tr><tr><td>10</td></tr><tr><td>−2.5</td></tr><tr><td>1\u202f000</td></tr><tr><td>b</td></tr>"
    )
    table = f"<thead><tr><th>x</th></tr></thead><tbody>{cells}</tbody>"
    tab.run(
        f"t = document.createElement('table'); t.innerHTML = {json.dumps(table)}; document.body.append(t);"
        "ironbark.makeSortable(t); t.querySelector('button').click()"
    )
    shown = tab.run("Array.from(t.tBodies[0].rows, r => r.textContent)")
    assert shown[:3] == ["−2.5", "10", "1\u202f000"] and set(shown[3:]) == {"–", "b"}


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_draws(tab, pond, view):
    explore(tab, pond, f"view={view}")
    what = "#chart tbody tr" if view == "numbers" else "#chart svg path, #chart svg text"
    assert tab.run(f"document.querySelectorAll('{what}').length") >= 9
    assert tab.run("document.getElementById('status').textContent.length") > 20


def click(tab, selector):
    tab.run(f"document.querySelector({json.dumps(selector)}).click()")


def test_filters_change_the_chart_and_the_address(tab, pond):
    explore(tab, pond)
    marks = "document.querySelectorAll('#chart [aria-roledescription=\"point\"]').length"
    assert tab.run(marks) == 18
    click(tab, 'input[value="rf-c"]')
    tab.wait(f"{marks} === 12")
    tab.choose("dataset", "geese")
    tab.wait(f"{marks} === 6")
    address = tab.run("location.hash")
    assert "methods=dt-a,dt-b" in address and "dataset=geese" in address
    explore(tab, pond, address[1:])
    assert tab.run(marks) == 6, "the address brings the same chart back"
    click(tab, '[aria-label="none: methods"]')
    tab.wait("document.getElementById('status').textContent === 'No methods are chosen.'")
    click(tab, '[aria-label="all: methods"]')
    tab.wait(f"{marks} === 9")


def test_back_undoes_one_step(tab, pond):
    explore(tab, pond, "study=pond-full&view=curves")
    marks = "document.querySelectorAll('#chart [aria-roledescription=\"point\"]').length"
    click(tab, 'input[value="rf-c"]')
    tab.wait(f"{marks} === 12")
    tab.choose("dataset", "geese")
    tab.wait(f"{marks} === 6")
    tab.back()
    tab.wait(f"{marks} === 12")
    assert tab.run("document.getElementById('choose-dataset').value") == "*"
    assert tab.run("document.querySelector('input[value=\"rf-c\"]').checked") is False
    tab.back()
    tab.wait(f"{marks} === 18")
    assert tab.run("document.querySelector('input[value=\"rf-c\"]').checked") is True


def test_bands_are_drawn_for_few_methods_only(tab, pond):
    explore(tab, pond)
    count = "ironbark.charts.curves([], {methods: Array.from({length: %d}, String), panels: 1}, 500).spec.layer.length"
    assert tab.run(count % 6) == 3 and tab.run(count % 7) == 2


def test_all_methods_are_seen_without_a_box_that_scrolls(tab, pond):
    explore(tab, pond)
    boxes = "Array.from(document.querySelectorAll('main *')).filter(e => e.scrollHeight > e.clientHeight + 2"
    boxes += " && ['auto', 'scroll'].includes(getComputedStyle(e).overflowY)).length"
    assert tab.run(boxes) == 0


def test_methods_can_be_searched(tab, pond):
    shown = "document.querySelectorAll('%s tbody tr:not([hidden])').length"
    tab.open(f"file://{pond}/index.html")
    field = "f = document.querySelector('[data-search=\"#methods-table\"]'); f.value = 'forest'"
    tab.run(f"{field}; f.dispatchEvent(new Event('input'))")
    assert tab.run(shown % "#methods-table") == 1
    for page in ("leaderboard/pond-full-classification.html", "dataset/ducks.html"):
        tab.open(f"file://{pond}/{page}")
        tab.wait(SHOWN)
        tab.run("f = document.getElementById('search-methods'); f.value = 'tree'; f.dispatchEvent(new Event('input'))")
        assert tab.run(shown % ".scroll[aria-label^=Methods]") == 2


def test_a_table_that_scrolls_says_so(tab, pond):
    cues = "document.querySelectorAll('.cue:not([hidden])').length"
    for width, seen in ((1280, 0), (390, 2)):
        tab.look(width=width)
        tab.open(f"file://{pond}/leaderboards.html")
        tab.wait(f"{cues} >= {min(seen, 1)}")
        assert (tab.run(cues) > 0) == (seen > 0)


def test_the_measure_changes_the_axis(tab, pond):
    explore(tab, pond)
    tab.choose("metric", "seconds")
    tab.wait(
        "document.querySelector('#chart svg')?.textContent.includes('CPU time of a fit with its tuning (seconds)')"
    )


def test_tabs_by_keyboard(tab, pond):
    explore(tab, pond)
    tab.run("document.getElementById('tab-curves').focus()")
    tab.press("ArrowRight")
    tab.wait("document.body.dataset.shown === 'pond-full ranks'")
    assert tab.run("document.activeElement.id") == "tab-ranks"
    assert tab.run("document.getElementById('tab-ranks').getAttribute('aria-selected')") == "true"


def test_a_figure_becomes_interactive(tab, pond):
    tab.open(f"file://{pond}/study/pond-full.html")
    tab.run("document.querySelector('[data-interactive]').click()")
    tab.wait("document.querySelectorAll('#figure-curves .chart svg').length === 1")
    assert tab.run("document.querySelector('[data-interactive]').getAttribute('aria-expanded')") == "true"


def links(tab):
    """Files that the links of the page in front lead to."""
    found = tab.run("Array.from(document.querySelectorAll('a[href]'), a => decodeURI(a.href.split('#')[0]))")
    return [Path(address.removeprefix("file://")) for address in found]


def test_links_that_scripts_draw_lead_somewhere(tab, pond):
    for page in PAGES:
        tab.open(f"file://{pond}/{page}")
        if page.startswith(DRAWN):
            tab.wait(SHOWN)
        assert [path for path in links(tab) if not path.is_file()] == []


def test_a_study_of_failures_and_missing_data_is_told(tab, make, tmp_path):
    frame = rows().assign(status=FAILED, accuracy=float("nan"))
    results = fill(tmp_path / "results")
    frame.to_parquet(results / "pond/full/rows.parquet")
    site = make(spec(study()), results)
    tab.open(f"file://{site}/explore.html")
    tab.wait("document.querySelector('.absent:not(noscript *)') !== null")
    assert "There are no rows yet." in tab.run("document.getElementById('explorer').textContent")


def test_lost_rows_are_told(chromium, make, tmp_path):
    site = make(spec(study()), fill(tmp_path / "results"))
    (site / "data/pond-full.js").unlink()
    chromium.look()
    chromium.open(f"file://{site}/explore.html")
    chromium.wait("document.getElementById('explorer').textContent.includes('cannot be read')")


def many(datasets=25, noises=8, methods=115):
    """Rows of one fit for each cell, in the form of `ironbark.pipeline.site.data.rows`."""
    sizes = {"dataset": datasets, "noise_id": noises, "method": methods}
    codes = np.unravel_index(np.arange(np.prod(list(sizes.values()))), tuple(sizes.values()))
    ids = {name: [f"{name}-{i}" for i in range(size)] for name, size in sizes.items()}
    frame = pd.DataFrame({name: np.array(ids[name])[code] for name, code in zip(sizes, codes, strict=True)})
    accuracy = np.random.default_rng(0).random(len(frame))
    about = {"task": "binary", "protocol": "fixed-split", "status": "ok", "repeat": 0, "fold": 0}
    return frame.assign(**about, accuracy=accuracy, fit_seconds=1.0, tune_seconds=0.0, n_train=8, n_test=2), ids


@pytest.fixture(scope="module")
def large(pond, tmp_path_factory):
    """The site of `pond` with the aggregates of a large study in place of its own: 10^6 rows have no more cells."""
    site = tmp_path_factory.mktemp("large") / "site"
    shutil.copytree(pond, site)
    frame, ids = many()
    noises = {id: {"label": id, "model": "uniform", "rate": i / 20} for i, id in enumerate(ids["noise_id"])}
    about = study() | {"methods": {id: id for id in ids["method"]}, "datasets": {id: id for id in ids["dataset"]}}
    study_data.write(about | {"noises": list(noises)}, frame, noises, Renderer(site, {}))
    return site


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    ["explore.html#view=ranks", "explore.html#view=curves", "leaderboard/pond-full-classification.html"],
)
def test_many_cells_are_usable(tab, large, page):
    tab.call("Performance.enable", timeDomain="threadTicks")  # seconds of work: others may use this machine too
    tab.open(f"file://{large}/{page}")
    tab.wait(SHOWN)
    measured = {line["name"]: line["value"] for line in tab.call("Performance.getMetrics")["metrics"]}
    tab.call("Performance.disable")
    assert 0 < measured["TaskDuration"] < 3
    assert "115 methods over 200 settings" in tab.run("document.body.innerText") or page.endswith("curves")
