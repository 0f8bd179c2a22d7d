"""The site in a real browser without network: what a reader clicks, types and sees."""

from pathlib import Path

import numpy as np
import pytest
from browser import READY
from scipy import stats
from site_cases import rows
from statsmodels.stats.multitest import multipletests

PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["leaderboard/pond-full-classification.html"]
MARKS = "document.querySelectorAll('.chart [aria-roledescription=\"point\"]')"
POINTS = f"{MARKS}.length"
FIELD = ".vega-bind input[name='%s'], .vega-bind select[name='%s']"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_accessibility(tab, pond, page, dark):
    tab.look(width=390, height=800, dark=dark)
    tab.open(pond / page)
    assert tab.run("document.documentElement.scrollWidth") <= 390, "a phone scrolls in one direction"
    assert tab.violations() == []


def lines(tab, box="table.dataTable"):
    found = f"document.querySelectorAll('{box} tbody tr')"
    return tab.run(f"Array.from({found}, line => Array.from(line.cells, cell => cell.innerText))")


def test_lists_filter_the_leaderboard_and_its_chart(tab, pond):
    tab.open(pond / "leaderboard/pond-full-classification.html")
    first = lines(tab)
    heights = f"Array.from({MARKS}, m => m.ariaLabel).join()"
    before = tab.run(heights)
    tab.choose("#choose-noise", "uniform 40 %")
    tab.wait(f"{heights} !== {before!r}")
    assert len(lines(tab)) == 3 and lines(tab) != first
    mean = 100 * rows().query("noise_id == 'uniform-0.4' and method == 'dt-a'")["accuracy"].mean()
    assert float(lines(tab)[0][3]) == pytest.approx(mean, abs=0.006)
    tab.choose("#choose-noise", "all noises")
    tab.wait(f"{heights} === {before!r}")
    assert lines(tab) == first


def test_a_click_on_a_heading_sorts_by_numbers_and_a_second_one_turns_the_order(tab, pond):
    tab.open(pond / "leaderboard/pond-full-classification.html")
    heads = "Array.from(document.querySelectorAll('table.dataTable thead th'))"
    place = tab.run(f"{heads}.findIndex(head => head.innerText.trim() === 'CPU s')")
    for order in ([1.5, 2, 12], [12, 2, 1.5]):
        tab.run(f"{heads}[{place}].click()")
        tab.wait(f"{heads}[{place}].ariaSort !== null")
        assert [float(line[place]) for line in lines(tab)] == order
    name = tab.run(f"{heads}.findIndex(head => head.innerText.trim() === 'method')")
    tab.run(f"{heads}[{name}].click()")
    assert [line[name] for line in lines(tab)] == ["Forest C", "Tree A", "Tree B"]


def test_choices_change_the_curves(tab, pond):
    points = {"index.html": 3, "leaderboard/pond-full-classification.html": 3, "study/pond-full.html": 9}
    for page, expected in points.items():
        tab.open(pond / page)
        assert tab.run(POINTS) == expected
    scripts = {request for request in tab.requests if "/assets/vega" in request}
    assert scripts == {f"file://{path}" for path in pond.glob("assets/vega-*.js")}, "one bundle for all pages"
    title = "document.querySelector('.chart .mark-text.role-title-text').textContent"
    assert tab.run(title) == "Test accuracy (percent)"
    tab.choose(FIELD % ("wanted", "wanted"), "tree a, nothing")
    tab.wait(f"{POINTS} === 3")
    tab.choose(FIELD % ("wanted", "wanted"), "")
    tab.choose(FIELD % ("best", "best"), "2")
    tab.wait(f"{POINTS} === 6")
    tab.choose(FIELD % ("measure", "measure"), "CPU time of a fit with its tuning (seconds)")
    tab.wait(f"{title}.startsWith('CPU time of a fit')")
    labels = "document.querySelector('.chart svg').textContent"
    assert tab.run(f"{labels}.includes('Tree A') && !{labels}.includes('Forest C')")
    tab.choose(FIELD % ("data", "data"), "1")
    tab.wait(f"{POINTS} === 6")


def test_links_that_scripts_draw_lead_somewhere(tab, pond):
    for page in PAGES:
        tab.open(pond / page)
        found = tab.run("Array.from(document.querySelectorAll('a[href]'), a => decodeURI(a.href.split('#')[0]))")
        assert [link for link in found if not Path(link.removeprefix("file://")).is_file()] == []


def test_best_method_at_a_noise_and_its_lead_one_click_from_the_first_page(tab, pond):
    frame = rows()
    tab.open(pond / "index.html")
    loads = tab.loads
    tab.run("Array.from(document.querySelectorAll('#table-data-sets a')).find(a => a.textContent === 'ducks').click()")
    tab.wait(lambda: tab.loads > loads)
    tab.wait(READY)
    answers = {line[0]: line for line in lines(tab, "#table-pond-full-binary-test-accuracy-percent")}
    assert answers["uniform 40 %"][1] == "Tree A" and answers["uniform 40 %"][9] == "2"
    tab.choose("#choose-noise", "uniform 40 %")
    found = {line[0]: line for line in lines(tab, "#table-all-methods")}
    assert list(found)[0] == "Tree A" and found["Tree A"][5] == "–"
    wide = frame[(frame["dataset"] == "ducks") & (frame["noise_id"] == "uniform-0.4")]
    wide = wide.pivot(index="repeat", columns="method", values="accuracy")
    p = [stats.ttest_rel(wide["dt-a"], wide[name]).pvalue for name in ("dt-b", "rf-c")]
    adjusted = multipletests(p, method="holm")[1]
    for label, *pair in zip(("Tree B", "Forest C"), p, adjusted, strict=True):
        shown = [float(text.removeprefix("< ")) for text in found[label][5:7]]
        assert shown == pytest.approx(np.maximum(pair, 0.001), abs=5e-4)
