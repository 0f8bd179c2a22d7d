"""The site in a real browser without network: what a reader clicks, types and sees."""

import importlib.util
from pathlib import Path

import pytest
from site_cases import fill, rows, spec, study

from ironbark.pipeline.results.records import FAILED

PAGES = ["index.html", "study/pond-full.html", "dataset/ducks.html", "method/dt-a.html", "provenance.html"]
PAGES += ["leaderboards.html", "leaderboard/pond-full-classification.html"]
CHARTS = {"index.html": 3, "study/pond-full.html": 18 // 2, "leaderboard/pond-full-classification.html": 3}
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
    tab.look(dark=dark)
    show(tab, pond, page)
    tab.run(place.read_text(encoding="utf-8") + ";1")
    found = tab.run(
        "axe.run({preload: false}).then(r => r.violations.map(v => [v.id, v.nodes[0].html, v.nodes[0].failureSummary]))"
    )
    assert found == []


@pytest.mark.parametrize("page", PAGES)
def test_a_phone_scrolls_in_one_direction(tab, pond, page):
    tab.look(width=390, height=800)
    show(tab, pond, page)
    assert tab.run("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("page", CHARTS)
def test_charts_draw_a_point_for_each_mean(tab, pond, page):
    show(tab, pond, page)
    assert tab.run(POINTS) == CHARTS[page]


def lines(tab, box="table.dataTable"):
    return tab.run(
        f"Array.from(document.querySelectorAll('{box} tbody tr'), r => Array.from(r.cells, c => c.innerText))"
    )


def test_sorting_by_click_and_by_key(tab, pond):
    show(tab, pond, "leaderboard/pond-full-classification.html")
    ranks = [float(line[2]) for line in lines(tab)]
    assert ranks == sorted(ranks) and len(set(ranks)) == 3
    heads = "document.querySelectorAll('table.dataTable th')"
    tab.run(f"{heads}[2].querySelector('[role=button]').focus()")
    for key_order in ("ascending", "descending"):
        tab.press("Enter")
        tab.wait(f"{heads}[2].ariaSort === '{key_order}'")
    assert [float(line[2]) for line in lines(tab)] == ranks[::-1]
    tab.run(f"{heads}[0].click()")
    tab.wait(f"{heads}[0].ariaSort === 'ascending'")
    assert [float(line[2]) for line in lines(tab)] == ranks


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
    show(tab, pond, "study/pond-full.html")
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


def test_a_data_set_of_the_curves_can_be_chosen(tab, pond):
    show(tab, pond, "study/pond-full.html")
    marks = "Array.from(document.querySelectorAll('.chart [aria-roledescription=\"point\"]'), m => m.ariaLabel).join()"
    before = tab.run(marks)
    assert tab.run("Array.from(document.querySelector(\"select[name='data']\").options, o => o.text)") == [
        "mean over data sets",
        "Ducks",
        "Geese",
    ]
    tab.choose(FIELD % ("data", "data"), "1")
    tab.wait(f"{marks} !== {before!r}")
    assert tab.run(POINTS) == 9


def test_tables_can_be_searched(tab, make):
    told = spec(study())
    told["methods"] |= {f"m{i}": {"label": f"Method {i}", "estimator": "x.Y"} for i in range(12)}
    show(tab, make(told), "index.html")
    field = "f = document.querySelector('#table-methods_wrapper input'); f.value = 'method 11'"
    tab.run(f"{field}; f.dispatchEvent(new Event('input'))")
    tab.wait("document.querySelectorAll('#table-methods tbody tr').length === 1")


def test_links_that_scripts_draw_lead_somewhere(tab, pond):
    for page in PAGES:
        show(tab, pond, page)
        found = tab.run("Array.from(document.querySelectorAll('a[href]'), a => decodeURI(a.href.split('#')[0]))")
        assert [link for link in found if not Path(link.removeprefix("file://")).is_file()] == []


def test_a_study_of_failures_has_no_chart(tab, make, tmp_path):
    results = fill(tmp_path / "results")
    rows().assign(status=FAILED, accuracy=float("nan")).to_parquet(results / "pond/full/rows.parquet")
    site = make(spec(study()), results)
    show(tab, site, "study/pond-full.html")
    assert tab.run("document.querySelectorAll('.chart').length") == 0
    show(tab, site, "leaderboards.html")
    assert "no finished fits" in tab.run("document.body.innerText")
