"""The site in a real browser: what a reader clicks, types and sees."""

import functools
import importlib.util
import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import browser
import numpy as np
import pandas as pd
import pytest
from site_cases import DATASETS, METHODS, NOISES, fill, rows, spec, study

from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.metrics import METRICS
from ironbark.pipeline.results.records import COLUMNS, FAILED
from ironbark.pipeline.site import columns

PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["explore.html", "explore.html#view=difference", "explore.html#view=numbers"]
SHOWN = "!!document.body.dataset.shown"
VIEWS = ["curves", "ranks", "difference", "wins", "time", "numbers"]


@pytest.fixture(scope="module")
def chromium():
    """A browser, or the reason why there is none."""
    if browser.found() is None:
        pytest.skip("needs Chromium")
    if importlib.util.find_spec("websocket") is None:
        pytest.skip("needs the package websocket-client")
    found = browser.Browser()
    yield found
    found.close()


@pytest.fixture
def tab(chromium):
    """The browser's tab; afterwards nothing may have gone wrong, nor anything been asked of another place."""
    chromium.look()
    chromium.errors.clear()
    chromium.requests.clear()
    yield chromium
    assert chromium.errors == []
    away = [url for url in chromium.requests if not url.startswith(("file:///", "data:", "blob:", "about:", LOCAL))]
    assert away == [] and chromium.requests


LOCAL = "http://127.0.0.1:"


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
    if page.startswith("explore"):
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
    if page.startswith("explore"):
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


def test_filters_change_the_chart_and_the_address(tab, pond):
    explore(tab, pond)
    marks = "document.querySelectorAll('#chart [aria-roledescription=\"point\"]').length"
    assert tab.run(marks) == 18
    tab.run("document.querySelector('input[value=\"rf-c\"]').click()")
    tab.wait(f"{marks} === 12")
    tab.run("document.querySelector('input[value=\"ducks\"]').click()")
    tab.wait(f"{marks} === 6")
    address = tab.run("location.hash")
    assert "methods=dt-a,dt-b" in address and "datasets=geese" in address
    explore(tab, pond, address[1:])
    assert tab.run(marks) == 6, "the address brings the same chart back"
    tab.run("document.querySelector('[aria-label=\"none: methods\"]').click()")
    tab.wait("document.getElementById('status').textContent === 'No methods are chosen.'")
    tab.run("document.querySelector('[aria-label=\"all: methods\"]').click()")
    tab.wait(f"{marks} === 9")


def test_the_measure_changes_the_axis(tab, pond):
    explore(tab, pond)
    tab.run("m = document.getElementById('choose-metric'); m.value = 'error'; m.dispatchEvent(new Event('change'))")
    tab.wait("document.querySelector('#chart svg').textContent.includes('Test error (%)')")


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


def test_statistics_agree_with_those_of_the_tables(tab, pond):
    explore(tab, pond)
    chosen = json.dumps({"task": "binary", "datasets": [*DATASETS], "noises": [*NOISES], "methods": [*METHODS]})
    script = f"""ironbark.load("pond-full").then(study => {{
        const found = ironbark.stats.cells(study, "accuracy", {chosen});
        const table = ironbark.stats.settings(found);
        return [found, ironbark.stats.averageRanks(table, true), ironbark.stats.criticalDifference(3, 6),
                ironbark.stats.wins(table, true)];
    }})"""
    found, ranked, difference, wins = tab.run(script)
    ours = cells(rows())
    assert len(found) == len(ours)
    at = {(cell.dataset, cell.noise_id, cell.method): cell for cell in ours.itertuples()}
    for cell in found:
        same = at[cell["dataset"], cell["noise"], cell["method"]]
        assert cell["mean"] == pytest.approx(same.mean, rel=1e-6) and cell["sd"] == pytest.approx(same.sd, rel=1e-4)
        assert cell["n"] == same.n
    complete, _ = ranks.scores(ours)
    expected = ranks.average_ranks(complete)
    assert [line["method"] for line in ranked] == list(expected.index)
    assert [line["rank"] for line in ranked] == pytest.approx(list(expected))
    assert difference == pytest.approx(ranks.critical_difference(3, 6))
    for pair in wins:
        ahead = complete[pair["method"]] - complete[pair["other"]]
        assert (pair["won"], pair["lost"]) == (int((ahead > 0).sum()), int((ahead < 0).sum()))


def test_ties_and_groups_as_in_the_tables(tab, pond):
    explore(tab, pond)
    shared = tab.run("ironbark.stats.ranks([0.5, 0.9, 0.5, 0.1, 0.9, 0.5], true)")
    assert shared == [4, 1.5, 4, 6, 1.5, 4]
    values = {"a": 1.0, "b": 1.5, "c": 2.4, "d": 3.9, "e": 4.0}
    ranked = [{"rank": value} for value in values.values()]
    for width in (0.4, 1.0, 1.6, 9.0):
        found = tab.run(f"ironbark.stats.groups({json.dumps(ranked)}, {width})")
        expected = ranks.groups(pd.Series(values), width)
        assert [[*values][first : last + 1] for first, last in found] == expected


def many(count):
    """A frame of `count` fits in the form of `ironbark.pipeline.site.rows`."""
    rng, sizes = np.random.default_rng(0), {"dataset": 25, "noise_id": 8, "method": 25}
    cell = np.arange(count) % (25 * 8 * 25)
    codes = {"dataset": cell // 200, "noise_id": cell // 25 % 8, "method": cell % 25}
    names = {name: pd.Index([f"{name}-{i}" for i in range(size)], dtype="str") for name, size in sizes.items()}
    frame = pd.DataFrame({name: pd.Categorical.from_codes(code, names[name]) for name, code in codes.items()})
    text = [name for name in COLUMNS if COLUMNS[name] == "str" and name not in frame]
    frame = frame.assign(**{name: pd.Categorical.from_codes(np.zeros(count, int), ["x"]) for name in text})
    frame["task"], frame["status"] = frame["task"].cat.rename_categories(["binary"]), "ok"
    return frame.assign(**{name: rng.random(count) for name in METRICS})


@pytest.mark.parametrize("count", [100_000, 1_000_000])
def test_many_rows_are_usable(tab, make, tmp_path, count):
    site = make(spec(study()), fill(tmp_path / "results"))
    frame = many(count)
    noises = {
        name: {"label": name, "model": "uniform", "rate": i / 20}
        for i, name in enumerate(frame["noise_id"].cat.categories)
    }
    about = {"methods": {n: n for n in frame["method"].cat.categories}, "noises": noises}
    about |= {"id": "pond-full", "datasets": {name: name for name in frame["dataset"].cat.categories}}
    (site / "data/pond-full.js").write_text(columns.script(frame, about), encoding="utf-8")
    tab.call("Performance.enable", timeDomain="threadTicks")  # seconds of work: others may use this machine too
    tab.open(f"file://{site}/explore.html#view=ranks")
    tab.wait(SHOWN)
    measured = {line["name"]: line["value"] for line in tab.call("Performance.getMetrics")["metrics"]}
    tab.call("Performance.disable")
    assert 0 < measured["TaskDuration"] < 3
    text = tab.run("document.getElementById('explorer').innerText")
    assert ("1,000,000 fits: too many for a browser" in text) == (count > columns.MOST_FITS)
    assert "over 200 settings" in text


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
    chromium.open(f"file://{site}/explore.html")
    chromium.wait("document.getElementById('explorer').textContent.includes('cannot be read')")
