"""The site in a real browser without network: what a reader clicks, types and sees."""

from pathlib import Path

import pytest
from browser import READY
from site_cases import rows

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
    tab.open(pond / "index.html")
    loads = tab.loads
    tab.run("Array.from(document.querySelectorAll('#table-data-sets a')).find(a => a.textContent === 'ducks').click()")
    tab.wait(lambda: tab.loads > loads)
    tab.wait(READY)
    answers = {line[0]: line for line in lines(tab, "#table-pond-full-binary-test-accuracy-percent")}
    assert answers["uniform 40 %"][1] == "Tree A" and answers["uniform 40 %"][9] == "2"
    tab.choose("#choose-noise", "uniform 40 %")
    assert lines(tab, "#table-all-methods")[0][0] == "Tree A"
