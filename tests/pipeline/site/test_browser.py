"""The site in a real browser without network: what a reader clicks, types and sees."""

import importlib.util
from pathlib import Path

import pytest
from site_cases import rows

PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["leaderboards.html", "leaderboard/pond-full-classification.html"]
POINTS = "document.querySelectorAll('.chart [aria-roledescription=\"point\"]').length"
FIELD = ".vega-bind input[name='%s'], .vega-bind select[name='%s']"


def show(tab, site, page):
    tab.open(f"file://{site}/{page}")
    tab.wait("document.body.dataset.ready === 'yes'")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_accessibility(tab, pond, page, dark):
    if importlib.util.find_spec("axe_core_python") is None:
        pytest.skip("needs the package axe-core-python")
    place = Path(importlib.util.find_spec("axe_core_python").origin).parent / "axe.min.js"
    tab.look(width=390, height=800, dark=dark)
    show(tab, pond, page)
    assert tab.run("document.documentElement.scrollWidth") <= 390, "a phone scrolls in one direction"
    tab.run(place.read_text(encoding="utf-8") + ";1")
    found = tab.run(
        "axe.run({preload: false}).then(r => r.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary]))"
    )
    assert found == []


def lines(tab, box="table.dataTable"):
    return tab.run(
        f"Array.from(document.querySelectorAll('{box} tbody tr'), r => Array.from(r.cells, c => c.innerText))"
    )


def test_lists_filter_the_leaderboard_and_its_chart(tab, pond):
    show(tab, pond, "leaderboard/pond-full-classification.html")
    first = lines(tab)
    heights = (
        "Array.from(document.querySelectorAll('.chart [aria-roledescription=\"point\"]'), m => m.ariaLabel).join()"
    )
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
    for page, points in {
        "index.html": 3,
        "leaderboard/pond-full-classification.html": 3,
        "study/pond-full.html": 9,
    }.items():
        show(tab, pond, page)
        assert tab.run(POINTS) == points
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
        show(tab, pond, page)
        found = tab.run("Array.from(document.querySelectorAll('a[href]'), a => decodeURI(a.href.split('#')[0]))")
        assert [link for link in found if not Path(link.removeprefix("file://")).is_file()] == []
